"""The arithmetic of margins: vectors, matrices and folds of many instances at once.

A scalar is an array (A_1, ..., A_k, N): an axis for every token in reach, of length 1 where the value does not depend
on that token, and the instances last, of length 1 where all share the value. A vector has one axis more in front, a
matrix two. Undefined values are nan. Functions take `out`, an array of a former result to write into, or None.
"""
from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
BARELY = float(np.finfo(np.float64).tiny)  # a strict statement on its boundary is false, by nothing: -BARELY
# fold -> (operation, value over nothing); terms are undefined where a part is, formulas pass over undefined parts
FOLD_ACTS: dict[str, tuple[np.ufunc, float]] = {
    "sum": (np.add, 0.0), "mean": (np.add, np.nan), "prod": (np.multiply, 1.0), "least": (np.minimum, np.nan),
    "greatest": (np.maximum, np.nan), "forall": (np.fmin, np.inf), "exists": (np.fmax, -np.inf)}
IGNORED = {"sum": 0.0, "mean": 0.0, "prod": 1.0, "least": np.inf, "greatest": -np.inf, "forall": np.inf,
           "exists": -np.inf}  # what stands for a token outside the set that a fold ranges over


def quotient(left: Array, right: Array, out: Array | None = None) -> Array:
    """left/right, undefined where the divisor is 0."""
    return np.divide(left, np.where(right == 0.0, np.nan, right), out=out)


def power(base: Array, exponent: int, out: Array | None = None) -> Array:
    """base^exponent for an integer exponent."""
    if exponent == 2:
        return np.multiply(base, base, out=out)
    if exponent < 0:
        return quotient(np.ones_like(base), np.power(base, -exponent), out)
    return np.power(base, float(exponent), out=out)


def negation(margin: Array, out: Array | None = None) -> Array:
    """The margin of `not`: what holds with no slack is violated by nothing."""
    found = np.negative(margin, out=out)
    found[margin == 0.0] = -BARELY
    return found


def strictly(margin: Array, out: Array | None = None) -> Array:
    """The margin of < from that of <=."""
    return np.where(margin == 0.0, -BARELY, margin)


def restricted(margin: Array, member: Array, out: Array | None = None) -> Array:
    """The margin for the members of a set; nothing is asked of the others."""
    return np.where(member >= 0.0, margin, np.inf)


def largest_entry(value: Array, components: int) -> Array:
    """The largest absolute value of an entry of a vector or a matrix."""
    size = np.abs(value)
    return size if not components else np.asarray(size.max(axis=tuple(range(components))))


def inner(left: Array, right: Array, out: Array | None = None) -> Array:
    """Sum over a of left_a right_a."""
    total: Array = np.multiply(left[0], right[0], out=out)
    summand = np.empty_like(total) if len(left) > 1 else total
    for a in range(1, len(left)):
        np.multiply(left[a], right[a], out=summand)
        np.add(total, summand, out=total)
    return total


def image(matrix: Array, vector: Array, out: Array | None = None) -> Array:
    """Matrix times vector; the right side may be a matrix, whose second axis is then carried along."""
    if vector.ndim > matrix.ndim - 1:  # a matrix product: make room for the columns
        matrix = matrix[:, :, None]
    if matrix.size == len(matrix) ** 2 and vector.flags.c_contiguous:  # one matrix for all
        shape = (len(matrix), *vector.shape[1:])
        found = np.empty(shape) if out is None else out
        np.matmul(matrix.reshape(len(matrix), -1), vector.reshape(len(vector), -1), out=found.reshape(len(found), -1))
        return found
    total: Array = np.multiply(matrix[:, 0], vector[0], out=out)
    summand = np.empty_like(total) if len(vector) > 1 else total
    for b in range(1, len(vector)):
        np.multiply(matrix[:, b], vector[b], out=summand)
        np.add(total, summand, out=total)
    return total


def transpose(matrix: Array) -> Array:
    return matrix.swapaxes(0, 1)


