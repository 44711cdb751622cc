"""The canonical text of a tree: what a reader of a certificate reads is what was certified."""
from __future__ import annotations

from .sorts import Tree

INFIX = {"iff": (1, "iff"), "implies": (2, "implies"), "or": (3, "or"), "and": (4, "and"), "le": (6, "<="),
         "lt": (6, "<"), "ge": (6, ">="), "gt": (6, ">"), "eq": (6, "="), "ne": (6, "!="), "in": (6, "in"),
         "subset": (6, "subset"), "add": (7, "+"), "sub": (7, "-"), "mul": (8, "*"), "div": (8, "/")}
TIGHT = {"mul", "div"}
PREFIX_FOLDS = {"sum": "sum", "prod": "prod", "mean": "mean", "least": "min", "greatest": "max", "argmax": "argmax",
                "argmin": "argmin"}
CONSTANTS = {"identity": "I", "token_count": "n", "dimension": "d", "tokens": "tokens"}
RANGES = {"ge": " >= ", "le": " <= ", "of": " in "}


def term(tree: Tree, level: int = 0) -> str:
    """Text of a term or formula, in parentheses if it binds less tightly than `level`."""
    own, text = _print(tree)
    return f"({text})" if own < level else text


def _print(tree: Tree) -> tuple[int, str]:
    operator, args = tree[0], tree[1:]
    if operator in INFIX:
        own, word = INFIX[operator]
        # comparisons do not chain; implies is right-associative; the rest associate to the left
        left, right = (own + 1, own) if operator == "implies" else (own, own + 1)
        if own in (1, 6):
            left = right = own + 1
        joint = word if operator in TIGHT else f" {word} "
        return own, term(args[0], left) + joint + term(args[1], right)
    if operator in ("forall", "exists"):
        return 0, f"{operator} {', '.join(map(binder, args[0]))}: {term(args[1])}"
    if operator == "not":
        return 5, "not " + term(args[0], 5)
    if operator == "neg":
        return 9, "-" + term(args[0], 9)
    if operator == "pow":
        return 10, term(args[0], 11) + "^" + term(args[1], 11)
    if operator in PREFIX_FOLDS:
        return 0, f"{PREFIX_FOLDS[operator]} {binder(args[0])}: {term(args[1], 7)}"
    if operator == "set":
        return 11, f"{{{binder(args[0])} : {term(args[1])}}}"
    if operator == "inner":
        return 11, f"<{term(args[0], 7)}, {term(args[1], 7)}>"
    if operator in ("num", "var"):
        return 11, str(args[0])
    if operator in CONSTANTS:
        return 11, CONSTANTS[operator]
    if operator == "at":
        return 11, args[0] + (f"[{', '.join(map(term, args[1:]))}]" if args[1:] else "")
    if operator == "use":
        indices = f"[{', '.join(map(term, args[1]))}]" if args[1] else ""
        return 11, args[0] + indices + (f"({', '.join(map(term, args[2]))})" if args[2] else "")
    if operator in ("tends", "bigO", "geometric"):
        return 11, f"{operator}({args[0]}: {', '.join(map(term, args[1:]))})"
    return 11, f"{operator}({', '.join(map(term, args))})"


def binder(tree: Tree) -> str:
    if len(tree) == 1:
        return str(tree[0])
    if tree[1] == "share":
        return f"{tree[0]} in (0, 1]"
    if tree[1] == "in":
        return f"{tree[0]} in {term(tree[2], 7)}..{term(tree[3], 7)}"
    return str(tree[0]) + RANGES[tree[1]] + term(tree[2], 7)


def definition(tree: Tree) -> str:
    name, indices, parameters, body = tree
    head = name + (f"[{', '.join(indices)}]" if indices else "") + (f"({', '.join(parameters)})" if parameters else "")
    return f"{head} = {term(body)}"


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def claim(tree: Tree) -> str:
    """Canonical text of a claim."""
    _, name, kind, prose, choice, givens, wheres, assumptions, assertion = tree
    lines = [f"claim {name}"]
    if kind != "theorem":
        lines.append(f"  kind    {kind}")
    lines += [f"  {label:<8}{quoted(text)}" for label, text in zip(("title", "source", "reading"), prose, strict=True)
              if text]
    lines.append(f"  system  {choice[0]}" + (f", selection {choice[1]}" if choice[0] != "none" else ""))
    for k, given in enumerate(givens):
        limit = f" {INFIX[given[2]][1]} {term(given[3])}" if len(given) == 4 else ""
        lines.append(f"  {'' if k else 'given':<8}{given[0]}: {given[1]}{limit}" + (";" if k + 1 < len(givens) else ""))
    for k, where in enumerate(wheres):
        lines.append(f"  {'' if k else 'where':<8}{definition(where)}" + (";" if k + 1 < len(wheres) else ""))
    for k, (label, formula) in enumerate(assumptions):
        lines.append(f"  {'' if k else 'assume':<8}{label}: {term(formula)}")
    lines.append(f"  {'value' if kind == 'value' else 'assert':<8}{term(assertion)}")
    return "\n".join(lines) + "\n"


def system(tree: Tree) -> str:
    """Canonical text of a system."""
    _, name, data, step = tree
    lines = [f"system {name}"]
    for k, (symbol, sort, kind) in enumerate(data):
        index, limit = ("" if kind == "fixed" else "[t]"), (" in [0,1]" if kind == "step size" else "")
        lines.append(f"  {'' if k else 'data':<8}{symbol}{index}: {sort}{limit}" + (";" if k + 1 < len(data) else ""))
    lines.append(f"  step    x[i] = {term(step)}")
    return "\n".join(lines) + "\n"


def whole(claim_tree: Tree, system_tree: Tree) -> str:
    """The text that a certificate carries: the claim, then the dynamics it speaks of."""
    return claim(claim_tree) + ("\n" + system(system_tree) if system_tree is not None else "")
