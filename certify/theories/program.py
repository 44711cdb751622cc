"""program/1, producer's half: optima over hulls, nearest points, linear and quadratic programs."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import fmpq

from ..numbers.definite import pd_witness, psd_witness
from ..numbers.rationals import text
from ..polytopes.quadratics import least_over_hull, nearest
from ..programs import Infeasible, Optimal, QuadraticProgram, solve
from .faces import exact


def find(operator: str, args: list[Any], bits: int) -> tuple[Any, Any]:
    """Answer and witness."""
    given = [exact(part) for part in args]
    if operator == "program":
        return _program(given)
    matrix, slope, points = given
    if operator == "nearest":
        found = nearest(slope, points, matrix)
        return _texts(found.point), {"weights": _weights(found.weights), "convex": pd_witness(matrix)[1]}
    found = least_over_hull(matrix, slope, points)
    return text(found.value), {"weights": _weights(found.weights), "convex": psd_witness(matrix)[1]}


def _program(given: list[Any]) -> tuple[Any, Any]:
    matrix, costs, rows, bounds, equations, values = given
    program = QuadraticProgram(tuple(costs), tuple(map(tuple, rows)), tuple(bounds), tuple(map(tuple, equations)),
                               tuple(values), tuple(map(tuple, matrix)))
    result = solve(program)
    if isinstance(result, Infeasible):
        return "infeasible", {"upper": _texts(result.multipliers), "equal": _texts(result.equation_multipliers)}
    if isinstance(result, Optimal):
        return text(result.value), {
            "point": _texts(result.point), "upper": _texts(result.multipliers),
            "equal": _texts(result.equation_multipliers), "convex": psd_witness(matrix)[1]}
    return "unbounded", {"point": _texts(result.point), "ray": _texts(result.ray)}


def _texts(vector: Sequence[fmpq]) -> list[str]:
    return [text(entry) for entry in vector]


def _weights(weights: list[tuple[int, fmpq]]) -> list[list[Any]]:
    return [[j, text(w)] for j, w in weights]
