"""Margins in floating point against exact readings of the same trees: brute force in fractions, and the verifier's."""
from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from certify.errors import InputError
from certify.statements.margin_bodies import vertex_margins
from certify.statements.margins import Batch, Margins, compile_margin, margins
from certify.statements.parse import parse_claim
from certify.systems.hardmax_floats import Stepper, Timed, Trajectories, block_size
from certify.verifier.evaluate import Evaluator
from certify.verifier.exact import Rat
from certify.verifier.sorts import Tree, check_claim
from certify.verifier.systems import HARDMAX, Instance, Trajectory

TINY = 1e-9
Points = list[list[Fraction]]
T, TOKEN, OTHER = ["var", "t"], ["var", "i"], ["var", "j"]


def num(value: int) -> Tree:
    return ["num", str(value)]


def star(when: Tree) -> Tree:
    return ["use", "Bs", [when], []]


LATER, SOONER = ["add", T, num(1)], ["at", "x", num(0)]
DEFINITIONS = [["Bs", ["t"], [], ["neg", ["at", "B", T]]],
               ["J", ["t"], ["u"], ["mul", ["div", num(1), num(2)], ["inner", ["mul", star(T), ["var", "u"]],
                                                                     ["var", "u"]]]]]
ASSUMPTIONS = [["H1", ["forall", [["t"]], ["psd", star(T)]]],
               ["H2", ["forall", [["t"]], ["psd", ["sub", star(T), star(LATER)]]]],
               ["H3", ["forall", [["t"]], ["eq", ["at", "g", T], ["div", num(2), ["add", T, num(2)]]]]],
               ["H4", ["in", num(0), ["hull", SOONER]]]]
BOUND = ["mul", ["mul", ["div", num(2), LATER], ["lambda_max", star(num(0))]],
         ["pow", ["diam", ["hull", SOONER]], num(2)]]
THEOREM = ["claim", "fw25v1/thm-3.1", "theorem", ["", "", ""], ["hardmax", "every"], [], DEFINITIONS, ASSUMPTIONS,
           ["forall", [["t"], ["i"]], ["le", ["use", "J", [T], [["at", "x", TOKEN, LATER]]], BOUND]]]


def built(assertion: Tree, givens: list[Tree]) -> Tree:
    claim = ["claim", "own/claim", "theorem", ["", "", ""], ["hardmax", "every"], givens, DEFINITIONS, [], assertion]
    check_claim(claim, HARDMAX)
    return claim


def written(assertion: str, before: str = "", system: str = "hardmax, selection every") -> Tree:
    text = f"claim own/claim\n  system  {system}\n{before}  assert  {assertion}\n"
    return parse_claim(text, lambda name: HARDMAX if name == "hardmax" else None).tree


# ---- exact readings

def dot(u: list[Fraction], v: list[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(u, v, strict=True)), start=Fraction(0))


def image(matrix: Points, u: list[Fraction]) -> list[Fraction]:
    return [dot(row, u) for row in matrix]


def trajectory(x: Points, matrix: Points, g: Callable[[int], Fraction], steps: int) -> list[Points]:
    states = [x]
    for t in range(steps):
        now, following = states[-1], []
        for u in now:
            scores = [dot(image(matrix, u), v) for v in now]
            leader = now[scores.index(max(scores))]
            following.append([(1 - g(t)) * a + g(t) * b for a, b in zip(u, leader, strict=True)])
        states.append(following)
    return states


def harmonic(t: int) -> Fraction:
    return Fraction(2, t + 2)


def energy(matrix: Points, u: list[Fraction]) -> Fraction:
    return -dot(image(matrix, u), u) / 2


def worst(exact: list[list[Fraction]]) -> tuple[Fraction, int, tuple[int, int] | None]:
    """The least margin of exact[t][i], its time, and the first violation."""
    flat = [(value, t, i) for t, row in enumerate(exact) for i, value in enumerate(row)]
    first = next(((t, i) for value, t, i in flat if value < 0), None)
    return min(flat)[0], min(flat)[1], first


