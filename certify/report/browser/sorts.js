// Sorts (section 2): a claim and its system are checked and turned into nodes {op, sort, ...} that the evaluation reads.
// A node that may need a plan knows its path, the key of section 7; inside definitions there are no paths.

import { LIMITS, require } from "./limits.js";
import { readLiteral } from "./numbers.js";

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;

const WORDS = new Set(
  ("I abs and argmax argmin assert assume at bigO box card cell claim cloud d data diam edge every exists forall geometric given " +
    "greatest hull iff implies in interior kind lambda_max least lmo matrix max mean min min_over n nearest none norm not num " +
    "of or pd pick point prod psd reading relint scalar selection set source sqrt step subset sum support system tends time title " +
    "to token tokens trace transpose use value var vector vertices voronoi where x").split(" "),
);

const NUMBERS = ["integer", "time", "scalar"];
const isNumber = (sort) => NUMBERS.includes(sort);
const widest = (a, b) => NUMBERS[Math.max(NUMBERS.indexOf(a), NUMBERS.indexOf(b))];

// Operators whose arguments and result have fixed sorts.
const SIGNATURES = {
  inner: [["vector", "vector"], "scalar"],
  norm: [["vector"], "scalar"],
  sqrt: [["scalar"], "scalar"],
  abs: [["scalar"], "scalar"],
  min: [["scalar", "scalar"], "scalar"],
  max: [["scalar", "scalar"], "scalar"],
  transpose: [["matrix"], "matrix"],
  trace: [["matrix"], "scalar"],
  lambda_max: [["matrix"], "scalar"],
  diam: [["body"], "scalar"],
  card: [["tokens"], "scalar"],
  hull: [["cloud"], "body"],
  identity: [[], "matrix"],
  token_count: [[], "scalar"],
  dimension: [[], "scalar"],
  tokens: [[], "tokens"],
  vertices: [["cloud"], "tokens"],
  lmo: [["vector", "cloud"], "tokens"],
  support: [["vector", "body"], "scalar"],
  min_over: [["matrix", "vector", "body"], "scalar"],
  nearest: [["vector", "matrix", "body"], "vector"],
  interior: [["body"], "region"],
  relint: [["body"], "region"],
  cell: [["matrix", "vector", "body"], "region"],
  voronoi: [["matrix", "vector", "body"], "region"],
  point: [["vector", "body"], "region"],
  edge: [["vector", "vector", "body"], "truth"],
  le: [["scalar", "scalar"], "truth"],
  lt: [["scalar", "scalar"], "truth"],
  ge: [["scalar", "scalar"], "truth"],
  gt: [["scalar", "scalar"], "truth"],
  psd: [["matrix"], "truth"],
  pd: [["matrix"], "truth"],
  box: [["cloud"], "truth"],
  not: [["truth"], "truth"],
  and: [["truth", "truth"], "truth"],
  or: [["truth", "truth"], "truth"],
  implies: [["truth", "truth"], "truth"],
  iff: [["truth", "truth"], "truth"],
};

export const ATOMS = new Set(["le", "lt", "ge", "gt", "eq", "ne", "in", "subset", "psd", "pd", "edge", "box"]);
export const LIMIT_ATOMS = new Set(["tends", "bigO", "geometric"]);
const FOLDS = new Set(["sum", "prod", "mean", "least", "greatest"]);

function sortOfName(name) {
  if ("rst".includes(name[0])) return "time";
  return "ijkl".includes(name[0]) ? "token" : "vector";
}

function treeDepth(tree) {
  return Array.isArray(tree) ? 1 + tree.reduce((deepest, item) => Math.max(deepest, treeDepth(item)), 0) : 0;
}

const show = (tree) => (Array.isArray(tree) ? String(tree[0]) : String(tree));

class Compiler {
  // data: name -> {sort, timed}; definitions: name -> definition; step: inside a system's step
  constructor(hasTokens, step) {
    this.hasTokens = hasTokens;
    this.step = step;
    this.data = new Map();
    this.definitions = new Map();
    this.mentionsState = false;
  }

