"""CVXPY as the front end: a floating-point guess of a program's solution, never more than a guess.

A problem is modelled once for each shape, with parameters for the data, so that repeated solves pay for numbers only.
Whatever goes wrong here (no such solver, no convergence, an exception) is the same as no guess.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from flint import fmpq

from certify.programs.program import LinearProgram, QuadraticProgram


@dataclass(frozen=True)
class Guess:
    """Floats for the point and the two kinds of multipliers; nothing is known about their quality."""

    point: Sequence[float]
    multipliers: Sequence[float]
    equation_multipliers: Sequence[float]


Solver = Callable[[LinearProgram], Guess | None]


def guess(program: LinearProgram, solver: str | Solver | None = None) -> Guess | None:
    """What a solver says: HiGHS for linear and Clarabel for quadratic programs, another by its CVXPY name, or any
    callable; None if it says nothing usable."""
    try:
        found = solver(program) if callable(solver) else _by_cvxpy(program, solver)
        if found is None:
            return None
        parts = [[float(v) for v in part] for part in (found.point, found.multipliers, found.equation_multipliers)]
        sizes = [program.dimension, len(program.inequalities), len(program.equations)]
        usable = all(v == v and abs(v) < 1e300 for part in parts for v in part)
        return Guess(*parts) if usable and [len(part) for part in parts] == sizes else None
    except Exception:  # a solver may fail in any way it likes
        return None


def to_float(value: fmpq) -> float:
    """About the value; infinities for what is out of range."""
    try:
        return int(value.p) / int(value.q)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


@lru_cache(maxsize=32)
def _modelled(size: int, rows: int, equations: int, quadratic: bool) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """A parametrised problem of one shape: the problem, its parameters, and where to read the answer."""
    from importlib import import_module
    cvxpy: Any = import_module("cvxpy")
    point = cvxpy.Variable(size)
    parameters = {"c": cvxpy.Parameter(size)}
    objective = parameters["c"] @ point
    places: dict[str, Any] = {"point": point}
    constraints = []
    if quadratic:
        parameters["F"] = cvxpy.Parameter((size, size))
        objective = objective + cvxpy.sum_squares(parameters["F"] @ point) / 2
    if rows:
        parameters["A"], parameters["b"] = cvxpy.Parameter((rows, size)), cvxpy.Parameter(rows)
        places["upper"] = parameters["A"] @ point <= parameters["b"]
        constraints.append(places["upper"])
    if equations:
        parameters["E"], parameters["f"] = cvxpy.Parameter((equations, size)), cvxpy.Parameter(equations)
        places["equal"] = parameters["E"] @ point == parameters["f"]
        constraints.append(places["equal"])
    return cvxpy.Problem(cvxpy.Minimize(objective), constraints), parameters, places


def _by_cvxpy(program: LinearProgram, name: str | None) -> Guess | None:
    import warnings

    import numpy as np
    quadratic = isinstance(program, QuadraticProgram)
    problem, parameters, places = _modelled(program.dimension, len(program.inequalities), len(program.equations),
                                            quadratic)

    def array(rows: Sequence[Any]) -> Any:
        return np.array([[to_float(v) for v in row] if isinstance(row, tuple) else to_float(row) for row in rows])

    parameters["c"].value = array(program.costs)
    if isinstance(program, QuadraticProgram):
        lengths, directions = np.linalg.eigh(array(program.curvature))
        parameters["F"].value = np.sqrt(np.maximum(lengths, 0))[:, None] * directions.T
    if program.inequalities:
        parameters["A"].value, parameters["b"].value = array(program.inequalities), array(program.bounds)
    if program.equations:
        parameters["E"].value, parameters["f"].value = array(program.equations), array(program.values)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        problem.solve(solver=name or ("CLARABEL" if quadratic else "HIGHS"))
    if places["point"].value is None:
        return None
    upper = places["upper"].dual_value if "upper" in places else []
    equal = places["equal"].dual_value if "equal" in places else []
    return Guess(places["point"].value, np.atleast_1d(upper).tolist(), np.atleast_1d(equal).tolist())
