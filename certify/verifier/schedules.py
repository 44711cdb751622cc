"""Data that depends on time: constants, expressions in t, lists (the last repeats) and cycles.

Every sequence can be read at one time t, or symbolically at all t = start + period*k at once.
"""
from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from .exact import ONE, Rat, Reject, Undecided
from .polynomial import Domain, Poly, Ratio
from .sorts import DECIMAL, Tree

Scalar = Any  # Rat or Ratio
RANGE_TRIALS = (0, *(2**k for k in range(13)))  # where a step size may begin to be nonnegative by coefficients


def lift(value: Scalar) -> Ratio:
    return value if isinstance(value, Ratio) else Ratio(Poly.constant(value))


def time_symbol(offset: int) -> Ratio:
    return Ratio(Poly.symbol("t") + Poly.constant(Rat(offset)))


def power(base: Scalar, exponent: Scalar, domain: Domain | None) -> Scalar:
    """base^exponent: a natural exponent, or a constant base and an exponent linear in t with integer coefficients."""
    fixed = exponent if isinstance(exponent, Rat) else exponent.as_constant()
    if fixed is not None:
        if fixed.d != 1:
            raise Undecided("an exponent that is not an integer")
        return base**fixed.n
    constant = base if isinstance(base, Rat) else base.as_constant()
    parts = [p.as_constant() for p in exponent.num.by_power("t")] if exponent.num.symbols() == ["t"] else []
    if constant is None or constant.n == 0 or domain is None or exponent.den.as_constant() != ONE or len(parts) != 2:
        raise Undecided("a power that is not a constant to an exponent linear in t")
    offset, slope = parts
    if offset is None or slope is None or offset.d != 1 or slope.d != 1 or abs(slope.n) > 1_000:
        raise Undecided("an exponent that is not linear in t with integer coefficients")
    sign = ONE
    if constant.n < 0:
        if slope.n * domain.period % 2:
            raise Undecided("powers of a negative number need an even period")
        constant = -constant
        sign = Rat(-1 if (slope.n * domain.start + offset.n) % 2 else 1)
    rate = constant**slope.n
    factor = lift(sign * constant**offset.n)
    if rate == ONE:
        return factor
    decays = rate < ONE
    symbol = "e:" + (rate if decays else ONE / rate).text()
    domain.scales[symbol] = (rate if decays else ONE / rate) ** domain.start
    return factor * Ratio(Poly.symbol(symbol)) if decays else factor / Ratio(Poly.symbol(symbol))


def expression(tree: Tree, time: Scalar, domain: Domain | None = None) -> Scalar:
    """Value of an expression in t at `time`: a number, or t + offset as a symbol over `domain`."""
    operator = tree[0] if type(tree) is list and tree else None
    if operator == "num" and len(tree) == 2:
        return decimal(tree[1])
    if operator == "var" and tree == ["var", "t"]:
        return time
    if operator == "neg" and len(tree) == 2:
        return -expression(tree[1], time, domain)
    if operator not in ("add", "sub", "mul", "div", "pow") or len(tree) != 3:
        raise Reject("not an expression in t")
    left, right = expression(tree[1], time, domain), expression(tree[2], time, domain)
    if operator == "pow":
        return power(left, right, domain)
    if isinstance(left, Ratio) or isinstance(right, Ratio):
        left, right = lift(left), lift(right)
    if operator == "div":
        return divide(left, right, domain)
    return left + right if operator == "add" else left - right if operator == "sub" else left * right


def divide(left: Scalar, right: Scalar, domain: Domain | None) -> Scalar:
    """left/right, after showing that the divisor vanishes nowhere on the domain."""
    if isinstance(right, Ratio) and right.as_constant() is None:
        if domain is None:
            raise Undecided("a divisor without a range")
        if not domain.nonnegative(right.num, True) and not domain.nonnegative(-right.num, True):
            raise Undecided("a divisor that may vanish")
    return left / right


def decimal(text: object) -> Rat:
    """Value of a literal such as 12 or 0.25."""
    if type(text) is not str or not DECIMAL.match(text):
        raise Reject("not a number literal")
    return _literal(text)


@lru_cache(maxsize=1_000)
def _literal(text: str) -> Rat:
    whole, _, places = text.partition(".")
    return Rat(int(whole + places), 10 ** len(places))


