"""Definiteness and the largest eigenvalue of symmetric matrices, decided exactly, with witnesses cheap to check.

A true answer comes as A = F diag(w) F' + R with w > 0 and R diagonally dominant, a false one as a vector. The checker
multiplies and compares; it factors nothing.
"""

from itertools import pairwise
from typing import Any

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat

from certify.errors import InputError
from certify.numbers.eigenvalues import (
    first_bracket,
    kernel_if_largest,
    may_have_integer_eigenvalue,
    narrowed,
    rayleigh,
    shifted,
)
from certify.numbers.factors import Elimination, leaves_dominant, reproduces, settle, weighted_columns
from certify.numbers.rationals import text
from certify.numbers.vectors import descends, plain_descent, short_vector

Witness = dict[str, Any]


def psd_witness(m: list[list[fmpq]]) -> tuple[bool, Witness]:
    """Whether M is symmetric positive semidefinite, and why.

    Returns
    -------
    tuple
        True with ``{"factor": F, "weights": w}``: w > 0 and R = M - F diag(w) F' has R_ii >= sum_{j != i} |R_ij|
        (zeros at the end of a row of F are left out). False with ``{"asymmetric": [i, j]}``, or with ``{"vector": v}``
        where v'Mv < 0.

    Examples
    --------
    >>> psd_witness([[fmpq(1), fmpq(2)], [fmpq(2), fmpq(4)]])
    (True, {'factor': [['1'], ['2']], 'weights': ['1']})
    >>> psd_witness([[fmpq(1), fmpq(2)], [fmpq(2), fmpq(3)]])
    (False, {'vector': ['-2', '1']})
    """
    return _decide(m, strict=False)


def pd_witness(m: list[list[fmpq]]) -> tuple[bool, Witness]:
    """Whether M is symmetric positive definite, and why.

    As `psd_witness`, with R_ii > sum_{j != i} |R_ij| where true, and v != 0 with v'Mv <= 0 where false.

    Examples
    --------
    >>> pd_witness([[fmpq(2), fmpq(1)], [fmpq(1), fmpq(2)]])
    (True, {'factor': [[], []], 'weights': []})
    >>> pd_witness([[fmpq(1), fmpq(2)], [fmpq(2), fmpq(4)]])
    (False, {'vector': ['-2', '1']})
    """
    return _decide(m, strict=True)


def inertia(m: list[list[fmpq]]) -> tuple[int, int, int]:
    """How many eigenvalues of the symmetric matrix M are positive, zero and negative.

    The characteristic polynomial has real roots only, so Descartes' rule of signs counts exactly.

    Examples
    --------
    >>> inertia([[fmpq(0), fmpq(1)], [fmpq(1), fmpq(0)]])
    (1, 0, 1)
    """
    numerators, _ = _symmetric(m)
    coefficients = numerators.charpoly().coeffs()
    signs = [coefficient > 0 for coefficient in coefficients if coefficient != 0]
    zero = next(k for k, coefficient in enumerate(coefficients) if coefficient != 0)
    positive = sum(a != b for a, b in pairwise(signs))
    return positive, zero, len(m) - zero - positive


def lambda_max_witness(m: list[list[fmpq]], bits: int) -> Witness:
    """An enclosure lo <= lambda_max(M) <= hi of the largest eigenvalue of a symmetric matrix.

    Parameters
    ----------
    m
        a symmetric matrix.
    bits
        the width asked for: hi - lo <= 2^-bits * max(1, |hi|). If lambda_max is rational, lo = hi whatever the bits.

    Returns
    -------
    dict
        ``{"lo": lo, "hi": hi, "vector": v, "upper": w}``: v'Mv >= lo * v'v with v a nonzero integer vector (an
        eigenvector if lo = hi), and w is the witness of `psd_witness` for hi * I - M.

    Examples
    --------
    >>> lambda_max_witness([[fmpq(0), fmpq(1)], [fmpq(1), fmpq(0)]], bits=10)
    {'lo': '1', 'hi': '1', 'vector': ['1', '1'], 'upper': {'factor': [[], []], 'weights': []}}
    """
    if not isinstance(bits, int) or isinstance(bits, bool) or bits < 0:
        raise InputError(f"bits: {bits!r} is not a precision; accepted: a nonnegative integer")
    numerators, denominator = _symmetric(m)
    bracket = first_bracket(numerators)
    # Eigenvalues of an integer matrix are algebraic integers: a rational one is an integer.
    if may_have_integer_eigenvalue(numerators):
        while bracket.hi - bracket.lo >= 1:
            bracket = narrowed(numerators, bracket)
        integer = bracket.hi.floor()
        kernel = kernel_if_largest(numerators, integer) if integer >= bracket.lo else None
        if kernel is not None:
            exact = fmpq(integer, denominator)
            return _enclosure(numerators, denominator, exact, exact, kernel)
    while (bracket.hi - bracket.lo) * (8 << bits) > max(fmpq(denominator), abs(bracket.hi)):
        bracket = narrowed(numerators, bracket)
    # Round outwards on a grid of an eighth of the width, so that the numbers and the vector are short.
    largest = max(fmpq(1), abs(bracket.hi) / denominator)
    grid = fmpq(2) ** (largest.floor().bit_length() - 4 - bits)
    hi = ((bracket.hi / denominator / grid).floor() + 1) * grid
    lo = ((bracket.lo / denominator / grid).floor() - 1) * grid
    vector = short_vector(bracket.vector, lambda v: rayleigh(numerators, v) >= lo * denominator)
    return _enclosure(numerators, denominator, lo, hi, vector or bracket.vector)


