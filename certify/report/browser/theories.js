// Lemmas (section 8): each is looked up by its address, checked once, and must have been asked for.

import { hasKeys, isObject, writeCanonical } from "./canonical.js";
import { NotChecked, Rejection, require } from "./limits.js";
import * as R from "./numbers.js";
import { polytopeChecks } from "./polytopes.js";
import { overOne, readVector } from "./sequences.js";
import { sha256 } from "./sha256.js";

export const THEORIES = new Set(["cells/1", "hull/1", "hull/2", "program/1", "psd/1", "regime/1", "trap/1"]);

const abs = (n) => (n < 0n ? -n : n);

// A matrix, or points, as nested lists of exact numbers.
const written = ({ rows, den }) => rows.map((row) => writtenRow(row, den));
const writtenRow = (row, den) => row.map((n) => R.writeExact({ n, d: den }));

export function isSymmetric({ rows }) {
  return rows.every((row, i) => row.every((n, j) => n === rows[j][i]));
}

// F diag(w) F' leaves a remainder with a dominant diagonal.
function checkDefinite(matrix, witness, strict) {
  require(hasKeys(witness, ["factor", "weights"]), "not a factor and weights");
  const { factor, weights } = witness;
  const size = matrix.rows.length;
  require(isSymmetric(matrix), "the matrix is not symmetric");
  require(Array.isArray(weights) && Array.isArray(factor) && factor.length === size, "a factor of the wrong size");
  const w = overOne([weights.map(R.readExact)]);
  require(w.rows[0].every((n) => n >= 0n), "a weight is negative");
  const f = overOne(factor.map((row) => {
    require(Array.isArray(row) && row.length <= weights.length, "a factor of the wrong size");
    return row.map(R.readExact);
  }));
  const left = f.den * f.den * w.den;
  for (let i = 0; i < size; i++) {
    let others = 0n;
    let diagonal = 0n;
    for (let j = 0; j < size; j++) {
      let product = 0n;
      const common = Math.min(f.rows[i].length, f.rows[j].length);
      for (let k = 0; k < common; k++) product += f.rows[i][k] * w.rows[0][k] * f.rows[j][k];
      const rest = matrix.rows[i][j] * left - product * matrix.den;
      if (i === j) diagonal = rest;
      else others += abs(rest);
    }
    require(strict ? diagonal > others : diagonal >= others, "a witness of definiteness fails");
  }
}

function quadraticForm({ rows }, v) {
  return rows.reduce((sum, row, i) => sum + v[i] * row.reduce((inner, n, j) => inner + n * v[j], 0n), 0n);
}

function checkIndefinite(matrix, witness, strict) {
  const size = matrix.rows.length;
  if (hasKeys(witness, ["asymmetric"])) {
    const pair = witness.asymmetric;
    require(Array.isArray(pair) && pair.length === 2, "not a pair of indices");
    require(pair.every((k) => Number.isInteger(k) && k >= 0 && k < size), "not a pair of indices");
    require(matrix.rows[pair[0]][pair[1]] !== matrix.rows[pair[1]][pair[0]], "the entries are equal");
    return;
  }
  require(hasKeys(witness, ["vector"]), "not a witness against definiteness");
  const { nums } = readVector(witness.vector, size);
  const form = quadraticForm(matrix, nums);
  require(strict ? nums.some((n) => n !== 0n) && form <= 0n : form < 0n, "a witness against definiteness fails");
}

function checkDefiniteness(matrix, answer, witness, strict) {
  require(answer === true || answer === false, "not an answer");
  if (answer) checkDefinite(matrix, witness, strict);
  else checkIndefinite(matrix, witness, strict);
  return answer;
}

function checkLargest(matrix, answer, witness) {
  require(Array.isArray(answer) && answer.length === 2, "not two bounds");
  const [low, high] = answer.map(R.readExact);
  require(hasKeys(witness, ["upper", "vector"]), "not a witness of the largest eigenvalue");
  const { nums } = readVector(witness.vector, matrix.rows.length);
  const square = nums.reduce((sum, n) => sum + n * n, 0n);
  require(square > 0n, "the vector is zero");
  require(quadraticForm(matrix, nums) * low.d >= low.n * square * matrix.den, "the lower bound fails");
  const rows = matrix.rows.map((row, i) => row.map((n, j) => (i === j ? high.n * matrix.den : 0n) - n * high.d));
  checkDefinite({ rows, den: matrix.den * high.d }, witness.upper, false);
  return { low, high };
}

