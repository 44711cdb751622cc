// The print (section 3) of checked trees.

const LEVEL = {
  forall: 0, exists: 0, sum: 0, prod: 0, mean: 0, least: 0, greatest: 0, argmax: 0, argmin: 0,
  iff: 1, implies: 2, or: 3, and: 4, not: 5,
  le: 6, lt: 6, ge: 6, gt: 6, eq: 6, ne: 6, in: 6, subset: 6,
  add: 7, sub: 7, mul: 8, div: 8, neg: 9, pow: 10,
};

// Infix operators: how they are written, and the levels of the two places.
const INFIX = {
  iff: [" iff ", 2, 2], implies: [" implies ", 3, 2], or: [" or ", 3, 4], and: [" and ", 4, 5],
  le: [" <= ", 7, 7], lt: [" < ", 7, 7], ge: [" >= ", 7, 7], gt: [" > ", 7, 7], eq: [" = ", 7, 7], ne: [" != ", 7, 7],
  in: [" in ", 7, 7], subset: [" subset ", 7, 7],
  add: [" + ", 7, 8], sub: [" - ", 7, 8], mul: ["*", 8, 9], div: ["/", 8, 9], pow: ["^", 11, 11],
};

const FOLD = { sum: "sum", prod: "prod", mean: "mean", least: "min", greatest: "max", argmax: "argmax", argmin: "argmin" };
const CONSTANT = { identity: "I", token_count: "n", dimension: "d", tokens: "tokens" };
const RELATION = { le: "<=", lt: "<", ge: ">=", gt: ">" };

const list = (trees) => trees.map((tree) => print(tree, 0)).join(", ");
const brackets = (names) => (names.length ? `[${names.join(", ")}]` : "");

function binder([name, word, a, b]) {
  if (word === undefined) return name;
  if (word === "share") return `${name} in (0, 1]`;
  if (word === "of") return `${name} in ${print(a, 7)}`;
  if (word === "in") return `${name} in ${print(a, 7)}..${print(b, 7)}`;
  return `${name} ${RELATION[word]} ${print(a, 7)}`;
}

function bare(tree) {
  const [op, a, b, c] = tree;
  if (op === "num" || op === "var") return a;
  if (Object.hasOwn(INFIX, op)) {
    const [sign, left, right] = INFIX[op];
    return print(a, left) + sign + print(b, right);
  }
  if (Object.hasOwn(CONSTANT, op)) return CONSTANT[op];
  if (Object.hasOwn(FOLD, op)) return `${FOLD[op]} ${binder(a)}: ${print(b, 7)}`;
  switch (op) {
    case "neg":
      return `-${print(a, 9)}`;
    case "not":
      return `not ${print(a, 5)}`;
    case "at":
      return tree.length === 2 ? a : `${a}[${list(tree.slice(2))}]`;
    case "use":
      return a + (b.length ? `[${list(b)}]` : "") + (c.length ? `(${list(c)})` : "");
    case "inner":
      return `<${print(a, 7)}, ${print(b, 7)}>`;
    case "set":
      return `{${binder(a)} : ${print(b, 0)}}`;
    case "forall":
    case "exists":
      return `${op} ${a.map(binder).join(", ")}: ${print(b, 0)}`;
    case "tends":
    case "bigO":
    case "geometric":
      return `${op}(${a}: ${list(tree.slice(2))})`;
    default:
      return `${op}(${list(tree.slice(1))})`;
  }
}

export function print(tree, level) {
  const text = bare(tree);
  return (LEVEL[tree[0]] ?? 11) < level ? `(${text})` : text;
}

const quoted = (text) => `"${text.replace(/[\\"]/g, "\\$&")}"`;

function section(word, lines, end) {
  return lines.map((line, k) => {
    const first = k === 0 ? word.padEnd(8) : " ".repeat(8);
    return `  ${first}${line}${k < lines.length - 1 ? end : ""}\n`;
  });
}

function claimLines([, id, kind, about, [system, selection], givens, definitions, assumptions, assertion]) {
  const given = givens.map(([name, sort, relation, bound]) =>
    `${name}: ${sort}${relation === undefined ? "" : ` ${RELATION[relation]} ${print(bound, 0)}`}`);
  const where = definitions.map(([name, indices, args, body]) =>
    `${name}${brackets(indices)}${args.length ? `(${args.join(", ")})` : ""} = ${print(body, 0)}`);
  return [
    `claim ${id}\n`,
    ...(kind === "theorem" ? [] : section("kind", [kind], "")),
    ...["title", "source", "reading"].flatMap((word, k) => (about[k] === "" ? [] : section(word, [quoted(about[k])], ""))),
    ...section("system", [system === "none" ? "none" : `${system}, selection ${selection}`], ""),
    ...section("given", given, ";"),
    ...section("where", where, ";"),
    ...section("assume", assumptions.map(([name, formula]) => `${name}: ${print(formula, 0)}`), ""),
    ...section(kind === "value" ? "value" : "assert", [print(assertion, 0)], ""),
  ];
}

function systemLines([, name, data, step]) {
  const lines = data.map(([key, sort, kind]) =>
    `${key}${kind === "fixed" ? "" : "[t]"}: ${sort}${kind === "step size" ? " in [0,1]" : ""}`);
  return [`system ${name}\n`, ...section("data", lines, ";"), ...section("step", [`x[i] = ${print(step, 0)}`], "")];
}

export function printStatement(claim, system) {
  return [...claimLines(claim), ...(system === null ? [] : ["\n", ...systemLines(system)])].join("");
}
