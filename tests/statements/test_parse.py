"""From text to tree and back: invalid input first, then precedence, then random well-sorted claims."""
from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import certify
from certify.errors import InputError
from certify.statements.parse import StatementError, parse_claim, parse_expression, parse_system
from certify.systems import system_names, system_tree
from certify.verifier import printer, sorts
from certify.verifier.sorts import (
    BODY,
    FOLDS,
    INT,
    REGION,
    SET,
    SIGNATURES,
    TIME,
    TOKEN,
    TOKEN_SETS,
    TRUTH,
    C,
    M,
    S,
    Scope,
    SortError,
    Tree,
    V,
    fits,
    sort_of_name,
)

exactly = settings(deadline=None, derandomize=True, max_examples=150)

HARDMAX = "claim a/b system hardmax assert "
STATIC = "claim a/b system none given a: scalar; w: vector; M: matrix; c: cloud assert "


def formula(text: str, before: str = HARDMAX) -> Tree:
    """The tree of an assertion."""
    return certify.parse(before + text).tree[8]


# ---- errors

ERRORS = [
    ("", 1, 1, "the text ends; expected claim"),
    ("claim first", 1, 7, "expected an id such as mine/first"),
    ("claim a/b\n  system foo\n  assert 1 = 1", 2, 10, "unknown system 'foo'; known: hardmax, hardmax-matrix, none"),
    ("claim a/b\n  system hardmax, selection all\n  assert 1 = 1", 2, 29, "expected every, average-points"),
    ("claim a/b\n  title \"two\nlines\"\n  system none\n  assert 1 = 1", 2, 9, "expected a text in quotes"),
    ("claim a/b\n  system none\n  given w: body\n  assert 1 = 1", 3, 12, "expected scalar, vector, matrix or cloud"),
    ("claim a/b\n  system none\n  given a: scalar = 0\n  assert 1 = 1", 3, 9, "a range of a given is a comparison"),
    ("claim a/b\n  system none\n  given w: vector >= 0\n  assert 1 = 1", 3, 9, "a range of a given is a comparison"),
    ("claim a/b\n  system none\n  where f(t) = t\n  assert 1 = 1", 3, 9, "indices [ ] are times"),
    ("claim a/b\n  system none\n  assume H: 1 = 1\n    H: 2 = 2\n  assert 1 = 1", 4, 5, "two lines are called 'H'"),
    ("claim a/b\n  system none\n  assume 1 = 1\n  assert 1 = 1", 3, 10, "expected a name"),
    ("claim a/b\n  system none\n  assert 1 = 1 = 1 = 1", 3, 20, "unexpected '='"),
    ("claim a/b\n  system none\n  assert 1 =", 3, 13, "the text ends; expected a term"),
    ("claim a/b\n  system none\n  assert 1 + 1", 3, 10, "expected a truth, found a integer"),
    ("claim a/b\n  system none\n  assert 1 = $", 3, 14, "unexpected '$'"),
]
FORMULA_ERRORS = [
    ("forall t: y[t] = 0", 11, "unknown name 'y'"),
    ("forall t: g = 1", 11, "g is written g[time]"),
    ("forall t: x[0, t] = 0", 11, "x is written x[token, time] or x[time]"),
    ("forall t: nrm(x[t]) = 0", 11, "unknown word 'nrm'; did you mean norm?"),
    ("forall t: norm(B[t]) = 0", 11, "norm takes (vector), not (matrix)"),
    ("forall t, s: g[t] = g[s]", 1, "one quantifier may range over one unbounded time only"),
    ("forall t: (exists t: g[t] = 0)", 19, "'t' is already in use"),
    ("forall u: norm(u) >= 0", 8, "names of times begin with r, s or t"),
    ("forall t: (sum s: g[s]) <= 1", 16, "sum over times needs a range such as s in 0..t"),
    ("forall i: i <= 1", 11, "<= takes (scalar, scalar), not (token, integer)"),
    ("forall i, t: x[i, t]*2 = 0", 14, "not (vector, integer)"),
    ("forall t: g[t] = 2^(-t)", 18, "an exponent must be a natural number or a time"),
    ("forall t: pick(argmax j: g[t]) = 0", 11, "unknown operator 'pick'"),
    ("sum(1, 2) = 1", 1, "sum is written sum j: ..."),
    ("min(1, 2, 3) = 1", 1, "min takes (scalar, scalar)"),
    ("forall t: <x[t], x[t]> = 0", 11, "inner takes (vector, vector), not (cloud, cloud)"),
    ("tends(i: 1, 0)", 1, "tends needs a time"),
    ("forall t in 0..g[0]: 1 = 1", 16, "expected a time, found a scalar"),
    ("forall i in 0..3: 1 = 1", 8, "not a range for the token 'i'"),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), ERRORS)
