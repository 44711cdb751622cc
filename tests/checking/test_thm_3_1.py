"""Theorem 3.1 on seeded random instances, every verdict against brute force in exact arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any

import pytest
from brute_force import (
    Matrix,
    Points,
    Tie,
    bound_fails,
    dot,
    exact,
    frank_wolfe_violation,
    in_hull,
    plain_step,
    positive_semidefinite,
    squared_diameter,
    states,
)
from verdict_support import decide, every_selection, hardmax, selection_of

import certify

REACH, CONFIRM = 400, 3_000
SCALES: dict[str, Callable[[int], Fraction]] = {
    "1/(t+1)": lambda t: Fraction(1, t + 1),
    "(t+2)/(t+1)": lambda t: Fraction(t + 2, t + 1),
    "1/2 + 1/2^t": lambda t: Fraction(1, 2) + Fraction(1, 2**t),
    "3 - t/(t+1)": lambda t: 3 - Fraction(t, t + 1),
}


class Case:
    """One random instance that meets H1 to H4, with the matrix at every time as a function."""

    def __init__(self, seed: int, dimension: int) -> None:
        rng = Random(seed)
        self.seed, self.d = seed, dimension
        self.x = self._tokens(rng)
        self.form = rng.choice(["identity", "diagonal", "gram", "list", "scale"])
        self.at: Callable[[int], Matrix]
        if self.form == "list":
            whole = [self._gram(rng, 1)]
            for _ in range(rng.randint(1, 3)):
                whole.insert(0, _plus(whole[0], self._gram(rng, 1)))
            entries = [_negative(m) for m in whole]
            self.b: Any = {"list": entries}
            self.at = lambda t: entries[min(t, len(entries) - 1)]
        elif self.form == "scale":
            text, matrix = rng.choice(sorted(SCALES)), _negative(self._gram(rng, 2))
            factor = SCALES[text]
            self.b = {"scale": text, "matrix": matrix}
            self.at = lambda t: [[factor(t) * e for e in row] for row in matrix]
        else:
            fixed = _negative(self._fixed(rng))
            self.b = fixed
            self.at = lambda t: fixed

    def _tokens(self, rng: Random) -> Points:
        n = rng.randint(2, 6)
        if self.d == 1:
            x = [[Fraction(rng.randint(-12, 12))] for _ in range(n)]
            return x if in_hull([Fraction(0)], x) else [[-x[0][0]], *x[1:]]
        x = [[Fraction(rng.randint(-9, 9), rng.choice([1, 2, 3, 5])) for _ in range(2)] for _ in range(n - 1)]
        weights = [Fraction(rng.randint(1, 4), rng.randint(2, 9)) for _ in x]
        return [*x, [-sum((w * p[k] for w, p in zip(weights, x, strict=True)), Fraction(0)) for k in range(2)]]

    def _gram(self, rng: Random, rank: int) -> Matrix:
        factor = [[Fraction(rng.randint(-3, 3)) for _ in range(rank)] for _ in range(self.d)]
        return [[dot(u, v) for v in factor] for u in factor]

    def _fixed(self, rng: Random) -> Matrix:
        if self.form == "gram":
            return self._gram(rng, 2)
        low = 0 if self.d > 1 else 1
        entries = [
            Fraction(rng.randint(low, 5), rng.randint(1, 3)) if self.form == "diagonal" else Fraction(1)
            for _ in range(self.d)
        ]
        return [[entries[i] if i == j else Fraction(0) for j in range(self.d)] for i in range(self.d)]

    def instance(self) -> certify.Instance:
        return hardmax(self.x, self.b, "2/(t+2)")


def _negative(m: Matrix) -> Matrix:
    return [[-e for e in row] for row in m]


def _plus(a: Matrix, b: Matrix) -> Matrix:
    return [[p + q for p, q in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]


@pytest.fixture(scope="module")
def theorem() -> certify.Claim:
    return certify.load("fw25v1/thm-3.1")


def brute(case: Case, last: int) -> tuple[int, int] | Tie | None:
    try:
        return frank_wolfe_violation(case.x, case.at, last)
    except Tie as tie:
        return tie


def confirm(case: Case, found: certify.Result, horizon: int) -> None:
    """The verdict on an instance without ties against brute force."""
    truth = brute(case, REACH)
    assert not isinstance(truth, Tie)
    verdict = found.verdict
    print("seed", case.seed, case.form, "d =", case.d, "verdict", verdict, "brute force", truth)
    assert found.kind in ("refuted", "holds")
    if truth is not None and truth[0] <= horizon:
        assert found.kind == "refuted"
    if found.kind == "holds":
        to = REACH if verdict["T"] == "forever" else int(verdict["T"])
        assert to >= horizon
        assert truth is None or truth[0] > to
        return
    t, place = int(verdict["t"]), (int(verdict["t"]), verdict["i"])
    if t <= CONFIRM:
        first = truth if truth is not None else brute(case, t)
        if verdict["first"]:
            assert first == place
        else:
            assert t > horizon
            assert frank_wolfe_violation(case.x, case.at, t, first=t) is not None
    else:
        assert truth is None


@pytest.mark.parametrize("seed", range(30))
def test_tokens_on_a_line(theorem: certify.Claim, seed: int) -> None:
    case = Case(seed, 1)
    if isinstance(brute(case, REACH), Tie):
        confirm_with_ties(case, decide(theorem, case.instance(), horizon=12))
    else:
        confirm(case, decide(theorem, case.instance()), 200)


@pytest.mark.parametrize("seed", range(30))
def test_tokens_in_the_plane(theorem: certify.Claim, seed: int) -> None:
    case = Case(seed, 2)
    if isinstance(brute(case, REACH), Tie):
        confirm_with_ties(case, decide(theorem, case.instance(), horizon=12))
    else:
        confirm(case, decide(theorem, case.instance(), horizon=60), 60)


def confirm_with_ties(case: Case, found: certify.Result) -> None:
    verdict = found.verdict
    print("seed", case.seed, case.form, "d =", case.d, "verdict", verdict, "ties", found.ties)
    assert found.ties, "brute force met a tie"
    if found.kind == "refuted":
        t = int(verdict["t"])
        if t > CONFIRM:
            assert frank_wolfe_violation(case.x, case.at, REACH, selection_of(found)) is None
        elif verdict["first"]:
            assert frank_wolfe_violation(case.x, case.at, t, selection_of(found)) == (t, verdict["i"])
        else:
            assert frank_wolfe_violation(case.x, case.at, t, selection_of(found), first=t) is not None
        return
    assert found.kind == "holds", "undecided is not expected of these seeds"
    whole = verdict["T"] == "forever"
    covered = -1
    for last in range(9 if whole else int(verdict["T"]) + 1):  # as deep as the number of selections allows
        found_here: list[Any] = []
        count = every_selection(
            lambda choose: found_here.append(frank_wolfe_violation(case.x, case.at, last, choose)), 300
        )
        if count is None:
            break
        assert found_here == [None] * count
        covered = last
    print("all selections tried to t =", covered)
    rng = Random(case.seed)
    for _ in range(3 if covered > 0 else 40):  # beyond, and where every selection is too many, convex ones at random
        assert frank_wolfe_violation(case.x, case.at, 60 if whole else int(verdict["T"]), mixed(rng)) is None


def mixed(rng: Random) -> Any:
    """A selection that takes random convex weights at each tie."""

    def choose(t: int, i: int, points: list[int]) -> dict[int, Fraction]:
        parts = [rng.randint(0, 3) for _ in points]
        parts[rng.randrange(len(parts))] += 1
        return {j: Fraction(p, sum(parts)) for j, p in zip(points, parts, strict=True) if p}

    return choose


def test_both_kinds_of_instance_occur() -> None:
    """The seeds above are worth something: they cover ties and none, every form, one and two dimensions."""
    cases = [Case(seed, d) for d in (1, 2) for seed in range(30)]
    assert {(case.form, case.d) for case in cases} == {
        (form, d) for form in ("identity", "diagonal", "gram", "list", "scale") for d in (1, 2)
    }
    assert {len(case.x) for case in cases} == {2, 3, 4, 5, 6}
    ties = sum(isinstance(brute(case, 20), Tie) for case in cases)
    assert 8 <= ties <= 30
    for case in cases:
        assert in_hull([Fraction(0)] * case.d, case.x)
        for t in range(5):
            now, after = _negative(case.at(t)), _negative(case.at(t + 1))
            assert positive_semidefinite(now)
            assert positive_semidefinite(_plus(now, _negative(after)))


TIES = [
    ([[3], [0], [-1]], [[-1]]),
    ([[5], [0], [0], [-2]], [[-1]]),
    ([[1], [0], [-1]], [[-2]]),
    ([[1, 0], [-1, 0], [0, 1]], [[-1, 0], [0, -1]]),
    ([[2, 0], [-1, 1], [-1, -1]], [[-1, 0], [0, 0]]),
    ([[2, 1], [-2, 1], [0, -3]], [[-1, 0], [0, -2]]),
]


@pytest.mark.parametrize("number", range(len(TIES)))
def test_ties_made_by_hand(theorem: certify.Claim, number: int) -> None:
    case = Case(0, 1)
    x, b = TIES[number]
    case.x, case.b, case.form, case.d = _exact(x), _exact(b), "by hand", len(x[0])
    case.at = lambda t: case.b
    assert isinstance(brute(case, REACH), Tie)
    confirm_with_ties(case, decide(theorem, case.instance(), horizon=12))


def _exact(rows: list[list[int]]) -> Matrix:
    return [[Fraction(e) for e in row] for row in rows]


VACUOUS: list[tuple[str, dict[str, Any]]] = [
    ("H1", {"B": [["1"]]}),
    ("H1", {"B": {"list": [[["-1"]], [["-1"]], [["1/1000000"]]]}}),
    ("H2", {"B": {"list": [[["-1"]], [["-2"]]]}}),
    ("H2", {"B": {"cycle": [[["-1"]], [["-2"]]]}}),
    ("H2", {"B": {"scale": "t + 1", "matrix": [["-1"]]}}),
    ("H3", {"g": "1/2"}),
    ("H3", {"g": "2/(t+3)"}),
    ("H3", {"g": ["1", "2/3", "1/2", "2/5"]}),
    ("H4", {"x": [["3"], ["1"]]}),
    ("H4", {"x": [["3"], ["1/1000000000000000000000"]]}),
]


@pytest.mark.parametrize(("line", "changes"), VACUOUS)
def test_each_hypothesis_can_fail(theorem: certify.Claim, line: str, changes: dict[str, Any]) -> None:
    data = hardmax([[3], [-1]], [[-1]], "2/(t+2)").with_fields(**changes)
    found = decide(theorem, data)
    assert found.verdict == {"kind": "vacuous", "line": line, "evidence": "exact"}


def test_a_hypothesis_that_fails_late_is_found(theorem: certify.Claim) -> None:
    """H2 fails at t = 998 only; the horizon is 10."""
    entries = [[["-1"]]] * 999 + [[["-2"]]]
    found = decide(theorem, hardmax([[3], [-1]], {"list": entries}, "2/(t+2)"), horizon=10)
    assert found.verdict["line"] == "H2"
    assert next(line for line in found.ledger if line["name"] == "H2")["t"] == 998


@pytest.mark.parametrize(("x", "t"), [([[3], [-1]], 575), ([[4], [-1]], 224), ([["13127/2023"], [-1]], 100)])
def test_the_published_counterexamples(theorem: certify.Claim, x: list[list[Any]], t: int) -> None:
    case = Case(0, 1)
    case.x, case.b, case.form = [[Fraction(e) for e in row] for row in x], _exact([[-1]]), "published"
    case.at = lambda s: case.b
    assert brute(case, t) == (t, 0)
    for horizon in (t + 5, 20):
        verdict = decide(theorem, case.instance(), horizon=horizon).verdict
        assert (verdict["kind"], verdict["t"], verdict["i"], verdict["first"]) == ("refuted", t, 0, True)


@pytest.mark.parametrize("seed", range(12))
def test_the_repair_that_asks_for_the_origin_at_every_time(seed: int) -> None:
    """R1: the bound at t only while 0 lies in the hull at all s <= t. Brute force looks at every t to 60."""
    case = Case(seed, 1 + seed % 2)
    while isinstance(brute(case, 60), Tie):
        case = Case(case.seed + 100, 1 + seed % 2)
    top, size = _negative(case.at(0)), squared_diameter(case.x)
    violation = None
    inside = True
    run = states(case.x, case.at, lambda t: Fraction(2, t + 2))
    now = exact(next(run))
    for t in range(60):
        inside = inside and in_hull([Fraction(0)] * case.d, now)
        now = exact(next(run))
        if not inside:
            break
        failing = [
            i
            for i, p in enumerate(now)
            if bound_fails(-dot([dot(row, p) for row in case.at(t)], p) / 2, Fraction(2, t + 1) * size, top)
        ]
        if failing:
            violation = (t, failing[0])
            break
    found = decide(certify.load("repair/thm-3.1-R1"), case.instance(), horizon=60)
    print("seed", case.seed, case.form, "0 inside to", t, "verdict", found.verdict, "brute force", violation)
    if violation is not None:
        assert (found.kind, found.verdict["t"], found.verdict["i"]) == ("refuted", *violation)
    else:
        assert found.kind == "holds"
        assert not inside or found.verdict["T"] == "forever" or found.verdict["T"] >= 59


def test_the_order_of_tokens_only_renumbers_them(theorem: certify.Claim) -> None:
    rng = Random(5)
    x = _exact([[9], [-2], [7], [-1]])
    wanted = frank_wolfe_violation(x, lambda t: _exact([[-1]]), 2_000)
    assert wanted is not None
    for _ in range(4):
        order = rng.sample(range(4), 4)
        moved = [x[k] for k in order]
        verdict = decide(theorem, hardmax(moved, [[-1]], "2/(t+2)"), horizon=50).verdict
        again = frank_wolfe_violation(moved, lambda t: _exact([[-1]]), 2_000)
        assert again is not None and again[0] == wanted[0]
        assert (verdict["t"], verdict["i"]) == again


@pytest.mark.parametrize("factor", ["1/1000", "7/3", "1000"])
def test_scaling_the_tokens_changes_nothing(theorem: certify.Claim, factor: str) -> None:
    """Both sides are quadratic in x, and the leaders do not change."""
    x = [[Fraction(factor) * e for e in row] for row in _exact([[7], [-2], [3]])]
    verdict = decide(theorem, hardmax(x, [[-1]], "2/(t+2)"), horizon=50).verdict
    plain = frank_wolfe_violation(_exact([[7], [-2], [3]]), lambda t: _exact([[-1]]), 2_000)
    assert plain == (verdict["t"], verdict["i"])


def test_brute_force_agrees_with_naive_fractions() -> None:
    """The integer form of the simulation above is the same dynamics as the formula in plain fractions."""
    for seed in range(6):
        case = Case(seed, 2)
        for choose in ("average-points", "average-indices", mixed(Random(seed))):
            again = mixed(Random(seed)) if callable(choose) else choose
            now = case.x
            for t, state in enumerate(islice(states(case.x, case.at, lambda t: Fraction(2, t + 2), again), 12)):
                assert exact(state) == now
                now = plain_step(now, case.at(t), Fraction(2, t + 2), t, choose)


def test_brute_force_compares_eigenvalues_exactly() -> None:
    """lambda_max of [[2,1],[1,2]] is 3: the bound fails from just above 3 on, and not at 3."""
    m = _exact([[2, 1], [1, 2]])
    assert not bound_fails(Fraction(3), Fraction(1), m)
    assert bound_fails(Fraction(3) + Fraction(1, 10**30), Fraction(1), m)
    golden = _exact([[1, 1], [1, 0]])  # (1 + sqrt 5)/2 lies between consecutive Fibonacci quotients
    assert bound_fails(Fraction(233, 144), Fraction(1), golden)
    assert not bound_fails(Fraction(144, 89), Fraction(1), golden)
    assert squared_diameter(_exact([[0, 0], [3, 4]])) == 25