function checkMembership([point, points], answer, witness) {
  require(answer === true || answer === false, "not an answer");
  const size = point.nums.length;
  if (!answer) {
    require(hasKeys(witness, ["normal"]), "not a normal");
    const { nums } = readVector(witness.normal, size);
    const along = (row) => row.reduce((sum, n, k) => sum + n * nums[k], 0n);
    const limit = along(point.nums) * points.den;
    require(points.rows.every((row) => along(row) * point.den > limit), "a normal does not separate");
    return false;
  }
  require(hasKeys(witness, ["weights"]), "not weights");
  const { indices, nums, den } = readWeights(witness.weights, points.rows.length);
  for (let k = 0; k < size; k++) {
    const sum = indices.reduce((total, j, m) => total + nums[m] * points.rows[j][k], 0n);
    require(sum * point.den === point.nums[k] * den * points.den, "the weights do not give the point");
  }
  return true;
}

// Convex weights [[j, w], ...]: j increasing below a size, w > 0, sum 1; as integers over one denominator.
export function readWeights(list, size) {
  require(Array.isArray(list) && list.length > 0, "not a list of weights");
  let last = -1;
  const weights = list.map((pair) => {
    require(Array.isArray(pair) && pair.length === 2 && Number.isInteger(pair[0]), "not an index and a weight");
    require(pair[0] > last && pair[0] < size, "the indices of weights are not increasing");
    last = pair[0];
    return R.readExact(pair[1]);
  });
  const { rows, den } = overOne([weights]);
  require(rows[0].every((n) => n > 0n), "a weight is not positive");
  require(rows[0].reduce((sum, n) => sum + n, 0n) === den, "the weights do not add up to 1");
  return { indices: list.map((pair) => pair[0]), nums: rows[0], den };
}

const CHECKS = {
  psd: ["psd/1", (args, answer, witness) => checkDefiniteness(args[0], answer, witness, false)],
  pd: ["psd/1", (args, answer, witness) => checkDefiniteness(args[0], answer, witness, true)],
  lambda_max: ["psd/1", (args, answer, witness) => checkLargest(args[0], answer, witness)],
  in_hull: ["hull/1", checkMembership],
  ...polytopeChecks({ readWeights, checkDefinite }),
};

const writtenArgument = (value) => (value.nums ? writtenRow(value.nums, value.den) : written(value));

export class Lemmas {
  constructor(lemmas, theories) {
    require(isObject(lemmas), "the lemmas are not an object");
    this.lemmas = lemmas;
    this.theories = theories;
    this.answers = new Map();
    for (const [address, lemma] of Object.entries(lemmas)) {
      require(/^[0-9a-f]{64}$/.test(address), "not the address of a lemma");
      require(hasKeys(lemma, ["answer", "theory", "witness"]), "a lemma with other fields");
    }
  }

  // The answer to a question about exact data: {rows, den} or {nums, den}.
  ask(operator, ...args) {
    const [theory, check] = CHECKS[operator];
    const address = sha256(writeCanonical([operator, args.map(writtenArgument)]));
    if (!this.answers.has(address)) {
      require(Object.hasOwn(this.lemmas, address), `a lemma on ${operator} is missing`);
      const lemma = this.lemmas[address];
      if (lemma.theory !== theory) {
        if (typeof lemma.theory === "string" && !THEORIES.has(lemma.theory)) throw new NotChecked(`theory ${lemma.theory}`);
        throw new Rejection(`a lemma on ${operator} is of another theory`);
      }
      this.answers.set(address, { address, value: check(args, lemma.answer, lemma.witness) });
      this.theories.add(theory);
    }
    return this.answers.get(address);
  }

  checkAllAsked() {
    require(this.answers.size === Object.keys(this.lemmas).length, "a lemma is never asked for");
  }
}
