// Exact rationals {n, d} with BigInt and d > 0, not always in lowest terms: gcd is taken only to write a number down
// or when a sum has grown. Also the written forms of exact numbers and of times.

import { LIMITS, Undefined, require } from "./limits.js";

const HUGE = 1n << BigInt(LIMITS.bits);

export const ZERO = { n: 0n, d: 1n };
export const ONE = { n: 1n, d: 1n };

const magnitude = (n) => (n < 0n ? -n : n);

// How many bits, without writing a long number out.
export function bitLength(value) {
  let n = magnitude(value);
  let bits = 0;
  if (n >> 1024n) {
    let step = 1024n;
    while (n >> (step * 2n)) step *= 2n;
    while (step >= 1024n) {
      if (n >> step) {
        n >>= step;
        bits += Number(step);
      } else step /= 2n;
    }
  }
  return bits + (n === 0n ? 0 : n.toString(2).length);
}

// Euclid's algorithm, on leading digits while the numbers are long (Lehmer).
export function gcd(a, b) {
  a = magnitude(a);
  b = magnitude(b);
  if (a < b) [a, b] = [b, a];
  while (b >> 256n) {
    const shift = BigInt(bitLength(a) - 50);
    let x = Number(a >> shift);
    let y = Number(b >> shift);
    let [p, q, r, s] = [1, 0, 0, 1];
    while (y + r !== 0 && y + s !== 0) {
      const quotient = Math.floor((x + p) / (y + r));
      if (quotient !== Math.floor((x + q) / (y + s))) break;
      [p, r] = [r, p - quotient * r];
      [q, s] = [s, q - quotient * s];
      [x, y] = [y, x - quotient * y];
      if (magnitudeOf(r) > 2 ** 24 || magnitudeOf(s) > 2 ** 24) break;
    }
    if (q === 0) [a, b] = [b, a % b];
    else {
      const [P, Q, R, S] = [BigInt(p), BigInt(q), BigInt(r), BigInt(s)];
      [a, b] = [magnitude(P * a + Q * b), magnitude(R * a + S * b)];
      if (a < b) [a, b] = [b, a];
    }
  }
  while (b) [a, b] = [b, a % b];
  return a;
}

const magnitudeOf = (x) => (x < 0 ? -x : x);

export function checkedSize(n) {
  if (n >= HUGE || n <= -HUGE) throw new Undefined("a number has too many bits");
  return n;
}

export function reduced(a) {
  const g = gcd(a.n, a.d);
  return g === 1n ? a : { n: a.n / g, d: a.d / g };
}

function checked(n, d) {
  if (n < HUGE && n > -HUGE && d < HUGE) return { n, d };
  const small = reduced({ n, d });
  checkedSize(small.n);
  checkedSize(small.d);
  return small;
}

export const integer = (n) => ({ n: BigInt(n), d: 1n });

export function ratio(n, d) {
  return d < 0n ? { n: -n, d: -d } : { n, d };
}

export function add(a, b) {
  if (a.d === b.d) return checked(a.n + b.n, a.d);
  if (a.d === 1n) return checked(a.n * b.d + b.n, b.d);
  if (b.d === 1n) return checked(a.n + b.n * a.d, a.d);
  const sum = checked(a.n * b.d + b.n * a.d, a.d * b.d);
  if (sum.d < LONG) return sum;
  // Long sums are brought to lowest terms each time that they have doubled in length.
  const mark = Math.max(a.mark ?? 0, b.mark ?? 0, 4096);
  if (sum.d >> BigInt(2 * mark) === 0n) {
    sum.mark = mark;
    return sum;
  }
  const small = reduced(sum);
  return { n: small.n, d: small.d, mark: bitLength(small.d) };
}

const LONG = 1n << 8192n;

