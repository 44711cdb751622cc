// Lemmas on polytopes (hull/2, program/1, cells/1) and what they need of linear algebra, all on integers.

import { hasKeys } from "./canonical.js";
import { require } from "./limits.js";
import * as R from "./numbers.js";
import { overOne, readVector } from "./sequences.js";

const dot = (a, b) => a.reduce((sum, n, k) => sum + n * b[k], 0n);
const sameRow = (a, b) => a.every((n, k) => n === b[k]);

// The rank of integer rows, by elimination without fractions.
function rank(rows) {
  const work = rows.map((row) => [...row]);
  let found = 0;
  let last = 1n;
  const width = work[0]?.length ?? 0;
  for (let column = 0; column < width && found < work.length; column++) {
    const pivot = work.findIndex((row, i) => i >= found && row[column] !== 0n);
    if (pivot < 0) continue;
    [work[found], work[pivot]] = [work[pivot], work[found]];
    const top = work[found];
    for (let i = found + 1; i < work.length; i++) {
      const head = work[i][column];
      work[i] = work[i].map((n, k) => (n * top[column] - head * top[k]) / last);
    }
    last = top[column];
    found++;
  }
  return found;
}

// The dimension of the affine hull.
function affineDimension(rows) {
  const seen = [...new Map(rows.map((row) => [row.join(), row])).values()];
  return rank(seen.slice(1).map((row) => row.map((n, k) => n - seen[0][k])));
}

// Points and some vectors over one denominator, so that they can be compared entry by entry.
function aligned(points, ...vectors) {
  let den = points.den;
  for (const v of vectors) den = (den / R.gcd(den, v.den)) * v.den;
  return {
    rows: points.rows.map((row) => row.map((n) => n * (den / points.den))),
    others: vectors.map((v) => v.nums.map((n) => n * (den / v.den))),
    den,
  };
}

// The point that weights give, as integers over the denominator of the rows times that of the weights.
function combined(rows, { indices, nums, den }) {
  return { nums: rows[0].map((_, k) => indices.reduce((sum, j, m) => sum + nums[m] * rows[j][k], 0n)), den };
}

function gives(rows, weights, target) {
  const { nums, den } = combined(rows, weights);
  return nums.every((n, k) => n === target[k] * den);
}

function checkInterior([point, points], answer, witness, readWeights, relative) {
  require(answer === true || answer === false, "not an answer");
  const { rows, others: [p] } = aligned(points, point);
  if (answer) {
    require(hasKeys(witness, ["weights"]), "not weights");
    const weights = readWeights(witness.weights, rows.length);
    require(gives(rows, weights, p), "the weights do not give the point");
    const dimension = affineDimension(weights.indices.map((j) => rows[j]));
    require(dimension === (relative ? affineDimension(rows) : p.length), "the points of the weights are too flat");
    return true;
  }
  require(hasKeys(witness, ["normal"]), "not a normal");
  const { nums: v } = readVector(witness.normal, p.length);
  const level = dot(v, p);
  require(rows.every((row) => dot(v, row) >= level), "a normal does not support");
  require(relative ? rows.some((row) => dot(v, row) > level) : v.some((n) => n !== 0n), "a normal is too weak");
  return false;
}

