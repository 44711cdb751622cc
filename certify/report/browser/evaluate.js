// Evaluation (section 6) of terms and formulas, at concrete times or on a range.

import { LIMITS, NeedState, Undefined, require } from "./limits.js";
import * as M from "./tensors.js";
import * as R from "./numbers.js";
import * as P from "./polynomial.js";
import { Range } from "./sign.js";
import { ATOMS, LIMIT_ATOMS } from "./sorts.js";
import { Sequence } from "./sequences.js";
import { isSymmetric } from "./theories.js";
import * as V from "./values.js";

export const TRUE = 1;
export const FALSE = 0;
export const UNDECIDED = 2;

export const opposite = (a) => (a === UNDECIDED ? UNDECIDED : 1 - a);
export const both = (a, b) => (a === FALSE || b === FALSE ? FALSE : a === TRUE && b === TRUE ? TRUE : UNDECIDED);

// Bounds of an irrational root agree in about this many leading bits.
const ROOT_BITS = 256;

export class Evaluator {
  // plans: decides quantifiers over unbounded time and limits; the rest is the data of the instance.
  constructor({ data, dimension, trajectory, lemmas, symbols, plans, counter }) {
    Object.assign(this, { data, dimension, trajectory, lemmas, symbols, plans, counter });
    this.point = new Range(symbols, { start: 0n, steps: 0n });
    this.range = this.point;
    this.regime = null;
    this.atoms = 0;
    this.insideSets = 0;
    this.insideRanges = 0;
    this.ticks = 0;
  }

  get mayPlan() {
    return this.range === this.point && this.insideRanges === 0;
  }

  count(amount = 1) {
    this.counter.total += amount;
    require(this.counter.total <= LIMITS.count, "too many atoms, bound values and pairs");
  }

  // ---- formulas ----

  *truth(node, env) {
    const { op, args } = node;
    if (ATOMS.has(op)) return yield* this.atom(node, env);
    switch (op) {
      case "not":
        return opposite(yield* this.truth(args[0], env));
      case "and": {
        const left = yield* this.truth(args[0], env);
        return left === FALSE ? FALSE : both(left, yield* this.truth(args[1], env));
      }
      case "or": {
        const left = opposite(yield* this.truth(args[0], env));
        return left === FALSE ? TRUE : opposite(both(left, opposite(yield* this.truth(args[1], env))));
      }
      case "implies": {
        const left = yield* this.truth(args[0], env);
        return left === FALSE ? TRUE : opposite(both(left, opposite(yield* this.truth(args[1], env))));
      }
      case "iff": {
        const left = yield* this.truth(args[0], env);
        const right = yield* this.truth(args[1], env);
        if (left === UNDECIDED || right === UNDECIDED) return UNDECIDED;
        return left === right ? TRUE : FALSE;
      }
      case "use": {
        const inner = yield* this.attempt(() => this.callEnvironment(node, env));
        return inner === null ? UNDECIDED : yield* this.truth(node.definition.body, inner);
      }
      case "forall":
      case "exists":
        if (node.time === null) return yield* this.block(node, node.binders, env, null);
        if (!this.mayPlan || node.path === null) return UNDECIDED;
        return yield* this.plans.quantifier(node, env);
      default:
        require(LIMIT_ATOMS.has(op), `unknown formula ${op}`);
        this.countAtom();
        if (!this.mayPlan || node.path === null) return UNDECIDED;
        return yield* this.plans.limit(node, env);
    }
  }

  countAtom() {
    this.count();
    if (this.insideSets === 0) this.atoms++;
  }

  *atom(node, env) {
    this.countAtom();
    if ((++this.ticks & 127) === 0) yield;
    const result = yield* this.attempt(() => this.decide(node, env));
    return result === null ? UNDECIDED : result;
  }

  // What a function gives, with the states that it needs computed in slices; null where it is undefined.
  *attempt(evaluate) {
    for (;;) {
      const { insideSets } = this;
      const { total } = this.counter;
      try {
        return evaluate();
      } catch (error) {
        if (error instanceof Undefined) {
          this.insideSets = insideSets;
          return null;
        }
        if (!(error instanceof NeedState)) throw error;
        this.counter.total = total;
        this.insideSets = insideSets;
        yield* this.trajectory.advance(error.time);
      }
    }
  }