def test_errors_point_at_line_and_column(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(StatementError) as caught:
        certify.parse(text, "mine.claim")
    error = caught.value
    assert (error.line, error.column) == (line, column)
    assert str(error).startswith(f"mine.claim:{line}:{column}: ") and message in str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize(("text", "column", "message"), FORMULA_ERRORS)
def test_errors_in_a_formula_point_at_the_part(text: str, column: int, message: str) -> None:
    with pytest.raises(StatementError) as caught:
        certify.parse("claim a/b\n  system hardmax\n  assert\n" + text)
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.column) == (4, column)


def test_windows_line_ends_change_neither_the_tree_nor_the_places() -> None:
    text = template_text()
    assert certify.parse(text.replace("\n", "\r\n")).tree == certify.parse(text).tree
    broken = text + " and"
    for ends in ("\n", "\r\n"):
        with pytest.raises(StatementError) as caught:
            certify.parse(broken.replace("\n", ends))
        assert (caught.value.line, caught.value.column) == (broken.count("\n") + 1, 5)


def test_an_error_after_windows_line_ends_is_on_the_right_line() -> None:
    with pytest.raises(StatementError) as caught:
        certify.parse("claim a/b\r\n  system none\r\n  # nothing\r\n  assert 1 = y\r\n")
    assert (caught.value.line, caught.value.column) == (4, 14)


def template_text() -> str:
    return ("# a comment\nclaim a/b  # behind\n  title \"with # inside\"\n  system none # none\n"
            "  given a: scalar\n#between\n  assert a*a >= # here too\n    0\n")


def test_comments_are_ignored_but_not_inside_text() -> None:
    tree = certify.parse(template_text()).tree
    assert tree[3][0] == "with # inside"
    assert tree[8] == ["ge", ["mul", ["at", "a"], ["at", "a"]], ["num", "0"]]


def test_quotes_and_backslashes_in_text_survive() -> None:
    tree = certify.parse(r'claim a/b title "say \"so\" \\ once" system none assert 1 = 1').tree
    assert tree[3][0] == 'say "so" \\ once'
    assert certify.parse(printer.claim(tree)).tree == tree


# ---- precedence

SAME = [
    ("1 + 2*3 = 7", "1 + (2*3) = 7"),
    ("1 - 2 - 3 = 0", "(1 - 2) - 3 = 0"),
    ("8/2/2 = 2", "(8/2)/2 = 2"),
    ("8/2*2 = 8", "(8/2)*2 = 8"),
    ("-2^2 = 4", "-(2^2) = 4"),
    ("-2*3 = 6", "(-2)*3 = 6"),
    ("2*-3 = 6", "2*(-3) = 6"),
    ("2 - -3 = 6", "2 - (-3) = 6"),
    ("1 = 1 and 2 = 2 or 3 = 3", "(1 = 1 and 2 = 2) or 3 = 3"),
    ("1 = 1 or 2 = 2 and 3 = 3", "1 = 1 or (2 = 2 and 3 = 3)"),
    ("not 1 = 1 and 2 = 2", "(not (1 = 1)) and 2 = 2"),
    ("1 = 1 implies 2 = 2 implies 3 = 3", "1 = 1 implies (2 = 2 implies 3 = 3)"),
    ("1 = 1 or 2 = 2 implies 3 = 3", "(1 = 1 or 2 = 2) implies 3 = 3"),
    ("1 = 1 implies 2 = 2 iff 3 = 3", "(1 = 1 implies 2 = 2) iff 3 = 3"),
    ("0 <= 1 <= 2", "0 <= 1 and 1 <= 2"),
    ("sum i: 1 + 1 = 2", "(sum i: (1 + 1)) = 2"),
    ("2*sum i: 1 + 1 = 2", "2*(sum i: (1 + 1)) = 2"),
    ("forall t: 1 = 1 implies 2 = 2", "forall t: (1 = 1 implies 2 = 2)"),
    ("1 = 1 implies forall t: 2 = 2 or 3 = 3", "1 = 1 implies (forall t: (2 = 2 or 3 = 3))"),
    ("forall i in argmax j: 1: 1 = 1", "forall i in (argmax j: 1): 1 = 1"),
]


