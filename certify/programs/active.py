"""Convex quadratic programs over Q: from face to face, always downhill.

At a feasible x the objective is minimised over the face of x (all constraints active at x kept): each step either ends
there or meets a new constraint, and the face gets smaller. At the minimiser over a face an exact linear program says
either that -gradient is a nonnegative combination of the active rows, so x is optimal, or gives a feasible direction of
descent. The value at the end of each face is lower than before and a face has one least value, so no face comes twice
and the method ends.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence

from flint import fmpq, fmpq_mat, fmpz

from certify.programs.floating import Guess, to_float
from certify.programs.program import (
    Infeasible,
    LinearProgram,
    Optimal,
    QuadraticProgram,
    Result,
    Unbounded,
    Vector,
    feasible,
    inner,
    slacks,
)
from certify.programs.simplex import Columns, Outside, minimise

NEAR = 1e-6  # a guess of what is active; nothing depends on it but time


def minimise_quadratic(program: QuadraticProgram, hint: Guess | None,
                       find: Callable[[LinearProgram], Vector | Infeasible]) -> Result:
    """The exact answer, started from the face that the guess suggests; `find` gives a feasible point."""
    start = _suggested(program, hint) if hint is not None else None
    if start is None:
        found = find(program)
        if isinstance(found, Infeasible):
            return found
        start = found
    return _Walk(program, start).run()


def _suggested(program: QuadraticProgram, hint: Guess) -> Vector | None:
    """The minimiser over the face that is active in the guess, if it is feasible; else the guess itself, if it is."""
    rounded = tuple(fmpq(*x.as_integer_ratio()) for x in hint.point)
    gaps = slacks(program, rounded)
    near = [k for k, gap in enumerate(gaps) if hint.multipliers[k] > NEAR or to_float(abs(gap)) < NEAR]
    rows = [*(program.inequalities[k] for k in near), *program.equations]
    sides = [*(program.bounds[k] for k in near), *program.values]
    point = _on_rows(rounded, rows, sides)
    if point is not None:
        step = _flat_step(program, point, rows)
        if step is not None and step[1]:
            point = tuple(a + b for a, b in zip(point, step[0], strict=True))
        if feasible(program, point):
            return point
    return rounded if feasible(program, rounded) else None


def _on_rows(point: Vector, rows: Sequence[Vector], sides: Sequence[fmpq]) -> Vector | None:
    """A point near the given one with <row, x> = side for every row: least change in the Euclidean norm."""
    if not rows:
        return point
    matrix = fmpq_mat([list(row) for row in rows])
    kept = _pivots(matrix.transpose())
    if not kept:
        return point if not any(sides) else None
    matrix = fmpq_mat([list(rows[k]) for k in kept])
    gap = fmpq_mat(len(kept), 1, [sides[k] - inner(rows[k], point) for k in kept])
    try:
        shift = (matrix.transpose() * (matrix * matrix.transpose()).solve(gap)).entries()
    except ZeroDivisionError:
        return None
    moved = tuple(a + b for a, b in zip(point, shift, strict=True))
    met = all(inner(row, moved) == side for row, side in zip(rows, sides, strict=True))
    return moved if met else None


def _pivots(matrix: fmpq_mat) -> list[int]:
    reduced, rank = matrix.rref()
    found, column = [], 0
    for row in range(rank):
        while reduced[row, column] == 0:
            column += 1
        found.append(column)
    return found


def null_space(rows: Sequence[Sequence[fmpq]], width: int) -> list[list[fmpq]]:
    """A basis of the vectors orthogonal to every row."""
    if not rows:
        return [[fmpq(i == j) for j in range(width)] for i in range(width)]
    reduced, rank = fmpq_mat([list(row) for row in rows]).rref()
    pivots, column = [], 0
    for row in range(rank):
        while reduced[row, column] == 0:
            column += 1
        pivots.append(column)
    basis = []
    for free in (j for j in range(width) if j not in set(pivots)):
        vector = [fmpq(j == free) for j in range(width)]
        for row, place in enumerate(pivots):
            vector[place] = -reduced[row, free]
        basis.append(vector)
    return basis


def _flat_step(program: QuadraticProgram, point: Vector, rows: Sequence[Vector]) -> tuple[Vector, bool] | None:
    """From x to a minimiser over {x + p : <row, p> = 0}, with True; or a ray of descent there, with False."""
    free = null_space(rows, program.dimension)
    if not free:
        return None
    gradient = program.gradient(point)
    pull = [-inner(vector, gradient) for vector in free]
    if not any(pull):
        return None
    span = fmpq_mat(free)
    reduced = span * fmpq_mat([list(row) for row in program.curvature]) * span.transpose()
    size = len(free)
    try:
        shares = reduced.solve(fmpq_mat(size, 1, pull)).entries()
    except ZeroDivisionError:
        joined = fmpq_mat([[*(reduced[i, j] for j in range(size)), pull[i]] for i in range(size)])
        echelon, rank = joined.rref()
        pivots = _pivots(joined)
        if size in pivots:  # no stationary point: a direction without curvature along which the objective falls
            for ray in null_space([[reduced[i, j] for j in range(size)] for i in range(size)], size):
                slope = inner(ray, pull)
                if slope:
                    sign = 1 if slope > 0 else -1
                    return _combined(span, [sign * entry for entry in ray]), False
        shares = [fmpq(0)] * size
        for row in range(rank):
            shares[pivots[row]] = echelon[row, size]
    return _combined(span, shares), True


def _combined(span: fmpq_mat, shares: Sequence[fmpq]) -> Vector:
    return tuple((fmpq_mat(1, len(shares), list(shares)) * span).entries())


class _Walk:
    def __init__(self, program: QuadraticProgram, start: Vector) -> None:
        self.program, self.point = program, start

    def run(self) -> Result:
        program = self.program
        while True:
            gaps = slacks(program, self.point)
            active = [k for k, gap in enumerate(gaps) if gap == 0]
            step = _flat_step(program, self.point, [*(program.inequalities[k] for k in active), *program.equations])
            if step is not None:
                ray = self._move(step[0], fmpq(1) if step[1] else None, gaps)
                if ray is not None:
                    return ray
                continue
            found = self._optimal(active, gaps)
            if isinstance(found, Optimal):
                return found
            bend = inner(program.bend(found), found)
            slope = -inner(program.gradient(self.point), found)
            ray = self._move(found, slope / bend if bend else None, gaps)
            if ray is not None:
                return ray

    def _move(self, direction: Vector, wanted: fmpq | None, gaps: Vector) -> Unbounded | None:
        """Move by `wanted` times the direction (None: as far as possible) or to the first constraint in the way."""
        length = wanted
        for row, gap in zip(self.program.inequalities, gaps, strict=True):
            rate = inner(row, direction)
            if rate > 0 and (length is None or gap < length * rate):
                length = gap / rate
        if length is None:
            return Unbounded(self.point, direction)
        self.point = tuple(a + length * b for a, b in zip(self.point, direction, strict=True))
        return None

    def _optimal(self, active: list[int], gaps: Vector) -> Optimal | Vector:
        """Multipliers for -gradient over the active rows, or a feasible direction of descent."""
        program = self.program
        signed = [(1, program.inequalities[k]) for k in active]
        signed += [(sign, row) for row in program.equations for sign in (1, -1)]
        gradient = program.gradient(self.point)
        factors, columns = [], []
        for sign, row in signed:
            scale, whole = _whole(row)
            factors.append(scale)
            columns.append([sign * entry for entry in whole])
        scale, right = _whole([-entry for entry in gradient])
        found = minimise(Columns(columns, program.dimension), right)
        if isinstance(found, Outside):
            return tuple(found.direction)
        assert not hasattr(found, "ray")
        shares = [found.weights.get(k, fmpq(0)) * factor / scale for k, factor in enumerate(factors)]
        upper = [fmpq(0)] * len(program.inequalities)
        for k, share in zip(active, shares, strict=False):
            upper[k] = share
        rest = shares[len(active):]
        equal = tuple(a - b for a, b in zip(rest[::2], rest[1::2], strict=True))
        return Optimal(self.point, tuple(upper), equal, program.objective(self.point), gaps)


def _whole(row: Sequence[fmpq]) -> tuple[fmpz, list[fmpz]]:
    """A positive factor and the row times it, in integers."""
    whole, scale = fmpq_mat(1, len(row), list(row)).numer_denom()
    return scale, whole.entries()
