"""From a guess in floats to an exact answer: round and check, else recover the basis, else the exact method from it."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from flint import fmpq, fmpz

from certify.errors import UnableError
from certify.programs.active import minimise_quadratic
from certify.programs.floating import Guess, Solver, guess, to_float
from certify.programs.program import (
    Infeasible,
    LinearProgram,
    Optimal,
    QuadraticProgram,
    Result,
    Unbounded,
    Vector,
    slacks,
    stands,
)
from certify.programs.simplex import Basic, Columns, Falling, Outside, minimise

SMALL = 600  # entries of the constraints below which the exact method needs no guess


def solve(program: LinearProgram, solver: str | Solver | None = None) -> Result:
    """The exact answer to a program; `solver` (a CVXPY name, or a callable) only tells where to look first.

    Examples
    --------
    >>> from certify.programs import linear_program
    >>> solve(linear_program([1], A=[[1]], b=[0])).ray
    (-1,)
    """
    size = program.dimension * (len(program.inequalities) + len(program.equations))
    hint = guess(program, solver) if solver is not None or size > SMALL else None
    if hint is not None:
        rounded = _rounded(program, hint)
        if rounded is not None:
            return rounded
    if isinstance(program, QuadraticProgram):
        return _checked(program, minimise_quadratic(program, hint, _feasible_point))
    return _checked(program, _Dual(program).solve(program.costs, hint))


def solve_many(program: LinearProgram, costs: Sequence[Sequence[fmpq]]) -> Iterator[Result]:
    """The exact answers for many costs over the constraints of one linear program, each started from the last.

    No floating-point solver is called: the constraints are prepared once, and the basis of one optimum is where the
    search for the next begins.
    """
    shared = _Dual(program)
    for cost in costs:
        goal = tuple(fmpq(entry) for entry in cost)
        member = LinearProgram(goal, program.inequalities, program.bounds, program.equations, program.values)
        yield _checked(member, shared.solve(goal, None))


def _checked(program: LinearProgram, result: Result) -> Result:
    if not stands(program, result):
        raise UnableError("internal: an exact answer to a program failed its own check")
    return result


def _feasible_point(program: LinearProgram) -> Vector | Infeasible:
    return _Dual(program).feasible()


class _Dual:
    """The dual of a linear program in standard form: one column for each inequality, two for each equation."""

    def __init__(self, program: LinearProgram) -> None:
        self.program = program
        self.factors: list[fmpq] = []
        self.costs: list[fmpz] = []
        columns: list[list[fmpz]] = []
        signed = [(1, row, b) for row, b in zip(program.inequalities, program.bounds, strict=True)]
        signed += [(sign, row, f) for row, f in zip(program.equations, program.values, strict=True)
                   for sign in (1, -1)]
        for sign, row, side in signed:
            scale = _denominator([*row, side])
            columns.append([(sign * scale * entry).p for entry in row])
            self.costs.append((sign * scale * side).p)
            self.factors.append(fmpq(scale))
        self.columns = Columns(columns, program.dimension)
        self.order: list[int] = []

    def solve(self, costs: Vector, hint: Guess | None) -> Result:
        """The answer for these costs."""
        scale = _denominator(costs)
        order = self._order(hint) if hint is not None else self.order
        found = minimise(self.columns, [(-scale * c).p for c in costs], self.costs, order)
        if isinstance(found, Falling):
            return self._farkas(found.ray)
        if isinstance(found, Outside):
            point = self.feasible()
            return point if isinstance(point, Infeasible) else Unbounded(point, tuple(found.direction))
        self.order = list(found.weights)
        upper, equal = self._multipliers({k: w / scale for k, w in found.weights.items()})
        point = tuple(found.multipliers)
        value = sum((c * x for c, x in zip(costs, point, strict=True)), fmpq(0))
        return Optimal(point, upper, equal, value, slacks(self.program, point))

    def feasible(self) -> Vector | Infeasible:
        """A point that meets the constraints, or why there is none."""
        right = [sum((column[i] for column in self.columns.columns), fmpz(0)) for i in range(self.program.dimension)]
        found = minimise(self.columns, right, self.costs)
        if isinstance(found, Falling):
            return self._farkas(found.ray)
        assert isinstance(found, Basic)  # the sum of the columns is a solution
        return tuple(found.multipliers)

    def _farkas(self, ray: dict[int, fmpq]) -> Infeasible:
        return Infeasible(*self._multipliers(ray))

    def _multipliers(self, weights: dict[int, fmpq]) -> tuple[Vector, Vector]:
        """y and z from the weights of the columns."""
        rows = len(self.program.inequalities)
        found = [weights.get(k, fmpq(0)) * factor for k, factor in enumerate(self.factors)]
        return tuple(found[:rows]), tuple(a - b for a, b in zip(found[rows::2], found[rows + 1::2], strict=True))

    def _order(self, hint: Guess) -> list[int]:
        """Columns by how likely they are in the optimal basis: positive multipliers, then small slacks."""
        program, point = self.program, hint.point
        rank: list[tuple[int, float, int]] = []
        for k, row in enumerate(program.inequalities):
            size = sum(abs(to_float(entry)) for entry in row) or 1.0
            if hint.multipliers[k] * size > 1e-7:
                rank.append((0, -hint.multipliers[k] * size, k))
            else:
                gap = to_float(program.bounds[k]) - sum(to_float(a) * x for a, x in zip(row, point, strict=True))
                rank.append((1, abs(gap) / size, k))
        for j, share in enumerate(hint.equation_multipliers):
            rank.append((-1, -abs(share), len(program.inequalities) + 2 * j + (share < 0)))
        return [k for _, _, k in sorted(rank)]


def _denominator(values: Sequence[fmpq]) -> fmpz:
    """A positive integer that makes every value an integer."""
    common = fmpz(1)
    for value in values:
        common = common * value.q // common.gcd(value.q)
    return common


def _rounded(program: LinearProgram, hint: Guess) -> Optimal | None:
    """The guess rounded to simple fractions, if that is already an exact optimum."""
    def simple(value: float) -> fmpq:
        near = Fraction(value).limit_denominator(10_000)
        return fmpq(near.numerator, near.denominator)

    point = tuple(map(simple, hint.point))
    upper = tuple(map(simple, hint.multipliers))
    candidate = Optimal(point, upper, tuple(map(simple, hint.equation_multipliers)), program.objective(point),
                        slacks(program, point))
    return candidate if stands(program, candidate) else None