@pytest.mark.parametrize(("bare", "grouped"), SAME)
def test_precedence(bare: str, grouped: str) -> None:
    assert formula(bare) == formula(grouped)


@pytest.mark.parametrize("text", ["1 = 1 iff 1 = 1 iff 1 = 1", "not forall t: 1 = 1", "2^-1 = 1", "2^3^2 = 1",
                                  "1 = 1 and forall t: 1 = 1", "2(3) = 6", "2 3 = 6", "01 = 1", ".5 = 1"])
def test_what_needs_parentheses_or_signs_is_refused(text: str) -> None:
    with pytest.raises(StatementError):
        formula(text)


def test_definitions_and_givens_are_told_from_bound_names() -> None:
    tree = certify.parse("claim a/b system hardmax given w: vector where f[t](u) = <B[t]*u, w>; e = f[0](w) "
                         "assert forall t, i: f[t](x[i, t]) <= e and w != 0").tree
    assert tree[6][1] == ["e", [], [], ["use", "f", [["num", "0"]], [["at", "w"]]]]
    left, right = tree[8][2][1:]
    assert left == ["le", ["use", "f", [["var", "t"]], [["at", "x", ["var", "i"], ["var", "t"]]]], ["use", "e", [], []]]
    assert right == ["ne", ["at", "w"], ["num", "0"]]


# ---- round trips

NAMES = {TIME: ["t", "s", "r", "t1", "tau"], TOKEN: ["i", "j", "k", "l", "i_2", "leader"], V: ["u", "v", "y", "p0"]}
CONSTANT = {S: [["token_count"], ["dimension"]], M: [["identity"]], SET: [["tokens"]]}
ZERO_MAY_STAND = {"eq", "ne", "add", "sub", "inner"}  # as the last argument of vectors or matrices
DEPTH, NEVER = 4, 1_000
ALL_SORTS = (S, V, M, C, BODY, REGION, SET, TRUTH, TOKEN, TIME, INT)


