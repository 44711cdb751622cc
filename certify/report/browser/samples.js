// Random starts and the interval of a statistic (section 4, section 9 item 5).

import { hasKeys } from "./canonical.js";
import { LIMITS, require } from "./limits.js";
import * as R from "./numbers.js";
import { sha256Words } from "./sha256.js";

// Integers below 2^96 as pairs [high, low] of Numbers, to the base 2^48: most draws need one Number only.
const HALF_BITS = 48;
const HALF = 2 ** HALF_BITS;
const split = (n) => [Number(n >> BigInt(HALF_BITS)), Number(n & BigInt(HALF - 1))];
const isBelow = (a, b) => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);

const SCALE = 65537;
const STEP = 65536n;
const SPREAD = (1n << 33n) * BigInt(SCALE) ** 2n;

class Bits {
  constructor(seed) {
    this.seed = seed;
    this.block = 0;
    this.words = null;
    this.word = -1;
    this.left = 0;
  }

  // Up to 48 bits as a Number, the lowest taken first.
  take(count) {
    let result = 0;
    let taken = 0;
    while (taken < count) {
      if (this.left === 0) this.nextWord();
      const part = Math.min(count - taken, this.left);
      const mask = part === 32 ? 0xffffffff : (1 << part) - 1;
      result += ((this.current & mask) >>> 0) * 2 ** taken;
      this.current = part === 32 ? 0 : this.current >>> part;
      this.left -= part;
      taken += part;
    }
    return result;
  }

  // The last word of a block is its low end.
  nextWord() {
    if (this.word < 0) {
      this.words = sha256Words(`${this.seed}:${this.block++}`);
      this.word = 7;
    }
    this.current = this.words[this.word--];
    this.left = 32;
  }

  below(limit) {
    const count = 32 - Math.clz32(limit - 1);
    for (;;) {
      const n = this.take(count);
      if (n < limit) return n;
    }
  }

  // Yes with probability exp(-a/b), for Numbers with a small b.
  decays(a, b) {
    for (let rest = a; ; rest -= b) {
      if (rest <= b) {
        let k = 1;
        while (this.below(b * k) < rest) k++;
        return k % 2 === 1;
      }
      if (!this.decays(1, 1)) return false;
    }
  }

  // The same for a BigInt a and b = SPREAD.
  decaysWide(a) {
    let rest = a;
    for (; rest > SPREAD; rest -= SPREAD) if (!this.decays(1, 1)) return false;
    const top = split(rest);
    let k = 1;
    while (isBelow(this.belowWide(k), top)) k++;
    return k % 2 === 1;
  }

  // below(SPREAD k) as a pair.
  belowWide(k) {
    const limit = SPREAD * BigInt(k);
    const high = R.bitLength(limit - 1n) - HALF_BITS;
    const top = split(limit);
    for (;;) {
      const low = this.take(HALF_BITS);
      const n = [this.take(high), low];
      if (isBelow(n, top)) return n;
    }
  }

  laplace() {
    for (;;) {
      const u = this.below(SCALE);
      if (!this.decays(u, SCALE)) continue;
      let v = 0;
      while (this.decays(1, 1)) v++;
      const negative = this.below(2) === 1;
      const z = u + SCALE * v;
      if (!(negative && z === 0)) return negative ? -z : z;
    }
  }

  gaussian() {
    for (;;) {
      const z = this.laplace();
      const gap = BigInt(Math.abs(z)) * BigInt(SCALE) - (1n << 32n);
      if (this.decaysWide(gap * gap)) return BigInt(z);
    }
  }
}

export const isRandom = (x) => hasKeys(x, ["gaussian"]);

export class RandomStarts {
  constructor(x) {
    const { gaussian } = x;
    require(hasKeys(gaussian, ["dimension", "samples", "seed", "tokens"]), "random starts with other fields");
    const { dimension, samples, seed, tokens } = gaussian;
    for (const n of [dimension, samples, tokens]) require(Number.isInteger(n) && n > 0, "not a positive integer");
    require(typeof seed === "string" && /^[ -~]{1,40}$/.test(seed), "not a seed");
    require(tokens <= LIMITS.rows && dimension <= LIMITS.columns, "random starts of too many tokens or coordinates");
    require(samples <= LIMITS.samples, "too many samples");
    require(samples * tokens * dimension <= LIMITS.coordinates, "too many random coordinates");
    Object.assign(this, { dimension, samples, tokens, bits: new Bits(seed) });
  }

  // The next start, as integer rows over one denominator.
  draw() {
    const { bits } = this;
    return { rows: Array.from({ length: this.tokens }, () => Array.from({ length: this.dimension }, () => bits.gaussian())), den: STEP };
  }
}

const PARTS = 10_000n;

// The largest k with 40 P(count >= hits) <= 1 for a binomial count of trials with share k/10000.
function lowest(hits, trials) {
  if (hits === 0) return 0n;
  const whole = PARTS ** BigInt(trials);
  const isRare = (k) => {
    let term = k ** BigInt(trials);
    let sum = term;
    for (let j = trials; j > hits; j--) {
      term = (term * BigInt(j) * (PARTS - k)) / (BigInt(trials - j + 1) * k);
      sum += term;
    }
    return 40n * sum <= whole;
  };
  let [low, high] = [0n, PARTS];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (isRare(middle)) low = middle;
    else high = middle;
  }
  return low;
}

// The Clopper-Pearson interval; its upper end is the lower end of the misses, turned round.
export function measured(hits, samples) {
  const [low, high] = [lowest(hits, samples), PARTS - lowest(samples - hits, samples)];
  const text = (n) => R.writeExact({ n, d: PARTS });
  return { kind: "measured", true: hits, samples, low: text(low), high: text(high), level: "19/20" };
}
