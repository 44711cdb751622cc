"""Whether a point lies in the convex hull of others: exactly, with weights or a separating direction as the witness.

By Gordan's alternative for y_j = x_j - point, either some w >= 0 with sum 1 has sum_j w_j y_j = 0, or some normal has
<normal, y_j> > 0 for every j. Neither minds a positive factor on a y_j, so each is made a primitive integer vector.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul
from typing import Any

from flint import fmpq, fmpq_mat, fmpz

from certify.errors import InputError
from certify.numbers.rationals import text
from certify.numbers.vectors import primitive, short_vector

Witness = dict[str, Any]


def in_hull(point: list[fmpq], points: list[list[fmpq]]) -> tuple[bool, Witness]:
    """Whether the point is a convex combination of the points, and why.

    Returns
    -------
    tuple
        True with ``{"weights": [[j, w], ...]}``: j increasing, w > 0, sum w = 1 and sum w x_j = point. False with
        ``{"normal": a}``: integers with <a, x_j - point> > 0 for every j.

    Examples
    --------
    >>> square = [[fmpq(0), fmpq(0)], [fmpq(2), fmpq(0)], [fmpq(0), fmpq(2)], [fmpq(2), fmpq(2)]]
    >>> in_hull([fmpq(1), fmpq(1)], square)
    (True, {'weights': [[0, '1/2'], [3, '1/2']]})
    >>> in_hull([fmpq(3), fmpq(1)], square)
    (False, {'normal': ['-1', '0']})
    """
    _require_alike(point, points)
    equal = next((j for j, other in enumerate(points) if other == point), None)
    if equal is not None:
        return True, {"weights": [[equal, "1"]]}
    rays = _rays(point, points)
    pair = rays.opposite()
    if pair is not None:
        return True, _weights(point, points, rays, dict.fromkeys(pair, fmpz(1)))
    normal = _simple_normal(rays)
    if normal is None:
        found = _gordan(rays.directions)
        if isinstance(found, dict):
            return True, _weights(point, points, rays, found)
        normal = short_vector(primitive(found), rays.all_beyond)
    if normal is None:
        raise AssertionError("a separating direction failed its own check")
    return False, {"normal": [str(entry) for entry in normal]}


@dataclass(frozen=True)
class _Rays:
    """The rays from the point through the others: primitive integer directions, each once.

    The difference from the point to the points[sources[k]] is lengths[k] * directions[k].
    """

    directions: list[list[fmpz]]
    lengths: list[fmpq]
    sources: list[int]

    def opposite(self) -> tuple[int, int] | None:
        """Two rays with the point between them, if there are any."""
        position = {tuple(direction): k for k, direction in enumerate(self.directions)}
        for k, direction in enumerate(self.directions):
            other = position.get(tuple(-entry for entry in direction))
            if other is not None:
                return k, other
        return None

    def all_beyond(self, normal: Sequence[fmpz]) -> bool:
        """Whether every ray has a positive inner product with the normal."""
        return all(sum(map(mul, normal, direction)) > 0 for direction in self.directions)


def _rays(point: list[fmpq], points: list[list[fmpq]]) -> _Rays:
    rays, seen = _Rays([], [], []), set[tuple[fmpz, ...]]()
    for j, other in enumerate(points):
        difference = [a - b for a, b in zip(other, point, strict=True)]
        whole, denominator = fmpq_mat(1, len(point), difference).numer_denom()
        direction = primitive(whole.entries())
        if tuple(direction) in seen:
            continue
        seen.add(tuple(direction))
        content = next(a // b for a, b in zip(whole.entries(), direction, strict=True) if b)
        rays.directions.append(direction)
        rays.lengths.append(fmpq(content, denominator))
        rays.sources.append(j)
    return rays


def _require_alike(point: list[fmpq], points: list[list[fmpq]]) -> None:
    if not points:
        raise InputError("points: there are none; accepted: at least one point")
    for j, other in enumerate(points):
        if len(other) != len(point):
            wrong = f"{len(other)} coordinates where the point has {len(point)}"
            raise InputError(f"points[{j}]: {wrong}; accepted: points of one dimension")


def _weights(point: list[fmpq], points: list[list[fmpq]], rays: _Rays, found: dict[int, fmpz]) -> Witness:
    """The witness from positive multiples of ray directions that sum to zero, checked."""
    by_source = {rays.sources[k]: fmpq(share) / rays.lengths[k] for k, share in found.items()}
    total = sum(by_source.values(), fmpq(0))
    weights = [(j, by_source[j] / total) for j in sorted(by_source)]
    met = all(sum(w * points[j][k] for j, w in weights) == value for k, value in enumerate(point))
    if not met or any(w <= 0 for _, w in weights):
        raise AssertionError("a convex combination failed its own check")
    return {"weights": [[j, text(w)] for j, w in weights]}


def _simple_normal(rays: _Rays) -> list[fmpz] | None:
    """A coordinate direction or the mean of the differences, if that separates."""
    dimension = len(rays.directions[0])
    for coordinate in range(dimension):
        column = [direction[coordinate] for direction in rays.directions]
        sign = 1 if column[0] > 0 else -1
        if all(sign * entry > 0 for entry in column):
            return [fmpz(sign * (k == coordinate)) for k in range(dimension)]
    mean = [
        sum((length * direction[k] for length, direction in zip(rays.lengths, rays.directions, strict=True)), fmpq(0))
        for k in range(dimension)
    ]
    whole = fmpq_mat(1, dimension, mean).numer_denom()[0].entries()
    return short_vector(whole, rays.all_beyond) if rays.all_beyond(whole) else None


def _gordan(directions: list[list[fmpz]]) -> dict[int, fmpz] | list[fmpz]:
    """Positive multiples of some directions that sum to zero, else a vector with a positive product with each of them.

    The first phase of the simplex method for w >= 0, sum w = 1, sum w (y_j + q) = q. The shift q = -y_0 changes nothing
    but keeps the right side away from zero, where the method would stall. The tableau holds integers over the common
    denominator `scale`, the last pivot.
    """
    count, dimension = len(directions), len(directions[0])
    shift = [-entry for entry in directions[0]]
    signs = [-1 if entry < 0 else 1 for entry in shift] + [1]
    height = dimension + 1
    rows = [
        [sign * (direction[i] + shift[i]) for direction in directions] if i < dimension else [fmpz(1)] * count
        for i, sign in enumerate(signs)
    ]
    for i, row in enumerate(rows):
        row += [fmpz(i == k) for k in range(height)]
        row.append(abs(shift[i]) if i < dimension else fmpz(1))
    # Reduced costs of the sum of the artificial variables, which are the columns from `count` on.
    costs = [-sum(column, fmpz(0)) for column in zip(*rows, strict=True)]
    costs[count:-1] = [fmpz(0)] * height
    basis = list(range(count, count + height))
    scale, stalled = fmpz(1), False
    while costs[-1] != 0:
        entering = _entering(costs[:count], stalled)
        if entering is None:
            # Optimal and positive: the dual solution separates.
            return [sign * (costs[count + i] - scale) for i, sign in enumerate(signs[:-1])]
        leaving = _leaving(rows, basis, entering)
        stalled = rows[leaving][-1] == 0
        pivot_row = rows[leaving]
        pivot = pivot_row[entering]
        for i, row in enumerate(rows):
            if i != leaving:
                rows[i] = _reduced(row, pivot_row, entering, scale)
        costs = _reduced(costs, pivot_row, entering, scale)
        basis[leaving], scale = entering, pivot
    return {k: row[-1] for k, row in zip(basis, rows, strict=True) if k < count and row[-1] > 0}


def _entering(costs: list[fmpz], stalled: bool) -> int | None:
    """The column to bring in: the steepest, or the first after a step of length zero, so that no cycle can close."""
    negative = [k for k, cost in enumerate(costs) if cost < 0]
    if not negative:
        return None
    return negative[0] if stalled else min(negative, key=costs.__getitem__)


def _leaving(rows: list[list[fmpz]], basis: list[int], entering: int) -> int:
    """The row of the smallest ratio, among equals that of the smallest index (Bland's rule)."""
    best = -1
    for i, row in enumerate(rows):
        if row[entering] <= 0:
            continue
        if best < 0:
            best = i
            continue
        gap = row[-1] * rows[best][entering] - rows[best][-1] * row[entering]
        if gap < 0 or (gap == 0 and basis[i] < basis[best]):
            best = i
    return best


def _reduced(row: list[fmpz], pivot_row: list[fmpz], entering: int, scale: fmpz) -> list[fmpz]:
    """The row with its entry in the entering column cleared; every division is exact."""
    pivot, factor = pivot_row[entering], row[entering]
    return [(entry * pivot - factor * other) // scale for entry, other in zip(row, pivot_row, strict=True)]
