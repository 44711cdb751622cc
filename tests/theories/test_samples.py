"""Random starts and statistics: the sampler, the interval and the verdict, against other computations."""
from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import exp
from typing import Any

import pytest
from scipy.stats import beta, chi2

import certify
from certify.errors import InputError
from certify.verifier.exact import Reject
from certify.verifier.kernel import verify
from certify.verifier.samples import SPREAD, Coins, Gaussian, interval

OWN = certify.load("fw25v1/own-cell-gaussian")


def random_start(dimension: int = 2, tokens: int = 3, samples: int = 40, seed: str = "7") -> dict[str, Any]:
    return {"gaussian": {"tokens": tokens, "dimension": dimension, "samples": samples, "seed": seed}}


def data(B: list[list[str]], **sizes: Any) -> certify.Instance:
    return certify.instance("hardmax", x=random_start(len(B), **sizes), B=B, g="1/2")


def test_the_share_is_counted_by_brute_force() -> None:
    result = certify.check(OWN, data([["2", "0"], ["0", "1"]], samples=60))
    drawn, hits = Gaussian(random_start(samples=60)), 0
    for _ in range(60):
        points = [[Fraction(v.n, v.d) for v in row] for row in drawn.draw()]
        inner = [[2 * a[0] * b[0] + a[1] * b[1] for b in points] for a in points]
        hits += all(inner[i][j] < inner[i][i] for i in range(3) for j in range(3) if i != j)
    assert 0 < hits < 60
    assert result.verdict == {"kind": "measured", "true": hits, "samples": 60, "level": "19/20",
                              "low": result.verdict["low"], "high": result.verdict["high"], "evidence": "statistical"}
    assert result.evidence == "statistical"


@pytest.mark.parametrize(("hits", "samples"), [(0, 10), (1, 10), (5, 10), (10, 10), (37, 100), (3, 500), (999, 1000)])
def test_the_interval_is_the_quantiles_of_the_beta_distribution_rounded_outward(hits: int, samples: int) -> None:
    low, high = (Fraction(end.n, end.d) for end in interval(hits, samples))
    exact_low = beta.ppf(0.025, hits, samples - hits + 1) if hits else 0.0
    exact_high = beta.ppf(0.975, hits + 1, samples - hits) if hits < samples else 1.0
    assert -1e-9 <= exact_low - float(low) <= 1e-4 + 1e-9
    assert -1e-9 <= float(high) - exact_high <= 1e-4 + 1e-9


def test_coordinates_are_gaussian() -> None:
    """A chi-square test over twenty classes at a fixed seed, and both signs of the tail."""
    coins, count = Coins("gaussian"), 20_000
    drawn = [coins.gaussian() / SPREAD for _ in range(count)]
    edges = [-1e9, *(k / 5 for k in range(-9, 10)), 1e9]
    from scipy.stats import norm
    found = [sum(a <= z < b for z in drawn) for a, b in pairwise(edges)]
    wanted = [count * (norm.cdf(b) - norm.cdf(a)) for a, b in pairwise(edges)]
    statistic = sum((f - w) ** 2 / w for f, w in zip(found, wanted, strict=True))
    assert statistic < chi2.ppf(0.999, len(wanted) - 1)


def test_decays_has_the_probability_it_says() -> None:
    coins = Coins("decays")
    for top, bottom in ((1, 1), (1, 3), (5, 2)):
        share = sum(coins.decays(top, bottom) for _ in range(20_000)) / 20_000
        assert abs(share - exp(-top / bottom)) < 0.015


def test_the_same_seed_draws_the_same_starts_and_another_seed_others() -> None:
    one, two, other = (Gaussian(random_start(seed=s)).draw() for s in ("a", "a", "b"))
    assert one == two != other


def test_an_assumption_that_fails_makes_it_vacuous() -> None:
    assert certify.check(OWN, data([["1", "0"], ["0", "-1"]])).verdict["line"] == "H1"


def test_assumptions_about_all_times_are_planned() -> None:
    text = "claim mine/chance kind statistic system hardmax assume H1: forall t: g[t] < 1 assert exists i: x[i, 0] != 0"
    claim = certify.parse(text)
    assert certify.check(claim, data([["1"]])).verdict["true"] == 40
    late = certify.instance("hardmax", x=random_start(1), B=[["1"]], g={"cycle": ["1/2", "1"]})
    assert certify.check(claim, late).verdict["line"] == "H1"


def test_random_starts_are_for_statistics_and_statistics_for_random_starts() -> None:
    with pytest.raises(InputError):
        certify.check(certify.load("fw25v1/lmo"), data([["1", "0"], ["0", "1"]]))
    with pytest.raises(InputError):
        certify.check(OWN, certify.instance("hardmax", x=[["1"]], B=[["1"]], g="1/2"))


@pytest.mark.parametrize("spoil", [
    lambda c: c["verdict"].__setitem__("true", c["verdict"]["true"] + 1),
    lambda c: c["verdict"].__setitem__("low", "0"),
    lambda c: c["verdict"].__setitem__("high", "1"),
    lambda c: c["verdict"].__setitem__("evidence", "exact"),
    lambda c: c["verdict"].__setitem__("kind", "holds"),
    lambda c: c["instance"]["x"]["gaussian"].__setitem__("seed", "8"),
    lambda c: c["instance"]["x"]["gaussian"].__setitem__("samples", 41),
    lambda c: c["instance"]["x"]["gaussian"].__setitem__("samples", True),
    lambda c: c["instance"]["x"]["gaussian"].__setitem__("samples", 10**6),
])
def test_spoilt_statistics_are_rejected(spoil: Any) -> None:
    result = certify.check(OWN, data([["1", "0"], ["0", "1"]]))
    assert result.certificate is not None
    verify(result.certificate)
    spoil(result.certificate)
    with pytest.raises(Reject):
        verify(result.certificate)
