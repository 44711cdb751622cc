"""Regimes: the closed form against simulation step by step, its contraction against products, times far away."""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "checking"))

from brute_force import Points, Tie, at, dot, exact, plain_step, states
from verdict_support import decide, hardmax

import certify
from certify.theories.regime import find_regime
from certify.verifier.exact import Reject
from certify.verifier.kernel import Court

HEAD = "claim mine/regime system hardmax, selection {} assert 1 = 1"
Schedule = tuple[Any, Callable[[int], Fraction]]
SCHEDULES: dict[str, Schedule] = {
    "2/(t+2)": ("2/(t+2)", lambda t: Fraction(2, t + 2)),
    "2/(t+3)": ("2/(t+3)", lambda t: Fraction(2, t + 3)),
    "1/(t+2)": ("1/(t+2)", lambda t: Fraction(1, t + 2)),
    "3/(t+5)": ("3/(t+5)", lambda t: Fraction(3, t + 5)),
    "1/(t+2)^2": ("1/(t+2)^2", lambda t: Fraction(1, (t + 2) ** 2)),
    "1/(t+3)^2": ("1/(t+3)^2", lambda t: Fraction(1, (t + 3) ** 2)),
    "1/(2*t+3)": ("1/(2*t+3)", lambda t: Fraction(1, 2 * t + 3)),
    "2/(3*t+7)": ("2/(3*t+7)", lambda t: Fraction(2, 3 * t + 7)),
    "t/(t+1)": ("t/(t+1)", lambda t: Fraction(t, t + 1)),
    "1/2": ("1/2", lambda t: Fraction(1, 2)),
    "0": ("0", lambda t: Fraction(0)),
    "1/2^(t+2)": ("1/2^(t+2)", lambda t: Fraction(1, 2 ** (t + 2))),
    "(t+1)/(3*t+4)": ("(t+1)/(3*t+4)", lambda t: Fraction(t + 1, 3 * t + 4)),
    "cycle": ({"cycle": ["1/2", "0", "1/5"]}, lambda t: [Fraction(1, 2), Fraction(0), Fraction(1, 5)][t % 3]),
    "list": (["1/2", "1/7", "1/3"], lambda t: [Fraction(1, 2), Fraction(1, 7), Fraction(1, 3)][min(t, 2)]),
}
CLOSED = {"2/(t+2)", "2/(t+3)", "1/(t+2)", "3/(t+5)", "1/(t+2)^2", "1/(t+3)^2", "1/2", "0", "list"}  # they telescope


class NoLemmas:
    def ask(self, operator: str, args: list[Any]) -> Any:
        raise AssertionError(f"a regime asks for no lemma, not even {operator}")


def court(rule: str, data: certify.Instance, regime: dict[str, Any] | None = None) -> Court:
    claim = certify.parse(HEAD.format(rule))
    plans = {"lines": {}} if regime is None else {"lines": {}, "regime": regime}
    return Court(claim.tree, claim.system, dict(data.fields), plans, NoLemmas())


def search(rule: str, data: certify.Instance, last: int) -> dict[str, Any] | None:
    """The first regime up to some time, as a check looks for it."""
    trajectory = court(rule, data).trajectory
    for t in range(last + 1):
        found = find_regime(trajectory, t)
        if found is not None:
            assert found["T"] == t
            return found
    return None


def value(tree: Any, t: int) -> Fraction:
    """An expression in t, evaluated here."""
    if tree[0] == "num":
        return Fraction(tree[1])
    if tree[0] == "var":
        return Fraction(t)
    if tree[0] == "neg":
        return -value(tree[1], t)
    left, right = value(tree[1], t), value(tree[2], t)
    if tree[0] == "pow":
        assert right.denominator == 1
        return left**right.numerator
    return (
        {"add": left + right, "sub": left - right, "mul": left * right}[tree[0]] if tree[0] != "div" else left / right
    )


def rational_points(state: Any) -> Points:
    return [[Fraction(e.n, e.d) for e in row] for row in state.points()]


def segment(x: Points, targets: list[list[int]], rule: str) -> Points:
    """Where each token goes: the mean of its leaders, by the rule."""
    goals = []
    for chosen in targets:
        points = [x[k] for k in chosen]
        if rule == "average-points":
            points = [p for k, p in enumerate(points) if p not in points[:k]]
        goals.append([sum(column, Fraction(0)) / len(points) for column in zip(*points, strict=True)])
    return goals


