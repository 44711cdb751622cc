"""The flow of Theorem 4.2, boxes of starts and Gaussian starts on generated instances, by brute force beside."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

import certify

from .clouds import any_step, cloud, positive
from .judging import Lines, accepted, agree_on_lines, asked, written
from .second import ALWAYS, Case, constant, cycled, definite, dot, leaders, matrix, scaled, times, vertices

FLOW, MERGE, OWN = "fw25v1/thm-ode", "fw25v1/single-leader-proof", "fw25v1/own-cell-gaussian"
SHARES = [Fraction(k, 48) for k in range(1, 49)]


def flow_lines(case: Case) -> Lines:
    b, x, corners = case.b.at(0), case.x, vertices(case.x)

    def score(i: int, j: int) -> Fraction:
        return dot(times(b, x[i]), x[j])

    return {
        "H1": all(case.b.at(t) == b for t in ALWAYS),
        "H2": definite(b),
        "H3": all(score(i, j) < score(i, i) for i in corners for j in corners if i != j),
        "H4": all(any(all(score(i, j) < score(i, k) for j in corners if j != k) for k in corners)
                  for i in range(len(x)))}


def flow_solves(case: Case) -> bool:
    """Whether the closed form keeps its leaders at all the sampled c = e^-t."""
    b, x = case.b.at(0), case.x
    goals = [x[leaders(x, b, i)[0]] for i in range(len(x))]
    for c in SHARES:
        now = tuple(tuple(c * a + (1 - c) * v for a, v in zip(p, goal, strict=True))
                    for p, goal in zip(x, goals, strict=True))
        if any(now[j] != goals[i] for i in range(len(x)) for j in leaders(now, b, i)):
            return False
    return True


@pytest.mark.parametrize("seed", range(40))
def test_the_flow_on_random_clouds(seed: int) -> None:
    """Clouds with duplicates, tokens at 0, collinear ones; B of both signs."""
    print("seed", seed)
    rng = Random(seed)
    x = cloud(rng)
    b = positive(rng, len(x[0]))
    sign = -1 if seed % 5 == 4 else 1
    case = Case(seed, x, constant(scaled(sign, b)), any_step(rng))
    result = accepted(asked(FLOW, case))
    if agree_on_lines(result, flow_lines(case)):
        assert result.kind == "holds" and result.verdict["T"] == "forever"
        assert flow_solves(case)


@pytest.mark.parametrize(("x", "b", "line"), [
    ([[1], [-1]], cycled([matrix([[1]]), matrix([[2]])]), "H1"),
    ([[1], [-1]], constant(matrix([[-1]])), "H2"),
    ([[3, 0], [1, 1], [0, -2]], constant(matrix([[1, 0], [0, 1]])), "H3"),
    ([[1], [-1], [0]], constant(matrix([[1]])), "H4"),
])
def test_each_assumption_of_the_flow_alone(x: Any, b: Any, line: str) -> None:
    case = Case(line, matrix(x), b, any_step(Random(1)))
    lines = flow_lines(case)
    assert next(name for name, value in lines.items() if not value) == line
    assert accepted(asked(FLOW, case)).verdict["line"] == line


def test_duplicated_vertices_do_not_disturb_the_flow() -> None:
    case = Case("twice", matrix([[2, 0], [2, 0], [-1, 1], [-1, -1], [1, 0]]), constant(matrix([[1, 0], [0, 1]])),
                any_step(Random(2)))
    assert accepted(asked(FLOW, case)).kind == "holds"
    assert flow_solves(case)


def one_step(points: list[list[Fraction]], b: Any, g: Fraction) -> list[list[Fraction]] | None:
    moved = []
    for i, p in enumerate(points):
        goal = {tuple(points[j]) for j in leaders(tuple(map(tuple, points)), b, i)}
        if len(goal) > 1:
            return None
        (target,) = goal
        moved.append([(1 - g) * a + g * t for a, t in zip(p, target, strict=True)])
    return moved


@pytest.mark.parametrize("seed", range(30))
def test_boxes_that_merge_tokens(seed: int) -> None:
    """Two or three tokens around opposite places; g = 1/2 merges pairs that lead each other."""
    print("seed", seed)
    rng = Random(seed)
    d, n = rng.choice([(1, 2), (1, 3), (2, 2)])
    centres = [[Fraction(rng.choice([-8, -5, 5, 8]), 4) for _ in range(d)] for _ in range(n)]
    width = Fraction(1, rng.choice([4, 8, 16]))
    x = [[[e - width, e + width] for e in row] for row in centres]
    sign, g = rng.choice([1, -1, -1]), rng.choice([Fraction(1, 2), Fraction(1, 2), Fraction(1, 3)])
    b = tuple(tuple(Fraction(sign if i == j else 0) for j in range(d)) for i in range(d))
    data = certify.instance("hardmax", x=[[[str(a), str(e)] for a, e in row] for row in x], B=written(b), g=str(g))
    result = certify.check(certify.load(MERGE), data)
    for _ in range(30):
        start = [[a + (e - a) * Fraction(rng.randint(0, 9), 9) for a, e in row] for row in x]
        after = one_step(start, b, g)
        merged = after is not None and any(after[i] == after[j] for i in range(n) for j in range(i))
        if result.kind == "refuted":
            assert merged
        elif result.kind == "holds":
            assert after is not None and not merged
        else:
            assert result.kind == "undecided"


@pytest.mark.parametrize("seed", ["1", "other", "a longer seed"])
def test_gaussian_starts_are_decided_one_by_one(seed: str) -> None:
    """The drawn starts are read once, then decided with fractions; B of several shapes."""
    from certify.verifier.samples import Gaussian
    for b in ([["1", "0"], ["0", "1"]], [["2", "1"], ["1", "3"]]):
        start = {"gaussian": {"tokens": 4, "dimension": 2, "samples": 50, "seed": seed}}
        result = certify.check(certify.load(OWN), certify.instance("hardmax", x=start, B=b, g="1/2"))
        drawn, hits = Gaussian(start), 0
        for _ in range(50):
            points = [tuple(Fraction(e.n, e.d) for e in row) for row in drawn.draw()]
            scores = [[dot(times(matrix(b), p), q) for q in points] for p in points]
            hits += all(scores[i][j] < scores[i][i] for i in range(4) for j in range(4) if i != j)
        assert result.verdict["true"] == hits
