"""The native hardmax against the verifier's own simulation, the text of the system, and plain fractions."""
from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

import certify
from certify.systems.native import NativeState, NativeTrajectory, simulate
from certify.theories.regime import find_regime
from certify.verifier.exact import Rat, Reject, Undecided
from certify.verifier.kernel import Court
from certify.verifier.systems import HARDMAX, Instance, State, Tie, Trajectory

Points = list[list[Fraction]]
Choice = Callable[[int, int, list[int]], list[tuple[int, Fraction]]]
POLICIES = ("every", "average-points", "average-indices")
HALF = Fraction(1, 2)

# How a schedule is written, and what it means.
STEP_SIZES: dict[str, tuple[Any, Callable[[int], Fraction]]] = {
    "constant": ("1/3", lambda t: Fraction(1, 3)),
    "expression": ("2/(t+2)", lambda t: Fraction(2, t + 2)),
    "polynomials": ("(t^2+1)/(t^2+7*t+3)", lambda t: Fraction(t * t + 1, t * t + 7 * t + 3)),
    "power": ("(1/2)^(t+1)", lambda t: HALF ** (t + 1)),
    "alternating": ("1/2+(-1)^t/3", lambda t: HALF + Fraction((-1) ** t, 3)),
    "list": (["1", "1/2", "0", "1/5"], lambda t: [Fraction(1), HALF, Fraction(0), Fraction(1, 5)][min(t, 3)]),
    "cycle": ({"cycle": ["1/2", "0", "1", "2/7"]}, lambda t: [HALF, Fraction(0), Fraction(1), Fraction(2, 7)][t % 4]),
}
MATRICES: dict[str, tuple[Callable[[list[Any]], Any], Callable[[int], tuple[int, Fraction]]]] = {
    "constant": (lambda m: m[0], lambda t: (0, Fraction(1))),
    "scaled": (lambda m: {"scale": "1/(t+1)", "matrix": m[0]}, lambda t: (0, Fraction(1, t + 1))),
    "sign": (lambda m: {"scale": "(-1)^t*(t+1)", "matrix": m[0]}, lambda t: (0, Fraction((-1) ** t * (t + 1)))),
    "vanishing": (lambda m: {"scale": "1+(-1)^t", "matrix": m[0]}, lambda t: (0, Fraction(1 + (-1) ** t))),
    "list": (lambda m: {"list": m}, lambda t: (min(t, 2), Fraction(1))),
    "cycle": (lambda m: {"cycle": m}, lambda t: (t % 3, Fraction(1))),
}


@dataclass
class Case:
    """Tokens and data in fractions, with the same as the verifier reads it."""

    tokens: Points
    matrices: list[Points]
    step: str = "constant"
    matrix: str = "constant"

    @property
    def instance(self) -> Instance:
        written = [[[str(entry) for entry in row] for row in m] for m in self.matrices]
        fields = certify.instance("hardmax", x=[[str(entry) for entry in row] for row in self.tokens],
                                  B=MATRICES[self.matrix][0](written), g=STEP_SIZES[self.step][0]).fields
        return Instance(dict(fields), HARDMAX, [])

    def leaders(self, x: Points, t: int) -> list[list[int]]:
        place, scale = MATRICES[self.matrix][1](t)
        found = []
        for token in x:
            image = [scale * sum(b * a for b, a in zip(row, token, strict=True)) for row in self.matrices[place]]
            scores = [sum(a * b for a, b in zip(image, other, strict=True)) for other in x]
            found.append([j for j, score in enumerate(scores) if score == max(scores)])
        return found

    def brute(self, policy: str, steps: int, choose: Choice) -> list[Points]:
        """The definition of hardmax, term by term."""
        states = [self.tokens]
        for t in range(steps):
            x, g = states[-1], STEP_SIZES[self.step][1](t)
            after = []
            for i, near in enumerate(self.leaders(x, t) if g else [[i] for i in range(len(x))]):
                if policy == "average-points":
                    near = [j for k, j in enumerate(near) if all(x[j] != x[other] for other in near[:k])]
                tied = policy == "every" and any(x[j] != x[near[0]] for j in near)
                weights = choose(t, i, near) if tied else [(j, Fraction(1, len(near))) for j in near]
                goal = [sum((w * x[j][k] for j, w in weights), Fraction(0)) for k in range(len(x[0]))]
                after.append([(1 - g) * a + g * b for a, b in zip(x[i], goal, strict=True)])
            states.append(after)
        return states


def exact(state: State) -> Points:
    return [[Fraction(entry, state.den) for entry in row] for row in state.rows]


