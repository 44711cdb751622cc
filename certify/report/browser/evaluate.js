// Formulas (section 6), at concrete times or on a range. They are generators: long work is done in slices.

import { checkCount } from "./folds.js";
import { collectFree } from "./free.js";
import { NeedState, Undefined, require } from "./limits.js";
import { Memory } from "./memory.js";
import * as R from "./numbers.js";
import * as P from "./polynomial.js";
import { ATOMS, LIMIT_ATOMS } from "./sorts.js";
import * as M from "./tensors.js";
import { Terms } from "./terms.js";
import { FALSE, TRUE, UNDECIDED, both, opposite } from "./truth.js";
import * as V from "./values.js";

export class Evaluator extends Terms {
  get mayPlan() {
    return this.range === this.point && this.insideRanges === 0 && this.insideShares === 0 && !this.withoutPlans;
  }

  *truth(node, env) {
    const { op, args } = node;
    if (ATOMS.has(op)) return yield* this.atom(node, env);
    switch (op) {
      case "not":
        return opposite(yield* this.truth(args[0], env));
      case "and": {
        const left = yield* this.truth(args[0], env);
        return left === FALSE ? FALSE : both(left, yield* this.truth(args[1], env));
      }
      case "or": {
        const left = opposite(yield* this.truth(args[0], env));
        return left === FALSE ? TRUE : opposite(both(left, opposite(yield* this.truth(args[1], env))));
      }
      case "implies": {
        const left = yield* this.truth(args[0], env);
        return left === FALSE ? TRUE : opposite(both(left, opposite(yield* this.truth(args[1], env))));
      }
      case "iff": {
        const left = yield* this.truth(args[0], env);
        const right = yield* this.truth(args[1], env);
        if (left === UNDECIDED || right === UNDECIDED) return UNDECIDED;
        return left === right ? TRUE : FALSE;
      }
      case "use": {
        const inner = yield* this.attempt(() => this.callEnvironment(node, env));
        return inner === null ? UNDECIDED : yield* this.truth(node.definition.body, inner);
      }
      case "forall":
      case "exists":
        if (node.time === null) return yield* this.block(node, node.binders, env, null);
        if (!this.mayPlan || node.path === null) return UNDECIDED;
        return yield* this.plans.quantifier(node, env);
      default:
        require(LIMIT_ATOMS.has(op), `unknown formula ${op}`);
        this.countAtom();
        if (!this.mayPlan || node.path === null) return UNDECIDED;
        return yield* this.plans.limit(node, env);
    }
  }

  countAtom() {
    this.count();
    if (this.insideSets === 0) this.atoms++;
  }

  *atom(node, env) {
    this.countAtom();
    if ((++this.ticks & 127) === 0) yield;
    const result = yield* this.attempt(() => this.decide(node, env));
    return result === null ? UNDECIDED : result;
  }

  // What a function gives, with the states that it needs computed in slices; null where it is undefined.
  *attempt(evaluate) {
    for (;;) {
      const { insideSets } = this;
      const { total } = this.counter;
      try {
        return evaluate();
      } catch (error) {
        if (error instanceof Undefined) {
          this.insideSets = insideSets;
          return null;
        }
        if (!(error instanceof NeedState)) throw error;
        this.counter.total = total;
        this.insideSets = insideSets;
        yield* this.trajectory.advance(error.time);
      }
    }
  }

  // A block of binders from left to right. info, if given, learns where it was decided and whether anything before was not.
  *block(node, binders, env, info) {
    if (binders.length === 0) {
      const result = yield* this.truth(node.body, env);
      if (info !== null) {
        if (result === UNDECIDED) info.undecided = true;
        else if (result === (node.op === "forall" ? FALSE : TRUE)) info.values = new Map(env);
      }
      return result;
    }
    const [binder, ...rest] = binders;
    const decisive = node.op === "forall" ? FALSE : TRUE;
    const domain = yield* this.attempt(() => this.domain(binder, env));
    if (domain === null || (domain.moving && this.dependsOnTime(node, rest, binder.name, env))) {
      if (info !== null) info.undecided = true;
      return UNDECIDED;
    }
    let result = opposite(decisive);
    const inner = new Map(env);
    const run = (value) => {
      this.count();
      inner.set(binder.name, value);
      return this.block(node, rest, inner, info);
    };
    if (domain.moving) return yield* this.movingRange(domain, decisive, run);
    const share = binder.word === "share" ? 1 : 0;
    this.insideShares += share;
    try {
      for (const value of domain.values()) {
        const one = yield* run(value);
        if (one === decisive) return decisive;
        if (one === UNDECIDED) result = UNDECIDED;
      }
    } finally {
      this.insideShares -= share;
    }
    return result;
  }

