"""Narrowing an enclosure of the largest eigenvalue of a symmetric integer matrix, in integers only.

From above by factoring sigma I - A, from below by Rayleigh quotients of inverse iteration with that same factor. Every
bound is exact at every step; only how fast they meet is a matter of rounding.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq, fmpz, fmpz_mat, nmod_mat

from certify.numbers.factors import (
    Elimination,
    Rounded,
    eliminate,
    first_scale,
    kernel_vector,
    looks_singular,
    settle,
    solve_lower,
    solve_transposed,
)
from certify.numbers.vectors import quadratic

# The first primes above 2^31: most polynomials without an integer root have no root modulo one of them.
_PRIMES = tuple((1 << 31) + k for k in (11, 45, 65, 95, 129, 135, 165, 209, 219, 221, 239, 245))


@dataclass(frozen=True)
class Bracket:
    """lo <= lambda_max < hi, where lo is the Rayleigh quotient of `vector` and `factor` that of hi I - A.

    `step` is how many bits of the width the next trial hopes to gain, `extra` the precision that `factor` needed.
    """

    lo: fmpq
    hi: fmpq
    vector: list[fmpz]
    factor: Rounded
    step: int
    extra: int


def shifted(numerators: fmpz_mat, sigma: fmpq) -> tuple[fmpz_mat, fmpz]:
    """The matrix sigma I - A as an integer matrix and its denominator.

    Examples
    --------
    >>> shifted(fmpz_mat([[1, 2], [2, 3]]), fmpq(9, 2))
    ([ 7, -4]
    [-4,  3], 2)
    """
    moved = numerators * -sigma.q
    for i in range(numerators.nrows()):
        moved[i, i] += sigma.p
    return moved, sigma.q


def rayleigh(numerators: fmpz_mat, vector: Sequence[fmpz]) -> fmpq:
    """The exact quotient v'Av / v'v.

    Examples
    --------
    >>> rayleigh(fmpz_mat([[1, 2], [2, 3]]), [fmpz(2), fmpz(3)])
    55/13
    """
    return fmpq(quadratic(numerators, vector), sum(entry * entry for entry in vector))


def first_bracket(numerators: fmpz_mat) -> Bracket:
    """From the row sums of |A|, and a vector with no zero in it, so that it is orthogonal to nothing simple."""
    dimension = numerators.nrows()
    hi = fmpq(max(sum(map(abs, row)) for row in numerators.tolist()) + 1)
    vector = [fmpz(64 + 37 * i % 23) for i in range(dimension)]
    factor, extra = _factor_or_vector(numerators, hi, 0)
    if not isinstance(factor, Rounded):
        raise AssertionError("a strictly diagonally dominant matrix has a factor")
    return Bracket(rayleigh(numerators, vector), hi, vector, factor, 1, extra)


def narrowed(numerators: fmpz_mat, bracket: Bracket) -> Bracket:
    """A bracket at most 5/8 as wide, and where inverse iteration has settled very much narrower."""
    lo, vector = bracket.lo, bracket.vector
    iterate = _inverse_iteration(numerators, bracket)
    quotient = rayleigh(numerators, iterate)
    if quotient > lo:
        lo, vector = quotient, iterate
    # The trial value is on a coarse grid, to keep the numbers short.
    hope = (bracket.hi - lo) / (fmpz(1) << bracket.step)
    grid = fmpq(2) ** (hope.p.bit_length() - hope.q.bit_length() - 3)
    trial = ((lo + hope) / grid).ceil() * grid
    outcome, extra = _factor_or_vector(numerators, trial, max(0, bracket.extra - 2))
    if isinstance(outcome, Rounded):
        return Bracket(lo, trial, vector, outcome, 2 * bracket.step, extra)
    return Bracket(
        rayleigh(numerators, outcome), bracket.hi, outcome, bracket.factor, max(1, bracket.step // 2), bracket.extra
    )


def may_have_integer_eigenvalue(numerators: fmpz_mat) -> bool:
    """False only if the characteristic polynomial has no root modulo some prime, hence no integer root."""
    return all(nmod_mat(numerators, prime).charpoly().roots() for prime in _PRIMES)


def kernel_if_largest(numerators: fmpz_mat, integer: fmpz) -> list[fmpz] | None:
    """An eigenvector of the integer if that is the largest eigenvalue, else None."""
    gap, _ = shifted(numerators, fmpq(integer))
    if not looks_singular(gap):
        return None
    exact = eliminate(gap)
    return kernel_vector(gap, exact) if exact.rest and exact.descent is None else None


def _factor_or_vector(numerators: fmpz_mat, sigma: fmpq, start: int) -> tuple[Rounded | list[fmpz], int]:
    """For sigma I - A: a factor and the extra bits it took, or a vector whose Rayleigh quotient is sigma or more."""
    gap, denominator = shifted(numerators, sigma)
    dimension = gap.nrows()
    for i in range(dimension):
        if gap[i, i] <= 0:
            return [fmpz(i == j) for j in range(dimension)], start
    outcome = settle(gap, denominator, True, start)
    if isinstance(outcome, Rounded):
        return outcome, outcome.scale - first_scale(gap, denominator)
    if isinstance(outcome, Elimination):
        raise AssertionError("a strict question has no semidefinite answer")
    return outcome, start


def _inverse_iteration(numerators: fmpz_mat, bracket: Bracket) -> list[fmpz]:
    """Two steps v <- (hi I - A)^-1 v from the vector of the bracket, in about as many bits as the width can tell."""
    order, rows = bracket.factor.order, bracket.factor.rows
    width = bracket.hi - bracket.lo
    norm = len(order) * max(map(abs, numerators.entries()))
    bits = 24 + max(0, norm.bit_length() + width.q.bit_length() - width.p.bit_length())
    room = max(max(map(abs, row)).bit_length() for row in rows)
    # A little noise, so that no invariant subspace traps the iteration.
    iterate = [entry + 37 * i % 23 - 11 for i, entry in enumerate(_cut([int(entry) for entry in bracket.vector], bits))]
    for _ in range(2):
        solved = solve_lower(rows, [iterate[index] << room for index in order])
        solved = solve_transposed(rows, [entry << room for entry in solved])
        cut = _cut(solved, bits)
        for index, entry in zip(order, cut, strict=True):
            iterate[index] = entry
    return [fmpz(entry) for entry in iterate]


def _cut(vector: list[int], bits: int) -> list[int]:
    """A multiple of the vector, rounded to integers of this many bits."""
    excess = max(abs(entry) for entry in vector).bit_length() - bits
    return [entry >> excess if excess >= 0 else entry << -excess for entry in vector]