def random_points(draw: random.Random, n: int, d: int) -> Points:
    return [[Fraction(draw.randint(-300, 300), draw.choice((7, 64, 101))) for _ in range(d)] for _ in range(n)]


def random_matrix(draw: random.Random, d: int) -> tuple[Points, Fraction]:
    """A negative matrix that is not diagonal if d > 1, and the largest eigenvalue of its negative."""
    values = [Fraction(draw.randint(0, 40), 9) for _ in range(d)]
    found = [[-values[a] if a == b else Fraction(0) for b in range(d)] for a in range(d)]
    if d > 1:
        c, s = Fraction(3, 5), Fraction(4, 5)
        p, q = values[:2]
        found[0][0], found[1][1] = -(c * c * p + s * s * q), -(s * s * p + c * c * q)
        found[0][1] = found[1][0] = -(c * s * (p - q))
    return found, max(values)


def floats(value: Any) -> Any:
    return np.array(value, dtype=object).astype(np.float64)


def cases(seed: int, n: int, d: int, count: int, copies: bool) -> tuple[list[tuple[Points, Points, Fraction]], Batch]:
    draw = random.Random(seed)
    found = []
    for _ in range(count):
        x = random_points(draw, n, d)
        if copies and n > 1:
            x[draw.randrange(1, n)] = list(x[0])
        found.append((x, *random_matrix(draw, d)))
    xs, matrices, _ = zip(*found, strict=True)
    return found, Batch(floats(xs), floats(matrices), lambda t: 2 / (t + 2))


SIZES = [(1, 1, False), (2, 1, False), (4, 1, True), (3, 2, False), (5, 2, True), (6, 3, False), (4, 3, True)]


def agree(claim: Tree, batch: Batch, horizon: int, exact: list[list[list[Fraction]]]) -> int:
    """Compare a whole batch; return how many instances violate the claim."""
    reading = compile_margin(claim).read(batch, horizon)["assertion"]
    violated = 0
    for k, rows in enumerate(exact):
        margin, _, first = worst(rows)
        scale = max(1.0, float(max(abs(v) for row in rows for v in row)))
        assert reading.margin[k] == pytest.approx(float(margin), abs=TINY * scale)
        if abs(margin) > TINY * scale:
            assert (reading.margin[k] < 0) == (margin < 0)
            assert rows[reading.t[k]][reading.i[k]] - margin < TINY * scale
        if all(abs(value) > TINY * scale for row in rows for value in row):
            assert (reading.first_t[k], reading.first_i[k]) == (first or (-1, -1))
            violated += first is not None
    return violated


# ---- three claims by brute force

@pytest.mark.parametrize(("n", "d", "copies"), SIZES)
def test_the_theorem_agrees_with_fractions(n: int, d: int, copies: bool) -> None:
    found, batch = cases(n * 10 + d, n, d, 12, copies)
    exact = []
    for x, matrix, largest in found:
        states = trajectory(x, matrix, harmonic, 14)
        width = max(dot(gap, gap) for u in x for v in x for gap in [[a - b for a, b in zip(u, v, strict=True)]])
        exact.append([[Fraction(2, t + 1) * largest * width - energy(matrix, u) for u in states[t + 1]]
                      for t in range(14)])
    agree(THEOREM, batch, 13, exact)


def test_the_known_violation_is_found_at_its_time() -> None:
    batch = Batch(np.array([[[3.0], [-1.0]]]), np.array([[-1.0]]), lambda t: 2 / (t + 2))
    reading = compile_margin(THEOREM).read(batch, 600)["assertion"]
    states = trajectory([[Fraction(3)], [Fraction(-1)]], [[Fraction(-1)]], harmonic, 601)
    exact = [[Fraction(32, t + 1) - u[0] ** 2 / 2 for u in states[t + 1]] for t in range(601)]
    assert (reading.first_t[0], reading.first_i[0]) == worst(exact)[2] == (575, 0)
    assert reading.margin[0] < 0
    early = compile_margin(THEOREM).read(batch, int(reading.first_t[0]) - 1)["assertion"]
    assert early.margin[0] > 0 and early.first_t[0] == -1


