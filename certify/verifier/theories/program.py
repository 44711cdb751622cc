"""program/1: exact optima of linear and convex quadratic programs, over inequalities and over hulls of points.

Convexity turns a first-order condition into a proof: if M is positive semidefinite, then a point x of the hull with
<M x + w, x_j - x> >= 0 for every point x_j has the least value of 1/2 <M x, x> + <w, x>.
"""
from __future__ import annotations

from typing import Any

from ..convex import Vector, image, inner, mixture, products, read_weights, same_point
from ..exact import Rat, Reject
from ..systems import read_vector
from . import psd

NAME = "program/1"
OPERATORS = ("least_over_hull", "nearest", "program")
Matrix = list[Vector]
HALF = Rat(1, 2)


def check(operator: str, args: list[Any], answer: object, witness: object) -> Any:
    """Verify one lemma; return its answer: a value, a point, or what became of a program."""
    if not isinstance(witness, dict):
        raise Reject("program/1: not a witness")
    if operator == "least_over_hull":
        return _least(args[0], args[1], args[2], answer, witness)
    if operator == "nearest":
        return _nearest(args[0], args[1], args[2], answer, witness)
    return _program(args, answer, witness)


def _convex(matrix: Matrix, witness: dict[str, Any], operator: str) -> None:
    if psd.check(operator, [matrix], True, witness["convex"]) is not True:
        raise Reject("program/1: the quadratic is not convex")


def _minimiser(matrix: Matrix, slope: Vector, points: list[Vector], field: object) -> Vector:
    """The point that the weights give, if no point of the hull is below it along the gradient."""
    here = mixture(read_weights(field, len(points), NAME), points)
    gradient = [a + b for a, b in zip(image(matrix, here), slope, strict=True)]
    level, *others = products(gradient, [here, *points])
    if any(value < level for value in others):
        raise Reject("program/1: the gradient shows a lower point")
    return here


def _least(matrix: Matrix, slope: Vector, points: list[Vector], answer: object, witness: dict[str, Any]) -> Rat:
    if set(witness) != {"weights", "convex"}:
        raise Reject("program/1: not a minimiser over a hull")
    _convex(matrix, witness, "psd")
    here = _minimiser(matrix, slope, points, witness["weights"])
    value = Rat.parse(answer)
    if value != HALF * inner(image(matrix, here), here) + inner(slope, here):
        raise Reject("program/1: not the value at the minimiser")
    return value


def _nearest(matrix: Matrix, target: Vector, points: list[Vector], answer: object, witness: dict[str, Any]) -> Vector:
    if set(witness) != {"weights", "convex"}:
        raise Reject("program/1: not a nearest point")
    _convex(matrix, witness, "pd")
    slope = [-entry for entry in image(matrix, target)]
    found = read_vector(answer, len(target))
    if not same_point(found, _minimiser(matrix, slope, points, witness["weights"])):
        raise Reject("program/1: not the point that the weights give")
    return found


def _program(args: list[Any], answer: object, witness: dict[str, Any]) -> Any:
    """Minimise 1/2 <Q x, x> + <c, x> subject to A x <= b, E x = f."""
    matrix, costs, rows, bounds, equations, values = args
    size = len(costs)
    if any(len(row) != size for row in (*matrix, *rows, *equations)) or len(matrix) != size \
            or len(rows) != len(bounds) or len(equations) != len(values):
        raise Reject("program/1: not a program")

    def feasible(point: Vector) -> list[Rat]:
        left = [b - inner(row, point) for row, b in zip(rows, bounds, strict=True)]
        if any(entry.n < 0 for entry in left) or any(
                inner(row, point) != f for row, f in zip(equations, values, strict=True)):
            raise Reject("program/1: the point is not feasible")
        return left

    def multipliers() -> tuple[Vector, Vector, Vector]:
        upper, equal = (_vector(witness[key], len(side)) for key, side in (("upper", rows), ("equal", equations)))
        if any(entry.n < 0 for entry in upper):
            raise Reject("program/1: a negative multiplier")
        total = [Rat(0)] * size
        for group, shares in ((rows, upper), (equations, equal)):
            for row, share in zip(group, shares, strict=True):
                total = [old + share * entry for old, entry in zip(total, row, strict=True)]
        return upper, equal, total

    if answer == "infeasible":
        if set(witness) != {"upper", "equal"}:
            raise Reject("program/1: not multipliers")
        upper, equal, total = multipliers()
        gap = Rat(0)
        for side, share in (*zip(bounds, upper, strict=True), *zip(values, equal, strict=True)):
            gap = gap + side * share
        if any(entry.n for entry in total) or gap.n >= 0:
            raise Reject("program/1: the multipliers show no contradiction")
        return answer
    if answer == "unbounded":
        if set(witness) != {"point", "ray"}:
            raise Reject("program/1: not a point and a ray")
        feasible(_vector(witness["point"], size))
        ray = _vector(witness["ray"], size)
        if any(inner(row, ray).n > 0 for row in rows) or any(inner(row, ray).n for row in equations) or any(
                entry.n for entry in image(matrix, ray)) or inner(costs, ray).n >= 0:
            raise Reject("program/1: the ray does not fall for ever")
        return answer
    if set(witness) != {"point", "upper", "equal", "convex"}:
        raise Reject("program/1: not an optimum")
    _convex(matrix, witness, "psd")
    point = _vector(witness["point"], size)
    left = feasible(point)
    upper, _, total = multipliers()
    bent = image(matrix, point)
    if any((a + b + c).n for a, b, c in zip(total, bent, costs, strict=True)):
        raise Reject("program/1: the multipliers do not balance the gradient")
    if any((share * gap).n for share, gap in zip(upper, left, strict=True)):
        raise Reject("program/1: a multiplier on a constraint with slack")
    value = Rat.parse(answer)
    if value != HALF * inner(bent, point) + inner(costs, point):
        raise Reject("program/1: not the value at the point")
    return value


def _vector(field: object, size: int) -> Vector:
    if size == 0 and field == []:
        return []
    return read_vector(field, size)
