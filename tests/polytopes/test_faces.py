"""Interior, edges, nearest points, diameters: against enumeration and small independent methods."""
from __future__ import annotations

import random
from itertools import combinations

import pytest
from families import FAMILIES, Points
from flint import fmpq, fmpq_mat

from certify.errors import InputError
from certify.polytopes.edges import edge, neighbours
from certify.polytopes.interior import affine_rank, interior, relative_interior
from certify.polytopes.quadratics import least_over_hull, nearest, squared_diameter
from certify.polytopes.vertices import vertices
from certify.verifier.exact import Rat
from certify.verifier.theories import faces


def as_rats(values: object) -> object:
    if isinstance(values, list | tuple):
        return [as_rats(entry) for entry in values]
    return Rat(int(values.p), int(values.q))  # type: ignore[attr-defined]


def dot(left: list[fmpq], right: list[fmpq]) -> fmpq:
    return sum((a * b for a, b in zip(left, right, strict=True)), fmpq(0))


def facets(points: Points) -> list[tuple[list[fmpq], fmpq]]:
    """All facets <a, x> <= b of a full-dimensional hull, by trying every hyperplane through d points."""
    d, found = len(points[0]), {}
    for chosen in combinations(points, d):
        matrix = fmpq_mat([[*point, fmpq(-1)] for point in chosen])
        reduced, rank = matrix.rref()
        if rank < d:
            continue
        pivots = [next(k for k in range(d + 1) if reduced[r, k]) for r in range(rank)]
        free = next(k for k in range(d + 1) if k not in pivots)
        plane = [fmpq(k == free) for k in range(d + 1)]
        for r, place in enumerate(pivots):
            plane[place] = -reduced[r, free]
        values = [dot(plane[:-1], point) - plane[-1] for point in points]
        if any(v > 0 for v in values) and any(v < 0 for v in values):
            continue
        sign = -1 if any(v > 0 for v in values) else 1
        scale = sign / sum((abs(entry) for entry in plane), fmpq(0))
        plane = [entry * scale for entry in plane]
        found[tuple(map(str, plane))] = (plane[:-1], plane[-1])
    return list(found.values())


@pytest.mark.parametrize("seed", range(12))
def test_interior_agrees_with_the_facets(seed: int) -> None:
    rng = random.Random(seed)
    d = 2 + seed % 2
    points = FAMILIES["grid" if seed % 3 else "cloud"](9, d, rng)
    sides = facets(points) if affine_rank(points) == d else []
    for _ in range(15):
        weights = [fmpq(rng.randint(-1, 3)) for _ in points]
        total = sum(weights, fmpq(0)) or fmpq(1)
        point = [sum((w * p[k] for w, p in zip(weights, points, strict=True)), fmpq(0)) / total for k in range(d)]
        answer, witness = interior(point, points)
        assert answer == (bool(sides) and all(dot(a, point) < b for a, b in sides))
        assert faces.check("interior", [as_rats(point), as_rats(points)], answer, witness) is answer


@pytest.mark.parametrize("name", FAMILIES)
def test_relative_interior_of_every_family(name: str) -> None:
    """The mean is in the relative interior; a vertex is not, unless it is the only point."""
    rng = random.Random(name)
    points = FAMILIES[name](12, 4, rng)
    mean = [sum((p[k] for p in points), fmpq(0)) / len(points) for k in range(4)]
    corner = points[vertices(points)[0]]
    beyond = [2 * a - b for a, b in zip(corner, mean, strict=True)]
    one = all(point == points[0] for point in points)
    for point, expected in ((mean, True), (corner, one), (beyond, one), ([entry + 1 for entry in mean], None)):
        answer, witness = relative_interior(point, points)
        assert expected is None or answer is expected
        assert faces.check("relative_interior", [as_rats(point), as_rats(points)], answer, witness) is answer
        inner, reason = interior(point, points)
        assert inner is (answer and affine_rank(points) == 4)
        assert faces.check("interior", [as_rats(point), as_rats(points)], inner, reason) is inner