  newName(name, bound) {
    require(typeof name === "string" && NAME.test(name), `not a name: ${name}`);
    require(!WORDS.has(name), `${name} is a word of the language`);
    require(!this.data.has(name) && !this.definitions.has(name), `${name} is already a name`);
    require(!bound?.has(name), `${name} is already bound`);
    return name;
  }

  fit(node, sort, what) {
    if (node.sort === sort) return node;
    if (isNumber(node.sort) && isNumber(sort) && widest(node.sort, sort) === sort) return node;
    if (node.zero && (sort === "vector" || sort === "matrix")) return { op: "zero", sort };
    require(false, `${what}: ${node.sort} where ${sort} is needed`);
  }

  // Brings two nodes to one sort, for sums and equations.
  meet(a, b, allowed, what) {
    if (isNumber(a.sort) && isNumber(b.sort)) return [a, b, widest(a.sort, b.sort)];
    const sort = a.zero ? b.sort : a.sort;
    require(allowed.includes(sort), `${what} of ${a.sort} and ${b.sort}`);
    return [this.fit(a, sort, what), this.fit(b, sort, what), sort];
  }

  arguments(tree, count) {
    require(tree.length === count + 1, `${tree[0]} takes ${count} arguments`);
  }

  below(path, k) {
    return path === null ? null : `${path}/${k}`;
  }

  node(tree, bound, path) {
    require(Array.isArray(tree) && typeof tree[0] === "string", "not a tree");
    const op = tree[0];
    if (Object.hasOwn(SIGNATURES, op)) return this.simple(tree, bound, path);
    if (FOLDS.has(op)) return this.fold(tree, bound, path);
    const special = {
      num: this.literal,
      var: this.variable,
      at: this.at,
      use: this.use,
      neg: this.negation,
      add: this.sum,
      sub: this.sum,
      mul: this.product,
      div: this.quotient,
      pow: this.power,
      argmax: this.leaders,
      argmin: this.leaders,
      set: this.builder,
      pick: this.pick,
      eq: this.equation,
      ne: this.equation,
      in: this.membership,
      subset: this.inclusion,
      forall: this.quantifier,
      exists: this.quantifier,
      tends: this.limit,
      bigO: this.limit,
      geometric: this.limit,
    };
    require(Object.hasOwn(special, op), `unknown operator ${show(tree)}`);
    return special[op].call(this, tree, bound, path);
  }

  // A formula, definition or step as a whole.
  root(tree, bound, path) {
    require(treeDepth(tree) <= LIMITS.depth, "a tree is too deep");
    return this.node(tree, bound, path);
  }

  typed(tree, sort, bound, path) {
    return this.fit(this.node(tree, bound, path), sort, show(tree));
  }

  simple(tree, bound, path) {
    const [op, ...rest] = tree;
    const [sorts, sort] = SIGNATURES[op];
    this.arguments(tree, sorts.length);
    const args = rest.map((item, k) => this.typed(item, sorts[k], bound, this.below(path, k + 1)));
    // Nothing tells the size of a literal 0 here.
    if (["trace", "transpose", "lambda_max"].includes(op)) require(args[0].op !== "zero", `${op} of 0`);
    return { op, sort, args, path };
  }

  literal(tree) {
    this.arguments(tree, 1);
    const value = readLiteral(tree[1]);
    return { op: "num", sort: tree[1].includes(".") ? "scalar" : "integer", value, zero: tree[1] === "0" };
  }

  variable(tree, bound) {
    this.arguments(tree, 1);
    require(typeof tree[1] === "string" && bound.has(tree[1]), `unknown name ${tree[1]}`);
    return { op: "var", sort: bound.get(tree[1]), name: tree[1] };
  }

