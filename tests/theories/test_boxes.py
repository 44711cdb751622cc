"""Boxes of starts: what is certified holds at every start that is drawn from the box."""
from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

import certify
from certify.verifier.exact import Reject
from certify.verifier.kernel import verify

MERGE = certify.load("fw25v1/single-leader-proof")
Point = list[Fraction]


def parse(assertion: str, assumptions: str = "") -> certify.claims.Claim:
    return certify.parse(f"claim mine/box system hardmax, selection every {assumptions} assert {assertion}")


def boxed(x: list[Any], B: Any = (("-1",),), g: Any = "1/2") -> certify.Instance:
    return certify.instance("hardmax", x=x, B=[list(row) for row in B], g=g)


def starts(x: list[Any], random: Random, count: int) -> list[list[Point]]:
    """Starts of a box: corners and points between them."""
    def one() -> list[Point]:
        return [[Fraction(e) if isinstance(e, str) else
                 Fraction(e[0]) + (Fraction(e[1]) - Fraction(e[0])) * Fraction(random.choice([0, 1, 2, 5, 7, 8]), 8)
                 for e in row] for row in x]
    return [one() for _ in range(count)]


def step(tokens: list[Point], B: list[Point], g: Fraction) -> list[Point] | None:
    """One step by brute force; None at a tie between different points."""
    moved = []
    for x in tokens:
        image = [sum((b * e for b, e in zip(row, x, strict=True)), Fraction(0)) for row in B]
        scores = [sum((a * b for a, b in zip(image, y, strict=True)), Fraction(0)) for y in tokens]
        leaders = [y for y, score in zip(tokens, scores, strict=True) if score == max(scores)]
        if any(y != leaders[0] for y in leaders):
            return None
        moved.append([(1 - g) * a + g * b for a, b in zip(x, leaders[0], strict=True)])
    return moved


def test_a_box_of_positive_measure_is_sent_into_a_null_set() -> None:
    result = certify.check(MERGE, boxed([[["1", "2"]], [["-2", "-1"]]]))
    assert result.kind == "refuted"
    assert result.certificate is not None
    for tokens in starts([[["1", "2"]], [["-2", "-1"]]], Random(1), 50):
        after = step(tokens, [[Fraction(-1)]], Fraction(1, 2))
        assert after is not None and after[0] == after[1]


def test_one_point_refutes_nothing_about_sets_of_positive_measure() -> None:
    assert certify.check(MERGE, boxed([["1"], ["-1"]])).verdict["line"] == "H1"
    assert certify.check(MERGE, boxed([[["1", "2"]], ["-1"]])).verdict["line"] == "H1"


@pytest.mark.parametrize("seed", range(12))
def test_what_holds_on_a_box_holds_at_its_starts(seed: int) -> None:
    print("seed", seed)
    random = Random(seed)
    d, n = random.choice([(1, 2), (1, 3), (2, 2)])
    x: list[Any] = []
    for _ in range(n):
        row: list[Any] = []
        for _ in range(d):
            low = Fraction(random.randint(-12, 12), 4)
            row.append([str(low), str(low + Fraction(1, random.randint(4, 16)))] if random.random() < 0.8 else str(low))
        x.append(row)
    sign = random.choice([1, -1])
    B = [[str(sign if i == j else 0) for j in range(d)] for i in range(d)]
    g = Fraction(1, random.randint(2, 4))
    claim = parse("forall t, i: <x[i, t], x[i, t]> >= 1/4")
    result = certify.check(claim, boxed(x, B, str(g)), horizon=3)
    if not any(isinstance(e, list) for row in x for e in row):
        return
    for tokens in starts(x, random, 25):
        states: list[list[Point] | None] = [tokens]
        for _ in range(3):
            now = states[-1]
            states.append(step(now, [[Fraction(e) for e in row] for row in B], g) if now is not None else None)
        truth = [None if now is None else all(sum(e * e for e in token) >= Fraction(1, 4) for token in now)
                 for now in states]
        if result.kind == "holds":
            last = result.verdict["T"]
            assert all(truth[t] is True for t in range(min(3 if last == "forever" else last, 3) + 1))
        elif result.kind == "refuted":
            assert truth[result.verdict["t"]] is False
            if result.verdict["first"]:
                assert all(value is True for value in truth[:result.verdict["t"]])
    assert result.kind in ("holds", "refuted", "undecided")


def test_a_statement_that_is_true_at_some_starts_only_is_undecided() -> None:
    assert certify.check(parse("forall i: x[i, 0] != 0"), boxed([[["-1", "1"]], ["2"]])).kind == "undecided"
    assert certify.check(parse("forall i: <x[i, 0], x[i, 0]> > 0"), boxed([[["0", "1"]], ["2"]])).kind == "undecided"


def test_a_leader_that_changes_inside_the_box_stops_the_trajectory() -> None:
    data = boxed([[["-1", "1"]], [["2", "3"]], [["-3", "-2"]]])
    assert certify.check(parse("forall t, i: x[i, t] in hull(x[0])"), data).kind == "holds"
    assert certify.check(parse("forall i, j: i = j or x[i, 1] != x[j, 1]"), data).kind == "undecided"


def test_a_divisor_that_vanishes_in_the_box_is_undefined() -> None:
    data = boxed([[["-1", "1"]], ["2"]])
    assert certify.check(parse("forall i: 1/<x[i, 0], x[i, 0]> > 0"), data).kind == "undecided"


@pytest.mark.parametrize("spoil", [
    lambda c: c["instance"]["x"][0].__setitem__(0, ["2", "1"]),
    lambda c: c["instance"]["x"][0].__setitem__(0, ["1", "1"]),
    lambda c: c["instance"]["x"][0].__setitem__(0, ["1", "2", "3"]),
    lambda c: c["instance"]["x"][0].__setitem__(0, ["-1", "1"]),
    lambda c: c["instance"]["x"][0].__setitem__(0, "1"),
    lambda c: c["instance"].__setitem__("g", "1/3"),
    lambda c: c["plans"].__setitem__("selection", []),
    lambda c: c["plans"].__setitem__("regime", {"T": 0, "targets": [[0], [1]]}),
    lambda c: c["verdict"].__setitem__("first", False),
])
def test_spoilt_certificates_on_boxes_are_rejected(spoil: Any) -> None:
    result = certify.check(MERGE, boxed([[["1", "2"]], [["-2", "-1"]]]))
    assert result.certificate is not None
    verify(result.certificate)
    spoil(result.certificate)
    with pytest.raises(Reject):
        verify(result.certificate)