@pytest.mark.parametrize(("n", "d", "copies"), SIZES)
def test_folds_over_tokens_agree_with_fractions(n: int, d: int, copies: bool) -> None:
    """|x[i,t+1]|^2 + min_j <x[i,t], x[j,t+2]> < w * mean_j |x[j,0]|^2 + |<v, x[i,t]>|."""
    square = ["inner", ["at", "x", OTHER, num(0)], ["at", "x", OTHER, num(0)]]
    left = ["add", ["pow", ["norm", ["at", "x", TOKEN, LATER]], num(2)],
            ["least", ["j"], ["inner", ["at", "x", TOKEN, T], ["at", "x", OTHER, ["add", T, num(2)]]]]]
    right = ["add", ["mul", ["at", "w"], ["mean", ["j"], square]],
             ["abs", ["inner", ["at", "v"], ["at", "x", TOKEN, T]]]]
    claim = built(["forall", [["i"], ["t", "le", num(6)]], ["lt", left, right]], [["w", "scalar"], ["v", "vector"]])
    found, batch = cases(100 + n * 10 + d, n, d, 12, copies)
    draw = random.Random(5)
    weights, directions = [Fraction(draw.randint(1, 9), 4) for _ in found], random_points(draw, len(found), d)
    batch = Batch(batch.x, batch.B, batch.g, {"w": floats(weights), "v": floats(directions)})
    exact = []
    for (x, matrix, _), weight, v in zip(found, weights, directions, strict=True):
        states = trajectory(x, matrix, harmonic, 9)
        mean = sum(dot(u, u) for u in x) / Fraction(len(x))
        exact.append([[weight * mean + abs(dot(v, states[t][i])) - dot(states[t + 1][i], states[t + 1][i])
                       - min(dot(states[t][i], u) for u in states[t + 2]) for i in range(n)] for t in range(7)])
    violated = agree(claim, batch, 6, exact)
    assert violated or n < 4


@pytest.mark.parametrize(("n", "d", "copies"), SIZES)
def test_folds_over_times_agree_with_fractions(n: int, d: int, copies: bool) -> None:
    """min_{s in 1..t} J[s](x[i,s]) <= (prod_{s in 0..t} (1 - g[s+1])) * max_j J[0](x[j,0]) + tr(Bs)/(4t), t >= 1."""
    s = ["var", "s"]
    left = ["least", ["s", "in", num(1), T], ["use", "J", [s], [["at", "x", TOKEN, s]]]]
    rate = ["prod", ["s", "in", num(0), T], ["sub", num(1), ["at", "g", ["add", s, num(1)]]]]
    right = ["add", ["mul", rate, ["greatest", ["j"], ["use", "J", [num(0)], [["at", "x", OTHER, num(0)]]]]],
             ["div", ["trace", star(T)], ["mul", num(4), T]]]
    claim = built(["forall", [["t", "ge", num(1)], ["i"]], ["le", left, right]], [])
    found, batch = cases(200 + n * 10 + d, n, d, 12, copies)
    exact = []
    for x, matrix, _ in found:
        states = trajectory(x, matrix, harmonic, 8)
        trace = -sum((matrix[a][a] for a in range(d)), start=Fraction(0))
        rows = [[Fraction(10**6)] * n]  # t = 0 is not asked
        factor = 1 - harmonic(1)
        for t in range(1, 9):
            factor *= 1 - harmonic(t + 1)
            top = factor * max(energy(matrix, u) for u in x) + trace / (4 * t)
            rows.append([top - min(energy(matrix, states[r][i]) for r in range(1, t + 1)) for i in range(n)])
        exact.append(rows)
    reading = compile_margin(claim).read(batch, 8)["assertion"]
    for k, rows in enumerate(exact):
        margin, _, first = worst(rows)
        assert reading.margin[k] == pytest.approx(float(margin), abs=1e-8)
        if all(abs(value) > TINY for row in rows for value in row):
            assert (reading.first_t[k], reading.first_i[k]) == (first or (-1, -1))


