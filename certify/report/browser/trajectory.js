// Trajectories (section 5): states as integer rows over one denominator, computed when they are needed.

import { writeCanonical } from "./canonical.js";
import { LIMITS, NeedState, Undefined, require } from "./limits.js";
import * as R from "./numbers.js";
import { overOne } from "./sequences.js";
import { Range } from "./sign.js";
import { readWeights } from "./theories.js";

const now = ["var", "t"];
const self = ["var", "i"];

const HARDMAX = ["system", "hardmax", [["B", "matrix", "timed"], ["g", "scalar", "step size"]], [
  "add",
  ["mul", ["sub", ["num", "1"], ["at", "g", now]], ["at", "x", self]],
  ["mul", ["at", "g", now], ["pick", ["argmax", ["j"],
    ["inner", ["mul", ["at", "B", now], ["at", "x", self]], ["at", "x", ["var", "j"]]]]]],
]];

export const isHardmax = (tree) => tree !== null && writeCanonical(tree) === writeCanonical(HARDMAX);

export const dot = (a, b) => {
  let sum = 0n;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
};

export const lcm = (a, b) => (a === 1n ? b : b === 1n ? a : (a / R.gcd(a, b)) * b);

const abs = (n) => (n < 0n ? -n : n);
const longest = (row, start = 0n) => row.reduce((most, n) => (abs(n) > most ? abs(n) : most), start);
const total = (row) => row.reduce((sum, n) => sum + Math.abs(n), 0);
// Sums of 500 products of numbers of 21 bits are below 2^52: as Numbers they are exact integers.
const HEAD_BITS = 21;

// The leading bits of integers: n = head * 2^shift + rest with 0 <= rest < 2^shift.
const headOf = (row, shift) => row.map((n) => Number(n >> shift));
const shiftFor = (n) => BigInt(Math.max(R.bitLength(n) - HEAD_BITS, 0));

function headsOf(rows) {
  const shift = shiftFor(rows.reduce((most, row) => longest(row, most), 0n));
  const heads = rows.map((row) => headOf(row, shift));
  return { heads, sizes: heads.map(total) };
}

// The rows that can have the greatest inner product with a vector, by exact bounds from leading bits: with y = y' U + r and
// x = x' S + q the product differs from y'x' US by at most US times the sum of |y'_k| + |x'_k| + 1.
function candidates(vector, { heads, sizes }) {
  const head = headOf(vector, shiftFor(longest(vector)));
  const slack = total(head) + vector.length;
  const scores = heads.map((row) => {
    let sum = 0;
    for (let k = 0; k < row.length; k++) sum += row[k] * head[k];
    return sum;
  });
  let least = -Infinity;
  for (let j = 0; j < scores.length; j++) least = Math.max(least, scores[j] - slack - sizes[j]);
  const result = [];
  for (let j = 0; j < scores.length; j++) if (scores[j] + slack + sizes[j] >= least) result.push(j);
  return result;
}

// plans.selection: a map from "t i" to weights.
export function readSelection(value, count) {
  require(Array.isArray(value), "the selection is not a list");
  const entries = new Map();
  let last = null;
  for (const item of value) {
    require(Array.isArray(item) && item.length === 3, "not an entry of the selection");
    const time = R.readTime(item[0]);
    const token = item[1];
    require(Number.isInteger(token) && token >= 0 && token < count, "a selection for an unknown token");
    require(last === null || time > last[0] || (time === last[0] && token > last[1]), "the selection is not in order");
    last = [time, token];
    entries.set(`${time} ${token}`, { ...readWeights(item[2], count), used: false });
  }
  return entries;
}

export class Trajectory {
  // start is null for random starts, which come later.
  constructor({ start = null, count, dimension, data, system, selection, entries, symbols }) {
    Object.assign(this, { count, dimension, data, system, selection, entries, symbols });
    this.native = isHardmax(system.tree);
    this.restart(start);
    this.work = 0;
    this.stepper = null;
    this.point = new Range(symbols, { start: 0n, steps: 0n });
  }

  restart(start) {
    this.states = start === null ? [] : [start];
    this.undetermined = start === null ? "the start is random" : null;
  }

