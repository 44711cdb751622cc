"""Membership in a hull: witnesses checked here with fractions and nothing of the library, and brute force."""

from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from flint import fmpq, fmpz
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.errors import InputError
from certify.polytopes import in_hull
from certify.polytopes.membership import _entering

Point = list[Fraction]
exactly = settings(deadline=None, derandomize=True, max_examples=200)


# ---- an independent checker and brute force


def exact(rows: Any) -> list[Point]:
    return [[Fraction(entry) for entry in row] for row in rows]


def flint(point: Point) -> list[fmpq]:
    return [fmpq(entry.numerator, entry.denominator) for entry in point]


def number(written: str) -> Fraction:
    assert isinstance(written, str) and str(Fraction(written)) == written
    return Fraction(written)


def shows(point: Point, points: list[Point], answer: bool, witness: dict[str, Any]) -> bool:
    if answer:
        assert set(witness) == {"weights"}
        indices = [j for j, _ in witness["weights"]]
        weights = [number(w) for _, w in witness["weights"]]
        assert indices == sorted(set(indices)) and all(type(j) is int and 0 <= j < len(points) for j in indices)
        assert len(indices) <= len(point) + 1
        return (
            all(w > 0 for w in weights)
            and sum(weights) == 1
            and all(
                sum(w * points[j][k] for j, w in zip(indices, weights, strict=True)) == point[k]
                for k in range(len(point))
            )
        )
    assert set(witness) == {"normal"} and len(witness["normal"]) == len(point)
    normal = [number(entry) for entry in witness["normal"]]
    assert all(entry.denominator == 1 for entry in normal)
    return all(sum(a * (x - p) for a, x, p in zip(normal, other, point, strict=True)) > 0 for other in points)


def decided(point: Any, points: Any) -> bool:
    where, others = exact([point])[0], exact(points)
    answer, witness = in_hull(flint(where), [flint(other) for other in others])
    assert shows(where, others, answer, witness), (where, others, answer, witness)
    return answer


def solution(columns: list[Point], right: Point) -> Point | None:
    """The unique solution of a linear system, None if there is none or more than one."""
    rows = [[column[i] for column in columns] + [right[i]] for i in range(len(right))]
    width, rank = len(columns), 0
    for k in range(width):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][k] != 0), None)
        if pivot is None:
            return None
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        rows[rank] = [entry / rows[rank][k] for entry in rows[rank]]
        for i in range(len(rows)):
            if i != rank:
                rows[i] = [a - rows[i][k] * b for a, b in zip(rows[i], rows[rank], strict=True)]
        rank += 1
    return None if any(row[-1] != 0 for row in rows[rank:]) else [row[-1] for row in rows[:rank]]


def by_caratheodory(point: Point, points: list[Point]) -> bool:
    """A point of the hull is a convex combination of some affinely independent points, whose weights are unique."""
    for size in range(1, min(len(points), len(point) + 1) + 1):
        for chosen in combinations(points, size):
            weights = solution([[*other, Fraction(1)] for other in chosen], [*point, Fraction(1)])
            if weights is not None and all(w >= 0 for w in weights):
                return True
    return False


# ---- invalid input


def test_no_points() -> None:
    with pytest.raises(InputError, match="points: there are none; accepted: at least one point"):
        in_hull([fmpq(1)], [])


@pytest.mark.parametrize(("points", "index"), [([[1]], 0), ([[1, 2], [1, 2, 3]], 1), ([[1, 2], []], 1)])
def test_points_of_another_dimension(points: list[list[int]], index: int) -> None:
    with pytest.raises(InputError, match=rf"points\[{index}\]: .* accepted: points of one dimension"):
        in_hull([fmpq(0), fmpq(0)], [[fmpq(entry) for entry in other] for other in points])


# ---- known answers

TRIANGLE = [[0, 0], [4, 0], [0, 4]]