def trace(matrix: Array) -> Array:
    """Sum of the diagonal."""
    total: Array = sum((matrix[a, a] for a in range(1, len(matrix))), start=matrix[0, 0].copy())
    return total


def eigenvalues(matrix: Array) -> Array:
    """Eigenvalues of the symmetric part in increasing order, on the first axis; nan where an entry is not finite."""
    symmetric = np.moveaxis((matrix + matrix.swapaxes(0, 1)) / 2.0, (0, 1), (-2, -1))
    finite = np.asarray(np.isfinite(symmetric).all(axis=(-2, -1)))
    found = np.linalg.eigvalsh(np.where(finite[..., None, None], symmetric, 0.0))
    return np.moveaxis(np.where(finite[..., None], found, np.nan), -1, 0)


def largest_eigenvalue(matrix: Array) -> Array:
    found: Array = eigenvalues(matrix)[-1]
    return found


def definiteness(matrix: Array) -> Array:
    """The smallest eigenvalue; of an asymmetric matrix at most minus the largest asymmetry."""
    asymmetry = largest_entry(matrix - matrix.swapaxes(0, 1), 2)
    least: Array = eigenvalues(matrix)[0]
    return np.where(asymmetry > 0.0, np.minimum(least, -asymmetry), least)


def diameter(points: Array) -> Array:
    """The largest distance of two points, which lie along the last axis but one."""
    widest = np.zeros(points.shape[1:-2] + points.shape[-1:])
    for j in range(1, points.shape[-2]):
        gap = points[..., :j, :] - points[..., j:j + 1, :]
        np.maximum(widest, inner(gap, gap).max(axis=-2), out=widest)
    return np.sqrt(widest)


def limit_guess(kind: str, values: list[Array], bounds: list[Array]) -> Array:
    """Whether sizes at the times 0, T/2, T look like a limit: the share that the last half leaves, against what may be.

    A vanishing sequence leaves less than 9 in 10, one of the order of the bound at most a tenth more than the bound
    leaves; a geometric one falls in the last half about as much as in the first.
    """
    first, half, last = values
    scale = np.maximum(np.maximum(first, half), last)
    left = quotient(last, half)
    if kind == "bigO":
        margin = 1.1 * quotient(bounds[2], bounds[1]) - left
    else:
        margin = 0.9 - left
        if kind == "geometric":
            margin = np.minimum(margin, 1.0 - quotient(left, quotient(half, first)) / 4.0)
    return np.where(last <= 1e-9 * scale, 1.0, np.where(np.isnan(margin), 1.0, margin))


def fold_tokens(kind: str, value: Array, n: int, member: Array | None, out: Array | None = None) -> Array:
    """Fold the last token axis; `member` is the margin of belonging to the set that the fold ranges over."""
    act, empty = FOLD_ACTS[kind]
    if member is None and (value.shape[-2] == n or kind not in ("sum", "prod", "mean")) and n > 0:
        found: Array = act.reduce(value, axis=-2, out=out)
        return found if kind != "mean" else np.divide(found, value.shape[-2], out=found)
    inside = np.ones((1, 1), dtype=np.bool_) if member is None else member >= 0.0
    size = (*np.broadcast_shapes(value.shape[:-2], inside.shape[:-2]), n, max(value.shape[-1], inside.shape[-1]))
    inside = np.broadcast_to(inside, size)
    chosen = np.where(inside, np.broadcast_to(value, size), IGNORED[kind])
    count = np.count_nonzero(inside, axis=-2)
    found = act.reduce(chosen, axis=-2, initial=IGNORED[kind])
    if kind == "mean":
        found = found / count
    return np.where(count == 0, empty, found)


def fold_times(kind: str, values: Callable[[int], Array], low: int, high: int, former: Array | None) -> Array:
    """Fold values(s) over low..high onto `former`, the fold over the times before low, if there is one."""
    act, empty = FOLD_ACTS[kind]
    total = former
    for s in range(low, high + 1):
        value = values(s)
        total = value.copy() if total is None else act(total, value, out=total)
    return np.full_like(values(low), empty) if total is None else total