class Grower:
    """Draws random well-sorted trees over a scope; `bound` are the names in reach."""

    def __init__(self, draw: Any, scope: Scope) -> None:
        self.draw, self.scope = draw, scope
        self.fresh = count()
        self.depths: dict[tuple[frozenset[str], int], dict[str, int]] = {}

    def choose(self, options: list[Any]) -> Any:
        return options[self.draw(st.integers(0, len(options) - 1))]

    def tree(self, sort: str, bound: frozenset[str], depth: int) -> Tree:
        """A random term or formula that fits `sort`."""
        leaves = self.leaves(sort, bound)
        kinds = frozenset(map(sort_of_name, bound))
        ways = [(self.height(way, kinds), way) for way in self.ways(sort)]
        ways = [(height, way) for height, way in ways if height < NEVER]
        if leaves and (depth <= 0 or not ways or self.draw(st.integers(0, 3)) == 0):
            return self.choose(leaves)
        lowest = min(height for height, _ in ways)
        return self.grown(self.choose([w for h, w in ways if depth > 0 or h == lowest]), bound, depth - 1)

    def height(self, way: tuple[str, Any], kinds: frozenset[str]) -> int:
        """How deep a tree made in this way must at least be, with names of these sorts in reach."""
        operator, shape = way
        if operator in ("forall", "exists", "tends", "bigO", "geometric"):
            return 3  # not the shortest way to a truth
        if operator == "use":
            indices, parameters, _ = self.scope.definitions[shape]
            needed = [sort_of_name(p) for p in [*indices, *parameters]]
        elif operator in FOLDS or operator in TOKEN_SETS:
            needed, kinds = [shape], kinds | {TOKEN if self.scope.has_tokens else TIME}
        else:
            needed = list(shape[1][:-1] if operator == "at" else shape[:-1])
        return 1 + max((self.lowest(sort, kinds) for sort in needed), default=0)

    def lowest(self, sort: str, kinds: frozenset[str]) -> int:
        """The least depth of a tree of this sort, NEVER if there is none."""
        key = (kinds, len(self.scope.definitions))
        if key not in self.depths:
            stand_ins = frozenset(NAMES[kind][0] for kind in kinds)
            table = {s: 0 if self.leaves(s, stand_ins) else NEVER for s in ALL_SORTS}
            self.depths[key] = table
            for _ in ALL_SORTS:  # a longest chain of sorts without leaves is shorter than this
                for s in (s for s in ALL_SORTS if table[s]):
                    table[s] = min([NEVER, *(self.height(way, kinds) for way in self.ways(s))])
        return self.depths[key][sort]

    def leaves(self, sort: str, bound: frozenset[str]) -> list[Tree]:
        found: list[Tree] = [*CONSTANT.get(sort, [])]
        found += [["var", name] for name in sorted(bound) if fits(sort_of_name(name), sort, [])]
        if sort in (INT, TIME, S):
            found += [["num", text] for text in ("0", "1", "2", "17")]
        if sort == S:
            found += [["num", "0.25"], ["num", "1.50"]]
        found += [["at", name] for name, shapes in self.scope.data.items() if [sort] in shapes]
        return found

    def ways(self, sort: str) -> list[tuple[str, Any]]:
        """How a tree of this sort can be made."""
        found: list[tuple[str, Any]] = []
        for operator, shapes in SIGNATURES.items():
            if operator != "pick" or self.scope.allow_pick:
                found += [(operator, shape) for shape in shapes if len(shape) > 1 and fits(shape[-1], sort, [])]
        found += [("at", (name, shape)) for name, shapes in self.scope.data.items() for shape in shapes
                  if len(shape) > 1 and fits(shape[-1], sort, [])]
        found += [("use", name) for name, (*_, result) in self.scope.definitions.items() if fits(result, sort, [])]
        found += [(fold, body) for fold, results in FOLDS.items() for body, result in results.items()
                  if fits(result, sort, [])]
        if self.scope.has_tokens:
            found += [(operator, body) for operator, body in TOKEN_SETS.items() if sort == SET]
        if sort == TRUTH:
            found += [(word, None) for word in ("forall", "exists", "tends", "bigO", "geometric")]
        return found

    def grown(self, way: tuple[str, Any], bound: frozenset[str], depth: int) -> Tree:
        operator, shape = way
        if operator == "at":
            name, wanted = shape
            return ["at", name, *(self.tree(s, bound, depth) for s in wanted[:-1])]
        if operator == "use":
            indices, parameters, _ = self.scope.definitions[shape]
            return ["use", shape, *([self.tree(sort_of_name(p), bound, depth) for p in group]
                                    for group in (indices, parameters))]
        if operator in FOLDS or operator in TOKEN_SETS:
            without = self.lowest(shape, frozenset(map(sort_of_name, bound)) | {TIME}) == NEVER
            binder = self.binder(bound, depth, tokens_only=operator in TOKEN_SETS or without, bounded=True)
            return [operator, binder, self.tree(shape, bound | {binder[0]}, depth)]
        if operator in ("forall", "exists"):
            return self.quantifier(operator, bound, depth)
        if operator in ("tends", "bigO", "geometric"):
            return self.limit(operator, bound, depth)
        args = [self.tree(s, bound, depth) for s in shape[:-1]]
        if operator in ZERO_MAY_STAND and shape[-2] in (V, M) and self.draw(st.booleans()):
            args[-1] = ["num", "0"]
        if operator == "in" and shape[0] == V and self.draw(st.booleans()):
            args[0] = ["num", "0"]
        return [operator, *args]

    def quantifier(self, operator: str, bound: frozenset[str], depth: int) -> Tree:
        binders: list[Tree] = []
        bounded = False
        for _ in range(self.draw(st.integers(1, 3))):
            binders.append(self.binder(bound, depth, False, bounded))
            bounded = bounded or binders[-1][1:2] in ([], ["ge"])
            bound = bound | {binders[-1][0]}
        return [operator, binders, self.tree(TRUTH, bound, depth)]

    def limit(self, operator: str, bound: frozenset[str], depth: int) -> Tree:
        name = self.new_name(TIME, bound)
        kinds = frozenset(map(sort_of_name, bound))
        sort = self.choose([S, V]) if operator == "tends" and self.lowest(V, kinds) < NEVER else S
        parts = [self.tree(sort, bound | {name}, depth)]
        if operator != "geometric":
            parts.append(self.tree(sort, bound if operator == "tends" else bound | {name}, depth))
        return [operator, name, *parts]

    def binder(self, bound: frozenset[str], depth: int, tokens_only: bool, bounded: bool) -> Tree:
        tokens = self.scope.has_tokens and (tokens_only or self.draw(st.booleans()))
        name = self.new_name(TOKEN if tokens else TIME, bound)
        if tokens:
            return [name, "of", self.tree(SET, bound, depth)] if self.draw(st.booleans()) else [name]
        form = self.choose(["le", "in"] if bounded else ["", "ge", "le", "in"])
        limits = [self.tree(TIME, bound, depth) for _ in range({"": 0, "in": 2}.get(form, 1))]
        return [name, form, *limits] if form else [name]

    def new_name(self, sort: str, bound: frozenset[str]) -> str:
        taken = bound | set(self.scope.data) | set(self.scope.definitions)
        free = [name for name in NAMES[sort] if name not in taken]
        return str(self.choose(free)) if free else f"{NAMES[sort][0]}{next(self.fresh) + 100}"