@pytest.mark.parametrize(
    ("point", "points", "inside"),
    [
        ([1], [[1]], True),
        ([1], [[2]], False),
        ([1], [[0], [3]], True),
        ([0], [[1], [3], [2]], False),
        ([0], [[-1], [-3]], False),
        ([0], [[-1], [3], [2], [-7]], True),
        ([1, 1], TRIANGLE, True),
        ([2, 2], TRIANGLE, True),
        ([0, 0], TRIANGLE, True),
        ([2, 0], TRIANGLE, True),
        (["2", "2000000000000000001/1000000000000000000"], TRIANGLE, False),
        ([3, 3], TRIANGLE, False),
        ([-1, 5], TRIANGLE, False),
        ([1, 1, 1], [[0, 0, 0], [3, 3, 3]], True),
        ([1, 1, 2], [[0, 0, 0], [3, 3, 3]], False),
        ([4, 4, 4], [[0, 0, 0], [3, 3, 3]], False),
        ([1, 1, 0], [[0, 0, 0], [4, 0, 0], [0, 4, 0]], True),
        ([1, 1, 1], [[0, 0, 0], [4, 0, 0], [0, 4, 0]], False),
        ([3, 3, 0], [[0, 0, 0], [4, 0, 0], [0, 4, 0]], False),
        ([0, 0, 0, 0, 0], [[1, 2, 3, 4, 5]], False),
        ([0, 0], [[1, 0], [1, 0], [-1, 1], [-1, 1], [-1, -1]], True),
        ([0, 0], [[1, 1], [2, 2], [3, 3]], False),
        ([0, 0], [[1, 5], [-1, 5], [0, 1]], False),
    ],
)
def test_known_answers(point: Any, points: Any, inside: bool) -> None:
    assert decided(point, points) is inside


def test_the_plain_witnesses() -> None:
    square = [[fmpq(0), fmpq(0)], [fmpq(1), fmpq(0)], [fmpq(0), fmpq(1)], [fmpq(1), fmpq(1)]]
    half = fmpq(1, 2)
    assert in_hull([fmpq(1), fmpq(0)], square + square) == (True, {"weights": [[1, "1"]]})
    assert in_hull([half, half], square) == (True, {"weights": [[0, "1/2"], [3, "1/2"]]})
    assert in_hull([half, fmpq(0)], square) == (True, {"weights": [[0, "1/2"], [1, "1/2"]]})
    assert in_hull([half, fmpq(-1, 10**30)], square) == (False, {"normal": ["0", "1"]})
    assert in_hull([fmpq(2), half], square) == (False, {"normal": ["-1", "0"]})
    assert in_hull([], [[], []]) == (True, {"weights": [[0, "1"]]})


def test_the_order_of_the_points_does_not_change_the_answer() -> None:
    points = exact([[0, 0], [4, 0], [0, 4], [1, 1], [2, 2]])
    for order in permutations(points):
        assert decided(["7/3", "5/3"], order)
        assert not decided(["7/3", "26/15"], order)


# ---- agreement with brute force

small = st.integers(-2, 2)


@st.composite
def questions(draw: st.DrawFn, entries: Any, largest: int = 6) -> tuple[Point, list[Point]]:
    dimension = draw(st.integers(1, 3))
    rows = st.lists(entries, min_size=dimension, max_size=dimension)
    return exact([draw(rows)])[0], exact(draw(st.lists(rows, min_size=1, max_size=largest)))


@settings(exactly, max_examples=500)
@given(questions(small))
def test_agreement_with_brute_force_on_a_grid(question: tuple[Point, list[Point]]) -> None:
    point, points = question
    assert decided(point, points) == by_caratheodory(point, points)


@exactly
@given(questions(st.fractions(-1, 1, max_denominator=1000)))
def test_agreement_with_brute_force_on_rationals(question: tuple[Point, list[Point]]) -> None:
    point, points = question
    assert decided(point, points) == by_caratheodory(point, points)


@exactly
@given(questions(st.floats(allow_nan=False, allow_infinity=False), largest=5))
def test_agreement_with_brute_force_on_floats_of_any_size(question: tuple[Point, list[Point]]) -> None:
    point, points = question
    assert decided(point, points) == by_caratheodory(point, points)