  at(tree, bound, path) {
    const [, name, ...rest] = tree;
    require(typeof name === "string", "not a name of data");
    let sorts;
    let sort;
    if (name === "x") {
      require(this.hasTokens, "there is no x without a system");
      this.mentionsState = true;
      if (this.step) [sorts, sort] = [["token"], "vector"];
      else [sorts, sort] = rest.length === 2 ? [["token", "time"], "vector"] : [["time"], "cloud"];
    } else {
      require(this.data.has(name), `unknown data ${name}`);
      const entry = this.data.get(name);
      [sorts, sort] = [entry.timed ? ["time"] : [], entry.sort];
    }
    require(rest.length === sorts.length, `${name} takes ${sorts.length} indices`);
    const indices = rest.map((item, k) => this.typed(item, sorts[k], bound, this.below(path, k + 2)));
    return { op: name === "x" ? "state" : "data", sort, name, indices };
  }

  use(tree, bound, path) {
    this.arguments(tree, 3);
    const [, name, indices, args] = tree;
    require(typeof name === "string" && this.definitions.has(name), `unknown definition ${name}`);
    const definition = this.definitions.get(name);
    if (definition.mentionsState) this.mentionsState = true;
    require(Array.isArray(indices) && indices.length === definition.indices.length, `wrong indices of ${name}`);
    require(Array.isArray(args) && args.length === definition.args.length, `wrong arguments of ${name}`);
    return {
      op: "use",
      sort: definition.body.sort,
      definition,
      values: [
        ...indices.map((item, k) => this.typed(item, sortOfName(definition.indices[k]), bound, this.below(path, `2/${k + 1}`))),
        ...args.map((item, k) => this.typed(item, "vector", bound, this.below(path, `3/${k + 1}`))),
      ],
    };
  }

  negation(tree, bound, path) {
    this.arguments(tree, 1);
    const arg = this.node(tree[1], bound, this.below(path, 1));
    require(isNumber(arg.sort) || arg.sort === "vector" || arg.sort === "matrix", `minus ${arg.sort}`);
    return { op: "neg", sort: arg.sort === "time" ? "scalar" : arg.sort, args: [arg] };
  }

  pair(tree, bound, path) {
    this.arguments(tree, 2);
    return [this.node(tree[1], bound, this.below(path, 1)), this.node(tree[2], bound, this.below(path, 2))];
  }

  sum(tree, bound, path) {
    const [left, right] = this.pair(tree, bound, path);
    const [a, b, sort] = this.meet(left, right, ["vector", "matrix"], tree[0]);
    return { op: tree[0], sort, args: [a, b] };
  }

  product(tree, bound, path) {
    const [a, b] = this.pair(tree, bound, path);
    let sort = null;
    if (isNumber(a.sort) && isNumber(b.sort)) {
      sort = widest(a.sort, b.sort);
      if (a.sort === "time" && b.sort === "time") sort = "scalar";
    } else if (isNumber(a.sort) && (b.sort === "vector" || b.sort === "matrix")) sort = b.sort;
    else if (a.sort === "matrix" && (b.sort === "vector" || b.sort === "matrix")) sort = b.sort;
    require(sort !== null, `product of ${a.sort} and ${b.sort}`);
    return { op: "mul", sort, args: [a, b] };
  }

  quotient(tree, bound, path) {
    const [a, b] = this.pair(tree, bound, path);
    require(isNumber(b.sort), `division by ${b.sort}`);
    require(isNumber(a.sort) || a.sort === "vector" || a.sort === "matrix", `division of ${a.sort}`);
    return { op: "div", sort: isNumber(a.sort) ? "scalar" : a.sort, args: [a, b] };
  }

  power(tree, bound, path) {
    const [a, b] = this.pair(tree, bound, path);
    require(isNumber(a.sort), `power of ${a.sort}`);
    require(b.sort === "integer" || b.sort === "time", `${b.sort} as an exponent`);
    return { op: "pow", sort: "scalar", args: [a, b] };
  }