  // A block of binders from left to right. info, if given, learns where it was decided and whether anything before was not.
  *block(node, binders, env, info) {
    if (binders.length === 0) {
      const result = yield* this.truth(node.body, env);
      if (info !== null) {
        if (result === UNDECIDED) info.undecided = true;
        else if (result === (node.op === "forall" ? FALSE : TRUE)) info.values = new Map(env);
      }
      return result;
    }
    const [binder, ...rest] = binders;
    const decisive = node.op === "forall" ? FALSE : TRUE;
    const domain = yield* this.attempt(() => this.domain(binder, env));
    if (domain === null || (domain.moving && this.dependsOnTime(node, rest, binder.name, env))) {
      if (info !== null) info.undecided = true;
      return UNDECIDED;
    }
    let result = opposite(decisive);
    const inner = new Map(env);
    const run = (value) => {
      this.count();
      inner.set(binder.name, value);
      return this.block(node, rest, inner, info);
    };
    if (domain.moving) return yield* this.movingRange(domain, decisive, run);
    for (const value of domain.values()) {
      const one = yield* run(value);
      if (one === decisive) return decisive;
      if (one === UNDECIDED) result = UNDECIDED;
    }
    return result;
  }

  // s from a to t + m on a range, the body not depending on t.
  *movingRange({ low, offset }, decisive, run) {
    const { start, period } = this.range;
    checkCount(low, start + offset);
    for (let s = low; s <= start + offset; s++) {
      const one = yield* this.concretely(run(R.integer(s)));
      if (one !== opposite(decisive)) return one;
    }
    if (period !== 1n) return UNDECIDED;
    const rest = yield* run(V.fromTime({ slope: 1n, offset: 0n }));
    return rest === opposite(decisive) ? rest : UNDECIDED;
  }

  // Runs a generator with the evaluation at concrete times, plans left out.
  *concretely(generator) {
    const before = this.range;
    this.range = this.point;
    this.insideRanges++;
    const result = yield* generator;
    this.insideRanges--;
    this.range = before;
    return result;
  }

  // The values of a binder, in order.
  domain(binder, env) {
    if (binder.sort === "token") {
      const tokens = binder.bounds.length ? this.term(binder.bounds[0], env) : this.allTokens();
      return { values: () => tokens };
    }
    const bounds = binder.bounds.map((bound) => V.linearTime(this.term(bound, env)));
    if (bounds.includes(null)) throw new Undefined("a bound that is not a time");
    const [low, high] = binder.word === "in" ? bounds : [{ slope: 0n, offset: 0n }, bounds[0]];
    if (low.slope !== 0n) throw new Undefined("a range that begins at a moving time");
    if (high.slope !== 0n) {
      if (high.slope !== 1n || high.offset > 0n || high.offset < -1n) throw new Undefined("a range that ends at a moving time");
      if (low.offset < 0n) throw new Undefined("a negative time");
      return { moving: true, low: low.offset, offset: high.offset };
    }
    if (low.offset < 0n) throw new Undefined("a negative time");
    checkCount(low.offset, high.offset);
    return { values: () => timesBetween(low.offset, high.offset) };
  }

  dependsOnTime(node, binders, name, env) {
    const names = new Set();
    const inner = new Set([name]);
    for (const binder of binders) {
      for (const bound of binder.bounds) this.collectFree(bound, inner, names);
      inner.add(binder.name);
    }
    this.collectFree(node.body, inner, names);
    for (const free of names) if (env.has(free) && isMoving(env.get(free))) return true;
    return false;
  }

  collectFree(node, bound, names) {
    if (node.op === "var") {
      if (!bound.has(node.name)) names.add(node.name);
      return;
    }
    const inner = new Set(bound);
    for (const binder of node.binders ?? (node.binder ? [node.binder] : [])) {
      for (const item of binder.bounds) this.collectFree(item, inner, names);
      inner.add(binder.name);
    }
    if (LIMIT_ATOMS.has(node.op)) inner.add(node.name);
    for (const item of [...(node.args ?? []), ...(node.indices ?? []), ...(node.values ?? []), ...(node.body ? [node.body] : [])]) {
      this.collectFree(item, inner, names);
    }
  }

  // ---- atoms ----

