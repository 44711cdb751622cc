// Terms: data, states, arithmetic, folds and sets of tokens.

import { Bodies } from "./bodies.js";
import { LIMITS, Undefined, require } from "./limits.js";
import * as R from "./numbers.js";
import { Sequence } from "./sequences.js";
import * as M from "./tensors.js";
import { TRUE, UNDECIDED } from "./truth.js";
import * as V from "./values.js";

export class Terms extends Bodies {
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
        return this.absolute(number(0));
      case "min":
        return this.better(number(0), number(1), 1);
      case "max":
        return this.better(number(0), number(1), -1);
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

  vector(node, env) {
    return this.force(this.term(node, env));
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
    if (node.sort === "vector" || node.sort === "matrix") {
      const zero = M.zeroMatrix(value.zero ? this.knownDimension() : 1);
      if (node.sort === "vector") return M.vectorItems(value.zero ? { nums: zero.rows[0], den: 1n } : this.force(value)).map(number);
      return M.matrixItems(value.zero ? zero : value).map((row) => row.map(number));
    }
    return number(value);
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
    const { op, sort } = node;
    let result = null;
    let count = 0;
    this.overBinder(node.binder, env, (inner) => {
      let value = this.term(node.body, inner);
      if (sort === "vector") value = this.force(value);
      else if (sort === "scalar") value = this.plain(value);
      count++;
      if (result === null) result = value;
      else if (op === "least" || op === "greatest") result = this.better(result, value, op === "least" ? 1 : -1);
      else if (op === "prod") result = V.mul(result, value);
      else if (sort === "vector") result = M.addVectors(result, value);
      else if (sort === "matrix") result = M.addMatrices(result, value);
      else result = V.add(result, value);
    });
    if (count === 0) {
      if (op === "prod") return R.ONE;
      if (op !== "sum") throw new Undefined(`${op} over nothing`);
      return sort === "scalar" ? R.ZERO : M.ZERO;
    }
    if (op !== "mean") return result;
    const share = R.ratio(1n, BigInt(count));
    return sort === "vector" ? M.scaleVector(share, result) : V.mul(share, result);
  }

  pick() {
    throw new Undefined("pick outside a step");
  }
}

export function checkCount(low, high) {
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
