"""hull/2: interior, relative interior, vertices and edges of the convex hull of finitely many points.

A convex part F of the hull is a face iff no convex combination that lies in F uses a point outside it. Vertices and
edges are the faces of dimension 0 and 1; a direction whose maximum over the points is attained on F alone shows one.
"""
from __future__ import annotations

from typing import Any

from ..convex import Vector, affine_rank, mixture, products, read_weights, same_point
from ..exact import ONE, Rat, Reject, common_denominator
from ..systems import read_vector

NAME = "hull/2"
OPERATORS = ("interior", "relative_interior", "vertices", "edge")


def check(operator: str, args: list[Any], answer: object, witness: object) -> Any:
    """Verify one lemma; return its answer: a truth, or the sorted indices of the vertices."""
    if operator == "vertices":
        return _vertices(args[0], answer, witness)
    if type(answer) is not bool or not isinstance(witness, dict):
        raise Reject("hull/2: not a witness")
    if operator == "edge":
        _edge(args[0], args[1], args[2], answer, witness)
    elif answer:
        _within(operator, args[0], args[1], witness)
    else:
        _not_within(operator, args[0], args[1], witness)
    return answer


def _within(operator: str, point: Vector, points: list[Vector], witness: dict[str, Any]) -> None:
    """Positive weights on points that span the affine hull of all (for the interior: the space)."""
    if set(witness) != {"weights"}:
        raise Reject("hull/2: not weights")
    weights = read_weights(witness["weights"], len(points), NAME)
    if not same_point(mixture(weights, points), point):
        raise Reject("hull/2: the weights do not give the point")
    wanted = len(point) if operator == "interior" else affine_rank(points)
    if affine_rank([points[j] for j, _ in weights]) != wanted:
        raise Reject("hull/2: the points with a weight do not span enough")


def _not_within(operator: str, point: Vector, points: list[Vector], witness: dict[str, Any]) -> None:
    """A hyperplane through the point with all points on one side (for the relative interior: one strictly)."""
    if set(witness) != {"normal"}:
        raise Reject("hull/2: not a normal")
    normal = read_vector(witness["normal"], len(point))
    here, *others = products(normal, [point, *points])
    if any(value < here for value in others):
        raise Reject("hull/2: a point lies on the wrong side of the normal")
    if operator == "interior" and all(entry.n == 0 for entry in normal):
        raise Reject("hull/2: the normal is zero")
    if operator == "relative_interior" and all(value == here for value in others):
        raise Reject("hull/2: no point lies strictly beyond the normal")


def _vertices(points: list[Vector], answer: object, witness: object) -> list[int]:
    """One reason for each point: a direction, weights of other points, or the first equal point."""
    if type(answer) is not list or not isinstance(witness, dict) or set(witness) != {"reasons"} \
            or type(witness["reasons"]) is not list or len(witness["reasons"]) != len(points):
        raise Reject("hull/2: not a reason for every point")
    rows, _ = common_denominator(points)
    first: dict[tuple[int, ...], int] = {}
    for j, row in enumerate(rows):
        first.setdefault(tuple(row), j)
    distinct = list(first.values())
    found: list[int] = []
    for j, reason in enumerate(witness["reasons"]):
        if not isinstance(reason, dict) or len(reason) != 1:
            raise Reject("hull/2: not a reason")
        place = first[tuple(rows[j])]
        if "same" in reason:
            if type(reason["same"]) is not int or reason["same"] != place or place == j:
                raise Reject("hull/2: not the first equal point")
        elif "direction" in reason:
            if place != j:
                raise Reject("hull/2: a vertex is the first of equal points")
            _alone(j, rows, distinct, read_vector(reason["direction"], len(rows[j])))
            found.append(j)
        elif "weights" in reason:
            weights = read_weights(reason["weights"], len(points), NAME)
            if place != j or any(rows[k] == rows[j] for k, _ in weights):
                raise Reject("hull/2: the weights are not of other points")
            _gives(weights, rows, j)
        else:
            raise Reject("hull/2: not a reason")
    if answer != found or any(type(j) is not int for j in answer):
        raise Reject("hull/2: the vertices are not those with a direction")
    return found


def _alone(j: int, rows: list[list[int]], distinct: list[int], direction: Vector) -> None:
    """The point is the only maximiser of the direction."""
    (entries,), _ = common_denominator([direction])
    best = sum(a * b for a, b in zip(entries, rows[j], strict=True))
    for k in distinct:
        if k != j and sum(a * b for a, b in zip(entries, rows[k], strict=True)) >= best:
            raise Reject("hull/2: a vertex is not alone at the top of its direction")


def _gives(weights: list[tuple[int, Rat]], rows: list[list[int]], j: int) -> None:
    """The combination of integer rows is the row j."""
    (shares,), scale = common_denominator([[w for _, w in weights]])
    for k, entry in enumerate(rows[j]):
        if sum(share * rows[i][k] for (i, _), share in zip(weights, shares, strict=True)) != entry * scale:
            raise Reject("hull/2: the weights do not give the point")


def _edge(first: Vector, second: Vector, points: list[Vector], answer: bool, witness: dict[str, Any]) -> None:
    """Whether the segment between two of the points is a face."""
    for end in (first, second):
        if not any(same_point(end, point) for point in points):
            raise Reject("hull/2: the end of an edge is not among the points")
    if same_point(first, second):
        if answer or witness != {"equal": True}:
            raise Reject("hull/2: an edge has two different ends")
        return
    if answer:
        if set(witness) != {"direction"}:
            raise Reject("hull/2: not a direction")
        values = products(read_vector(witness["direction"], len(first)), [first, second, *points])
        if values[0] != values[1]:
            raise Reject("hull/2: the ends of the edge are not level")
        for value, point in zip(values[2:], points, strict=True):
            if value >= values[0] and _on_segment(point, first, second) is False:
                raise Reject("hull/2: another point reaches the edge's level")
        return
    if set(witness) != {"weights"}:
        raise Reject("hull/2: not weights")
    weights = read_weights(witness["weights"], len(points), NAME)
    if not _on_segment(mixture(weights, points), first, second):
        raise Reject("hull/2: the combination is not in the segment")
    if all(_on_segment(points[j], first, second) for j, _ in weights):
        raise Reject("hull/2: the combination uses no point outside the segment")


def _on_segment(point: Vector, first: Vector, second: Vector) -> bool:
    """point = first + s (second - first) with 0 <= s <= 1."""
    line = [b - a for a, b in zip(first, second, strict=True)]
    offset = [p - a for a, p in zip(first, point, strict=True)]
    pivot = next(k for k, entry in enumerate(line) if entry.n)
    share = offset[pivot] / line[pivot]
    if share.n < 0 or share > ONE:
        return False
    return all(o == share * entry for o, entry in zip(offset, line, strict=True))