class Sequence:
    """A sequence of scalars or square matrices in t."""

    def __init__(self, kind: str, values: list[Any], scale: Tree = None) -> None:
        self.kind, self.values, self.scale = kind, values, scale  # kind: "list", "cycle" or "scale"
        self.settled = len(values) - 1 if kind == "list" else 0
        self.period = len(values) if kind == "cycle" else 2 if scale is not None and _alternates(scale) else 1

    def at(self, t: int) -> Any:
        return _scaled(*self.factors_at(t))

    def symbolic(self, offset: int, domain: Domain) -> Any:
        """The value at t + offset for every t of the domain."""
        return _scaled(*self.symbolic_factors(offset, domain))

    def factors_at(self, t: int) -> tuple[Any, Scalar | None]:
        """The value at t as one of `values` and a factor; None where the other is the whole."""
        if t < 0:
            raise Undecided("a time before 0")
        if self.kind == "list":
            return self.values[min(t, len(self.values) - 1)], None
        if self.kind == "cycle":
            return self.values[t % len(self.values)], None
        return self.values[0], expression(self.scale, Rat(t))

    def symbolic_factors(self, offset: int, domain: Domain) -> tuple[Any, Scalar | None]:
        first = domain.start + offset
        if first < 0:
            raise Undecided("a time before 0")
        if self.kind == "scale":
            return self.values[0], lift(expression(self.scale, time_symbol(offset), domain))
        if domain.end == domain.start:
            return self.factors_at(first)
        if self.kind == "list":
            if first < self.settled:
                raise Undecided(f"data that still changes at t = {first}")
            return self.values[-1], None
        if domain.period % self.period:
            raise Undecided("a period that is no multiple of the cycle")
        return self.factors_at(first)


def _alternates(tree: Tree) -> bool:
    return type(tree) is list and (tree[0] == "pow" or any(_alternates(part) for part in tree[1:]))


def _scaled(value: Any, factor: Scalar | None) -> Any:
    if factor is None or value is None:
        return value if factor is None else factor
    if isinstance(factor, Ratio):
        return [[lift(entry) * factor for entry in row] for row in value]
    return [[entry * factor for entry in row] for row in value]


def read_sequence(field: object, read: Any, scalar: bool) -> Sequence:
    """A sequence from its JSON form."""
    if isinstance(field, dict):
        if set(field) == {"scale", "matrix"} and not scalar:
            return Sequence("scale", [read(field["matrix"])], field["scale"])
        if len(field) == 1 and next(iter(field)) in ("list", "cycle"):
            kind, values = next(iter(field.items()))
            if type(values) is list and 0 < len(values) <= 10_000:
                return Sequence(kind, [read(v) for v in values])
        raise Reject("not a list, a cycle or a scaled matrix")
    if scalar and type(field) is list:
        return Sequence("scale", [None], field)
    return Sequence("list", [read(field)])


def require_everywhere(sequence: Sequence, unit: bool, what: str) -> None:
    """Show that a sequence is defined for all t and, if `unit`, lies in [0, 1] for all t."""
    def fine(value: Scalar, domain: Domain) -> bool:
        return not unit or (at_least_zero(value, domain) and at_least_zero(lift(ONE) - lift(value), domain))

    if not always(sequence, 0, fine):
        raise Reject(f"{what}: not shown to be {'in [0, 1]' if unit else 'defined'} for all t")


def always(sequence: Sequence, start: int, test: Callable[[Scalar, Domain], bool]) -> bool:
    """Whether `test` is shown for the scalar sequence (or the scale of a matrix sequence) at all t >= start.

    From some time on by one symbolic argument a residue class, before it one by one.
    """
    if sequence.kind == "list":
        return all(test(v, Domain()) for v in sequence.values[min(start, len(sequence.values) - 1):])
    if sequence.kind == "cycle":
        return all(test(v, Domain()) for v in sequence.values)
    for ahead in RANGE_TRIALS:
        try:
            domains = [Domain(start + ahead + residue, None, sequence.period) for residue in range(sequence.period)]
            if all(test(expression(sequence.scale, time_symbol(0), domain), domain) for domain in domains):
                return all(test(expression(sequence.scale, Rat(t)), Domain()) for t in range(start, start + ahead))
        except Undecided:
            continue
    return False


def at_least_zero(value: Scalar, domain: Domain, strict: bool = False) -> bool:
    """Whether value >= 0 (> 0) is shown on the whole domain."""
    if isinstance(value, Rat):
        return value.sign() >= (1 if strict else 0)
    if domain.nonnegative(value.den, True):
        return domain.nonnegative(value.num, strict)
    return domain.nonnegative(-value.den, True) and domain.nonnegative(-value.num, strict)