@pytest.mark.parametrize("seed", range(10))
def test_edges_agree_with_the_facets(seed: int) -> None:
    """Two vertices of a 3-polytope are joined iff the facets through both meet in a line."""
    points = FAMILIES["grid" if seed % 2 else "cloud"](10, 3, random.Random(seed))
    if affine_rank(points) < 3:
        return
    sides, corners = facets(points), vertices(points)
    for i, j in combinations(corners, 2):
        shared = [a for a, b in sides if dot(a, points[i]) == b and dot(a, points[j]) == b]
        wanted = bool(shared) and int(fmpq_mat(shared).rank()) == 2
        answer, witness = edge(points[i], points[j], points)
        assert answer is wanted and (j in neighbours(i, points)) is wanted
        assert faces.check("edge", as_rats([points[i], points[j], points]), answer, witness) is answer


@pytest.mark.parametrize("name", sorted(set(FAMILIES) - {"single", "equal"}))
def test_edges_between_any_two_points(name: str) -> None:
    points = FAMILIES[name](8, 4, random.Random(f"edges {name}"))
    for first, second in combinations(points, 2):
        if first != second:
            answer, witness = edge(first, second, points)
            assert faces.check("edge", as_rats([first, second, points]), answer, witness) is answer


def test_edges_of_a_segment_a_square_and_a_point() -> None:
    line = [[fmpq(v)] for v in (0, 1, 3)]
    assert edge(line[0], line[2], line)[0] and not edge(line[0], line[1], line)[0]
    assert neighbours(0, line) == [2]
    with pytest.raises(InputError):
        edge(line[0], line[0], line)
    with pytest.raises(InputError, match="not a vertex"):
        neighbours(1, line)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_squared_diameter(name: str) -> None:
    points = FAMILIES[name](20, 3, random.Random(f"diameter {name}"))
    value, (i, j) = squared_diameter(points)
    gaps = [sum(((a - b) ** 2 for a, b in zip(p, q, strict=True)), fmpq(0)) for p in points for q in points]
    assert value == max(gaps)
    assert value == sum(((a - b) ** 2 for a, b in zip(points[i], points[j], strict=True)), fmpq(0))


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_least_over_hull_meets_its_condition(name: str, rank: int) -> None:
    """The first-order condition proves the optimum; random points of the hull are never lower."""
    rng = random.Random(f"{name} {rank}")
    points = FAMILIES[name](12, 3, rng)
    factor = [[fmpq(rng.randint(-2, 2)) for _ in range(3)] for _ in range(rank)]
    matrix = [[sum((row[i] * row[j] for row in factor), fmpq(0)) for j in range(3)] for i in range(3)]
    slope = [fmpq(rng.randint(-3, 3)) for _ in range(3)]

    def energy(point: list[fmpq]) -> fmpq:
        return dot([dot(row, point) for row in matrix], point) / 2 + dot(slope, point)

    found = least_over_hull(matrix, slope, points)
    here = list(found.point)
    assert energy(here) == found.value and all(w > 0 for _, w in found.weights)
    assert here == [sum((w * points[j][k] for j, w in found.weights), fmpq(0)) for k in range(3)]
    gradient = [dot(row, here) + s for row, s in zip(matrix, slope, strict=True)]
    assert all(dot(gradient, point) >= dot(gradient, here) for point in points)
    for _ in range(10):
        weights = [fmpq(rng.randint(0, 4)) for _ in points]
        total = sum(weights, fmpq(0))
        if total:
            other = [sum((w * p[k] for w, p in zip(weights, points, strict=True)), fmpq(0)) / total for k in range(3)]
            assert energy(other) >= found.value


def test_nearest_points() -> None:
    square = [[fmpq(a), fmpq(b)] for a in (0, 1) for b in (0, 1)]
    assert nearest([fmpq(2), fmpq(1, 3)], square).point == (1, fmpq(1, 3))
    assert nearest([fmpq(1, 2), fmpq(1, 3)], square).point == (fmpq(1, 2), fmpq(1, 3))
    assert nearest([fmpq(3), fmpq(3)], square, [[fmpq(2), fmpq(1)], [fmpq(1), fmpq(2)]]).point == (1, 1)
    with pytest.raises(InputError, match="not positive definite"):
        nearest([fmpq(0)], [[fmpq(1)]], [[fmpq(0)]])
    with pytest.raises(InputError, match="not positive semidefinite"):
        least_over_hull([[fmpq(-1)]], [fmpq(0)], [[fmpq(1)]])