def random_data(seed: int, g: Any) -> tuple[Points, Points, certify.Instance]:
    rng = Random(seed)
    d, n = rng.choice([1, 2]), rng.randint(2, 5)
    x = [[Fraction(rng.randint(-6, 6), rng.choice([1, 2, 3])) for _ in range(d)] for _ in range(n)]
    rows = [[Fraction(rng.randint(-2, 2)) for _ in range(d)] for _ in range(d)]
    sign = rng.choice([-1, 1])
    b = [[sign * dot(p, q) + (sign if i == j else 0) for j, q in enumerate(rows)] for i, p in enumerate(rows)]
    return x, b, hardmax(x, b, g)


@pytest.mark.parametrize("name", SCHEDULES)
def test_the_closed_form_is_the_simulation(name: str) -> None:
    """Random data, every rule of selection: each state from T to 300 (60 if numbers grow fast) equals brute force."""
    g, g_at = SCHEDULES[name]
    met = 0
    for seed in range(8):
        x, b, data = random_data(seed, g)
        rule = ("every", "average-points", "average-indices")[seed % 3]
        try:
            regime = search(rule, data, 12)
        except Exception as reason:
            assert rule == "every", "only a selection of one's own can be missing"
            assert "several leaders" in str(reason)
            continue
        if regime is None:
            continue
        met += 1
        print("schedule", name, "seed", seed, rule, "regime", regime)
        trajectory = court(rule, data, regime).trajectory
        start = regime["T"]
        base: Points = []
        goal: Points = []
        contraction = Fraction(1)
        choose: Any = no_choice if rule == "every" else rule
        for t, state in enumerate(islice(states(x, lambda t: b, g_at, choose), 61 if "2^" in name else 301)):
            if t == start:
                base, goal = exact(state), segment(exact(state), regime["targets"], rule)
            if t >= start:
                now = exact(state)
                assert now == [
                    [v + contraction * (p - v) for p, v in zip(one, end, strict=True)]
                    for one, end in zip(base, goal, strict=True)
                ]
                assert rational_points(trajectory.state(t)) == now
                if "c" in regime:
                    assert value(regime["c"], t) == contraction
                contraction *= 1 - g_at(t)
    assert met >= 3


def no_choice(t: int, i: int, points: list[int]) -> dict[int, Fraction]:
    raise Tie(t, i, points)


@pytest.mark.parametrize("name", sorted(CLOSED))
@pytest.mark.parametrize("start", [0, 1, 2, 7])
def test_products_that_telescope_get_a_closed_form(name: str, start: int) -> None:
    """Tokens 3 and 1 with B = -1 are in a regime at every T; c at t is the product of 1 - g from T on."""
    from certify.theories.regime import closed_contraction

    g, g_at = SCHEDULES[name]
    steps = court("every", hardmax([[3], [1]], [[-1]], g)).instance.sequences["g"]
    form = closed_contraction(steps, start)
    if (name == "2/(t+2)" and start == 0) or (name == "list" and start < 2):
        assert form is None  # 1 - g(0) = 0; a list before its last entry
        return
    assert form is not None
    contraction = Fraction(1)
    for t in range(start, start + 200):
        assert value(form, t) == contraction
        contraction *= 1 - g_at(t)


FAR: dict[str, Callable[[int], Fraction]] = {  # products from t = 0 on, by hand
    "2/(t+3)": lambda t: Fraction(2, (t + 1) * (t + 2)),
    "1/(t+2)": lambda t: Fraction(1, t + 1),
    "3/(t+5)": lambda t: Fraction(2 * 3 * 4, (t + 2) * (t + 3) * (t + 4)),
    "1/(t+2)^2": lambda t: Fraction(t + 2, 2 * (t + 1)),
    "1/(t+3)^2": lambda t: Fraction(2 * (t + 3), 3 * (t + 2)),
}


@pytest.mark.parametrize("name", FAR)
@pytest.mark.parametrize("t", [10**3, 10**12, 10**12 + 1, 10**40])
def test_far_away(name: str, t: int) -> None:
    g, g_at = SCHEDULES[name]
    for s in range(40):  # the formula by hand is right
        assert FAR[name](s + 1) == FAR[name](s) * (1 - g_at(s))
    data = hardmax([[3, 1], [1, 0], [2, 5]], [[-1, 0], [0, -1]], g)
    regime = search("every", data, 0)
    assert regime is not None
    c = FAR[name](t)
    assert rational_points(court("every", data, regime).trajectory.state(t)) == [
        [1 + 2 * c, c],
        [Fraction(1), Fraction(0)],
        [1 + c, 5 * c],
    ]


