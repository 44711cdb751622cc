"""What a user may write: each false claim has a small counterexample that only the right constructor reaches."""
from __future__ import annotations

import pytest

import certify
from certify.search.engine import refute
from certify.search.recipes import recipe

HARDMAX, NONE = "claim t/c system hardmax ", "claim t/c system none "
FALSE = {
    "a step on some times": HARDMAX + "assume H1: forall t in 0..3: g[t] = 1/2 H2: forall t >= 4: g[t] = 1/3 "
                                      "assert n >= 3",
    "signs at some times": HARDMAX + "assume H1: forall t >= 5: pd(B[t]) H2: forall t <= 2: pd(-B[t]) assert n >= 3",
    "another sign later": HARDMAX + "assume H1: pd(-B[0]) H2: forall t >= 1: pd(B[t]) assert n >= 3",
    "a narrow range of steps": HARDMAX + "assume H1: forall t: g[t] >= 1/100 H2: forall t: g[t] <= 1/50 assert n >= 3",
    "two single steps": HARDMAX + "assume H1: g[3] = 1/2 H2: g[4] = 1/5 assert n >= 3",
    "a cycle of steps": HARDMAX + "assume H1: forall t: g[t + 2] = g[t] assert g[0] = g[1]",
    "rising steps": HARDMAX + "assume H1: forall t: g[t] <= g[t + 1] assert g[0] = g[1] or g[0] >= 3/4",
    "steps that do not vanish": HARDMAX + "assume H1: forall t: g[t + 1] < g[t] assert exists t: g[t] < 1/100",
    "a bound on a given": NONE + "given a: scalar assume H1: a >= 1000 assert a^2 >= 2000000",
    "a large number": NONE + "given a: scalar assume H1: a >= 1000000000000 "
                             "assert (a + 1)^2 - a^2 - 2*a <= 0.999999999999",
    "long tokens": HARDMAX + "assume H1: forall i: norm(x[i, 0])^2 >= 1000000 "
                             "assert forall i: norm(x[i, 0])^2 >= 2000000",
    "a third": NONE + "given a: scalar assert 3*a != 1",
    "a point of the circle": NONE + "given a: scalar; b: scalar assume H1: a^2 + b^2 = 1 assert a*b = 0",
    "a half": HARDMAX + "assert forall i: 4*norm(x[i, 0])^2 != 9",
    "a trace": HARDMAX + "assume H1: forall t: transpose(B[t]) = B[t] H2: forall t: B[t] = B[0] H3: trace(B[0]) = 7 "
                         "assert lambda_max(B[0]) <= 7",
    "a geometric matrix": HARDMAX + "assume H1: forall t: B[t + 1] = 1/2*B[t] assert trace(B[0]) <= 0",
    "a centroid": HARDMAX + "assume H1: (sum i: x[i, 0]) = 0 H2: n = 3 assert forall i: x[i, 0] = 0",
    "matrices without tokens": NONE + "given M: matrix; N: matrix assume H1: pd(M - N) H2: pd(N) assert trace(M) < 5",
    "a box": HARDMAX + "assume H1: box(x[0]) H2: forall t: g[t] = 1/2 H3: forall t: B[t] = -I "
                       "assert forall i, j: i != j implies x[i, 1] != x[j, 1]",
    "no token rests": HARDMAX + "assume H1: forall t: B[t] = -I H2: forall t: g[t] = 1/2 "
                                "assert exists i: forall t: x[i, t] = x[i, 0]",
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_claim_is_refuted(name: str) -> None:
    found = refute(certify.parse(FALSE[name]), candidates=14 * 1024, seed=1)
    assert found.kind == "refuted", found.searched()


CONTRADICTIONS = {
    "g[t]": HARDMAX + "assume H1: forall t: g[t] >= 2/3 H2: forall t: g[t] <= 1/3 assert n >= 3",
    "wrong sign": HARDMAX + "assume H1: forall t: B[t] = I H2: forall t: psd(-B[t]) and pd(-B[t]) assert n >= 3",
    "cannot be both": HARDMAX + "assume H1: forall t: B[t] = I H2: forall t: B[t] = -I assert n >= 3",
    "no value for d": HARDMAX + "assume H1: d = 2 H2: d = 3 assert n >= 3",
    "given and H1": NONE + "given a: scalar >= 0 assume H1: a < 0 assert a = 1",
    "norm(x[j, 0])": HARDMAX + "assume H1: forall i: norm(x[i, 0]) <= 1 H2: forall j: norm(x[j, 0]) > 1 assert n >= 3",
    "step size": HARDMAX + "assume H1: forall t: g[t] = 1/2 H2: forall t: g[t] = 2/(t + 2) assert n >= 3",
}


@pytest.mark.parametrize("words", CONTRADICTIONS)
def test_a_contradiction_in_the_text_is_named(words: str) -> None:
    found = refute(certify.parse(CONTRADICTIONS[words]), seconds=30, seed=1)
    assert found.tally.candidates == 0
    assert words in found.warnings[0] and "contradict each other" in found.warnings[0]


CONSISTENT = ["H1: forall t: g[t] >= 1/3 H2: forall t: g[t] <= 1/3", "H1: forall i: norm(x[i, 0]) <= 1 H2: n >= 2",
              "H1: g[0] = 1/2 H2: g[1] = 1/3", "H1: B[0] = I H2: forall t >= 1: B[t] = -I",
              "H1: forall t: psd(B[t]) H2: forall t: B[t] = 2*I", "H1: d >= 2 H2: d <= 2",
              "H1: forall t in 0..2: pd(B[t]) H2: forall t >= 3: pd(-B[t])",
              "H1: forall i in {k : norm(x[k, 0]) > 9}: B[0] = I H2: forall t: B[t] = -I"]


@pytest.mark.parametrize("lines", CONSISTENT)
def test_what_can_be_met_is_not_called_a_contradiction(lines: str) -> None:
    assert recipe(certify.parse(f"{HARDMAX}assume {lines} assert n >= 3")).contradiction == ""


def test_nothing_is_called_built_that_no_candidate_meets() -> None:
    claim = certify.parse(HARDMAX + "assume H1: forall t: g[t + 1] < g[t] - 1/10 assert n >= 3")
    found = refute(claim, candidates=2048)
    assert found.kind == "undecided" and found.built == () and found.tally.met == 0
    assert "no candidate met H1" in found.warnings[0] and "--tokens" in found.warnings[0]


def test_floats_that_see_what_is_not_there_are_counted_and_trusted_less() -> None:
    """Rounding: the left side is 0 exactly, and 10^17 + 1 is not a float."""
    claim = certify.parse(HARDMAX + "assert forall i: (norm(x[i, 0])^2 + 100000000000000000) - 100000000000000000 "
                                    ">= norm(x[i, 0])^2")
    found = refute(claim, candidates=8192, seed=1)
    assert found.kind == "undecided" and found.tally.unconfirmed > 0
    assert "not confirmed exactly" in found.searched()


@pytest.mark.parametrize("kind", ["statistic", "value"])
def test_a_claim_that_nothing_refutes_is_said_to_be_one(kind: str) -> None:
    text = {"statistic": "claim t/c kind statistic system hardmax assert forall i: norm(x[i, 0]) > 0",
            "value": "claim t/c system hardmax value diam(hull(x[0]))"}[kind]
    with pytest.raises(certify.InputError, match=f"kind {kind}"):
        refute(certify.parse(text), candidates=10)
