"""From text to typed tree: `.claim` files, systems and expressions in t.

The grammar knows no sorts. A tree built here is checked by the verifier's own sort checker, so that what is certified
has passed exactly the check that a verifier will make; errors come back with line and column.
"""
from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from ..errors import InputError
from ..verifier import sorts
from ..verifier.sorts import Path, SortError, Tree

COMPARISONS = {"<=": "le", "<": "lt", ">=": "ge", ">": "gt", "=": "eq", "!=": "ne"}
CONSTANTS = {"I": "identity", "n": "token_count", "d": "dimension", "tokens": "tokens"}
FOLDS = {"sum": "sum", "prod": "prod", "mean": "mean", "min": "least", "max": "greatest", "argmax": "argmax",
         "argmin": "argmin"}
WORDS = ("psd", "pd", "lambda_max", "hull", "diam", "norm", "sqrt", "abs", "transpose", "trace", "card", "pick",
         "vertices", "lmo", "support", "edge", "min_over", "nearest", "interior", "relint", "cell", "voronoi",
         "point", "box")
TOKEN_NAMES = {"NAME": "a name", "NUMBER": "a number", "STRING": "a text in quotes",
               "SHARE": "(0, 1]", "CLAIM_ID": "an id such as mine/first", "SYSTEM_NAME": "a system (hardmax, none)",
               "SELECTION": "every, average-points or average-indices",
               "SORT": "scalar, vector, matrix or cloud", "HEADER": "title, source, reading or kind", "$END": "the end",
               "LPAR": "'('", "RPAR": "')'", "LSQB": "'['", "RSQB": "']'", "LBRACE": "'{'", "RBRACE": "'}'",
               "COLON": "':'", "COMMA": "','", "SEMICOLON": "';'", "PLUS": "'+'", "MINUS": "'-'", "STAR": "'*'",
               "SLASH": "'/'", "CIRCUMFLEX": "'^'", "EQUAL": "'='", "LESSTHAN": "'<'", "MORETHAN": "'>'"}
SHORT_OF_TERMS = {"LPAR", "LESSTHAN", "LBRACE", "NUMBER", "NAME", "FOLD", "LIMIT", "MINUS"}


MAX_DEPTH = 60  # as deep as a verifier accepts


class StatementError(InputError):
    """An error in a claim file, with the line and column it points at."""

    def __init__(self, message: str, line: int, column: int, source: str = "") -> None:
        self.line, self.column, self.source, self.message = line, column, source, message
        super().__init__(f"{source + ':' if source else ''}{line}:{column}: {message}")


class Located(list[Any]):
    """A tree while it is being built: a list that knows where it was written."""

    line: int = 1
    column: int = 1


class ParsedClaim(NamedTuple):
    """A claim's tree and where its parts were written."""

    tree: Tree
    places: dict[Path, tuple[int, int]]


@cache
def _parser() -> Any:
    from lark import Lark
    grammar = files(__package__).joinpath("statement.lark").read_text("utf-8")
    return Lark(grammar, parser="lalr", start=["claim", "system", "sum"], propagate_positions=True)


def _read(text: str, start: str, source: str) -> Any:
    from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput
    try:
        return _parser().parse(text, start=start)
    except UnexpectedInput as error:
        line, column = max(error.line, 1), max(error.column, 1)
        if isinstance(error, UnexpectedEOF) or getattr(getattr(error, "token", None), "type", "") == "$END":
            line, column = text.count("\n") + 1, len(text.rsplit("\n", 1)[-1]) + 1
            found = "the text ends"
        elif isinstance(error, UnexpectedCharacters):
            found = f"unexpected {text[error.pos_in_stream or 0]!r}"
        else:
            found = f"unexpected {str(getattr(error, 'token', ''))!r}"
        names = set(getattr(error, "expected", None) or getattr(error, "allowed", None) or ())
        raise StatementError(f"{found}; expected {_expected(names)}", line, column, source) from None


def _expected(names: set[str]) -> str:
    """The tokens that could stand here, in words."""
    words = ["a term"] if names >= {"LPAR", "NUMBER"} else []
    rest = sorted(names - SHORT_OF_TERMS) if words else sorted(names)
    words += [TOKEN_NAMES.get(name, name.lower().replace("__anon_", "'..' or operator ")) for name in rest]
    return " or ".join(words[:8]) or "something else"