  binder(tree, bound, path) {
    require(Array.isArray(tree) && tree.length > 0, "not a binder");
    const [name, word, ...rest] = tree;
    this.newName(name, bound);
    const sort = sortOfName(name);
    require(sort !== "vector", `${name} cannot be bound here`);
    const result = { name, sort, word: word ?? null, bounds: [] };
    const form = tree.length === 1 ? "" : word;
    if (sort === "token") {
      require(this.hasTokens, "there are no tokens without a system");
      require(form === "" || (form === "of" && rest.length === 1), "not a binder of a token");
    } else {
      const counts = { "": 0, ge: 1, le: 1, in: 2 };
      require(typeof form === "string" && Object.hasOwn(counts, form) && rest.length === counts[form], "not a binder of a time");
    }
    const wanted = sort === "token" ? "tokens" : "time";
    result.bounds = rest.map((item) => this.typed(item, wanted, bound, null));
    result.unbounded = sort === "time" && (form === "" || form === "ge");
    return result;
  }

  // A binder of a quantifier: also a share, a number of (0, 1].
  anyBinder(tree, bound, path) {
    if (!Array.isArray(tree) || tree.length !== 2 || tree[1] !== "share") return this.binder(tree, bound, path);
    const name = this.newName(tree[0], bound);
    require(!"ijklrst".includes(name[0]), `${name} cannot be a share`);
    return { name, sort: "scalar", word: "share", bounds: [], unbounded: false };
  }

  // Calls the rest with the name bound.
  within(name, sort, bound, rest) {
    const inner = new Map(bound);
    inner.set(name, sort);
    return rest(inner);
  }

  fold(tree, bound, path) {
    this.arguments(tree, 2);
    const binder = this.binder(tree[1], bound, path);
    require(!binder.unbounded, `${tree[0]} over an unbounded time`);
    const body = this.within(binder.name, binder.sort, bound, (inner) => this.node(tree[2], inner, this.below(path, 2)));
    const scalar = isNumber(body.sort);
    const allowed = { sum: ["vector", "matrix"], mean: ["vector"] }[tree[0]] ?? [];
    require(scalar || allowed.includes(body.sort), `${tree[0]} of ${body.sort}`);
    return { op: tree[0], sort: scalar ? "scalar" : body.sort, binder, body };
  }

  leaders(tree, bound, path) {
    this.arguments(tree, 2);
    const binder = this.binder(tree[1], bound, path);
    require(binder.sort === "token", `${tree[0]} over times`);
    const body = this.within(binder.name, "token", bound, (inner) => this.typed(tree[2], "scalar", inner, this.below(path, 2)));
    return { op: tree[0], sort: "tokens", binder, body };
  }

  builder(tree, bound, path) {
    this.arguments(tree, 2);
    const binder = this.binder(tree[1], bound, path);
    require(binder.sort === "token", "a set of times");
    const body = this.within(binder.name, "token", bound, (inner) => this.typed(tree[2], "truth", inner, null));
    return { op: "set", sort: "tokens", binder, body };
  }

  pick(tree, bound, path) {
    this.arguments(tree, 1);
    require(this.step, "pick outside a step");
    return { op: "pick", sort: "vector", args: [this.typed(tree[1], "tokens", bound, this.below(path, 1))] };
  }

  equation(tree, bound, path) {
    const [left, right] = this.pair(tree, bound, path);
    const [a, b, sort] = this.meet(left, right, ["vector", "matrix", "token", "region"], tree[0]);
    return { op: tree[0], sort: "truth", of: isNumber(sort) ? "scalar" : sort, args: [a, b], path };
  }

  membership(tree, bound, path) {
    const [left, right] = this.pair(tree, bound, path);
    if (right.sort === "tokens") return { op: "in", sort: "truth", of: "token", args: [this.fit(left, "token", "in"), right], path };
    if (right.sort !== "region") this.fit(right, "body", "in");
    return { op: "in", sort: "truth", of: right.sort, args: [this.fit(left, "vector", "in"), right], path };
  }