  addWork(amount) {
    this.work += amount;
    require(this.work <= LIMITS.work, "too much work for states");
  }

  at(time) {
    if (time < this.states.length) return this.states[Number(time)];
    if (this.undetermined !== null) throw new Undefined(this.undetermined);
    throw new NeedState(time);
  }

  // Computes states up to a time, as far as they are determined.
  *advance(time) {
    while (this.states.length <= time && this.undetermined === null) {
      const t = BigInt(this.states.length - 1);
      const state = this.states.at(-1);
      const { count, dimension } = this;
      this.addWork(count * count * dimension + count * dimension * (Math.floor(R.bitLength(state.den) / 64) + 1));
      try {
        this.states.push(this.native ? yield* this.hardmaxStep(state, t) : yield* this.generalStep(state, t));
      } catch (error) {
        if (!(error instanceof Undefined)) throw error;
        this.undetermined = error.reason;
      }
      yield;
    }
  }

  *hardmaxStep(state, t) {
    const time = R.integer(t);
    const g = R.reduced(this.data.get("g").at(time, this.point));
    if (g.n === 0n) return state;
    const matrix = this.data.get("B").at(time, this.point);
    const { rows, den } = state;
    const targets = [];
    const heads = headsOf(rows);
    for (let i = 0; i < rows.length; i++) {
      const image = matrix.rows.map((row) => dot(row, rows[i]));
      let best = null;
      let leaders = [];
      for (const j of candidates(image, heads)) {
        const score = dot(image, rows[j]);
        if (best === null || score > best) {
          best = score;
          leaders = [j];
        } else if (score === best) leaders.push(j);
      }
      targets.push(this.target(rows, leaders, t, i));
      if (i % 64 === 63) yield;
    }
    const common = targets.reduce((result, target) => lcm(result, target.den), 1n);
    const stay = (g.d - g.n) * common;
    const next = rows.map((row, i) => {
      const move = g.n * (common / targets[i].den);
      return row.map((n, k) => stay * n + move * targets[i].nums[k]);
    });
    return tidy(next, den * g.d * common, state.mark ?? 0);
  }

  // The point that the selection makes of leaders: integers over den, in the unit of the rows.
  target(rows, leaders, t, i) {
    const first = rows[leaders[0]];
    if (leaders.every((j) => rows[j].every((n, k) => n === first[k]))) return { nums: first, den: 1n };
    let members = leaders;
    if (this.selection === "every") {
      const entry = this.entries.get(`${t} ${i}`);
      if (entry === undefined) throw new Undefined(`the selection is free at t = ${t}`);
      entry.used = true;
      require(entry.indices.every((j) => leaders.includes(j)), "a selection outside the leaders");
      return { nums: rows[0].map((_, k) => entry.indices.reduce((sum, j, m) => sum + entry.nums[m] * rows[j][k], 0n)), den: entry.den };
    }
    if (this.selection === "average-points") members = [...new Map(leaders.map((j) => [rows[j].join(), j])).values()];
    return { nums: rows[0].map((_, k) => members.reduce((sum, j) => sum + rows[j][k], 0n)), den: BigInt(members.length) };
  }

  // Any other system is evaluated from its text.
  *generalStep(state, t) {
    const positions = [];
    for (let i = 0; i < state.rows.length; i++) {
      positions.push(this.stepper(state, t, i));
      yield;
    }
    const { rows, den } = overOne(positions.map(({ nums, den: d }) => nums.map((n) => R.reduced({ n, d }))));
    return tidy(rows, den, 0);
  }
}

// Strips the common factor each time that the denominator has grown by a quarter, and refuses numbers that are too long.
function tidy(rows, den, mark) {
  const bits = R.bitLength(den);
  if (bits < 1.25 * mark + 64) return { rows, den, mark };
  let common = den;
  for (const row of rows) {
    for (const n of row) {
      if (common === 1n) break;
      common = R.gcd(common, n);
    }
  }
  const state = common === 1n ? { rows, den } : { rows: rows.map((row) => row.map((n) => n / common)), den: den / common };
  R.checkedSize(state.den);
  for (const row of state.rows) row.forEach(R.checkedSize);
  return { ...state, mark: R.bitLength(state.den) };
}
