// The regime (section 7): from T on every token moves on a straight line to a point that rests.

import { hasKeys } from "./canonical.js";
import { LIMITS, Undefined, require } from "./limits.js";
import * as R from "./numbers.js";
import * as P from "./polynomial.js";
import { Range, quadraticAbove } from "./sign.js";
import { allValues, evaluateExpression, everywhere, readExpression } from "./sequences.js";
import { containsPower } from "./sorts.js";
import { C, T } from "./symbols.js";
import { dot, lcm } from "./trajectory.js";
import * as V from "./values.js";

const sameRow = (a, b) => a.every((n, k) => n === b[k]);
const minus = (a, b) => a.map((n, k) => n - b[k]);
const MOVING = V.fromTime({ slope: 1n, offset: 0n });

// Degree in t of the numerator minus that of the denominator, terms with e left out; null if it has none.
export function growth(value, symbols) {
  if (V.isRational(value)) return value.n === 0n ? -Infinity : 0;
  const fading = (key) => hasType(key, symbols, "e");
  const [N, D] = [value.N, value.D].map((p) => P.filtered(p, (key) => !fading(key)));
  if (P.isZero(D)) return null;
  for (const p of [N, D]) for (const id of P.symbolsOf(p)) if (id !== T) return null;
  return P.isZero(N) ? -Infinity : P.degreeIn(N, T) - P.degreeIn(D, T);
}

export function hasType(key, symbols, type) {
  return P.symbolsIn(key).some((id) => symbols.of(id).type === type);
}

export class Regime {
  constructor(plan, trajectory) {
    require(hasKeys(plan, ["T", "targets"], ["c", "tail"]), "a regime with other fields");
    require(trajectory?.native, "a regime for another system");
    this.trajectory = trajectory;
    this.symbols = trajectory.symbols;
    this.g = trajectory.data.get("g");
    this.time = R.readTime(plan.T);
    this.targets = plan.targets;
    this.closed = plan.c === undefined ? null : readExpression(plan.c);
    this.tail = plan.tail === undefined ? null : readExpression(plan.tail);
    this.products = [R.ONE];
    this.cache = { time: null, state: null };
  }

  *verify() {
    const { trajectory, time } = this;
    yield* trajectory.advance(time);
    let state;
    try {
      state = trajectory.at(time);
    } catch (error) {
      require(!(error instanceof Undefined), "the state at the start of the regime is undetermined");
      throw error;
    }
    trajectory.addWork(4 * trajectory.count ** 2 * trajectory.dimension);
    this.setTargets(state);
    this.below = allValues(this.symbols, this.g, time, (value, range) => range.above(V.sub(R.ONE, value), true));
    this.low = this.tail === null ? null : this.checkTail();
    if (this.closed !== null) this.checkClosed();
    const { positions } = this;
    if (positions.every((row) => sameRow(row, positions[0]))) return;
    require(this.below || trajectory.selection === "every", "g < 1 is not shown");
    this.checkDirections();
    yield* this.checkLeaders();
  }

  // Positions x_i and targets v_i as integers over one denominator.
  setTargets(state) {
    const { targets, trajectory } = this;
    const { rows } = state;
    require(Array.isArray(targets) && targets.length === rows.length, "not one list of targets for each token");
    for (const list of targets) {
      require(Array.isArray(list) && list.length > 0, "a token without targets");
      require(trajectory.selection !== "every" || list.length === 1, "several targets for one token");
      list.forEach((k, m) => require(Number.isInteger(k) && k > (m ? list[m - 1] : -1) && k < rows.length, "targets are not increasing"));
    }
    const members = targets.map((list) => {
      if (trajectory.selection !== "average-points") return list;
      return [...new Map(list.map((k) => [rows[k].join(), k])).values()];
    });
    const common = members.reduce((result, list) => lcm(result, BigInt(list.length)), 1n);
    this.den = state.den * common;
    this.positions = rows.map((row) => row.map((n) => n * common));
    this.ends = members.map((list) => rows[0].map((_, k) =>
      list.reduce((sum, j) => sum + rows[j][k], 0n) * (common / BigInt(list.length))));
    this.moves = this.positions.map((row, i) => minus(row, this.ends[i]));
    this.rests = this.moves.map((move) => move.every((n) => n === 0n));
    for (const list of targets) for (const k of list) require(this.rests[k], "a target does not rest");
  }

