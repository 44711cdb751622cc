"""Theorem 3.1, its other reading and its repairs R1, R2, R2b, R3: bounds at every t, against brute force."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

import certify

from .frank_wolfe import assumptions, breaking, instance
from .judging import Lines, Violation, accepted_alone, agree_on_lines, asked, judged, share_undecided
from .second import (
    Case,
    Cloud,
    constant,
    cycled,
    energy,
    exceeds,
    first_tie,
    in_hull,
    least,
    matrix,
    scaled,
    squared_diameter,
    vector,
)

SEEDS = range(14)
MORE_SEEDS = range(100, 140)


def over(case: Case, t: int, left: Fraction) -> bool:
    """left > 2/(t+1) lambda_max(-B^0) diam(K^0)^2."""
    return left > 0 and exceeds(left, Fraction(2, t + 1) * squared_diameter(case.x), scaled(-1, case.b.at(0)))


def bound(case: Case, states: list[Cloud], t: int) -> int | None:
    bs = scaled(-1, case.b.at(t))
    return next((i for i, p in enumerate(states[t + 1]) if over(case, t, energy(bs, p))), None)


def bound_same_time(case: Case, states: list[Cloud], t: int) -> int | None:
    bs = scaled(-1, case.b.at(t))
    return next((i for i, p in enumerate(states[t]) if over(case, t, energy(bs, p))), None)


def bound_inside(case: Case, states: list[Cloud], t: int) -> int | None:
    """Asked only while 0 has been in every hull; hulls shrink, so the last one tells."""
    return bound(case, states, t) if in_hull(vector([0] * case.d), states[t]) else None


def bound_of_gap(case: Case, states: list[Cloud], t: int) -> int | None:
    bs = scaled(-1, case.b.at(t))
    low = least(bs, states[t + 1])
    return next((i for i, p in enumerate(states[t + 1]) if over(case, t, energy(bs, p) - low)), None)


CLAIMS: dict[str, tuple[str, Violation, int, int]] = {  # assumptions, violation, states ahead, first t
    "fw25v1/thm-3.1": ("H1 H2 H3 H4", bound, 1, 0),
    "fw25v1/thm-3.1-same-time": ("H1 H2 H3 H4", bound_same_time, 0, 1),
    "repair/thm-3.1-R1": ("H1 H2 H3", bound_inside, 1, 0),
    "repair/thm-3.1-R2": ("H1 H2 H3", bound_of_gap, 1, 0),
    "repair/thm-3.1-R2b": ("H1 H2 H3 H4", bound_of_gap, 1, 0),
    "repair/thm-3.1-R3": ("H1 H2 H3", bound_of_gap, 1, 0),
}
BREAKS = [(claim, line) for claim, (names, *_) in CLAIMS.items() for line in names.split()]


def lines_of(claim: str, case: Case) -> Lines:
    return assumptions(case, CLAIMS[claim][0], fixed=claim.endswith("R3"))


@cache
def outcome(claim: str, seed: int) -> certify.Result:
    case = instance(seed)
    _, violation, ahead, start = CLAIMS[claim]
    return judged(claim, case, lines_of(claim, case), violation, ahead, start)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("claim", CLAIMS)
def test_the_verdict_is_that_of_brute_force(claim: str, seed: int) -> None:
    assert outcome(claim, seed).evidence == "exact"


@pytest.mark.slow
@pytest.mark.parametrize("seed", MORE_SEEDS)
@pytest.mark.parametrize("claim", CLAIMS)
def test_the_verdict_is_that_of_brute_force_on_more_seeds(claim: str, seed: int) -> None:
    case = instance(seed)
    _, violation, ahead, start = CLAIMS[claim]
    assert judged(claim, case, lines_of(claim, case), violation, ahead, start).evidence == "exact"


@pytest.mark.parametrize("claim", CLAIMS)
def test_undecided_comes_from_ties_at_the_start_only(claim: str) -> None:
    """Two seeds at most; of the repairs R3 has the fewest instances that meet its assumptions, seven."""
    results = [outcome(claim, seed) for seed in SEEDS]
    tied = [result for seed, result in zip(SEEDS, results, strict=True) if first_tie(instance(seed), 1) is not None]
    assert {result.kind for result in results} >= {"holds"}
    assert share_undecided(results) <= Fraction(2, 7)
    assert sum(result.kind == "undecided" for result in results) <= len(tied)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("claim", "line"), BREAKS)
def test_one_false_assumption_is_named(claim: str, line: str, seed: int) -> None:
    """Every other assumption is true, so the claim is vacuous by this line alone."""
    fixed = claim.endswith("R3")
    case = breaking(line, seed, fixed)
    lines = lines_of(claim, case)
    assert [name for name, truth in lines.items() if not truth] == [line]
    assert not agree_on_lines(asked(claim, case), lines)


@pytest.mark.parametrize(("claim", "line"), [("fw25v1/thm-3.1", "H1"), ("fw25v1/thm-3.1", "H2"),
                                             ("repair/thm-3.1-R3", "H2")])
def test_a_cycle_that_fails_after_its_start(claim: str, line: str) -> None:
    """-B is 2, 1, 2, 1, ... and grows from t = 1 to t = 2; or it is 1, -1, 1, -1, ..."""
    entries = [matrix([[-2]]), matrix([[-1]])] if line == "H2" else [matrix([[-1]]), matrix([[1]])]
    case = Case(line, matrix([[2], [-1]]), cycled(entries), instance(0).g)
    lines = lines_of(claim, case)
    assert not lines[line]
    assert asked(claim, case).kind == "vacuous"


@pytest.mark.parametrize("far", [2, 3, 4, 5])
def test_two_tokens_on_a_line_break_the_bound_late(far: int, tmp_path: Path) -> None:
    """Far beyond the steps that are simulated, and the first violation by the closed form of brute force too."""
    case = Case(far, matrix([[far], [-1]]), constant(matrix([[-1]])), instance(0).g)
    result = judged("fw25v1/thm-3.1", case, assumptions(case), bound)
    assert result.kind == "refuted"
    assert result.verdict["first"]
    accepted_alone(result, tmp_path)


@pytest.mark.parametrize("claim", CLAIMS)
def test_all_tokens_at_one_point(claim: str) -> None:
    """Both sides are 0 at the origin; beside it 0 is not in the hull."""
    for place in ([0, 0], [1, 2]):
        case = Case(0, matrix([place, place, place]), constant(matrix([[-2, 0], [0, -1]])), instance(0).g)
        _, violation, ahead, start = CLAIMS[claim]
        result = judged(claim, case, lines_of(claim, case), violation, ahead, start)
        assert result.kind == ("vacuous" if place != [0, 0] and "H4" in CLAIMS[claim][0] else "holds")


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_token_at_0_ties_with_every_point(claim: str) -> None:
    """What is said of every selection is true for those that brute force tries."""
    case = Case("0 in the middle", matrix([[1, 0], [-1, 1], [0, 0], [-1, -1]]), constant(matrix([[-1, 0], [0, -2]])),
                instance(0).g)
    _, violation, ahead, start = CLAIMS[claim]
    assert first_tie(case, 0) == 0
    assert judged(claim, case, lines_of(claim, case), violation, ahead, start).kind != "vacuous"