def draw(rng: random.Random, kind: str, n: int, d: int) -> Points:
    """Starts of many kinds; most have ties at once or after a step."""
    if kind == "small":
        return [[Fraction(rng.randint(-2, 2)) for _ in range(d)] for _ in range(n)]
    if kind == "symmetric":
        half = [[Fraction(rng.randint(-3, 3), rng.randint(1, 3)) for _ in range(d)] for _ in range((n + 1) // 2)]
        return (half + [[-entry for entry in row] for row in half])[:n]
    if kind == "zero":
        return [[Fraction(0)] * d if i % 2 else [Fraction(rng.randint(-2, 2)) for _ in range(d)] for i in range(n)]
    if kind == "duplicated":
        few = [[Fraction(rng.randint(-3, 3)) for _ in range(d)] for _ in range(2)]
        return [rng.choice(few) for _ in range(n)]
    if kind == "floats":
        return [[Fraction(rng.gauss(0, 1)) for _ in range(d)] for _ in range(n)]
    if kind == "clustered":  # closer to each other than floats can tell, at several scales
        base = [Fraction(rng.randint(1, 9)) for _ in range(d)]
        return [[b + Fraction(rng.randint(-1, 1), 2 ** rng.choice((40, 60, 300))) for b in base] for _ in range(n)]
    if kind == "wide":  # inputs from 1e-300 to 1e300
        return [[Fraction(rng.gauss(0, 1)) * Fraction(10) ** rng.randint(-300, 300) for _ in range(d)]
                for _ in range(n)]
    assert kind == "long"  # thousands of digits
    den = rng.getrandbits(6000) + 1
    return [[Fraction(rng.getrandbits(7000) - 2**6999, den) for _ in range(d)] for _ in range(n)]


def square(rng: random.Random, kind: str, d: int) -> Points:
    return draw(rng, kind, d, d)


class Chooser:
    """Convex weights at every tie, remembered as the selection they make."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.selection: dict[tuple[int, int], list[tuple[int, Rat]]] = {}

    def __call__(self, t: int, i: int, near: list[int]) -> list[tuple[int, Fraction]]:
        members = sorted(self.rng.sample(near, self.rng.randint(1, min(3, len(near)))))
        parts = [self.rng.randint(1, 4) for _ in members]
        weights = [(j, Fraction(part, sum(parts))) for j, part in zip(members, parts, strict=True)]
        self.selection[t, i] = [(j, Rat(w.numerator, w.denominator)) for j, w in weights]
        return weights


def agree(case: Case, policy: str, steps: int, rng: random.Random) -> int:
    """Compare native, verifier and fractions at every step; return how many ties a selection decided."""
    choose = Chooser(rng)
    states = case.brute(policy, steps, choose)
    selection = choose.selection if policy == "every" else {}
    native = NativeTrajectory(case.instance, policy, selection)
    verifier = Trajectory(case.instance, HARDMAX, policy, selection)
    for t, state in enumerate(states):
        assert exact(native.state(t)) == state
        assert exact(verifier.state(t)) == state
        assert native.leaders(t) == case.leaders(state, t)
    assert native.used == verifier.used == set(selection)
    assert [exact(state) for _, state in simulate(case.instance, policy, selection, steps)] == states
    return len(selection)


# ---- refusals and ties

def test_a_time_before_zero_is_undecided() -> None:
    case = Case(draw(random.Random(0), "small", 3, 2), [square(random.Random(1), "small", 2)])
    with pytest.raises(Undecided):
        NativeTrajectory(case.instance, "every", {}).state(-1)


def test_a_selection_must_name_leaders() -> None:
    case = Case([[Fraction(0)], [Fraction(1)], [Fraction(2)]], [[[Fraction(1)]]])
    selection = {(0, 0): [(0, Rat(1, 2)), (1, Rat(1, 2))], (0, 1): [(0, Rat(1))]}
    for trajectory in (NativeTrajectory(case.instance, "every", selection),
                       Trajectory(case.instance, HARDMAX, "every", selection)):
        trajectory.state(1)  # token 0 ties with all; token 1 has one leader and its entry is not looked at
        assert trajectory.used == {(0, 0)}
    plane = Case([[Fraction(1), Fraction(0)], [Fraction(1), Fraction(1)], [Fraction(0), Fraction(5)]],
                 [[[Fraction(1), Fraction(0)], [Fraction(0), Fraction(0)]]])
    with pytest.raises(Reject, match="not a leader"):
        NativeTrajectory(plane.instance, "every", {(0, 0): [(2, Rat(1))]}).state(1)


@pytest.mark.parametrize("kind", ["small", "symmetric", "zero", "duplicated", "floats"])
def test_the_first_tie_is_the_verifiers(kind: str) -> None:
    seen = 0
    for seed in range(25):
        rng = random.Random(f"{kind} {seed}")
        n, d = rng.randint(1, 6), rng.randint(1, 3)
        case = Case(draw(rng, kind, n, d), [square(rng, "small", d) for _ in range(3)],
                    rng.choice(list(STEP_SIZES)), rng.choice(list(MATRICES)))
        found: list[Any] = []
        for trajectory in (NativeTrajectory(case.instance, "every", {}),
                           Trajectory(case.instance, HARDMAX, "every", {})):
            try:
                trajectory.state(6)
                found.append(None)
            except Tie as tie:
                found.append((tie.t, tie.i, tie.points, str(tie)))
        assert found[0] == found[1]
        seen += found[0] is not None
    assert seen or kind == "floats"


def test_without_a_step_there_is_no_tie() -> None:
    # B = 0 at t = 2, where g = 0, and at t = 5, where it is not
    unit, nothing = [[Fraction(1)]], [[Fraction(0)]]
    case = Case([[Fraction(1)], [Fraction(-1)]], [unit, unit, nothing], "list", "cycle")
    native = NativeTrajectory(case.instance, "every", {})
    assert exact(native.state(5)) == case.tokens
    assert native.leaders(2) == native.leaders(5) == [[0, 1], [0, 1]]
    with pytest.raises(Tie) as tie:
        native.state(6)
    assert (tie.value.t, tie.value.i, tie.value.points) == (5, 0, [0, 1])


def test_simulate_stops_at_a_tie() -> None:
    case = Case([[Fraction(0)], [Fraction(1)]], [[[Fraction(1)]]])
    states = simulate(case.instance, "every", {}, 5)
    assert exact(next(states)[1]) == case.tokens
    with pytest.raises(Tie):
        next(states)


# ---- equality

@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("matrix", MATRICES)
@pytest.mark.parametrize("step", STEP_SIZES)
def test_all_forms(step: str, matrix: str, policy: str) -> None:
    rng = random.Random(f"{step} {matrix} {policy}")
    for kind in ("small", "symmetric", "floats"):
        n, d = rng.randint(2, 5), rng.randint(1, 3)
        agree(Case(draw(rng, kind, n, d), [square(rng, "small", d) for _ in range(3)], step, matrix), policy, 6, rng)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("kind", ["small", "symmetric", "zero", "duplicated", "clustered", "wide", "long"])
def test_all_starts(kind: str, policy: str) -> None:
    rng = random.Random(f"{kind} {policy}")
    ties = 0
    for _ in range(3 if kind == "long" else 8):
        n, d = rng.randint(1, 4 if kind == "long" else 7), rng.randint(1, 3)
        entries = kind if kind in ("wide", "long") else rng.choice(("small", "zero", "floats", "clustered"))
        case = Case(draw(rng, kind, n, d), [square(rng, entries, d) for _ in range(3)],
                    rng.choice(list(STEP_SIZES)), rng.choice(list(MATRICES)))
        ties += agree(case, policy, {"wide": 4, "long": 2}.get(kind, 8), rng)
    assert ties or policy != "every" or kind in ("clustered", "wide", "long")


@pytest.mark.parametrize("distance", range(30, 130, 7))
def test_gaps_around_the_precision_of_floats(distance: int) -> None:
    rng = random.Random(distance)
    base = [Fraction(rng.gauss(0, 1)) for _ in range(3)]
    tokens = [[b + Fraction(rng.randint(-3, 3), 2**distance) for b in base] for _ in range(6)]
    agree(Case(tokens, [square(rng, "floats", 3)], "cycle"), "average-indices", 8, rng)


def test_a_matrix_that_floats_round_away() -> None:
    # Beside one entry of 60 bits, half the rows are rounded to nothing and would lose against the other half.
    half, d = 32, 65
    matrix = [[Fraction(127 if a < half and b < 2 * half else 128 * half if half <= a == b else 0) for b in range(d)]
              for a in range(d)]
    matrix[-1][-1] = Fraction(2**59)
    tokens = [[Fraction(a < 2 * half) for a in range(d)], [Fraction(3 * (a < half)) for a in range(d)],
              [Fraction(3 * (half <= a < 2 * half)) for a in range(d)]]
    case = Case(tokens, [matrix])
    assert case.leaders(tokens, 0)[0] == [1]
    agree(case, "every", 2, random.Random(0))


def test_ties_at_every_step() -> None:
    # B = I and four symmetric tokens with two at 0: the two at 0 tie at every step, for ever
    one, zero = Fraction(1), Fraction(0)
    tokens = [[one, zero], [-one, zero], [zero, one], [zero, -one], [zero, zero], [zero, zero]]
    case = Case(tokens, [[[one, zero], [zero, one]]])
    for policy in POLICIES[1:]:
        native = NativeTrajectory(case.instance, policy, {})
        assert all(native.leaders(t)[4] == [0, 1, 2, 3, 4, 5] for t in range(40))
        agree(case, policy, 12, random.Random(0))
    assert agree(case, "every", 6, random.Random(3)) >= 2


@pytest.mark.parametrize("step", ["constant", "expression"])
def test_long_runs_equal_the_verifiers(step: str) -> None:
    rng = random.Random(5)
    case = Case(draw(rng, "floats", 8, 4), [square(rng, "floats", 4) for _ in range(3)], step, "cycle")
    native = NativeTrajectory(case.instance, "every", {})
    verifier = Trajectory(case.instance, HARDMAX, "every", {})
    for t in range(600):
        ours, theirs = native.state(t), verifier.state(t)
        assert all(a * theirs.den == b * ours.den for left, right in zip(ours.rows, theirs.rows, strict=True)
                   for a, b in zip(left, right, strict=True))


def test_many_tokens() -> None:
    rng = random.Random(6)
    case = Case(draw(rng, "floats", 120, 12), [square(rng, "floats", 12)])
    native = NativeTrajectory(case.instance, "every", {})
    verifier = Trajectory(case.instance, HARDMAX, "every", {})
    for t in (1, 3, 8):
        assert exact(native.state(t)) == exact(verifier.state(t))


def test_earlier_states_and_a_regime() -> None:
    rng = random.Random(7)
    case = Case(draw(rng, "floats", 6, 3), [square(rng, "floats", 3)], "expression")
    native, states = NativeTrajectory(case.instance, "every", {}), []
    for t in range(30):
        states.append(exact(native.state(t)))
    for t in (29, 3, 0, 17, 25):
        assert exact(native.state(t)) == states[t]
    verifier = Trajectory(case.instance, HARDMAX, "every", {})
    ours, theirs = ([find_regime(trajectory, t) for t in range(12)] for trajectory in (native, verifier))
    assert ours == theirs and any(ours)


def test_the_shadow_contains_the_truth() -> None:
    rng = random.Random(8)
    case = Case(draw(rng, "floats", 6, 3), [square(rng, "floats", 3)], "expression")
    native = NativeTrajectory(case.instance, "every", {})
    factor, oldest = Fraction(0), 0
    for t in range(400):
        native.leaders(t)
        shadow = native._shadow
        if shadow is None:
            continue
        state = native.state(t)
        assert isinstance(state, NativeState) and shadow.state is state
        points = [[Fraction(int(entry), state.den) for entry in row] for row in state.distinct]
        if shadow.age == 0:
            longest = max(entry.bit_length() for row in state.distinct for entry in row)
            factor = Fraction(state.den, 2**longest)
        for row, floats in zip(points, shadow.points.tolist(), strict=True):
            for a, b in zip(row, floats, strict=True):
                assert abs(factor * a - Fraction(b)) <= Fraction(shadow.error)
        oldest = max(oldest, shadow.age)
    assert oldest > 200


# ---- the system as text

@pytest.mark.parametrize("policy", POLICIES)
def test_the_text_of_the_system_means_the_same(policy: str) -> None:
    system = [HARDMAX[0], "hardmax2", *HARDMAX[2:]]
    claim = certify.parse(f"claim a/b system hardmax, selection {policy} assert forall t: g[t] <= 1").tree
    claim[4] = ["hardmax2", policy]
    for seed in range(12):
        rng = random.Random(seed)
        n, d = rng.randint(2, 5), rng.randint(1, 3)
        case = Case(draw(rng, ("small", "symmetric", "floats")[seed % 3], n, d),
                    [square(rng, "small", d) for _ in range(3)],
                    list(STEP_SIZES)[seed % len(STEP_SIZES)], list(MATRICES)[seed % len(MATRICES)])
        choose = Chooser(rng)
        states = case.brute(policy, 5, choose)
        selection = choose.selection if policy == "every" else {}
        fields = certify.instance("hardmax", x=[[str(entry) for entry in row] for row in case.tokens],
                                  B=MATRICES[case.matrix][0]([[[str(e) for e in row] for row in m]
                                                              for m in case.matrices]),
                                  g=STEP_SIZES[case.step][0]).fields
        plans: dict[str, Any] = {"lines": {}}
        if selection:
            plans["selection"] = [[t, i, [[j, w.text()] for j, w in weights]]
                                  for (t, i), weights in sorted(selection.items())]
        court = Court(claim, system, {**fields, "system": "hardmax2"}, plans, NoLemmas())
        assert not court.trajectory.native
        native = NativeTrajectory(case.instance, policy, selection)
        for t, state in enumerate(states):
            assert exact(court.trajectory.state(t)) == exact(native.state(t)) == state


class NoLemmas:
    def ask(self, operator: str, args: list[Any]) -> Any:
        raise AssertionError("no lemma is needed for a step")
