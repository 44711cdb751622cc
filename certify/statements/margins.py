"""Signed margins of the lines of a claim on a batch of instances, in floating point.

This is the search's reading of a statement: fast, approximate and never a verdict. It is compiled from the same tree
that the verifier evaluates exactly. Ties between leaders go to the first token; parts that are undefined (a division by
zero, a time before 0) are nan and are passed over by `forall` and `exists`.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certify.errors import InputError
from certify.statements.batched import Array
from certify.statements.margin_formulas import Formulas, Line
from certify.systems.hardmax_floats import Timed, Trajectories, block_size
from certify.verifier.sorts import Tree

Times = NDArray[np.int64]
SYSTEM_DATA: dict[str, dict[str, str]] = {"hardmax": {"B": "matrix", "g": "scalar"}, "none": {}}
RANKS = {"scalar": 0, "vector": 1, "matrix": 2, "cloud": 2}


@dataclass(frozen=True)
class Batch:
    """N instances of one size.

    Attributes
    ----------
    x
        Tokens at time 0, (N, n, d); None for `system none`.
    B
        (d, d) for all instances, (N, d, d) for each its own, or a function of t that returns either. It is called for
        every block of instances, so that a batch should not be much larger than a block if it is slow.
    g
        A number, an array over t (the last entry repeats), or a function of t that returns a number or (N,).
    givens
        The claim's own data by name: a scalar () or (N,), a vector (d,) or (N, d), a matrix (d, d) or (N, d, d), a
        cloud of m points (m, d) or (N, m, d).
    """

    x: Array | None
    B: Array | Callable[[int], ArrayLike] | None = None
    g: float | Array | Callable[[int], ArrayLike] | None = None
    givens: Mapping[str, ArrayLike] = field(default_factory=dict)


@dataclass(frozen=True)
class Reading:
    """One line on every instance of a batch: arrays (N,).

    Attributes
    ----------
    margin
        The least margin over the times to the horizon: negative by how much the line is violated; nan if unread.
    t, i
        Where it is attained: the time, and the first token that the line's `forall` names; -1 where there is none.
    first_t, first_i
        The first violation in the order of (t, i); -1 where there is none.
    """

    margin: Array
    t: Times
    i: Times
    first_t: Times
    first_i: Times


def batch_last(value: ArrayLike, rank: int, count: int, rows: slice, name: str) -> Array:
    """One value for all instances or one for each, with the instances of a block on the last axis."""
    array = np.asarray(value, dtype=np.float64)
    if array.ndim == rank:
        return array[..., None]
    if array.ndim != rank + 1 or array.shape[0] != count:
        raise InputError(f"{name} has the shape {array.shape}: expected {rank} axes, or {rank + 1} of which the first "
                         f"counts the {count} instances")
    return np.ascontiguousarray(np.moveaxis(array[rows], 0, -1))


class InstanceBlock:
    """The instances of some rows of a batch, batch-last, as the compiled lines read them."""

    def __init__(self, batch: Batch, sorts: Mapping[str, str], count: int, rows: slice, horizon: int) -> None:
        self.horizon, self.now, self.folds = horizon, dict[int, int](), dict[object, tuple[int, Array]]()
        self.n = self.d = 0
        self._givens: dict[str, Array] = {}
        for name, sort in sorts.items():
            if name not in batch.givens:
                raise InputError(f"the batch has no {name}, a {sort} that the claim declares as given")
            value = batch_last(batch.givens[name], RANKS[sort], count, rows, name)
            self._givens[name] = value.swapaxes(0, 1) if sort == "cloud" else value
            self.d = self.d or (len(self._givens[name]) if sort != "scalar" else 0)
        self._timed: dict[str, Timed] = {}
        self._start: Array | None = None
        if batch.x is not None:
            self._start = np.ascontiguousarray(np.asarray(batch.x[rows], dtype=np.float64).transpose(2, 1, 0))
            self.d, self.n, _ = self._start.shape
            for name, rank in (("B", 2), ("g", 0)):
                self._timed[name] = self._schedule(getattr(batch, name), rank, count, rows, name)
            if self._timed["B"].at(0).shape[:2] != (self.d, self.d):
                raise InputError(f"B is not a matrix of dimension {self.d}")
        self._trajectories: Trajectories | None = None

    @staticmethod
    def _schedule(source: Any, rank: int, count: int, rows: slice, name: str) -> Timed:
        if source is None:
            raise InputError(f"the batch has no {name}")
        if callable(source):
            return Timed(lambda t: batch_last(source(t), rank, count, rows, name), name)
        if name == "g" and np.ndim(source) == 1:
            steps = np.asarray(source, dtype=np.float64)
            return Timed(lambda t: steps[min(t, len(steps) - 1), None], name)
        return Timed(batch_last(source, rank, count, rows, name), name)

    def follow(self, window: int | None) -> None:
        """Keep that many states of the trajectories, all if None."""
        if self._start is not None:
            self._trajectories = Trajectories(self._start, self._timed["B"], self._timed["g"], window)

    def state(self, t: int) -> Array:
        assert self._trajectories is not None
        return self._trajectories.state(t)

    def fixed(self, name: str) -> bool:
        return name in self._timed and self._timed[name].fixed

    def timed(self, name: str, t: int) -> Array:
        return self._timed[name].at(t)

    def given(self, name: str) -> Array:
        return self._givens[name]


class Tally:
    """The least margin of one line so far, and where; and the first violation."""

    def __init__(self, line: Line, tolerance: float) -> None:
        self.line, self.limit = line, -tolerance
        self.least: Array | None = None

    def add(self, t: int, margins: Array) -> None:
        """Margins at time t, one axis for each token and the instances last."""
        shape, margins = margins.shape[:-1], margins.reshape(-1, margins.shape[-1])
        lowest: Array = np.fmin.reduce(margins, axis=0) if len(margins) > 1 else margins[0]
        if self.least is None:
            self.least = np.full(lowest.shape, np.nan)
            self.t, self.first_t = np.full(lowest.shape, -1), np.full(lowest.shape, -1)
            self.tokens, self.first_tokens = np.array(margins), np.array(margins)
            self.shape, self.undefined = shape, True
        better = lowest < self.least
        if self.undefined:
            better |= np.isnan(self.least) & ~np.isnan(lowest)
        if better.any():
            np.copyto(self.least, lowest, where=better)
            np.copyto(self.t, t, where=better)
            np.copyto(self.tokens, margins, where=better)
            self.undefined = self.undefined and bool(np.isnan(self.least).any())
        broken = lowest < self.limit
        broken &= self.first_t < 0
        if broken.any():
            np.copyto(self.first_t, t, where=broken)
            np.copyto(self.first_tokens, margins, where=broken)

    def reading(self, size: int) -> Reading:
        if self.least is None:  # no time to speak of: nothing is asked
            return unread(size, np.inf)
        some, broken = ~np.isnan(self.least), self.first_tokens < self.limit
        place = np.where(np.isnan(self.tokens), np.inf, self.tokens).argmin(axis=0)
        named, tokens = bool(self.line.tokens), self.shape or (1,)
        shared = (self.least, self.t if self.line.timed else np.full_like(self.t, -1),
                  np.where(some & named, np.unravel_index(place, tokens)[0], -1),
                  self.first_t if self.line.timed else np.full_like(self.t, -1),
                  np.where(broken.any(axis=0) & named, np.unravel_index(broken.argmax(axis=0), tokens)[0], -1))
        margin, *places = (np.broadcast_to(array, (size,)).copy() for array in shared)
        return Reading(margin, *(place.astype(np.int64) for place in places))


def unread(size: int, margin: float = np.nan) -> Reading:
    nowhere = np.full(size, -1, dtype=np.int64)
    return Reading(np.full(size, margin), nowhere, nowhere, nowhere, nowhere)


class Margins:
    """Lines of one claim, compiled; `unread` names those without a reading in floating point, with the reason.

    Without `guesses` what only a few points or times suggest (limits, equations of cells) has no reading either.
    """

    def __init__(self, claim: Tree, lines: Iterable[str] | None = None, guesses: bool = True) -> None:
        self.guesses = guesses
        names = [*(entry[0] for entry in claim[7]), "assertion"]
        self.names = names if lines is None else list(lines)
        if not set(self.names) <= set(names):
            raise InputError(f"the lines of {claim[1]} are {', '.join(names)}")
        self.claim, self.system = claim, claim[4][0]
        self._sorts = {entry[0]: entry[1] for entry in claim[5]}
        self._compiled: dict[frozenset[str], Formulas] = {}
        if self.system in SYSTEM_DATA:
            self.unread = self._formulas(frozenset("B")).unread
        else:
            self.unread = dict.fromkeys(self.names, f"system {self.system}")

    def _formulas(self, fixed: frozenset[str]) -> Formulas:
        """The lines, where these data of the system do not change with time."""
        if fixed not in self._compiled:
            self._compiled[fixed] = formulas = Formulas(
                self.claim, SYSTEM_DATA[self.system], fixed, self.guesses)
            for name in self.names:
                formulas.compile(name)
        return self._compiled[fixed]

    def read(self, batch: Batch, horizon: int, tolerance: float = 0.0) -> dict[str, Reading]:
        """Every line on every instance, quantifiers over all times read for t = 0..horizon.

        A violation counts as the first one if it exceeds the tolerance.
        """
        count = self._count(batch)
        readable = [name for name in self.names if name not in self.unread]
        size = block_size(batch.x.shape[1], batch.x.shape[2]) if batch.x is not None else 1024
        found: dict[str, list[Reading]] = {name: [] for name in readable}
        with np.errstate(all="ignore"):
            for start in range(0, count if readable else 0, size):
                rows = slice(start, min(start + size, count))
                block = InstanceBlock(batch, self._sorts, count, rows, horizon)
                for name, tally in self._run(block, readable, tolerance).items():
                    found[name].append(tally.reading(rows.stop - rows.start))
        return {name: joined(found[name]) if name in found else unread(count) for name in self.names}

    def _count(self, batch: Batch) -> int:
        if self.system == "none":
            sizes = [len(np.asarray(batch.givens[name])) for name, sort in self._sorts.items()
                     if name in batch.givens and np.ndim(batch.givens[name]) > RANKS[sort]]
            return sizes[0] if sizes else 1
        if batch.x is None or np.ndim(batch.x) != 3 or 0 in np.shape(batch.x):
            raise InputError("x must be an array of N instances, n tokens and d coordinates, none of them 0")
        return len(batch.x)

    def _run(self, block: InstanceBlock, names: list[str], tolerance: float) -> dict[str, Tally]:
        """All lines along the trajectories of one block, each state computed once."""
        formulas = self._formulas(frozenset(name for name in SYSTEM_DATA[self.system] if block.fixed(name)))
        offsets = formulas.offsets
        block.follow(None if formulas.every_state else max(offsets) - min(offsets) + 1)
        formulas.forget()
        tallies = {name: Tally(formulas.lines[name], tolerance) for name in names}
        for t in range(block.horizon + 1):
            block.now[0] = t
            for tally in tallies.values():
                line = tally.line
                if line.timed and line.low <= t and (line.high is None or t <= line.high):
                    tally.add(t, line.body.read(block))
        for tally in tallies.values():
            if not tally.line.timed:
                tally.add(0, tally.line.body.read(block))
        return tallies


def joined(parts: list[Reading]) -> Reading:
    """The readings of consecutive blocks as one."""
    margin = np.concatenate([part.margin for part in parts])
    places = [[getattr(part, name) for part in parts] for name in ("t", "i", "first_t", "first_i")]
    return Reading(margin, *map(np.concatenate, places))


def compile_margin(claim: Tree, line: str = "assertion") -> Margins:
    """One line of a claim, ready to be read on batches."""
    return Margins(claim, [line])


def margins(claim: Tree, batch: Batch, horizon: int) -> dict[str, Array]:
    """The least margin of every line on every instance, to the horizon; nan for lines without a reading."""
    return {name: reading.margin for name, reading in Margins(claim).read(batch, horizon).items()}
