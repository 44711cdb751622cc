"""Hardmax in floating point for many instances at once: what the search runs, never a verdict.

Arrays are batch-last: tokens are x[a, j, k] (coordinate a of token j of instance k), so that one operation of numpy
does one arithmetic operation for all instances over contiguous memory. A block of instances is small enough for
the scores and a few states to stay in the processor's cache.
"""
from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from certify.errors import InputError

Array = NDArray[np.float64]
CACHED_FLOATS = 1 << 17  # what one block may occupy: about 1 MB
REMEMBERED_TIMES = 8


def block_size(n: int, d: int) -> int:
    """How many instances of n tokens in dimension d to run together."""
    wanted = CACHED_FLOATS // (n * n + 4 * n * d + d * d)
    return min(4096, max(64, 1 << max(wanted, 1).bit_length() - 1))


class Timed:
    """An array that may depend on time, with one shape at all times; nan before time 0."""

    def __init__(self, source: Array | Callable[[int], Array], name: str) -> None:
        self.source, self.name = source, name
        self.fixed = not callable(source)
        self._known: dict[int, Array] = {}

    def at(self, t: int) -> Array:
        if not callable(self.source):
            return self.source
        if t not in self._known:
            value = self.source(t) if t >= 0 else np.full_like(self.at(0), np.nan)
            shapes = {known.shape for known in self._known.values()} | {value.shape}
            if len(shapes) > 1:
                raise InputError(f"{self.name} has the shape {value.shape} at t = {t} and another before")
            if len(self._known) >= REMEMBERED_TIMES:
                del self._known[next(iter(self._known))]
            self._known[t] = value
        return self._known[t]


class Stepper:
    """One step for a block of `size` instances, with the arrays it writes to allocated once."""

    def __init__(self, n: int, d: int, size: int) -> None:
        self._image, self._product = np.empty((d, n, size)), np.empty((d, n, size))
        self._scores, self._summand = np.empty((n, n, size)), np.empty((n, n, size))
        self._best = np.empty((n, size))
        self._behind = np.empty((n, n, size), dtype=np.bool_)
        self._leader = np.empty((n, size), dtype=np.int8 if n <= 127 else np.int64)
        self._place = np.empty((n, size), dtype=np.intp)
        self._instances = np.arange(size)

    def leaders(self, x: Array, matrix: Array) -> NDArray[np.integer]:
        """For every token i the first j that maximises <B x_i, x_j>, as an array (n, size) that the next call reuses.

        `matrix` is (d, d), or (d, d, size) if every instance has its own.
        """
        image, scores, behind, n = self._image, self._scores, self._behind, x.shape[1]
        if matrix.ndim == 2 or matrix.shape[2] == 1:
            np.matmul(matrix.reshape(matrix.shape[:2]), x.reshape(len(x), -1), out=image.reshape(len(x), -1))
        else:
            np.multiply(matrix[:, 0, None], x[0], out=image)
            for b in range(1, len(x)):
                np.multiply(matrix[:, b, None], x[b], out=self._product)
                np.add(image, self._product, out=image)
        np.multiply(x[0, :, None], image[0], out=scores)  # scores[j, i]
        for a in range(1, len(x)):
            np.multiply(x[a, :, None], image[a], out=self._summand)
            np.add(scores, self._summand, out=scores)
        np.maximum.reduce(scores, axis=0, out=self._best)
        np.not_equal(scores, self._best, out=behind)
        for j in range(1, n - 1):  # the first leader is the number of tokens before which there is none
            np.logical_and(behind[j], behind[j - 1], out=behind[j])
        np.add.reduce(behind[:n - 1].view(np.int8), axis=0, dtype=self._leader.dtype, out=self._leader)
        return self._leader

    def step(self, x: Array, matrix: Array, step_size: Array | float, out: Array) -> Array:
        """(1 - g) x_i + g x_leader(i) into `out`; `step_size` is a number or one for each instance."""
        size = x.shape[2]
        np.multiply(self.leaders(x, matrix), size, out=self._place, dtype=np.intp, casting="unsafe")
        np.add(self._place, self._instances, out=self._place)
        target = self._product
        for a in range(len(x)):
            np.take(x[a].reshape(-1), self._place, out=target[a], mode="wrap")
        np.multiply(x, 1.0 - step_size, out=out)
        np.multiply(target, step_size, out=target)
        return np.add(out, target, out=out)


class Trajectories:
    """States x[0], x[1], ... of a block, computed when asked for; at time 0 and over a sliding window they are kept.

    `x` is (d, n, size), `matrix` gives (d, d, 1 or size), `step_size` gives (1 or size,). `window` is how many
    states are kept besides x[0]; None keeps all.
    """

    def __init__(self, x: Array, matrix: Timed, step_size: Timed, window: int | None) -> None:
        self.start = np.ascontiguousarray(x)
        self.matrix, self.step_size = matrix, step_size
        self.window = None if window is None else max(2, window)
        self._stepper = Stepper(x.shape[1], x.shape[0], x.shape[2])
        self._kept: dict[int, Array] = {0: self.start}
        self._last = 0

    def state(self, t: int) -> Array:
        """Tokens at time t, (d, n, size); nan before time 0. The array is reused once t leaves the window."""
        if t < 0:
            return np.full_like(self.start, np.nan)
        while self._last < t:
            self._advance()
        if t not in self._kept and t > 0:
            raise LookupError(f"the state at t = {t} is no longer kept")
        return self.start if t == 0 else self._kept[t]

    def _advance(self) -> None:
        t, now = self._last, self._kept[self._last]
        out = None
        if self.window is not None and len(self._kept) >= self.window:
            oldest = min(self._kept)
            out = self._kept.pop(oldest)
        if out is None or out is self.start:
            out = np.empty_like(self.start)
        self._kept[t + 1] = self._stepper.step(now, self.matrix.at(t), self.step_size.at(t), out)
        self._last = t + 1
