// Limits (section 7) of numbers on one residue class of times, for ever: tends, bigO, geometric.

import { FALSE, TRUE, UNDECIDED, both } from "./truth.js";
import { Undefined } from "./limits.js";
import * as R from "./numbers.js";
import * as P from "./polynomial.js";
import { growth, hasType } from "./regime.js";
import { C, T } from "./symbols.js";
import * as V from "./values.js";

const parts = (a) => (V.isRational(a) ? [P.constant(a.n), P.constant(a.d)] : [a.N, a.D]);
const onlyTime = (p) => [...P.symbolsOf(p)].every((id) => id === T);

export class RangeLimits {
  // range: the residue class; regime may be null
  constructor(evaluator, range) {
    this.symbols = evaluator.symbols;
    this.regime = evaluator.regime;
    this.range = range;
    this.kindOfC = null;
  }

  // How c behaves, asked only where c occurs.
  kind() {
    this.kindOfC ??= this.regime?.kind(this.range.start) ?? "unknown";
    return this.kindOfC;
  }

  fades(key) {
    return hasType(key, this.symbols, "e") || (P.exponentOf(key, C) > 0 && this.kind() === "geometric");
  }

  // Numerator and denominator without fading terms; null if nothing is left below.
  lasting(a) {
    const [N, D] = parts(a).map((p) => P.filtered(p, (key) => !this.fades(key)));
    return P.isZero(D) ? null : [N, D];
  }

  // {value} or {none: true}, or null if it is not decided.
  limit(a) {
    const left = this.lasting(a);
    if (left === null) return null;
    for (const p of left) for (const key of p.keys()) if (P.exponentOf(key, C) > 0 && P.exponentOf(key, T) > 0) return null;
    const moved = left.some((p) => P.degreeIn(p, C) > 0) ? this.withoutC(left) : left;
    if (moved === null || P.isZero(moved[1])) return null;
    const [N, D] = moved;
    const [n, d] = [N, D].map((p) => P.degreeIn(p, T));
    const [top, bottom] = [[N, n], [D, d]].map(([p, degree]) => P.coefficientsIn(p, T)[degree]);
    const nonzero = (p) => this.range.shown(p, true) || this.range.shown(P.neg(p), true);
    if (!nonzero(bottom)) return null;
    if (P.isZero(N) || n < d) return { value: R.ZERO };
    if (n === d) return { value: V.quotient(top, bottom) };
    return nonzero(top) ? { none: true } : null;
  }

  withoutC(pair) {
    const kind = this.kind();
    if (kind === "slow" || kind === "vanishing") return pair.map((p) => P.filtered(p, (key) => P.exponentOf(key, C) === 0));
    if (kind !== "positive" || this.regime.low === null) return null;
    const end = this.symbols.between(`end of c ${this.range.start}`, this.regime.low, this.regime.contractionAt(this.range.start));
    return pair.map((p) => {
      let result = new Map();
      P.coefficientsIn(p, C).forEach((q, k) => {
        result = P.add(result, P.mul(q, P.symbol(end, k)));
      });
      return result;
    });
  }

  tendsToZero(a) {
    const limit = this.limit(a);
    if (limit === null) return UNDECIDED;
    if (limit.none) return FALSE;
    if (V.isZero(limit.value)) return TRUE;
    return this.range.above(limit.value, true) || this.range.above(V.neg(limit.value), true) ? FALSE : UNDECIDED;
  }

  tends(items) {
    return items.reduce((result, item) => both(result, this.tendsToZero(item)), TRUE);
  }

  // For the next two the denominator is in t alone.
  geometric(a) {
    const left = onlyTime(parts(a)[1]) ? this.lasting(a) : null;
    if (left === null) return UNDECIDED;
    const [N] = left;
    if (P.isZero(N)) return TRUE;
    if (onlyTime(N)) return FALSE;
    const powers = new Set([...N.keys()].map((key) => P.exponentOf(key, C)));
    const others = [...P.symbolsOf(N)].some((id) => id !== T && id !== C);
    return !others && powers.size === 1 && ["slow", "positive"].includes(this.kind()) ? FALSE : UNDECIDED;
  }

  bigO(a, b) {
    if (V.isZero(a)) return TRUE;
    const bound = plainGrowth(b);
    const left = onlyTime(parts(a)[1]) ? this.lasting(a) : null;
    if (bound === null || bound === -Infinity || left === null) return UNDECIDED;
    const [N, D] = left;
    if (P.isZero(N)) return TRUE;
    if ([...P.symbolsOf(N)].some((id) => id !== T && id !== C)) return UNDECIDED;
    if (P.degreeIn(N, T) - P.degreeIn(D, T) <= bound) return TRUE;
    return onlyTime(N) ? FALSE : UNDECIDED;
  }
}

// The growth of a quotient in t alone, else null.
function plainGrowth(a) {
  const [N, D] = parts(a);
  if (!onlyTime(N) || !onlyTime(D)) return null;
  return P.isZero(N) ? -Infinity : P.degreeIn(N, T) - P.degreeIn(D, T);
}

// On a trap with the rate R.
export class TrapLimits {
  constructor(evaluator, range, rate) {
    this.range = range;
    this.rate = rate;
    this.speed = growth(rate, evaluator.symbols);
    if (this.speed === null || this.speed === -Infinity || !range.above(rate, true)) throw new Undefined("not a rate");
  }

  // q >= R or q <= -R on the range
  stays(q) {
    return this.range.above(V.sub(q, this.rate), false) || this.range.above(V.neg(V.add(q, this.rate)), false);
  }

  tends(items, scalar) {
    const q = scalar ? items[0] : items.reduce((sum, item) => V.add(sum, V.mul(item, item)), R.ZERO);
    return this.speed >= 0 && this.stays(q) ? FALSE : UNDECIDED;
  }

  geometric(q) {
    return this.stays(q) ? FALSE : UNDECIDED;
  }

  bigO(q, b) {
    const bound = plainGrowth(b);
    if (bound === null || bound === -Infinity) return UNDECIDED;
    if (this.speed > bound) return this.stays(q) ? FALSE : UNDECIDED;
    const inside = this.range.above(V.sub(this.rate, q), false) && this.range.above(V.add(this.rate, q), false);
    return inside ? TRUE : UNDECIDED;
  }
}
