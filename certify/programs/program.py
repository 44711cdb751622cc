"""What a program is, what its answers are, and the exact check that each answer must pass before anyone sees it."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq, fmpq_mat

from certify.errors import InputError
from certify.numbers.definite import psd_witness
from certify.numbers.rationals import rational, vector

Vector = tuple[fmpq, ...]
Matrix = tuple[Vector, ...]


@dataclass(frozen=True)
class LinearProgram:
    """Minimise <c, x> subject to A x <= b and E x = f."""

    costs: Vector
    inequalities: Matrix = ()
    bounds: Vector = ()
    equations: Matrix = ()
    values: Vector = ()

    @property
    def dimension(self) -> int:
        return len(self.costs)

    def objective(self, point: Sequence[fmpq]) -> fmpq:
        return inner(self.costs, point)

    def gradient(self, point: Sequence[fmpq]) -> Vector:
        return self.costs

    def bend(self, direction: Sequence[fmpq]) -> Vector:
        """Q r; zero for a linear program."""
        return (fmpq(0),) * self.dimension


@dataclass(frozen=True)
class QuadraticProgram(LinearProgram):
    """Minimise 1/2 <Q x, x> + <c, x> subject to A x <= b and E x = f, Q symmetric and positive semidefinite."""

    curvature: Matrix = ()

    def objective(self, point: Sequence[fmpq]) -> fmpq:
        return inner(self.bend(point), point) / 2 + inner(self.costs, point)

    def gradient(self, point: Sequence[fmpq]) -> Vector:
        return tuple(a + c for a, c in zip(self.bend(point), self.costs, strict=True))

    def bend(self, direction: Sequence[fmpq]) -> Vector:
        return tuple(inner(row, direction) for row in self.curvature)


@dataclass(frozen=True)
class Optimal:
    """A minimiser, its multipliers and the least value; `slacks` is b - A x."""

    point: Vector
    multipliers: Vector
    equation_multipliers: Vector
    value: fmpq
    slacks: Vector


@dataclass(frozen=True)
class Infeasible:
    """Farkas: a nonnegative combination of the constraints that says 0 < 0."""

    multipliers: Vector
    equation_multipliers: Vector


@dataclass(frozen=True)
class Unbounded:
    """A feasible point and a direction along which the objective falls for ever."""

    point: Vector
    ray: Vector


Result = Optimal | Infeasible | Unbounded


def inner(left: Sequence[fmpq], right: Sequence[fmpq]) -> fmpq:
    return sum((a * b for a, b in zip(left, right, strict=True)), fmpq(0))


def _rows(values: object, width: int, name: str) -> Matrix:
    if values is None:
        return ()
    listed = values.tolist() if hasattr(values, "tolist") else values
    if not isinstance(listed, list | tuple):
        raise InputError(f"{name}: a value of type {type(values).__name__}; accepted: a list of rows")
    rows = tuple(tuple(vector(row, f"{name}[{k}]")) for k, row in enumerate(listed))
    for k, row in enumerate(rows):
        if len(row) != width:
            raise InputError(f"{name}[{k}]: {len(row)} entries for {width} variables; accepted: rows of that length")
    return rows


def _sides(values: object, rows: Matrix, name: str) -> Vector:
    listed = [] if values is None else values.tolist() if hasattr(values, "tolist") else values
    if not isinstance(listed, list | tuple) or len(listed) != len(rows):
        raise InputError(f"{name}: not one number for each of the {len(rows)} rows")
    return tuple(rational(entry, f"{name}[{k}]") for k, entry in enumerate(listed))


def linear_program(c: object, A: object = None, b: object = None, E: object = None, f: object = None) -> LinearProgram:
    """A linear program from numbers of any kind that `rational` reads.

    Examples
    --------
    >>> from certify.programs import solve
    >>> solve(linear_program([1, 1], A=[[-1, 0], [0, -1]], b=["-1/3", 0])).value
    1/3
    """
    costs = tuple(vector(c, "c"))
    rows, equations = _rows(A, len(costs), "A"), _rows(E, len(costs), "E")
    return LinearProgram(costs, rows, _sides(b, rows, "b"), equations, _sides(f, equations, "f"))


def quadratic_program(Q: object, c: object, A: object = None, b: object = None, E: object = None,
                      f: object = None) -> QuadraticProgram:
    """A convex quadratic program; a Q that is not positive semidefinite is refused with the reason.

    Examples
    --------
    >>> from certify.programs import solve
    >>> solve(quadratic_program([[2]], [-1])).point
    (1/2,)
    """
    base = linear_program(c, A, b, E, f)
    curvature = _rows(Q, base.dimension, "Q")
    if len(curvature) != base.dimension:
        raise InputError(f"Q: {len(curvature)} rows for {base.dimension} variables")
    convex, witness = psd_witness([list(row) for row in curvature])
    if not convex:
        raise InputError(f"Q: not positive semidefinite ({witness}); accepted: convex programs")
    return QuadraticProgram(base.costs, base.inequalities, base.bounds, base.equations, base.values, curvature)


def combined(program: LinearProgram, multipliers: Sequence[fmpq], equation_multipliers: Sequence[fmpq]) -> Vector:
    """A' y + E' z."""
    total = [fmpq(0)] * program.dimension
    for rows, shares in ((program.inequalities, multipliers), (program.equations, equation_multipliers)):
        for row, share in zip(rows, shares, strict=True):
            if share:
                total = [old + share * entry for old, entry in zip(total, row, strict=True)]
    return tuple(total)


def slacks(program: LinearProgram, point: Sequence[fmpq]) -> Vector:
    """b - A x."""
    if not program.inequalities:
        return ()
    found = fmpq_mat([list(row) for row in program.inequalities]) * fmpq_mat(program.dimension, 1, list(point))
    return tuple(b - a for b, a in zip(program.bounds, found.entries(), strict=True))


def feasible(program: LinearProgram, point: Sequence[fmpq]) -> bool:
    return all(s >= 0 for s in slacks(program, point)) and all(
        inner(row, point) == value for row, value in zip(program.equations, program.values, strict=True))


def stands(program: LinearProgram, result: Result) -> bool:
    """Whether an answer proves itself: the conditions of the package's docstring, over Q."""
    if isinstance(result, Unbounded):
        ray = result.ray
        return (feasible(program, result.point) and all(inner(row, ray) <= 0 for row in program.inequalities)
                and all(inner(row, ray) == 0 for row in program.equations) and not any(program.bend(ray))
                and inner(program.costs, ray) < 0)
    if any(y < 0 for y in result.multipliers):
        return False
    total = combined(program, result.multipliers, result.equation_multipliers)
    if isinstance(result, Infeasible):
        return not any(total) and (inner(program.bounds, result.multipliers)
                                   + inner(program.values, result.equation_multipliers)) < 0
    left = slacks(program, result.point)
    return (feasible(program, result.point) and left == result.slacks
            and all(a + g == 0 for a, g in zip(total, program.gradient(result.point), strict=True))
            and all(y * s == 0 for y, s in zip(result.multipliers, left, strict=True))
            and program.objective(result.point) == result.value)