  inclusion(tree, bound, path) {
    const args = this.pair(tree, bound, path);
    const of = args[0].sort;
    require((of === "body" || of === "region") && args[1].sort === of, `subset of ${of} and ${args[1].sort}`);
    return { op: "subset", sort: "truth", of, args, path };
  }

  quantifier(tree, bound, path) {
    this.arguments(tree, 2);
    require(Array.isArray(tree[1]) && tree[1].length > 0, "a quantifier without binders");
    let inner = bound;
    const binders = tree[1].map((item) => {
      const binder = this.anyBinder(item, inner, path);
      inner = new Map(inner).set(binder.name, binder.sort);
      return binder;
    });
    const unbounded = binders.filter((binder) => binder.unbounded);
    require(unbounded.length <= 1, "a quantifier has two unbounded times");
    const body = this.typed(tree[2], "truth", inner, this.below(path, 2));
    return { op: tree[0], sort: "truth", binders, body, time: unbounded[0] ?? null, path };
  }

  limit(tree, bound, path) {
    const [op, name, ...rest] = tree;
    this.arguments(tree, op === "geometric" ? 2 : 3);
    this.newName(name, bound);
    require(sortOfName(name) === "time", `${op} along ${name}, not a time`);
    return this.within(name, "time", bound, (inner) => {
      const args = rest.map((item, k) => this.node(item, op === "tends" && k === 1 ? bound : inner, this.below(path, k + 2)));
      if (op === "tends") {
        const [a, b, sort] = this.meet(args[0], args[1], ["vector"], op);
        return { op, sort: "truth", name, of: isNumber(sort) ? "scalar" : sort, args: [a, b], path };
      }
      return { op, sort: "truth", name, args: args.map((arg) => this.fit(arg, "scalar", op)), path };
    });
  }
}

