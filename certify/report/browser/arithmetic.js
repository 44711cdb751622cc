// Numbers on a range or at a concrete time (section 6): comparisons by the sign rule, roots by their squares or bounds.

import { LIMITS, Undefined, require } from "./limits.js";
import * as R from "./numbers.js";
import * as P from "./polynomial.js";
import { Range } from "./sign.js";
import { FALSE, TRUE, UNDECIDED } from "./truth.js";
import * as V from "./values.js";

// Bounds of an irrational root agree in about this many leading bits.
const ROOT_BITS = 256;

export class Arithmetic {
  // plans: decides quantifiers over unbounded time and limits; the rest is the data of the instance.
  constructor({ data, dimension, trajectory, lemmas, symbols, plans, counter }) {
    Object.assign(this, { data, dimension, trajectory, lemmas, symbols, plans, counter });
    this.point = new Range(symbols, { start: 0n, steps: 0n });
    this.range = this.point;
    this.regime = null;
    this.atoms = 0;
    this.insideSets = 0;
    this.insideRanges = 0;
    this.insideShares = 0;
    this.withoutPlans = false;
    this.ticks = 0;
  }

  count(amount = 1) {
    this.counter.total += amount;
    require(this.counter.total <= LIMITS.count, "too many atoms, bound values and pairs");
  }

  above(a, strict) {
    return this.range.above(a, strict);
  }

  // a <= b, or a < b
  less(a, b, strict) {
    if (V.isRational(a) && V.isRational(b)) {
      const order = R.compare(a, b);
      return order < 0 || (order === 0 && !strict) ? TRUE : FALSE;
    }
    if (V.isRoot(a) && V.isRoot(b)) return this.less(a.root, b.root, strict);
    if (V.isRoot(a) ? this.byBounds(a, b) : V.isRoot(b) && this.byBounds(b, a)) return this.less(this.plain(a), this.plain(b), strict);
    if (V.isRoot(a)) {
      const gap = V.sub(V.mul(b, b), a.root);
      if (this.above(V.neg(b), true) || this.above(V.neg(gap), !strict)) return FALSE;
      return this.above(b, false) && this.above(gap, strict) ? TRUE : UNDECIDED;
    }
    if (V.isRoot(b)) {
      const gap = V.sub(b.root, V.mul(a, a));
      if (this.above(V.neg(a), true) || this.above(gap, strict)) return TRUE;
      return this.above(a, false) && this.above(V.neg(gap), !strict) ? FALSE : UNDECIDED;
    }
    const gap = V.sub(b, a);
    if (this.above(gap, strict)) return TRUE;
    return this.above(V.neg(gap), !strict) ? FALSE : UNDECIDED;
  }

  // Is a root compared with a number by its bounds? A root that moves has none.
  byBounds(root, a) {
    if (V.isRational(a) || V.constantOf(root.root) === null) return false;
    return [a.N, a.D].some((p) => [...P.symbolsOf(p)].some((id) => this.symbols.of(id).type === "b"));
  }

  sameNumber(a, b) {
    if (V.isRational(a) && V.isRational(b)) return R.equal(a, b) ? TRUE : FALSE;
    if (V.isRoot(a) && V.isRoot(b)) return this.sameNumber(a.root, b.root);
    if (V.isRoot(b)) return this.sameNumber(b, a);
    if (V.isRoot(a) && this.byBounds(a, b)) return this.sameNumber(this.plain(a), b);
    if (V.isRoot(a)) {
      if (this.above(V.neg(b), true)) return FALSE;
      const squares = this.sameNumber(a.root, V.mul(b, b));
      return squares === TRUE && !this.above(b, false) ? UNDECIDED : squares;
    }
    const difference = V.sub(a, b);
    if (V.isZero(difference)) return TRUE;
    return this.above(difference, true) || this.above(V.neg(difference), true) ? FALSE : UNDECIDED;
  }

  power(base, exponent) {
    if (!V.isRoot(base)) return V.power(base, exponent, this.range);
    const { slope, offset } = V.linearTime(exponent) ?? { slope: 1n };
    if (slope === 0n && offset % 2n === 0n) return V.power(base.root, R.integer(offset / 2n), this.range);
    return V.power(this.plain(base), exponent, this.range);
  }

  root(square) {
    if (!this.above(square, false)) throw new Undefined("a root of a number that is not shown to be at least 0");
    return { root: square };
  }

  // A root in other arithmetic is a number between rational bounds.
  plain(value) {
    if (!V.isRoot(value)) return value;
    const square = V.constantOf(value.root);
    if (square === null) throw new Undefined("a root that moves");
    const { n, d } = R.reduced(square);
    const [top, bottom] = [R.integerRoot(n), R.integerRoot(d)];
    if (top * top === n && bottom * bottom === d) return { n: top, d: bottom };
    const size = Math.floor((R.bitLength(n) - R.bitLength(d)) / 2);
    const shift = BigInt(Math.max(ROOT_BITS - size, 0));
    const low = R.integerRoot((n << (2n * shift)) / d);
    const [below, above] = [low, low + 1n].map((m) => R.reduced({ n: m, d: 1n << shift }));
    return V.fromSymbol(this.symbols.between(`root ${n}/${d}`, below, above));
  }

  absolute(value) {
    if (this.above(value, false)) return value;
    if (this.above(V.neg(value), false)) return V.neg(value);
    throw new Undefined("an absolute value of a number whose sign is not shown");
  }

  // The smaller (sign 1) or larger (sign -1) of two numbers.
  better(a, b, sign) {
    const order = sign > 0 ? this.less(a, b, false) : this.less(b, a, false);
    if (order === TRUE) return a;
    if (order === FALSE) return b;
    if ((sign > 0 ? this.less(b, a, false) : this.less(a, b, false)) === TRUE) return b;
    throw new Undefined("numbers whose order is not shown");
  }
}