  // (i) the matrices from T on are positive multiples of the one at T
  checkDirections() {
    const sequence = this.trajectory.data.get("B");
    const values = sequence.valuesFrom(this.time);
    if (values !== null) {
      const [first] = [sequence.at(R.integer(this.time), this.trajectory.point)];
      require(values.every((matrix) => isPositiveMultiple(matrix.rows, first.rows)), "B changes its direction");
      return;
    }
    const sign = (test) => allValues(this.symbols, sequence, this.time, test);
    require(
      sign((value, range) => range.above(value, true)) || sign((value, range) => range.above(V.neg(value), true)),
      "the scale of B is not shown to keep its sign",
    );
  }

  // (ii) the leaders stay the same
  *checkLeaders() {
    const { targets, positions, ends, moves, rests, trajectory } = this;
    const matrix = trajectory.data.get("B").at(R.integer(this.time), trajectory.point);
    const image = (v) => matrix.rows.map((row) => dot(row, v));
    for (let i = 0; i < positions.length; i++) {
      const list = targets[i];
      const p = [image(ends[i]), image(moves[i])];
      const leader = positions[list[0]];
      const places = new Set(list.map((k) => positions[k].join()));
      for (const k of list) {
        const q = minus(leader, positions[k]);
        require(p.every((v) => dot(v, q) === 0n), "two targets do not stay tied");
      }
      for (let j = 0; j < positions.length; j++) {
        if (places.has(positions[j].join())) {
          require(rests[j], "a token at a target does not rest");
          require(trajectory.selection !== "average-indices" || list.includes(j), "a token at a target is not among the targets");
          continue;
        }
        const q = minus(leader, ends[j]);
        const a = dot(p[0], q);
        const b = dot(p[1], q) - dot(p[0], moves[j]);
        const d = -dot(p[1], moves[j]);
        const free = places.has(ends[j].join());
        require(this.staysAhead(a, b, d, free), "a leader is not shown to stay ahead");
      }
      yield;
    }
  }

  // a + b c + d c^2 > 0 for the values that c takes.
  staysAhead(a, b, d, free) {
    if (this.low !== null) {
      const { n, d: m } = this.low;
      const start = a * m * m + b * n * m + d * n * n;
      return start > 0n && quadraticAbove(start, (b * m + 2n * d * n) * (m - n), d * (m - n) ** 2n, true);
    }
    return quadraticAbove(a, b, d, true) && (this.below || free || a > 0n);
  }

  period(expression) {
    const powers = containsPower(expression) ? 2n : 1n;
    return Number(lcm(powers, BigInt(this.g.naturalPeriod)));
  }

  // The tail h bounds the sum of the steps that are left: c >= 1 - h(T).
  checkTail() {
    const period = this.period(this.tail);
    for (let k = 0n; k < BigInt(period); k++) {
      const range = new Range(this.symbols, { start: this.time + k, period: BigInt(period) });
      let fine = false;
      try {
        const [here, next] = [0n, 1n].map((offset) => evaluateExpression(this.tail, V.fromTime({ slope: 1n, offset }), range));
        fine = range.above(here, false) && range.above(V.sub(V.sub(here, next), this.g.at(MOVING, range)), false);
      } catch (error) {
        if (!(error instanceof Undefined)) throw error;
      }
      require(fine, "the tail is not shown to bound the steps");
    }
    const low = this.single(() => R.sub(R.ONE, evaluateExpression(this.tail, R.integer(this.time), this.trajectory.point)));
    require(R.sign(low) > 0, "the tail is too large");
    return R.reduced(low);
  }

  checkClosed() {
    const first = this.single(() => evaluateExpression(this.closed, R.integer(this.time), this.trajectory.point));
    require(R.equal(first, R.ONE), "c is not 1 at the start of the regime");
    const holds = everywhere(this.symbols, this.time, this.period(this.closed), (time, range) => {
      const here = evaluateExpression(this.closed, time, range);
      const next = evaluateExpression(this.closed, V.add(time, R.ONE), range);
      const difference = V.sub(next, V.mul(here, V.sub(R.ONE, this.g.at(time, range))));
      return V.isZero(difference);
    });
    require(holds, "c does not follow the steps");
  }