class Builder:
    """Turns the parser's tree into ours, resolving names."""

    def __init__(self, data: set[str], source: str) -> None:
        self.data, self.source = set(data), source
        self.definitions: set[str] = set()
        self.depth = 0

    def fail(self, node: Any, message: str) -> StatementError:
        place = getattr(node, "meta", node)
        return StatementError(message, int(getattr(place, "line", 1)), int(getattr(place, "column", 1)), self.source)

    def build(self, node: Any) -> Located:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.fail(node, "nested too deeply")
        made = Located(self._build(node))
        self.depth -= 1
        made.line, made.column = getattr(node.meta, "line", 1), getattr(node.meta, "column", 1)
        return made

    def _build(self, node: Any) -> list[Any]:
        kind, parts = node.data, node.children
        if kind == "number":
            return ["num", str(parts[0])]
        if kind == "name":
            return self._name(str(parts[0]))
        if kind == "index":
            return self._indexed(str(parts[0]), [self.build(p) for p in parts[1].children], [])
        if kind == "index_call":
            groups = [[self.build(p) for p in group.children] for group in parts[1:]]
            if parts[0] not in self.definitions:
                raise self.fail(node, f"unknown definition {str(parts[0])!r}")
            return self._indexed(str(parts[0]), *groups)
        if kind == "call":
            return self._call(node, str(parts[0]), [self.build(p) for p in parts[1:]])
        if kind == "fold":
            return [FOLDS[str(parts[0])], self.binder(parts[1]), self.build(parts[2])]
        if kind == "fold_call":
            if parts[0] not in ("min", "max"):
                raise self.fail(node, f"{parts[0]} is written {parts[0]} j: ..., with the name it ranges over")
            return [str(parts[0]), *map(self.build, parts[1:])]
        if kind == "limit":
            return [str(parts[0]), str(parts[1]), *map(self.build, parts[2:])]
        if kind in ("forall", "exists"):
            return [str(kind), Located(map(self.binder, parts[:-1])), self.build(parts[-1])]
        if kind == "set":
            return ["set", self.binder(parts[0]), self.build(parts[1])]
        if kind == "compare":
            return [COMPARISONS[str(parts[1].children[0])], self.build(parts[0]), self.build(parts[2])]
        if kind == "between":
            middle = parts[2]
            pairs = [(parts[1], parts[0], middle), (parts[3], middle, parts[4])]
            return ["and", *(Located([COMPARISONS[str(sign.children[0])], self.build(left), self.build(right)])
                             for sign, left, right in pairs)]
        return [str(kind), *map(self.build, parts)]

    def _name(self, name: str) -> list[Any]:
        if name in CONSTANTS:
            return [CONSTANTS[name]]
        if name in self.definitions:
            return ["use", name, [], []]
        return ["at", name] if name in self.data else ["var", name]

    def _indexed(self, name: str, indices: list[Located], arguments: list[Located]) -> list[Any]:
        if name in self.definitions:
            return ["use", name, Located(indices), Located(arguments)]
        return ["at", name, *indices]

    def _call(self, node: Any, name: str, arguments: list[Located]) -> list[Any]:
        if name in self.definitions:
            return ["use", name, [], Located(arguments)]
        if name in WORDS:
            return [name, *arguments]
        near = get_close_matches(name, [*WORDS, *self.definitions, "min", "max", "tends", "bigO", "geometric"], 1)
        hint = f"; did you mean {near[0]}?" if near else "; `certify words` lists all words"
        raise self.fail(node, f"unknown word {name!r}{hint}")

    def binder(self, node: Any) -> Located:
        name, *limits = node.children
        if node.data == "bind_share":
            made = Located([str(name), "share"])
            made.line, made.column = node.meta.line, node.meta.column
            return made
        built = [self.build(limit) for limit in limits]
        if node.data == "bind_in":
            form = ["of"]
        else:
            form = {"bind": [], "bind_from": ["ge"], "bind_to": ["le"], "bind_between": ["in"]}[node.data]
        made = Located([str(name), *form, *built])
        made.line, made.column = node.meta.line, node.meta.column
        return made


def _plain(tree: Any, path: Path, places: dict[Path, tuple[int, int]]) -> Any:
    """Plain lists, and where each part was written."""
    if not isinstance(tree, list):
        return tree
    if isinstance(tree, Located) and (tree.line, tree.column) != (1, 1):
        places[path] = (tree.line, tree.column)
    return [_plain(part, (*path, k), places) for k, part in enumerate(tree)]


def place_of(path: Path, places: dict[Path, tuple[int, int]]) -> tuple[int, int]:
    """Line and column of the part at `path`, or of the nearest part around it."""
    while path and path not in places:
        path = path[:-1]
    return places.get(path, (1, 1))


def _text(token: Any) -> str:
    raw = str(token)
    return raw[1:-1].replace('\\"', '"').replace("\\\\", "\\") if raw.startswith('"') else raw


