"""Vectors and matrices as sums of scalars times integer arrays.

A token in a regime is rest + c * (start - rest): two integer arrays and one symbol. Products are then products of
integer arrays; the symbol is multiplied once, not once an entry.
"""
from __future__ import annotations

from math import gcd
from operator import mul
from typing import Any

from .exact import ONE, ZERO, Rat, Undecided, common_denominator
from .polynomial import Ratio
from .schedules import Scalar, lift

MAX_PARTS = 8  # beyond, entry by entry is no worse
Array = Any  # list[int] or list[list[int]]
Part = tuple[Scalar, Array, int]  # coefficient, integers, positive denominator


class Span:
    """The sum of coefficient * array / denominator over `parts`; a part without symbols has the coefficient ONE."""

    __slots__ = ("known", "parts")

    def __init__(self, parts: list[Part]) -> None:
        self.parts = parts
        self.known: list[Any] | None = None

    def entries(self) -> list[Any]:
        """The same as a list, or a list of rows."""
        if self.known is None:
            first = self.parts[0][1]
            if type(first[0]) is list:
                self.known = [_entries([(c, array[k], den) for c, array, den in self.parts])
                              for k in range(len(first))]
            else:
                self.known = _entries(self.parts)
        return self.known

    def shape(self) -> tuple[int, ...]:
        array = self.parts[0][1]
        return (len(array), len(array[0])) if type(array[0]) is list else (len(array),)

    def is_matrix(self) -> bool:
        return type(self.parts[0][1][0]) is list

    def scaled(self, factor: Scalar) -> Span:
        if type(factor) is Rat:
            if factor.n == 0:
                return Span([(ONE, _times(self.parts[0][1], 0), 1)])
            return Span([(c, _times(array, factor.n), den * factor.d) for c, array, den in self.parts])
        return Span([(_product(c, factor), array, den) for c, array, den in self.parts])

    def plus(self, other: Span, sign: int) -> Span | None:
        """self + sign * other; None if there are too many parts."""
        if self.shape() != other.shape():
            raise Undecided("vectors or matrices of different sizes")
        parts = list(self.parts)
        for c, array, den in other.parts:
            place = next((k for k, part in enumerate(parts) if part[0] is c), None)
            if place is None:
                parts.append((c, array if sign > 0 else _times(array, -1), den))
            else:
                parts[place] = (c, *_sum(parts[place][1], parts[place][2], array, den, sign))
        return Span(parts) if len(parts) <= MAX_PARTS else None

    def applied(self, other: Span) -> Span | None:
        """This matrix times a vector or a matrix."""
        if self.shape()[1] != other.shape()[0]:
            raise Undecided("a matrix and a vector of different sizes")
        if len(self.parts) * len(other.parts) > MAX_PARTS:
            return None
        whole = other.is_matrix()
        parts: list[Part] = []
        for c, rows, den in self.parts:
            for e, array, below in other.parts:
                if whole:
                    columns = list(zip(*array, strict=True))
                    image = [[sum(map(mul, row, column)) for column in columns] for row in rows]
                else:
                    image = [sum(map(mul, row, array)) for row in rows]
                parts.append((_product(c, e), image, den * below))
        return Span(parts)


def inner(left: Span, right: Span) -> Scalar:
    """The inner product of two vectors."""
    if left.shape() != right.shape():
        raise Undecided("an inner product of vectors of different sizes")
    plain, symbolic = ZERO, None
    for c, row, den in left.parts:
        for e, other, below in right.parts:
            value = Rat(sum(map(mul, row, other)), den * below)
            if c is ONE and e is ONE:
                plain = plain + value if plain is not ZERO else value
            elif value.n:
                factor = _product(c, e)
                term = Ratio(factor.num.scaled(value), factor.den)
                symbolic = term if symbolic is None else symbolic + term
    return plain if symbolic is None else symbolic + lift(plain) if plain.n else symbolic


def span_of(value: Any) -> Span | None:
    """A list of numbers, or of rows, as a span; None if an entry is symbolic."""
    if not value:
        return None
    if type(value[0]) is list:
        if any(type(entry) is not Rat for row in value for entry in row):
            return None
        return Span([(ONE, *common_denominator(value))])
    if any(type(entry) is not Rat for entry in value):
        return None
    rows, den = common_denominator([value])
    return Span([(ONE, rows[0], den)])


def _product(left: Scalar, right: Scalar) -> Scalar:
    if left is ONE:
        return right
    return left if right is ONE else left * right


def _times(array: Array, factor: int) -> Array:
    if factor == 1:
        return array
    if type(array[0]) is list:
        return [[factor * entry for entry in row] for row in array]
    return [factor * entry for entry in array]


def _sum(left: Array, den: int, right: Array, below: int, sign: int) -> tuple[Array, int]:
    common = gcd(den, below)
    one, two = below // common, sign * (den // common)
    if type(left[0]) is list:
        return [[one * a + two * b for a, b in zip(row, other, strict=True)]
                for row, other in zip(left, right, strict=True)], den * one
    return [one * a + two * b for a, b in zip(left, right, strict=True)], den * one


def _entries(parts: list[Part]) -> list[Scalar]:
    if len(parts) == 1 and parts[0][0] is ONE:
        return [Rat(entry, parts[0][2]) for entry in parts[0][1]]
    found: list[Scalar] = []
    for k in range(len(parts[0][1])):
        total = None
        for c, array, den in parts:
            if array[k] == 0:
                continue
            share = Rat(array[k], den)
            term = lift(share) if c is ONE else Ratio(c.num.scaled(share), c.den)
            total = term if total is None else total + term
        found.append(ZERO if total is None else total)
    return found
