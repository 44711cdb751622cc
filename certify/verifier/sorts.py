"""The typed tree: which operators exist, what sorts they take, and a check of a whole claim.

A tree is nested lists `["operator", ...]`. Sorts: integer < time < scalar (a literal or a time may stand where a
scalar is expected), token, vector, matrix, cloud (points), body (a hull), region (a part of a hull), tokens (a set of
them), truth.
Names tell the sort of a bound variable: r, s, t... are times; i, j, k, l... are tokens; the rest are vectors. A name
bound by `c in (0, 1]` is a scalar; among the bound names it is marked by SHARE in front of it.
"""
from __future__ import annotations

import re
from typing import Any

from .exact import Reject

Tree = Any
Path = tuple[int, ...]
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}\Z")
CLAIM_ID = re.compile(r"[a-z0-9][a-z0-9_.-]{0,39}/[A-Za-z0-9][A-Za-z0-9_.-]{0,79}\Z")
DECIMAL = re.compile(r"(0|[1-9][0-9]{0,999})(\.[0-9]{1,999})?\Z")
WRITTEN = {"le": "<=", "lt": "<", "ge": ">=", "gt": ">", "eq": "=", "ne": "!=", "add": "+", "sub": "-", "mul": "*",
           "div": "/", "neg": "-", "pow": "^"}
KINDS = ("theorem", "exhibit", "value", "statistic")
SELECTIONS = ("every", "average-points", "average-indices")
GIVEN_SORTS = ("scalar", "vector", "matrix", "cloud")

S, V, M, C, BODY, REGION, SET, TRUTH, TOKEN, TIME, INT = (
    "scalar", "vector", "matrix", "cloud", "body", "region", "tokens", "truth", "token", "time", "integer")

# operator -> the signatures it has, (arguments..., result); the first that fits is taken
SIGNATURES: dict[str, list[tuple[str, ...]]] = {
    "neg": [(INT, INT), (S, S), (V, V), (M, M)],
    "add": [(INT, INT, INT), (TIME, TIME, TIME), (S, S, S), (V, V, V), (M, M, M)],
    "sub": [(INT, INT, INT), (TIME, TIME, TIME), (S, S, S), (V, V, V), (M, M, M)],
    "mul": [(INT, INT, INT), (INT, TIME, TIME), (TIME, INT, TIME), (S, S, S), (S, V, V), (S, M, M), (M, V, V),
            (M, M, M)],
    "div": [(S, S, S), (V, S, V), (M, S, M)],
    "pow": [(S, TIME, S)],
    "inner": [(V, V, S)],
    "norm": [(V, S)], "sqrt": [(S, S)], "abs": [(S, S)], "min": [(S, S, S)], "max": [(S, S, S)],
    "transpose": [(M, M)], "trace": [(M, S)], "lambda_max": [(M, S)], "psd": [(M, TRUTH)], "pd": [(M, TRUTH)],
    "hull": [(C, BODY)], "diam": [(BODY, S)], "card": [(SET, S)],
    "vertices": [(C, SET)], "lmo": [(V, C, SET)], "support": [(V, BODY, S)], "edge": [(V, V, BODY, TRUTH)],
    "min_over": [(M, V, BODY, S)], "nearest": [(V, M, BODY, V)],
    "interior": [(BODY, REGION)], "relint": [(BODY, REGION)], "cell": [(M, V, BODY, REGION)],
    "voronoi": [(M, V, BODY, REGION)], "point": [(V, BODY, REGION)], "box": [(C, TRUTH)],
    "identity": [(M,)], "tokens": [(SET,)], "token_count": [(S,)], "dimension": [(S,)],
    "le": [(S, S, TRUTH)], "lt": [(S, S, TRUTH)], "ge": [(S, S, TRUTH)], "gt": [(S, S, TRUTH)],
    "eq": [(S, S, TRUTH), (V, V, TRUTH), (M, M, TRUTH), (TOKEN, TOKEN, TRUTH), (REGION, REGION, TRUTH)],
    "ne": [(S, S, TRUTH), (V, V, TRUTH), (M, M, TRUTH), (TOKEN, TOKEN, TRUTH), (REGION, REGION, TRUTH)],
    "in": [(V, BODY, TRUTH), (TOKEN, SET, TRUTH), (V, REGION, TRUTH)],
    "subset": [(BODY, BODY, TRUTH), (REGION, REGION, TRUTH)],
    "not": [(TRUTH, TRUTH)], "and": [(TRUTH, TRUTH, TRUTH)], "or": [(TRUTH, TRUTH, TRUTH)],
    "implies": [(TRUTH, TRUTH, TRUTH)], "iff": [(TRUTH, TRUTH, TRUTH)],
    "pick": [(SET, V)],
}
FOLDS: dict[str, dict[str, str]] = {  # operator over a binder -> sort of the body to sort of the result
    "sum": {S: S, V: V, M: M}, "prod": {S: S}, "mean": {S: S, V: V}, "least": {S: S}, "greatest": {S: S}}
