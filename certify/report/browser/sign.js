// The sign rule (section 6): is a polynomial shown to be >= 0, or > 0, at all times of a range?

import * as R from "./numbers.js";
import * as P from "./polynomial.js";
import { T } from "./symbols.js";
import { isRational } from "./values.js";

export class Range {
  // start, start + period, ...: steps of them after the first, or null for ever. The others may be left out:
  // trap: {time, vertices, den, tangent}; contraction: {top(), mayVanish}; isPsd: asks the lemma on a constant matrix.
  constructor(symbols, { start = 0n, period = 1n, steps = null, trap = null, contraction = null, isPsd = null } = {}) {
    Object.assign(this, { symbols, start, period, steps, trap, contraction, isPsd });
  }

  // Is the quotient shown to be >= 0 (strict: > 0)?
  above(a, strict) {
    if (isRational(a)) return strict ? a.n > 0n : a.n >= 0n;
    if (this.shown(a.D, true)) return this.shown(a.N, strict);
    return this.shown(P.neg(a.D), true) && this.shown(P.neg(a.N), strict);
  }

  shown(p, strict) {
    if (P.isConstant(p)) return strict ? P.constantOf(p) > 0n : P.constantOf(p) >= 0n;
    const ids = [...P.symbolsOf(p)];
    const typed = (type) => ids.filter((id) => this.symbols.of(id).type === type);
    const linear = typed("b").find((id) => P.degreeIn(p, id) === 1);
    if (linear !== undefined) return this.atBothEnds(p, linear, strict);
    const unknown = typed("u");
    if (unknown.length > 0) return this.onHull(p, unknown, strict);
    const single = ids.length === 1 && "ces".includes(this.symbols.of(ids[0]).type);
    if (single && P.degreeIn(p, ids[0]) <= 2) return this.quadratic(p, ids[0], strict);
    return this.byCoefficients(p, ids, strict);
  }

  atBothEnds(p, id, strict) {
    const { low, high } = this.symbols.of(id);
    return this.shown(P.substitute(p, id, low.n, low.d), strict) && this.shown(P.substitute(p, id, high.n, high.d), strict);
  }

  // The largest value of c, of a share or of a fading power.
  top(id) {
    const { type, r } = this.symbols.of(id);
    if (type === "s") return R.ONE;
    return type === "c" ? this.contraction.top() : R.power(r, this.start);
  }

  mayVanish(id) {
    return this.symbols.of(id).type === "c" && this.contraction.mayVanish;
  }

  quadratic(p, id, strict) {
    const { n, d } = this.top(id);
    const [a, b, c] = [0, 1, 2].map((k) => (p.get(P.factor(id, k)) ?? 0n) * n ** BigInt(k) * d ** BigInt(2 - k));
    return quadraticAbove(a, b, c, strict) && !(strict && this.mayVanish(id) && a <= 0n);
  }

  byCoefficients(p, ids, strict) {
    if (strict && ids.some((id) => this.mayVanish(id))) return false;
    let result = p;
    const tops = [];
    for (const id of ids) {
      const degree = P.degreeIn(p, id);
      const { type } = this.symbols.of(id);
      if (type === "t" && this.steps === 0n) {
        result = P.substitute(result, T, this.start, 1n);
        continue;
      }
      const rows = type === "t" ? this.timeRows(degree) : type === "b" ? this.boundRows(id, degree) : this.fadingRows(id, degree);
      result = P.replacePowers(result, id, rows);
      // These symbols reach infinity, where the top power decides.
      if (type === "b" || (type === "t" && this.steps !== null)) tops.push(P.factor(id, degree));
    }
    for (const value of result.values()) if (value < 0n) return false;
    if (!strict) return true;
    // With fewer terms than corners some corner is missing.
    if (result.size < 2 ** tops.length) return false;
    const corners = tops.reduce((keys, top) => keys.flatMap((key) => [key, P.joined(key, top)]), [""]);
    return corners.every((key) => (result.get(key) ?? 0n) > 0n);
  }

  // Powers of (largest value)/(1 + u) times (1 + u)^degree.
  fadingRows(id, degree) {
    const { n, d } = this.top(id);
    const rows = [];
    for (let j = 0; j <= degree; j++) {
      const scale = n ** BigInt(j) * d ** BigInt(degree - j);
      rows.push(binomial(degree - j).map((w) => w * scale));
    }
    return rows;
  }

  // Powers of low + (high - low) u/(1 + u) = (low + high*u)/(1 + u) times (1 + u)^degree.
  boundRows(id, degree) {
    const { low, high } = this.symbols.of(id);
    const [a, b, d] = [low.n * high.d, high.n * low.d, low.d * high.d];
    const rows = [];
    for (let j = 0; j <= degree; j++) {
      const row = new Array(degree + 1).fill(0n);
      binomial(j).forEach((w, l) => {
        const scale = w * a ** BigInt(j - l) * b ** BigInt(l) * d ** BigInt(degree - j);
        binomial(degree - j).forEach((v, m) => (row[l + m] += v * scale));
      });
      rows.push(row);
    }
    return rows;
  }