# ---- many formulas against the verifier's evaluation

# names inside the definitions are those that the formulas bind, too
SHARED = """  where   E[s](u) = sum j: <u, x[j, s + 1]>^2*<x[j, 0] - u, u>;
          D[i] = forall t: t <= 4 implies <x[i, t], x[i, t + 1]> >= -1/2;
          near[i] = {j : <x[i, 0], x[j, 0]> >= 0}
"""
FORMULAS = [
    "forall t, j: E[t](x[j, t]) <= 20 and (exists i: E[0](x[i, t + 1]) <= 1/2)",
    "forall t, j: D[j] or <x[j, t], x[j, t]> <= 3",
    "forall t, j: (max k in near[j]: <x[k, t], x[j, t]>) >= t/10",
    "forall t, i: not norm(x[i, t]) > 2 or <x[i, t + 1], x[i, 0]> >= 1/3",
    "forall t, i, j: i != j implies norm(x[i, t] - x[j, t + 1]) > 1/4",
    "forall t, i: exists j: norm(x[i, t + 1] - x[j, t]) < 3/2 and i != j",
    "forall t, i in {k : <x[k, 0], x[k, 0]> > 2}: <B[t]*x[i, t], x[i, t]> <= g[t] - 1/5",
    "forall t, i in argmax j: <x[j, t], x[j, t]>: norm(x[i, t + 1]) <= 2",
    "forall t, i: i in {k : <x[k, t], x[k, t]> > 1} iff norm(x[i, t + 1]) > 1",
    "forall t: card({k : <x[k, t], x[k, t]> > 1}) <= n - 1",
    "forall t: sum k in argmin j: <x[j, 0], x[j, 0]>: norm(x[k, t])^2 <= 2*d",
    "forall t, s <= t: min(trace(B[s]*transpose(B[t]) + I), 7) >= diam(hull(x[s]))",
    "forall t: exists s in 0..t: forall i: norm(x[i, s]) <= 5/2",
    "forall t, i: max(<x[i, t], x[i, t]>, 1)^3/(t - 2) <= 5",
    "forall t, i: norm(sum j: g[t]*x[j, t] - (mean k: x[k, t + 1]))^2 <= 3 + <x[i, 0], x[i, 0] + 0>",
    "forall t: psd(B[0]*B[0] - I/2) or diam(hull(x[t])) < 5/2",
    "forall t, i: (1/4)^t*<x[i, 0], x[i, 0]> <= norm(x[i, t - 1])^2",
    "forall i: norm(x[i, 3]) <= 2 and (forall t <= 4: norm(x[i, t]) <= 3)",
    "(exists t: t <= 5 and diam(hull(x[t])) < 1) implies (forall i: norm(x[i, 1]) < 3/2)",
]


def ask(operator: str, args: list[Any]) -> bool:
    """Whether a matrix of size 2 is psd."""
    assert operator == "psd"
    (a, b), (c, e) = args[0]
    zero = Rat(0)
    return bool(b == c and zero <= a and zero <= e and zero <= a * e - b * c)


def verifier_truths(claim: Tree, fields: dict[str, Any], horizon: int) -> tuple[bool | None, int | None]:
    """Truth of the assertion to the horizon, and the first time at which it is false."""
    instance = Instance(fields, HARDMAX, claim[5])
    evaluator = Evaluator(claim, HARDMAX, instance, Trajectory(instance, HARDMAX, "every", {}), ask)
    formula = claim[8]

    def to_horizon(tree: Tree, env: dict[str, Any], path: tuple[int, ...]) -> bool | None:
        values = [evaluator.every(tree[0] == "forall", tree[1][1:], tree[2], {**env, tree[1][0][0]: t}, path)[0]
                  for t in range(horizon + 1)]
        goal = tree[0] == "forall"
        return (not goal) if (not goal) in values else None if None in values else goal

    evaluator.plan = to_horizon
    if formula[0] != "forall" or formula[1][0] != ["t"]:
        return evaluator.truth(formula, {}, ()), None
    values = [evaluator.every(True, formula[1][1:], formula[2], {"t": t}, ())[0] for t in range(horizon + 1)]
    return (False, values.index(False)) if False in values else (None if None in values else True, None)


