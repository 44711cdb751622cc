// Hulls, regions and matrices: what asks lemmas (sections 6 and 8).

import { Arithmetic } from "./arithmetic.js";
import { Undefined } from "./limits.js";
import * as R from "./numbers.js";
import * as P from "./polynomial.js";
import * as M from "./tensors.js";
import { isSymmetric } from "./theories.js";
import { FALSE, TRUE, UNDECIDED, both } from "./truth.js";
import * as V from "./values.js";

export class Bodies extends Arithmetic {
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
    if (slope === 0n && known && !this.trajectory.box) return { points: this.stateAt(offset), complete: true };
    const all = this.pointsOf(body).map(M.vectorItems);
    const constant = all.filter((items) => items.every((item) => V.constantOf(item) !== null));
    if (constant.length === 0) throw new Undefined("a hull that moves");
    return { points: M.constantRows(constant), complete: constant.length === all.length };
  }

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

  // Is every coordinate of the start an interval? Other clouds than the start are undecided.
  startsFillBox({ time }) {
    if (!time || time.slope !== 0n || time.offset !== 0n) return UNDECIDED;
    return this.trajectory.box?.isFull ? TRUE : FALSE;
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
    return values.flatMap((value, j) => (value === least ? [j] : []));
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
    if (kind === "point") return { points, ...pointSides(v) };
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
    const point = this.force(vector);
    let result = TRUE;
    for (const [normal, level] of this.sides(region)) {
      const one = this.less(level, M.inner(normal, point), false);
      if (one === FALSE) return FALSE;
      result = both(result, one);
    }
    return both(result, this.asksHull(point, this.pointsThatRest(region.body)));
  }

  // The half-spaces <N, u> >= c of a cell as pairs [N, c], which may move.
  *sides({ kind, matrix, vector, body }) {
    const v = this.force(vector);
    const minus = (u) => M.scaleVector(R.integer(-1), u);
    if (kind === "point") {
      const items = M.vectorItems(v);
      const unit = (k, sign) => ({ nums: items.map((_, m) => (m === k ? sign : 0n)), den: 1n });
      for (const [k, item] of items.entries()) yield [unit(k, 1n), item];
      for (const [k, item] of items.entries()) yield [unit(k, -1n), V.neg(item)];
      return;
    }
    const metric = kind === "cell" ? M.transpose(matrix) : M.addMatrices(matrix, M.transpose(matrix));
    const form = (u) => M.inner(M.matrixVector(matrix, u), u);
    for (const x of this.pointsOf(body)) {
      yield [M.matrixVector(metric, M.addVectors(v, minus(x))), kind === "cell" ? R.ZERO : V.sub(form(v), form(x))];
    }
  }

  // Two cells over equal lists of points, or undefined.
  cells(left, right) {
    if (![left, right].every(({ kind }) => ["cell", "voronoi", "point"].includes(kind))) throw new Undefined("not cells");
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
    let best = null;
    for (let i = 0; i < vectors.length; i++) {
      for (let j = 0; j < i; j++) {
        const square = squared(M.addVectors(vectors[i], M.scaleVector(R.integer(-1), vectors[j])));
        best = best === null ? square : this.better(best, square, -1);
      }
    }
    return { root: best ?? R.ZERO };
  }
}

// The half-spaces u_k >= v_k, then -u_k >= -v_k.
function pointSides({ nums, den }) {
  const rows = [1n, -1n].flatMap((sign) => nums.map((_, k) => nums.map((__, m) => (m === k ? sign : 0n))));
  return { normals: { rows, den: 1n }, levels: { nums: [...nums, ...nums.map((n) => -n)], den } };
}

const squared = (v) => M.inner(v, v);

function sameSize(a, b) {
  if (a !== b) throw new Undefined("sizes do not agree");
}
