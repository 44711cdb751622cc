// Plans (section 7): how a quantifier over unbounded time, or a limit, is decided.

import { RangeLimits, TrapLimits } from "./asymptotics.js";
import { hasKeys, isObject } from "./canonical.js";
import { FALSE, TRUE, UNDECIDED, both } from "./truth.js";
import { LIMITS, Undefined, require } from "./limits.js";
import * as M from "./tensors.js";
import * as R from "./numbers.js";
import { Range } from "./sign.js";
import { evaluateExpression, readExpression, readVector } from "./sequences.js";
import * as V from "./values.js";

const MOVING = V.fromTime({ slope: 1n, offset: 0n });
const FIELDS = {
  each: [["by", "from", "to"], []],
  range: [["by", "from", "to", "period"], []],
  trap: [["by", "from", "to", "period", "T"], ["tangent", "rate"]],
};

function readStep(value, dimension) {
  require(isObject(value) && typeof value.by === "string" && Object.hasOwn(FIELDS, value.by), "not a step of a plan");
  require(hasKeys(value, ...FIELDS[value.by]), "a step with other fields");
  const step = { by: value.by, from: R.readTime(value.from), to: R.readTimeOrForever(value.to) };
  require(step.to === R.FOREVER || step.from <= step.to, "a step ends before it begins");
  if (step.by === "each") {
    require(step.to !== R.FOREVER, "times one by one, for ever");
    return step;
  }
  require(Number.isInteger(value.period) && value.period >= 1 && value.period <= LIMITS.period, "not a period");
  step.period = BigInt(value.period);
  if (step.by === "trap") {
    step.time = R.readTime(value.T);
    step.tangent = value.tangent === undefined ? null : readVector(value.tangent, dimension);
    step.rate = value.rate === undefined ? null : readExpression(value.rate);
  }
  return step;
}

export class Plans {
  // lines: the object plans.lines; theories: the set of theories used
  constructor(lines, dimension, theories) {
    require(isObject(lines), "the plans are not an object");
    this.theories = theories;
    this.used = new Set();
    this.steps = new Map(Object.entries(lines).map(([key, list]) => {
      require(Array.isArray(list) && list.length > 0, `the plan of ${key} is not a list of steps`);
      const steps = list.map((value) => readStep(value, dimension));
      steps.forEach((step, k) => {
        const before = steps[k - 1];
        require(k === 0 || (before.to !== R.FOREVER && before.to < step.from), "the steps of a plan are not in order");
      });
      return [key, steps];
    }));
    this.evaluator = null;
  }

  find(path) {
    if (this.steps.has(path)) this.used.add(path);
    return this.steps.get(path) ?? null;
  }

  checkAllUsed() {
    require(this.used.size === this.steps.size, "a plan is not used");
  }

  // Inside a formula: true for a forall, or false for an exists, only with scope for ever.
  *quantifier(node, env) {
    const { result, scope, decided } = yield* this.run(node, env);
    return decided || scope === R.FOREVER ? result : UNDECIDED;
  }

  // {result, scope} if every step went the same way; {result, decided, time, values, first} if one decided it.
  *run(node, env) {
    const { evaluator } = this;
    const steps = this.find(node.path);
    const nothing = { result: UNDECIDED, scope: null, decided: false };
    if (steps === null) return nothing;
    const decisive = node.op === "forall" ? FALSE : TRUE;
    const lowest = yield* evaluator.attempt(() => this.lowest(node, env));
    if (lowest === null) return nothing;
    const rest = node.binders.filter((binder) => binder !== node.time);
    let next = lowest;
    let gap = false;
    for (const [k, step] of steps.entries()) {
      require(step.from >= next, "a plan begins before the times of its quantifier");
      require(step.rate == null, "a rate for a quantifier");
      if (step.from > next) gap = true;
      const found = yield* this.runStep(step, node, rest, env, decisive);
      if (found !== null) {
        require(k === steps.length - 1, "a step follows the one that decides");
        return { result: decisive, decided: true, time: found.time, values: found.values, first: !gap && !found.undecided };
      }
      next = step.to === R.FOREVER ? null : step.to + 1n;
    }
    require(!gap, "a plan leaves out some times");
    return { result: decisive === FALSE ? TRUE : FALSE, scope: steps.at(-1).to, decided: false };
  }