def parse_claim(text: str, system_of: Callable[[str], Tree], source: str = "") -> ParsedClaim:
    """The tree of a claim; `system_of` gives the tree of a named system (None for `none`)."""
    root = _read(text, "claim", source)
    name, *rest = root.children
    headers = [part for part in rest if getattr(part, "data", "") == "header"]
    system_name, selection, given, where, assume, assertion = rest[len(headers):]
    prose = {"title": "", "source": "", "reading": "", "kind": "theorem"}
    places: dict[Path, tuple[int, int]] = {}
    for k, header in enumerate(headers):
        word = header.children[0]
        if any(str(other.children[0]) == str(word) for other in headers[:k]):
            raise StatementError(f"{word} is given twice", word.line, word.column, source)
        if word == "kind":
            places[(2,)] = (word.line, word.column)
        prose[str(word)] = " ".join(_text(header.children[1]).split())
    try:
        system = None if system_name == "none" else system_of(str(system_name))
    except InputError as error:
        raise StatementError(str(error), system_name.line, system_name.column, source) from None
    builder = Builder({entry[0] for entry in system[2]} | {"x"} if system is not None else set(), source)
    givens, wheres, assumptions = [], [], []
    for part in given.children if given else ():
        symbol, sort, sign, limit = [*part.children, None, None][:4]
        entry = Located([str(symbol), str(sort)])
        if sign is not None:
            entry += [COMPARISONS[str(sign.children[0])], builder.build(limit)]
        entry.line, entry.column = part.meta.line, part.meta.column
        givens.append(entry)
        builder.data.add(str(symbol))
    for part in where.children if where else ():
        symbol, indices, parameters, body = part.children
        entry = Located([str(symbol), [str(p) for p in indices.children] if indices else [],
                         [str(p) for p in parameters.children] if parameters else [], builder.build(body)])
        entry.line, entry.column = part.meta.line, part.meta.column
        wheres.append(entry)
        builder.definitions.add(str(symbol))
    for part in assume.children if assume else ():
        entry = Located([str(part.children[0]), builder.build(part.children[1])])
        entry.line, entry.column = part.meta.line, part.meta.column
        assumptions.append(entry)
    if getattr(assertion, "data", "") == "value":
        prose["kind"], assertion = "value", assertion.children[0]
    elif prose["kind"] == "value":
        raise StatementError("a claim of kind value ends with `value TERM`, not with `assert`", *places[(2,)], source)
    tree = _plain(["claim", str(name), prose["kind"], [prose["title"], prose["source"], prose["reading"]],
                   [str(system_name), str(selection or "every")], givens, wheres, assumptions,
                   builder.build(assertion)], (), places)
    try:
        sorts.check_claim(tree, system)
    except SortError as error:
        raise StatementError(str(error), *place_of(error.path, places), source) from None
    return ParsedClaim(tree, places)


def parse_system(text: str, source: str = "") -> Tree:
    """The tree of a system."""
    root = _read(text, "system", source)
    name, *rest = root.children
    entries = [part for part in rest if getattr(part, "data", "") == "data"]
    *_, state, token, step = rest
    if state != "x" or token != "i":
        raise StatementError("a step is written step x[i] = ...", root.meta.line, root.meta.column, source)
    data = []
    for part in entries:
        symbol, index, sort, unit = part.children
        data.append([str(symbol), str(sort), "step size" if unit else "timed" if index else "fixed"])
    builder = Builder({entry[0] for entry in data} | {"x"}, source)
    places: dict[Path, tuple[int, int]] = {}
    tree = _plain(["system", str(name), data, builder.build(step)], (), places)
    try:
        sorts.check_system(tree)
    except SortError as error:
        raise StatementError(str(error), *place_of(error.path, places), source) from None
    return tree


def parse_expression(text: str, where: str) -> Tree:
    """The tree of an expression in t, such as 2/(t+2)."""
    accepted = "accepted: integers, decimals, t, + - * / ( ) and ^"
    if len(text) > 10_000:
        raise InputError(f"{where}: the expression is too long")
    try:
        root = _read(text, "sum", "")
        tree = _plain(Builder(set(), "").build(root), (), {})
    except StatementError as error:
        raise InputError(f"{where}: {error.message} at column {error.column} of {text[:60]!r}; {accepted}") from None
    _only_expressions(tree, where, text, accepted)
    return tree


def _only_expressions(tree: Tree, where: str, text: str, accepted: str) -> None:
    if tree[0] == "num" or tree == ["var", "t"]:
        return
    if tree[0] not in ("neg", "add", "sub", "mul", "div", "pow"):
        raise InputError(f"{where}: not an expression in t: {text[:60]!r}; {accepted}")
    for part in tree[1:]:
        _only_expressions(part, where, text, accepted)
