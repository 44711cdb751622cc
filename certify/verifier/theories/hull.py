"""hull/1: whether a point lies in the convex hull of finitely many points."""
from __future__ import annotations

from operator import mul
from typing import Any

from ..exact import ONE, Rat, Reject, common_denominator
from ..systems import read_vector

NAME = "hull/1"
OPERATORS = ("in_hull",)


def check(operator: str, args: list[Any], answer: object, witness: object) -> bool:
    """Verify one lemma: weights that give the point, or a direction in which every point lies beyond it."""
    point, points = args
    if type(answer) is not bool or not isinstance(witness, dict):
        raise Reject("hull/1: not a witness")
    if not answer:
        if set(witness) != {"normal"}:
            raise Reject("hull/1: not a normal")
        normal = read_vector(witness["normal"], len(point))
        rows, _ = common_denominator([point, *points])
        (direction,), _ = common_denominator([normal])
        here, *others = [sum(map(mul, direction, row)) for row in rows]
        if any(value <= here for value in others):
            raise Reject("hull/1: the normal does not separate")
        return False
    if set(witness) != {"weights"} or type(witness["weights"]) is not list:
        raise Reject("hull/1: not weights")
    total, last = Rat(0), -1
    found = [Rat(0)] * len(point)
    for pair in witness["weights"]:
        if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not int or not last < pair[0] < len(points):
            raise Reject("hull/1: not a weight")
        last, weight = pair[0], Rat.parse(pair[1])
        if weight.n <= 0:
            raise Reject("hull/1: a weight that is not positive")
        total = total + weight
        found = [value + weight * entry for value, entry in zip(found, points[last], strict=True)]
    if total != ONE or any(a != b for a, b in zip(found, point, strict=True)):
        raise Reject("hull/1: the weights do not give the point")
    return True
