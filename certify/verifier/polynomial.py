"""Polynomials in the symbols of an all-time argument, and their signs over whole ranges.

Symbols: "t" (time), "c" (contraction of a regime), "e:r" (the power r^t, 0 < r < 1), "L:..." (a number known by
bounds), "u:k" (coordinates of an unknown point of a hull). A `Domain` says where each symbol ranges.
One rule decides signs: move every range to [0, infinity) and look for coefficients that are all nonnegative.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from math import comb
from typing import Any

from .exact import ONE, ZERO, Rat, Reject, Undecided

MAX_TERMS, MAX_DEGREE = 20_000, 200
Monomial = tuple[tuple[str, int], ...]


class Poly:
    """A polynomial over Q: a map from monomials to nonzero coefficients."""

    __slots__ = ("terms",)

    def __init__(self, terms: dict[Monomial, Rat]) -> None:
        self.terms = {m: a for m, a in terms.items() if a.n}
        if len(self.terms) > MAX_TERMS:
            raise Undecided("a polynomial with too many terms")

    @staticmethod
    def constant(value: Rat) -> Poly:
        return Poly({(): value})

    @staticmethod
    def symbol(name: str) -> Poly:
        return Poly({((name, 1),): ONE})

    def __add__(self, other: Poly) -> Poly:
        terms = dict(self.terms)
        for m, a in other.terms.items():
            terms[m] = terms[m] + a if m in terms else a
        return Poly(terms)

    def __neg__(self) -> Poly:
        return Poly({m: -a for m, a in self.terms.items()})

    def __sub__(self, other: Poly) -> Poly:
        return self + (-other)

    def __mul__(self, other: Poly) -> Poly:
        return sum_of_products([(self, other)])

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Poly) and self.terms.keys() == other.terms.keys()
                                 and all(a == other.terms[m] for m, a in self.terms.items()))

    def scaled(self, factor: Rat) -> Poly:
        return self if factor == ONE else Poly({m: a * factor for m, a in self.terms.items()})

    __hash__ = None  # type: ignore[assignment]

    def symbols(self) -> list[str]:
        return sorted({name for m in self.terms for name, _ in m})

    def as_constant(self) -> Rat | None:
        if not self.terms:
            return ZERO
        return self.terms.get(()) if len(self.terms) == 1 else None

    def by_power(self, name: str) -> list[Poly]:
        """Coefficients of name^0, name^1, ... as polynomials in the other symbols."""
        parts: dict[int, dict[Monomial, Rat]] = {}
        for m, a in self.terms.items():
            power = dict(m).get(name, 0)
            parts.setdefault(power, {})[tuple(f for f in m if f[0] != name)] = a
        top = max(parts, default=0)
        if top > MAX_DEGREE:
            raise Undecided("a polynomial of too high degree")
        return [Poly(parts.get(k, {})) for k in range(top + 1)]

    def degree(self, name: str) -> int:
        return max((dict(m).get(name, 0) for m in self.terms), default=0)

    def substitute(self, name: str, value: Poly) -> Poly:
        result = Poly({})
        for coefficient in reversed(self.by_power(name)):
            result = result * value + coefficient
        return result


def sum_of_products(pairs: Iterable[tuple[Poly, Poly]]) -> Poly:
    """The sum of left*right over the pairs."""
    terms: dict[Monomial, Rat] = {}
    for left, right in pairs:
        for m, a in left.terms.items():
            for k, b in right.terms.items():
                key = _times(m, k)
                value = a * b
                terms[key] = terms[key] + value if key in terms else value
            if len(terms) > MAX_TERMS:
                raise Undecided("a polynomial with too many terms")
    return Poly(terms)


def _times(left: Monomial, right: Monomial) -> Monomial:
    if not left or not right:
        return left or right
    powers = dict(left)
    for name, power in right:
        powers[name] = powers.get(name, 0) + power
    return tuple(sorted(powers.items()))


def from_powers(name: str, coefficients: Iterable[Poly]) -> Poly:
    terms: dict[Monomial, Rat] = {}
    for power, coefficient in enumerate(coefficients):
        for m, a in coefficient.terms.items():
            terms[_times(m, ((name, power),) if power else ())] = a
    return Poly(terms)


class Ratio:
    """A quotient of polynomials; whoever compares it must show that the denominator does not vanish."""

    __slots__ = ("den", "num")

    def __init__(self, num: Poly, den: Poly | None = None) -> None:
        if den is not None and den is not UNIT:
            if not den.terms:
                raise Undecided("division by zero")
            constant = den.as_constant()
            if constant is not None:
                num, den = num.scaled(ONE / constant), UNIT
        self.num, self.den = num, UNIT if den is None else den

    def __add__(self, other: Ratio) -> Ratio:
        if self.den is other.den or self.den == other.den:
            return Ratio(self.num + other.num, self.den)
        if other.den is UNIT:
            return Ratio(self.num + other.num * self.den, self.den)
        if self.den is UNIT:
            return other + self
        return Ratio(self.num * other.den + other.num * self.den, self.den * other.den)

    def __neg__(self) -> Ratio:
        return Ratio(-self.num, self.den)

    def __sub__(self, other: Ratio) -> Ratio:
        return self + (-other)

    def __mul__(self, other: Ratio) -> Ratio:
        for one, two in ((self, other), (other, self)):
            factor = two.as_constant()
            if factor is not None:
                return Ratio(one.num.scaled(factor), one.den) if factor.n else Ratio(Poly({}), one.den)
        if self.den == other.num:
            return Ratio(self.num, other.den)
        if other.den == self.num:
            return Ratio(other.num, self.den)
        return Ratio(self.num * other.num, self.den * other.den)

    def __truediv__(self, other: Ratio) -> Ratio:
        if not other.num.terms:
            raise Undecided("division by zero")
        return self * Ratio(other.den, other.num)

    def __pow__(self, exponent: int) -> Ratio:
        if not 0 <= exponent <= MAX_DEGREE:
            raise Undecided("a symbolic power that is negative or too high")
        result = Ratio(UNIT)
        for _ in range(exponent):
            result = result * self
        return result

    def as_constant(self) -> Rat | None:
        num, den = self.num.as_constant(), self.den.as_constant()
        return num / den if num is not None and den is not None else None


UNIT = Poly.constant(ONE)


def same(left: Ratio, right: Ratio) -> bool:
    """Equality as rational functions."""
    return left.num * right.den == right.num * left.den


class Domain:
    """Where the symbols range. `unknown` decides signs over the points of a hull (the trap)."""

    def __init__(self, start: int = 0, end: int | None = 0, period: int = 1) -> None:
        self.start, self.end, self.period = start, end, period
        self.scales: dict[str, Rat] = {}  # symbol in (0, scale]
        self.closed: set[str] = set()  # symbols for which 0 itself must be allowed
        self.bounds: dict[str, tuple[Rat, Rat]] = {}  # symbol in [lo, hi]
        self.unknown: Callable[[Poly, bool, Domain], bool] | None = None
        self.memory: dict[Any, Any] = {}  # what was computed over this range; nothing rests on it

    def nonnegative(self, poly: Poly, strict: bool = False) -> bool:
        """True only if poly >= 0 (> 0 if strict) on the whole domain; False says nothing."""
        constant = poly.as_constant()
        if constant is not None:
            return constant.sign() >= (1 if strict else 0)
        names = poly.symbols()
        for name in names:
            if name in self.bounds and poly.degree(name) == 1:
                return all(self.nonnegative(poly.substitute(name, Poly.constant(end)), strict)
                           for end in self.bounds[name])
        if any(name.startswith("u:") for name in names):
            return self.unknown is not None and self.unknown(poly, strict, self)
        if len(names) == 1 and names[0] in self.scales and poly.degree(names[0]) <= 2:
            return self._quadratic(poly, names[0], strict)
        finite: list[tuple[str, int]] = []  # symbols with two ends, and their top power
        for name in names:
            parts = poly.by_power(name)
            if name == "t" and self.end is None:
                parts = _shift(parts, Rat(self.start), Rat(self.period))
            elif name == "t":
                steps = (self.end - self.start) // self.period  # type: ignore[operator]
                parts = _shift(parts, Rat(self.start), Rat(steps * self.period))
                parts = _unfold(parts, True) if steps else parts[:1]
            elif name in self.bounds:
                low, high = self.bounds[name]
                parts = _unfold(_shift(parts, low, high - low), True)
            elif name in self.scales:
                scale = self.scales[name]
                parts = _unfold([p * Poly.constant(scale**k) for k, p in enumerate(parts)], False)
            else:
                raise Reject(f"symbol {name} without a range")
            if len(parts) > 1 and (name in self.bounds or (name == "t" and self.end is not None)):
                finite.append((name, len(parts) - 1))
            poly = from_powers(name, parts)
        if any(a.n < 0 for a in poly.terms.values()):
            return False
        if not strict:
            return True
        if self.closed.intersection(names):
            return False
        corners: list[Monomial] = [()]
        for end in finite:
            corners += [_times(corner, (end,)) for corner in corners]
        return all(corner in poly.terms for corner in corners)

    def _quadratic(self, poly: Poly, name: str, strict: bool) -> bool:
        """Exact sign of a + bc + dc^2 on (0, 1] after scaling, and at 0 too where the symbol may vanish."""
        parts = [p.as_constant() or ZERO for p in poly.by_power(name)] + [ZERO, ZERO]
        scale = self.scales[name]
        a, b, d = parts[0], parts[1] * scale, parts[2] * scale * scale
        if strict and name in self.closed and a.sign() <= 0:
            return False
        return positive_on_unit(a, b, d) if strict else nonnegative_on_unit(a, b, d)


def positive_on_unit(a: Rat, b: Rat, d: Rat) -> bool:
    """Whether a + bc + dc^2 > 0 for all c in (0, 1]."""
    end, mid = a + b + d, a + a + b
    if a.sign() < 0 or end.sign() <= 0:
        return False
    return mid.sign() >= 0 or mid * mid < Rat(4) * a * end


def nonnegative_on_unit(a: Rat, b: Rat, d: Rat) -> bool:
    """Whether a + bc + dc^2 >= 0 for all c in [0, 1]."""
    end, mid = a + b + d, a + a + b
    if a.sign() < 0 or end.sign() < 0:
        return False
    # Bernstein coefficients a, mid/2, end: nonnegative iff mid/2 >= -sqrt(a end)
    return mid.sign() >= 0 or mid * mid <= Rat(4) * a * end


def _shift(parts: list[Poly], start: Rat, width: Rat) -> list[Poly]:
    """Coefficients in k after the symbol becomes start + width*k."""
    result: list[Poly] = [Poly({}) for _ in parts]
    for power, part in enumerate(parts):
        for k in range(power + 1):
            factor = Rat(comb(power, k)) * start ** (power - k) * width**k
            result[k] = result[k] + part * Poly.constant(factor)
    return result


def _unfold(parts: list[Poly], from_zero: bool) -> list[Poly]:
    """Coefficients in u, times (1+u)^n, after s = u/(1+u) (from_zero) or s = 1/(1+u)."""
    top = len(parts) - 1
    result: list[Poly] = [Poly({}) for _ in parts]
    for power, part in enumerate(parts):
        for k in range(top - power + 1):
            index = k + power if from_zero else k
            result[index] = result[index] + part * Poly.constant(Rat(comb(top - power, k)))
    return result
