"""Exact hardmax for the producer: flint's integers for the states, numpy's floats to find leaders.

A state is an integer matrix over one denominator, one row for all tokens known to sit at one point. Beside it runs a
shadow in float64 with a bound on its error: most leaders are known without a long product. Where it cannot separate
candidates, their exact differences are rounded anew, which resolves clusters however tight; what is left, true ties
above all, is compared exactly. Floats never decide within their error.
"""
from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
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
Target = tuple[list[tuple[int, int]], int]  # integer weights on points or tokens, and their sum
BITS = 53
UNIT = 2.0**-BITS
DRIFT = 8 * UNIT  # what one step adds at most to the error of the shadow
FLUSHED = 2.0**-980  # more than all that underflow can lose in one score
OLDEST_SHADOW, STALE_SHADOW = 256, 16  # steps before it is renewed: always, and after it failed to decide
COARSE = 2.0**-30  # an image with a larger relative error is worth rounding anew
STRIP_EVERY = 8
ONE_THREAD = 200_000  # products of this size are done by one thread; the wait for others would cost more


class NativeState(State):
    """Points in flint's integers and the place of every token among them; `rows` and `den` are made when asked for."""

    __slots__ = ("bottom", "distinct", "numerators", "place")

    def __init__(self, numerators: fmpz_mat, bottom: fmpz, place: list[int]) -> None:
        self.numerators, self.bottom, self.place = numerators, bottom, place
        self.distinct: list[list[fmpz]] = numerators.tolist()

    def __getattr__(self, name: str) -> Any:
        if name == "rows":
            points = [list(map(int, point)) for point in self.distinct]
            self.rows = [points[k] for k in self.place]
        elif name == "den":
            self.den = int(self.bottom)
        else:
            raise AttributeError(name)
        return getattr(self, name)


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
        state = _native(self.state(t))
        near = [_tokens(state, members) for members in self._leaders(state, t)]
        return [list(near[k]) for k in state.place]

    def step(self, state: State, t: int) -> State:
        """x' = ((q - p) x + p y)/q for the step size p/q and leaders y."""
        step_size = self.instance.sequences["g"].at(t)
        if step_size.n == 0:
            return state
        now = _native(state)
        near = self._leaders(now, t)
        if step_size.n < step_size.d and all(len(members) == 1 for members in near):
            place, sources = now.place, None
            targets: list[Target] = [([(members[0], 1)], 1) for members in near]
        else:
            place, sources, targets = self._moves(now, near, t, step_size.n == step_size.d)
        total = 1
        for _, weight in targets:
            total = total * weight // gcd(total, weight)
        goals = [_mean(now.distinct, parts, total // weight) for parts, weight in targets]
        base = now.numerators if sources is None else fmpz_mat([now.distinct[k] for k in sources])
        numerators = base * ((step_size.d - step_size.n) * total) + fmpz_mat(goals) * step_size.n
        after = NativeState(*_reduced(numerators, now.bottom * (step_size.d * total), place, t))
        if self._shadow is not None and self._shadow.state is now:
            single = all(len(parts) == 1 for parts, _ in targets) and after.place is place
            chosen = [parts[0][0] for parts, _ in targets]
            self._shadow = self._shadow.moved(after, sources, chosen, step_size) if single else None
        return after

    def _moves(self, now: NativeState, near: list[list[int]], t: int, jump: bool) \
            -> tuple[list[int], list[int], list[Target]]:
        """The new place of every token, and for every new point where it comes from and where it goes.

        Tokens of one point stay together unless a selection parts them; if they `jump`, all with one target meet.
        """
        tokens = State([now.distinct[k] for k in now.place], 1)  # type: ignore[misc]
        shared: dict[int, Target] = {k: ([(found[0], 1)], 1) for k, found in enumerate(near) if len(found) == 1}
        place, sources, targets = [], [], []
        known: dict[Any, int] = {}
        for i, k in enumerate(now.place):
            if k in shared:
                parts, weight = shared[k]
            else:
                shares, weight = self.target(tokens, t, i, _tokens(now, near[k]))
                parts = [(now.place[j], share) for j, share in shares]
                if self.policy != "every":
                    shared[k] = parts, weight
            key = (0 if jump else k, *parts)
            if key not in known:
                known[key] = len(known)
                sources.append(k)
                targets.append((parts, weight))
            place.append(known[key])
        return place, sources, targets

    def _leaders(self, state: NativeState, t: int) -> list[list[int]]:
        """For every point the points that lead it."""
        matrix = self._matrix(t)
        known = self._found
        if known is None or known[0] is not state or known[1] is not matrix:
            known = self._found = state, matrix, self._search(state, matrix)
        return known[2]

    def _search(self, state: NativeState, matrix: _Matrix) -> list[list[int]]:
        shadow = self._shadow
        if shadow is None or shadow.state is not state or shadow.age > OLDEST_SHADOW:
            shadow = _Shadow(state)
        self._shadow = shadow
        images = _product(shadow.points, matrix.transposed)
        scores = _product(images, shadow.points.T)
        n, d = shadow.points.shape
        # |x| <= 1 + e, |b| <= 1: d^2 entries b wrong by their error, two factors x by e, two sums; images have less
        error = 1.01 * (d * d * matrix.error + matrix.total * (2 * shadow.error + (2 * d + 4) * UNIT)) + FLUSHED
        close = scores >= scores.max(axis=1, keepdims=True) - 2 * error
        if np.count_nonzero(close) == n:
            return [[j] for j in scores.argmax(axis=1).tolist()]
        if shadow.age > STALE_SHADOW:
            self._shadow = None
        return _refined(state, matrix, [line.nonzero()[0].tolist() for line in close], images, error)

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
        floats, self.error = _rounded(self.exact.entries())
        self.transposed = np.array(floats).reshape(len(rows), -1) * UNIT
        self.total = float(np.abs(self.transposed).sum())


class _Shadow:
    """Points in floats up to a positive factor: every entry within `error` of the truth, which lies in [-1, 1]."""

    def __init__(self, state: NativeState) -> None:
        floats, self.error = _rounded(state.numerators.entries())
        self.points: Array = np.array(floats).reshape(len(state.distinct), -1) * UNIT
        self.state, self.age = state, 0

    def moved(self, state: NativeState, sources: list[int] | None, chosen: list[int], step_size: Rat) -> _Shadow:
        """One step later: convex combinations enlarge no errors; two weights, two products and the sum are rounded."""
        after = _Shadow.__new__(_Shadow)
        base = self.points if sources is None else self.points[sources]
        stay, move = (step_size.d - step_size.n) / step_size.d, step_size.n / step_size.d
        after.points = stay * base + move * self.points[chosen]
        after.error, after.state, after.age = self.error + DRIFT, state, self.age + 1
        return after


def _native(state: State) -> NativeState:
    if isinstance(state, NativeState):
        return state
    return NativeState(*_reduced(fmpz_mat(state.rows), fmpz(state.den), list(range(len(state.rows))), 0))


def _tokens(state: NativeState, points: list[int]) -> list[int]:
    """The tokens that sit at some points."""
    wanted = set(points)
    return [i for i, k in enumerate(state.place) if k in wanted]


def _rounded(entries: list[fmpz]) -> tuple[list[float], float]:
    """Entries times one power of two so that all lie in [-2^53, 2^53]; a bound, in units of 2^53, on what was lost."""
    shift = max(map(fmpz.bit_length, entries)) - BITS
    if shift > 0:
        return [float(entry >> shift) for entry in entries], UNIT
    return [float(entry << -shift) for entry in entries], 0.0


def _product(left: Array, right: Array) -> Array:
    """The product of two matrices, in blocks of rows small enough for one thread."""
    rows = ONE_THREAD // right.size
    if rows >= len(left) or rows == 0:
        return left @ right
    return np.concatenate([left[k:k + rows] @ right for k in range(0, len(left), rows)])


def _mean(points: list[list[fmpz]], parts: list[tuple[int, int]], factor: int) -> list[fmpz]:
    """The weighted sum of some points."""
    first, share = parts[0]
    if len(parts) == 1 and share * factor == 1:
        return points[first]
    result = [entry * (share * factor) for entry in points[first]]
    for k, share in parts[1:]:
        result = [a + b * (share * factor) for a, b in zip(result, points[k], strict=True)]
    return result


def _reduced(numerators: fmpz_mat, bottom: fmpz, place: list[int], t: int) -> tuple[fmpz_mat, fmpz, list[int]]:
    """Now and then divide out what numerators and denominator have in common, and merge points that have met."""
    if t % STRIP_EVERY:
        return numerators, bottom, place
    common = bottom
    for entry in numerators.entries():
        common = common.gcd(entry)
        if common == 1:
            break
    known: dict[tuple[fmpz, ...], int] = {}
    renumbered = [known.setdefault(tuple(point), len(known)) for point in numerators.tolist()]
    if common == 1 and len(known) == len(renumbered):
        return numerators, bottom, place
    points = [entry // common for entry in chain.from_iterable(known)]
    place = place if len(known) == len(renumbered) else [renumbered[k] for k in place]
    return fmpz_mat(len(known), numerators.ncols(), points), bottom // common, place


def _refined(state: NativeState, matrix: _Matrix, candidates: list[list[int]], images: Array, error: float) \
        -> list[list[int]]:
    """Leaders among candidates, by differences: <B x_i, x_j - x_k> is a short float even where x_j is close to x_k.

    `images` are the B x_i, each entry within `error`; where that is too coarse they are rounded anew from the truth.
    """
    groups: dict[tuple[int, ...], list[int]] = {}
    for i, near in enumerate(candidates):
        if len(near) > 1:
            groups.setdefault(tuple(near), []).append(i)
    d = images.shape[1]
    sizes = np.abs(images).max(axis=1, keepdims=True)
    # gaps in [-1, 1] wrong by UNIT, images by their error, and a sum of d terms
    errors = 1.01 * d * (error + (d + 4) * UNIT * sizes) + FLUSHED
    coarse = (error > COARSE * sizes)[:, 0].tolist()
    while groups:
        members, tokens = groups.popitem()
        base = state.distinct[members[0]]
        gaps = [[a - b for a, b in zip(state.distinct[k], base, strict=True)] for k in members]
        floats = np.array(_rounded(list(chain.from_iterable(gaps)))[0]).reshape(-1, d) * UNIT
        scores = _product(images[tokens], floats.T)
        close = scores >= scores.max(axis=1, keepdims=True) - 2 * errors[tokens]
        if np.count_nonzero(close) == len(tokens):
            for i, k in zip(tokens, scores.argmax(axis=1).tolist(), strict=True):
                candidates[i] = [members[k]]
            continue
        for i, line in zip(tokens, close, strict=True):
            kept = tuple(members[k] for k in line.nonzero()[0].tolist())
            if len(kept) == 1:
                candidates[i] = list(kept)
                continue
            if len(kept) == len(members):
                image = (fmpz_mat([state.distinct[i]]) * matrix.exact).entries()
                if not coarse[i] or not any(image):
                    candidates[i] = _leading(image, gaps, members)
                    continue
                images[i] = np.array(_rounded(image)[0]) * UNIT
                errors[i], coarse[i] = 1.01 * d * (d + 5) * UNIT + FLUSHED, False
            groups.setdefault(kept, []).append(i)
    return candidates


def _leading(image: list[fmpz], gaps: list[list[fmpz]], members: tuple[int, ...]) -> list[int]:
    """The candidates with the largest exact score."""
    scores = [sum(map(mul, image, gap), fmpz(0)) for gap in gaps]
    best = max(scores)
    return [k for k, score in zip(members, scores, strict=True) if score == best]
