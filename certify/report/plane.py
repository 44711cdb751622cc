"""Geometry of an instance in the plane, exact to the last corner: hulls, dominance cells, leaders, frames in time.

The dominance cell of a token v is the set of points y that v would lead: <B y, x_v - x_j> >= 0 for every j. It is a
cone with its tip at the origin; what is drawn is its part in a rectangle, cut with rational arithmetic.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from ..verifier.exact import Reject, Undecided, common_denominator
from ..verifier.sorts import Tree
from ..verifier.systems import leaders
from .hearing import Hearing

Point = tuple[Fraction, Fraction]
Corner = tuple[int, int, int]
FRAMES = 20  # steps that a reader can slide through
MOST_TOKENS = 40  # more cannot be told apart, and cells would take long
LONGEST_NUMBER = 400  # characters; frames stop where exact numbers get longer


@dataclass(frozen=True)
class Frame:
    """One moment: points, the corners of the hull in order, cells as polygons, and the leaders of every token."""

    points: list[Point]
    hull: list[int]
    cells: list[tuple[int, list[Point]]]
    leaders: list[list[int]]


@dataclass(frozen=True, eq=False)  # one film is drawn once: films are told apart as objects
class Film:
    """Frames t = 0, 1, ... in one rectangle (left, bottom, right, top)."""

    view: tuple[Fraction, Fraction, Fraction, Fraction]
    frames: list[Frame]


def film(hearing: Hearing, last: int = FRAMES) -> Film | None:
    """The frames of a planar instance of hardmax; None for anything else."""
    tokens = hearing.court.instance.tokens
    if hearing.court.instance.dimension != 2 or not 0 < len(tokens) <= MOST_TOKENS or not _has_leaders(hearing.system):
        return None
    moments: list[tuple[list[list[int]], list[list[int]], list[Point]]] = []
    for t in range(last + 1):
        try:
            state = hearing.state(t)
        except (Undecided, Reject):
            break
        points = [(Fraction(row[0], state.den), Fraction(row[1], state.den)) for row in state.rows]
        if any(len(str(entry)) > LONGEST_NUMBER for point in points for entry in point):
            break
        moments.append((state.rows, common_denominator(hearing.court.instance.sequences["B"].at(t))[0], points))
    if not moments:
        return None
    view = _view([point for _, _, points in moments for point in points])
    frames: list[Frame] = []
    known: tuple[Any, list[tuple[int, list[Point]]]] | None = None
    for rows, matrix, points in moments:
        corners = hull([(row[0], row[1]) for row in rows])  # integers over one denominator turn the same way
        key = ([(k, points[k]) for k in corners], matrix)
        if known is None or known[0] != key:  # cells depend on the corners of the hull alone
            known = key, cells({k: rows[k] for k in sorted(corners)}, matrix, view)
        frames.append(Frame(points, corners, known[1], leaders(rows, matrix)))
    return Film(view, frames)


def hull(points: Sequence[tuple[Any, Any]]) -> list[int]:
    """Indices of the corners, counterclockwise (Andrew's chains).

    Examples
    --------
    >>> square = [(0, 0), (2, 0), (2, 2), (0, 2), (1, 1), (1, 0)]
    >>> hull([(Fraction(a), Fraction(b)) for a, b in square])
    [0, 1, 2, 3]
    """
    order: list[int] = []
    for i in sorted(range(len(points)), key=lambda k: points[k]):
        if not order or points[order[-1]] != points[i]:
            order.append(i)
    if len(order) <= 2:
        return order
    half: list[list[int]] = []
    for sequence in (order, order[::-1]):
        chain: list[int] = []
        for i in sequence:
            while len(chain) > 1 and _turn(points[chain[-2]], points[chain[-1]], points[i]) <= 0:
                chain.pop()
            chain.append(i)
        half.append(chain[:-1])
    return half[0] + half[1]


def _turn(a: tuple[Any, Any], b: tuple[Any, Any], c: tuple[Any, Any]) -> Any:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def cells(corners: dict[int, list[int]], matrix: list[list[int]],
          view: tuple[Fraction, ...]) -> list[tuple[int, list[Point]]]:
    """The cell of every distinct point by its index, cut to the view; those without an inside are left out.

    The corners of the hull are enough: a linear function is largest at a corner, so other points bound no cell, and
    their own cells have no inside or, for a singular B, are that of a corner too.
    """
    found: list[tuple[int, list[Point]]] = []
    distinct: dict[tuple[int, ...], int] = {}
    for v, row in corners.items():
        distinct.setdefault(tuple(row), v)
    # <B y, x_v - x_j> = <y, B' x_v - B' x_j>
    images = {v: [sum(matrix[k][c] * row[k] for k in range(2)) for c in range(2)] for row, v in distinct.items()}
    (left, bottom, right, top), unit = common(view)
    frame = [(left, bottom, unit), (right, bottom, unit), (right, top, unit), (left, top, unit)]
    for v, image in images.items():
        normals = [[image[0] - other[0], image[1] - other[1]] for other in images.values()]
        edges = extreme([normal for normal in normals if any(normal)])
        if edges is None:
            continue
        corners_of = frame
        for normal in edges:
            corners_of = clipped(corners_of, normal)
        polygon = [(Fraction(a, w), Fraction(b, w)) for a, b, w in corners_of]
        if len(polygon) > 2 and any(_turn(polygon[0], polygon[1], p) for p in polygon[2:]):
            found.append((v, polygon))
    return found


def extreme(normals: list[list[int]]) -> list[list[int]] | None:
    """The two outermost of some directions if all lie in an open half-plane, else None: the cone then has no inside.

    Examples
    --------
    >>> extreme([[1, 0], [1, 1], [0, 1]]), extreme([[1, 0], [-1, 0]])
    ([[1, 0], [0, 1]], None)
    """
    if not normals:
        return []
    first = last = normals[0]
    for normal in normals[1:]:
        if _cross(first, normal) < 0:
            first = normal
        if _cross(last, normal) > 0:
            last = normal
    for normal in normals:
        if _cross(first, normal) < 0 or _cross(normal, last) < 0:
            return None
        for end in (first, last):
            if _cross(end, normal) == 0 and end[0] * normal[0] + end[1] * normal[1] < 0:
                return None
    return [first, last]


def _cross(a: list[int], b: list[int]) -> int:
    return a[0] * b[1] - a[1] * b[0]


def common(numbers: Sequence[Fraction]) -> tuple[list[int], int]:
    """Fractions as integers over one denominator."""
    unit = lcm(*(number.denominator for number in numbers))
    return [number.numerator * (unit // number.denominator) for number in numbers], unit


def clipped(polygon: list[Corner], normal: list[int]) -> list[Corner]:
    """The part of a convex polygon with <normal, y> >= 0; corners (a, b, w) are the points (a/w, b/w), w > 0.

    Integers are much faster than fractions, and the line through two corners meets the edge at q (n p) - p (n q).

    Examples
    --------
    >>> clipped([(-1, 0, 1), (1, 0, 1), (1, 2, 1), (-1, 2, 1)], [2, 0])
    [(0, 0, 4), (1, 0, 1), (1, 2, 1), (0, 8, 4)]
    """
    kept: list[Corner] = []
    heights = [normal[0] * p[0] + normal[1] * p[1] for p in polygon]
    for k, (point, height) in enumerate(zip(polygon, heights, strict=True)):
        before, low = polygon[k - 1], heights[k - 1]
        if (low < 0 < height) or (height < 0 < low):
            sign = 1 if low < 0 else -1
            a, b, w = (sign * (height * p - low * q) for p, q in zip(before, point, strict=True))
            kept.append((a, b, w))
        if height >= 0:
            kept.append(point)
    return kept


def _view(points: list[Point]) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """A square around all points and the origin, with room at the edges."""
    xs, ys = [p[0] for p in points] + [Fraction(0)], [p[1] for p in points] + [Fraction(0)]
    side = max(max(xs) - min(xs), max(ys) - min(ys)) or Fraction(1)
    half = side * Fraction(58, 100)
    x, y = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    return x - half, y - half, x + half, y + half


def _has_leaders(system: Tree) -> bool:
    """Whether the step picks among argmax j: <B x_i, x_j>, the leaders drawn here."""
    def search(tree: Any) -> bool:
        if not isinstance(tree, list):
            return False
        if tree[:1] == ["pick"]:
            inner = tree[1][2] if tree[1][0] == "argmax" and len(tree[1][1]) == 1 else None
            return bool(inner and inner[0] == "inner" and inner[1][:1] == ["mul"] and inner[1][1][:2] == ["at", "B"]
                        and inner[1][2] == ["at", "x", ["var", "i"]] and inner[2][:2] == ["at", "x"])
        return any(map(search, tree))

    return system is not None and search(system[3])
