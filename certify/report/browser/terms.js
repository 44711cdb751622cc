// Terms: data, states, arithmetic.

import { Folds } from "./folds.js";
import { Undefined } from "./limits.js";
import * as R from "./numbers.js";
import { Sequence } from "./sequences.js";
import * as M from "./tensors.js";
import { TRUE } from "./truth.js";
import * as V from "./values.js";

export class Terms extends Folds {
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
      case "point":
        return { kind: op, vector: this.term(args[0], env), body: this.term(args[1], env) };
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
        return this.remembered(node, env, () => this.leaders(node, env));
      case "set":
        return this.remembered(node, env, () => this.builder(node, env));
      case "pick":
        return this.pick(this.term(args[0], env));
      default:
        return this.remembered(node, env, () => this.fold(node, env));
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
    if (this.trajectory.box) {
      if (time.slope !== 0n) throw new Undefined("tokens of a box at a moving time");
      return this.trajectory.positions(time.offset)[token];
    }
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

  pick() {
    throw new Undefined("pick outside a step");
  }
}
