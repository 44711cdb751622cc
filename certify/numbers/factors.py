"""Factors and vectors of symmetric integer matrices: the engine behind the witnesses in `definite`.

Two ways to factor. `rounded_factor` is a Cholesky factorisation in integers: fast, short, and it may fail. `eliminate`
is the exact one: it always ends and always decides. Neither uses a float, so a witness is the same on every machine.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from operator import mul

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat, nmod_mat
from flint.utils.flint_exceptions import DomainError

from certify.numbers.vectors import descends, primitive, short_vector

# A matrix that is singular modulo this prime is probably singular: it only decides what is tried first.
_PRIME = (1 << 61) - 1
# Bits beyond the first scale that are tried before the exact elimination is asked.
_PATIENCE = 128


@dataclass(frozen=True)
class Rounded:
    """Integer rows F, in the order of the indices `order`, with A - F F' / 4^scale strictly diagonally dominant.

    If not `complete`, the factorisation stopped at the last row, whose diagonal entry is then missing.
    """

    order: list[int]
    rows: list[list[int]]
    scale: int
    complete: bool


@dataclass(frozen=True)
class Elimination:
    """A = sum over k of c_k c_k' / weight_k plus the rest S, which is zero, or has a direction w with w'Sw < 0."""

    columns: list[list[fmpz]]
    weights: list[fmpz]
    pivots: list[int]
    rest: list[int]
    descent: dict[int, int] | None


def first_scale(numerators: fmpz_mat, denominator: fmpz) -> int:
    """The smallest scale worth trying: there the smallest diagonal entry of F is about the dimension."""
    dimension = numerators.nrows()
    smallest = min(numerators[i, i] for i in range(dimension))
    return dimension.bit_length() - (smallest.bit_length() - denominator.bit_length()) // 2


def rounded_factor(numerators: fmpz_mat, denominator: fmpz, scale: int) -> Rounded:
    """Factor 4^scale A for the positive diagonal matrix A = numerators / denominator.

    Row by row, F_ij is the nearest integer to (4^s A_ij - sum_{k<j} F_ik F_jk) / F_jj, which leaves at most
    F_jj / 2 there. The diagonal entry F_ii is then the largest that keeps row i of the remainder dominant, whatever the
    later rows leave in column i. Nothing accumulates, so about log2(d * condition number) bits are enough.

    Examples
    --------
    >>> rounded_factor(fmpz_mat([[4, 5], [5, 9]]), fmpz(1), 2)
    Rounded(order=[0, 1], rows=[[7], [11, 4]], scale=2, complete=True)
    """
    dimension = numerators.nrows()
    top, bottom = fmpz(1) << max(2 * scale, 0), denominator << max(-2 * scale, 0)
    entries = [[int(entry * top // bottom) for entry in row] for row in numerators.tolist()]
    diagonal = [entries[i][i].bit_length() for i in range(dimension)]
    order = list(range(dimension))
    if max(diagonal) - min(diagonal) > 8:
        # Small entries first: a remainder of F_jj / 2 must not swamp a row that is much smaller than row j.
        order.sort(key=diagonal.__getitem__)
    rows: list[list[int]] = []
    for position, index in enumerate(order):
        source, left = entries[index], 0
        row: list[int] = []
        for column, above in zip(order, rows, strict=False):
            residue = source[column] - sum(map(mul, row, above))
            pivot = above[-1]
            entry = (2 * residue + pivot) // (2 * pivot)
            # The entries were rounded down: each remainder is known up to one.
            left += abs(residue - entry * pivot) + 1
            row.append(entry)
        later = dimension - 1 - position
        room = source[index] - sum(map(mul, row, row)) - left - later - 1
        # The largest F_ii with F_ii^2 + later * F_ii / 2 <= room.
        pivot = (isqrt(later * later + 16 * room) - later) // 4 if room > 0 else 0
        rows.append(row)
        if pivot == 0:
            return Rounded(order, rows, scale, False)
        row.append(pivot)
    return Rounded(order, rows, scale, True)


def descent_of(factor: Rounded) -> list[int]:
    """From an incomplete factor, a vector v (of many bits) that makes v'Av small, hence negative if anything does.

    With the rows above the failure as L and the row itself as l, it is v = (-L'^-1 l, 1), rounded.
    """
    above, last = factor.rows[:-1], factor.rows[-1]
    precision = 64 + 2 * max((row[-1].bit_length() for row in above), default=0)
    solved = solve_transposed(above, [-entry << precision for entry in last])
    vector = [0] * len(factor.order)
    for index, entry in zip(factor.order, [*solved, 1 << precision], strict=False):
        vector[index] = entry
    return vector


def solve_lower(rows: Sequence[Sequence[int]], right: Sequence[int]) -> list[int]:
    """The solution of L y = right for lower triangular rows, each entry rounded down."""
    solution: list[int] = []
    for row, entry in zip(rows, right, strict=True):
        solution.append((entry - sum(map(mul, row, solution))) // row[-1])
    return solution


def solve_transposed(rows: Sequence[Sequence[int]], right: Sequence[int]) -> list[int]:
    """The solution of L' y = right for lower triangular rows, each entry rounded down."""
    solution = list(right)
    for k in range(len(rows) - 1, -1, -1):
        row = rows[k]
        entry = solution[k] = solution[k] // row[-1]
        for j in range(k):
            solution[j] -= row[j] * entry
    return solution


def eliminate(numerators: fmpz_mat) -> Elimination:
    """Symmetric elimination without fractions, on positive pivots, until none is left or the matrix is not PSD.

    After k pivots every entry of the rest is a minor of order k + 1, so each division below is exact.

    Examples
    --------
    >>> eliminate(fmpz_mat([[1, 2], [2, 4]])).columns
    [[1, 2]]
    >>> eliminate(fmpz_mat([[1, 2], [2, 3]])).descent
    {1: 1}
    """
    entries = numerators.tolist()
    dimension = len(entries)
    rest, pivots = list(range(dimension)), list[int]()
    columns, weights, previous = list[list[fmpz]](), list[fmpz](), fmpz(1)
    while rest:
        lowest = min(rest, key=lambda i: entries[i][i])
        if entries[lowest][lowest] < 0:
            return Elimination(columns, weights, pivots, rest, {lowest: 1})
        positive = [i for i in rest if entries[i][i] > 0]
        if not positive:
            break
        chosen = min(positive, key=lambda i: entries[i][i])
        pivot = entries[chosen][chosen]
        rest.remove(chosen)
        pivots.append(chosen)
        column = [fmpz(0)] * dimension
        column[chosen] = pivot
        for i in rest:
            column[i] = entries[i][chosen]
        for position, i in enumerate(rest):
            row, factor = entries[i], column[i]
            for j in rest[: position + 1]:
                row[j] = entries[j][i] = (row[j] * pivot - factor * column[j]) // previous
        columns.append(column)
        weights.append(pivot * previous)
        previous = pivot
    for i in rest:
        for j in rest:
            if entries[i][j] != 0:
                return Elimination(columns, weights, pivots, rest, {i: 1, j: -1 if entries[i][j] > 0 else 1})
    return Elimination(columns, weights, pivots, rest, None)


def reproduces(numerators: fmpz_mat, exact: Elimination) -> bool:
    """Whether A = sum over k of c_k c_k' / weight_k: the exact check of an elimination that left nothing.

    What is left after k terms is an integer matrix over the last pivot; one denominator for all would be far longer.
    """
    rest, previous = numerators, fmpz(1)
    for column, weight in zip(exact.columns, exact.weights, strict=True):
        pivot, odd = divmod(weight, previous)
        if odd or pivot <= 0:
            return False
        upright = fmpz_mat(len(column), 1, column)
        try:
            rest = (rest * pivot - upright * upright.transpose()) / previous
        except DomainError:
            return False
        previous = pivot
    return rest.is_zero()


def lift(numerators: fmpz_mat, pivots: Sequence[int], direction: dict[int, int]) -> list[fmpz]:
    """The integer vector v with v = direction off the pivots (up to a positive factor) and A v = 0 on the pivots.

    For the rest S of an elimination, v'Av is a positive multiple of w'Sw.
    """
    dimension = numerators.nrows()
    vector, common = [fmpz(0)] * dimension, fmpz(1)
    if pivots:
        block = fmpz_mat([[numerators[i, j] for j in pivots] for i in pivots])
        right = fmpz_mat([[-sum(numerators[i, j] * w for j, w in direction.items())] for i in pivots])
        solved, common = fmpq_mat(block).solve(right).numer_denom()
        for i, entry in zip(pivots, solved.entries(), strict=True):
            vector[i] = entry
    for j, w in direction.items():
        vector[j] = w * common
    return primitive(vector)


def weighted_columns(outcome: Rounded | Elimination, denominator: fmpz) -> tuple[list[list[fmpz]], list[fmpq]]:
    """The rows of F and the weights w with F diag(w) F' as the factor says, each column free of a common divisor."""
    if isinstance(outcome, Rounded):
        width = len(outcome.rows)
        rows = [[fmpz(0)]] * width
        for index, row in zip(outcome.order, outcome.rows, strict=True):
            rows[index] = [fmpz(entry) for entry in row]
        return rows, [fmpq(4) ** -outcome.scale] * width
    columns, weights = [], []
    for column, divisor in zip(outcome.columns, outcome.weights, strict=True):
        short = primitive(column)
        content = next(whole // part for whole, part in zip(column, short, strict=True) if part)
        columns.append(short)
        weights.append(fmpq(content * content, divisor * denominator))
    return [list(row) for row in zip(*columns, strict=True)], weights


def leaves_dominant(
    numerators: fmpz_mat, denominator: fmpz, rows: list[list[fmpz]], weights: list[fmpq], strict: bool
) -> bool:
    """Whether R = A - F diag(w) F' has R_ii >= sum_{j != i} |R_ij| in every row (> if strict): the exact check."""
    remainder, width = numerators, len(weights)
    if weights:
        factor = fmpz_mat([row + [fmpz(0)] * (width - len(row)) for row in rows])
        scales, common = fmpq_mat(1, width, weights).numer_denom()
        scaled = fmpz_mat([list(map(mul, row, scales.entries())) for row in factor.tolist()])
        remainder = numerators * common - scaled * factor.transpose() * denominator
    for i, row in enumerate(remainder.tolist()):
        # R_ii minus the sum of |R_ij| over j != i; below zero whenever R_ii is.
        excess = row[i] + abs(row[i]) - sum(map(abs, row))
        if excess < 0 or (strict and excess == 0):
            return False
    return True


def looks_singular(numerators: fmpz_mat) -> bool:
    """True for every singular matrix, and for very few others."""
    return nmod_mat(numerators, _PRIME).rank() < numerators.nrows()


def settle(numerators: fmpz_mat, denominator: fmpz, strict: bool, start: int = 0) -> Rounded | Elimination | list[fmpz]:
    """A factor or a vector for a matrix with positive diagonal; an elimination only if it is singular and PSD."""
    patience = 8 if looks_singular(numerators) else start + _PATIENCE
    attempts = _attempts(numerators, denominator, strict, start)
    for extra, outcome in attempts:
        if outcome is not None:
            return outcome
        if extra > patience:
            break
    exact = eliminate(numerators)
    if exact.descent is not None:
        vector = lift(numerators, exact.pivots, exact.descent)
        return short_vector(vector, lambda v: descends(numerators, v, strict)) or vector
    if exact.rest:
        return kernel_vector(numerators, exact) if strict else exact
    # Positive definite, so at some scale the attempt succeeds.
    return next(outcome for _, outcome in attempts if outcome is not None)


def _attempts(
    numerators: fmpz_mat, denominator: fmpz, strict: bool, start: int
) -> Iterator[tuple[int, Rounded | list[fmpz] | None]]:
    """Rounded factors at finer and finer scales, or the vector where one fails; None where neither is any good."""
    first, extra = first_scale(numerators, denominator), start
    while True:
        factor = rounded_factor(numerators, denominator, first + extra)
        if factor.complete:
            good = leaves_dominant(numerators, denominator, *weighted_columns(factor, denominator), strict=True)
            yield extra, factor if good else None
        else:
            vector = [fmpz(entry) for entry in descent_of(factor)]
            good = descends(numerators, vector, strict)
            yield extra, short_vector(vector, lambda v: descends(numerators, v, strict)) if good else None
        extra += 2 + extra // 2


def kernel_vector(numerators: fmpz_mat, exact: Elimination) -> list[fmpz]:
    """A nonzero integer vector v with A v = 0, for a singular PSD matrix; the shortest of a few."""
    vectors = [lift(numerators, exact.pivots, {index: 1}) for index in exact.rest[:8]]
    return min(vectors, key=lambda v: sum(abs(entry) for entry in v))
