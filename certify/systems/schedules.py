"""What a schedule of step sizes does in the long run, exactly: its limit, its sum, the product of 1 - g.

Whether tokens reach their limit hangs on this: the distance to a resting leader shrinks by the product of 1 - g, which
tends to 0 just when the sum of g diverges or some g is 1.

An expression in t is, on each residue class, a quotient of sums of a t^k r^t. One summand of each dominates, so that
g(t) ~ C t^k r^t, which settles limit and sum; bounds for all t are shown by the rule for signs that the verifier uses.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from flint import fmpq

from ..verifier.exact import Rat, Reject, Undecided
from ..verifier.polynomial import Domain, Poly, Ratio
from ..verifier.schedules import RANGE_TRIALS, Sequence, at_least_zero, expression, lift, time_symbol

# Times looked at one by one for a 0 or a 1. A rational schedule was accepted because g and 1 - g, written in t - T for
# some T <= max(RANGE_TRIALS), have nonnegative coefficients: after T they vanish nowhere, or everywhere.
HEAD = max(RANGE_TRIALS) + 2
PRODUCT_BITS = 128
TAIL_WANTED = fmpq(1, 2**40)  # factors are multiplied until the rest of the sum is less, or TERMS of them
TERMS = 4096


@dataclass(frozen=True)
class ScheduleFacts:
    """Facts about g(0), g(1), ...; None means that it is not known."""

    sequence: Sequence
    limit: fmpq | None  # None also where there is no limit: then `limit_points` has several
    limit_points: tuple[fmpq, ...] | None
    sum_diverges: bool | None
    reason: str  # why the sum diverges or converges
    below_one: bool | None  # g(t) < 1 for all t
    lower: fmpq  # a constant with g(t) >= lower for all t, positive if one is known
    bounded_below: bool | None  # some positive constant lies below all g(t)

    def product(self, start: int) -> tuple[fmpq, fmpq]:
        """Rationals lo <= P <= hi for the infinite product P of 1 - g(t) over t >= start; hi = 0 only if P = 0.

        Where g decays geometrically they are about 2^-40 apart, where g ~ C/t^k about C/4096^(k-1).
        """
        if self.sum_diverges:
            return fmpq(0), fmpq(0)
        return _product(self.sequence, start, self.sum_diverges is False)


@dataclass(frozen=True)
class Growth:
    """g(t) ~ factor * t^power * rate^t on one residue class; factor 0 if g vanishes there."""

    factor: fmpq
    power: int
    rate: fmpq

    @property
    def limit(self) -> fmpq:
        return self.factor if self.rate == 1 and self.power == 0 else fmpq(0)

    @property
    def diverges(self) -> bool:
        return self.factor != 0 and self.rate == 1 and self.power >= -1

    def text(self) -> str:
        if self.factor == 0:
            return "0"
        head = str(self.factor) if self.factor.q == 1 else f"({self.factor})"
        parts = [head] if self.factor != 1 or (self.power == 0 and self.rate == 1) else []
        parts += ["t" if self.power == 1 else f"t^{self.power}"] if self.power > 0 else []
        parts += [f"({self.rate})^t"] if self.rate != 1 else []
        text = "*".join(parts) or "1"
        return text + ("/t" if self.power == -1 else f"/t^{-self.power}") if self.power < 0 else text


def limits_of(sequence: Sequence) -> ScheduleFacts:
    """The facts about a schedule of step sizes in [0, 1].

    Examples
    --------
    >>> from certify.statements.parse import parse_expression
    >>> facts = limits_of(Sequence("scale", [None], parse_expression("2/(t+2)", "g")))
    >>> facts.limit, facts.sum_diverges, facts.reason
    (0, True, 'g behaves like 2/t, and the sum of 1/t diverges')
    """
    if sequence.kind != "scale":
        return _of_values(sequence)
    try:
        _, (classes,) = next(_readings(sequence, 0, (0,)))
        growths = [_growth(value) for _, value in classes]
    except (Undecided, Reject) as refusal:
        return ScheduleFacts(sequence, None, None, None, f"not known: {refusal}", _below_one(sequence), fmpq(0), None)
    points = tuple(sorted({growth.limit for growth in growths}))
    lower, bounded = _floor(sequence, points[0])
    return ScheduleFacts(sequence, points[0] if len(points) == 1 else None, points,
                         any(growth.diverges for growth in growths), _reason(growths), _below_one(sequence),
                         lower, bounded)


def _of_values(sequence: Sequence) -> ScheduleFacts:
    """A list, of which the last value repeats, or a cycle."""
    values = [fmpq(value.n, value.d) for value in sequence.values]
    lasting = values if sequence.kind == "cycle" else values[-1:]
    points = tuple(sorted(set(lasting)))
    largest = max(lasting)
    when = "once in every period" if len(points) > 1 else f"from t = {sequence.settled} on"
    reason = f"g is {largest} {when}" + (", and a constant adds up without bound" if largest else "")
    lower = min(values)
    return ScheduleFacts(sequence, points[0] if len(points) == 1 else None, points, largest > 0, reason,
                         max(values) < 1, lower, lower > 0)


def _reason(growths: list[Growth]) -> str:
    slowest = max(growths, key=lambda growth: (growth.factor != 0, growth.rate, growth.power))
    where = "" if len(set(growths)) == 1 else " on one residue class of t"
    if slowest.factor == 0:
        return "g is 0"
    sentence = f"g behaves like {slowest.text()}{where}, and "
    if slowest.rate != 1:
        return sentence + "a geometric series converges"
    if slowest.power >= 0:
        return sentence + "a constant adds up without bound"
    if slowest.power == -1:
        return sentence + "the sum of 1/t diverges"
    return sentence + f"the sum of 1/t^{-slowest.power} converges"


def _readings(sequence: Sequence, start: int, offsets: tuple[int, ...]) \
        -> Iterator[tuple[int, list[list[tuple[Domain, Ratio]]]]]:
    """(T, for every offset the function on every residue class) for more and more T >= start."""
    refusal: Exception = Undecided("an expression that cannot be read")
    found = False
    for ahead in RANGE_TRIALS:
        domains = [Domain(start + ahead + residue, None, sequence.period) for residue in range(sequence.period)]
        try:
            values = [[(domain, lift(expression(sequence.scale, time_symbol(offset), domain))) for domain in domains]
                      for offset in offsets]
        except Undecided as reason:
            refusal = reason
            continue
        found = True
        yield start + ahead, values
    if not found:
        raise refusal


def _growth(value: Ratio) -> Growth:
    top, bottom = _dominant(value.num), _dominant(value.den)
    if top is None or bottom is None:
        return Growth(fmpq(0), 0, fmpq(1))
    return Growth(top[2] / bottom[2], top[1] - bottom[1], top[0] / bottom[0])


def _dominant(poly: Poly) -> tuple[fmpq, int, fmpq] | None:
    """Rate, power and coefficient of the summand a t^k r^t that grows fastest."""
    summands: dict[tuple[fmpq, int], fmpq] = {}
    for monomial, coefficient in poly.terms.items():
        rate, power = fmpq(1), 0
        for name, exponent in monomial:
            if name == "t":
                power = exponent
            elif name.startswith("e:"):
                base = Rat.parse(name[2:])
                rate *= fmpq(base.n, base.d) ** exponent
            else:
                raise Undecided(f"the symbol {name} in a schedule")
        summands[rate, power] = summands.get((rate, power), fmpq(0)) + fmpq(coefficient.n, coefficient.d)
    left = [key for key, coefficient in summands.items() if coefficient != 0]
    return (*max(left), summands[max(left)]) if left else None


def _at(sequence: Sequence, t: int) -> fmpq:
    value = sequence.at(t)
    return fmpq(value.n, value.d)


def _shown(sequence: Sequence, start: int, test: Callable[[Ratio], Ratio], strict: bool = False) -> int | None:
    """A time from which on test(g) >= 0 (> 0) is shown."""
    for begin, (classes,) in _readings(sequence, start, (0,)):
        if all(at_least_zero(test(value), domain, strict) for domain, value in classes):
            return begin
    return None


def _below_one(sequence: Sequence) -> bool | None:
    """Whether g < 1 for all t: from some time on by signs, before it one by one."""
    try:
        begin = _shown(sequence, 0, lambda g: lift(Rat(1)) - g, strict=True)
        if any(_at(sequence, t) == 1 for t in range(HEAD if begin is None else begin)):
            return False
    except (Undecided, Reject):
        return None
    return None if begin is None else True


def _floor(sequence: Sequence, smallest_limit: fmpq) -> tuple[fmpq, bool | None]:
    """A constant below all g(t), and whether there is a positive one."""
    if smallest_limit <= 0:
        return fmpq(0), False
    for share in (fmpq(1), fmpq(3, 4), fmpq(1, 2), fmpq(1, 8)):
        bound = smallest_limit * share
        begin = _shown(sequence, 0, lambda g: g - lift(Rat(int(bound.p), int(bound.q))))
        if begin is not None:
            lowest = min([bound, *(_at(sequence, t) for t in range(begin))])
            return lowest, lowest > 0
    return fmpq(0), False if any(_at(sequence, t) == 0 for t in range(HEAD)) else None


def _product(sequence: Sequence, start: int, converges: bool) -> tuple[fmpq, fmpq]:
    """Factors multiplied one by one with outward rounding; the others have a product in [1 - sum of g, 1]."""
    low = high = fmpq(1)
    now = start
    for stop in (0, *(2**k for k in range(5, TERMS.bit_length()))):
        end = max(start + stop, sequence.settled)
        for t in range(now, end):
            factor = 1 - _at(sequence, t)
            if factor == 0:
                return fmpq(0), fmpq(0)
            low, high = _rounded(low * factor, False), _rounded(high * factor, True)
        now = max(now, end)
        left = _tail(sequence, now) if converges else None
        if left is not None and (left <= TAIL_WANTED or stop == TERMS):
            return max(fmpq(0), low * (1 - left)), high
    return fmpq(0), high


def _rounded(value: fmpq, up: bool) -> fmpq:
    """A neighbour with a numerator of few bits over a power of two."""
    excess = value.q.bit_length() - value.p.bit_length() + PRODUCT_BITS
    if value.q.bit_length() <= PRODUCT_BITS or excess <= 0:
        return value
    scaled = value * fmpq(2) ** excess
    return fmpq(scaled.ceil() if up else scaled.floor()) / fmpq(2) ** excess


def _tail(sequence: Sequence, start: int) -> fmpq | None:
    """An upper bound on the sum of g(t) over t >= start, if one is shown."""
    if sequence.kind != "scale":
        return fmpq(0)  # the sum converges, so g is 0 from here on
    period = sequence.period
    for begin, (here, after) in _readings(sequence, start, (0, period)):
        sums = [_class_tail(sequence, domain, value, later[1], period)
                for (domain, value), later in zip(here, after, strict=True)]
        if all(bound is not None for bound in sums):
            head = sum((_at(sequence, t) for t in range(start, begin)), fmpq(0))
            return sum((bound for bound in sums if bound is not None), head)
    return None


def _class_tail(sequence: Sequence, domain: Domain, value: Ratio, later: Ratio, period: int) -> fmpq | None:
    """The same on one residue class: by g(t+P) <= r g(t), or by g(t) <= M/t^k."""
    growth, first = _growth(value), domain.start
    if growth.factor == 0:
        return fmpq(0)
    if growth.rate < 1:
        ratio = growth.rate**period
        for rate in (ratio, (1 + ratio) / 2, (3 + ratio) / 4):
            if at_least_zero(lift(Rat(int(rate.p), int(rate.q))) * value - later, domain):
                return _at(sequence, first) / (1 - rate)
        return None
    order = -growth.power
    if first <= period:
        return None
    for excess in (fmpq(1), fmpq(9, 8), fmpq(2)):
        bound = growth.factor * excess
        most = lift(Rat(int(bound.p), int(bound.q))) / time_symbol(0) ** order
        if at_least_zero(most - value, domain):  # the sum of P/t^k over t >= s is at most the integral from s - P
            return bound / (period * (order - 1) * fmpq(first - period) ** (order - 1))
    return None