@pytest.mark.parametrize("formula", FORMULAS)
def test_signs_agree_with_the_verifier(formula: str) -> None:
    claim, horizon, draw = written(formula, SHARED), 6, random.Random(formula)
    n, d, fields = 4, 2, []
    for _ in range(15):
        points = [[str(Fraction(draw.randint(-300, 300), 101)) for _ in range(d)] for _ in range(n)]
        a, b, c = (str(Fraction(draw.randint(-20, 20), 13)) for _ in range(3))
        fields.append({"system": "hardmax", "x": points, "B": [[a, b], [b, c]],
                       "g": ["div", num(1), ["add", T, num(2)]]})
    x, matrix = (floats([[[Fraction(e) for e in row] for row in f[key]] for f in fields]) for key in ("x", "B"))
    compiled = compile_margin(claim)
    assert not compiled.unread
    reading = compiled.read(Batch(x, matrix, lambda t: 1 / (t + 2)), horizon)["assertion"]
    decided: list[bool] = []
    for k, one in enumerate(fields):
        truth, first = verifier_truths(claim, one, horizon)
        if truth is None:  # undefined at some time, violated at none
            assert not reading.margin[k] < 0
            continue
        decided.append(truth)
        assert bool(reading.margin[k] >= 0) is truth, (k, reading.margin[k])
        if first is not None:
            assert reading.first_t[k] == first
    assert decided


# ---- what a margin is

def one(assertion: str, x: Any, horizon: int = 0, before: str = "", **more: Any) -> float:
    points = np.array([x], dtype=np.float64)
    batch = Batch(points, more.pop("B", -np.eye(points.shape[2])), more.pop("g", 0.5), more)
    return float(compile_margin(written(assertion, before)).read(batch, horizon)["assertion"].margin[0])


@pytest.mark.parametrize(("formula", "margin"), [
    ("forall i: norm(x[i, 0]) <= 7", 2.0), ("forall i: norm(x[i, 0]) >= 4", -3.0), ("n = 3", -1.0), ("d != 5", 3.0),
    ("norm(w) < 1 and 2 < 5", -4.0), ("2 < 5 or norm(w) < 1", 3.0), ("not n <= 7", -5.0), ("n <= 3 iff d > 4", -1.0),
    ("n < 3 implies d > 4", -1.0), ("exists i: norm(x[i, 0]) <= 4", 3.0), ("psd(I)", 1.0), ("psd(M)", -3.0),
    ("pd(-I)", -1.0), ("lambda_max(3*I - I) = 2", 0.0), ("w = w", 0.0), ("w = 0", -4.0), ("M*w = 0", -12.0),
    ("trace(M*transpose(M)) = 9", 0.0), ("<0, w> = 0", 0.0), ("norm(w + 0) <= 5", 0.0), ("diam(hull(C)) <= 4", 1.0),
    ("min(norm(w), 2) >= max(1, abs(-3/2))", 0.5), ("forall i: i in tokens", np.inf), ("Z(0) <= 1", 1.0),
    ("forall t >= 5: 1 < 0", np.inf), ("1/(n - 2) <= 1", np.nan)])