GIVENS = [["a", S, "ge", ["num", "0"]], ["w", V], ["M", M], ["c", C], ["k0", S, "lt", ["num", "2.5"]]]
PROSE = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]) | st.just(" "), max_size=20).map(
    lambda text: " ".join(text.split()))


@st.composite
def claims(draw: Any, names: tuple[str, ...] = ("hardmax", "hardmax-matrix", "none")) -> tuple[Tree, Tree]:
    """A well-sorted claim and its system."""
    name = draw(st.sampled_from(names))
    system = None if name == "none" else system_tree(name)
    scope = Scope(sorts.check_system(system) if system is not None else {}, system is not None)
    givens = GIVENS[:draw(st.integers(0, len(GIVENS)))]
    scope.data.update({given[0]: [[given[1]]] for given in givens})
    grower = Grower(draw, scope)
    wheres: list[Tree] = []
    for symbol in ("Bs", "J", "f_1", "mean_score")[:draw(st.integers(0, 4))]:
        indices = [n for n in ("t", "s", "i", "j")[:4 if system is not None else 2] if draw(st.booleans())]
        parameters = [n for n in ("u", "v") if draw(st.booleans())]
        sort = draw(st.sampled_from([S, V, M, TRUTH] + ([SET] if system is not None else [])))
        bound = frozenset([*indices, *parameters])
        if grower.lowest(sort, frozenset(map(sort_of_name, bound))) == NEVER:
            sort = S
        body = grower.tree(sort, bound, DEPTH - 1)
        scope.definitions[symbol] = (indices, parameters, scope.sort(body, (), bound))
        wheres.append([symbol, indices, parameters, body])
    assumptions = [[label, grower.tree(TRUTH, frozenset(), DEPTH)] for label in ("H1", "H2")[:draw(st.integers(0, 2))]]
    kind = draw(st.sampled_from(sorts.KINDS))
    if kind == "statistic":
        bodies = {entry[0]: entry[3] for entry in wheres}
        assumptions = [line for line in assumptions if not sorts.mentions_tokens(line[1], bodies)]
    assertion = grower.tree(S if kind == "value" else TRUTH, frozenset(), DEPTH)
    selection = draw(st.sampled_from(sorts.SELECTIONS)) if system is not None else "every"
    prose = [draw(PROSE) for _ in range(3)]
    return ["claim", "mine/random", kind, prose, [name, selection], givens, wheres, assumptions, assertion], system


@exactly
@given(claims())
def test_the_canonical_text_of_a_claim_parses_to_the_same_tree(drawn: tuple[Tree, Tree]) -> None:
    tree, system = drawn
    try:
        sorts.check_claim(tree, system)
    except SortError as error:  # pragma: no cover - the strategy draws well-sorted trees
        raise AssertionError(f"not well sorted: {error} in {printer.claim(tree)}") from error
    text = printer.claim(tree)
    assert parse_claim(text, system_tree).tree == tree
    assert printer.claim(parse_claim(text, system_tree).tree) == text


@exactly
@given(claims(), st.sampled_from(["\n", "\r\n", "\t", " # a comment : ; ) ]\n"]))
def test_white_space_and_comments_carry_no_meaning(drawn: tuple[Tree, Tree], space: str) -> None:
    tree, _ = drawn
    tree[3] = ["", "", ""]
    text = printer.claim(tree)
    assert parse_claim(text.replace(" ", space), system_tree).tree == tree