# ---- the first failure, computed without simulating

CLOSE = (
    "claim mine/close system hardmax, selection every given c: scalar assert "
    "forall t, i, j: i = j or <x[i, t] - x[j, t], x[i, t] - x[j, t]> > c"
)


@pytest.mark.parametrize(
    ("name", "c"),
    [
        (name, c)
        for name in ("2/(t+3)", "1/(t+2)", "3/(t+5)", "1/2", "cycle", "list")
        for c in ("1/10", "1/400", "1/90000")
    ]
    + [(name, c) for name in ("1/(2*t+3)", "(t+1)/(3*t+4)") for c in ("1/10", "1/40")],
)
def test_the_first_failure_is_the_one_that_brute_force_finds(name: str, c: str) -> None:
    """Tokens 3, 1 and 5/2 all go to 1; a distance falls below a bound at some t, long after the horizon of 3."""
    g, g_at = SCHEDULES[name]
    x = [[Fraction(3)], [Fraction(1)], [Fraction(5, 2)]]
    wanted = None
    for t, state in enumerate(islice(states(x, lambda s: [[Fraction(-1)]], g_at), 700)):
        now = exact(state)
        close = [(t, i) for i in range(3) for j in range(3) if i != j and (now[i][0] - now[j][0]) ** 2 <= Fraction(c)]
        if close:
            wanted = close[0]
            break
    verdict = decide(CLOSE, hardmax(x, [[-1]], g, c=c), horizon=3).verdict
    print(name, c, wanted, verdict)
    if wanted is None:
        assert name in ("1/(t+2)", "1/(2*t+3)")  # of the order of t^-1 and t^-1/2: beyond 700
        assert verdict["kind"] == "holds" or int(verdict["t"]) >= 700
    elif verdict["kind"] == "refuted":
        assert (verdict["t"], verdict["i"], verdict["first"]) == (*wanted, True)
    else:
        assert name in ("cycle", "1/(2*t+3)", "(t+1)/(3*t+4)"), "there is a closed form of c"
        assert verdict["kind"] == "holds"
        assert verdict["T"] < wanted[0]


