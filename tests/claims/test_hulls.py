"""Hulls that never grow: for a scalar step by axiom, for a matrix step only as far as brute force agrees."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import certify

from .clouds import any_matrix, any_step, cloud, positive, skewed
from .judging import HORIZON, accepted, accepted_alone, agree_on_lines, asked, judged, written
from .second import (
    ALWAYS,
    Case,
    Cloud,
    Matrix,
    Schedule,
    added,
    constant,
    cycled,
    definite,
    identity,
    in_hull,
    leader_points,
    listed,
    matrix,
    minus,
    mixed,
    plus,
    scaled,
    solved,
    times,
)

SEEDS = range(24)


# A scalar step


def open_steps(case: Case) -> dict[str, bool]:
    return {"H1": all(0 < case.g.at(t) < 1 for t in ALWAYS)}


def grown(case: Case, states: list[Cloud], t: int) -> int | None:
    return next((i for i, p in enumerate(states[t + 1]) if not in_hull(p, states[t])), None)


def scalar_case(seed: int) -> Case:
    rng = Random(f"hull-shrinks, {seed}")
    points = cloud(rng)
    return Case(seed, points, any_matrix(rng, len(points[0])), any_step(rng))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_scalar_step_never_grows_the_hull(seed: int) -> None:
    """For ever, whatever the matrix and the selection: no tie keeps this from being closed."""
    case = scalar_case(seed)
    result = judged("fw25v1/hull-shrinks", case, open_steps(case), grown)
    assert result.verdict == {"kind": "holds", "T": "forever", "evidence": "exact"}


@pytest.mark.parametrize("g", [
    constant(Fraction(1)), constant(Fraction(0)), listed([Fraction(1, 2), Fraction(1)]),
    listed([Fraction(0), Fraction(1, 2)]), cycled([Fraction(1), Fraction(1, 2)]), cycled([Fraction(0), Fraction(1, 2)]),
    Schedule("2/(t+2)", lambda t: Fraction(2, t + 2)), Schedule("t/(t+1)", lambda t: Fraction(t, t + 1)),
    Schedule("(1/2)^t", lambda t: Fraction(1, 2**t)),
], ids=lambda g: str(written(g.form)))
def test_a_step_of_0_or_1_is_outside_the_claim(g: Schedule) -> None:
    case = Case(0, matrix([[1, 0], [0, 1], [-1, -1]]), constant(identity(2)), g)
    assert open_steps(case) == {"H1": False}
    assert not agree_on_lines(asked("fw25v1/hull-shrinks", case), open_steps(case))


def test_a_cycle_with_a_step_of_1_in_it() -> None:
    case = Case(0, matrix([[2], [-1]]), constant(matrix([[-1]])), cycled([Fraction(1, 2), Fraction(1)]))
    assert not agree_on_lines(asked("fw25v1/hull-shrinks", case), open_steps(case))


# A matrix step


def matrix_step(points: Cloud, b: Matrix, p: Matrix) -> Cloud:
    """x + P (mean of the leader points - x)."""
    moved = []
    for i, x in enumerate(points):
        options = leader_points(points, b, i)
        mean = mixed(points, {j: Fraction(1, len(options)) for j in options})
        moved.append(plus(x, times(p, minus(mean, x))))
    return tuple(moved)


def step_matrix(v: Matrix) -> Matrix:
    """(I + V)^-1 V, one column after the other."""
    shifted = added(identity(len(v)), v)
    columns = [solved([list(row) for row in shifted], [row[k] for row in v]) for k in range(len(v))]
    assert None not in columns
    return tuple(tuple(column[k] for column in columns if column) for k in range(len(v)))


@cache
def general_case(seed: int) -> tuple[Cloud, Schedule, Matrix]:
    rng = Random(f"general V, {seed}")
    points = cloud(rng)
    d = len(points[0])
    v = matrix([[Fraction(rng.randint(1, 6), rng.randint(1, 3)) if i == j else 0 for j in range(d)] for i in range(d)])
    if seed % 4 == 0:
        v = positive(rng, d)
    if seed % 8 == 7:
        v = scaled(rng.randint(1, 4), identity(d))
    return points, any_matrix(rng, d), v


def general(points: Cloud, b: Any, **step: Any) -> certify.Result:
    data = certify.instance("hardmax-matrix", **written({"x": points, "B": b, **step}))
    return accepted(certify.check(certify.load("fw25v1/hull-shrinks-general-V"), data, horizon=12))


@cache
def general_outcome(seed: int) -> certify.Result:
    points, b, v = general_case(seed)
    p = step_matrix(v)
    result = general(points, b.form, V=v)
    assert agree_on_lines(result, {"H1": definite(p) and definite(added(identity(len(p)), scaled(-1, p)))})
    states = [points]
    for t in range(13):
        states.append(matrix_step(states[t], b.at(t), p))
    first = next((t for t in range(13) if any(not in_hull(q, states[t]) for q in states[t + 1])), None)
    if result.kind == "holds":
        assert first is None
        assert result.verdict["T"] == "forever" or result.verdict["T"] >= 12
    else:
        assert result.kind == "refuted", result.verdict
        assert result.verdict["first"]
        assert result.verdict["t"] == first
    return result


@pytest.mark.parametrize("seed", SEEDS)
def test_a_matrix_step_is_judged_as_brute_force_judges_it(seed: int) -> None:
    """Ties average over points, so nothing is left open."""
    assert general_outcome(seed).kind in ("holds", "refuted")


def test_a_matrix_step_both_keeps_and_leaves_the_hull(tmp_path: Path) -> None:
    """A multiple of the identity keeps it; on some seed the hull grows, and alone the verifier agrees."""
    kinds = {seed: general_outcome(seed).kind for seed in SEEDS}
    assert set(kinds.values()) == {"holds", "refuted"}
    assert all(kinds[seed] == "holds" for seed in SEEDS if seed % 8 == 7)
    accepted_alone(general_outcome(next(seed for seed in SEEDS if kinds[seed] == "refuted")), tmp_path)


@pytest.mark.parametrize("seed", range(6))
def test_a_step_matrix_out_of_range_is_named(seed: int) -> None:
    """P with 0, 1, a negative number or more than 1 in it, or not symmetric."""
    rng = Random(f"P, {seed}")
    half = scaled(Fraction(1, 2), identity(2))
    corners = [[0, 1], [1, Fraction(1, 2)], [Fraction(1, 2), -1], [2, Fraction(1, 2)]]
    p = skewed(half) if seed > 3 else matrix([[corners[seed][0], 0], [0, corners[seed][1]]])
    points = cloud(rng, d=2)
    lines = {"H1": definite(p) and definite(added(identity(2), scaled(-1, p)))}
    assert lines == {"H1": False}
    assert not agree_on_lines(general(points, identity(2), P=p), lines)


@pytest.mark.parametrize("sign", [1, -1])
def test_equal_points_count_once(sign: int) -> None:
    """Two tokens at one point weigh as one in the mean: the verdict is that of the cloud without the copies."""
    once = matrix([[2, 0], [0, 1], [-2, 0], [0, 0]])
    b = scaled(sign, matrix([[1, 0], [0, 3]]))
    v = matrix([[1, 0], [0, 4]])
    verdicts = [general(points, b, V=v).verdict for points in (once, (*once, once[0]), (*once, once[0], once[3]))]
    assert verdicts[0] == verdicts[1] == verdicts[2]
    p = step_matrix(v)
    assert matrix_step((*once, once[0]), b, p)[:4] == matrix_step(once, b, p)
    assert HORIZON > 12