function checkVertices([points], answer, witness, readWeights) {
  const { rows } = points;
  require(Array.isArray(answer) && answer.every((j, m) => Number.isInteger(j) && j > (m ? answer[m - 1] : -1)), "not a list of indices");
  require(hasKeys(witness, ["reasons"]) && Array.isArray(witness.reasons), "not a list of reasons");
  require(witness.reasons.length === rows.length, "not one reason for each point");
  const first = new Map();
  rows.forEach((row, j) => {
    if (!first.has(row.join())) first.set(row.join(), j);
  });
  const found = [];
  witness.reasons.forEach((reason, j) => {
    const leader = first.get(rows[j].join());
    if (hasKeys(reason, ["same"])) {
      require(Number.isInteger(reason.same) && reason.same < j && reason.same === leader, "not the first of equal points");
      return;
    }
    require(leader === j, "not the first of equal points");
    if (hasKeys(reason, ["direction"])) {
      const { nums: v } = readVector(reason.direction, rows[j].length);
      const level = dot(v, rows[j]);
      require(rows.every((row) => sameRow(row, rows[j]) || dot(v, row) < level), "a direction does not single out a vertex");
      found.push(j);
      return;
    }
    require(hasKeys(reason, ["weights"]), "unknown reason");
    const weights = readWeights(reason.weights, rows.length);
    require(weights.indices.every((k) => !sameRow(rows[k], rows[j])), "a point stands for itself");
    require(gives(rows, weights, rows[j]), "the weights do not give the point");
  });
  require(found.length === answer.length && found.every((j, m) => j === answer[m]), "other vertices than the answer");
  return answer;
}

// Is x in the segment pq (p != q)? All over one denominator, x perhaps times scale.
function inSegment(x, p, q, scale = 1n) {
  const direction = q.map((n, k) => n - p[k]);
  const offset = x.map((n, k) => n - p[k] * scale);
  const along = dot(offset, direction);
  const length = dot(direction, direction);
  return along >= 0n && along <= length * scale && offset.every((n, k) => n * length === along * direction[k]);
}

function checkEdge([first, second, points], answer, witness, readWeights) {
  require(answer === true || answer === false, "not an answer");
  const { rows, others: [p, q] } = aligned(points, first, second);
  require([p, q].every((end) => rows.some((row) => sameRow(row, end))), "an end is not among the points");
  if (sameRow(p, q)) {
    require(!answer && hasKeys(witness, ["equal"]) && witness.equal === true, "the ends are equal");
    return false;
  }
  if (answer) {
    require(hasKeys(witness, ["direction"]), "not a direction");
    const { nums: v } = readVector(witness.direction, p.length);
    const level = dot(v, p);
    require(dot(v, q) === level, "the ends are not at one level");
    require(rows.every((row) => dot(v, row) < level || inSegment(row, p, q)), "a direction does not single out an edge");
    return true;
  }
  require(hasKeys(witness, ["weights"]), "not weights");
  const weights = readWeights(witness.weights, rows.length);
  const { nums, den } = combined(rows, weights);
  require(inSegment(nums, p, q, den), "the weights do not give a point of the segment");
  require(weights.indices.some((j) => !inSegment(rows[j], p, q)), "every point is on the segment");
  return false;
}

const matrixTimes = ({ rows }, v) => rows.map((row) => dot(row, v));

// <v, x_j> >= <v, u> at every point, with v = M(u - p) + w and u the point of the weights; null if it fails.
function minimiser(matrix, shift, linear, points, weights) {
  const { rows, others: [p], den } = aligned(points, shift);
  const scale = weights.den;
  const u = combined(rows, weights).nums;
  const moved = u.map((n, k) => n - p[k] * scale);
  const slope = matrixTimes(matrix, moved).map((n, k) => n * linear.den + linear.nums[k] * matrix.den * den * scale);
  const level = dot(slope, u);
  const least = rows.every((row) => dot(slope, row) * scale >= level);
  return least ? { u, den: den * scale } : null;
}

function checkLeast([matrix, w, points], answer, witness, { readWeights, checkDefinite }) {
  const value = R.readExact(answer);
  require(hasKeys(witness, ["weights", "convex"]), "not weights and convexity");
  checkDefinite(matrix, witness.convex, false);
  const origin = { nums: w.nums.map(() => 0n), den: 1n };
  const found = minimiser(matrix, origin, w, points, readWeights(witness.weights, points.rows.length));
  require(found !== null, "a point is lower");
  const { u, den } = found;
  const quadratic = { n: dot(u, matrixTimes(matrix, u)), d: 2n * matrix.den * den * den };
  require(R.equal(R.add(quadratic, { n: dot(u, w.nums), d: den * w.den }), value), "another value");
  return value;
}