  // Powers of t = start + period*k as polynomials in k, or in u for k = steps*u/(1 + u) times (1 + u)^degree.
  timeRows(degree) {
    const rows = [];
    for (let j = 0; j <= degree; j++) {
      const inK = binomial(j).map((w, l) => w * this.start ** BigInt(j - l) * this.period ** BigInt(l));
      if (this.steps === null) {
        rows.push(inK);
        continue;
      }
      const inU = new Array(degree + 1).fill(0n);
      inK.forEach((coefficient, l) => {
        const scale = coefficient * this.steps ** BigInt(l);
        if (scale !== 0n) binomial(degree - l).forEach((w, m) => (inU[l + m] += w * scale));
      });
      rows.push(inU);
    }
    return rows;
  }

  // One unknown point u of a hull, degree at most 2 in it.
  onHull(p, ids, strict) {
    const points = new Set(ids.map((id) => this.symbols.of(id).point));
    if (this.trap === null || points.size > 1) return false;
    const parts = new Map();
    for (const [key, value] of p) {
      let rest = key;
      const coordinates = [];
      for (const id of ids) {
        for (let k = P.exponentOf(key, id); k > 0; k--) coordinates.push(this.symbols.of(id).coordinate);
        rest = P.without(rest, id);
      }
      if (coordinates.length > 2) return false;
      const part = coordinates.sort((a, b) => a - b).join(" ");
      if (!parts.has(part)) parts.set(part, new Map());
      parts.get(part).set(rest, value);
    }
    const { vertices, den, tangent } = this.trap;
    const squares = [...parts.keys()].filter((part) => part.includes(" "));
    if (squares.length > 0) {
      const shape = this.quadraticShape(parts, vertices[0].length);
      if (shape === null) return false;
      const concave = this.shown(P.neg(shape.f), false);
      if (!concave && (tangent === null || !this.shown(shape.f, false))) return false;
      if (!this.isPsd(shape.matrix)) return false;
      if (!concave) return this.atVertices(linearised(parts, tangent), vertices, den, strict);
    }
    return this.atVertices(parts, vertices, den, strict);
  }

  // The quadratic part as f*M with a constant matrix M, or null.
  quadraticShape(parts, dimension) {
    let f = null;
    for (let k = 0; k < dimension && f === null; k++) f = parts.get(`${k} ${k}`) ?? null;
    if (f === null) return null;
    const [key, value] = f.entries().next().value;
    const matrix = Array.from({ length: dimension }, () => new Array(dimension).fill(R.ZERO));
    for (const [part, q] of parts) {
      if (!part.includes(" ")) continue;
      const other = q.get(key) ?? 0n;
      if (!P.equal(P.scale(q, value), P.scale(f, other))) return null;
      const [a, b] = part.split(" ").map(Number);
      const entry = R.reduced(R.ratio(other, a === b ? value : 2n * value));
      matrix[a][b] = entry;
      matrix[b][a] = entry;
    }
    return { f, matrix };
  }

  atVertices(parts, vertices, den, strict) {
    return vertices.every((vertex) => {
      let sum = new Map();
      for (const [part, q] of parts) {
        const coordinates = part === "" ? [] : part.split(" ");
        let scale = coordinates.length < 2 ? den : 1n;
        if (coordinates.length < 1) scale *= den;
        for (const k of coordinates) scale *= vertex[Number(k)];
        sum = P.add(sum, P.scale(q, scale));
      }
      return this.shown(sum, strict);
    });
  }
}

// u_a u_b -> p_a u_b + p_b u_a - p_a p_b, all multiplied by the square of the tangent's denominator.
function linearised(parts, { nums, den }) {
  const result = new Map();
  const put = (part, q, scale) => result.set(part, P.add(result.get(part) ?? new Map(), P.scale(q, scale)));
  for (const [part, q] of parts) {
    if (!part.includes(" ")) {
      put(part, q, den * den);
      continue;
    }
    const [a, b] = part.split(" ").map(Number);
    put(String(b), q, nums[a] * den);
    put(String(a), q, nums[b] * den);
    put("", q, -nums[a] * nums[b]);
  }
  return result;
}

// a + b s + c s^2 >= 0 (strict: > 0) for all s in (0, 1].
export function quadraticAbove(a, b, c, strict) {
  const end = a + b + c;
  const slope = 2n * a + b;
  if (a < 0n || end < 0n || (strict && end === 0n)) return false;
  if (slope >= 0n) return true;
  const left = slope * slope;
  const right = 4n * a * end;
  return strict ? left < right : left <= right;
}

const rowsOfPascal = [[1n]];

function binomial(n) {
  while (rowsOfPascal.length <= n) {
    const last = rowsOfPascal.at(-1);
    rowsOfPascal.push([1n, ...last.slice(1).map((w, k) => w + last[k]), 1n]);
  }
  return rowsOfPascal[n];
}