  lowest(node, env) {
    const { bounds } = node.time;
    if (bounds.length === 0) return 0n;
    const time = V.linearTime(this.evaluator.term(bounds[0], env));
    if (time === null || time.slope !== 0n || time.offset < 0n) throw new Undefined("a bound that is not a time");
    return time.offset;
  }

  // null if the body goes the common way at all times of the step, else where it does not.
  *runStep(step, node, rest, env, decisive) {
    const { evaluator } = this;
    const inner = new Map(env);
    const body = function* (value) {
      const info = { undecided: false, values: null };
      evaluator.count();
      inner.set(node.time.name, value);
      const result = yield* evaluator.block(node, rest, inner, info);
      require(result !== UNDECIDED, "a step of a plan is undecided");
      return result === decisive ? info : null;
    };
    if (step.by === "each") {
      for (let t = step.from; t <= step.to; t++) {
        const info = yield* body(R.integer(t));
        if (info !== null) return { time: t, ...info };
      }
      return null;
    }
    const trap = step.by === "trap" ? yield* this.trap(step) : null;
    for (const range of this.classes(step, trap)) {
      const info = yield* this.on(range, body(MOVING));
      if (info !== null) return { time: range.start, ...info };
    }
    return null;
  }

  // Runs a generator with the evaluation on a range.
  *on(range, generator) {
    const { evaluator } = this;
    const before = evaluator.range;
    evaluator.range = range;
    const result = yield* generator;
    evaluator.range = before;
    return result;
  }

  *classes({ from, to, period }, trap) {
    const { evaluator } = this;
    for (let start = from; start < from + period; start++) {
      if (to !== R.FOREVER && start > to) return;
      yield new Range(evaluator.symbols, {
        start,
        period,
        steps: to === R.FOREVER ? null : (to - start) / period,
        trap,
        contraction: evaluator.regime?.contractionFrom(start) ?? null,
        isPsd: (matrix) => this.asksPsd(matrix),
      });
    }
  }

  asksPsd(matrix) {
    return this.evaluator.lemmas.ask("psd", M.constantRows(matrix)).value;
  }

  // The hull of the tokens at T, of which nothing is known but that it holds the later ones.
  *trap({ time, tangent }) {
    const { evaluator } = this;
    require(evaluator.trajectory?.native, "a trap for another system");
    const state = yield* evaluator.attempt(() => evaluator.stateAt(time));
    require(state !== null, "the state of a trap is undetermined");
    this.theories.add("trap/1");
    return { time, vertices: state.rows, den: state.den, tangent };
  }

  *limit(node, env) {
    const { evaluator } = this;
    const steps = this.find(node.path);
    if (steps === null) return UNDECIDED;
    require(steps.length === 1 && steps[0].by !== "each" && steps[0].to === R.FOREVER, "not a plan of a limit");
    const [step] = steps;
    const trap = step.by === "trap" ? yield* this.trap(step) : null;
    let result = TRUE;
    const inner = new Map(env).set(node.name, MOVING);
    for (const range of this.classes(step, trap)) {
      const one = yield* this.on(range, evaluator.attempt(() => this.limitOn(node, inner, range, step)));
      if (one === null) return UNDECIDED;
      result = both(result, one);
      if (result === FALSE) return FALSE;
    }
    return result;
  }

  limitOn(node, env, range, step) {
    const { evaluator } = this;
    const { op, of } = node;
    const [a, b] = node.args.map((arg) => evaluator.term(arg, env));
    let difference = null;
    if (op === "tends") difference = of === "vector" ? evaluator.subtract(of, a, b) : V.sub(evaluator.plain(a), evaluator.plain(b));
    if (step.by === "trap" && step.rate === null) throw new Undefined("a limit on a trap without a rate");
    const rules = step.by === "range"
      ? new RangeLimits(evaluator, range)
      : new TrapLimits(evaluator, range, evaluateExpression(step.rate, MOVING, range));
    if (op === "geometric") return rules.geometric(evaluator.plain(a));
    if (op === "bigO") return rules.bigO(evaluator.plain(a), evaluator.plain(b));
    if (of === "scalar") return rules.tends([difference], true);
    return difference.zero ? TRUE : rules.tends(M.vectorItems(difference), false);
  }
}