@pytest.mark.parametrize("power", [6, 12, 24])
def test_a_first_failure_at_an_astronomical_time(power: int) -> None:
    """x_0 - x_1 = 2/(t+1) for g = 1/(t+2): at most 10^-p/2 in square root from t = 2 * 10^(p/2) - 1 on."""
    data = hardmax([[3], [1]], [[-1]], "1/(t+2)", c=f"1/{10**power}")
    verdict = decide(CLOSE, data, horizon=3).verdict
    first = 2 * 10 ** (power // 2) - 1
    assert Fraction(2, first + 1) ** 2 <= Fraction(1, 10**power) < Fraction(2, first) ** 2
    assert (verdict["kind"], int(verdict["t"]), verdict["i"], verdict["first"]) == ("refuted", first, 0, True)
    assert isinstance(verdict["t"], str) == (first >= 2**31)


@pytest.mark.parametrize("numerator", [1000001, 40, 9])
def test_the_far_violation_of_the_theorem(numerator: int) -> None:
    """Tokens a > 0 and -(a-1): J at the time found exceeds the bound, at the time before it does not."""
    x = [[Fraction(numerator)], [Fraction(1 - numerator)]]
    verdict = decide(certify.load("fw25v1/thm-3.1"), hardmax(x, [[-1]], "2/(t+2)")).verdict
    t, i = int(verdict["t"]), verdict["i"]
    third = at(x, lambda s: [[Fraction(-1)]], lambda s: Fraction(2, s + 2), 3)
    rest = min(third, key=lambda p: abs(p[0]))[0]

    def fails(s: int) -> bool:
        c = Fraction(3 * 4, (s + 1) * (s + 2))  # the product of 1 - g from 3 to s
        point = rest + c * (third[i][0] - rest)
        return point**2 / 2 > Fraction(2, s + 1) * (2 * numerator - 1) ** 2

    assert fails(t)
    assert not fails(t - 1)
    assert not any(fails(s) for s in Random(0).sample(range(3, t), min(t - 3, 300)))


# ---- what must not be taken for a regime

FALSE_REGIMES: list[tuple[str, dict[str, Any]]] = [
    ("a leader that moves", {"T": 0, "targets": [[1], [0]]}),
    ("not the leader", {"T": 2, "targets": [[0], [1]]}),
    ("too early", {"T": 1, "targets": [[1], [0]]}),
    ("one list for each token", {"T": 2, "targets": [[1]]}),
    ("no such token", {"T": 2, "targets": [[1], [2]]}),
    ("an empty list", {"T": 2, "targets": [[1], []]}),
    ("two leaders for one selection", {"T": 2, "targets": [[0, 1], [1]]}),
    ("a wrong closed form", {"T": 2, "targets": [[1], [1]], "c": ["div", ["num", "2"], ["var", "t"]]}),
    ("a closed form that is not 1 at T", {"T": 2, "targets": [[1], [1]], "c": ["num", "0"]}),
    ("a tail that is too small", {"T": 2, "targets": [[1], [1]], "tail": ["num", "0"]}),
    ("a negative time", {"T": -1, "targets": [[1], [1]]}),
    ("a time that is no integer", {"T": True, "targets": [[1], [1]]}),
    ("more than is known", {"T": 2, "targets": [[1], [1]], "extra": 1}),
]


@pytest.mark.parametrize(("why", "field"), FALSE_REGIMES, ids=[why for why, _ in FALSE_REGIMES])
def test_false_regimes_are_rejected(why: str, field: dict[str, Any]) -> None:
    """Tokens 3 and -1: at t = 2 they are 5/3 and 1/3 and the second one leads; before that they swap."""
    data = hardmax([[3], [-1]], [[-1]], "2/(t+2)")
    with pytest.raises(Reject):
        court("every", data, field)
    good = court("every", data, {"T": 2, "targets": [[1], [1]]})
    assert rational_points(good.trajectory.state(3)) == [[Fraction(1)], [Fraction(1, 3)]]


@pytest.mark.parametrize(
    "b",
    [
        {"list": [[["-1"]], [["-1"]], [["-1"]], [["1"]]]},
        {"cycle": [[["-1"]], [["1"]]]},
        {"scale": "10 - t", "matrix": [["-1"]]},
        {"scale": "(-1)^t", "matrix": [["-1"]]},
    ],
)
def test_a_matrix_that_changes_sign_later_is_no_regime(b: Any) -> None:
    """At t = 2 all looks well; the sign of B changes afterwards."""
    data = hardmax([[3], [1]], b, "1/3")
    with pytest.raises(Reject):
        court("every", data, {"T": 2, "targets": [[1], [1]]})


def test_resting_leaders_are_a_regime_and_nothing_else_is() -> None:
    """Random matrices, not symmetric, all leaders single and at rest at t = 0: accepted, and they lead at every step.

    (<B x_i(c), v_i - x_j(c)> is a mean of four products that are nonnegative at t = 0.) A resting token that does not
    lead is rejected as a target.
    """
    rng = Random(3)
    accepted = rejected = 0
    while accepted < 12 or rejected < 12:
        x = [[Fraction(rng.randint(-5, 5)), Fraction(rng.randint(-5, 5))] for _ in range(4)]
        b = [[Fraction(rng.randint(-2, 2)) for _ in range(2)] for _ in range(2)]
        targets = [single_leader(x, b, i) for i in range(4)]
        if None in targets or any(targets[k] != k for k in targets if k is not None):
            continue
        data = hardmax(x, b, "1/4")
        court("every", data, {"T": 0, "targets": [[k] for k in targets]})
        accepted += 1
        now = x
        for t in range(30):
            assert [single_leader(now, b, i) for i in range(4)] == targets
            now = plain_step(now, b, Fraction(1, 4), t)
        for i, other in [(i, k) for i in range(4) for k in set(targets) if k != targets[i] and targets[i] != i][:2]:
            with pytest.raises(Reject):
                court("every", data, {"T": 0, "targets": [[other] if k == i else [c] for k, c in enumerate(targets)]})
            rejected += 1


def single_leader(x: Points, b: Points, i: int) -> int | None:
    """The token that leads i, if it is the only one."""
    image = [dot(row, x[i]) for row in b]
    scores = [dot(image, p) for p in x]
    return scores.index(max(scores)) if scores.count(max(scores)) == 1 else None
