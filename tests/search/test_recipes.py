"""Assumptions matched to constructors, and the constructors kept honest by exact checks."""
from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

import certify
from certify.search.certifying import lines_unmet
from certify.search.formulas import atoms, linear, unfolded
from certify.search.proposals import FAMILIES, Sizes, draw_rows, draw_shape, tokens
from certify.search.recipes import recipe
from certify.search.sampling import sample
from certify.search.shapes import Decoder, Shape

HEAD = "claim t/c system hardmax, selection every "


def parsed(text: str, head: str = HEAD) -> certify.Claim:
    return certify.parse(head + text)


def test_definitions_are_unfolded_without_capture() -> None:
    claim = parsed("where f[i, t] = max j: <x[i, t], x[j, t]> assert forall t, j: f[j, t] >= 0")
    whole = unfolded(claim.tree[8], claim.tree[6])
    assert "use" in json.dumps(whole)  # j would be captured: left alone
    claim = parsed("where f[i, t] = norm(x[i, t]) assert forall t, j: f[j, t] >= 0")
    assert "use" not in json.dumps(unfolded(claim.tree[8], claim.tree[6]))


def test_linear_forms() -> None:
    claim = parsed("where P[t] = -2*B[t]/4 assume H: forall t: psd(P[t] - P[t + 1]) assert 0 = 0")
    (_, atom), = atoms(unfolded(claim.tree[7][0][1], claim.tree[6]))
    assert linear(atom[1], "t") == {("B", 0): Fraction(-1, 2), ("B", 1): Fraction(1, 2)}


@pytest.mark.parametrize(("assumptions", "expected"), [
    ("H1: forall t: psd(-B[t])", {"sign": -1, "definite": False, "trend": "free"}),
    ("H1: forall t: pd(B[t])", {"sign": 1, "definite": True, "trend": "free"}),
    ("H1: forall t: psd(-B[t]) H2: forall t: psd(B[t + 1] - B[t])", {"sign": -1, "trend": "down"}),
    ("H1: forall t: psd(B[t]) and psd(B[t + 1] - B[t])", {"sign": 1, "trend": "up"}),
    ("H1: forall t: psd(B[t] - B[t + 1])", {"sign": 0, "trend": "down", "symmetric": True}),
    ("H1: forall t: B[t] = B[0]", {"trend": "constant"}),
    ("H1: forall t: psd(B[t]) and psd(-B[t])", {"zero": True}),
    ("H1: forall t: B[t] = -3*I", {"identity": Fraction(-3)}),
    ("H1: forall t: transpose(B[t]) = B[t]", {"symmetric": True}),
])
def test_matrices(assumptions: str, expected: dict[str, object]) -> None:
    found = recipe(parsed(f"assume {assumptions} assert 0 = 0"))
    assert {key: getattr(found.matrices["B"], key) for key in expected} == expected
    assert not found.rejected


CLAIMS = [
    "assume H1: forall t: psd(-B[t]) H2: forall t: psd(B[t + 1] - B[t]) H3: forall t: g[t] = 2/(t + 2) "
    "H4: 0 in hull(x[0])",
    "assume H1: forall t: pd(B[t]) H2: forall t: 0 < g[t] and g[t] < 1",
    "assume H1: forall t: psd(B[t]) and psd(B[t + 1] - B[t])",
    "assume H1: forall t: psd(B[t] - B[t + 1])",
    "assume H1: forall t: B[t] = B[t + 1] H2: forall i, j: norm(x[i, 0])^2 = norm(x[j, 0])^2",
    "given c: scalar assume H1: forall t: pd(B[t]) H2: forall t: B[t] = B[0] "
    "H3: forall i: 1/2*<B[0]*x[i, 0], x[i, 0]> = c",
    "assume H1: forall i: norm(x[i, 0])^2 = 25 H2: 0 in hull(x[0])",
    "assume H1: forall t: psd(B[t]) H2: forall t: 0 < g[t] and g[t] < 1 H3: forall t: g[0]*B[t] = g[t]*B[0]",
    "assume H1: forall t: psd(B[t]) and psd(2*I - B[t])",
    "given mu: scalar > 2; M: matrix; w: vector; c: cloud assume H1: psd(M)",
]


@pytest.mark.parametrize("text", CLAIMS)
def test_what_is_built_meets_its_assumptions(text: str) -> None:
    claim = parsed(f"{text} assert 0 = 0")
    found = sample(claim, 25, seed=3)
    assert found.built == tuple(entry[0] for entry in claim.tree[7])
    refused = sum(found.rejected.values())
    assert refused <= (10 if "25" in text else 0)  # one token on a sphere never holds the origin
    assert len(found.instances) == 25
    assert all(lines_unmet(claim, instance) == [] for instance in found.instances)


def test_a_sample_is_checked_exactly_and_says_what_it_rejected() -> None:
    claim = parsed("given radius: scalar >= 0 assume H1: forall i: norm(x[i, 0]) <= radius H2: n >= 2 assert 0 = 0")
    found = sample(claim, 10, seed=1)
    assert found.rejected["H1"] > 0 and "rejected" in found.sentence()
    assert all(len(instance.fields["x"]) >= 2 for instance in found.instances)
    assert [i.as_file() for i in found.instances] == [i.as_file() for i in sample(claim, 10, seed=1).instances]
    assert [i.as_file() for i in found.instances] != [i.as_file() for i in sample(claim, 10, seed=2).instances]


@pytest.mark.parametrize("name", ["fw25v1/thm-3.1", "repair/thm-3.1-R1", "fw25v1/hull-shrinks"])
def test_floats_and_fractions_decode_alike(name: str) -> None:
    claim = certify.load(name)
    known, rng = recipe(claim), np.random.default_rng(5)
    for _ in range(20):
        decoder = Decoder(known, draw_shape(known, Sizes(), rng, False))
        rows = draw_rows(decoder, 3, rng)
        batch = decoder.batch(rows)
        for k in range(3):
            instance = decoder.instance(rows[k])
            assert batch.x is not None
            assert np.allclose(batch.x[k], [[float(Fraction(e)) for e in row] for row in instance.fields["x"]])
            for t in (0, 1, 5):
                court = certify.instances.checked(instance, claim.tree, claim.system)
                exact = [[e.n / e.d for e in row] for row in court.sequences["B"].at(t)]
                matrix = batch.B(t) if callable(batch.B) else batch.B
                assert np.allclose(np.asarray(matrix)[k], exact)
        assert Shape.from_json(json.loads(json.dumps(decoder.shape.as_json()))) == decoder.shape


@pytest.mark.parametrize("family", FAMILIES)
def test_families_have_the_size_asked_for(family: str) -> None:
    rng = np.random.default_rng(0)
    for n in (1, 2, 5):
        for d in (1, 2, 3):
            assert tokens(family, n, d, 8, rng).shape == (n, d)


def test_contradictions_that_show_in_the_text() -> None:
    signs = "assume H1: forall t: pd(B[t]) H2: forall t: pd(-B[t]) assert 0 = 0"
    assert "definite" in recipe(parsed(signs)).contradiction
    both = "assume H1: forall t: g[t] = 1/2 H2: forall t: g[t] = 1/3 assert 0 = 0"
    assert "no value for g[t]" in recipe(parsed(both)).contradiction