@exactly
@given(questions(small), st.lists(st.integers(0, 5), min_size=6, max_size=6))
def test_combinations_are_inside(question: tuple[Point, list[Point]], shares: list[int]) -> None:
    _, points = question
    shares = [share + (k == 0) for k, share in enumerate(shares[: len(points)])]
    total = sum(shares)
    inside = [
        sum((w * x for w, x in zip(shares, column, strict=False)), Fraction(0)) / total
        for column in zip(*points, strict=True)
    ]
    assert decided(inside, points)


# ---- hard cases


def test_a_hair_outside_a_face() -> None:
    for bits in (60, 1000, 5000):
        hair = Fraction(1, 2**bits)
        third = Fraction(1, 3)
        simplex = exact([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
        assert decided([third, third, third], simplex)
        assert decided([third, third, third - hair], simplex)
        assert not decided([third, third, third + hair], simplex)


def test_numbers_of_thousands_of_bits() -> None:
    points = [[Fraction(7**400 + 11 ** (60 * i + j), 3**600 + 5 ** (50 * j)) for j in range(3)] for i in range(5)]
    mean = [sum(column, Fraction(0)) / 5 for column in zip(*points, strict=True)]
    assert decided(mean, points)
    assert decided(points[3], points)
    assert decided(points[0], points[1:]) == by_caratheodory(points[0], points[1:])


def test_flat_sets_in_many_dimensions() -> None:
    sample = exact(np.random.default_rng(0).normal(size=(12, 3)).tolist())
    lifted = [[*p, p[0] + p[1], p[1] - 2 * p[2], Fraction(1), p[0], 3 * p[2]] for p in sample]
    mean = [sum(column, Fraction(0)) / 12 for column in zip(*lifted, strict=True)]
    assert decided(mean, lifted)
    for k in range(len(mean)):
        off = [value + Fraction(k == i, 10**40) for i, value in enumerate(mean)]
        assert decided(off, lifted) is False


def test_more_dimensions_than_points() -> None:
    points = exact(np.random.default_rng(1).normal(size=(4, 30)).tolist())
    mean = [sum(column, Fraction(0)) / 4 for column in zip(*points, strict=True)]
    assert decided(mean, points)
    assert not decided([Fraction(0)] * 30, points)


def test_degenerate_grids_end() -> None:
    # Many points on few lines and planes: every pivot rule is tempted to cycle here.
    grid = [[a, b, c] for a in range(-2, 3) for b in range(-2, 3) for c in range(-2, 3)]
    holed = [p for p in grid if any(p)]
    assert decided([0, 0, 0], holed)
    half = [p for p in holed if (p[0] + p[1] + p[2], p[0] + p[1], p[0]) > (0, 0, 0)]
    assert not decided([0, 0, 0], half)
    assert decided([0, 0, 0], [p for p in holed if p[0] + p[1] + p[2] >= 0])
    cross = [[s * (i == j) for j in range(6)] for i in range(6) for s in (-1, 1)]
    assert decided([Fraction(1, 6)] * 6, cross)
    assert not decided([Fraction(1, 6)] * 5 + [Fraction(1, 6) + Fraction(1, 10**20)], cross)


def test_after_a_step_of_length_zero_the_first_column_enters() -> None:
    costs = [fmpz(0), fmpz(-1), fmpz(-5)]
    assert _entering(costs, stalled=False) == 2
    assert _entering(costs, stalled=True) == 1
    assert _entering([fmpz(0), fmpz(3)], stalled=True) is None


@pytest.mark.parametrize("reach", [0.0, 0.3, 0.6, 1.0])
def test_fifty_points_in_ten_dimensions(reach: float) -> None:
    generator = np.random.default_rng(2)
    points = generator.normal(size=(50, 10)).tolist()
    answer = decided((reach * generator.normal(size=10)).tolist(), points)
    if reach in (0.0, 1.0):
        assert answer is (reach == 0.0)
