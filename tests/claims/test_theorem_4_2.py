"""Theorem 4.2 and its rates: vertices rest, tokens run straight to the vertex of their cell."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random

import pytest

import certify

from .clouds import STEPS, any_step, cloud, positive, skewed, stepped
from .judging import Lines, Violation, accepted_alone, agree_on_lines, asked, judged, written
from .second import (
    ALWAYS,
    Case,
    Cloud,
    Schedule,
    constant,
    cycled,
    definite,
    dot,
    followed,
    in_hull,
    leaders,
    listed,
    matrix,
    minus,
    plus,
    scaled,
    scaling,
    times,
    vector,
    vertices,
)

SEEDS = range(40)
NOT_GEOMETRIC = {"1/(t+2)", "2/(t+3)", "(1/2)^(t+1)", "1/(t+2)^2"}  # the product of 1 - g falls too slowly
SLOW_PRODUCTS = ["(1/2)^(t+1)", "1/(t+2)^3", "1/(t^2+3)"]  # a positive limit, and no closed form
FINITE_SUM = {"(1/2)^(t+1)", "1/(t+2)^2"}  # tokens stop short of their vertices
LIMIT, CONTRACTION = "fw25v1/thm-4.2-limit", "repair/thm-4.2-contraction"
WITH_C = ("fw26icml/thm-4.2-rate", CONTRACTION)
RATES = ("fw25v1/thm-4.2-rate", "fw26icml/thm-4.2-rate")


def assumptions(case: Case, c: Fraction | None = None) -> Lines:
    b, x, corners = case.b.at(0), case.x, vertices(case.x)

    def score(i: int, j: int) -> Fraction:
        return dot(times(b, x[i]), x[j])

    return {
        "H1": all(case.b.at(t) == b for t in ALWAYS),
        "H2": definite(b),
        "H3": all((case.g.at(t) > 0 if c is None else c <= case.g.at(t)) and case.g.at(t) < 1 for t in ALWAYS),
        "H4": all(score(i, j) < score(i, i) for i in corners for j in corners if i != j),
        "H5": all(any(all(score(i, j) < score(i, k) for j in corners if j != k) for k in corners)
                  for i in range(len(x))),
    }


def departs(case: Case, states: list[Cloud], t: int) -> int | None:
    """The first token off its line, or a vertex that moved, or a hull or a cell that was left."""
    b, x, corners = case.b.at(0), case.x, vertices(case.x)
    a = Fraction(1)
    for r in range(t):
        a *= 1 - case.g.at(r)
    for i, now in enumerate(states[t]):
        for k in leaders(x, b, i):
            line = plus(tuple(a * e for e in x[i]), tuple((1 - a) * e for e in x[k]))
            image = times(b, now)
            if (now != line or (i in corners and now != x[i]) or (k in corners and not in_hull(x[k], states[t]))
                    or not in_hull(now, x) or any(dot(image, x[j]) > dot(image, x[k]) for j in corners)):
                return i
    return None


def starts_there(case: Case) -> bool:
    return all(case.x[k] == case.x[i] for i in range(len(case.x)) for k in leaders(case.x, case.b.at(0), i))


def reaches_geometrically(case: Case) -> bool:
    """All tokens start at their vertices, or the steps are bounded below."""
    return starts_there(case) or str(case.g.form) not in NOT_GEOMETRIC


def reaches(case: Case) -> bool:
    """All tokens start at their vertices, or the steps have an infinite sum."""
    return starts_there(case) or str(case.g.form) not in FINITE_SUM


def least_step(case: Case) -> Fraction:
    """A number that the steps never go below, or 1/9 where there is none."""
    return min(case.g.at(t) for t in range(4)) if str(case.g.form) not in NOT_GEOMETRIC else Fraction(1, 9)


def contracts_less(c: Fraction) -> Violation:
    """A step that brings a token less than 1 - c nearer to its vertex."""
    def violation(case: Case, states: list[Cloud], t: int) -> int | None:
        for i in range(len(case.x)):
            for k in leaders(case.x, case.b.at(0), i):
                before, after = (minus(states[s][i], case.x[k]) for s in (t, t + 1))
                if dot(after, after) > (1 - c) ** 2 * dot(before, before):
                    return i
        return None

    return violation


@cache
def case_of(seed: int) -> Case:
    """Mostly tokens that meet H4: their hull is drawn until its vertices own their cells."""
    rng = Random(f"Theorem 4.2, {seed}")
    while True:
        points = cloud(rng)
        b = constant(positive(rng, len(points[0])))
        if seed % 4 == 3:
            b = listed([b.at(0), scaled(2, b.at(0))])
        case = Case(seed, points, b, any_step(rng))
        if seed % 5 == 0 or assumptions(case)["H4"]:
            return case


@cache
def outcome(seed: int) -> certify.Result:
    case = case_of(seed)
    return judged("fw25v1/thm-4.2", case, assumptions(case), departs, ahead=0)


@cache
def rate(claim: str, seed: int) -> certify.Result:
    case = case_of(seed)
    low = least_step(case)
    if claim == "fw25v1/thm-4.2-rate":
        lines, result = assumptions(case), asked(claim, case)
    else:
        lines, result = assumptions(case, low), asked(claim, case, c=low)
    if agree_on_lines(result, lines):
        if result.kind == "undecided":
            assert case.g.form in SLOW_PRODUCTS
            return result
        assert result.kind == ("holds" if reaches_geometrically(case) else "refuted"), result.verdict
        assert result.verdict.get("T", "forever") == "forever"
        assert "t" not in result.verdict
    return result


@pytest.mark.parametrize("seed", SEEDS)
def test_tokens_are_where_brute_force_puts_them(seed: int) -> None:
    """Under the assumptions there is no tie between points, so the theorem is decided for ever, never to T."""
    result = outcome(seed)
    assert result.kind == "vacuous" or result.verdict["T"] == "forever"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("claim", RATES)
def test_the_rate_is_that_of_the_schedule(claim: str, seed: int) -> None:
    """Undecided only where the product of 1 - g has a positive limit without a closed form."""
    assert rate(claim, seed).kind != "undecided" or case_of(seed).g.form in SLOW_PRODUCTS


@pytest.mark.parametrize("seed", SEEDS)
def test_the_limit_is_reached_if_the_steps_add_up_to_infinity(seed: int) -> None:
    """Undecided only where the product of 1 - g has a positive limit without a closed form."""
    case = case_of(seed)
    result = asked(LIMIT, case)
    if agree_on_lines(result, assumptions(case)) and result.kind != "undecided":
        assert result.kind == ("holds" if reaches(case) else "refuted")
    assert result.kind != "undecided" or case.g.form in SLOW_PRODUCTS


@pytest.mark.parametrize("seed", SEEDS)
def test_every_step_contracts_by_1_minus_c(seed: int) -> None:
    case = case_of(seed)
    low = least_step(case)
    result = judged(CONTRACTION, case, assumptions(case, low), contracts_less(low), c=low)
    assert result.kind in ("holds", "vacuous")


def test_every_verdict_occurs(tmp_path: Path) -> None:
    assert {outcome(seed).kind for seed in SEEDS} == {"holds", "vacuous"}
    kinds = [rate("fw25v1/thm-4.2-rate", seed).kind for seed in SEEDS]
    assert {"holds", "refuted", "vacuous"} <= set(kinds)
    assert kinds.count("undecided") <= 3
    assert {rate("fw26icml/thm-4.2-rate", seed).kind for seed in SEEDS} == {"holds", "vacuous"}
    accepted_alone(rate("fw25v1/thm-4.2-rate", kinds.index("refuted")), tmp_path)
    accepted_alone(outcome([outcome(seed).kind for seed in SEEDS].index("holds")), tmp_path)


SQUARE = matrix([[2, 1], [-2, 1], [-1, -2], [1, -2], [1, 0]])


@pytest.mark.parametrize("text", STEPS)
def test_every_form_of_the_step_size(text: str) -> None:
    """A product with a positive limit, one like 1/t, one that is geometric: the contraction of token 4 tells."""
    case = Case(text, SQUARE, constant(matrix([[1, 0], [0, 1]])), stepped(text))
    assert all(assumptions(case).values())
    assert judged("fw25v1/thm-4.2", case, assumptions(case), departs, ahead=0).verdict["T"] == "forever"
    states, goal = followed(case, 24), SQUARE[leaders(SQUARE, case.b.at(0), 4)[0]]
    gap = [dot(minus(state[4], goal), minus(state[4], goal)) for state in (states[12], states[24])]
    assert (gap[1] < gap[0] * Fraction(1, 16)) == (text not in NOT_GEOMETRIC)
    result = asked("fw25v1/thm-4.2-rate", case)
    limit = asked(LIMIT, case)
    if text not in SLOW_PRODUCTS:
        assert limit.kind == ("refuted" if text in FINITE_SUM else "holds")
        assert result.kind == ("refuted" if text in NOT_GEOMETRIC else "holds")


@pytest.mark.parametrize("text", SLOW_PRODUCTS)
def test_steps_with_a_finite_sum_are_no_geometric_rate(text: str) -> None:
    """1 - g[0] - g[1] - ... is a positive lower bound of the product: token 4 never comes near its vertex."""
    step = {"(1/2)^(t+1)": lambda t: Fraction(1, 2 ** (t + 1)), "1/(t+2)^3": lambda t: Fraction(1, (t + 2) ** 3),
            "1/(t^2+3)": lambda t: Fraction(1, t * t + 3)}[text]
    case = Case(text, SQUARE, constant(matrix([[1, 0], [0, 1]])), Schedule(text, step))
    assert asked("fw25v1/thm-4.2-rate", case).kind == "refuted"


def breaking(line: str, seed: int) -> Case:
    """An instance that meets every assumption but this one."""
    rng = Random(f"Theorem 4.2 without {line}, {seed}")
    x, m, g = SQUARE, positive(rng, 2), any_step(rng)
    b = constant(matrix([[1, 0], [0, 1]]))
    if line == "H1":
        unit, other = b.at(0), m if m != b.at(0) else scaled(2, m)
        b = [listed([unit, other]), listed([unit, unit, other]), cycled([unit, unit]),
             scaling("1/(t+1)", lambda t: Fraction(1, t + 1), unit),
             scaling("(t+2)/(2*t+2)", lambda t: Fraction(t + 2, 2 * t + 2), scaled(2, unit))][seed % 5]
        if seed % 5 == 2:
            b = listed([unit, scaled(-1, unit)])
    elif line == "H2":
        b = constant(skewed(b.at(0)))
    elif line == "H3":
        g = [constant(Fraction(1)), listed([Fraction(1, 2), Fraction(1)]), cycled([Fraction(1), Fraction(1, 2)]),
             Schedule("2/(t+2)", lambda t: Fraction(2, t + 2)), listed([Fraction(1, 2), Fraction(0)])][seed % 5]
    elif line == "H4":  # beside 0 the farther vertex leads
        x = tuple(vector([p[0] + 9 + seed, p[1]]) for p in SQUARE)
    else:
        x = (*SQUARE[:4], vector([0, 0]))
    return Case(seed, x, b, g)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("line", ["H1", "H2", "H3", "H4", "H5"])
@pytest.mark.parametrize("claim", ["fw25v1/thm-4.2", LIMIT, CONTRACTION, *RATES])
def test_one_false_assumption_is_named(claim: str, line: str, seed: int) -> None:
    case = breaking(line, seed)
    low = Fraction(1, 100) if claim in WITH_C else None
    if low is not None and line != "H3":
        case = Case(case.seed, case.x, case.b, constant(Fraction(1, 2)))
    lines = assumptions(case, low)
    assert [name for name, truth in lines.items() if not truth] == [line], written(case.x)
    givens = {} if low is None else {"c": low}
    assert not agree_on_lines(asked(claim, case, **givens), lines)


@pytest.mark.parametrize("text", ["1/(t+2)", "(1/2)^(t+1)", "2/(t+3)", "1/(t+2)^2"])
def test_steps_that_fall_below_c_are_outside_the_claim(text: str) -> None:
    case = Case(text, SQUARE, constant(matrix([[1, 0], [0, 1]])), stepped(text))
    low = Fraction(1, 9)
    assert not agree_on_lines(asked("fw26icml/thm-4.2-rate", case, c=low), assumptions(case, low))


@pytest.mark.parametrize(("b", "g", "line"), [
    (cycled([matrix([[1, 0], [0, 1]]), matrix([[2, 0], [0, 2]])]), constant(Fraction(1, 2)), "H1"),
    (constant(matrix([[1, 0], [0, 1]])), cycled([Fraction(1, 2), Fraction(1)]), "H3"),
])
def test_a_cycle_that_fails_after_its_start(b: Schedule, g: Schedule, line: str) -> None:
    case = Case(line, SQUARE, b, g)
    assert not agree_on_lines(asked("fw25v1/thm-4.2", case), assumptions(case))


def test_the_first_false_line_is_named_on_a_cycle() -> None:
    """H1 and H5 are false here; `vacuous` names the first false assumption."""
    unit = matrix([[1]])
    case = Case(0, matrix([[1], [-1], [0]]), cycled([unit, scaled(2, unit)]), constant(Fraction(1, 2)))
    lines = assumptions(case)
    assert [name for name, truth in lines.items() if not truth] == ["H1", "H5"]
    assert asked("fw25v1/thm-4.2", case).verdict["line"] == "H1"


@pytest.mark.parametrize("change", [lambda x: (*x, x[0]), lambda x: (x[4], *x, x[1]), lambda x: x[::-1]])
def test_copies_and_order_change_nothing(change: Callable[[Cloud], Cloud]) -> None:
    """A copy of a vertex is a token in the cell of that vertex."""
    case = Case(0, change(SQUARE), constant(matrix([[1, 0], [0, 1]])), stepped("1/(t+2)"))
    result = judged("fw25v1/thm-4.2", case, assumptions(case), departs, ahead=0)
    assert result.verdict["T"] == "forever"


@pytest.mark.parametrize("claim", ["fw25v1/thm-4.2", LIMIT, CONTRACTION, *RATES])
def test_the_other_sign_is_outside_the_claim(claim: str) -> None:
    """For -B no vertex owns its cell: H2 is the first false line."""
    case = Case(0, SQUARE, constant(matrix([[-1, 0], [0, -1]])), constant(Fraction(1, 2)))
    c = Fraction(1, 2) if claim in WITH_C else None
    lines = assumptions(case, c)
    assert not lines["H2"]
    assert not lines["H4"]
    assert not agree_on_lines(asked(claim, case, **({} if c is None else {"c": c})), lines)