  single(evaluate) {
    try {
      return evaluate();
    } catch (error) {
      require(!(error instanceof Undefined), "an expression of the regime is undefined");
      throw error;
    }
  }

  // c at a concrete time >= T.
  contractionAt(time) {
    if (this.closed !== null) return evaluateExpression(this.closed, R.integer(time), this.trajectory.point);
    const steps = time - this.time;
    require(steps <= BigInt(LIMITS.contraction), "too many steps of a contraction without a closed form");
    while (this.products.length <= steps) {
      const at = this.time + BigInt(this.products.length - 1);
      const g = R.reduced(this.g.at(R.integer(at), this.trajectory.point));
      const last = this.products.at(-1);
      const [p, q] = [g.d - g.n, g.d];
      const [a, b] = [R.gcd(last.n, q), R.gcd(p, last.d)];
      const [n, d] = [(last.n / a) * (p / b), (last.d / b) * (q / a)];
      this.products.push({ n: R.checkedSize(n), d: R.checkedSize(d) });
    }
    return this.products[Number(steps)];
  }

  // The state at a concrete time >= T.
  stateAt(time) {
    if (this.cache.time !== time) {
      const c = R.reduced(this.contractionAt(time));
      const rows = this.ends.map((end, i) => end.map((n, k) => R.checkedSize(n * c.d + this.moves[i][k] * c.n)));
      this.cache = { time, state: { rows, den: R.checkedSize(this.den * c.d) } };
    }
    return this.cache.state;
  }

  // Times on a range that begins before T, or reaches back behind it, are not covered.
  checkCovered(offset, range) {
    if (range.start < this.time || range.start + offset < this.time) throw new Undefined("a time before the regime");
  }

  // c at t + offset on a range.
  symbolicContraction(offset, range) {
    this.checkCovered(offset, range);
    if (this.closed !== null) return evaluateExpression(this.closed, V.fromTime({ slope: 1n, offset }), range);
    if (offset < 0n) throw new Undefined("no contraction for an earlier time");
    if (offset > 1000n) throw new Undefined("too many factors of a contraction");
    if (this.contractionAt(range.start).n === 0n) return R.ZERO;
    let c = V.fromSymbol(C);
    for (let k = 0n; k < offset; k++) c = V.mul(c, V.sub(R.ONE, this.g.at(V.fromTime({ slope: 1n, offset: k }), range)));
    return c;
  }

  symbolicPosition(i, offset, range) {
    const { den, ends, moves } = this;
    if (this.rests[i]) {
      this.checkCovered(offset, range);
      return { nums: ends[i], den };
    }
    const c = this.symbolicContraction(offset, range);
    return { items: ends[i].map((n, k) => V.add(R.ratio(n, den), V.mul(c, R.ratio(moves[i][k], den)))) };
  }

  // What a range of the evaluation has to know of c.
  contractionFrom(start) {
    return { top: () => this.contractionAt(start), mayVanish: !this.below };
  }

  // How c behaves for large t: geometric, slow, vanishing, positive, or null.
  kind(start) {
    const values = this.g.kind === "list" ? [this.g.values.at(-1)] : this.g.expression ? null : this.g.values;
    if (values !== null) {
      if (values.some((value) => value.n > 0n)) return "geometric";
      return this.below ? "positive" : null;
    }
    const period = BigInt(this.g.naturalPeriod);
    const rates = [];
    for (let k = 0n; k < period; k++) {
      const range = new Range(this.symbols, { start: start + k, period });
      const rate = growth(this.g.at(MOVING, range), this.symbols);
      if (rate === null) return null;
      rates.push(rate);
    }
    const fastest = Math.max(...rates);
    if (fastest >= 0) return "geometric";
    if (fastest === -1) return this.below ? "slow" : "vanishing";
    return this.below ? "positive" : null;
  }
}

function isPositiveMultiple(rows, other) {
  let ratio = null;
  for (let i = 0; i < rows.length; i++) {
    for (let j = 0; j < rows.length; j++) {
      const [a, b] = [rows[i][j], other[i][j]];
      if ((a === 0n) !== (b === 0n)) return false;
      if (a === 0n) continue;
      if (ratio === null) ratio = [a, b];
      if (a * ratio[1] !== b * ratio[0]) return false;
    }
  }
  return ratio === null || ratio[0] > 0n === ratio[1] > 0n;
}