def test_the_margin_is_the_signed_slack(formula: str, margin: float) -> None:
    before = "  given   w: vector;\n          M: matrix;\n          C: cloud\n  where   Z(u) = <M*u, u>\n"
    found = one(formula, [[3.0, 4.0], [0.0, 1.0]], 2, before, w=[3.0, 4.0], M=[[0.0, 3.0], [0.0, 0.0]],
                C=[[0.0, 0.0], [3.0, 0.0], [1.0, 0.0]])
    assert found == pytest.approx(margin, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("formula", ["2 < 2", "not 2 <= 2", "1 = 1 implies 2 < 1", "2 != 2", "pd(0*I)", "not n = 2"])
def test_a_strict_formula_on_its_boundary_is_violated(formula: str) -> None:
    assert -1 <= one(formula, [[1.0], [2.0]]) < 0


def test_undefined_times_are_passed_over() -> None:
    assert one("forall t: 1/t <= 2", [[1.0]], 3) == 1.0
    assert one("forall t: 1/(t - 2) >= -1/4", [[1.0]], 5) == -0.75
    assert np.isnan(one("forall t: sqrt(-1) <= 1", [[1.0]], 3))


def test_the_assumptions_of_the_theorem() -> None:
    def shrinking(t: int) -> Any:
        return np.array([[-1.0, 0.0], [0.0, -2.0]]) / (t + 1)

    x = np.array([[[1.0, 0.0], [-1.0, 0.5]]])
    found = margins(THEOREM, Batch(x, shrinking, lambda t: 2 / (t + 2)), 9)
    assert list(found) == ["H1", "H2", "H3", "H4", "assertion"]
    assert found["H1"][0] == pytest.approx(0.1) and found["H2"][0] == pytest.approx(1 / 110)
    assert found["H3"][0] == 0.0 and found["H4"][0] == pytest.approx(-0.5 / 4.25 ** 0.5)
    assert margins(THEOREM, Batch(x, np.array([[-1.0, 2.0], [0.0, -1.0]]), 0.5), 9)["H1"][0] == -2.0
    assert margins(THEOREM, Batch(x, shrinking, np.array([1.0, 0.5])), 9)["H3"][0] == pytest.approx(2 / 11 - 1 / 2)
    everywhere = Margins(THEOREM).read(Batch(x, lambda t: shrinking(-2 - t)[None], 0.5), 3)
    assert everywhere["H1"].first_t[0] == 0 and everywhere["H1"].first_i[0] == -1


def test_unread_lines_are_nan_and_named() -> None:
    assert Margins(THEOREM).unread == {}
    x = np.ones((3, 2, 1))
    for formula, operator in (("box(x[0])", "box"), ("forall i: not box(x[0]) or norm(x[i, 0]) <= 1", "box")):
        compiled = compile_margin(written(formula))
        assert compiled.unread == {"assertion": operator}
        reading = compiled.read(Batch(x, np.eye(1), 0.5), 5)["assertion"]
        assert np.isnan(reading.margin).all() and reading.margin.shape == (3,) and (reading.first_t == -1).all()
    other = [*THEOREM[:4], ["softmax", "every"], *THEOREM[5:]]
    assert set(Margins(other).unread.values()) == {"system softmax"}


def test_a_tolerance_postpones_the_first_violation() -> None:
    batch = Batch(np.array([[[1.0], [0.5]]]), np.eye(1), 0.5)
    compiled = compile_margin(written("forall t, i: norm(x[i, t]) <= 1 - t/100"))
    assert compiled.read(batch, 50)["assertion"].first_t[0] == 1
    late = compiled.read(batch, 50, tolerance=0.105)["assertion"]
    assert (late.first_t[0], late.first_i[0], late.t[0]) == (11, 0, 50)


def test_system_none_has_givens_only() -> None:
    claim = written("<w, w> >= mu", "  given   w: vector;\n          mu: scalar\n", "none")
    found = margins(claim, Batch(None, givens={"w": np.array([[1.0, 2.0], [0.0, 1.0]]), "mu": 2.0}), 5)
    assert found["assertion"].tolist() == [3.0, -1.0]


def test_blocks_do_not_show() -> None:
    """Many instances, in several blocks and read twice, as each alone."""
    generator = np.random.default_rng(3)
    count = 2 * block_size(6, 3) + 17
    x, root = generator.normal(size=(count, 6, 3)), generator.normal(size=(count, 3, 3))
    matrix, steps = -root @ root.transpose(0, 2, 1), generator.uniform(size=(8, count))
    compiled = Margins(THEOREM, ["H1", "assertion"])
    for _ in range(2):
        whole = compiled.read(Batch(x, matrix, lambda t: steps[t]), 6)
        for k in (0, 1, count // 2, count - 1):
            own = compiled.read(Batch(x[k:k + 1], matrix[k], lambda t: steps[t, k]), 6)
            for name in ("H1", "assertion"):
                assert whole[name].margin[k] == pytest.approx(own[name].margin[0], rel=1e-9, abs=1e-12)
                assert whole[name].t[k] == own[name].t[0] or name == "H1"


# ---- hardmax in floats

@pytest.mark.parametrize(("n", "d"), [(1, 1), (1, 3), (2, 1), (7, 2), (130, 2)])
def test_one_step_moves_to_the_first_leader(n: int, d: int) -> None:
    generator = np.random.default_rng(n)
    size = 5
    x = generator.integers(-3, 4, size=(d, n, size)).astype(np.float64)  # ties and equal tokens abound
    matrix = generator.integers(-2, 3, size=(d, d, size)).astype(np.float64)
    stepper = Stepper(n, d, size)
    for own in (True, False):
        out = stepper.step(x, matrix if own else matrix[:, :, 0], 0.25, np.empty_like(x))
        for k in range(size):
            tokens = x[:, :, k].T
            scores = tokens @ matrix[:, :, k if own else 0].T @ tokens.T
            assert np.array_equal(out[:, :, k].T, 0.75 * tokens + 0.25 * tokens[scores.argmax(axis=1)])


def test_states_are_kept_over_a_window() -> None:
    x = np.array([[[4.0], [-2.0]]])
    matrix, half = Timed(np.array([[[-1.0]]]), "B"), Timed(lambda t: np.array([0.5]), "g")
    short, whole = (Trajectories(x, matrix, half, window) for window in (3, None))
    for t in range(9):
        assert np.array_equal(short.state(t), whole.state(t))
    assert np.array_equal(short.state(6), whole.state(6)) and np.array_equal(short.state(0), x)
    assert np.isnan(short.state(-1)).all()
    with pytest.raises(LookupError, match="no longer kept"):
        short.state(3)


@pytest.mark.parametrize(("change", "message"), [
    ({"x": np.ones((2, 3))}, "x must be"), ({"B": None}, "no B"), ({"B": np.ones((3, 2, 2))}, "B has the shape"),
    ({"B": np.ones((3, 3))}, "dimension 2"),
    ({"B": lambda t: np.ones((2, 2)) if t else np.ones((4, 2, 2))}, "at t = 1"),
    ({"g": lambda t: np.ones(3)}, "g has the shape"), ({"givens": {}}, "no w")])
def test_a_wrong_batch_is_refused(change: dict[str, Any], message: str) -> None:
    fields: dict[str, Any] = {"x": np.ones((4, 3, 2)), "B": np.eye(2), "g": 0.5, "givens": {"w": 1.0}}
    claim = written("forall t, i: <B[t]*x[i, t], x[i, t + 1]> <= w", "  given   w: scalar\n")
    with pytest.raises(InputError, match=message):
        margins(claim, Batch(**{**fields, **change}), 3)


def test_an_unknown_line_is_refused() -> None:
    with pytest.raises(InputError, match="H1, H2, H3, H4, assertion"):
        compile_margin(THEOREM, "H9")


def test_importing_certify_does_not_import_the_search() -> None:
    code = "import sys, certify; sys.exit(any('margin' in name or name == 'numpy' for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ---- hulls

def first(assertion: str, x: Any, matrix: Any = None) -> Any:
    """The margin of a formula about the start, one for each instance."""
    points = np.asarray(x, dtype=np.float64)
    return margins(written(assertion), Batch(points, np.eye(points.shape[2]) if matrix is None else matrix, 0.5),
                   0)["assertion"]


@pytest.mark.parametrize(("n", "d"), [(1, 2), (2, 2), (3, 2), (4, 1), (5, 2), (6, 3), (5, 4)])
def test_the_least_quadratic_over_a_hull_is_optimal(n: int, d: int) -> None:
    generator = np.random.default_rng(n + 10 * d)
    x = generator.normal(size=(40, n, d)) + 3 * generator.normal(size=(40, 1, d))
    root = generator.normal(size=(40, d, d))
    root[:20, :, 0] = 0.0  # of lower rank
    matrix = root @ root.transpose(0, 2, 1)
    least = -first("min_over(B[0], 0, hull(x[0])) <= 0", x, matrix)
    gram = x @ matrix @ x.transpose(0, 2, 1)
    for k in range(40):  # no mixture of points is below it, and one is as low
        weights = generator.dirichlet(np.full(n, 0.3), size=2000)
        assert least[k] <= ((weights @ gram[k]) * weights).sum(axis=1).min() / 2 + TINY
        best = np.full(n, 1 / n)
        for step in range(4000):
            slope = gram[k] @ best
            best = best + 2 / (step + 2) * (np.eye(n)[slope.argmin()] - best)
        slope = gram[k] @ best
        assert least[k] >= slope @ best / 2 - (slope @ best - slope.min()) - TINY


def test_membership_of_a_hull() -> None:
    square = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]]
    moved = [[point[0] + 3.0, point[1]] for point in square]
    assert first("0 in hull(x[0])", [square, moved]).tolist() == [np.inf, pytest.approx(-2.0)]
    assert first("not 0 in hull(x[0])", [square, moved]).tolist() == [-np.inf, pytest.approx(2.0)]
    assert first("forall i: x[i, 0] in hull(x[0])", [square, moved]).tolist() == [np.inf, np.inf]
    assert first("hull(x[1]) subset hull(x[0])", [square, moved]).tolist() == [np.inf, np.inf]


