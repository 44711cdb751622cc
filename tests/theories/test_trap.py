"""Traps: what is shown for every point of a hull is true along selections at random, simulated step by step."""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "checking"))

from brute_force import Points, apply, dot, exact, in_hull, positive_semidefinite, states
from verdict_support import decide, hardmax, written

from certify.verifier.exact import Rat
from certify.verifier.polynomial import Domain, Poly
from certify.verifier.theories.trap import Trap, unknown_point


def mixed(rng: Random) -> Any:
    """Random convex weights at every tie."""

    def choose(t: int, i: int, points: list[int]) -> dict[int, Fraction]:
        parts = [rng.randint(0, 2) for _ in points]
        parts[rng.randrange(len(parts))] += 1
        return {j: Fraction(p, sum(parts)) for j, p in zip(points, parts, strict=True) if p}

    return choose


def tied(seed: int) -> tuple[Points, Points]:
    """Tokens and a matrix with a tie at t = 0: of rank 1, or a token at the origin."""
    rng = Random(seed)
    x = [[Fraction(rng.randint(-4, 4), rng.choice([1, 2])) for _ in range(2)] for _ in range(rng.randint(3, 5))]
    if seed % 2:
        x[0] = [Fraction(0), Fraction(0)]
        return x, [[Fraction(-2), Fraction(1)], [Fraction(0), Fraction(-1)]]
    return x, [[Fraction(0), Fraction(0)], [Fraction(0), Fraction(0)]]


def quadratic(rng: Random) -> Points:
    rows = [[Fraction(rng.randint(-2, 2)) for _ in range(2)] for _ in range(2)]
    return [[dot(p, q) for q in rows] for p in rows]


HEAD = "claim mine/trap system hardmax, selection every given M: matrix; w: vector; c: scalar assert "


@pytest.mark.parametrize("seed", range(16))
def test_bounds_over_the_hull_hold_for_every_selection(seed: int) -> None:
    """<Mx, x> + <w, x> <= c, M psd, c its largest value at a token: true for ever. A little less: refuted at t = 0."""
    rng = Random(seed)
    x, b = tied(seed)
    m, w = quadratic(rng), [Fraction(rng.randint(-3, 3)) for _ in range(2)]
    largest = max(dot(apply(m, p), p) + dot(w, p) for p in x)
    data = hardmax(x, b, "1/(t+2)", M=m, w=w, c=largest)
    form = "<M*x[i, t], x[i, t]> + <w, x[i, t]>"
    found = decide(HEAD + f"forall t, i: {form} <= c", data, horizon=6)
    print("seed", seed, x, b, found.verdict, "ties", found.ties)
    assert found.verdict == {"kind": "holds", "T": "forever", "evidence": "exact"}
    for number in range(4):
        run = states(x, lambda t: b, lambda t: Fraction(1, t + 2), mixed(Random(number)))
        assert all(dot(apply(m, p), p) + dot(w, p) <= largest for state in islice(run, 25) for p in exact(state))
    less = data.with_fields(c=written(largest - Fraction(1, 10**12)))
    verdict = decide(HEAD + f"forall t, i: {form} <= c", less, horizon=6).verdict
    assert (verdict["kind"], verdict["t"], verdict["first"]) == ("refuted", 0, True)


@pytest.mark.parametrize("seed", range(12))
def test_a_distance_from_the_hull_is_kept_for_ever(seed: int) -> None:
    """A point z outside the hull: |x - z|^2 stays above a bound just below the squared distance for ever."""
    rng = Random(100 + seed)
    x, b = tied(seed)
    z = [Fraction(rng.randint(5, 9)), Fraction(rng.randint(-9, 9))]
    assert not in_hull(z, x)
    nearest = min(squared_distance(z, p, q) for p in x for q in x)
    bound = nearest * Fraction(999, 1000)
    data = hardmax(x, b, "1/2", M=[[1, 0], [0, 1]], w=z, c=bound)
    found = decide(HEAD + "forall t, i: <x[i, t] - w, x[i, t] - w> >= c and M = M", data, horizon=4)
    print("seed", seed, x, z, found.verdict)
    assert found.verdict == {"kind": "holds", "T": "forever", "evidence": "exact"}
    assert found.certificate is not None
    assert "trap/1" in found.certificate["theories"]
    for number in range(3):
        run = states(x, lambda t: b, lambda t: Fraction(1, 2), mixed(Random(number)))
        assert all(squared_distance(z, p, p) >= bound for state in islice(run, 20) for p in exact(state))


def squared_distance(z: list[Fraction], p: list[Fraction], q: list[Fraction]) -> Fraction:
    """From a point to a segment."""
    along = [b - a for a, b in zip(p, q, strict=True)]
    length = dot(along, along)
    s = dot([a - b for a, b in zip(z, p, strict=True)], along) / length if length else Fraction(0)
    s = min(max(s, Fraction(0)), Fraction(1))
    gap = [a - b - s * c for a, b, c in zip(z, p, along, strict=True)]
    return dot(gap, gap)


