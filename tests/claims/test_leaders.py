"""Leaders: the argmax over tokens is a linear oracle of the hull, and whether leader sets are single points."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random

import pytest

import certify

from .clouds import any_matrix, any_step, cloud, positive
from .judging import HORIZON, accepted_alone, judged
from .second import (
    Case,
    Cloud,
    constant,
    dot,
    first_tie,
    identity,
    leader_points,
    leaders,
    matrix,
    scaled,
    scaling,
    times,
    vertices,
)

SEEDS = range(36)
TURNING = {  # scales that vanish or change their sign, some of them beyond the steps that are simulated
    "(60-t)/(t+1)": lambda t: Fraction(60 - t, t + 1),
    "(t-50)^2/(t+1)^2": lambda t: Fraction((t - 50) ** 2, (t + 1) ** 2),
    "(t-3)/(t+1)": lambda t: Fraction(t - 3, t + 1),
    "1/(t+1) - 1/50": lambda t: Fraction(1, t + 1) - Fraction(1, 50),
    "(-1/2)^t": lambda t: Fraction(-1, 2) ** t,
}


def case_of(seed: int) -> Case:
    rng = Random(f"leaders, {seed}")
    points = cloud(rng, wide=rng.choice([2, 5, 9]))
    d = len(points[0])
    b = constant(scaled((-1) ** seed, positive(rng, d))) if seed % 3 else any_matrix(rng, d)
    return Case(seed, points, b, any_step(rng))


def misses_the_hull(case: Case, states: list[Cloud], t: int) -> int | None:
    """A token with a leader below the greatest value over the vertices of the hull."""
    points, b = states[t], case.b.at(t)
    corners = [points[k] for k in vertices(points)]
    for i, p in enumerate(points):
        direction = times(b, p)
        top = max(dot(direction, v) for v in corners)
        if any(dot(direction, points[k]) != top for k in leaders(points, b, i)):
            return i
    return None


def several_leaders(case: Case, states: list[Cloud], t: int) -> int | None:
    return next((i for i in range(len(states[t])) if len(leader_points(states[t], case.b.at(t), i)) > 1), None)


def signs_differ(case: Case, states: list[Cloud], t: int) -> int | None:
    """A token whose minimisers for -B are not its leaders for B, or do not reach the least value over the vertices."""
    points, b = states[t], case.b.at(t)
    opposite = scaled(-1, b)
    for i, p in enumerate(points):
        scores = [dot(times(opposite, p), q) for q in points]
        lowest = [k for k, score in enumerate(scores) if score == min(scores)]
        least_at_vertices = min(dot(times(opposite, p), points[k]) for k in vertices(points))
        if lowest != leaders(points, b, i) or min(scores) != least_at_vertices:
            return i
    return None


ORACLES = {"fw25v1/lmo": misses_the_hull, "fw25v1/lmo-both-signs": signs_differ}


@cache
def oracle(claim: str, seed: int) -> certify.Result:
    return judged(claim, case_of(seed), {}, ORACLES[claim], ahead=0)


@cache
def single(seed: int) -> certify.Result:
    return judged("fw25v1/single-leader-here", case_of(seed), {}, several_leaders, ahead=0)


@pytest.mark.parametrize("seed", SEEDS[::2])
@pytest.mark.parametrize("claim", ORACLES)
def test_leaders_are_maximisers_over_the_hull(claim: str, seed: int) -> None:
    """Never refuted: of either sign, with ties, duplicates and tokens inside; with a tie perhaps only to it."""
    result = oracle(claim, seed)
    assert result.kind == "holds"
    assert first_tie(case_of(seed), HORIZON) is not None or result.verdict["T"] in ("forever", HORIZON)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_tie_is_shown_or_there_is_none(seed: int) -> None:
    case, result = case_of(seed), single(seed)
    tie = first_tie(case, HORIZON)
    if tie is not None:
        assert result.kind == "refuted"
        assert (result.verdict["t"], result.verdict["first"]) == (tie, True)
    else:
        assert result.kind == "holds"


def test_both_verdicts_on_single_leaders_occur(tmp_path: Path) -> None:
    kinds = [single(seed).kind for seed in SEEDS]
    assert set(kinds) == {"holds", "refuted"}
    accepted_alone(single(kinds.index("refuted")), tmp_path)
    accepted_alone(oracle("fw25v1/lmo", 0), tmp_path)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_token_at_0_ties_with_every_point(sign: int) -> None:
    case = Case(sign, matrix([[3, 1], [0, 0], [-1, 2]]), constant(scaled(sign, identity(2))), constant(Fraction(1, 2)))
    assert len(leader_points(case.x, case.b.at(0), 1)) == 3
    result = judged("fw25v1/single-leader-here", case, {}, several_leaders, ahead=0)
    assert (result.verdict["t"], result.verdict["i"]) == (0, 1)
    for claim, violation in ORACLES.items():
        assert judged(claim, case, {}, violation, ahead=0).kind == "holds"


@pytest.mark.parametrize("sign", [1, -1])
def test_copies_of_one_leader_are_no_tie(sign: int) -> None:
    """Equal tokens have equal scores, but they are one point."""
    case = Case(sign, matrix([[3], [3], [-1], [-1]]), constant(matrix([[sign]])), constant(Fraction(1, 2)))
    assert leaders(case.x, case.b.at(0), 0) == ([0, 1] if sign > 0 else [2, 3])
    assert judged("fw25v1/single-leader-here", case, {}, several_leaders, ahead=0).kind == "holds"


def test_a_tie_of_a_token_that_does_not_move() -> None:
    """With a step of 0 no selection is made, and the leader set has two points all the same."""
    case = Case(0, matrix([[0, 2], [1, 1], [-1, 1]]), constant(matrix([[1, 0], [0, 0]])), constant(Fraction(0)))
    assert first_tie(case, 5) is None
    result = judged("fw25v1/single-leader-here", case, {}, several_leaders, ahead=0)
    assert (result.kind, result.verdict["t"], result.verdict["i"]) == ("refuted", 0, 0)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("text", TURNING)
def test_a_scale_that_vanishes_or_turns(text: str, sign: int) -> None:
    """Where the matrix is 0 all points tie, and where its sign turns the leaders change, however late that is."""
    points = matrix([[3, 1], [-2, 2], [-1, -3]])
    case = Case(text, points, scaling(text, TURNING[text], scaled(sign, identity(2))), constant(Fraction(1, 2)))
    result = judged("fw25v1/single-leader-here", case, {}, several_leaders, ahead=0)
    tie = first_tie(case, 70)
    if result.kind == "refuted":
        assert result.verdict["t"] == tie
    else:
        assert tie is None or result.verdict["T"] < tie


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_leaders_on_more_seeds(seed: int) -> None:
    case = case_of(seed)
    for claim, violation in ORACLES.items():
        assert judged(claim, case, {}, violation, ahead=0).kind == "holds"
    result = judged("fw25v1/single-leader-here", case, {}, several_leaders, ahead=0)
    assert (result.kind == "refuted") == (first_tie(case, HORIZON) is not None)