TOKEN_SETS = {"argmax": S, "argmin": S, "set": TRUTH}
RESERVED = {
    "x", "I", "n", "d", "forall", "exists", "and", "or", "not", "implies", "iff", "in", "subset", "sum", "prod",
    "mean", "min", "max", "argmax", "argmin", "tends", "bigO", "geometric", "system", "claim", "given", "where",
    "assume", "assert", "title", "source", "reading", "kind", "selection", "data", "step", "of", "to", "norm",
    "sqrt", "abs", "transpose", "trace", "lambda_max", "psd", "pd", "hull", "diam", "card", "tokens", "pick",
    "set", "var", "num", "at", "use", "least", "greatest", "time", "token", "scalar", "vector", "matrix",
    "cloud", "none", "every", "value", "vertices", "lmo", "support", "edge", "min_over", "nearest", "interior",
    "relint", "cell", "voronoi", "point", "box",
}
SHARE = "share "
VALUES = (S, V, M, SET)  # what a claim of kind value may ask for


class SortError(Reject):
    """A tree that does not type; `path` leads to the place."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path


def sort_of_name(name: str) -> str:
    return TIME if name[0] in "rst" else TOKEN if name[0] in "ijkl" else V


def fits(sort: str, wanted: str, tree: Tree) -> bool:
    if sort == wanted or (sort == INT and wanted in (TIME, S)) or (sort == TIME and wanted == S):
        return True
    return wanted in (V, M) and tree == ["num", "0"]


class Scope:
    """Names in reach: data of the system and `given` symbols, definitions, bound variables."""

    def __init__(self, data: dict[str, list[list[str]]], tokens: bool) -> None:
        self.data, self.has_tokens = data, tokens
        self.definitions: dict[str, tuple[list[str], list[str], str]] = {}
        self.allow_pick = False

    def sort(self, tree: Tree, path: Path, bound: frozenset[str]) -> str:
        """The sort of a term or formula; SortError where there is none."""
        if type(tree) is not list or not tree or type(tree[0]) is not str:
            raise SortError(path, "not a term")
        if len(path) > 60:
            raise SortError(path, "nested too deeply")
        operator, args = tree[0], tree[1:]
        if operator == "num":
            if len(args) != 1 or type(args[0]) is not str or not DECIMAL.match(args[0]):
                raise SortError(path, "not a number literal")
            return S if "." in args[0] else INT
        if operator == "var":
            if len(args) != 1 or args[0] not in bound:
                raise SortError(path, f"unknown name {args[0] if args else ''!r}")
            return S if SHARE + args[0] in bound else sort_of_name(args[0])
        if operator == "at":
            return self._at(args, path, bound)
        if operator == "use":
            return self._use(args, path, bound)
        if operator in ("forall", "exists"):
            return self._quantifier(args, path, bound)
        if operator in FOLDS or operator in TOKEN_SETS:
            return self._fold(operator, args, path, bound)
        if operator in ("tends", "bigO", "geometric"):
            return self._limit(operator, args, path, bound)
        if operator not in SIGNATURES or (operator == "pick" and not self.allow_pick):
            raise SortError(path, f"unknown operator {operator!r}")
        found = [self.sort(a, (*path, k + 1), bound) for k, a in enumerate(args)]
        if operator == "pow" and not (found and found[-1] in (INT, TIME)):
            raise SortError(path, "an exponent must be a natural number or a time")
        for *wanted, result in SIGNATURES[operator]:
            if len(wanted) == len(found) and all(map(fits, found, wanted, args)):
                return result
        expected = " or ".join("(" + ", ".join(s[:-1]) + ")" for s in SIGNATURES[operator])
        written = WRITTEN.get(operator, operator)
        raise SortError(path, f"{written} takes {expected}, not ({', '.join(found)})")

    def expect(self, wanted: str, tree: Tree, path: Path, bound: frozenset[str]) -> None:
        found = self.sort(tree, path, bound)
        if not fits(found, wanted, tree):
            raise SortError(path, f"expected a {wanted}, found a {found}")

    def _at(self, args: list[Tree], path: Path, bound: frozenset[str]) -> str:
        if not args or type(args[0]) is not str or args[0] not in self.data:
            raise SortError(path, f"unknown name {args[0] if args else ''!r}")
        found = [self.sort(a, (*path, k + 2), bound) for k, a in enumerate(args[1:])]
        for *wanted, result in self.data[args[0]]:
            if len(wanted) == len(found) and all(map(fits, found, wanted, args[1:])):
                return result
        shapes = " or ".join(args[0] + ("[" + ", ".join(s[:-1]) + "]" if len(s) > 1 else "")
                             for s in self.data[args[0]])
        raise SortError(path, f"{args[0]} is written {shapes}")

    def _use(self, args: list[Tree], path: Path, bound: frozenset[str]) -> str:
        if len(args) != 3 or type(args[0]) is not str or args[0] not in self.definitions:
            raise SortError(path, f"unknown definition {args[0] if args else ''!r}")
        indices, parameters, result = self.definitions[args[0]]
        for group, names, position in ((args[1], indices, 2), (args[2], parameters, 3)):
            if type(group) is not list or len(group) != len(names):
                raise SortError(path, f"{args[0]} takes {len(indices)} indices [ ] and {len(parameters)} arguments ( )")
            for k, (argument, name) in enumerate(zip(group, names, strict=True)):
                self.expect(sort_of_name(name), argument, (*path, position, k), bound)
        return result

    def binder(self, binder: Tree, path: Path, bound: frozenset[str]) -> str:
        """Check one binder; return its name."""
        if type(binder) is not list or not binder or type(binder[0]) is not str or not NAME.match(binder[0]):
            raise SortError(path, "not a binder")
        name, rest = binder[0], binder[1:]
        if name in bound or name in self.data or name in self.definitions or name in RESERVED:
            raise SortError(path, f"{name!r} is already in use")
        sort = sort_of_name(name)
        if rest == ["share"]:
            if sort != V:
                raise SortError(path, f"{name!r}: a number in (0, 1] has a name such as c, not that of a time or token")
            return name
        if sort == V:
            raise SortError(path, f"{name!r}: names of times begin with r, s or t, names of tokens with i, j, k or l")
        if sort == TOKEN and not self.has_tokens:
            raise SortError(path, "system none has no tokens")
        shape = (sort, rest[0] if rest else "", len(rest))
        if shape in ((TIME, "ge", 2), (TIME, "le", 2), (TIME, "in", 3)):
            for k, bound_term in enumerate(rest[1:]):
                self.expect(TIME, bound_term, (*path, k + 2), bound)
        elif shape == (TOKEN, "of", 2):
            self.expect(SET, rest[1], (*path, 2), bound)
        elif rest:
            raise SortError(path, f"not a range for the {sort} {name!r}")
        return name

    def _quantifier(self, args: list[Tree], path: Path, bound: frozenset[str]) -> str:
        if len(args) != 2 or type(args[0]) is not list or not args[0]:
            raise SortError(path, "a quantifier needs names and a formula")
        unbounded = 0
        for k, binder in enumerate(args[0]):
            name = self.binder(binder, (*path, 1, k), bound)
            unbounded += sort_of_name(name) == TIME and (len(binder) == 1 or binder[1] == "ge")
            bound = bound | ({name, SHARE + name} if binder[1:] == ["share"] else {name})
        if unbounded > 1:
            raise SortError(path, "one quantifier may range over one unbounded time only")
        self.expect(TRUTH, args[1], (*path, 2), bound)
        return TRUTH

    def _fold(self, operator: str, args: list[Tree], path: Path, bound: frozenset[str]) -> str:
        if len(args) != 2:
            raise SortError(path, f"{operator} needs a name and a body")
        name = self.binder(args[0], (*path, 1), bound)
        if args[0][1:] == ["share"]:
            raise SortError((*path, 1), f"{operator} does not range over all numbers of (0, 1]")
        body = self.sort(args[1], (*path, 2), bound | {name})
        if operator in TOKEN_SETS:
            if sort_of_name(name) != TOKEN:
                raise SortError((*path, 1), f"{operator} ranges over tokens")
            if not fits(body, TOKEN_SETS[operator], args[1]):
                raise SortError((*path, 2), f"expected a {TOKEN_SETS[operator]}, found a {body}")
            return SET
        if sort_of_name(name) == TIME and (len(args[0]) < 2 or args[0][1] == "ge"):
            raise SortError((*path, 1), f"{operator} over times needs a range such as s in 0..t")
        for sort, result in FOLDS[operator].items():
            if fits(body, sort, args[1]):
                return result
        raise SortError((*path, 2), f"{operator} takes a {' or '.join(FOLDS[operator])}, not a {body}")

    def _limit(self, operator: str, args: list[Tree], path: Path, bound: frozenset[str]) -> str:
        if len(args) != (2 if operator == "geometric" else 3):
            raise SortError(path, f"{operator} has a wrong number of arguments")
        name = self.binder([args[0]], path, bound)
        if sort_of_name(name) != TIME:
            raise SortError(path, f"{operator} needs a time")
        inside = bound | {name}
        first = self.sort(args[1], (*path, 2), inside)
        if operator == "tends":
            wanted = V if first == V else S
            self.expect(wanted, args[1], (*path, 2), inside)
            self.expect(wanted, args[2], (*path, 3), bound)
        else:
            self.expect(S, args[1], (*path, 2), inside)
            if operator == "bigO":
                self.expect(S, args[2], (*path, 3), inside)
        return TRUTH


def check_system(tree: Tree) -> dict[str, list[list[str]]]:
    """Type a system; return the sorts of its data as a claim sees them."""
    if type(tree) is not list or len(tree) != 4 or tree[0] != "system" or not _name(tree[1]) or tree[1] == "none":
        raise SortError((), "not a system")
    seen: dict[str, list[list[str]]] = {}
    for k, entry in enumerate(tree[2] if type(tree[2]) is list else ()):
        if (type(entry) is not list or len(entry) != 3 or entry[1] not in (S, M) or entry[2] not in ("fixed", "timed",
                "step size") or not _name(entry[0]) or entry[0] in RESERVED or entry[0] in seen
                or sort_of_name(entry[0]) != V or (entry[2] == "step size" and entry[1] != S)):
            raise SortError((2, k), "not a data declaration")
        seen[entry[0]] = [[entry[1]]] if entry[2] == "fixed" else [[TIME, entry[1]]]
    inside = Scope({**seen, "x": [[TOKEN, V]]}, True)
    inside.allow_pick = True
    inside.expect(V, tree[3], (3,), frozenset({"i", "t"}))
    return {**seen, "x": [[TOKEN, TIME, V], [TIME, C]]}


def _name(name: object) -> bool:
    return type(name) is str and re.match(r"[a-z][A-Za-z0-9_-]{0,39}\Z|[A-Za-z][A-Za-z0-9_]{0,39}\Z", name) is not None


def check_claim(tree: Tree, system: Tree) -> None:
    """Type a whole claim over its system (None for `system none`)."""
    shape = type(tree) is list and len(tree) == 9 and tree[0] == "claim"
    if not shape or any(type(part) is not list for part in tree[3:]):
        raise SortError((), "not a claim")
    _, name, kind, prose, choice, givens, wheres, assumptions, assertion = tree
    if type(name) is not str or not CLAIM_ID.match(name):
        raise SortError((1,), "a claim's id is written paper/name")
    if kind not in KINDS:
        raise SortError((2,), f"a claim's kind is one of {', '.join(KINDS)}")
    if len(prose) != 3 or any(type(p) is not str or not p.isprintable() for p in prose):
        raise SortError((3,), "title, source and reading are one-line texts")
    if len(choice) != 2 or choice[1] not in SELECTIONS or choice[0] != ("none" if system is None else system[1]):
        raise SortError((4,), f"the selection is one of {', '.join(SELECTIONS)}")
    if system is None and choice[1] != "every":
        raise SortError((4,), "system none has no selection")
    scope = Scope(check_system(system) if system is not None else {}, system is not None)
    for k, entry in enumerate(givens):
        if type(entry) is not list or len(entry) not in (2, 4) or not _fresh(entry[0], scope):
            raise SortError((5, k), "not a given")
        if entry[1] not in GIVEN_SORTS:
            raise SortError((5, k), f"a given is a {', '.join(GIVEN_SORTS)}")
        if len(entry) == 4:
            scope.sort(entry[3], (5, k, 3), frozenset())
            if entry[1] != S or entry[2] not in ("le", "lt", "ge", "gt") or entry[3][0] != "num":
                raise SortError((5, k), "a range of a given is a comparison of a scalar with a number")
        scope.data[entry[0]] = [[entry[1]]]
    for k, entry in enumerate(wheres):
        if (type(entry) is not list or len(entry) != 4 or not _fresh(entry[0], scope)
                or any(type(g) is not list or any(type(p) is not str or not NAME.match(p) for p in g)
                       for g in entry[1:3])):
            raise SortError((6, k), "not a definition")
        local = [*entry[1], *entry[2]]
        if len(set(local)) != len(local) or any(not _fresh(p, scope) for p in local):
            raise SortError((6, k), "a parameter's name is already in use")
        if any(sort_of_name(p) == V for p in entry[1]) or any(sort_of_name(p) != V for p in entry[2]):
            raise SortError((6, k), "indices [ ] are times (r, s, t) or tokens (i, j, k, l); arguments ( ) are vectors")
        result = scope.sort(entry[3], (6, k, 3), frozenset(local))
        scope.definitions[entry[0]] = (entry[1], entry[2], result)
    names: set[str] = {"assertion"}
    for k, entry in enumerate(assumptions):
        if type(entry) is not list or len(entry) != 2 or type(entry[0]) is not str or not NAME.match(entry[0]):
            raise SortError((7, k), "not an assumption")
        if entry[0] in names:
            raise SortError((7, k), f"two lines are called {entry[0]!r}")
        if entry[0] in RESERVED:
            raise SortError((7, k), f"{entry[0]!r} is a word of the language and cannot name a line")
        names.add(entry[0])
        scope.expect(TRUTH, entry[1], (7, k, 1), frozenset())
    if kind == "statistic":
        bodies = {entry[0]: entry[3] for entry in wheres}
        for k, entry in enumerate(assumptions):
            if mentions_tokens(entry[1], bodies):
                raise SortError((7, k, 1), "the assumptions of a statistic speak of the fixed data only")
    if kind != "value":
        scope.expect(TRUTH, assertion, (8,), frozenset())
    elif (sort := scope.sort(assertion, (8,), frozenset())) not in (*VALUES, TIME, INT):
        raise SortError((8,), f"a value is a {', '.join(VALUES)}, not a {sort}")


def mentions_tokens(tree: Tree, definitions: dict[str, Tree]) -> bool:
    """Whether a formula depends on the tokens, directly or by a definition."""
    if type(tree) is not list:
        return False
    if tree[:2] == ["at", "x"]:
        return True
    if tree and tree[0] == "use" and mentions_tokens(definitions[tree[1]], definitions):
        return True
    return any(mentions_tokens(part, definitions) for part in tree)


def _fresh(name: object, scope: Scope) -> bool:
    return (type(name) is str and NAME.match(name) is not None and name not in RESERVED
            and name not in scope.data and name not in scope.definitions)
