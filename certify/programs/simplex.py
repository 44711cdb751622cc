"""The exact simplex method: minimise <costs, w> subject to M w = right, w >= 0, over the integers.

Every step solves with the basis by flint, so nothing accumulates. After a step of length zero Bland's rule holds until
the next real step, so no cycle can close and the method always ends. Any independent columns serve as a start: one
artificial column repairs their negative weights, and the first phase drives it out.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat, nmod_mat

PRIME = 2**61 - 1  # columns independent modulo a prime are independent over Q


@dataclass(frozen=True)
class Basic:
    """An optimal solution: positive weights by column, and multipliers with costs_j >= <multipliers, M_j>."""

    weights: dict[int, fmpq]
    multipliers: list[fmpq]


@dataclass(frozen=True)
class Outside:
    """No solution: <direction, M_j> <= 0 for every column and <direction, right> > 0."""

    direction: list[fmpq]


@dataclass(frozen=True)
class Falling:
    """A solution and a ray r >= 0 with M r = 0 along which the costs fall."""

    weights: dict[int, fmpq]
    ray: dict[int, fmpq]


class Columns:
    """The columns of M, shared by many right sides: integer vectors of one length."""

    def __init__(self, columns: Sequence[Sequence[fmpz]], height: int) -> None:
        self.columns, self.height = columns, height
        self.rows = fmpz_mat(len(columns), height, [entry for column in columns for entry in column])

    def independent(self, order: Sequence[int], without: int | None = None) -> list[int]:
        """Greedily the first columns of `order` (then of the rest) that are independent modulo the prime."""
        listed = [k for k in order if k != without]
        chosen = self._pivots(listed[: 4 * self.height]) if listed else []
        if len(chosen) < self.height:
            seen = {*chosen, without}
            chosen = self._pivots([*chosen, *(k for k in range(len(self.columns)) if k not in seen)])
        return chosen

    def _pivots(self, places: list[int]) -> list[int]:
        if not places:
            return []
        if len(places) == len(self.columns) and places == list(range(len(places))):
            matrix = self.rows.transpose()
        else:
            matrix = fmpz_mat([list(self.columns[k]) for k in places]).transpose()
        reduced, rank = nmod_mat(matrix, PRIME).rref()
        found, column = [], 0
        for row in range(rank):
            while int(reduced[row, column]) == 0:
                column += 1
            found.append(places[column])
        return found


def minimise(shared: Columns, right: Sequence[fmpz], costs: Sequence[fmpz] | None = None, order: Sequence[int] = (),
             without: int | None = None) -> Basic | Outside | Falling:
    """The exact optimum; `order` names columns to try first, `without` a column that may not be used."""
    basis = shared.independent(order, without)
    if len(basis) < shared.height:
        places = [k for k in range(len(shared.columns)) if k != without]
        return _reduced(shared, places, right, costs, order)
    return _Tableau(shared, list(right), costs, basis, without).run()


def _reduced(shared: Columns, places: list[int], right: Sequence[fmpz], costs: Sequence[fmpz] | None,
             order: Sequence[int]) -> Basic | Outside | Falling:
    """The same with some columns left out and dependent rows dropped, or the reason why the rows contradict."""
    height = shared.height
    if not places:
        if not any(right):
            return Basic({}, [fmpq(0)] * height)
        return Outside([fmpq(entry) for entry in right])
    matrix = fmpz_mat([list(shared.columns[k]) for k in places])
    null, nullity = matrix.nullspace()
    kept = list(range(height))
    if nullity:
        for j in range(nullity):
            direction = [null[i, j] for i in range(height)]
            value = sum((a * b for a, b in zip(direction, right, strict=True)), fmpz(0))
            if value:
                return Outside([fmpq(entry if value > 0 else -entry) for entry in direction])
        reduced, _, rank = matrix.rref()
        kept, column = [], 0
        for row in range(rank):
            while reduced[row, column] == 0:
                column += 1
            kept.append(column)
    if not kept:
        free = next((j for j, k in enumerate(places) if costs is not None and costs[k] < 0), None)
        if free is not None:
            return Falling({}, {places[free]: fmpq(1)})
        return Basic({}, [fmpq(0)] * height)
    smaller = Columns([[shared.columns[k][i] for i in kept] for k in places], len(kept))
    position = {k: j for j, k in enumerate(places)}
    preferred = [position[k] for k in order if k in position]
    chosen = smaller.independent(preferred)
    if len(chosen) < len(kept):  # the prime divides a minor: choose over Q instead
        chosen = _rational_pivots(smaller)
    found = _Tableau(smaller, [right[i] for i in kept], None if costs is None else [costs[k] for k in places],
                     chosen, None).run()

    def spread(vector: list[fmpq]) -> list[fmpq]:
        entries = dict(zip(kept, vector, strict=True))
        return [entries.get(i, fmpq(0)) for i in range(height)]

    if isinstance(found, Outside):
        return Outside(spread(found.direction))
    weights = {places[j]: w for j, w in found.weights.items()}
    if isinstance(found, Falling):
        return Falling(weights, {places[j]: r for j, r in found.ray.items()})
    return Basic(weights, spread(found.multipliers))


def _rational_pivots(shared: Columns) -> list[int]:
    reduced, _, rank = shared.rows.transpose().rref()
    found, column = [], 0
    for row in range(rank):
        while reduced[row, column] == 0:
            column += 1
        found.append(column)
    return found


class _Tableau:
    """A basis of columns and the steps from it; column -1 is the artificial one."""

    def __init__(self, shared: Columns, right: list[fmpz], costs: Sequence[fmpz] | None, basis: list[int],
                 without: int | None) -> None:
        self.shared, self.costs, self.basis, self.without = shared, costs, basis, without
        self.right = fmpz_mat(len(right), 1, right)
        self.artificial: list[fmpz] = []

    def column(self, k: int) -> Sequence[fmpz]:
        return self.artificial if k < 0 else self.shared.columns[k]

    def matrix(self) -> fmpz_mat:
        """The columns of the basis, as rows."""
        return fmpz_mat([list(self.column(k)) for k in self.basis])

    def run(self) -> Basic | Outside | Falling:
        weights = self.matrix().transpose().solve(self.right).entries()
        lowest = min(range(len(weights)), key=weights.__getitem__)
        if weights[lowest] < 0:
            negative = [self.shared.columns[k] for k, w in zip(self.basis, weights, strict=True) if w < 0]
            self.artificial = [-sum(entries, fmpz(0)) for entries in zip(*negative, strict=True)]
            self.basis[lowest] = -1
            found = self._descend(first=True)
            if found is not None:
                return found
        elif self.costs is None:
            return Basic({k: w for k, w in zip(self.basis, weights, strict=True) if w > 0},
                         [fmpq(0)] * self.shared.height)
        if self.costs is None:
            weights = self.matrix().transpose().solve(self.right).entries()
            return Basic({k: w for k, w in zip(self.basis, weights, strict=True) if w > 0},
                         [fmpq(0)] * self.shared.height)
        result = self._descend(first=False)
        assert result is not None
        return result

    def _descend(self, first: bool) -> Basic | Outside | Falling | None:
        """Steps until no column improves; None if the first phase has driven the artificial column out."""
        height, stalled = self.shared.height, False
        while True:
            rows = self.matrix()
            paid = [fmpz(k < 0) if first else self.costs[k] for k in self.basis]  # type: ignore[index]
            prices = rows.solve(fmpz_mat(height, 1, paid))
            assert isinstance(prices, fmpq_mat)
            scaled, scale = prices.numer_denom()
            entering = self._entering((self.shared.rows * scaled).entries(), scale, first, stalled)
            if entering is None:
                multipliers = prices.entries()
                if first:
                    return Outside(multipliers)
                weights = rows.transpose().solve(self.right).entries()
                return Basic({k: w for k, w in zip(self.basis, weights, strict=True) if w > 0}, multipliers)
            sides = fmpz_mat([list(pair) for pair in zip(self.right.entries(), self.column(entering), strict=True)])
            solved = rows.transpose().solve(sides).tolist()
            leaving = self._leaving(solved)
            if leaving is None:
                ray = {k: -pair[1] for k, pair in zip(self.basis, solved, strict=True) if pair[1]}
                ray[entering] = fmpq(1)
                return Falling({k: pair[0] for k, pair in zip(self.basis, solved, strict=True) if pair[0] > 0}, ray)
            stalled = solved[leaving][0] == 0
            gone, self.basis[leaving] = self.basis[leaving], entering
            if gone < 0:
                return None

    def _entering(self, earned: list[fmpz], scale: fmpz, first: bool, stalled: bool) -> int | None:
        """The column of the most negative reduced cost; the first such column after a step of length zero."""
        inside = set(self.basis)
        best, least = None, fmpz(0)
        for k, value in enumerate(earned):
            reduced = -value if first else self.costs[k] * scale - value  # type: ignore[index]
            if reduced < least and k not in inside and k != self.without:
                if stalled:
                    return k
                best, least = k, reduced
        return best

    def _leaving(self, solved: list[list[fmpq]]) -> int | None:
        """The row of the smallest ratio; among equals the artificial column, then the smallest index (Bland)."""
        best, ratio = None, fmpq(0)
        for i, (weight, share) in enumerate(solved):
            if share <= 0:
                continue
            here = weight / share
            if best is None or here < ratio or (here == ratio and self.basis[i] < self.basis[best]):
                best, ratio = i, here
        return best
