// Boxes of starts (section 4): the tokens of every start at once, as polynomials in the coordinates that are intervals.

import { LIMITS, NeedState, Undefined, require } from "./limits.js";
import * as R from "./numbers.js";
import * as P from "./polynomial.js";
import { Range } from "./sign.js";
import * as M from "./tensors.js";
import * as V from "./values.js";

export const isBox = (x) => Array.isArray(x) && x.some((row) => Array.isArray(row) && row.some(Array.isArray));

// The start as vectors; isFull if every coordinate is an interval.
export function readBox(x, symbols) {
  require(x.length <= LIMITS.boxTokens, "a box of too many tokens");
  const width = x[0]?.length;
  let intervals = 0;
  let isFull = true;
  const start = x.map((row, token) => {
    require(Array.isArray(row) && row.length === width && width > 0 && width <= LIMITS.boxColumns, "not a box of the right size");
    return { items: row.map((entry, k) => {
      if (!Array.isArray(entry)) {
        isFull = false;
        return R.readExact(entry);
      }
      require(entry.length === 2, "not an interval");
      const [low, high] = entry.map(R.readExact);
      require(R.compare(low, high) < 0, "an interval that is empty or a point");
      require(++intervals <= LIMITS.intervals, "a box of too many intervals");
      return V.fromSymbol(symbols.coordinate(token, k, low, high));
    }) };
  });
  return { start, isFull };
}

export class BoxTrajectory {
  constructor({ box, data, symbols }) {
    Object.assign(this, { box, data, symbols });
    this.native = true;
    this.states = [box.start];
    this.count = box.start.length;
    this.dimension = box.start[0].items.length;
    this.undetermined = null;
    this.work = 0;
    this.point = new Range(symbols, { start: 0n, steps: 0n });
  }

  // There are no states, which traps and lemmas on all tokens would need.
  at() {
    throw new Undefined("a box has no states");
  }

  positions(time) {
    if (time < this.states.length) return this.states[Number(time)];
    if (this.undetermined !== null) throw new Undefined(this.undetermined);
    throw new NeedState(time);
  }

  *advance(time) {
    while (this.states.length <= time && this.undetermined === null) {
      const { count, dimension } = this;
      this.work += count * count * dimension + count * dimension;
      require(this.work <= LIMITS.work, "too much work for states");
      try {
        this.states.push(yield* this.step(this.states.at(-1), R.integer(this.states.length - 1)));
      } catch (error) {
        if (!(error instanceof Undefined)) throw error;
        this.undetermined = error.reason;
      }
      yield;
    }
  }

  *step(tokens, time) {
    const g = R.reduced(this.data.get("g").at(time, this.point));
    if (g.n === 0n) return tokens;
    const matrix = this.data.get("B").at(time, this.point);
    const centres = tokens.map((token) => ({ items: token.items.map((item) => this.atCentre(item)) }));
    const result = [];
    for (const [i, token] of tokens.entries()) {
      const leader = tokens[greatest(M.matrixVector(matrix, centres[i]), centres)];
      const image = M.matrixVector(matrix, token);
      for (const other of tokens) {
        const gap = M.addVectors(leader, M.scaleVector(R.integer(-1), other));
        if (gap.items.every(V.isZero)) continue;
        if (!this.point.above(M.inner(image, gap), true)) throw new Undefined("a leader that is not shown on the whole box");
      }
      result.push(M.addVectors(M.scaleVector(R.sub(R.ONE, g), token), M.scaleVector(g, leader)));
      yield;
    }
    return result;
  }

  // The value of a coordinate at the centre of the box.
  atCentre(item) {
    if (V.isRational(item)) return item;
    let result = item;
    for (const id of P.symbolsOf(item.N)) {
      const { low, high } = this.symbols.of(id);
      const { n, d } = R.mul(R.add(low, high), R.ratio(1n, 2n));
      const scale = d ** BigInt(P.degreeIn(result.N, id));
      result = V.quotient(P.substitute(result.N, id, n, d), P.scale(result.D, scale));
      if (V.isRational(result)) break;
    }
    return result;
  }
}

// The first vector with the greatest inner product.
function greatest(direction, vectors) {
  let best = 0;
  let most = null;
  vectors.forEach((vector, j) => {
    const score = M.inner(direction, vector);
    if (most === null || R.compare(score, most) > 0) [best, most] = [j, score];
  });
  return best;
}