def test_vertices_by_the_distance_from_the_others() -> None:
    x = np.array([[[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [1.0, 0.0]]])  # 3 on an edge, 4 a copy of 0
    found = vertex_margins(np.moveaxis(x, 0, -1).swapaxes(0, 1))[:, 0]
    assert found.tolist() == [*[pytest.approx(1.0)] * 3, -np.inf, -np.inf]
    assert first("card(vertices(x[0])) <= 1", x)[0] == -2.0
    assert first("card(vertices(x[0])) <= 1", np.ones((1, 4, 3)))[0] == 0.0


def test_support_cells_and_the_linear_oracle() -> None:
    x = [[[2.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]]
    assert first("forall i: support(x[i, 0], hull(x[0])) <= 1", x)[0] == -3.0
    assert first("forall i: x[i, 0] in cell(B[0], x[i, 0], hull(x[0]))", x)[0] == 0.0
    assert first("forall i, j: x[i, 0] in cell(B[0], x[j, 0], hull(x[0]))", x)[0] == -6.0
    assert first("forall i, j: x[i, 0] in voronoi(B[0], x[j, 0], hull(x[0]))", x)[0] == -10.0
    assert first("forall i: x[i, 0] in point(x[i, 0], hull(x[0]))", x)[0] == np.inf
    assert first("forall i: i in lmo(x[i, 0], x[0])", x)[0] == -6.0
    assert first("forall i, j in lmo(-x[i, 0], x[0]): i = j", x)[0] == 0.0
    assert first("norm(nearest(0, B[0], hull(x[0]))) <= 0", x)[0] == pytest.approx(0.0, abs=1e-6)


def test_the_gap_to_a_moving_minimum() -> None:
    x, matrices = np.array([[[6.0, 7.0], [7.0, 6.0]]]), [-np.eye(2), -np.diag([1.0, 0.0])]
    gap = "1/2*<-B[t]*x[i, t + 1], x[i, t + 1]> - min_over(-B[t], 0, hull(x[t + 1]))"
    claim = written(f"forall t, i: {gap} <= 2/(t + 1)*lambda_max(-B[0])*diam(hull(x[0]))^2")
    found = compile_margin(claim).read(Batch(x, lambda t: matrices[min(t, 1)], lambda t: 2 / (t + 2)), 9)["assertion"]
    assert found.margin[0] == pytest.approx(-1 / 18) and found.first_t[0] == 1
