"""Words about hulls, regions and limits: floats must agree with exact checks on small instances with ties."""
from __future__ import annotations

import random

import numpy as np
import pytest

import certify
from certify.statements.margins import Batch, margins

AT_THE_START = [
    "forall i, j: i != j implies edge(x[i, 0], x[j, 0], hull(x[0]))",
    "forall i in vertices(x[0]): exists j: edge(x[i, 0], x[j, 0], hull(x[0]))",
    "forall i: card({j : edge(x[i, 0], x[j, 0], hull(x[0]))}) <= 2",
    "forall i: not x[i, 0] in interior(hull(x[0]))",
    "forall i: not x[i, 0] in relint(hull(x[0]))",
    "0 in interior(hull(x[0]))",
    "0 in relint(hull(x[0]))",
    "forall i, j: 1/2*(x[i, 0] + x[j, 0]) in relint(hull(x[0])) implies i != j",
    "forall i in vertices(x[0]): x[i, 0] in cell(B[0], x[i, 0], hull(x[0]))",
    "forall i in vertices(x[0]), j in vertices(x[0]): x[j, 0] in voronoi(B[0], x[i, 0], hull(x[0])) implies i = j",
    "forall i, j, c in (0, 1]: norm(c*x[i, 0] - x[j, 0])^2 >= 0",
]
# read at a few points: what floats call violated is, not the other way round
ONE_SIDED = [
    "forall i in vertices(x[0]): cell(B[0], x[i, 0], hull(x[0])) = voronoi(B[0], x[i, 0], hull(x[0]))",
    "forall i: cell(B[0], x[i, 0], hull(x[0])) subset voronoi(B[0], x[i, 0], hull(x[0]))",
    "forall i: voronoi(B[0], x[i, 0], hull(x[0])) subset cell(B[0], x[i, 0], hull(x[0]))",
    "forall i, j, k, c in (0, 1]: <c*x[i, 0] + (1 - c)*x[j, 0], x[k, 0]> <= 2",
]
LIMITS = [
    ("forall i, j: tends(t: x[i, t], x[j, 0])", [[[1], [2]], [[1], [1]]], [False, True]),
    ("forall i: tends(t: x[i, t], 3*x[i, 0])", [[[-1], [1], [3]], [[1], [3]]], [False, False]),
    ("forall i, j in argmax k: <x[k, 0], x[i, 0]>: geometric(t: norm(x[i, t] - x[j, 0])^2)", [[[-1], [1], [2]]],
     [True]),
]


def instances(seed: str) -> list[list[list[int]]]:
    """Four tokens in the plane on a small grid: collinear ones, copies and ties are common."""
    draw = random.Random(seed)
    return [[[draw.randint(-2, 2) for _ in range(2)] for _ in range(4)] for _ in range(40)]


def compared(formula: str) -> list[tuple[float, str]]:
    claim = certify.parse(f'claim mine/words\n  system hardmax\n  assume H1: pd(B[0])\n  assert {formula}')
    found = instances(formula)
    matrix = [[2, 1], [1, 2]]
    floats = margins(claim.tree, Batch(np.array(found, dtype=np.float64), np.array(matrix, dtype=np.float64), 0.5), 0)
    kinds = [certify.check(claim, certify.instance("hardmax", x=x, B=matrix, g="1/2"), horizon=2).kind for x in found]
    return [pair for pair in zip(floats["assertion"].tolist(), kinds, strict=True) if pair[1] in ("holds", "refuted")]


@pytest.mark.parametrize("formula", AT_THE_START)
def test_the_sign_is_the_verdict(formula: str) -> None:
    pairs = compared(formula)
    assert len(pairs) > 20
    for margin, kind in pairs:
        assert (margin < 0) == (kind == "refuted"), (margin, kind)


@pytest.mark.parametrize("formula", ONE_SIDED)
def test_what_a_few_points_violate_is_violated(formula: str) -> None:
    pairs = compared(formula)
    assert any(kind == "refuted" for margin, kind in pairs if margin < 0)
    assert all(kind == "refuted" for margin, kind in pairs if margin < 0)


@pytest.mark.parametrize(("formula", "x", "expected"), LIMITS)
def test_limits_are_guessed_from_the_last_half(formula: str, x: list[list[list[int]]], expected: list[bool]) -> None:
    claim = certify.parse(f"claim mine/words\n  system hardmax\n  assert {formula}")
    for tokens, holds in zip(x, expected, strict=True):
        batch = Batch(np.array([tokens], dtype=np.float64), np.eye(1), 0.5)
        assert (margins(claim.tree, batch, 200)["assertion"][0] >= 0) == holds
        exact = certify.check(claim, certify.instance("hardmax", x=tokens, B=[[1]], g="1/2"), horizon=40)
        assert exact.kind == ("holds" if holds else "refuted")


def test_a_sequence_like_one_over_t_is_not_geometric() -> None:
    for formula, holds in (("geometric(t: 1/(t + 1))", False), ("geometric(t: (9/10)^t)", True),
                           ("bigO(t: 1/(t + 1), 1/(t + 1)^2)", False), ("bigO(t: 3/(t + 1)^2, 1/(t + 2)^2)", True),
                           ("tends(t: 1/(t + 1), 0)", True), ("tends(t: 1/(t + 1), 1/100)", False)):
        claim = certify.parse(f"claim mine/words\n  system hardmax\n  assert {formula}")
        found = margins(claim.tree, Batch(np.ones((1, 1, 1)), np.eye(1), 0.5), 200)["assertion"][0]
        assert (found >= 0) == holds, formula