@pytest.mark.parametrize("seed", range(8))
def test_tokens_never_leave_the_hull_of_an_earlier_time(seed: int) -> None:
    """The axiom that traps rest on, simulated."""
    x, b = tied(seed)
    path = [
        exact(state) for state in islice(states(x, lambda t: b, lambda t: Fraction(2, t + 2), mixed(Random(seed))), 9)
    ]
    for t, earlier in enumerate(path):
        for later in path[t:]:
            assert all(in_hull(p, earlier) for p in later)


def test_a_failure_that_no_selection_avoids() -> None:
    """Tokens in [1, 3], B = 0: x^2/2 >= 1/2 > 1000/(t+1) from t = 2000 on, for every selection and every token.

    Before 2000 it depends on the selection; before 222 not even the token at 3 fails.
    """
    data = hardmax([[1], [2], [3]], [[0]], "1/2")
    claim = "claim mine/late system hardmax, selection every assert forall t, i: 1/2*<x[i, t], x[i, t]> <= 1000/(t + 1)"
    found = decide(claim, data, horizon=10)
    assert found.kind == "refuted"
    assert found.certificate is not None
    t = int(found.verdict["t"])
    if "selection" in found.certificate["plans"]:
        assert 222 <= t <= 2000
    else:
        assert (t, found.verdict["first"]) == (2000, False)
    assert Fraction(9, 2) <= Fraction(1000, 222) and Fraction(9, 2) > Fraction(1000, 223)
    assert Fraction(1, 2) <= Fraction(1000, 2000) and Fraction(1, 2) > Fraction(1000, 2001)


# ---- the rule itself


def polynomial(m: Points, w: list[Fraction], c: Fraction) -> Poly:
    u = unknown_point("0 at t+0", 2)
    total = Poly.constant(rat(c))
    for a in range(2):
        total = total + u[a] * Poly.constant(rat(w[a]))
        for b in range(2):
            total = total + u[a] * u[b] * Poly.constant(rat(m[a][b]))
    return total


def rat(value: Fraction) -> Rat:
    return Rat(value.numerator, value.denominator)


def ask(matrix: list[list[Rat]]) -> bool:
    return positive_semidefinite([[Fraction(e.n, e.d) for e in row] for row in matrix])


@pytest.mark.parametrize("shape", ["linear", "concave", "convex", "saddle"])
@pytest.mark.parametrize("seed", range(6))
def test_signs_over_a_hull(shape: str, seed: int) -> None:
    """Linear and concave: exactly the sign at the vertices. Convex: never wrong. Saddle: never shown."""
    rng = Random(f"{shape} {seed}")
    points = [[Fraction(rng.randint(-3, 3)), Fraction(rng.randint(-3, 3))] for _ in range(4)]
    m = {
        "linear": lambda: [[Fraction(0)] * 2] * 2,
        "convex": lambda: _plus_identity(quadratic(rng), 1),
        "concave": lambda: _plus_identity(quadratic(rng), -1),
        "saddle": lambda: [[Fraction(1), Fraction(3)], [Fraction(3), Fraction(1)]],
    }[shape]()
    w = [Fraction(rng.randint(-3, 3)) for _ in range(2)]

    def form(p: list[Fraction], c: Fraction) -> Fraction:
        return dot(apply(m, p), p) + dot(w, p) + c

    least = min(form(p, Fraction(0)) for p in points)
    shown = []
    for c in (-least, -least + 1, -least - Fraction(1, 10**9), -least + 1000):
        for strict in (False, True):
            for tangent in (None, points[0], [sum(col, Fraction(0)) / 4 for col in zip(*points, strict=True)]):
                trap = Trap(
                    [[rat(e) for e in p] for p in points], None if tangent is None else [rat(e) for e in tangent], ask
                )
                found = trap.nonnegative(polynomial(m, w, c), strict, Domain(0, None, 1))
                shown.append(found)
                if shape in ("linear", "concave"):
                    assert found == (least + c > 0 if strict else least + c >= 0)
                elif shape == "saddle" or tangent is None:
                    assert not found
                if found:
                    for _ in range(40):
                        parts = [rng.randint(0, 5) for _ in points]
                        parts[rng.randrange(4)] += 1
                        inner = [
                            sum(
                                (Fraction(q, sum(parts)) * p[k] for q, p in zip(parts, points, strict=True)),
                                Fraction(0),
                            )
                            for k in range(2)
                        ]
                        assert form(inner, c) > 0 if strict else form(inner, c) >= 0
    assert any(shown) == (shape != "saddle")


def _plus_identity(m: Points, sign: int) -> Points:
    return [[sign * (e + (1 if i == j else 0)) for j, e in enumerate(row)] for i, row in enumerate(m)]


def test_two_unknown_points_are_not_decided() -> None:
    """<u, v> of two tokens in the hull: nothing is shown, although it may be true."""
    u, v = unknown_point("0 at t+0", 1), unknown_point("1 at t+0", 1)
    trap = Trap([[Rat(1)], [Rat(2)]], [Rat(1)], ask)
    assert not trap.nonnegative(u[0] * v[0], False, Domain(0, None, 1))
    assert trap.nonnegative(u[0] + Poly.constant(Rat(-1)), False, Domain(0, None, 1))
    assert not trap.nonnegative(u[0] + Poly.constant(Rat(-1)), True, Domain(0, None, 1))
