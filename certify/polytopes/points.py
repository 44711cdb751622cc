"""A finite set of points made ready for many exact questions: integers, floats with error bounds, a linear oracle.

Coordinates are integers over one denominator each, which is a linear change of coordinates. The floats beside them only
filter: the error of a product <direction, x_j> is bounded, and whatever the bound leaves open is decided in integers.
"""
from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from flint import fmpq, fmpz, fmpz_mat

from certify.errors import InputError

UNIT = 2.0**-52
LONG = 900  # bits that a float can hold with room for products


class Points:
    """Points of one dimension; equal ones are merged, the first index represents them."""

    def __init__(self, points: Sequence[Sequence[fmpq]]) -> None:
        if not points:
            raise InputError("points: there are none; accepted: at least one point")
        self.dimension = len(points[0])
        for j, point in enumerate(points):
            if len(point) != self.dimension:
                wrong = f"{len(point)} coordinates where the first has {self.dimension}"
                raise InputError(f"points[{j}]: {wrong}; accepted: points of one dimension")
        self.points = points
        self.scales = [_common(point[k] for point in points) for k in range(self.dimension)]
        whole = [tuple((entry * scale).p for entry, scale in zip(point, self.scales, strict=True)) for point in points]
        first: dict[tuple[fmpz, ...], int] = {}
        self.first = [first.setdefault(row, j) for j, row in enumerate(whole)]  # index of the first equal point
        self.distinct = [j for j, k in enumerate(self.first) if j == k]
        self.rows = [whole[j] for j in self.distinct]
        self.copies: dict[int, list[int]] = {}
        for j, k in enumerate(self.first):
            self.copies.setdefault(k, []).append(j)

    @cached_property
    def floats(self) -> Any:
        """The distinct points in floats, each coordinate scaled to at most about 1 in absolute value."""
        import numpy as np
        array = np.empty((len(self.rows), self.dimension))
        for k in range(self.dimension):
            column = [int(row[k]) for row in self.rows]
            longest = max(abs(v).bit_length() for v in column)
            shift = max(0, longest - LONG)
            array[:, k] = [float(v >> shift) for v in column]
            self.exponents.append(longest)
            array[:, k] *= 2.0 ** -(longest - shift)
        return array

    @cached_property
    def exponents(self) -> list[int]:
        """floats = rows / 2^exponent, coordinate by coordinate."""
        return []

    @cached_property
    def widest(self) -> Any:
        """Largest absolute value of each scaled coordinate, with the rounding added."""
        import numpy as np
        return np.abs(self.floats).max(axis=0) * (1 + 4 * UNIT) + 2.0**-800

    @cached_property
    def matrix(self) -> fmpz_mat:
        """The distinct points as integer rows."""
        return fmpz_mat(len(self.rows), self.dimension, [entry for row in self.rows for entry in row])

    def whole(self, direction: Sequence[fmpq]) -> list[fmpz]:
        """A direction for the integer coordinates, times a positive factor: <whole, row> orders as <direction, x>."""
        moved = [fmpq(entry) / scale for entry, scale in zip(direction, self.scales, strict=True)]
        common = _common(moved)
        return [(entry * common).p for entry in moved]

    def direction(self, whole: Sequence[fmpz]) -> list[fmpq]:
        """The direction in the original coordinates of one for the integer coordinates."""
        return [fmpq(entry * scale) for entry, scale in zip(whole, self.scales, strict=True)]

    def from_floats(self, direction: Any, bits: int = 26) -> list[fmpz]:
        """Integers for a direction that was found in the scaled floats, rounded to few bits."""
        self.floats  # noqa: B018 (sets the exponents)
        largest = float(abs(direction).max())
        if not 0 < largest < float("inf"):
            return [fmpz(0)] * self.dimension
        rounded = [round(float(entry) / largest * 2**bits) for entry in direction]
        top = max(self.exponents)
        return [fmpz(entry) << (top - e) for entry, e in zip(rounded, self.exponents, strict=True)]

    def lowest(self, direction: Sequence[fmpz]) -> list[int]:
        """Places (among the distinct points) of all minimisers of <direction, row>, exactly."""
        products, bound = self._products(direction)
        near = (products <= products.min() + 2 * bound).nonzero()[0]
        if len(near) == 1:
            return [int(near[0])]
        if 4 * len(near) > len(self.rows):
            exact = (self.matrix * fmpz_mat(self.dimension, 1, list(direction))).entries()
            least = min(exact)
            return [k for k, value in enumerate(exact) if value == least]
        places = [int(k) for k in near]
        chosen = fmpz_mat([list(self.rows[k]) for k in places])
        exact = (chosen * fmpz_mat(self.dimension, 1, list(direction))).entries()
        least = min(exact)
        return [k for k, value in zip(places, exact, strict=True) if value == least]

    def _products(self, direction: Sequence[fmpz]) -> tuple[Any, float]:
        """About <direction, row> for every row, in some unit, and a bound on the error of each."""
        import numpy as np
        floats = self.floats
        spread = [int(entry) << e for entry, e in zip(direction, self.exponents, strict=True)]
        shift = max(0, max(abs(v).bit_length() for v in spread) - 60)
        short = np.array([float(v >> shift) for v in spread])
        # each entry of `short` is off by at most 1 + 2^-53 |short|, each float by 2^-52 of itself and 2^-800
        size = float(self.widest @ (np.abs(short) * (self.dimension + 6) * UNIT + (2.0 if shift else 0.0)))
        return floats @ short, size + 2.0**-700


def _common(values: Any) -> fmpz:
    common = fmpz(1)
    for value in values:
        if value.q != 1:
            common = common * value.q // common.gcd(value.q)
    return common


class LinearOracle:
    """The linear minimisation oracle over a hull of points: argmin of <direction, .>, the whole optimal face.

    Hardmax attention takes an argmax: call the oracle with the negative direction.
    """

    def __init__(self, points: Sequence[Sequence[fmpq]]) -> None:
        self.prepared = Points(points)

    def argmin(self, direction: Sequence[fmpq]) -> list[int]:
        """Indices of all optimal points, increasing; equal points all count.

        Examples
        --------
        >>> LinearOracle([[fmpq(0)], [fmpq(1)], [fmpq(0)]]).argmin([fmpq(1)])
        [0, 2]
        """
        ready = self.prepared
        if len(direction) != ready.dimension:
            raise InputError(f"direction: {len(direction)} entries; accepted: {ready.dimension}, one a coordinate")
        found = ready.lowest(ready.whole(direction))
        if len(found) == 1 and len(ready.rows) == len(ready.points):
            return found
        return sorted(j for k in found for j in ready.copies[ready.distinct[k]])

    def value(self, direction: Sequence[fmpq], index: int) -> fmpq:
        """<direction, x_index>."""
        return sum((a * b for a, b in zip(direction, self.prepared.points[index], strict=True)), fmpq(0))