export const neg = (a) => ({ n: -a.n, d: a.d });
export const sub = (a, b) => add(a, neg(b));
export const mul = (a, b) => checked(a.n * b.n, a.d * b.d);
export const compare = (a, b) => {
  const left = a.d === b.d ? a.n : a.n * b.d;
  const right = a.d === b.d ? b.n : b.n * a.d;
  return left < right ? -1 : left > right ? 1 : 0;
};
export const equal = (a, b) => compare(a, b) === 0;
export const sign = (a) => (a.n < 0n ? -1 : a.n > 0n ? 1 : 0);

export function div(a, b) {
  if (b.n === 0n) throw new Undefined("a division by zero");
  return b.n < 0n ? checked(-a.n * b.d, -a.d * b.n) : checked(a.n * b.d, a.d * b.n);
}

// a to an integer power.
export function power(a, exponent) {
  if (exponent === 0n) return ONE;
  if (a.n === 0n) {
    if (exponent < 0n) throw new Undefined("a division by zero");
    return ZERO;
  }
  const small = reduced(a);
  const { n, d } = small;
  if (d === 1n && (n === 1n || n === -1n)) return n === 1n || exponent % 2n === 0n ? ONE : integer(-1);
  const times = exponent < 0n ? -exponent : exponent;
  const longest = Math.max(bitLength(n), bitLength(d));
  if (times * BigInt(longest - 1) >= BigInt(LIMITS.bits)) throw new Undefined("a power has too many bits");
  const result = exponent > 0n ? { n: n ** times, d: d ** times } : ratio(d ** times, n ** times);
  return checked(result.n, result.d);
}

const EXACT = /^(-?)(0|[1-9][0-9]*)(?:\/([1-9][0-9]*))?$/;

// An exact number as it must be written.
export function readExact(text) {
  const match = typeof text === "string" ? EXACT.exec(text) : null;
  require(match !== null, "not an exact number");
  const [, minus, top, bottom] = match;
  require(top.length <= LIMITS.digits && (bottom ?? "").length <= LIMITS.digits, "a number has too many digits");
  const n = BigInt(top);
  require(!(minus && n === 0n), "-0 is not an exact number");
  if (bottom === undefined) return { n: minus ? -n : n, d: 1n };
  const d = BigInt(bottom);
  require(d > 1n && gcd(n, d) === 1n, "an exact number is not in lowest terms");
  return { n: minus ? -n : n, d };
}

export function writeExact(a) {
  const { n, d } = reduced(a);
  const top = n.toString();
  const bottom = d.toString();
  // A lemma about such a number cannot be written down.
  if (top.length > LIMITS.digits + 1 || bottom.length > LIMITS.digits) throw new Undefined("a number has too many digits");
  return d === 1n ? top : `${top}/${bottom}`;
}

// A literal of a tree: digits, optional decimals.
export function readLiteral(text) {
  const match = typeof text === "string" ? /^(0|[1-9][0-9]{0,999})(?:\.([0-9]{1,999}))?$/.exec(text) : null;
  require(match !== null, "not a literal");
  const [, whole, decimals] = match;
  if (decimals === undefined) return integer(whole);
  return reduced({ n: BigInt(whole + decimals), d: 10n ** BigInt(decimals.length) });
}

export const FOREVER = "forever";

export function readTime(value) {
  if (typeof value === "number") {
    require(value >= 0, "a time is negative");
    return BigInt(value);
  }
  require(typeof value === "string" && /^[1-9][0-9]*$/.test(value), "not a time");
  require(value.length <= LIMITS.timeDigits, "a time has too many digits");
  const time = BigInt(value);
  require(time >= 1n << 31n, "a small time is written as a string");
  return time;
}

export const readTimeOrForever = (value) => (value === FOREVER ? FOREVER : readTime(value));

export function writeTime(time) {
  if (time === FOREVER) return FOREVER;
  return time < 1n << 31n ? Number(time) : time.toString();
}

// The largest integer whose square is at most n.
export function integerRoot(n) {
  if (n < 2n) return n;
  let x = 1n << BigInt((bitLength(n) + 1) >> 1);
  for (;;) {
    const y = (x + n / x) >> 1n;
    if (y >= x) return x;
    x = y;
  }
}
