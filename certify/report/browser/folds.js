// Folds and sets of tokens: what runs over the values of a binder.

import { Bodies } from "./bodies.js";
import { LIMITS, Undefined, require } from "./limits.js";
import { Memory } from "./memory.js";
import * as R from "./numbers.js";
import * as M from "./tensors.js";
import { TRUE, UNDECIDED } from "./truth.js";
import * as V from "./values.js";

export class Folds extends Bodies {
  memory = new Memory();

  // The values of a binder, in order.
  domain(binder, env) {
    if (binder.word === "share") {
      if (this.range.trap !== null) throw new Undefined("a share in a trap");
      return { values: () => [V.fromSymbol(this.symbols.share(this.insideShares))] };
    }
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
    return { values: () => timesBetween(low.offset, high.offset), low: low.offset, high: high.offset };
  }

  // Calls visit with the environment of each value of a binder.
  overBinder(binder, env, visit) {
    const domain = this.domain(binder, env);
    if (domain.moving) throw new Undefined("a range that ends at a moving time");
    this.over(domain, null, binder, env, visit);
  }

  // The same, for times from a later one on.
  over(domain, from, binder, env, visit) {
    const inner = new Map(env);
    for (const value of from === null ? domain.values() : timesBetween(from, domain.high)) {
      this.count();
      inner.set(binder.name, value);
      visit(inner, value);
    }
  }

  // A value that depends only on concrete times and tokens is computed once. What it counted is counted again, so that
  // the limits do not depend on what is remembered.
  remembered(node, env, evaluate) {
    const key = this.memory.key(this, node, env);
    if (key === null) return evaluate();
    const found = this.memory.get(node, key);
    if (found !== undefined) {
      this.count(found.counted);
      return found.value;
    }
    const before = this.counter.total;
    const value = evaluate();
    this.memory.put(node, key, { value, counted: this.counter.total - before });
    return value;
  }

  leaders(node, env) {
    const scores = [];
    this.overBinder(node.binder, env, (inner, token) => scores.push({ token, value: this.term(node.body, inner) }));
    if (scores.length === 0) throw new Undefined(`${node.op} over nothing`);
    const ahead = (a, b) => (node.op === "argmin" ? this.less(a, b, true) : this.less(b, a, true)) === TRUE;
    // Every other token is shown equal to a leader or behind it. The best in order of comparison is tried first.
    let best = scores[0];
    for (const score of scores) if (ahead(score.value, best.value)) best = score;
    for (const { value } of [best, ...scores]) {
      const places = scores.map((score) => {
        if (score.value === value || this.sameNumber(score.value, value) === TRUE) return true;
        return ahead(value, score.value) ? false : null;
      });
      if (!places.includes(null)) return scores.filter((_, k) => places[k]).map(({ token }) => token);
    }
    throw new Undefined("numbers whose order is not shown");
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

  // What is folded up to some time is kept, so that the next time goes on from there.
  fold(node, env) {
    const product = this.remainingProduct(node, env);
    if (product !== null) return product;
    const { op, sort, binder } = node;
    const domain = this.domain(binder, env);
    if (domain.moving) throw new Undefined("a range that ends at a moving time");
    const known = this.memory.fold(this, node, env, domain);
    let { result, count } = known;
    const before = this.counter.total;
    this.count(known.counted);
    this.over(domain, known.next, binder, env, (inner) => {
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
    known.keep({ result, count, counted: this.counter.total - before });
    if (op !== "mean") return result;
    const share = R.ratio(1n, BigInt(count));
    return sort === "vector" ? M.scaleVector(share, result) : V.mul(share, result);
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
