"""Facts about step sizes, against values computed one by one and products known in closed form."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

import certify
from certify.systems.schedules import ScheduleFacts, limits_of
from certify.verifier.exact import Rat, Undecided
from certify.verifier.schedules import Sequence, read_sequence, require_everywhere

ZERO, ONE = fmpq(0), fmpq(1)


def schedule(written: Any) -> Sequence:
    fields = certify.instance("hardmax", x=[["1"]], B=[["1"]], g=written).fields
    sequence = read_sequence(fields["g"], Rat.parse, True)
    require_everywhere(sequence, True, "g")
    return sequence


def facts_of(written: Any) -> ScheduleFacts:
    return limits_of(schedule(written))


def fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


# written, limit (None: no limit), the sum diverges, g < 1 for all t, above a positive constant for all t
FACTS = [
    ("2/(t+2)", 0, True, False, False),
    ("1/(t+1)", 0, True, False, False),
    ("1/(t+2)", 0, True, True, False),
    ("t/(2*(t+1)^2)", 0, True, True, False),
    ("1/(t+2)+(1/2)^(t+2)", 0, True, True, False),
    ("1/3", "1/3", True, True, True),
    ("1/3+0*t", "1/3", True, True, True),
    ("1", 1, True, False, True),
    ("0", 0, False, True, False),
    ("0*t", 0, False, True, False),
    ("1/(t+2)^2", 0, False, True, False),
    ("1/(t+1)^2", 0, False, False, False),
    ("(t-3)^2/(t+9)^4", 0, False, True, False),
    ("(1/2)^t", 0, False, False, False),
    ("(1/2)^(t+1)", 0, False, True, False),
    ("1-(1/2)^t", 1, True, True, False),
    ("1/2+(1/3)^(t+1)", "1/2", True, True, True),
    ("1/4+(-1/2)^t/4", "1/4", True, True, True),
    ("4*(1/2)^t*(1-(1/2)^t)", 0, False, False, False),
    ("t/(t+3)", 1, True, True, False),
    ("(t^2+1)/(t^2+7*t+3)", 1, True, True, True),
    ("(t-3)^2/(t^2+9)", 1, True, False, False),
    ("(1+(-1)^t)/4", None, True, True, False),
    ("1/2+(-1)^t/3", None, True, True, True),
    ("(1+(-1)^t)/(4*(t+1)^2)", 0, False, True, False),
    (["1", "1/2", "0"], 0, False, False, False),
    (["0", "1/2"], "1/2", True, True, False),
    (["3/4", "1/2"], "1/2", True, True, True),
    ({"cycle": ["1/2", "1/3"]}, None, True, True, True),
    ({"cycle": ["1/2", "0"]}, None, True, True, False),
    ({"cycle": ["1/2", "1/2"]}, "1/2", True, True, True),
    ({"cycle": ["0", "0"]}, 0, False, True, False),
    ({"cycle": ["1", "1/5"]}, None, True, False, True),
]


@pytest.mark.parametrize(("written", "limit", "diverges", "below", "bounded"), FACTS, ids=lambda value: str(value))
def test_facts(written: Any, limit: Any, diverges: bool, below: bool, bounded: bool) -> None:
    facts = facts_of(written)
    assert facts.limit == (None if limit is None else fmpq(*map(int, str(limit).split("/"))))
    assert (facts.sum_diverges, facts.below_one, facts.bounded_below) == (diverges, below, bounded)
    assert (facts.lower > 0) is bounded


@pytest.mark.parametrize("written", [entry[0] for entry in FACTS], ids=str)
def test_facts_agree_with_the_values(written: Any) -> None:
    sequence = schedule(written)
    facts = limits_of(sequence)
    values = [Fraction(v.n, v.d) for v in map(sequence.at, range(400))]
    assert fraction(facts.lower) <= min(values)
    assert facts.below_one is (max(values) < 1)  # in this list g = 1 happens early or never
    assert facts.limit_points is not None
    assert all(min(abs(value - fraction(point)) for point in facts.limit_points) < Fraction(1, 20)
               for value in values[-2:])
    for start in (0, 1, 7):
        low, high = map(fraction, facts.product(start))
        product = Fraction(1)
        for value in values[start:]:
            product *= 1 - value
        assert 0 <= low <= high <= 1 and low <= product  # the whole product is at most the finite one
        if facts.sum_diverges or any(value == 1 for value in values[start:]):
            assert low == high == 0
        else:
            assert low > 0 and high - low < Fraction(1, 1000)
            assert high <= product or high - product < Fraction(1, 2**40)


CLOSED = [  # products of 1 - g from a start, by telescoping or because nothing is left to multiply
    ("1/(t+2)^2", 0, Fraction(1, 2)),  # (s+1)/(s+2)
    ("1/(t+2)^2", 5, Fraction(6, 7)),
    ("1/(t+2)^2", 1000, Fraction(1001, 1002)),
    ("2/((t+2)*(t+3))", 0, Fraction(1, 3)),  # (t+1)(t+4)/((t+2)(t+3))
    (["1/2", "1/3", "0"], 0, Fraction(1, 3)),
    (["1/2", "1/3", "0"], 1, Fraction(2, 3)),
    (["1/2", "1/3", "0"], 9, Fraction(1)),
    (["1/2", "1", "0"], 0, Fraction(0)),
    (["1/2", "1", "0"], 2, Fraction(1)),
    ("0", 3, Fraction(1)),
    ("(1/2)^t", 0, Fraction(0)),
]


@pytest.mark.parametrize(("written", "start", "product"), CLOSED, ids=str)
def test_products_in_closed_form(written: Any, start: int, product: Fraction) -> None:
    low, high = map(fraction, facts_of(written).product(start))
    assert low <= product <= high
    assert high - low < Fraction(1, 4000)


def test_the_product_of_one_minus_powers_of_two() -> None:
    low, high = map(fraction, facts_of("(1/2)^(t+1)").product(0))
    digits = Fraction("0.288788095086602421278899721929230780")  # Euler's function at 1/2
    assert low <= digits + Fraction(1, 10**36) and digits <= high and high - low < Fraction(1, 2**39)


REASONS = [
    ("2/(t+2)", "g behaves like 2/t, and the sum of 1/t diverges"),
    ("t/(2*(t+1)^2)", "g behaves like (1/2)/t, and the sum of 1/t diverges"),
    ("1/(t+2)^3", "g behaves like 1/t^3, and the sum of 1/t^3 converges"),
    ("(1/2)^t", "g behaves like (1/2)^t, and a geometric series converges"),
    ("t/(t+3)", "g behaves like 1, and a constant adds up without bound"),
    ("(1+(-1)^t)/(4*(t+1))",
     "g behaves like (1/2)/t on one residue class of t, and the sum of 1/t diverges"),
    ("0*t", "g is 0"),
    ("1/3", "g is 1/3 from t = 0 on, and a constant adds up without bound"),
    (["1/3", "0"], "g is 0 from t = 1 on"),
    ({"cycle": ["1/3", "0"]}, "g is 1/3 once in every period, and a constant adds up without bound"),
]


@pytest.mark.parametrize(("written", "reason"), REASONS, ids=str)
def test_reasons(written: Any, reason: str) -> None:
    assert facts_of(written).reason == reason


def test_what_cannot_be_read_is_not_known() -> None:
    # a power of t to the t never passes as an instance, and no fact may be claimed about it
    power = Sequence("scale", [None], ["pow", ["var", "t"], ["var", "t"]])
    with pytest.raises(Undecided):
        power.symbolic(0, certify.verifier.polynomial.Domain(0, None, 2))
    facts = limits_of(power)
    assert (facts.limit, facts.sum_diverges, facts.bounded_below, facts.lower) == (None, None, None, ZERO)
    assert facts.reason.startswith("not known: ")


def test_facts_are_frozen() -> None:
    with pytest.raises(AttributeError):
        facts_of("1/3").limit = ONE  # type: ignore[misc]
