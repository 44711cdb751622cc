"""Cells: membership by definition, inclusion and equality with witnesses, facets, adjacency, erosion."""
from __future__ import annotations

import random
from math import isqrt

import pytest
from families import FAMILIES, Points
from flint import fmpq

from certify.polytopes.cells import (
    Cell,
    DominanceCone,
    adjacency,
    dominance_cell,
    facet_point,
    included,
    same,
    voronoi_cell,
)
from certify.verifier.exact import Rat
from certify.verifier.theories import cells

IDENTITY = [[fmpq(1), fmpq(0)], [fmpq(0), fmpq(1)]]
SQUARE = [[fmpq(a), fmpq(b)] for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1))]


def as_rats(values: object) -> object:
    if isinstance(values, list | tuple):
        return [as_rats(entry) for entry in values]
    return Rat(int(values.p), int(values.q))  # type: ignore[attr-defined]


def dot(left: object, right: object) -> fmpq:
    return sum((a * b for a, b in zip(left, right, strict=True)), fmpq(0))  # type: ignore[call-overload]


def mixture(points: Points, rng: random.Random) -> list[fmpq]:
    weights = [fmpq(rng.randint(0, 3)) for _ in points]
    total = sum(weights, fmpq(0))
    if not total:
        return points[0]
    size = len(points[0])
    return [sum((w * p[k] for w, p in zip(weights, points, strict=True)), fmpq(0)) / total for k in range(size)]


def verified(left: Cell, right: Cell) -> bool:
    answer, witness = included(left, right)
    args = as_rats([left.points, left.normals, left.offsets, right.normals, right.offsets])
    assert cells.check("cell_subset", args, answer, witness) is answer  # type: ignore[arg-type]
    return answer


@pytest.mark.parametrize("seed", range(8))
def test_membership_is_the_definition(seed: int) -> None:
    rng = random.Random(seed)
    points = FAMILIES["grid" if seed % 2 else "cloud"](7, 2, rng)
    matrix = [[fmpq(rng.randint(-3, 3)) for _ in range(2)] for _ in range(2)]
    definite = [[fmpq(2), fmpq(1)], [fmpq(1), fmpq(3)]]

    def energy(u: list[fmpq]) -> fmpq:
        return dot([dot(row, u) for row in definite], u)

    for vertex in points:
        one, two = dominance_cell(matrix, vertex, points), voronoi_cell(definite, vertex, points)
        for _ in range(10):
            x = mixture(points, rng)
            pushed = [dot(row, x) for row in matrix]
            assert (x in one) is all(dot(pushed, vertex) >= dot(pushed, other) for other in points)
            gap = [[a - b for a, b in zip(x, other, strict=True)] for other in [vertex, *points]]
            assert (x in two) is all(energy(gap[0]) <= energy(g) for g in gap[1:])
    assert [fmpq(100), fmpq(100)] not in dominance_cell(matrix, points[0], points)


def test_cells_of_equal_energy_are_voronoi_cells_and_others_are_not() -> None:
    for vertex in SQUARE:
        left, right = dominance_cell(IDENTITY, vertex, SQUARE), voronoi_cell(IDENTITY, vertex, SQUARE)
        assert same(left, right) == (True, None) and verified(left, right) and verified(right, left)
    uneven = [[fmpq(2), fmpq(0)], [fmpq(0), fmpq(1)], [fmpq(-1), fmpq(-1)]]
    left, right = dominance_cell(IDENTITY, uneven[0], uneven), voronoi_cell(IDENTITY, uneven[0], uneven)
    equal, point = same(left, right)
    assert not equal and point is not None and (point in left) is not (point in right)
    assert verified(left, right) is not verified(right, left)


@pytest.mark.parametrize("seed", range(12))
def test_inclusion_agrees_with_points(seed: int) -> None:
    rng = random.Random(f"inclusion {seed}")
    points = FAMILIES["cloud" if seed % 2 else "grid"](6, 2, rng)
    matrices = [[[fmpq(rng.randint(-2, 3)) for _ in range(2)] for _ in range(2)] for _ in range(2)]
    left = dominance_cell(matrices[0], points[0], points)
    right = (dominance_cell if seed % 3 else voronoi_cell)(matrices[1], points[rng.randint(0, 1)], points)
    if verified(left, right):
        assert all(x in right for x in (mixture(points, rng) for _ in range(40)) if x in left)


def test_an_empty_cell_is_in_every_cell() -> None:
    points = tuple(tuple(p) for p in SQUARE)
    empty = Cell(points, ((fmpq(1), fmpq(0)),), (fmpq(2),))
    right = Cell(points, ((fmpq(0), fmpq(1)),), (fmpq(5),))
    assert verified(empty, right) and "empty" in included(empty, right)[1]
    assert not verified(Cell(points, (), ()), empty)


def test_facets_and_adjacency_of_the_square() -> None:
    shared = adjacency(IDENTITY, SQUARE)
    assert set(shared) == {(0, 1), (0, 2), (1, 3), (2, 3)}
    for (i, j), point in shared.items():
        assert list(point) in dominance_cell(IDENTITY, SQUARE[i], SQUARE)
        assert list(point) in dominance_cell(IDENTITY, SQUARE[j], SQUARE)
    assert facet_point(dominance_cell(IDENTITY, SQUARE[0], SQUARE), 3) is None  # opposite corners meet at a point
    assert facet_point(dominance_cell(IDENTITY, SQUARE[0], SQUARE), 0) is None  # its own row says nothing


def test_the_dominance_cone_with_margin_and_erosion() -> None:
    cone = DominanceCone(tuple(tuple(p) for p in SQUARE), 0, fmpq(1))
    assert [fmpq(1, 2), fmpq(1, 2)] in cone and [fmpq(1, 2), fmpq(2, 5)] not in cone
    shrunk = cone.eroded(fmpq(1, 10))
    assert [fmpq(1, 2), fmpq(1, 2)] not in shrunk and [fmpq(3, 5), fmpq(3, 5)] in shrunk
    rng = random.Random(4)
    for _ in range(60):  # the ball of a point of the eroded cone stays in the cone
        x = [fmpq(rng.randint(40, 80), 100) for _ in range(2)]
        circle = [[x[0] + fmpq(a, 1000), x[1] + fmpq(b, 1000)] for a, b in
                  ((a, sign * isqrt(10000 - a * a)) for a in range(-100, 101, 5) for sign in (1, -1))]
        if x in shrunk:
            assert all(y in cone for y in circle)
