"""Statements about t growing without bound, against arguments that need no machine.

Two tokens a < b on a line, B negative, and the step sizes g: while a < 0 < b both move towards each other and a + b is
kept; once both have one sign the one with the smaller |x| is everybody's leader and rests for ever, and the other one
comes closer by the factor 1 - g at every step. So the limits follow from the first state with one sign.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from brute_force import Points, Tie, dot, exact, states
from verdict_support import decide, hardmax

import certify

HEAD = "claim mine/limit system hardmax, selection every assert "


class Settled:
    """Where two collinear tokens with 0 between them end: at `rest`, or collapsed onto one point."""

    def __init__(self, x: Points, matrix: Points, g_at: Any) -> None:
        run = states(x, lambda t: matrix, g_at)
        for t, state in enumerate(run):
            first, second = exact(state)
            self.t = t
            if first == second:
                self.collapsed, self.rest = True, first
                return
            m = [[-e for e in row] for row in matrix]
            image = [dot(row, second) for row in m]
            if dot(first, image) > 0:  # same side: B = -m
                self.collapsed = False
                near = min((first, second), key=lambda p: dot(p, p))
                self.rest = near
                return
            assert t < 50


def two_tokens(rng: Random) -> tuple[Points, Points]:
    """x_2 = -q x_1, so that 0 lies between them, in one or two dimensions; B = -M with M positive definite."""
    d = rng.choice([1, 1, 2])
    first = [Fraction(rng.randint(1, 9), rng.choice([1, 2, 3])) * rng.choice([-1, 1]) for _ in range(d)]
    q = rng.choice([Fraction(1), Fraction(rng.randint(1, 9), rng.randint(1, 9))])
    x = [first, [-q * e for e in first]]
    m = [[Fraction(-rng.randint(1, 4))]] if d == 1 else [[Fraction(-3), Fraction(-1)], [Fraction(-1), Fraction(-2)]]
    return x, m


CATALOGUE = ("fw25v1/thm-3.1-origin", "fw25v1/thm-3.1-linear", "fw26icml/thm-3.1")


@pytest.mark.parametrize("seed", range(16))
def test_the_abstracts_on_two_tokens(seed: int) -> None:
    """Limit not 0: all three are refuted for all times. Collapse at 0: all three hold for ever."""
    rng = Random(seed)
    x, matrix = two_tokens(rng)
    end = Settled(x, matrix, lambda t: Fraction(2, t + 2))
    print("seed", seed, "x", x, "rest", end.rest, "collapsed", end.collapsed)
    at_zero = not any(end.rest)
    assert end.collapsed or not at_zero
    data = hardmax(x, matrix, "2/(t+2)")
    for name in CATALOGUE:
        verdict = decide(certify.load(name), data, horizon=20).verdict
        if at_zero:
            assert verdict == {"kind": "holds", "T": "forever", "evidence": "exact"}
        else:
            assert verdict["kind"] == "refuted"
            assert "t" not in verdict


def test_both_endings_occur() -> None:
    ends = [Settled(*two_tokens(Random(seed)), lambda t: Fraction(2, t + 2)) for seed in range(16)]
    assert {any(end.rest) for end in ends} == {True, False}


@pytest.mark.parametrize(
    ("scale", "big"), [("1/(t+1)", True), ("1/(t+1)^2", True), ("(t+2)/(t+1)", False), ("1/2^t", True)]
)
def test_an_energy_that_decays_because_its_matrix_does(scale: str, big: bool) -> None:
    """The tokens rest away from 0, so the energy is of the order of the scale: O(1/t) or not."""
    data = hardmax([[3], [-1]], {"scale": scale, "matrix": [[-1]]}, "2/(t+2)")
    verdict = decide(certify.load("fw26icml/thm-3.1"), data, horizon=20).verdict
    assert verdict["kind"] == ("holds" if big else "refuted")
    assert decide(certify.load("fw25v1/thm-3.1-origin"), data, horizon=20).kind == "refuted"


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_false_hypothesis_makes_the_abstracts_vacuous(name: str) -> None:
    assert decide(certify.load(name), hardmax([[3], [1]], [[-1]], "2/(t+2)")).verdict["line"] == "H4"
    assert decide(certify.load(name), hardmax([[3], [-1]], [[-1]], "1/2")).verdict["line"] == "H3"


# ---- user claims. B = -1, tokens 3 and 1: token 1 rests at 1 from the start, token 0 is at 1 + 2 c_t.
# c_t is the product of 1 - g(s), s < t: the truths below follow from it.

FAR = "forall i: tends(t: x[i, t], x[i, 0])"  # token 0 does not come back to 3 unless it never moves
TOGETHER = "forall i, j: tends(t: <x[i, t] - x[j, t], x[i, t] - x[j, t]>, 0)"
GEOMETRIC = "forall i, j: geometric(t: <x[i, t] - x[j, t], x[i, t] - x[j, t]>)"
QUARTER = "forall i, j: bigO(t: <x[i, t] - x[j, t], x[i, t] - x[j, t]>, 1/(t + 1)^4)"
SQUARE = "forall i, j: bigO(t: <x[i, t] - x[j, t], x[i, t] - x[j, t]>, 1/(t + 1)^2)"
BOUNDED = "forall i: bigO(t: <x[i, t], x[i, t]>, 1)"
NO_MORE = "forall i: bigO(t: <x[i, t], x[i, t]>, 1/(t + 1))"
ORIGIN = "forall i: tends(t: x[i, t], 0)"
STEPS = "forall i: geometric(t: <x[i, t + 1] - x[i, t], x[i, t + 1] - x[i, t]>)"
T, F = True, False

#            c_t                          FAR TOGETHER GEOMETRIC QUARTER SQUARE BOUNDED NO_MORE ORIGIN STEPS
TRUTHS: dict[str, tuple[Any, tuple[bool, ...]]] = {
    "1/2": ("1/2", (F, T, T, T, T, T, F, F, T)),  # 2^-t
    "2/(t+2)": ("2/(t+2)", (F, T, T, T, T, T, F, F, T)),  # g(0) = 1: they meet at t = 1
    "2/(t+3)": ("2/(t+3)", (F, T, F, T, T, T, F, F, F)),  # 2/((t+1)(t+2))
    "1/(t+2)": ("1/(t+2)", (F, T, F, F, T, T, F, F, F)),  # 1/(t+1)
    "1/(t+2)^2": ("1/(t+2)^2", (F, F, F, F, F, T, F, F, F)),  # (t+2)/(2t+2): to 1/2
    "1/2^(t+1)": ("1/2^(t+1)", (F, F, F, F, F, T, F, F, T)),  # to 0.288...; each step is geometric
    "cycle": ({"cycle": ["1/2", "0"]}, (F, T, T, T, T, T, F, F, T)),
    "cycle of three": ({"cycle": ["0", "1/3", "1/4"]}, (F, T, T, T, T, T, F, F, T)),
    "list": (["0", "1/2", "1/3"], (F, T, T, T, T, T, F, F, T)),
    "list that ends": (["1/2", "0"], (F, F, F, F, F, T, F, F, T)),  # c = 1/2 from t = 1 on
    "zero": ("0", (T, F, F, F, F, T, F, F, T)),
    "one": ("1", (F, T, T, T, T, T, F, F, T)),
    "power": ("1 - (1/2)^t", (F, T, T, T, T, T, F, F, T)),  # super-geometric
    "1/(2*t+3)": ("1/(2*t+3)", (F, T, F, F, F, T, F, F, F)),  # of the order of t^-1/2
    "mixed": ("1/2 + (-1)^t/3", (F, T, T, T, T, T, F, F, T)),
}
CLAIMS = (FAR, TOGETHER, GEOMETRIC, QUARTER, SQUARE, BOUNDED, NO_MORE, ORIGIN, STEPS)
# where no argument is known today; deciding one of them is fine, deciding it wrongly is not
MAY_BE_OPEN = {
    "2/(t+2)": (GEOMETRIC, QUARTER, SQUARE, STEPS),  # the closed form begins at t = 0, where g = 1
    "1/2^(t+1)": (FAR, TOGETHER, GEOMETRIC, QUARTER, SQUARE),  # no positive lower bound of c is found
    "list that ends": (FAR, TOGETHER, GEOMETRIC, QUARTER, SQUARE),  # c is constant from t = 1 on, which is not used
    "1/(2*t+3)": (QUARTER, SQUARE),  # t^-1/2 is not a rational order
}


@pytest.mark.parametrize("name", TRUTHS)
def test_limits_under_many_schedules(name: str) -> None:
    g, truths = TRUTHS[name]
    data = hardmax([[3], [1]], [[-1]], g)
    for claim, truth in zip(CLAIMS, truths, strict=True):
        found = decide(HEAD + claim, data, horizon=10)
        print(name, claim, found.verdict)
        if found.kind == "undecided":
            assert claim in MAY_BE_OPEN.get(name, ()), claim
        else:
            assert found.kind == ("holds" if truth else "refuted"), claim
            assert "t" not in found.verdict


def product_of(g: Any, t: int) -> Fraction:
    value = Fraction(1)
    for s in range(t):
        value *= 1 - g(s)
    return value


def test_the_table_agrees_with_the_products() -> None:
    """The closed forms named in the table above, at t = 0..30."""
    for t in range(31):
        assert product_of(lambda s: Fraction(2, s + 3), t) == Fraction(2, (t + 1) * (t + 2))
        assert product_of(lambda s: Fraction(1, s + 2), t) == Fraction(1, t + 1)
        assert product_of(lambda s: Fraction(1, (s + 2) ** 2), t) == Fraction(t + 2, 2 * t + 2)
    assert Fraction(288, 1000) < product_of(lambda s: Fraction(1, 2 ** (s + 1)), 60) < Fraction(289, 1000)
    squares = [product_of(lambda s: Fraction(1, 2 * s + 3), t) ** 2 * (t + 1) for t in (10, 100, 1000)]
    assert all(Fraction(1, 2) < value < 2 for value in squares)


# ---- limits of numbers alone

NUMBERS = [
    ("tends(t: (t + 1)/(t + 2), 1)", T),
    ("tends(t: (t + 1)/(t + 2), 0.99)", F),
    ("tends(t: t^2/(t + 2), 1)", F),
    ("tends(t: (3*t^2 + 1)/(2*t^2 + t + 5), 3/2)", T),
    ("tends(t: (1/2)^t*t^10, 0)", T),
    ("tends(t: 1 + (1/3)^t, 1)", T),
    ("tends(t: 5, 5)", T),
    ("tends(t: 5, 6)", F),
    ("tends(t: t - t, 0)", T),
    ("bigO(t: t, t^2)", T),
    ("bigO(t: t^2, t)", F),
    ("bigO(t: 7*t^2 + t, t^2)", T),
    ("bigO(t: (1/2)^t*t^3, 1/(t + 1)^9)", T),
    ("bigO(t: 0, 1/(t + 1))", T),
    ("bigO(t: 0 - t, t)", T),
    ("geometric(t: (1/2)^t*t^3)", T),
    ("geometric(t: 1/(t + 1)^9)", F),
    ("geometric(t: 1)", F),
    ("geometric(t: 0)", T),
    ("geometric(t: (9/10)^t - (8/10)^t)", T),
    ("geometric(t: (9/10)^t + 1/(t + 1))", F),
    ("tends(t: 2^t, 0)", F),
    ("geometric(t: 2^t)", F),
    ("tends(t: (0 - 1)^t, 1)", F),
    ("bigO(t: (0 - 1)^t, 1)", T),
    ("tends(t: (0 - 1/2)^t, 0)", T),
    ("bigO(t: 1, 1/2^t)", F),
    ("bigO(t: 1/2^t, 1/3^t)", F),
    ("bigO(t: 1, t - t)", F),
]
NUMBERS_OPEN = {
    "tends(t: 2^t, 0)",
    "geometric(t: 2^t)",
    "tends(t: (0 - 1)^t, 1)",
    "bigO(t: (0 - 1)^t, 1)",
    "tends(t: (0 - 1/2)^t, 0)",
    "bigO(t: 1, 1/2^t)",
    "bigO(t: 1/2^t, 1/3^t)",
    "bigO(t: 1, t - t)",
}


@pytest.mark.parametrize(("claim", "truth"), NUMBERS)
def test_limits_of_numbers(claim: str, truth: bool) -> None:
    found = decide("claim mine/numbers system none assert 1 = 1 and " + claim, certify.instance("none"))
    print(claim, found.verdict)
    if found.kind == "undecided":
        assert claim in NUMBERS_OPEN
    else:
        assert found.kind == ("holds" if truth else "refuted")


# ---- more tokens, both signs of B


@pytest.mark.parametrize("seed", range(12))
def test_positive_matrix_tokens_go_to_their_own_end(seed: int) -> None:
    """B = 1: a positive token is led by the largest, a negative one by the smallest; the two ends rest for ever."""
    rng = Random(seed)
    values = sorted(
        {Fraction(rng.choice([-1, 1]) * rng.randint(1, 9), rng.randint(1, 3)) for _ in range(5)}
        | {Fraction(-10), Fraction(10)}
    )
    rng.shuffle(values)
    data = hardmax([[v] for v in values], [[1]], "1/(t+2)")
    print("seed", seed, values)
    ends = "forall i, j: <x[i, 0], x[j, 0]> = 0 - 100 implies "  # i and j are the two ends
    for claim, truth in (
        (f"{ends} tends(t: x[i, t], x[i, 0])", True),
        ("forall i, j: <x[i, 0], x[j, 0]> > 0 implies tends(t: <x[i, t] - x[j, t], x[i, t] - x[j, t]>, 0)", True),
        ("forall i: tends(t: <x[i, t], x[i, t]>, 100)", True),
        ("forall i: tends(t: <x[i, t], x[i, t]>, 99)", False),
        ("forall i, j: tends(t: <x[i, t] - x[j, t], x[i, t] - x[j, t]>, 0)", False),
    ):
        assert decide(HEAD + claim, data, horizon=4).kind == ("holds" if truth else "refuted"), claim


def test_a_trap_denies_limits_whatever_is_selected() -> None:
    """Tokens 1, 2, 3 and B = 0: every selection is allowed, all stay in [1, 3], none comes near 0."""
    data = hardmax([[1], [2], [3]], [[0]], "1/2")
    for claim, truth in (
        (ORIGIN, False),
        (BOUNDED, True),
        (NO_MORE, False),
        ("forall i: geometric(t: <x[i, t], x[i, t]>)", False),
        ("forall i: tends(t: <x[i, t], x[i, t]>, 1/2)", False),
        ("forall i: bigO(t: <x[i, t], x[i, t]>, t)", True),
    ):
        verdict = decide(HEAD + claim, data, horizon=6).verdict
        assert verdict["kind"] == ("holds" if truth else "refuted"), claim
        assert verdict.get("T", "forever") == "forever"


def test_a_tie_leaves_a_limit_open() -> None:
    """The token at 0 may stay at 0 or leave: neither statement is true for every selection."""
    data = hardmax([[3], [0], [-1]], [[-1]], "2/(t+2)")
    for claim in (
        "forall i: x[i, 0] = 0 implies tends(t: x[i, t], 0)",
        "forall i: x[i, 0] = 0 implies not tends(t: x[i, t], 0)",
    ):
        found = decide(HEAD + claim, data, horizon=6)
        print(claim, found.verdict)
        assert found.kind in ("undecided", "refuted")


def test_settled_meets_ties_only_where_there_are_some() -> None:
    """The helper of this file refuses an instance in which its argument does not apply."""
    with pytest.raises(Tie):
        Settled([[Fraction(0)], [Fraction(1)]], [[Fraction(-1)]], lambda t: Fraction(1, 2))