@pytest.mark.parametrize("operator", sorted({*SIGNATURES, *FOLDS, *TOKEN_SETS} - {"pick"}))
def test_every_operator_round_trips_in_every_place_of_every_operator(operator: str) -> None:
    """Each operator as each argument of each other one, where the sorts allow it: precedence has no gaps."""
    scope = Scope({**sorts.check_system(system_tree("hardmax")), "a": [[S]], "w": [[V]], "M": [[M]], "c": [[C]]}, True)
    seen = 0
    for inner in _simple(operator):
        for outer, shape in _shapes():
            for place in range(len(shape) - 1):
                args = [LEAF[s] for s in shape[:-1]]
                args[place] = inner
                tree = [outer, *args] if outer not in BINDS else [outer, ["k"], args[0]]
                try:
                    sort = scope.sort(tree, (), frozenset({"t", "i"}))
                except SortError:
                    continue
                seen += 1
                whole = stated(tree, sort)
                claim = ["claim", "a/b", "theorem", ["", "", ""], ["hardmax", "every"],
                         [["a", S], ["w", V], ["M", M], ["c", C]], [], [], ["forall", [["t"], ["i"]], whole]]
                assert parse_claim(printer.claim(claim), system_tree).tree == claim
    assert seen > 0


LEAF: dict[str, Tree] = {INT: ["num", "3"], TIME: ["var", "t"], S: ["at", "a"], V: ["at", "w"], M: ["at", "M"],
                         C: ["at", "c"], BODY: ["hull", ["at", "c"]], REGION: ["interior", ["hull", ["at", "c"]]],
                         SET: ["tokens"], TOKEN: ["var", "i"],
                         TRUTH: ["psd", ["at", "M"]]}
BINDS = {*FOLDS, *TOKEN_SETS}


def stated(tree: Tree, sort: str) -> Tree:
    """A formula with the tree in it."""
    if sort == TRUTH:
        return tree
    return ["in", ["var", "i"], tree] if sort == SET else ["subset" if sort == BODY else "eq", tree, tree]


def _simple(operator: str) -> list[Tree]:
    if operator in BINDS:
        bodies = [TOKEN_SETS[operator]] if operator in TOKEN_SETS else list(FOLDS[operator])
        return [[operator, ["j"], LEAF[body]] for body in bodies]
    return [[operator, *(LEAF[s] for s in shape[:-1])] for shape in SIGNATURES[operator]]


def _shapes() -> list[tuple[str, tuple[str, ...]]]:
    found = [(name, shape) for name, shapes in SIGNATURES.items() for shape in shapes if name != "pick"]
    found += [(name, (body, result)) for name, results in FOLDS.items() for body, result in results.items()]
    return found + [(name, (body, SET)) for name, body in TOKEN_SETS.items()]


@pytest.mark.parametrize("name", system_names())
def test_systems_round_trip(name: str) -> None:
    tree = system_tree(name)
    assert parse_system(printer.system(tree)) == tree


@st.composite
def steps(draw: Any) -> Tree:
    """A well-sorted system."""
    data = [["B", M, "timed"], ["P", M, "fixed"], ["g", S, "step size"], ["h", S, "timed"]][:draw(st.integers(0, 4))]
    seen = {name: [[sort]] if kind == "fixed" else [[TIME, sort]] for name, sort, kind in data}
    scope = Scope({**seen, "x": [[TOKEN, V]]}, True)
    scope.allow_pick = True
    return ["system", "mine", data, Grower(draw, scope).tree(V, frozenset({"i", "t"}), DEPTH)]


@exactly
@given(steps())
def test_the_canonical_text_of_a_system_parses_to_the_same_tree(tree: Tree) -> None:
    sorts.check_system(tree)
    assert parse_system(printer.system(tree)) == tree


# ---- expressions in t

EXPRESSIONS = st.recursive(
    st.sampled_from([["var", "t"], ["num", "0"], ["num", "12"], ["num", "0.50"]]),
    lambda part: st.tuples(st.sampled_from(["add", "sub", "mul", "div", "pow"]), part, part).map(list)
    | part.map(lambda p: ["neg", p]), max_leaves=12)


@exactly
@given(EXPRESSIONS)
def test_expressions_round_trip(tree: Tree) -> None:
    assert parse_expression(printer.term(tree), "g") == tree


@pytest.mark.parametrize("text", ["", "2/", "s", "2/(t+2", "sqrt(t)", "2t", "t[0]", "1 <= t", "2^-t", "<t, t>",
                                  "t" * 20_000])
def test_other_expressions_are_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_expression(text, "g")
    assert str(caught.value).startswith("g: ") and "\n" not in str(caught.value)
