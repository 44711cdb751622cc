"""Exact rational numbers, vectors and matrices on Python integers.

`Rat` reduces only while that is cheap: long trajectories carry denominators of many thousand bits, where a gcd
for every operation would cost far more than the operation.
"""
from __future__ import annotations

import re
from math import gcd, isqrt

REDUCE_BELOW = 1 << 512
MAX_DIGITS = 20_000
MAX_BITS = 1_000_000
_NUMBER = re.compile(r"(-?)(0|[1-9][0-9]*)(?:/([1-9][0-9]*))?\Z")
_CHUNK = 4_000  # Python refuses conversions above 4,300 digits; longer ones are done in pieces


class Reject(Exception):
    """The certificate is not accepted; the message says why."""


class Undecided(Exception):
    """Neither true nor false can be shown; never becomes a verdict by itself."""


def int_from_text(digits: str) -> int:
    """The natural number written by `digits`, of any length."""
    if len(digits) <= _CHUNK:
        return int(digits)
    half = len(digits) // 2
    high, low = int_from_text(digits[:-half]), int_from_text(digits[-half:])
    return high * int(10**half) + low


def text_from_int(value: int) -> str:
    """Decimal digits of an integer of any length."""
    if value < 0:
        return "-" + text_from_int(-value)
    if value.bit_length() < 13_000:
        return str(value)
    half = value.bit_length() * 30103 // 200000
    high, low = divmod(value, 10**half)
    return text_from_int(high) + text_from_int(low).zfill(half)


class Rat:
    """A rational n/d with d > 0, reduced while d is small."""

    __slots__ = ("d", "n")

    def __init__(self, n: int, d: int = 1) -> None:
        if d != 1 and d < REDUCE_BELOW:
            common = gcd(n, d)
            if common != 1:
                n //= common
                d //= common
        elif n.bit_length() > MAX_BITS or d.bit_length() > MAX_BITS:
            raise Undecided(f"a number of more than {MAX_BITS} bits")
        self.n = n
        self.d = d

    @staticmethod
    def parse(text: object) -> Rat:
        """Read a canonical exact number: "p" or "p/q" in lowest terms, q > 1, no -0."""
        if type(text) is not str:
            raise Reject(f"an exact number must be a string, not {type(text).__name__}")
        match = _NUMBER.match(text)
        if match is None or len(text) > 2 * MAX_DIGITS + 2:
            raise Reject(f"not a canonical exact number: {text[:40]!r}")
        sign, top, bottom = match.groups()
        if len(top) > MAX_DIGITS or len(bottom or "") > MAX_DIGITS:
            raise Reject(f"an exact number has more than {MAX_DIGITS} digits")
        n, d = int_from_text(top), int_from_text(bottom) if bottom else 1
        if (sign and n == 0) or (bottom and (d == 1 or gcd(n, d) != 1)):
            raise Reject(f"not a canonical exact number: {text[:40]!r}")
        value = Rat.__new__(Rat)
        value.n, value.d = (-n if sign else n), d
        return value

    def reduced(self) -> Rat:
        """The same number in lowest terms."""
        common = gcd(self.n, self.d)
        return self if common == 1 else Rat(self.n // common, self.d // common)

    def text(self) -> str:
        lowest = self.reduced()
        out = text_from_int(lowest.n) if lowest.d == 1 else f"{text_from_int(lowest.n)}/{text_from_int(lowest.d)}"
        if len(out) > MAX_DIGITS:
            raise Undecided(f"an exact number would need more than {MAX_DIGITS} digits")
        return out

    def __repr__(self) -> str:
        return f"Rat({self.n}, {self.d})"

    def __add__(self, other: Rat) -> Rat:
        if self.d == other.d:
            return Rat(self.n + other.n, self.d)
        return Rat(self.n * other.d + other.n * self.d, self.d * other.d)

    def __sub__(self, other: Rat) -> Rat:
        if self.d == other.d:
            return Rat(self.n - other.n, self.d)
        return Rat(self.n * other.d - other.n * self.d, self.d * other.d)

    def __mul__(self, other: Rat) -> Rat:
        return Rat(self.n * other.n, self.d * other.d)

    def __truediv__(self, other: Rat) -> Rat:
        if other.n == 0:
            raise Undecided("division by zero")
        if other.n < 0:
            return Rat(-self.n * other.d, -self.d * other.n)
        return Rat(self.n * other.d, self.d * other.n)

    def __neg__(self) -> Rat:
        return Rat(-self.n, self.d)

    def __pow__(self, exponent: int) -> Rat:
        if exponent < 0:
            return Rat(1) / self ** (-exponent)
        if exponent * max(self.n.bit_length(), self.d.bit_length()) > 2 * MAX_BITS:
            raise Undecided(f"a power of more than {MAX_BITS} bits")
        return Rat(self.n**exponent, self.d**exponent)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rat) and self.n * other.d == other.n * self.d

    __hash__ = None  # type: ignore[assignment]

    def sign(self) -> int:
        return (self.n > 0) - (self.n < 0)

    def __lt__(self, other: Rat) -> bool:
        return self.n * other.d < other.n * self.d

    def __gt__(self, other: Rat) -> bool:
        return other < self

    def __le__(self, other: Rat) -> bool:
        return self.n * other.d <= other.n * self.d


ZERO, ONE = Rat(0), Rat(1)


def sqrt_bounds(square: Rat, bits: int = 256) -> tuple[Rat, Rat]:
    """Rationals lo <= sqrt(square) <= hi about 2^-bits apart (relative); lo = hi when the root is rational."""
    common = gcd(square.n, square.d)
    n, d = square.n // common, square.d // common
    root_n, root_d = isqrt(n), isqrt(d)
    if root_n * root_n == n and root_d * root_d == d:
        exact = Rat(root_n, root_d)
        return exact, exact
    shift = max(0, bits - (n.bit_length() - d.bit_length()) // 2)
    scaled = isqrt((n << (2 * shift)) // d)
    return Rat(scaled, 1 << shift), Rat(scaled + 1, 1 << shift)


def common_denominator(rows: list[list[Rat]]) -> tuple[list[list[int]], int]:
    """Integer rows over one positive denominator."""
    den = 1
    for row in rows:
        for value in row:
            if den % value.d:
                den = den * value.d // gcd(den, value.d)
    return [[value.n * (den // value.d) for value in row] for row in rows], den
