// Numbers as the evaluation has them: a rational {n, d}; a quotient of polynomials {N, D}; a square root {root} of one of
// these. Sums and products here take the first two; the evaluation turns roots into symbols first.

import { LIMITS, Undefined } from "./limits.js";
import * as R from "./numbers.js";
import * as P from "./polynomial.js";
import { T } from "./symbols.js";

export const isRational = (a) => a.n !== undefined;
export const isRoot = (a) => a.root !== undefined;

const top = (a) => a.N ?? P.constant(a.n);
const bottom = (a) => a.D ?? P.constant(a.d);

export function quotient(N, D) {
  if (P.isZero(N)) return R.ZERO;
  if (P.isConstant(N) && P.isConstant(D)) return R.reduced(R.ratio(P.constantOf(N), P.constantOf(D)));
  const common = P.content(N, P.content(D));
  return { N: P.shrink(N, common), D: P.shrink(D, common) };
}

export const fromSymbol = (id) => ({ N: P.symbol(id), D: P.constant(1n) });

export function add(a, b) {
  if (isRational(a) && isRational(b)) return R.add(a, b);
  const [D, E] = [bottom(a), bottom(b)];
  if (P.equal(D, E)) return quotient(P.add(top(a), top(b)), D);
  return quotient(P.add(P.mul(top(a), E), P.mul(top(b), D)), P.mul(D, E));
}

export const neg = (a) => (isRational(a) ? R.neg(a) : { N: P.neg(a.N), D: a.D });
export const sub = (a, b) => add(a, neg(b));

export function mul(a, b) {
  if (isRational(a) && isRational(b)) return R.mul(a, b);
  return quotient(P.mul(top(a), top(b)), P.mul(bottom(a), bottom(b)));
}

// The divisor must be shown not to vanish on the range.
export function div(a, b, range) {
  if (isRational(b)) return isRational(a) ? R.div(a, b) : mul(a, R.div(R.ONE, b));
  if (!range.above(b, true) && !range.above(neg(b), true)) throw new Undefined("a divisor is not shown to be nonzero");
  return quotient(P.mul(top(a), b.D), P.mul(bottom(a), b.N));
}

export const isZero = (a) => isRational(a) && a.n === 0n;

// A number without symbols as it was computed, or null: quotients are not cancelled.
export const constantOf = (a) => (isRational(a) ? a : null);

// The rational that a quotient is identically, or null.
export function ratioOf(a) {
  if (isRational(a)) return a;
  const [key, value] = a.D.entries().next().value;
  const other = a.N.get(key) ?? 0n;
  if (!P.equal(P.scale(a.N, value), P.scale(a.D, other))) return null;
  return R.ratio(other, value);
}

// A time as slope*t + offset with integers, or null.
export function linearTime(a) {
  if (isRational(a)) {
    const whole = a.d === 1n ? a : R.reduced(a);
    return whole.d === 1n ? { slope: 0n, offset: whole.n } : null;
  }
  if (!P.isConstant(a.D)) return null;
  const d = P.constantOf(a.D);
  let slope = 0n;
  let offset = 0n;
  for (const [key, value] of a.N) {
    if (value % d !== 0n) return null;
    if (key === "") offset = value / d;
    else if (key === P.factor(T, 1)) slope = value / d;
    else return null;
  }
  return { slope, offset };
}

// A time as an index: a number, or t plus a constant, that is nowhere negative on the range.
export function indexTime(a, range) {
  const time = linearTime(a);
  if (time === null || (time.slope !== 0n && time.slope !== 1n)) throw new Undefined("an index that is not t plus a constant");
  if (time.slope * range.start + time.offset < 0n) throw new Undefined("a negative time");
  return time;
}

export function fromTime({ slope, offset }) {
  if (slope === 0n) return { n: offset, d: 1n };
  return { N: P.add(P.scale(P.symbol(T), slope), P.constant(offset)), D: P.constant(1n) };
}

// a^b for an exponent that is an integer or linear in t.
export function power(a, b, range) {
  const exponent = linearTime(b);
  if (exponent === null) throw new Undefined("an exponent that is not an integer or linear in t");
  if (exponent.slope === 0n) return fixedPower(a, exponent.offset);
  if (!isRational(a)) throw new Undefined("a power with variable base and exponent");
  return movingPower(R.reduced(a), exponent, range);
}

function fixedPower(a, exponent) {
  if (isRational(a)) return R.power(a, exponent);
  if (exponent < 0n) throw new Undefined("a negative power of a number that is not known");
  if (exponent > BigInt(LIMITS.degree)) throw new Undefined("a polynomial has too high a degree");
  return quotient(P.power(a.N, Number(exponent)), P.power(a.D, Number(exponent)));
}

function movingPower(base, { slope, offset }, range) {
  if (slope > BigInt(LIMITS.slope) || slope < -BigInt(LIMITS.slope)) throw new Undefined("an exponent is too steep");
  const first = slope * range.start + offset;
  if (base.n === 0n) throw new Undefined("a power of zero with a moving exponent");
  const size = base.n < 0n ? R.neg(base) : base;
  let factor = R.ONE;
  if (base.n < 0n) {
    if ((slope * range.period) % 2n !== 0n) throw new Undefined("a power changes its sign along the range");
    if (first % 2n !== 0n) factor = R.integer(-1);
  }
  if (size.n === size.d) return factor;
  factor = R.mul(factor, R.power(size, offset));
  const ratio = R.power(size, slope);
  const rises = ratio.n > ratio.d;
  const e = P.symbol(range.symbols.fading(rises ? R.ratio(ratio.d, ratio.n) : ratio));
  const [n, d] = [P.constant(factor.n), P.constant(factor.d)];
  return rises ? quotient(n, P.mul(d, e)) : quotient(P.mul(n, e), d);
}
