// Polynomials in several symbols with BigInt coefficients: a Map from monomials to coefficients. A monomial is a string
// of triples of characters (number of the symbol in two, exponent), increasing in the symbol; the empty string is 1.

import { LIMITS, Undefined } from "./limits.js";
import { checkedSize, gcd } from "./numbers.js";

export const constant = (n) => (n === 0n ? new Map() : new Map([["", n]]));
export const symbol = (id, exponent = 1) => new Map([[factor(id, exponent), 1n]]);

export const factor = (id, exponent) => (exponent === 0 ? "" : String.fromCharCode(id >> 16, id & 0xffff, exponent));

const idAt = (key, i) => key.charCodeAt(i) * 0x10000 + key.charCodeAt(i + 1);

export const isZero = (p) => p.size === 0;
export const isConstant = (p) => p.size === 0 || (p.size === 1 && p.has(""));
export const constantOf = (p) => p.get("") ?? 0n;

export function equal(p, q) {
  if (p === q) return true;
  if (p.size !== q.size) return false;
  for (const [key, value] of p) if (q.get(key) !== value) return false;
  return true;
}

function put(p, key, value) {
  const sum = (p.get(key) ?? 0n) + value;
  if (sum === 0n) p.delete(key);
  else p.set(key, sum);
}

export function add(p, q) {
  const result = new Map(p);
  for (const [key, value] of q) put(result, key, value);
  return limited(result);
}

export const neg = (p) => scale(p, -1n);

export function scale(p, n) {
  if (n === 1n) return p;
  const result = new Map();
  if (n !== 0n) for (const [key, value] of p) result.set(key, checkedSize(value * n));
  return result;
}

// Division by an integer that divides every coefficient.
export function shrink(p, n) {
  if (n === 1n) return p;
  const result = new Map();
  for (const [key, value] of p) result.set(key, value / n);
  return result;
}

function limited(p) {
  if (p.size > LIMITS.terms) throw new Undefined("a polynomial has too many terms");
  return p;
}

export function joined(a, b) {
  if (a === "") return b;
  if (b === "") return a;
  let result = "";
  let i = 0;
  let j = 0;
  let total = 0;
  while (i < a.length || j < b.length) {
    const left = i < a.length ? idAt(a, i) : Infinity;
    const right = j < b.length ? idAt(b, j) : Infinity;
    let exponent = 0;
    if (left <= right) exponent += a.charCodeAt(i + 2);
    if (right <= left) exponent += b.charCodeAt(j + 2);
    total += exponent;
    result += factor(Math.min(left, right), exponent);
    if (left <= right) i += 3;
    if (right <= left) j += 3;
  }
  if (total > LIMITS.degree) throw new Undefined("a polynomial has too high a degree");
  return result;
}

export function mul(p, q) {
  const result = new Map();
  for (const [a, x] of p) for (const [b, y] of q) put(result, joined(a, b), x * y);
  for (const value of result.values()) checkedSize(value);
  return limited(result);
}

export function power(p, exponent) {
  let result = constant(1n);
  for (let i = 0; i < exponent; i++) result = mul(result, p);
  return result;
}

// The greatest common divisor of the coefficients and of start; it stops at 1.
export function content(p, start = 0n) {
  let result = start < 0n ? -start : start;
  for (const value of p.values()) {
    if (result === 1n) return 1n;
    result = gcd(result, value);
  }
  return result;
}

export function symbolsIn(key) {
  const result = [];
  for (let i = 0; i < key.length; i += 3) result.push(idAt(key, i));
  return result;
}

export function symbolsOf(p) {
  const result = new Set();
  for (const key of p.keys()) for (let i = 0; i < key.length; i += 3) result.add(idAt(key, i));
  return result;
}

export function exponentOf(key, id) {
  for (let i = 0; i < key.length; i += 3) if (idAt(key, i) === id) return key.charCodeAt(i + 2);
  return 0;
}

export function without(key, id) {
  for (let i = 0; i < key.length; i += 3) if (idAt(key, i) === id) return key.slice(0, i) + key.slice(i + 3);
  return key;
}

export function degreeIn(p, id) {
  let result = 0;
  for (const key of p.keys()) result = Math.max(result, exponentOf(key, id));
  return result;
}

// The coefficients of the powers of one symbol, as an array of polynomials in the others.
export function coefficientsIn(p, id) {
  const result = [];
  for (let i = degreeIn(p, id); i >= 0; i--) result[i] = new Map();
  for (const [key, value] of p) result[exponentOf(key, id)].set(without(key, id), value);
  return result;
}

// Replace the j-th power of a symbol by the polynomial in the same symbol with the coefficients rows[j].
export function replacePowers(p, id, rows) {
  const result = new Map();
  for (const [key, value] of p) {
    const rest = without(key, id);
    rows[exponentOf(key, id)].forEach((coefficient, exponent) => {
      if (coefficient !== 0n) put(result, joined(rest, factor(id, exponent)), value * coefficient);
    });
  }
  for (const value of result.values()) checkedSize(value);
  return limited(result);
}

// Replace a symbol by n/d and multiply by the power of d that clears the denominator (d > 0 keeps signs).
export function substitute(p, id, n, d) {
  const degree = degreeIn(p, id);
  if (degree === 0) return p;
  const rows = [];
  for (let j = 0; j <= degree; j++) rows.push([n ** BigInt(j) * d ** BigInt(degree - j)]);
  return replacePowers(p, id, rows);
}

// The terms that a test of their monomial keeps.
export function filtered(p, keep) {
  const result = new Map();
  for (const [key, value] of p) if (keep(key)) result.set(key, value);
  return result;
}
