"""cells/1: whether one cell of a hull lies in another.

A cell is the hull of points cut by half-spaces f_k(x) = <n_k, x> - c_k >= 0. The right cell contains the left one if
every right function is, at all points, at least a nonnegative combination of the left ones.
"""
from __future__ import annotations

from typing import Any

from ..convex import Vector, inner, mixture, read_weights
from ..exact import Rat, Reject

NAME = "cells/1"
OPERATORS = ("cell_subset",)


def check(operator: str, args: list[Any], answer: object, witness: object) -> bool:
    """Verify one lemma on [points, left normals, left offsets, right normals, right offsets]."""
    points, left_normals, left_offsets, right_normals, right_offsets = args
    if type(answer) is not bool or not isinstance(witness, dict):
        raise Reject("cells/1: not a witness")
    if not answer:
        _sticks_out(points, (left_normals, left_offsets), (right_normals, right_offsets), witness)
        return False
    left = [_values(n, c, points) for n, c in zip(left_normals, left_offsets, strict=True)]
    if set(witness) == {"empty"}:
        total = _combined(witness["empty"], left, len(points))
        if any(value.n >= 0 for value in total):
            raise Reject("cells/1: the left cell is not shown to be empty")
        return True
    if set(witness) != {"multipliers"} or type(witness["multipliers"]) is not list \
            or len(witness["multipliers"]) != len(right_normals):
        raise Reject("cells/1: not multipliers for every side")
    for shares, normal, offset in zip(witness["multipliers"], right_normals, right_offsets, strict=True):
        total = _combined(shares, left, len(points))
        if any(value < share for value, share in zip(_values(normal, offset, points), total, strict=True)):
            raise Reject("cells/1: a side of the right cell is not implied")
    return True


def _values(normal: Vector, offset: Rat, points: list[Vector]) -> list[Rat]:
    """f = <normal, .> - offset at every point."""
    return [inner(normal, point) - offset for point in points]


def _combined(field: object, left: list[list[Rat]], count: int) -> list[Rat]:
    """A nonnegative combination of the left functions, at every point."""
    if type(field) is not list or len(field) != len(left):
        raise Reject("cells/1: not a multiplier for every side")
    total = [Rat(0)] * count
    for entry, values in zip(field, left, strict=True):
        share = Rat.parse(entry)
        if share.n < 0:
            raise Reject("cells/1: a negative multiplier")
        if share.n:
            total = [old + share * value for old, value in zip(total, values, strict=True)]
    return total


def _sticks_out(points: list[Vector], left: tuple[list[Vector], Vector], right: tuple[list[Vector], Vector],
                witness: dict[str, Any]) -> None:
    """A point of the left cell beyond one side of the right one."""
    if set(witness) != {"weights", "side"}:
        raise Reject("cells/1: not a point and a side")
    point = mixture(read_weights(witness["weights"], len(points), NAME), points)
    if any(inner(n, point) < c for n, c in zip(*left, strict=True)):
        raise Reject("cells/1: the point is not in the left cell")
    side = witness["side"]
    if type(side) is not int or not 0 <= side < len(right[0]) or not inner(right[0][side], point) < right[1][side]:
        raise Reject("cells/1: the point is not beyond that side")
