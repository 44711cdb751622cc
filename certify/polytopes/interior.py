"""Strict and relative interior of a hull, with witnesses for both answers.

With y_j = x_j - point, the point lies in the relative interior iff 0 is a combination of the y_j with positive weights
on points that span the affine hull; otherwise some normal has <normal, y_j> >= 0 for all j, > 0 for one (Stiemke). The
interior asks besides that the points span the whole space.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import fmpq, fmpq_mat, fmpz

from certify.numbers.rationals import text
from certify.polytopes.points import Points
from certify.programs.active import null_space
from certify.programs.simplex import Columns, Outside, minimise

Point = Sequence[fmpq]


def affine_rank(points: Sequence[Point]) -> int:
    """Dimension of the affine hull."""
    base = points[0]
    differences = [[a - b for a, b in zip(point, base, strict=True)] for point in points[1:]]
    return int(fmpq_mat(differences).rank()) if differences and base else 0


def relative_interior(point: Point, points: Sequence[Point]) -> tuple[bool, dict[str, Any]]:
    """Whether the point is in the relative interior of the hull.

    True with ``{"weights": [[j, w], ...]}``, positive, on points that span the affine hull; False with
    ``{"normal": a}``: <a, x_j - point> >= 0 for all j and > 0 for one.
    """
    prepared = Points([*points, point])
    rows = [prepared.rows[prepared.distinct.index(k)] for k in prepared.first]
    here = rows.pop()
    rays = [[a - b for a, b in zip(row, here, strict=True)] for row in rows]
    columns = Columns(rays, prepared.dimension)
    spanning = _spanning(points)
    target = [-sum((rays[j][i] for j in spanning), fmpz(0)) for i in range(prepared.dimension)]
    found = minimise(columns, target, None)
    if isinstance(found, Outside):
        normal = [-entry * scale for entry, scale in zip(found.direction, prepared.scales, strict=True)]
        return False, {"normal": whole_text(normal)}
    weights = dict(found.weights)
    for j in spanning:
        weights[j] = weights.get(j, fmpq(0)) + 1
    total = sum(weights.values(), fmpq(0))
    return True, {"weights": [[j, text(weights[j] / total)] for j in sorted(weights)]}


def interior(point: Point, points: Sequence[Point]) -> tuple[bool, dict[str, Any]]:
    """Whether the point is in the interior of the hull; False with a normal != 0, <normal, x_j - point> >= 0 for all.

    Examples
    --------
    >>> interior([fmpq(1)], [[fmpq(0)], [fmpq(1)]])
    (False, {'normal': ['-1']})
    """
    base = points[0]
    differences = [[a - b for a, b in zip(other, base, strict=True)] for other in points[1:]]
    flat = null_space(differences, len(base))
    if flat:
        normal = flat[0]
        side = sum((n * (a - b) for n, a, b in zip(normal, base, point, strict=True)), fmpq(0))
        return False, {"normal": whole_text([-n for n in normal] if side < 0 else normal)}
    return relative_interior(point, points)


def _spanning(points: Sequence[Point]) -> list[int]:
    """Indices of points that span the affine hull, affinely independent."""
    reduced, rank = fmpq_mat([[*point, fmpq(1)] for point in points]).transpose().rref()
    found, column = [], 0
    for row in range(rank):
        while reduced[row, column] == 0:
            column += 1
        found.append(column)
    return found


def whole_text(vector: Sequence[fmpq]) -> list[str]:
    """A positive multiple of the vector in integers without a common factor, as text."""
    from certify.numbers.vectors import primitive
    whole, _ = fmpq_mat(1, len(vector), list(vector)).numer_denom()
    return [str(entry) for entry in primitive(whole.entries())]
