"""`c in (0, 1]`: one truth at all c, against sampled values of c."""
from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

import certify

DATA = certify.instance("none", a="3", b="-1", e="2")


def verdict(formula: str, a: Fraction, b: Fraction, e: Fraction) -> str:
    claim = certify.parse(f"claim mine/share system none given a: scalar; b: scalar; e: scalar assert {formula}")
    return certify.check(claim, certify.instance("none", a=str(a), b=str(b), e=str(e))).kind


@pytest.mark.parametrize("seed", range(60))
def test_quadratics_on_the_interval_are_decided_exactly(seed: int) -> None:
    """a + b c + e c^2 > 0 for all c in (0, 1]: by the vertex of the parabola, in fractions."""
    print("seed", seed)
    random = Random(seed)
    a, b, e = (Fraction(random.randint(-6, 6), random.randint(1, 3)) for _ in range(3))
    inside = [Fraction(1)] + ([-b / (2 * e)] if e and 0 < -b / (2 * e) < 1 else [])
    values = [a + b * c + e * c * c for c in inside]
    positive = min(values) > 0 and a >= 0  # near 0 the value is close to a
    found = verdict("forall c in (0, 1]: a + b*c + e*c*c > 0", a, b, e)
    samples = [Fraction(k, 64) for k in range(1, 65)]
    signs = [a + b * c + e * c * c > 0 for c in samples]
    if found == "holds":
        assert positive and all(signs)
    elif found == "refuted":  # false at every c
        assert not any(signs)
    else:
        assert not positive
    if positive:
        assert found == "holds"


def test_zero_is_not_among_the_numbers() -> None:
    one = Fraction(1)
    assert verdict("forall c in (0, 1]: c > 0", one, one, one) == "holds"
    assert verdict("forall c in (0, 1]: 1/c >= 1", one, one, one) == "holds"
    assert verdict("forall c in (0, 1]: 1/(1 - c) = 1/(1 - c)", one, one, one) == "undecided"
    assert verdict("exists c in (0, 1]: c <= 0", one, one, one) == "refuted"


def test_true_at_some_and_false_at_others_is_undecided() -> None:
    one = Fraction(1)
    assert verdict("forall c in (0, 1]: c < 1", one, one, one) == "undecided"
    assert verdict("exists c in (0, 1]: c = 1", one, one, one) == "undecided"
    assert verdict("forall c in (0, 1]: c*c <= c", one, one, one) == "holds"


def test_two_numbers_are_independent() -> None:
    one = Fraction(1)
    assert verdict("forall c in (0, 1], f in (0, 1]: c*f <= 1", one, one, one) == "holds"
    assert verdict("forall c in (0, 1], f in (0, 1]: c <= f", one, one, one) == "undecided"


@pytest.mark.parametrize("text", [
    "forall t in (0, 1]: t > 0", "forall i in (0, 1]: a > 0", "(sum c in (0, 1]: c) > 0",
    "forall c in (0, 1]: forall c in (0, 1]: c > 0"])
def test_where_such_a_name_may_not_stand(text: str) -> None:
    with pytest.raises(certify.InputError):
        certify.parse(f"claim mine/share system none given a: scalar assert {text}")


def test_the_flow_follows_the_closed_form_at_sampled_times() -> None:
    """thm-ode holds: along the segments the vertex leads strictly, checked by brute force at sampled c."""
    claim = certify.load("fw25v1/thm-ode")
    result = certify.check(claim, certify.claims.named_instance(claim, "square"))
    assert result.verdict["kind"] == "holds" and result.verdict["T"] == "forever"
    square = [(1, 1), (1, -1), (-1, 1), (-1, -1), (Fraction(1, 2), Fraction(1, 4))]
    for k in range(1, 65):
        c = Fraction(k, 64)
        moved = [*square[:4], tuple(c * a + (1 - c) for a in square[4])]
        scores = [moved[4][0] * y[0] + moved[4][1] * y[1] for y in moved]
        assert scores[0] > max(scores[1:4]) and (moved[4] == moved[0] or scores[0] > scores[4])
