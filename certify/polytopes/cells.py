"""Cells of a hull K of points v_1..v_k: dominance cells, Voronoi cells in a norm, dominance cones and their erosion.

The dominance cell of v is C(v) = {x in K : <B x, v> >= <B x, y> for all y in K}, the Voronoi cell
{x in K : |x - v|_B <= |x - v_j|_B for all j}. Both are K cut by half-spaces <normal_j, x> >= offset_j, one a point.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from certify.numbers.rationals import text
from certify.polytopes.interior import Point
from certify.polytopes.membership import in_hull
from certify.programs import Infeasible, Optimal, linear_program, solve
from certify.programs.program import Vector, inner

ZERO = fmpq(0)


@dataclass(frozen=True)
class Cell:
    """hull(points) cut by <normals[j], x> >= offsets[j] for every j."""

    points: tuple[Vector, ...]
    normals: tuple[Vector, ...]
    offsets: Vector

    def __contains__(self, point: Sequence[fmpq]) -> bool:
        return self.meets(point) and in_hull(list(point), [list(p) for p in self.points])[0]

    def meets(self, point: Sequence[fmpq]) -> bool:
        """Whether every half-space holds the point."""
        return all(inner(n, point) >= c for n, c in zip(self.normals, self.offsets, strict=True))

    def gaps(self, k: int) -> list[fmpq]:
        """<normal_k, x_j> - offset_k at every point."""
        return [inner(self.normals[k], point) - self.offsets[k] for point in self.points]


def dominance_cell(matrix: Sequence[Point], vertex: Point, points: Sequence[Point]) -> Cell:
    """C(v); the normals are B'(v - v_j)."""
    size = len(vertex)
    normals = tuple(tuple(sum((matrix[i][k] * (vertex[i] - other[i]) for i in range(size)), fmpq(0))
                          for k in range(size)) for other in points)
    return Cell(_frozen(points), normals, (fmpq(0),) * len(normals))


def voronoi_cell(matrix: Sequence[Point], vertex: Point, points: Sequence[Point]) -> Cell:
    """{x in K : <B(x - v), x - v> <= <B(x - v_j), x - v_j> for all j}; of B only the symmetric part counts."""
    size = len(vertex)
    both = [[matrix[i][k] + matrix[k][i] for k in range(size)] for i in range(size)]

    def energy(point: Point) -> fmpq:
        return sum((both[i][k] * point[i] * point[k] for i in range(size) for k in range(size)), fmpq(0)) / 2

    normals = tuple(tuple(sum((both[i][k] * (vertex[i] - other[i]) for i in range(size)), fmpq(0))
                          for k in range(size)) for other in points)
    return Cell(_frozen(points), normals, tuple(energy(vertex) - energy(other) for other in points))


def _frozen(points: Sequence[Point]) -> tuple[Vector, ...]:
    return tuple(tuple(point) for point in points)


def included(left: Cell, right: Cell) -> tuple[bool, dict[str, Any]]:
    """Whether one cell lies in another over the same points, with the witness of theory cells/1.

    True with ``{"multipliers": [y_1, ...]}``, one y >= 0 on the left half-spaces for each right one, such that
    right_k - sum_j y_j left_j >= 0 at every point (``{"empty": y}`` if the left cell is empty: sum_j y_j left_j < 0 at
    every point). False with ``{"weights": [[j, w], ...], "side": k}``: a point of the left cell beyond right side k.
    """
    if left.points != right.points:
        raise ValueError("cells of different hulls")
    rows = [left.gaps(k) for k in range(len(left.normals))]
    found: list[list[str]] = []
    for k in range(len(right.normals)):
        goal = right.gaps(k)
        if all(value >= 0 for value in goal):
            found.append(["0"] * len(rows))
            continue
        if goal in rows:
            place = rows.index(goal)
            found.append(["1" if j == place else "0" for j in range(len(rows))])
            continue
        result = _lowest(goal, rows)
        if isinstance(result, Infeasible):
            count = len(left.points)
            return True, {"empty": [text(y) for y in result.multipliers[count:]]}
        assert isinstance(result, Optimal)
        if result.value < 0:
            weights = [[j, text(w)] for j, w in enumerate(result.point) if w]
            return False, {"weights": weights, "side": k}
        found.append([text(y) for y in result.multipliers[len(left.points):]])
    return True, {"multipliers": found}