  // s from a to t + m on a range, the body not depending on t.
  *movingRange({ low, offset }, decisive, run) {
    const { start, period } = this.range;
    checkCount(low, start + offset);
    for (let s = low; s <= start + offset; s++) {
      const one = yield* this.concretely(run(R.integer(s)));
      if (one !== opposite(decisive)) return one;
    }
    if (period !== 1n) return UNDECIDED;
    const rest = yield* run(V.fromTime({ slope: 1n, offset: 0n }));
    return rest === opposite(decisive) ? rest : UNDECIDED;
  }

  // Runs a generator with the evaluation at concrete times, plans left out.
  *concretely(generator) {
    const before = this.range;
    this.range = this.point;
    this.insideRanges++;
    const result = yield* generator;
    this.insideRanges--;
    this.range = before;
    return result;
  }

  dependsOnTime(node, binders, name, env) {
    const names = new Set();
    const inner = new Set([name]);
    for (const binder of binders) {
      for (const bound of binder.bounds) collectFree(bound, inner, names);
      inner.add(binder.name);
    }
    collectFree(node.body, inner, names);
    for (const free of names) if (env.has(free) && this.isMoving(env.get(free))) return true;
    return false;
  }

  // Shares and coordinates of a box are the same at all times.
  isMoving(value) {
    if (value === null || typeof value !== "object") return false;
    if (value.state) return value.state.time.slope !== 0n;
    if (value.items !== undefined) return value.items.flat().some((item) => this.isMoving(item));
    if (value.N === undefined) return false;
    return [value.N, value.D].some((p) => [...P.symbolsOf(p)].some((id) => !this.symbols.of(id).fixed));
  }

  decide(node, env) {
    const { op, args } = node;
    switch (op) {
      case "le":
      case "lt":
        return this.less(this.term(args[0], env), this.term(args[1], env), op === "lt");
      case "ge":
      case "gt": {
        const left = this.term(args[0], env);
        return this.less(this.term(args[1], env), left, op === "gt");
      }
      case "eq":
        return this.same(node.of, this.term(args[0], env), this.term(args[1], env));
      case "ne":
        return opposite(this.same(node.of, this.term(args[0], env), this.term(args[1], env)));
      case "in": {
        const left = this.term(args[0], env);
        const right = this.term(args[1], env);
        if (node.of === "token") return right.includes(left) ? TRUE : FALSE;
        return node.of === "region" ? this.inRegion(left, right) : this.inHull(left, right);
      }
      case "subset": {
        const left = this.term(args[0], env);
        const right = this.term(args[1], env);
        return node.of === "region" ? this.cellSubset(left, right) : this.subset(left, right);
      }
      case "box":
        return this.startsFillBox(this.term(args[0], env));
      case "edge":
        return this.edge(this.term(args[0], env), this.term(args[1], env), this.term(args[2], env));
      default:
        return this.definite(op, this.term(args[0], env));
    }
  }

  same(sort, a, b) {
    if (sort === "scalar") return this.sameNumber(a, b);
    if (sort === "token") return a === b ? TRUE : FALSE;
    if (sort === "region") return this.sameCells(a, b);
    const difference = sort === "vector" ? this.subtract("vector", a, b) : M.addMatrices(a, M.scaleMatrix(R.integer(-1), b));
    if (difference.zero) return TRUE;
    if (difference.nums) return difference.nums.every((n) => n === 0n) ? TRUE : FALSE;
    if (difference.rows) return difference.rows.every((row) => row.every((n) => n === 0n)) ? TRUE : FALSE;
    return difference.items.flat().reduce((result, item) => both(result, this.sameNumber(item, R.ZERO)), TRUE);
  }
}

// The evaluation of one token's step of a system that has no code of its own.
export class StepEvaluator extends Evaluator {
  // Values here depend on the present state, which no name in them tells: nothing is remembered.
  memory = new Memory(0);

  readState(node, env) {
    const { rows, den } = this.current;
    return { nums: rows[this.term(node.indices[0], env)], den };
  }

  pick(leaders) {
    if (leaders.length === 0) throw new Undefined("pick from nothing");
    const { rows, den } = this.current;
    const target = this.trajectory.target(rows, leaders, this.time, this.token);
    return { nums: target.nums, den: den * target.den };
  }

  next(step, state, time, token) {
    Object.assign(this, { current: state, time, token });
    const env = new Map([["i", token], ["t", R.integer(time)]]);
    const vector = this.force(this.term(step, env));
    if (vector.zero) return { nums: state.rows[0].map(() => 0n), den: 1n };
    if (vector.items) {
      const rows = M.constantRows([vector.items]);
      if (rows === null) throw new Undefined("a state that is not rational");
      return { nums: rows.rows[0], den: rows.den };
    }
    return vector;
  }
}
