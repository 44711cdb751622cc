"""The vertices of a finite point set, with a certificate for every point.

A vertex comes with an integer direction in which it is the strict unique maximiser; any other point with convex weights
of other points; a repeated point with the first index that has its place. A point is tested against the points found so
far, not against all: if it is outside their hull, the linear oracle in the separating direction finds a new one.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq, fmpz

from certify.numbers.vectors import primitive, short_vector
from certify.polytopes.points import Points
from certify.polytopes.separation import separate
from certify.programs.simplex import Basic, Columns, Outside, minimise

BLOCK = 400  # directions of a first sweep that are multiplied at once


@dataclass(frozen=True)
class Vertex:
    """The point is the only maximiser of <direction, .>."""

    direction: list[fmpz]


@dataclass(frozen=True)
class Mixture:
    """The point is the sum of weight * point[j]: j increasing, weights positive with sum 1, every point another one."""

    weights: list[tuple[int, fmpq]]


@dataclass(frozen=True)
class Copy:
    """The point equals an earlier one."""

    of: int


Reason = Vertex | Mixture | Copy


def classify(points: Sequence[Sequence[fmpq]]) -> list[Reason]:
    """For every point why it is a vertex of the hull or why it is not.

    Examples
    --------
    >>> line = [[fmpq(0)], [fmpq(2)], [fmpq(1)], [fmpq(2)]]
    >>> [type(reason).__name__ for reason in classify(line)]
    ['Vertex', 'Vertex', 'Mixture', 'Copy']
    """
    ready = Points(points)
    found = _Search(ready).run()
    return [found[j] if k == j else Copy(k) for j, k in enumerate(ready.first)]


def vertices(points: Sequence[Sequence[fmpq]]) -> list[int]:
    """Indices of the vertices, increasing; of equal points the first."""
    return [j for j, reason in enumerate(classify(points)) if isinstance(reason, Vertex)]


class _Search:
    def __init__(self, ready: Points) -> None:
        self.ready = ready
        self.known: list[int] = []  # places that the others are tested against
        self.place: dict[int, int] = {}
        self.reasons: dict[int, Reason] = {}
        self.columns: Columns | None = None
        self.floats: Any = None
        self.corral: list[int] = []

    def run(self) -> dict[int, Reason]:
        ready = self.ready
        if len(ready.rows) == 1:
            return {ready.distinct[0]: Vertex([fmpz(0)] * ready.dimension)}
        self._sweep()
        for k in range(len(ready.rows)):
            if k not in self.reasons:
                self.reasons[k] = self._decide(k)
        return {ready.distinct[k]: reason for k, reason in self.reasons.items()}

    # ---- the first sweep: many directions at once

    def _sweep(self) -> None:
        """Points that are extreme in the direction from the mean (whitened, as clouds are flat), or in a coordinate."""
        import numpy as np
        ready = self.ready
        cloud = ready.floats - ready.floats.mean(axis=0)
        count = len(cloud)
        lengths, axes = np.linalg.eigh(cloud.T @ cloud / count)
        scale = np.where(lengths > 1e-24 * max(lengths.max(), 1e-300), 1 / np.sqrt(np.maximum(lengths, 1e-300)), 0.0)
        whitening = (axes * scale) @ (axes * scale).T
        step = max(1, count // 2000)
        chosen = np.arange(0, count, step)
        for start in range(0, len(chosen), BLOCK):
            block = chosen[start:start + BLOCK]
            directions = cloud[block] @ whitening
            best = (directions @ cloud.T).argmax(axis=1)
            for row, k in enumerate(best):
                if int(k) not in self.reasons:
                    self._offer(ready.from_floats(directions[row]))
        for i in range(ready.dimension):
            for sign in (1, -1):
                self._offer([fmpz(sign * (i == j)) for j in range(ready.dimension)])

    def _offer(self, direction: list[fmpz]) -> list[int]:
        """The maximisers of a direction; if there is only one it is a vertex."""
        if not any(direction):
            return []
        best = self.ready.lowest([-entry for entry in direction])
        if len(best) == 1 and best[0] not in self.reasons:
            self.reasons[best[0]] = self._vertex(direction)
            self._learn(best[0])
        return best

    def _vertex(self, direction: Sequence[fmpz]) -> Vertex:
        return Vertex(primitive([entry * scale for entry, scale in zip(direction, self.ready.scales, strict=True)]))

    def _learn(self, k: int) -> None:
        if k not in self.place:
            self.place[k] = len(self.known)
            self.known.append(k)
            self.columns = None
            self.floats = None

    # ---- one point

    def _decide(self, k: int) -> Reason:
        """Test against the known points until the point is inside their hull or alone at the top."""
        while True:
            direction = self._guess(k)
            if direction is None or not self._advance(k, direction):
                found = self._exact(k)
                if isinstance(found, Mixture):
                    return found
                direction = found
                if not self._advance(k, direction):
                    raise AssertionError("an exact direction made no progress")
            if k in self.reasons:
                return self.reasons[k]

    def _advance(self, k: int, direction: list[fmpz]) -> bool:
        """Use a direction that should separate the point from the known ones; False if it taught nothing."""
        before = len(self.known)
        best = self._offer(direction)
        fresh = [j for j in best if j != k and j not in self.place]
        if fresh:  # the lexicographic extremes of a face are vertices of it
            self._learn(max(fresh, key=lambda j: self.ready.rows[j]))
            self._learn(min(fresh, key=lambda j: self.ready.rows[j]))
        return k in self.reasons or len(self.known) > before

    def _guess(self, k: int) -> list[fmpz] | None:
        """A direction in floats that separates the point from the known ones, as integers."""
        others = [j for j in self.known if j != k]
        if not others:
            return [fmpz(1)] * self.ready.dimension
        if self.floats is None:
            self.floats = self.ready.floats[self.known]
        rest = self.floats
        if k in self.place:
            import numpy as np
            rest = np.delete(self.floats, self.place[k], axis=0)
        direction, corral = separate(self.ready.floats[k], rest)
        self.corral = [others[j] for j in corral]
        return None if direction is None else self.ready.from_floats(-direction)

    def _exact(self, k: int) -> Mixture | list[fmpz]:
        """Convex weights of known points, or an exact separating direction, by the simplex method from the corral."""
        ready = self.ready
        if self.columns is None:
            self.columns = Columns([[*ready.rows[j], fmpz(1)] for j in self.known], ready.dimension + 1)
        order = [self.place[j] for j in self.corral]
        found = minimise(self.columns, [*ready.rows[k], fmpz(1)], None, order, self.place.get(k))
        if isinstance(found, Basic):
            weights = sorted((ready.distinct[self.known[j]], w) for j, w in found.weights.items())
            return Mixture(weights)
        assert isinstance(found, Outside)
        common = fmpz(1)
        for entry in found.direction:
            common = common * entry.q // common.gcd(entry.q)
        whole = primitive([(entry * common).p for entry in found.direction[:-1]])
        short = short_vector(whole, lambda trial: ready.lowest([-entry for entry in trial]) == [k])
        return short or whole
