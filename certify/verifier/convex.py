"""What the theories about polytopes share: convex weights in a witness, integer products, ranks."""
from __future__ import annotations

from operator import mul

from .exact import ONE, Rat, Reject, common_denominator

Vector = list[Rat]


def read_weights(field: object, count: int, name: str) -> list[tuple[int, Rat]]:
    """Pairs [j, w]: j increasing below `count`, w positive with sum 1."""
    if type(field) is not list:
        raise Reject(f"{name}: not weights")
    found: list[tuple[int, Rat]] = []
    total, last = Rat(0), -1
    for pair in field:
        if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not int or not last < pair[0] < count:
            raise Reject(f"{name}: not a weight")
        last, weight = pair[0], Rat.parse(pair[1])
        if weight.n <= 0:
            raise Reject(f"{name}: a weight that is not positive")
        total = total + weight
        found.append((last, weight))
    if total != ONE:
        raise Reject(f"{name}: the weights do not sum to 1")
    return found


def mixture(weights: list[tuple[int, Rat]], points: list[Vector]) -> Vector:
    """The sum of w x_j."""
    found = [Rat(0)] * len(points[0])
    for j, weight in weights:
        found = [value + weight * entry for value, entry in zip(found, points[j], strict=True)]
    return found


def same_point(left: Vector, right: Vector) -> bool:
    return all(a == b for a, b in zip(left, right, strict=True))


def products(direction: Vector, points: list[Vector]) -> list[int]:
    """<direction, x_j> for every point, all times one positive number."""
    rows, _ = common_denominator(points)
    (entries,), _ = common_denominator([direction])
    return [sum(map(mul, entries, row)) for row in rows]


def inner(left: Vector, right: Vector) -> Rat:
    (a,), first = common_denominator([left])
    (b,), second = common_denominator([right])
    return Rat(sum(map(mul, a, b)), first * second)


def image(matrix: list[Vector], vector: Vector) -> Vector:
    """M v."""
    return [inner(row, vector) for row in matrix]


def affine_rank(points: list[Vector]) -> int:
    """Dimension of the affine hull, by elimination without fractions."""
    rows, _ = common_denominator(points)
    left = [[a - b for a, b in zip(row, rows[0], strict=True)] for row in rows[1:]]
    rank = 0
    for column in range(len(rows[0])):
        pivot = next((row for row in left if row[column]), None)
        if pivot is None:
            continue
        rank += 1
        reduced = []
        for row in left:
            if row is not pivot:
                head = row[column]
                reduced.append([pivot[column] * a - head * b for a, b in zip(row, pivot, strict=True)] if head else row)
        left = [row for row in reduced if any(row)]
    return rank
