// Vectors and matrices as the evaluation has them. A vector is {nums, den} (integers over one denominator), {items}
// (numbers of values.js) or {zero}; a matrix is {rows, den}, {items} or {zero}. The literal 0 fits any size.

import { Undefined } from "./limits.js";
import * as R from "./numbers.js";
import * as V from "./values.js";

export const ZERO = { zero: true };

const size = (n) => R.checkedSize(n);

function sameLength(a, b) {
  if (a !== b) throw new Undefined("sizes do not agree");
}


// Two vectors or matrices over one denominator.
function together(a, b) {
  if (a.den === b.den) return [1n, 1n, a.den];
  if (a.den % b.den === 0n) return [1n, a.den / b.den, a.den];
  if (b.den % a.den === 0n) return [b.den / a.den, 1n, b.den];
  return [b.den, a.den, a.den * b.den];
}

export const vectorItems = (v) => v.items ?? v.nums.map((n) => R.ratio(n, v.den));
export const matrixItems = (m) => m.items ?? m.rows.map((row) => row.map((n) => R.ratio(n, m.den)));
export const widthOf = (v) => (v.nums ?? v.items ?? v.rows).length;

export function addVectors(a, b) {
  if (a.zero) return b;
  if (b.zero) return a;
  sameLength(widthOf(a), widthOf(b));
  if (a.nums && b.nums) {
    const [p, q, den] = together(a, b);
    return { nums: a.nums.map((n, k) => size(n * p + b.nums[k] * q)), den: size(den) };
  }
  const [x, y] = [vectorItems(a), vectorItems(b)];
  return { items: x.map((item, k) => V.add(item, y[k])) };
}

export function addMatrices(a, b) {
  if (a.zero) return b;
  if (b.zero) return a;
  sameLength(widthOf(a), widthOf(b));
  if (a.rows && b.rows) {
    const [p, q, den] = together(a, b);
    return { rows: a.rows.map((row, i) => row.map((n, k) => size(n * p + b.rows[i][k] * q))), den: size(den) };
  }
  const [x, y] = [matrixItems(a), matrixItems(b)];
  return { items: x.map((row, i) => row.map((item, k) => V.add(item, y[i][k]))) };
}

export function scaleVector(c, v) {
  if (v.zero) return v;
  if (V.isRational(c) && v.nums) return { nums: v.nums.map((n) => size(n * c.n)), den: size(v.den * c.d) };
  return { items: vectorItems(v).map((item) => V.mul(c, item)) };
}

export function scaleMatrix(c, m) {
  if (m.zero) return m;
  if (V.isRational(c) && m.rows) return { rows: m.rows.map((row) => row.map((n) => size(n * c.n))), den: size(m.den * c.d) };
  return { items: matrixItems(m).map((row) => row.map((item) => V.mul(c, item))) };
}

const sum = (items) => items.reduce(V.add, R.ZERO);

// Rows of integers that Numbers hold exactly, with the places that are not 0 and the sum of sizes; null for longer ones,
// and for rows so short that nothing is gained.
const shortForms = new WeakMap();
const FEW = 16;

function shortForm(row) {
  if (row.length < FEW) return null;
  let form = shortForms.get(row);
  if (form === undefined) {
    const values = Float64Array.from(row, Number);
    const places = [];
    let sum = 0;
    let most = 0;
    values.forEach((value, k) => {
      if (value !== 0) places.push(k);
      sum += Math.abs(value);
      most = Math.max(most, Math.abs(value));
    });
    form = sum <= Number.MAX_SAFE_INTEGER ? { values, places, sum, most } : null;
    shortForms.set(row, form);
  }
  return form;
}

// The short forms of the rows of a matrix.
const shortMatrices = new WeakMap();

function shortRows(rows) {
  if (rows.length < FEW) return rows.map(() => null);
  if (!shortMatrices.has(rows)) shortMatrices.set(rows, rows.map(shortForm));
  return shortMatrices.get(rows);
}

// The sum of products of integers, by Numbers (the short forms x, y) where no partial sum can leave their exact range.
function dot(a, b, x = shortForm(a), y = shortForm(b)) {
  if (x !== null && y !== null && x.sum * y.most <= Number.MAX_SAFE_INTEGER) {
    let total = 0;
    for (const k of x.places) total += x.values[k] * y.values[k];
    return BigInt(total);
  }
  let total = 0n;
  for (let k = 0; k < a.length; k++) total += a[k] * b[k];
  return size(total);
}

export function inner(a, b) {
  if (a.zero || b.zero) return R.ZERO;
  sameLength(widthOf(a), widthOf(b));
  if (a.nums && b.nums) return { n: dot(a.nums, b.nums), d: size(a.den * b.den) };
  const [x, y] = [vectorItems(a), vectorItems(b)];
  return sum(x.map((item, k) => V.mul(item, y[k])));
}

export function matrixVector(m, v) {
  if (m.zero || v.zero) return ZERO;
  sameLength(widthOf(m), widthOf(v));
  if (m.rows && v.nums) {
    const [x, y] = [shortRows(m.rows), shortForm(v.nums)];
    return { nums: m.rows.map((row, i) => dot(row, v.nums, x[i], y)), den: size(m.den * v.den) };
  }
  const y = vectorItems(v);
  return { items: matrixItems(m).map((row) => sum(row.map((item, k) => V.mul(item, y[k])))) };
}

export function matrixMatrix(a, b) {
  if (a.zero || b.zero) return ZERO;
  sameLength(widthOf(a), widthOf(b));
  if (a.rows && b.rows) {
    const rows = a.rows.map((row) => b.rows[0].map((_, j) => size(row.reduce((total, n, k) => total + n * b.rows[k][j], 0n))));
    return { rows, den: size(a.den * b.den) };
  }
  const [x, y] = [matrixItems(a), matrixItems(b)];
  return { items: x.map((row) => y[0].map((_, j) => sum(row.map((item, k) => V.mul(item, y[k][j]))))) };
}

export function transpose(m) {
  if (m.zero) return m;
  if (m.rows) return { rows: m.rows[0].map((_, j) => m.rows.map((row) => row[j])), den: m.den };
  return { items: m.items[0].map((_, j) => m.items.map((row) => row[j])) };
}

export function trace(m) {
  return m.zero ? R.ZERO : sum(matrixItems(m).map((row, k) => row[k]));
}

export function identity(dimension) {
  return { rows: Array.from({ length: dimension }, (_, i) => Array.from({ length: dimension }, (__, j) => (i === j ? 1n : 0n))), den: 1n };
}

export function zeroMatrix(dimension) {
  return { rows: Array.from({ length: dimension }, () => new Array(dimension).fill(0n)), den: 1n };
}

// Rows of numbers that are all constant, as integers over one denominator; null if one is not.
export function constantRows(items, constant = V.constantOf) {
  const rows = [];
  let den = 1n;
  for (const row of items) {
    const values = row.map(constant);
    if (values.includes(null)) return null;
    rows.push(values.map(R.reduced));
  }
  for (const row of rows) for (const a of row) if (den % a.d !== 0n) den *= a.d / R.gcd(den, a.d);
  return { rows: rows.map((row) => row.map((a) => a.n * (den / a.d))), den };
}
