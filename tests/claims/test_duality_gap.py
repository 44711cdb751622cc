"""The smallest Frank-Wolfe gap and its bound, by simulation of every step."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random

import pytest

import certify

from .clouds import STEPS, cloud, nonnegative, positive, skewed
from .judging import Lines, accepted_alone, agree_on_lines, asked, judged, share_undecided
from .second import (
    ALWAYS,
    Case,
    Cloud,
    Matrix,
    Schedule,
    constant,
    cycled,
    dot,
    energy,
    first_tie,
    listed,
    matrix,
    minus,
    scaled,
    scaling,
    semidefinite,
    times,
)

CLAIM = "fw25v1/duality-gap"
SEEDS = range(30)


def assumptions(case: Case) -> Lines:
    b, g = case.b.at, case.g.at
    return {
        "H1": all(semidefinite(b(t)) for t in ALWAYS),
        "H2": all(0 < g(t) < 1 for t in ALWAYS),
        "H3": all(scaled(g(0), b(t)) == scaled(g(t), b(0)) for t in ALWAYS),
    }


def gap(points: Cloud, b: Matrix, i: int) -> Fraction:
    """max over the tokens of <B x_i, y - x_i>."""
    return max(dot(times(b, points[i]), minus(y, points[i])) for y in points)


def too_large(case: Case, states: list[Cloud], t: int) -> int | None:
    """The first token whose least gap from 1 to t exceeds the bound; the infimum is at a token."""
    lowest = min(-energy(case.b.at(t), y) for y in states[t])
    for i in range(len(case.x)):
        best = min(gap(states[s], case.b.at(s), i) for s in range(1, t + 1))
        first = -energy(case.b.at(1), states[1][i]) / case.g.at(1)
        if best > Fraction(1, t) * (first - lowest / case.g.at(t)):
            return i
    return None


def proportional(rng: Random, m: Matrix) -> tuple[Schedule, Schedule]:
    """A matrix and a step size in one proportion: constant, an expression, a list or a cycle."""
    form = rng.choice(["constant", "scale", "list", "cycle"])
    if form == "constant":
        return constant(m), constant(Fraction(rng.randint(1, 3), 4))
    if form == "scale":
        text = rng.choice([text for text in STEPS if "t" in text])
        return scaling(text, STEPS[text], m), Schedule(text, STEPS[text])
    steps = [Fraction(rng.randint(1, 4), 5) for _ in range(rng.randint(2, 3))]
    matrices = [scaled(g, m) for g in steps]
    return (listed(matrices), listed(steps)) if form == "list" else (cycled(matrices), cycled(steps))


@cache
def case_of(seed: int) -> Case:
    rng = Random(f"duality gap, {seed}")
    points = cloud(rng, wide=rng.choice([3, 9]))
    b, g = proportional(rng, nonnegative(rng, len(points[0])))
    return Case(seed, points, b, g)


@cache
def outcome(seed: int) -> certify.Result:
    case = case_of(seed)
    return judged(CLAIM, case, assumptions(case), too_large, ahead=0, start=1)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_bound_is_judged_as_brute_force_judges_it(seed: int) -> None:
    """The least gap from 1 to t has no closed form, so without a tie the bound holds at least to the horizon."""
    assert outcome(seed).kind in ("holds", "refuted", "undecided")
    assert all(assumptions(case_of(seed)).values())


def test_undecided_means_a_tie_at_the_start(tmp_path: Path) -> None:
    """A tie at t = 0 leaves nothing known from t = 1 on."""
    undecided = [seed for seed in SEEDS if outcome(seed).kind == "undecided"]
    assert all(first_tie(case_of(seed), 0) == 0 for seed in undecided)
    assert share_undecided(outcome(seed) for seed in SEEDS) <= Fraction(1, 4)
    accepted_alone(next(outcome(seed) for seed in SEEDS if outcome(seed).kind == "holds"), tmp_path)


def breaking(line: str, seed: int) -> Case:
    """An instance that meets every assumption but this one."""
    rng = Random(f"duality gap without {line}, {seed}")
    points = cloud(rng, kind="generic", d=2)
    m = positive(rng, 2)
    b, g = proportional(rng, m)
    if line == "H1":
        b, g = proportional(rng, scaled(-1, m) if seed % 2 else skewed(m))
    elif line == "H2":
        steps = [[Fraction(1), Fraction(1, 2)], [Fraction(1)], [Fraction(1, 2), Fraction(1)], [Fraction(0)]][seed % 4]
        b, g = listed([scaled(step, m) for step in steps]), listed(steps)
    else:
        b, g = [(constant(m), Schedule("1/(t+2)", STEPS["1/(t+2)"])),
                (listed([m, scaled(2, m)]), constant(Fraction(1, 2))),
                (scaling("1/(t+2)", STEPS["1/(t+2)"], m), Schedule("2/(t+3)", STEPS["2/(t+3)"])),
                (constant(m), listed([Fraction(1, 2), Fraction(1, 3)]))][seed % 4]
    return Case(seed, points, b, g)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("line", ["H1", "H2", "H3"])
def test_one_false_assumption_is_named(line: str, seed: int) -> None:
    case = breaking(line, seed)
    lines = assumptions(case)
    assert [name for name, truth in lines.items() if not truth] == [line]
    assert not agree_on_lines(asked(CLAIM, case), lines)


@pytest.mark.parametrize(("b", "g"), [
    (cycled([matrix([[1]]), matrix([[2]])]), constant(Fraction(1, 2))),
    (constant(matrix([[1]])), cycled([Fraction(1, 2), Fraction(1, 3)])),
])
def test_a_cycle_out_of_proportion(b: Schedule, g: Schedule) -> None:
    case = Case(0, matrix([[3], [-1]]), b, g)
    assert not agree_on_lines(asked(CLAIM, case), assumptions(case))


@pytest.mark.parametrize("points", [[[3], [-1], [3]], [[2], [2]], [[5], [1], [-2], [1]]])
def test_copies_are_no_ties(points: list[list[int]]) -> None:
    case = Case(0, matrix(points), constant(matrix([[2]])), constant(Fraction(1, 3)))
    assert first_tie(case, 20) is None
    assert judged(CLAIM, case, assumptions(case), too_large, ahead=0, start=1).kind == "holds"


@pytest.mark.parametrize("text", ["1/(t+2)", "1/(t+2)^2", "(t+1)/(2*t+3)"])
def test_a_scaled_zero_matrix_is_semidefinite_for_ever(text: str) -> None:
    case = Case(text, matrix([[1], [-1]]), scaling(text, STEPS[text], matrix([[0]])), Schedule(text, STEPS[text]))
    assert all(assumptions(case).values())
    assert agree_on_lines(asked(CLAIM, case), assumptions(case))