def _enclosure(numerators: fmpz_mat, denominator: fmpz, lo: fmpq, hi: fmpq, vector: list[fmpz]) -> Witness:
    bounded, common = shifted(numerators, hi * denominator)
    positive, upper = _witness(bounded, common * denominator, strict=False)
    if not positive or rayleigh(numerators, vector) < lo * denominator:
        raise AssertionError("an enclosure of the largest eigenvalue failed its own check")
    return {"lo": text(lo), "hi": text(hi), "vector": [str(entry) for entry in vector], "upper": upper}


def _symmetric(m: list[list[fmpq]]) -> tuple[fmpz_mat, fmpz]:
    numerators, denominator = _square(m)
    if pair := _asymmetry(m):
        i, j = pair
        raise InputError(f"[{i}][{j}]: not equal to the entry [{j}][{i}]; accepted: a symmetric matrix")
    return numerators, denominator


def _square(m: list[list[fmpq]]) -> tuple[fmpz_mat, fmpz]:
    """The integer matrix and the denominator of a square matrix."""
    if not m:
        raise InputError("the matrix has no rows; accepted: a square matrix")
    for i, row in enumerate(m):
        if len(row) != len(m):
            raise InputError(
                f"[{i}]: a row of length {len(row)} in a matrix of {len(m)} rows; accepted: a square matrix"
            )
    return fmpq_mat(m).numer_denom()


def _asymmetry(m: list[list[fmpq]]) -> tuple[int, int] | None:
    return next(((i, j) for i, row in enumerate(m) for j in range(i) if row[j] != m[j][i]), None)


def _decide(m: list[list[fmpq]], strict: bool) -> tuple[bool, Witness]:
    numerators, denominator = _square(m)
    if pair := _asymmetry(m):
        return False, {"asymmetric": sorted(pair)}
    return _witness(numerators, denominator, strict)


def _witness(numerators: fmpz_mat, denominator: fmpz, strict: bool) -> tuple[bool, Witness]:
    dimension = numerators.nrows()
    if leaves_dominant(numerators, denominator, [], [], strict):
        return True, {"factor": [[] for _ in range(dimension)], "weights": []}
    plain = plain_descent(numerators, strict)
    if plain is not None:
        return False, _refutation(numerators, plain, strict)
    # A zero on the diagonal now means a zero row: only the others matter.
    kept = [i for i in range(dimension) if numerators[i, i] != 0]
    core = fmpz_mat([[numerators[i, j] for j in kept] for i in kept])
    outcome = settle(core, denominator, strict)
    if isinstance(outcome, list):
        spread = [fmpz(0)] * dimension
        for i, entry in zip(kept, outcome, strict=True):
            spread[i] = entry
        return False, _refutation(numerators, spread, strict)
    rows, weights = weighted_columns(outcome, denominator)
    if isinstance(outcome, Elimination) and not reproduces(core, outcome):
        raise AssertionError("an exact factor failed its own check")
    factor: list[list[str]] = [[] for _ in range(dimension)]
    for i, row in zip(kept, rows, strict=True):
        while row and row[-1] == 0:
            row.pop()
        factor[i] = [str(entry) for entry in row]
    return True, {"factor": factor, "weights": [text(weight) for weight in weights]}


def _refutation(numerators: fmpz_mat, vector: list[fmpz], strict: bool) -> Witness:
    if not any(vector) or not descends(numerators, vector, strict):
        raise AssertionError("a vector against definiteness failed its own check")
    return {"vector": [str(entry) for entry in vector]}
