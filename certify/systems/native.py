"""Exact hardmax for the producer: flint's integers for the states, numpy's floats to find leaders.

A state is an integer matrix over one denominator. Beside it runs a shadow in float64 with a bound on its error, so
that most leaders are known without a single long product. Where the bound cannot separate candidates, exact
differences between them are rounded anew, which resolves clusters however tight; what is left, true ties above all,
is compared exactly. Floats never decide within their error.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd
from operator import mul
from typing import Any

import numpy as np
from flint import fmpz, fmpz_mat
from numpy.typing import NDArray

from ..verifier.exact import Rat, common_denominator
from ..verifier.schedules import expression
from ..verifier.systems import HARDMAX, Instance, State, Trajectory

Array = NDArray[np.float64]
Selection = dict[tuple[int, int], list[tuple[int, Rat]]]
BITS = 53
UNIT = 2.0**-BITS
DRIFT = 8 * UNIT  # what one step adds at most to the error of the shadow
FLUSHED = 2.0**-980  # more than all that underflow can lose in one score
OLDEST_SHADOW, STALE_SHADOW = 256, 16  # steps before it is renewed: always, and after it failed to decide
STRIP_EVERY = 8


class NativeState(State):
    """A state in flint's integers; `rows` and `den`, in Python's, are made when they are first asked for."""

    __slots__ = ("bottom", "entries", "numerators")

    def __init__(self, numerators: fmpz_mat, bottom: fmpz) -> None:
        self.numerators, self.bottom = numerators, bottom
        self.entries: list[fmpz] = numerators.entries()

    def __getattr__(self, name: str) -> Any:
        if name == "rows":
            width = self.numerators.ncols()
            flat = list(map(int, self.entries))
            self.rows = [flat[k:k + width] for k in range(0, len(flat), width)]
        elif name == "den":
            self.den = int(self.bottom)
        else:
            raise AttributeError(name)
        return getattr(self, name)

    def row(self, i: int) -> list[fmpz]:
        """Numerators of token i."""
        width = self.numerators.ncols()
        return self.entries[i * width:(i + 1) * width]


class NativeTrajectory(Trajectory):
    """Exact states x[0], x[1], ... of hardmax: the verifier's `Trajectory`, faster, without its limits on work."""

    def __init__(self, instance: Instance, policy: str, selection: Selection) -> None:
        super().__init__(instance, HARDMAX, policy, selection)
        self.states[0] = _native(self.states[0])
        self._matrices: dict[tuple[int, int], _Matrix] = {}
        self._shadow: _Shadow | None = None
        self._found: tuple[State, _Matrix, list[list[int]]] | None = None

    def leaders(self, t: int) -> list[list[int]]:
        """For every token i the tokens j that maximise <B x_i, x_j> at time t."""
        return self._leaders(_native(self.state(t)), t)

    def step(self, state: State, t: int) -> State:
        """x' = ((q - p) x + p y)/q for the step size p/q and leaders y."""
        step_size = self.instance.sequences["g"].at(t)
        if step_size.n == 0:
            return state
        now = _native(state)
        near = self._leaders(now, t)
        points = State([now.row(i) for i in range(len(near))], 1)  # type: ignore[misc]
        targets = [([(members[0], 1)], 1) if len(members) == 1 else self.target(points, t, i, members)
                   for i, members in enumerate(near)]
        total = 1
        for _, weight in targets:
            total = total * weight // gcd(total, weight)
        moved: list[fmpz] = []
        for parts, weight in targets:
            moved += points.rows[parts[0][0]] if total == 1 else _mean(points.rows, parts, total // weight)
        n, d = len(near), len(points.rows[0])
        numerators = now.numerators * ((step_size.d - step_size.n) * total) + fmpz_mat(n, d, moved) * step_size.n
        after = _stripped(numerators, now.bottom * (step_size.d * total), t)
        if self._shadow is not None and self._shadow.state is now:
            chosen = [parts[0][0] for parts, _ in targets] if all(len(parts) == 1 for parts, _ in targets) else None
            self._shadow = self._shadow.moved(after, chosen, step_size) if chosen is not None else None
        return after

    def _leaders(self, state: NativeState, t: int) -> list[list[int]]:
        matrix = self._matrix(t)
        if self._found is None or self._found[0] is not state or self._found[1] is not matrix:
            self._found = state, matrix, self._search(state, matrix)
        return self._found[2]

    def _search(self, state: NativeState, matrix: _Matrix) -> list[list[int]]:
        shadow = self._shadow
        if shadow is None or shadow.state is not state or shadow.age > OLDEST_SHADOW:
            shadow = _Shadow(state)
        self._shadow = shadow
        scores = shadow.tokens @ matrix.transposed @ shadow.tokens.T
        n, d = shadow.tokens.shape
        # |x| <= 1 + e and |b| <= 1: d^2 entries b wrong by their error, two factors x wrong by e, two sums of d terms
        error = 1.01 * (d * d * matrix.error + matrix.total * (2 * shadow.error + (2 * d + 4) * UNIT)) + FLUSHED
        close = scores >= scores.max(axis=1, keepdims=True) - 2 * error
        if np.count_nonzero(close) == n:
            return [[j] for j in scores.argmax(axis=1).tolist()]
        if shadow.age > STALE_SHADOW:
            self._shadow = None
        return _refined(state, matrix, [np.flatnonzero(line).tolist() for line in close])

    def _matrix(self, t: int) -> _Matrix:
        """B at time t up to a positive factor, which leaders do not see."""
        sequence = self.instance.sequences["B"]
        sign = expression(sequence.scale, Rat(t)).sign() if sequence.kind == "scale" else 1
        last = len(sequence.values) - 1
        place = min(t, last) if sequence.kind == "list" else t % (last + 1)
        if (place, sign) not in self._matrices:
            self._matrices[place, sign] = _Matrix(sequence.values[place], sign)
        return self._matrices[place, sign]


def simulate(instance: Instance, policy: str, selection: Selection, steps: int) -> Iterator[tuple[int, State]]:
    """(t, x[t]) for t = 0, ..., steps; raises `Tie` after the last state that the selection determines."""
    trajectory = NativeTrajectory(instance, policy, selection)
    for t in range(steps + 1):
        yield t, trajectory.state(t)


class _Matrix:
    """Integer entries of B' and the same in floats of absolute value at most 1."""

    def __init__(self, values: list[list[Rat]], sign: int) -> None:
        rows, _ = common_denominator(values)
        self.exact = fmpz_mat(rows).transpose() * sign
        self.transposed, self.error = _rounded(self.exact.tolist())
        self.total = float(np.abs(self.transposed).sum())


class _Shadow:
    """Tokens in floats up to a positive factor: every entry within `error` of the truth, which lies in [-1, 1]."""

    def __init__(self, state: NativeState) -> None:
        tokens, self.error = _rounded([state.entries])
        self.tokens = tokens.reshape(state.numerators.nrows(), -1)
        self.state, self.age = state, 0

    def moved(self, state: State, chosen: list[int], step_size: Rat) -> _Shadow:
        """The shadow one step later.

        Convex combinations do not enlarge errors; each of the two weights, two products and the sum is rounded once.
        """
        after = _Shadow.__new__(_Shadow)
        stay = (step_size.d - step_size.n) / step_size.d
        after.tokens = stay * self.tokens + (step_size.n / step_size.d) * self.tokens[chosen]
        after.error, after.state, after.age = self.error + DRIFT, state, self.age + 1  # type: ignore[assignment]
        return after


def _native(state: State) -> NativeState:
    return state if isinstance(state, NativeState) else NativeState(fmpz_mat(state.rows), fmpz(state.den))


def _rounded(rows: list[list[fmpz]]) -> tuple[Array, float]:
    """Entries divided by one power of two to lie in [-1, 1], and a bound on what rounding changed."""
    longest = max(entry.bit_length() for row in rows for entry in row)
    if longest <= BITS:
        return np.array([[float(entry) for entry in row] for row in rows]) * 2.0**-longest, 0.0
    shift = longest - BITS
    return np.array([[float(entry >> shift) for entry in row] for row in rows]) * UNIT, UNIT


def _mean(rows: Sequence[Sequence[Any]], parts: list[tuple[int, int]], factor: int) -> list[fmpz]:
    """The weighted sum of some rows."""
    result = [rows[parts[0][0]][k] * (parts[0][1] * factor) for k in range(len(rows[0]))]
    for j, share in parts[1:]:
        result = [a + b * (share * factor) for a, b in zip(result, rows[j], strict=True)]
    return result


def _stripped(numerators: fmpz_mat, bottom: fmpz, t: int) -> NativeState:
    """Now and then divide out what numerators and denominator have in common."""
    if t % STRIP_EVERY == 0:
        common = bottom
        entries = numerators.entries()
        for entry in entries:
            common = common.gcd(entry)
            if common == 1:
                return NativeState(numerators, bottom)
        numerators = fmpz_mat(numerators.nrows(), numerators.ncols(), [entry // common for entry in entries])
        bottom = bottom // common
    return NativeState(numerators, bottom)


def _refined(state: NativeState, matrix: _Matrix, candidates: list[list[int]]) -> list[list[int]]:
    """Leaders among candidates, by differences: <B x_i, x_j - x_k> is a short float even where x_j is close to x_k."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for i, members in enumerate(candidates):
        if len(members) > 1:
            groups.setdefault(tuple(members), []).append(i)
    exact = (state.numerators * matrix.exact).tolist()
    images = {i: _rounded([exact[i]])[0][0] for tokens in groups.values() for i in tokens}
    d = len(exact[0])
    error = 1.01 * d * (d + 4) * UNIT + FLUSHED  # factors in [-1, 1], each wrong by UNIT, and a sum of d terms
    while groups:
        members, tokens = groups.popitem()
        gaps = _gaps(state, members)
        if any(map(any, gaps)):
            scores = np.array([images[i] for i in tokens]) @ _rounded(gaps)[0].T
            close = scores >= scores.max(axis=1, keepdims=True) - 2 * error
        else:
            close = np.ones((len(tokens), len(members)), dtype=np.bool_)
        for i, line in zip(tokens, close, strict=True):
            kept = [members[k] for k in np.flatnonzero(line)]
            if 1 < len(kept) < len(members):
                groups.setdefault(tuple(kept), []).append(i)
                continue
            candidates[i] = kept if len(kept) == 1 else _leading(exact[i], gaps, members)
    return candidates


def _gaps(state: NativeState, members: tuple[int, ...]) -> list[list[fmpz]]:
    """x_j - x_k for all candidates j and the first of them, k, exactly."""
    base = state.row(members[0])
    return [[a - b for a, b in zip(state.row(j), base, strict=True)] for j in members]


def _leading(image: list[fmpz], gaps: list[list[fmpz]], members: tuple[int, ...]) -> list[int]:
    """The candidates with the largest exact score."""
    scores = [sum(map(mul, image, gap), fmpz(0)) if any(gap) else fmpz(0) for gap in gaps]
    best = max(scores)
    return [j for j, score in zip(members, scores, strict=True) if score == best]