def _lowest(goal: list[fmpq], rows: list[list[fmpq]]) -> Any:
    """Minimise <goal, w> over convex weights w with <row, w> >= 0 for every row."""
    count = len(goal)
    sides = [[fmpq(-(i == j)) for j in range(count)] for i in range(count)] + [[-a for a in row] for row in rows]
    return solve(linear_program(goal, sides, [0] * len(sides), [[1] * count], [1]))


def same(left: Cell, right: Cell) -> tuple[bool, Vector | None]:
    """Whether two cells are one set; if not, a point of one that is not in the other."""
    for one, other in ((left, right), (right, left)):
        inside, witness = included(one, other)
        if not inside:
            size = len(one.points[0])
            shares = [(j, fmpq(*map(int, (w + "/1").split("/")[:2]))) for j, w in witness["weights"]]
            return False, tuple(sum((w * one.points[j][k] for j, w in shares), fmpq(0)) for k in range(size))
    return True, None


def facet_point(cell: Cell, side: int) -> Vector | None:
    """A point that shows side `side` to be a facet inside K: on its hyperplane, in the relative interior of K, and
    strictly inside every side with another hyperplane; None if there is none."""
    count = len(cell.points)
    rows = [cell.gaps(k) for k in range(len(cell.normals))]
    own = rows[side]
    if not any(own):
        return None
    # maximise s with w_j >= s, row(w) >= s off the hyperplane, own(w) = 0, sum w = 1
    upper = [[*(fmpq(-(i == j)) for j in range(count)), fmpq(1)] for i in range(count)]
    upper += [[*(-a for a in row), fmpq(1)] for row in rows if any(row) and not _parallel(row, own)]
    upper += [[*(-a for a in row), fmpq(0)] for row in rows if any(row) and _parallel(row, own)]
    result = solve(linear_program([0] * count + [-1], upper, [0] * len(upper),
                                  [[1] * count + [0], [*own, fmpq(0)]], [1, 0]))
    if not isinstance(result, Optimal) or result.value >= 0:
        return None
    size = len(cell.points[0])
    return tuple(sum((w * p[k] for w, p in zip(result.point, cell.points, strict=False)), fmpq(0)) for k in range(size))


def _parallel(row: list[fmpq], own: list[fmpq]) -> bool:
    """Whether two affine functions on K are multiples of each other."""
    place = next(k for k, value in enumerate(own) if value)
    return all(a * own[place] == b * row[place] for a, b in zip(row, own, strict=True))


def adjacency(matrix: Sequence[Point], points: Sequence[Point]) -> dict[tuple[int, int], Vector]:
    """Pairs i < j whose dominance cells share a facet, with a point of it that lies in no third cell."""
    found: dict[tuple[int, int], Vector] = {}
    for i, vertex in enumerate(points):
        cell = dominance_cell(matrix, vertex, points)
        for j in range(i + 1, len(points)):
            point = facet_point(cell, j)
            if point is not None:
                found[i, j] = point
    return found


@dataclass(frozen=True)
class DominanceCone:
    """{x : <v_i - v_j, x> >= margin for all j != i}, shrunk by a ball: the points whose ball of `radius` stays inside.

    A half-space <a, x> >= m eroded by a ball is <a, x> >= m + radius |a|, decided on squares.
    """

    points: tuple[Vector, ...]
    index: int
    margin: fmpq = ZERO
    radius: fmpq = ZERO

    def eroded(self, radius: fmpq) -> DominanceCone:
        return DominanceCone(self.points, self.index, self.margin, self.radius + radius)

    def __contains__(self, point: Sequence[fmpq]) -> bool:
        own = self.points[self.index]
        for j, other in enumerate(self.points):
            if j != self.index:
                gap = tuple(a - b for a, b in zip(own, other, strict=True))
                slack = inner(gap, point) - self.margin
                if slack < 0 or slack * slack < self.radius * self.radius * inner(gap, gap):
                    return False
        return True