function checkNearest([matrix, point, points], answer, witness, { readWeights, checkDefinite }) {
  const value = readVector(answer, point.nums.length);
  require(hasKeys(witness, ["weights", "convex"]), "not weights and convexity");
  checkDefinite(matrix, witness.convex, true);
  const none = { nums: point.nums.map(() => 0n), den: 1n };
  const found = minimiser(matrix, point, none, points, readWeights(witness.weights, points.rows.length));
  require(found !== null, "a point is nearer");
  require(found.u.every((n, k) => n * value.den === value.nums[k] * found.den), "another point");
  return value;
}

// <N_k, x> - c_k at a point given as integers over a denominator, times the denominators: one number for each k.
function excess(normals, levels, x, den) {
  return normals.rows.map((row, k) => dot(row, x) * levels.den - levels.nums[k] * normals.den * den);
}

function readMultipliers(list, count) {
  require(Array.isArray(list) && list.length === count, "not one multiplier for each half-space");
  const { rows, den } = overOne([list.map(R.readExact)]);
  require(rows[0].every((n) => n >= 0n), "a multiplier is negative");
  return { nums: rows[0], den };
}

function checkCells([points, normals, levels, otherNormals, otherLevels], answer, witness, readWeights) {
  require(answer === true || answer === false, "not an answer");
  const [scale, otherScale] = [normals.den * levels.den, otherNormals.den * otherLevels.den];
  const left = points.rows.map((row) => excess(normals, levels, row, points.den));
  const right = points.rows.map((row) => excess(otherNormals, otherLevels, row, points.den));
  const count = normals.rows.length;
  if (!answer) {
    require(hasKeys(witness, ["weights", "side"]), "not weights and a side");
    const weights = readWeights(witness.weights, points.rows.length);
    const { nums, den } = combined(points.rows, weights);
    const { side } = witness;
    require(Number.isInteger(side) && side >= 0 && side < otherNormals.rows.length, "not a side");
    require(excess(normals, levels, nums, points.den * den).every((n) => n >= 0n), "the point is not in the cell");
    require(excess(otherNormals, otherLevels, nums, points.den * den)[side] < 0n, "the point is not outside");
    return false;
  }
  if (hasKeys(witness, ["empty"])) {
    const { nums } = readMultipliers(witness.empty, count);
    require(left.every((values) => dot(nums, values) < 0n), "the cell is not shown to be empty");
    return true;
  }
  require(hasKeys(witness, ["multipliers"]), "not multipliers");
  const lists = witness.multipliers;
  require(Array.isArray(lists) && lists.length === otherNormals.rows.length, "not one list for each side");
  lists.forEach((list, k) => {
    const { nums, den } = readMultipliers(list, count);
    left.forEach((values, j) => require(right[j][k] * den * scale >= dot(nums, values) * otherScale, "the multipliers fail"));
  });
  return true;
}

// The checks by operator; the two helpers come from theories.js.
export function polytopeChecks({ readWeights, checkDefinite }) {
  return {
    interior: ["hull/2", (args, answer, witness) => checkInterior(args, answer, witness, readWeights, false)],
    relative_interior: ["hull/2", (args, answer, witness) => checkInterior(args, answer, witness, readWeights, true)],
    vertices: ["hull/2", (args, answer, witness) => checkVertices(args, answer, witness, readWeights)],
    edge: ["hull/2", (args, answer, witness) => checkEdge(args, answer, witness, readWeights)],
    least_over_hull: ["program/1", (args, answer, witness) => checkLeast(args, answer, witness, { readWeights, checkDefinite })],
    nearest: ["program/1", (args, answer, witness) => checkNearest(args, answer, witness, { readWeights, checkDefinite })],
    cell_subset: ["cells/1", (args, answer, witness) => checkCells(args, answer, witness, readWeights)],
  };
}
