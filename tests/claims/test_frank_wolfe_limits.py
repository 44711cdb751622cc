"""The limits claimed beside Theorem 3.1: to the origin, at a geometric rate, and the energy like 1/t.

Brute force decides by what it sees in a few steps: a hull that has lost 0 never gets it back, tokens that all sit at 0
stay there, and tokens that have settled run to known points for ever.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

import certify

from .frank_wolfe import assumptions, breaking, instance
from .judging import accepted_alone, agree_on_lines, asked, share_undecided, stated_selection
from .second import (
    Case,
    Cloud,
    Tie,
    constant,
    energy,
    first_tie,
    followed,
    in_hull,
    least,
    matrix,
    scaled,
    scaling,
    settled,
    trajectories,
    vector,
)

SEEDS = range(30)
MORE_SEEDS = range(100, 260)
SEEN = 24


def tends_to_0(case: Case, states: list[Cloud]) -> bool | None:
    zero = vector([0] * case.d)
    if all(p == zero for p in states[-1]):
        return True
    if not in_hull(zero, states[-1]):
        return False
    goal = settled(case, states)
    return None if goal is None else all(v == zero for v in goal)


def contracts_geometrically(case: Case, states: list[Cloud]) -> bool | None:
    """Steps 2/(t+2) leave a distance like 1/t^2 on any way to 0 that takes for ever."""
    zero = vector([0] * case.d)
    if all(p == zero for p in states[-1]):
        return True
    if not in_hull(zero, states[-1]):
        return False
    return None if settled(case, states) is None else False


def energy_falls_like_1_over_t(case: Case, states: list[Cloud]) -> bool | None:
    """O(1/t): a matrix that fades like 1/t is enough; else every token must run to a point without energy."""
    if case.b.order >= 1:
        return True
    bs = scaled(-1, case.b.at(len(states) - 1))
    goal = settled(case, states)
    if goal is not None:
        return all(energy(bs, v) == 0 for v in goal)
    return False if least(bs, states[-1]) > 0 else None


CLAIMS = {
    "fw25v1/thm-3.1-origin": tends_to_0,
    "fw25v1/thm-3.1-linear": contracts_geometrically,
    "fw26icml/thm-3.1": energy_falls_like_1_over_t,
}


def judged(claim: str, case: Case) -> certify.Result:
    result = asked(claim, case)
    if not agree_on_lines(result, assumptions(case)):
        return result
    truth = CLAIMS[claim]
    if result.kind == "holds":
        assert result.verdict["T"] == "forever", "a limit is never true to T"
        assert all(truth(case, states) is not False for states in trajectories(case, SEEN))
        if first_tie(case, SEEN) is None:
            assert truth(case, followed(case, SEEN)) is True
    elif result.kind == "refuted":
        assert "t" not in result.verdict, "no single time refutes a limit"
        assert some_selection_denies(result, case)
    else:
        assert first_tie(case, SEEN) is not None, f"no tie, and yet {result.verdict}"
    return result


def some_selection_denies(result: certify.Result, case: Case) -> bool:
    """The selection of the certificate, as far as it is stated, is seen to deny the limit."""
    truth, choose = CLAIMS[result.claim.id], stated_selection(result)
    for last in range(SEEN, 0, -1):  # a trap may leave later ties open
        try:
            return truth(case, followed(case, last, choose)) is False
        except Tie:
            continue
    return truth(case, [case.x]) is False


@cache
def outcome(claim: str, seed: int) -> certify.Result:
    return judged(claim, instance(seed))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("claim", CLAIMS)
def test_the_verdict_is_that_of_brute_force(claim: str, seed: int) -> None:
    assert outcome(claim, seed).evidence == "exact"


@pytest.mark.slow
@pytest.mark.parametrize("seed", MORE_SEEDS)
@pytest.mark.parametrize("claim", CLAIMS)
def test_the_verdict_is_that_of_brute_force_on_more_seeds(claim: str, seed: int) -> None:
    assert judged(claim, instance(seed)).evidence == "exact"


@pytest.mark.parametrize("claim", CLAIMS)
def test_undecided_is_rare(claim: str) -> None:
    results = [outcome(claim, seed) for seed in SEEDS]
    assert {"vacuous", "refuted"} <= {result.kind for result in results}
    assert share_undecided(results) <= Fraction(1, 20)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("line", ["H1", "H2", "H3", "H4"])
@pytest.mark.parametrize("claim", CLAIMS)
def test_one_false_assumption_is_named(claim: str, line: str, seed: int) -> None:
    case = breaking(line, seed)
    lines = assumptions(case)
    assert [name for name, truth in lines.items() if not truth] == [line]
    assert not agree_on_lines(asked(claim, case), lines)


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("size", [1, 2, Fraction(1, 3)])
def test_two_opposite_tokens_meet_at_0(claim: str, size: Fraction, tmp_path: Path) -> None:
    """They swap sides once, come nearer, and are both at 0 from t = 3 on."""
    case = Case(size, matrix([[size], [-size]]), constant(matrix([[-1]])), instance(0).g)
    assert followed(case, 3)[-1] == matrix([[0], [0]])
    result = judged(claim, case)
    assert result.kind == "holds"
    accepted_alone(result, tmp_path)


@pytest.mark.parametrize("claim", CLAIMS)
def test_duplicated_tokens_change_nothing(claim: str) -> None:
    for points in ([[3], [-1]], [[3], [-1], [3], [-1]], [[-1], [3], [-1]]):
        case = Case(len(points), matrix(points), constant(matrix([[-1]])), instance(0).g)
        assert judged(claim, case).kind == "refuted"


@pytest.mark.parametrize("text", ["1/(t+1)", "1/(t+2)^2", "(1/2)^t", "1/(2*t+1)", "(t+2)/(t+1)^2"])
def test_a_fading_matrix_makes_the_energy_fall(text: str) -> None:
    """The tokens do not reach 0, and the energy falls like 1/t all the same."""
    factors = {"1/(t+1)": lambda t: Fraction(1, t + 1), "1/(t+2)^2": lambda t: Fraction(1, (t + 2) ** 2),
               "(1/2)^t": lambda t: Fraction(1, 2**t), "1/(2*t+1)": lambda t: Fraction(1, 2 * t + 1),
               "(t+2)/(t+1)^2": lambda t: Fraction(t + 2, (t + 1) ** 2)}
    case = Case(text, matrix([[3], [-1]]), scaling(text, factors[text], matrix([[-1]]), 1), instance(0).g)
    assert judged("fw26icml/thm-3.1", case).kind == "holds"
    assert judged("fw25v1/thm-3.1-origin", case).kind == "refuted"
