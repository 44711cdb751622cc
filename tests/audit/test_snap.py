"""Snapping: the moved data meet the assumptions exactly and move no farther than allowed."""
from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import certify
from certify.errors import UnableError
from certify.snapping import simplest

CLAIM = certify.load("fw25v1/thm-3.1")


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.fractions(max_denominator=50), st.fractions(min_value=Fraction(1, 1000), max_value=1, max_denominator=1000))
def test_simplest_has_the_least_denominator(middle: Fraction, reach: Fraction) -> None:
    found = simplest(middle - reach, middle + reach)
    assert abs(found - middle) <= reach
    for q in range(1, found.denominator):
        lowest = -((-(middle - reach) * q).__floor__())
        assert Fraction(lowest, q) > middle + reach


def test_rounded_rotation_of_a_diagonal_matrix_becomes_symmetric() -> None:
    import numpy as np
    rng = np.random.default_rng(5)
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    b = -(q @ np.diag([3.0, 1.0, 0.5]) @ q.T)
    b[0, 1] += 1e-13
    tokens = rng.normal(size=(5, 3))
    tokens[4] = -tokens[:4].sum(axis=0)
    data = certify.instance("hardmax", x=tokens, B=b, g="2/(t+2)")
    assert certify.check(CLAIM, data, horizon=5).verdict["line"] == "H1"
    found = certify.snap(CLAIM, data, "1e-6")
    assert found.distance <= Fraction(1, 10**6)
    rows = [[Fraction(entry) for entry in row] for row in found.instance.fields["B"]]
    assert all(rows[i][j] == rows[j][i] for i in range(3) for j in range(3))
    assert max(abs(float(rows[i][j]) - b[i, j]) for i in range(3) for j in range(3)) <= 1.0001e-6
    assert certify.check(CLAIM, found.instance, horizon=5).kind in ("refuted", "holds")


def test_origin_just_outside_the_hull_is_brought_in() -> None:
    data = certify.instance("hardmax", x=[["1", "1/1000000000"], ["-1", "1/1000000000"], ["0", "2"]],
                            B=[[-1, 0], [0, -1]], g="2/(t+2)")
    assert certify.check(CLAIM, data, horizon=5).verdict["line"] == "H4"
    found = certify.snap(CLAIM, data, "1e-6")
    assert 0 < found.distance <= Fraction(1, 10**6)


def test_almost_psd_and_wrong_steps() -> None:
    data = certify.instance("hardmax", x=[[1], [-1]], B=[["1e-12"]], g="2/(t+2)")
    assert certify.snap(CLAIM, data, "1e-9").instance.fields["B"] in ([["0"]], [["-1/1000000000000"]])
    steps = certify.instance("hardmax", x=[[1], [-1]], B=[[-1]], g=["1", "0.6666667", "0.5", "0.4"])
    with pytest.raises(UnableError, match="H3"):
        certify.snap(CLAIM, steps, "1e-6")


def test_far_data_are_not_moved() -> None:
    data = certify.instance("hardmax", x=[[3], [1]], B=[[-1]], g="2/(t+2)")
    with pytest.raises(UnableError, match="H4"):
        certify.snap(CLAIM, data, "1e-3")
