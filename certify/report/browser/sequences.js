// Instances (section 4): exact data, sequences in time, and the proof that they are defined for all times.

import { isBox, readBox } from "./boxes.js";
import { hasKeys, isObject } from "./canonical.js";
import { LIMITS, Undefined, require } from "./limits.js";
import * as R from "./numbers.js";
import { RandomStarts, isRandom } from "./samples.js";
import { Range } from "./sign.js";
import { checkExpression, containsPower } from "./sorts.js";
import * as V from "./values.js";

// Rows of rationals as integers over one denominator.
export function overOne(rows) {
  let den = 1n;
  for (const row of rows) for (const a of row) if (den % a.d !== 0n) den *= a.d / R.gcd(den, a.d);
  return { rows: rows.map((row) => row.map((a) => a.n * (den / a.d))), den };
}

export function readVector(value, dimension = null) {
  require(Array.isArray(value) && value.length > 0 && value.length <= LIMITS.columns, "not a vector");
  require(dimension === null || value.length === dimension, "a vector of the wrong size");
  const { rows, den } = overOne([value.map(R.readExact)]);
  return { nums: rows[0], den };
}

// Points or rows; dimensions that are null are free.
function readRows(value, height = null, width = null) {
  require(Array.isArray(value) && value.length > 0 && value.length <= LIMITS.rows, "not a matrix of the right size");
  require(height === null || value.length === height, "not a matrix of the right size");
  require(Array.isArray(value[0]), "not a matrix of the right size");
  const columns = width ?? value[0].length;
  require(columns > 0 && columns <= LIMITS.columns, "not a matrix of the right size");
  return overOne(value.map((row) => {
    require(Array.isArray(row) && row.length === columns, "not a matrix of the right size");
    return row.map(R.readExact);
  }));
}

export function evaluateExpression(node, time, range) {
  const arg = (k) => evaluateExpression(node.args[k], time, range);
  switch (node.op) {
    case "num":
      return node.value;
    case "var":
      return time;
    case "neg":
      return V.neg(arg(0));
    case "add":
      return V.add(arg(0), arg(1));
    case "sub":
      return V.sub(arg(0), arg(1));
    case "mul":
      return V.mul(arg(0), arg(1));
    case "div":
      return V.div(arg(0), arg(1), range);
    default:
      return V.power(arg(0), arg(1), range);
  }
}

export class Sequence {
  constructor(kind, sort, fields) {
    Object.assign(this, { kind, sort, ...fields });
  }

  static read(value, sort, dimension, timed) {
    const single = (item) => (sort === "scalar" ? R.readExact(item) : readRows(item, dimension, dimension));
    if (!timed) return new Sequence("constant", sort, { values: [single(value)] });
    if (isObject(value)) {
      if (sort === "matrix" && hasKeys(value, ["scale", "matrix"])) {
        const scale = readExpression(value.scale);
        return new Sequence("scale", sort, { expression: scale, values: [single(value.matrix)] });
      }
      for (const kind of ["list", "cycle"]) {
        if (!hasKeys(value, [kind])) continue;
        const items = value[kind];
        require(Array.isArray(items) && items.length > 0 && items.length <= LIMITS.entries, `not a ${kind}`);
        return new Sequence(items.length === 1 ? "constant" : kind, sort, { values: items.map(single) });
      }
      require(false, "unknown form of a sequence");
    }
    if (sort === "scalar" && Array.isArray(value)) {
      return new Sequence("expression", sort, { expression: readExpression(value), values: [] });
    }
    return new Sequence("constant", sort, { values: [single(value)] });
  }

  // The value at a time that is a number, or t plus a constant on a range.
  at(time, range) {
    const { slope, offset } = V.indexTime(time, range);
    const first = slope * range.start + offset;
    const { values } = this;
    switch (this.kind) {
      case "constant":
        return values[0];
      case "list":
        if (slope === 0n) return values[first < values.length ? Number(first) : values.length - 1];
        if (first < values.length - 1) throw new Undefined("a list before its last entry");
        return values.at(-1);
      case "cycle":
        if ((slope * range.period) % BigInt(values.length) !== 0n) throw new Undefined("a cycle of another period");
        return values[Number(first % BigInt(values.length))];
      case "expression":
        return evaluateExpression(this.expression, time, range);
      default:
        return scaleMatrix(evaluateExpression(this.expression, time, range), values[0]);
    }
  }

  // The values that the sequence takes from a time on, if they are finitely many, else null.
  valuesFrom(start) {
    if (this.expression) return null;
    if (this.kind !== "list") return this.values;
    return this.values.slice(start < this.values.length ? Number(start) : -1);
  }