  decide(node, env) {
    const { op, args } = node;
    switch (op) {
      case "le":
      case "lt":
        return this.less(this.term(args[0], env), this.term(args[1], env), op === "lt");
      case "ge":
      case "gt": {
        const left = this.term(args[0], env);
        return this.less(this.term(args[1], env), left, op === "gt");
      }
      case "eq":
        return this.same(node.of, this.term(args[0], env), this.term(args[1], env));
      case "ne":
        return opposite(this.same(node.of, this.term(args[0], env), this.term(args[1], env)));
      case "in": {
        const left = this.term(args[0], env);
        const right = this.term(args[1], env);
        if (node.of === "token") return right.includes(left) ? TRUE : FALSE;
        return node.of === "region" ? this.inRegion(left, right) : this.inHull(left, right);
      }
      case "subset": {
        const left = this.term(args[0], env);
        const right = this.term(args[1], env);
        return node.of === "region" ? this.cellSubset(left, right) : this.subset(left, right);
      }
      case "edge":
        return this.edge(this.term(args[0], env), this.term(args[1], env), this.term(args[2], env));
      default:
        return this.definite(op, this.term(args[0], env));
    }
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
    if (V.isRoot(a) ? this.hasBounds(b) : V.isRoot(b) && this.hasBounds(a)) return this.less(this.plain(a), this.plain(b), strict);
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

  hasBounds(a) {
    if (V.isRational(a)) return false;
    return [a.N, a.D].some((p) => [...P.symbolsOf(p)].some((id) => this.symbols.of(id).type === "b"));
  }

  same(sort, a, b) {
    if (sort === "scalar") return this.sameNumber(a, b);
    if (sort === "token") return a === b ? TRUE : FALSE;
    if (sort === "region") return this.sameCells(a, b);
    const difference = sort === "vector" ? this.subtract("vector", a, b) : M.addMatrices(a, M.scaleMatrix(R.integer(-1), b));
    if (difference.zero) return TRUE;
    if (difference.nums) return difference.nums.every((n) => n === 0n) ? TRUE : FALSE;
    if (difference.rows) return difference.rows.every((row) => row.every((n) => n === 0n)) ? TRUE : FALSE;
    return difference.items.flat().reduce((result, item) => both(result, this.sameNumber(item, R.ZERO)), TRUE);
  }

  sameNumber(a, b) {
    if (V.isRational(a) && V.isRational(b)) return R.equal(a, b) ? TRUE : FALSE;
    if (V.isRoot(a) && V.isRoot(b)) return this.sameNumber(a.root, b.root);
    if (V.isRoot(b)) return this.sameNumber(b, a);
    if (V.isRoot(a) && this.hasBounds(b)) return this.sameNumber(this.plain(a), b);
    if (V.isRoot(a)) {
      if (this.above(V.neg(b), true)) return FALSE;
      const squares = this.sameNumber(a.root, V.mul(b, b));
      return squares === TRUE && !this.above(b, false) ? UNDECIDED : squares;
    }
    const difference = V.sub(a, b);
    if (V.isZero(difference)) return TRUE;
    return this.above(difference, true) || this.above(V.neg(difference), true) ? FALSE : UNDECIDED;
  }

  // The axiom: with step sizes in [0,1] tokens stay in the hull of earlier ones.
  staysInside(later, earlier) {
    if (!this.trajectory.native) return false;
    if (later.slope === earlier.slope) return later.offset >= earlier.offset;
    return earlier.slope === 0n && this.range.start + later.offset >= earlier.offset;
  }

  inHull(vector, body) {
    if (vector.state && body.time && this.staysInside(vector.state.time, body.time)) return TRUE;
    return this.asksHull(this.force(vector), this.pointsThatRest(body));
  }

  // A constant point against the points of a hull that are constant.
  asksHull(vector, { points, complete }) {
    const point = this.constantVector(vector, points.rows[0].length);
    if (this.lemmas.ask("in_hull", point, points).value) return TRUE;
    return complete ? FALSE : UNDECIDED;
  }

  subset(inner, outer) {
    if (inner.time && outer.time && this.staysInside(inner.time, outer.time)) return TRUE;
    const hull = this.pointsThatRest(outer);
    return this.pointsOf(inner).reduce((result, point) => both(result, this.asksHull(point, hull)), TRUE);
  }

  // The points of a cloud or hull as vectors.
  pointsOf(body) {
    if (!body.time) return body.points.rows.map((nums) => ({ nums, den: body.points.den }));
    return this.allTokens().map((i) => this.position(i, body.time));
  }

  // Those of them that are constant, as integer rows over one denominator; are they all?
  pointsThatRest(body) {
    if (!body.time) return { points: body.points, complete: true };
    const { slope, offset } = body.time;
    const known = this.range.trap === null || offset <= this.range.trap.time;
    if (slope === 0n && known) return { points: this.stateAt(offset), complete: true };
    const all = this.pointsOf(body).map(M.vectorItems);
    const constant = all.filter((items) => items.every((item) => V.constantOf(item) !== null));
    if (constant.length === 0) throw new Undefined("a hull that moves");
    return { points: M.constantRows(constant), complete: constant.length === all.length };
  }

  // ---- polytopes; everything must be constant, except as said ----

  constantVector(vector, size) {
    const forced = this.force(vector);
    if (forced.zero) return { nums: new Array(size).fill(0n), den: 1n };
    sameSize(M.widthOf(forced), size);
    if (forced.nums) return forced;
    const constant = M.constantRows([forced.items]);
    if (constant === null) throw new Undefined("a vector that moves");
    return { nums: constant.rows[0], den: constant.den };
  }

  constantMatrix(matrix, size) {
    if (matrix.zero) return M.zeroMatrix(size);
    sameSize(M.widthOf(matrix), size);
    const constant = matrix.rows ? matrix : M.constantRows(matrix.items);
    if (constant === null) throw new Undefined("a matrix that moves");
    return constant;
  }

  constantPoints(body) {
    const { points, complete } = this.pointsThatRest(body);
    if (!complete) throw new Undefined("points that move");
    return points;
  }

  edge(first, second, body) {
    const points = this.constantPoints(body);
    const ends = [first, second].map((end) => this.constantVector(end, points.rows[0].length));
    const among = ({ nums, den }) => points.rows.some((row) => row.every((n, k) => n * den === nums[k] * points.den));
    if (!ends.every(among)) return UNDECIDED;
    return this.lemmas.ask("edge", ...ends, points).value ? TRUE : FALSE;
  }

  lowest(direction, cloud) {
    const points = this.constantPoints(cloud);
    const { nums } = this.constantVector(direction, points.rows[0].length);
    const values = points.rows.map((row) => row.reduce((sum, n, k) => sum + n * nums[k], 0n));
    const least = values.reduce((a, b) => (a < b ? a : b));
    return this.allIndices(points).filter((j) => values[j] === least);
  }

  allIndices(points) {
    return points.rows.map((_, j) => j);
  }

  support(direction, body) {
    const vector = this.force(direction);
    return this.pointsOf(body).map((point) => M.inner(vector, point)).reduce((a, b) => this.better(a, b, -1));
  }

  nearest(vector, matrix, body) {
    const points = this.constantPoints(body);
    const size = points.rows[0].length;
    const point = this.constantVector(vector, size);
    const metric = this.constantMatrix(matrix, size);
    if (!this.lemmas.ask("pd", metric).value) throw new Undefined("a matrix that is not positive definite");
    return this.lemmas.ask("nearest", metric, point, points).value;
  }

  // The least <Mu, u>/2 + <w, u> over a hull.
  leastOver(matrix, vector, body) {
    const { points, complete } = this.pointsThatRest(body);
    const size = points.rows[0].length;
    const w = this.constantVector(vector, size);
    const { fixed, f, shape } = this.shaped(matrix.zero ? M.zeroMatrix(size) : matrix);
    if (!fixed && (shape === null || w.nums.some((n) => n !== 0n) || !this.above(f, false))) throw new Undefined("a matrix that moves");
    const constant = fixed ?? shape;
    sameSize(M.widthOf(constant), size);
    if (!this.lemmas.ask("psd", constant).value) throw new Undefined("a matrix that is not positive semidefinite");
    const high = this.lemmas.ask("least_over_hull", constant, w, points);
    let value = high.value;
    if (!complete) {
      const { offset } = body.time;
      if (!this.trajectory.native || this.range.trap !== null) throw new Undefined("a hull that moves");
      const low = this.lemmas.ask("least_over_hull", constant, w, this.stateAt(this.range.start + offset));
      if (!R.equal(low.value, high.value)) {
        const key = `least ${low.address} ${high.address} ${this.range.start} ${offset}`;
        value = V.fromSymbol(this.symbols.between(key, low.value, high.value));
      }
    }
    return fixed ? value : V.mul(f, value);
  }

  // A cell as the points of its hull and half-spaces <N_j, u> >= c_j.
  cell({ kind, matrix, vector, body }) {
    const points = this.constantPoints(body);
    const size = points.rows[0].length;
    const v = this.constantVector(vector, size);
    const b = this.constantMatrix(matrix, size);
    const metric = kind === "cell" ? M.transpose(b) : M.addMatrices(b, M.transpose(b));
    const normals = [];
    const levels = [];
    for (const nums of points.rows) {
      const x = { nums, den: points.den };
      const normal = M.matrixVector(metric, M.addVectors(v, M.scaleVector(R.integer(-1), x)));
      normals.push(M.vectorItems(normal));
      const form = (u) => M.inner(M.matrixVector(b, u), u);
      levels.push(kind === "cell" ? R.ZERO : R.sub(form(v), form(x)));
    }
    const constants = M.constantRows([levels]);
    return { points, normals: M.constantRows(normals), levels: { nums: constants.rows[0], den: constants.den } };
  }

  inRegion(vector, region) {
    if (region.kind === "interior" || region.kind === "relint") {
      const points = this.constantPoints(region.body);
      const point = this.constantVector(vector, points.rows[0].length);
      return this.lemmas.ask(region.kind === "interior" ? "interior" : "relative_interior", point, points).value ? TRUE : FALSE;
    }
    const { points, normals, levels } = this.cell(region);
    const point = this.constantVector(vector, points.rows[0].length);
    for (let k = 0; k < normals.rows.length; k++) {
      const left = { n: normals.rows[k].reduce((sum, n, m) => sum + n * point.nums[m], 0n), d: normals.den * point.den };
      if (R.compare(left, { n: levels.nums[k], d: levels.den }) < 0) return FALSE;
    }
    return this.lemmas.ask("in_hull", point, points).value ? TRUE : FALSE;
  }

  // Two cells over equal lists of points, or undefined.
  cells(left, right) {
    if (![left, right].every(({ kind }) => kind === "cell" || kind === "voronoi")) throw new Undefined("not cells");
    const [a, b] = [this.cell(left), this.cell(right)];
    const equal = a.points.rows.length === b.points.rows.length && a.points.rows.every((row, j) =>
      row.length === b.points.rows[j].length && row.every((n, k) => n * b.points.den === b.points.rows[j][k] * a.points.den));
    if (!equal) throw new Undefined("cells over different points");
    return [a, b];
  }

  asksCells(a, b) {
    return this.lemmas.ask("cell_subset", a.points, a.normals, a.levels, b.normals, b.levels).value;
  }

  cellSubset(left, right) {
    return this.asksCells(...this.cells(left, right)) ? TRUE : FALSE;
  }

  sameCells(left, right) {
    const [a, b] = this.cells(left, right);
    return this.asksCells(a, b) && this.asksCells(b, a) ? TRUE : FALSE;
  }

  definite(op, matrix) {
    if (matrix.zero) return op === "psd" ? TRUE : FALSE;
    const { fixed, f, shape } = this.shaped(matrix);
    if (fixed) return this.lemmas.ask(op, fixed).value ? TRUE : FALSE;
    if (shape === null) return UNDECIDED;
    if (this.above(V.neg(f), true)) return FALSE;
    if (this.lemmas.ask(op, shape).value) return this.above(f, op === "pd") ? TRUE : UNDECIDED;
    return this.above(f, true) ? FALSE : UNDECIDED;
  }

  // A constant matrix, or f times a constant one with f its first nonzero diagonal entry.
  shaped(matrix) {
    if (matrix.zero) return { fixed: M.zeroMatrix(this.knownDimension()) };
    if (matrix.rows) return { fixed: matrix };
    const fixed = M.constantRows(matrix.items);
    if (fixed !== null) return { fixed };
    const f = matrix.items.map((row, k) => row[k]).find((item) => !V.isZero(item));
    if (f === undefined) return { f: null, shape: null };
    const [top, bottom] = V.isRational(f) ? [P.constant(f.n), P.constant(f.d)] : [f.N, f.D];
    const shape = M.constantRows(matrix.items.map((row) => row.map((item) => V.mul(item, V.quotient(bottom, top)))), V.ratioOf);
    return { f, shape };
  }

  // ---- terms ----

  term(node, env) {
    const { op, args } = node;
    const number = (k) => this.plain(this.term(args[k], env));
    switch (op) {
      case "num":
        return node.value;
      case "zero":
        return M.ZERO;
      case "var":
        return env.get(node.name);
      case "data":
        return this.readData(node, env);
      case "state":
        return this.readState(node, env);
      case "use":
        return this.term(node.definition.body, this.callEnvironment(node, env));
      case "neg":
        if (node.sort === "vector") return M.scaleVector(R.integer(-1), this.vector(args[0], env));
        if (node.sort === "matrix") return M.scaleMatrix(R.integer(-1), this.term(args[0], env));
        return V.neg(number(0));
      case "add":
      case "sub":
        return this.sum(node, env);
      case "mul":
        return this.product(node, env);
      case "div":
        return this.quotient(node, env);
      case "pow":
        return this.power(this.term(args[0], env), this.plain(this.term(args[1], env)));
      case "inner":
        return M.inner(this.vector(args[0], env), this.vector(args[1], env));
      case "norm": {
        const vector = this.vector(args[0], env);
        return { root: M.inner(vector, vector) };
      }
      case "sqrt":
        return this.root(number(0));
      case "abs":
        return this.absolute(this.term(args[0], env));
      case "min":
        return this.better(this.term(args[0], env), this.term(args[1], env), 1);
      case "max":
        return this.better(this.term(args[0], env), this.term(args[1], env), -1);
      case "transpose":
        return M.transpose(this.term(args[0], env));
      case "trace":
        return M.trace(this.term(args[0], env));
      case "lambda_max":
        return this.largestEigenvalue(this.term(args[0], env));
      case "diam":
        return this.diameter(this.term(args[0], env));
      case "card":
        return R.integer(this.term(args[0], env).length);
      case "hull":
        return this.term(args[0], env);
      case "vertices":
        return this.lemmas.ask("vertices", this.constantPoints(this.term(args[0], env))).value;
      case "lmo":
        return this.lowest(this.term(args[0], env), this.term(args[1], env));
      case "support":
        return this.support(this.term(args[0], env), this.term(args[1], env));
      case "nearest":
        return this.nearest(this.term(args[0], env), this.term(args[1], env), this.term(args[2], env));
      case "min_over":
        return this.leastOver(this.term(args[0], env), this.term(args[1], env), this.term(args[2], env));
      case "interior":
      case "relint":
        return { kind: op, body: this.term(args[0], env) };
      case "cell":
      case "voronoi":
        return { kind: op, matrix: this.term(args[0], env), vector: this.term(args[1], env), body: this.term(args[2], env) };
      case "identity":
        return M.identity(this.knownDimension());
      case "token_count":
        return R.integer(this.allTokens().length);
      case "dimension":
        return R.integer(this.knownDimension());
      case "tokens":
        return this.allTokens();
      case "argmax":
      case "argmin":
        return this.leaders(node, env);
      case "set":
        return this.builder(node, env);
      case "pick":
        return this.pick(this.term(args[0], env));
      default:
        return this.fold(node, env);
    }
  }

  // The value of a term without names, as the verdict of a claim that asks for it.
  written(node) {
    const value = this.term(node, new Map());
    const number = (item) => {
      const constant = V.isRoot(item) ? null : V.constantOf(item);
      if (constant !== null) return R.writeExact(constant);
      const root = V.isRoot(item) ? V.constantOf(item.root) : null;
      if (root === null) throw new Undefined("a number known only by bounds");
      const exact = this.plain(item);
      return V.isRational(exact) ? R.writeExact(exact) : { sqrt: R.writeExact(root) };
    };
    if (node.sort === "tokens") return [...value];
    if (node.sort === "vector") return M.vectorItems(this.sized(this.force(value))).map(number);
    if (node.sort === "matrix") return M.matrixItems(value.zero ? M.zeroMatrix(this.knownDimension()) : value).map((row) => row.map(number));
    return number(value);
  }

  sized(vector) {
    return vector.zero ? { nums: new Array(this.knownDimension()).fill(0n), den: 1n } : vector;
  }

  vector(node, env) {
    return this.force(this.term(node, env));
  }

  allTokens() {
    this.tokens ??= Array.from({ length: this.trajectory?.count ?? 0 }, (_, i) => i);
    return this.tokens;
  }

  knownDimension() {
    if (this.dimension === null) throw new Undefined("there is no dimension");
    return this.dimension;
  }

  callEnvironment(node, env) {
    const { definition, values } = node;
    const inner = new Map();
    [...definition.indices, ...definition.args].forEach((name, k) => {
      const value = this.term(values[k], env);
      if (/^[rst]/.test(name)) V.indexTime(value, this.range); // an index that is a time is nowhere negative
      inner.set(name, value);
    });
    return inner;
  }

  readData(node, env) {
    const entry = this.data.get(node.name);
    if (node.sort === "cloud") return { points: entry };
    if (!(entry instanceof Sequence)) return entry;
    return entry.at(node.indices.length ? this.term(node.indices[0], env) : R.ZERO, this.range);
  }

  readState(node, env) {
    const time = V.indexTime(this.term(node.indices.at(-1), env), this.range);
    if (node.sort === "cloud") return { time };
    return { state: { token: this.term(node.indices[0], env), time } };
  }

  force(vector) {
    return vector.state ? this.position(vector.state.token, vector.state.time) : vector;
  }

  stateAt(time) {
    return this.regime !== null && time > this.regime.time ? this.regime.stateAt(time) : this.trajectory.at(time);
  }

  position(token, time) {
    if (token >= this.trajectory.count) throw new Undefined("an index beyond the tokens");
    const { trap, start } = this.range;
    const moving = time.slope !== 0n;
    if (trap !== null && (moving || time.offset > trap.time)) {
      if (moving && start + time.offset < trap.time) throw new Undefined("a time before the trap");
      const point = `${trap.time} ${token} ${time.slope} ${time.offset}`;
      return { items: trap.vertices[0].map((_, k) => V.fromSymbol(this.symbols.unknown(point, k))) };
    }
    if (moving) {
      if (this.regime === null) throw new Undefined("tokens at a moving time");
      return this.regime.symbolicPosition(token, time.offset, this.range);
    }
    const { rows, den } = this.stateAt(time.offset);
    return { nums: rows[token], den };
  }

  subtract(sort, a, b) {
    if (sort === "vector") return M.addVectors(this.force(a), M.scaleVector(R.integer(-1), this.force(b)));
    return M.addMatrices(a, M.scaleMatrix(R.integer(-1), b));
  }

  sum(node, env) {
    const [a, b] = [this.term(node.args[0], env), this.term(node.args[1], env)];
    const plus = node.op === "add";
    if (node.sort === "vector") return plus ? M.addVectors(this.force(a), this.force(b)) : this.subtract("vector", a, b);
    if (node.sort === "matrix") return plus ? M.addMatrices(a, b) : this.subtract("matrix", a, b);
    return plus ? V.add(this.plain(a), this.plain(b)) : V.sub(this.plain(a), this.plain(b));
  }

  product(node, env) {
    const [left, right] = node.args;
    const a = this.term(left, env);
    const b = this.term(right, env);
    if (left.sort === "matrix") return right.sort === "matrix" ? M.matrixMatrix(a, b) : M.matrixVector(a, this.force(b));
    if (right.sort === "vector") return M.scaleVector(this.plain(a), this.force(b));
    if (right.sort === "matrix") return M.scaleMatrix(this.plain(a), b);
    if (V.isRoot(a) && V.isRoot(b) && this.sameNumber(a.root, b.root) === TRUE) return a.root;
    return V.mul(this.plain(a), this.plain(b));
  }

  quotient(node, env) {
    const a = this.term(node.args[0], env);
    const b = this.plain(this.term(node.args[1], env));
    if (node.sort === "vector") return M.scaleVector(V.div(R.ONE, b, this.range), this.force(a));
    if (node.sort === "matrix") return M.scaleMatrix(V.div(R.ONE, b, this.range), a);
    return V.div(this.plain(a), b, this.range);
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

  // Roots are compared by their squares, but not where they move.
  still(value) {
    if (V.isRoot(value) && V.constantOf(value.root) === null) throw new Undefined("a root that moves");
    return value;
  }

  absolute(value) {
    if (V.isRoot(this.still(value))) return value;
    if (this.above(value, false)) return value;
    if (this.above(V.neg(value), false)) return V.neg(value);
    throw new Undefined("an absolute value of a number whose sign is not shown");
  }

  // The smaller (sign 1) or larger (sign -1) of two numbers.
  better(a, b, sign) {
    this.still(a);
    this.still(b);
    const order = sign > 0 ? this.less(a, b, false) : this.less(b, a, false);
    if (order === TRUE) return a;
    if (order === FALSE) return b;
    if ((sign > 0 ? this.less(b, a, false) : this.less(a, b, false)) === TRUE) return b;
    throw new Undefined("numbers whose order is not shown");
  }

  largestEigenvalue(matrix) {
    const { fixed, f, shape } = this.shaped(matrix);
    if (!fixed && (shape === null || !this.above(f, false))) throw new Undefined("the largest eigenvalue of a matrix that moves");
    const constant = fixed ?? shape;
    if (!isSymmetric(constant)) throw new Undefined("the largest eigenvalue of a matrix that is not symmetric");
    const { address, value } = this.lemmas.ask("lambda_max", constant);
    const number = R.equal(value.low, value.high) ? value.low : V.fromSymbol(this.symbols.between(address, value.low, value.high));
    return fixed ? number : V.mul(f, number);
  }

  diameter(body) {
    const vectors = this.pointsOf(body);
    this.count((vectors.length * (vectors.length - 1)) / 2);
    if (vectors.every((v) => v.nums)) {
      let best = R.ZERO;
      for (let i = 0; i < vectors.length; i++) {
        for (let j = 0; j < i; j++) {
          const [a, b] = [vectors[i], vectors[j]];
          let sum = 0n;
          if (a.den === b.den) for (let k = 0; k < a.nums.length; k++) sum += (a.nums[k] - b.nums[k]) ** 2n;
          const square = a.den === b.den ? { n: sum, d: a.den * a.den } : squared(M.addVectors(a, M.scaleVector(R.integer(-1), b)));
          if (R.compare(square, best) > 0) best = square;
        }
      }
      R.checkedSize(best.n);
      return { root: best };
    }
    let best = R.ZERO;
    for (let i = 0; i < vectors.length; i++) {
      for (let j = 0; j < i; j++) best = this.better(best, squared(M.addVectors(vectors[i], M.scaleVector(R.integer(-1), vectors[j]))), -1);
    }
    return { root: best };
  }

  // Calls visit with the environment of each value of a binder.
  overBinder(binder, env, visit) {
    const domain = this.domain(binder, env);
    if (domain.moving) throw new Undefined("a range that ends at a moving time");
    const inner = new Map(env);
    for (const value of domain.values()) {
      this.count();
      inner.set(binder.name, value);
      visit(inner, value);
    }
  }

  leaders(node, env) {
    const sign = node.op === "argmin" ? 1 : -1;
    let best = null;
    let result = [];
    this.overBinder(node.binder, env, (inner, token) => {
      const value = this.term(node.body, inner);
      if (best === null) {
        [best, result] = [value, [token]];
        return;
      }
      if (this.sameNumber(value, best) === TRUE) {
        result.push(token);
        return;
      }
      const ahead = sign > 0 ? this.less(value, best, true) : this.less(best, value, true);
      if (ahead === UNDECIDED) throw new Undefined("numbers whose order is not shown");
      if (ahead === TRUE) [best, result] = [value, [token]];
      else if ((sign > 0 ? this.less(best, value, true) : this.less(value, best, true)) !== TRUE) {
        throw new Undefined("numbers whose order is not shown");
      }
    });
    if (best === null) throw new Undefined(`${node.op} over nothing`);
    return result;
  }

  builder(node, env) {
    const result = [];
    this.insideSets++;
    this.overBinder(node.binder, env, (inner, token) => {
      const one = drained(this.truth(node.body, inner));
      if (one === UNDECIDED) throw new Undefined("a set whose members are not all decided");
      if (one === TRUE) result.push(token);
    });
    this.insideSets--;
    return result;
  }

  // prod r in a..t - 1: (1 - g[r]) in a regime: the product before T times c; null if the term is another.
  remainingProduct(node, env) {
    const { binder, body, op } = node;
    if (op !== "prod" || binder.word !== "in" || this.regime === null || this.range === this.point) return null;
    const written = body.op === "sub" && body.args[0].op === "num" && R.equal(body.args[0].value, R.ONE) && body.args[1].op === "data" &&
      body.args[1].name === "g" && body.args[1].indices[0].op === "var" && body.args[1].indices[0].name === binder.name;
    if (!written) return null;
    const [low, high] = binder.bounds.map((bound) => V.linearTime(this.term(bound, env)));
    if (low === null || high === null || low.slope !== 0n || high.slope !== 1n || high.offset !== -1n) return null;
    if (low.offset < 0n || low.offset > this.regime.time) return null;
    let before = R.ONE;
    for (let r = low.offset; r < this.regime.time; r++) {
      this.count();
      before = R.mul(before, R.sub(R.ONE, this.data.get("g").at(R.integer(r), this.point)));
    }
    return V.mul(before, this.regime.symbolicContraction(0n, this.range));
  }

  fold(node, env) {
    const product = this.remainingProduct(node, env);
    if (product !== null) return product;
    let result = null;
    let count = 0;
    this.overBinder(node.binder, env, (inner) => {
      const value = this.term(node.body, inner);
      count++;
      if (result === null) result = node.sort === "vector" ? this.force(value) : value;
      else if (node.op === "least" || node.op === "greatest") result = this.better(result, value, node.op === "least" ? 1 : -1);
      else if (node.op === "prod") result = V.mul(this.plain(result), this.plain(value));
      else if (node.sort === "vector") result = M.addVectors(result, this.force(value));
      else if (node.sort === "matrix") result = M.addMatrices(result, value);
      else result = V.add(this.plain(result), this.plain(value));
    });
    if (count === 0) {
      if (node.op === "prod") return R.ONE;
      if (node.op !== "sum") throw new Undefined(`${node.op} over nothing`);
      return node.sort === "scalar" ? R.ZERO : M.ZERO;
    }
    if (node.op !== "mean") return result;
    const share = R.ratio(1n, BigInt(count));
    if (node.sort === "vector") return M.scaleVector(share, result);
    if (node.sort === "matrix") return M.scaleMatrix(share, result);
    return V.mul(share, this.plain(result));
  }

  pick() {
    throw new Undefined("pick outside a step");
  }
}

const squared = (v) => M.inner(v, v);

export function isMoving(value) {
  if (value === null || typeof value !== "object") return false;
  if (value.state) return value.state.time.slope !== 0n;
  return value.N !== undefined || value.items !== undefined;
}

function sameSize(a, b) {
  if (a !== b) throw new Undefined("sizes do not agree");
}

function checkCount(low, high) {
  require(high - low < BigInt(LIMITS.times), "too many times in a bounded range");
}

function* timesBetween(low, high) {
  for (let t = low; t <= high; t++) yield R.integer(t);
}

export function drained(generator) {
  for (;;) {
    const { done, value } = generator.next();
    if (done) return value;
  }
}

// The evaluation of one token's step of a system that has no code of its own.
export class StepEvaluator extends Evaluator {
  readState(node, env) {
    const { rows, den } = this.current;
    return { nums: rows[this.term(node.indices[0], env)], den };
  }

  pick(leaders) {
    if (leaders.length === 0) throw new Undefined("pick from nothing");
    const { rows, den } = this.current;
    const target = this.trajectory.target(rows, leaders, this.time, this.token);
    return { nums: target.nums, den: den * target.den };
  }

  next(step, state, time, token) {
    Object.assign(this, { current: state, time, token });
    const env = new Map([["i", token], ["t", R.integer(time)]]);
    const vector = this.force(this.term(step, env));
    if (vector.zero) return { nums: state.rows[0].map(() => 0n), den: 1n };
    if (vector.items) {
      const rows = M.constantRows([vector.items]);
      if (rows === null) throw new Undefined("a state that is not rational");
      return { nums: rows.rows[0], den: rows.den };
    }
    return vector;
  }
}