const ID = /^[a-z0-9][a-z0-9._-]{0,39}\/[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/;
const isText = (value) => typeof value === "string";

// Printable characters only: nothing of the categories Other and Separator but the space.
const isLine = (value) => isText(value) && !/[\p{C}\p{Z}]/u.test(value.replaceAll(" ", ""));

export function compileSystem(tree) {
  require(Array.isArray(tree) && tree.length === 4 && tree[0] === "system", "not a system");
  const [, name, data, step] = tree;
  require(isText(name) && /^[A-Za-z][A-Za-z0-9_-]{0,39}$/.test(name) && name !== "none", "not a name of a system");
  require(Array.isArray(data), "a system's data are not a list");
  const compiler = new Compiler(true, true);
  const entries = data.map((item) => {
    require(Array.isArray(item) && item.length === 3, "not a line of data");
    const [key, sort, kind] = item;
    compiler.newName(key);
    require(sort === "scalar" || sort === "matrix", "data are scalars or matrices");
    require(["fixed", "timed", "step size"].includes(kind), "unknown kind of data");
    require(kind !== "step size" || sort === "scalar", "a step size is a scalar");
    compiler.data.set(key, { sort, timed: kind !== "fixed" });
    return { name: key, sort, kind, timed: kind !== "fixed" };
  });
  const bound = new Map([["i", "token"], ["t", "time"]]);
  for (const key of bound.keys()) require(!compiler.data.has(key), `${key} is a name of the step`);
  return { name, data: entries, step: compiler.fit(compiler.root(step, bound, null), "vector", "step"), tree };
}

export function compileClaim(tree, system) {
  require(Array.isArray(tree) && tree.length === 9 && tree[0] === "claim", "not a claim");
  const [, id, kind, about, dynamics, givens, definitions, assumptions, assertion] = tree;
  require(isText(id) && ID.test(id), "a claim's id is written paper/name");
  require(["theorem", "exhibit", "statistic", "value"].includes(kind), "unknown kind of claim");
  require(Array.isArray(about) && about.length === 3 && about.every(isLine), "not title, source and reading, each of one line");
  require(Array.isArray(dynamics) && dynamics.length === 2, "not a system and a selection");
  const [systemName, selection] = dynamics;
  require(["every", "average-points", "average-indices"].includes(selection), "unknown selection");
  require(systemName === (system ? system.name : "none"), "the claim is about another system");
  require(system !== null || selection === "every", "no system, but a selection");
  const compiler = new Compiler(system !== null, false);
  for (const entry of system?.data ?? []) compiler.data.set(entry.name, { sort: entry.sort, timed: entry.timed });

  require([givens, definitions, assumptions].every(Array.isArray), "parts of a claim are not lists");
  const given = givens.map((item) => {
    require(Array.isArray(item) && (item.length === 2 || item.length === 4), "not a given");
    const [name, sort, relation, bound] = item;
    compiler.newName(name);
    require(["scalar", "vector", "matrix", "cloud"].includes(sort), "unknown sort of a given");
    const result = { name, sort, relation: null, value: null };
    if (item.length === 4) {
      require(sort === "scalar" && ["le", "lt", "ge", "gt"].includes(relation), "a relation that a given cannot have");
      require(Array.isArray(bound) && bound.length === 2 && bound[0] === "num", "the bound of a given is not a literal");
      Object.assign(result, { relation, value: readLiteral(bound[1]) });
    }
    compiler.data.set(name, { sort, timed: false });
    return result;
  });

  for (const item of definitions) {
    require(Array.isArray(item) && item.length === 4, "not a definition");
    const [name, indices, args, body] = item;
    compiler.newName(name);
    require(Array.isArray(indices) && Array.isArray(args), "not a definition");
    const bound = new Map();
    for (const [names, wanted] of [[indices, ["time", "token"]], [args, ["vector"]]]) {
      for (const key of names) {
        compiler.newName(key, bound);
        require(wanted.includes(sortOfName(key)), `${key} has the wrong sort`);
        bound.set(key, sortOfName(key));
      }
    }
    compiler.mentionsState = false;
    const compiled = compiler.root(body, bound, null);
    compiler.definitions.set(name, { name, indices, args, body: compiled, mentionsState: compiler.mentionsState });
  }

  const lines = assumptions.map((item) => {
    require(Array.isArray(item) && item.length === 2, "not an assumption");
    const [name, formula] = item;
    require(isText(name) && NAME.test(name) && !WORDS.has(name) && name !== "assertion", "not a name of an assumption");
    compiler.mentionsState = false;
    const compiled = compiler.fit(compiler.root(formula, new Map(), name), "truth", name);
    require(kind !== "statistic" || !compiler.mentionsState, "an assumption of a statistic mentions x");
    return { name, formula: compiled };
  });
  require(new Set(lines.map((line) => line.name)).size === lines.length, "two assumptions have one name");
  const last = compiler.root(assertion, new Map(), kind === "value" ? null : "assertion");
  const wanted = kind === "value" ? ["integer", "time", "scalar", "vector", "matrix", "tokens"] : ["truth"];
  require(wanted.includes(last.sort), `${last.sort} as an assertion`);
  lines.push({ name: "assertion", formula: last });
  return { id, kind, selection, given, lines, tree, systemName };
}

const ARITY = { neg: 1, add: 2, sub: 2, mul: 2, div: 2, pow: 2 };

// An expression in t (section 4). It has no sorts: an exponent is whatever turns out to be an integer or linear in t.
export function checkExpression(tree) {
  const visit = (node) => {
    require(Array.isArray(node) && typeof node[0] === "string", "not an expression in t");
    const [op, ...rest] = node;
    if (op === "num" && rest.length === 1) return { op, value: readLiteral(rest[0]) };
    if (op === "var" && rest.length === 1 && rest[0] === "t") return { op };
    require(Object.hasOwn(ARITY, op) && rest.length === ARITY[op], "not an expression in t");
    return { op, args: rest.map(visit) };
  };
  return visit(tree);
}

export const containsPower = (node) => node.op === "pow" || (node.args ?? []).some(containsPower);

