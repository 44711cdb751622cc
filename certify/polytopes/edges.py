"""Edges of a hull and the neighbours of a vertex.

A segment pq is an edge iff it is a face: some direction is maximal exactly on it. Dividing the space by q - p turns the
question into whether the image of p is separated from the images of the points off the line, one linear program.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import fmpq

from certify.errors import InputError
from certify.numbers.rationals import rational, text
from certify.polytopes.interior import Point, whole_text
from certify.polytopes.membership import in_hull
from certify.polytopes.vertices import vertices


def edge(first: Point, second: Point, points: Sequence[Point]) -> tuple[bool, dict[str, Any]]:
    """Whether the segment between two of the points is an edge of their hull.

    True with ``{"direction": a}``: <a, .> has its maximum at both ends and is smaller at every point off the segment.
    False with ``{"weights": [[j, w], ...]}``: a convex combination in the segment with a point outside the segment.

    Examples
    --------
    >>> square = [[fmpq(a), fmpq(b)] for a in (0, 1) for b in (0, 1)]
    >>> edge(square[0], square[1], square), edge(square[0], square[3], square)
    ((True, {'direction': ['-1', '0']}), (False, {'weights': [[1, '1/2'], [2, '1/2']]}))
    """
    line = [b - a for a, b in zip(first, second, strict=True)]
    pivot = next((k for k, entry in enumerate(line) if entry), None)
    if pivot is None:
        raise InputError("an edge has two different ends")
    images, sources = [], []
    for j, point in enumerate(points):
        offset = [a - b for a, b in zip(point, first, strict=True)]
        image = _image(offset, line, pivot)
        if any(image):
            images.append(image)
            sources.append(j)
            continue
        place = offset[pivot] / line[pivot]
        if place < 0 or place > 1:
            return False, _into_segment([(j, fmpq(1))], points, first, second)
    if not images:
        return True, {"direction": ["0"] * len(line)}
    inside, witness = in_hull([fmpq(0)] * len(images[0]), images) if images[0] else (False, {"normal": []})
    if inside:
        shares = [(sources[k], rational(w)) for k, w in witness["weights"]]
        return False, _into_segment(shares, points, first, second)
    normal = [-fmpq(int(entry)) for entry in witness["normal"]]
    # <normal, image(y)> as a linear function of y
    lifted = list(normal)
    lifted.insert(pivot, -sum((n * line[k] for n, k in zip(normal, _others(pivot, len(line)), strict=True)), fmpq(0))
                  / line[pivot])
    return True, {"direction": whole_text(lifted)}


def _others(pivot: int, size: int) -> list[int]:
    return [k for k in range(size) if k != pivot]


def _image(offset: Sequence[fmpq], line: Sequence[fmpq], pivot: int) -> list[fmpq]:
    """The offset modulo the line: zero exactly on the line."""
    share = offset[pivot] / line[pivot]
    return [offset[k] - share * line[k] for k in _others(pivot, len(line))]


def _into_segment(shares: list[tuple[int, fmpq]], points: Sequence[Point], first: Point,
                  second: Point) -> dict[str, Any]:
    """A combination on the line, mixed with an end if it lies beyond the other one, so that it lies in the segment."""
    line = [b - a for a, b in zip(first, second, strict=True)]
    pivot = next(k for k, entry in enumerate(line) if entry)
    place = (sum((w * points[j][pivot] for j, w in shares), fmpq(0)) - first[pivot]) / line[pivot]
    weights = dict(shares)
    if place < 0 or place > 1:
        keep = 1 / place if place > 1 else 1 / (1 - place)
        end = list(first if place > 1 else second)
        weights = {j: keep * w for j, w in weights.items()}
        k = next(k for k, point in enumerate(points) if list(point) == end)
        weights[k] = weights.get(k, fmpq(0)) + 1 - keep
    return {"weights": [[j, text(weights[j])] for j in sorted(weights)]}


def neighbours(index: int, points: Sequence[Point]) -> list[int]:
    """The vertices joined to the vertex `index` by an edge, increasing."""
    corners = vertices(points)
    here = [list(point) for point in points].index(list(points[index]))
    if here not in corners:
        raise InputError(f"points[{index}] is not a vertex")
    own = [points[j] for j in corners]
    return [j for j in corners if j != here and edge(points[here], points[j], own)[0]]