  // The period at which one range a residue class can be expected to work.
  get naturalPeriod() {
    if (this.kind === "cycle") return this.values.length;
    return this.expression && containsPower(this.expression) ? 2 : 1;
  }
}

export function readExpression(value) {
  require(Array.isArray(value), "not an expression");
  return checkExpression(value);
}

export function scaleMatrix(a, matrix) {
  if (V.isRational(a)) {
    return { rows: matrix.rows.map((row) => row.map((n) => R.checkedSize(n * a.n))), den: R.checkedSize(matrix.den * a.d) };
  }
  return { items: matrix.rows.map((row) => row.map((n) => V.mul(a, R.ratio(n, matrix.den)))) };
}

// Does a test hold at all times >= start? The rule of section 4: some range by the sign rule, the times before it singly.
// The test takes a time and a range; what is undefined counts as failing.
export function everywhere(symbols, start, period, test) {
  const passes = (time, range) => {
    try {
      return test(time, range);
    } catch (error) {
      if (error instanceof Undefined) return false;
      throw error;
    }
  };
  const moving = V.fromTime({ slope: 1n, offset: 0n });
  for (let count = 0n; count <= 4096n; count = count === 0n ? 1n : count * 2n) {
    let decided = true;
    for (let k = 0n; k < BigInt(period) && decided; k++) {
      decided = passes(moving, new Range(symbols, { start: start + count + k, period: BigInt(period) }));
    }
    if (!decided) continue;
    const point = new Range(symbols, { start: 0n, steps: 0n });
    for (let k = 0n; k < count; k++) if (!passes(R.integer(start + k), point)) return false;
    return true;
  }
  return false;
}

// A test of every value of a scalar sequence from a time on; for expressions by the rule above.
export function allValues(symbols, sequence, start, test) {
  const values = sequence.valuesFrom(start);
  const point = new Range(symbols, { start: 0n, steps: 0n });
  if (values !== null) return values.every((value) => test(value, point));
  const { expression } = sequence;
  return everywhere(symbols, start, containsPower(expression) ? 2 : 1, (time, range) =>
    test(evaluateExpression(expression, time, range), range));
}

// The tokens at time 0: {start}, or {box}, or {random} for a statistic.
function readStart(x, isStatistic, symbols) {
  if (isRandom(x)) {
    require(isStatistic, "random starts are for statistics");
    const random = new RandomStarts(x);
    return { random, dimension: random.dimension, count: random.tokens };
  }
  require(!isStatistic, "a statistic without random starts");
  if (isBox(x)) {
    const box = readBox(x, symbols);
    return { box, dimension: box.start[0].items.length, count: box.start.length };
  }
  const start = readRows(x);
  return { start, dimension: start.rows[0].length, count: start.rows.length };
}

// The data of an instance by name.
export function readInstance(instance, claim, system, symbols) {
  require(isObject(instance), "the instance is not an object");
  const names = ["system", ...(system ? ["x", ...system.data.map((entry) => entry.name)] : []), ...claim.given.map((g) => g.name)];
  require(hasKeys(instance, names), "the instance has other keys than the claim needs");
  require(instance.system === claim.systemName, "the instance is of another system");
  const data = new Map();
  let dimension = null;
  let tokens = null;
  require(system || claim.kind !== "statistic", "a statistic without tokens");
  if (system) {
    tokens = readStart(instance.x, claim.kind === "statistic", symbols);
    ({ dimension } = tokens);
    for (const { name, sort, kind, timed } of system.data) {
      const sequence = Sequence.read(instance[name], sort, dimension, timed);
      data.set(name, sequence);
      const inside = (value, range) =>
        kind !== "step size" || (range.above(value, false) && range.above(V.sub(R.ONE, value), false));
      require(
        sort === "scalar" || sequence.kind === "scale" ? allValues(symbols, sequence, 0n, inside) : true,
        `${name} is not shown to be ${kind === "step size" ? "in [0,1]" : "defined"} for all t`,
      );
    }
  }
  for (const { name, sort, relation, value } of claim.given) {
    const given = readGiven(instance[name], sort, dimension);
    if (sort !== "scalar") dimension = (given.nums ?? given.rows[0]).length;
    if (relation !== null) {
      const order = R.compare(given, value);
      require({ le: order <= 0, lt: order < 0, ge: order >= 0, gt: order > 0 }[relation], `${name} is not in its range`);
    }
    data.set(name, given);
  }
  return { data, dimension, tokens };
}

function readGiven(value, sort, dimension) {
  if (sort === "scalar") return R.readExact(value);
  if (sort === "vector") return readVector(value, dimension);
  const rows = readRows(value, sort === "matrix" ? dimension : null, dimension);
  require(sort === "cloud" || rows.rows.length === rows.rows[0].length, "not a square matrix");
  return rows;
}
