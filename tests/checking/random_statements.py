"""Random statements as pairs: the text that certify reads, and a Python function that says what it means.

The function takes a `World` (exact states of one trajectory, computed by brute force) and the values of the bound
names; it returns a Fraction or a truth value, or raises Undefined. Nothing here reads certify's trees.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from brute_force import Points, dot, exact, states

Meaning = Callable[["World", dict[str, int]], Any]
Pair = tuple[str, Meaning]


class Undefined(Exception):
    """Division by zero."""


class World:
    """A trajectory that remembers its states, and the data."""

    def __init__(self, x: Points, b_at: Any, g_at: Any, choose: Any) -> None:
        self.run = states(x, b_at, g_at, choose)
        self.b_at, self.g_at, self.seen = b_at, g_at, []
        self.n, self.d = len(x), len(x[0])

    def x(self, i: int, t: int) -> list[Fraction]:
        while len(self.seen) <= t:
            self.seen.append(exact(next(self.run)))
        return self.seen[t][i]


def over(a: Fraction, b: Fraction) -> Fraction:
    if b == 0:
        raise Undefined
    return a / b


def vector(rng: Random, names: list[str]) -> Pair:
    """A vector term; `names` are the bound token names."""
    kind = rng.randrange(6)
    if kind <= 2 or (kind == 3 and not names):
        i, shift = rng.choice(names), rng.choice([0, 0, 1])
        text = f"x[{i}, t + 1]" if shift else f"x[{i}, t]"
        return text, lambda w, e: w.x(e[i], e["t"] + shift)
    if kind == 3:
        i = rng.choice(names)
        return f"x[{i}, 0]", lambda w, e: w.x(e[i], 0)
    if kind == 4:
        return "(mean i2: x[i2, t])", lambda w, e: [
            sum((w.x(k, e["t"])[c] for k in range(w.n)), Fraction(0)) / w.n for c in range(w.d)
        ]
    (left, f), (right, g) = vector(rng, names), vector(rng, names)
    return f"({left} - {right})", lambda w, e: [a - b for a, b in zip(f(w, e), g(w, e), strict=True)]


def scalar(rng: Random, names: list[str], depth: int) -> Pair:
    kind = rng.randrange(13 if depth > 0 else 6)
    if kind == 0:
        value = Fraction(rng.randint(0, 12), rng.choice([1, 2, 4, 5]))
        return f"{value}", lambda w, e: value
    if kind == 1:
        return "g[t]", lambda w, e: w.g_at(e["t"])
    if kind == 2:
        return "1/(t + 1)", lambda w, e: Fraction(1, e["t"] + 1)
    if kind in (3, 4, 5):
        (left, f), (right, g) = vector(rng, names), vector(rng, names)
        if kind == 5:
            return f"<B[t]*{left}, {right}>", lambda w, e: dot([dot(row, f(w, e)) for row in w.b_at(e["t"])], g(w, e))
        return f"<{left}, {right}>", lambda w, e: dot(f(w, e), g(w, e))
    if kind in (6, 7, 8):
        (left, f), (right, g) = scalar(rng, names, depth - 1), scalar(rng, names, depth - 1)
        sign = "+-*"[kind - 6]
        act = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}[sign]
        return f"({left}) {sign} ({right})", lambda w, e: act(f(w, e), g(w, e))
    if kind == 9:
        (left, f), (right, g) = scalar(rng, names, depth - 1), scalar(rng, names, 0)
        return f"({left})/(1 + ({right})^2)", lambda w, e: f(w, e) / (1 + g(w, e) ** 2)
    if kind == 10:
        (left, f), (right, g) = scalar(rng, names, depth - 1), scalar(rng, names, 0)
        word = rng.choice(["min", "max"])
        act = {"min": min, "max": max}[word]
        return f"{word}({left}, {right})", lambda w, e: act(f(w, e), g(w, e))
    if kind == 11 and "l" not in names:
        body, f = scalar(rng, [*names, "l"], depth - 1)
        word = rng.choice(["sum", "min", "max", "mean"])
        act = {"sum": sum, "min": min, "max": max, "mean": lambda v: sum(v) / len(v)}[word]
        return f"({word} l: {body})", lambda w, e: act([f(w, {**e, "l": k}) for k in range(w.n)])
    (left, f), (right, g) = scalar(rng, names, depth - 1), scalar(rng, names, 0)
    return f"({left})/({right})", lambda w, e: over(f(w, e), g(w, e))


def formula(rng: Random, names: list[str], depth: int) -> Pair:
    kind = rng.randrange(9)
    if depth <= 0 or kind <= 3:
        (left, f), (right, g) = scalar(rng, names, 2), scalar(rng, names, 1)
        sign = rng.choice(["<=", "<", ">=", ">", "<=", ">=", "!="])
        act = {
            "<=": lambda a, b: a <= b,
            "<": lambda a, b: a < b,
            ">=": lambda a, b: a >= b,
            ">": lambda a, b: a > b,
            "!=": lambda a, b: a != b,
        }[sign]
        return f"({left}) {sign} ({right})", lambda w, e: compared(act, f, g, w, e)
    if kind == 4:
        body, f = formula(rng, names, depth - 1)
        return f"not ({body})", lambda w, e: negated(f(w, e))
    if kind in (5, 6, 7):
        (left, f), (right, g) = formula(rng, names, depth - 1), formula(rng, names, depth - 1)
        word = ("and", "or", "implies")[kind - 5]
        return f"({left}) {word} ({right})", lambda w, e: {
            "and": both,
            "or": either,
            "implies": lambda a, b: either(negated(a), b),
        }[word](f(w, e), g(w, e))
    if "k" in names:
        return formula(rng, names, 0)
    body, f = formula(rng, [*names, "k"], depth - 1)
    return f"(exists k: {body})", lambda w, e: some([f(w, {**e, "k": k}) for k in range(w.n)])


def compared(act: Any, f: Meaning, g: Meaning, w: World, e: dict[str, int]) -> bool | None:
    try:
        return bool(act(f(w, e), g(w, e)))
    except Undefined:
        return None


def negated(a: bool | None) -> bool | None:
    return None if a is None else not a


def both(a: bool | None, b: bool | None) -> bool | None:
    return False if a is False or b is False else None if a is None or b is None else True


def either(a: bool | None, b: bool | None) -> bool | None:
    return negated(both(negated(a), negated(b)))


def some(values: list[bool | None]) -> bool | None:
    return True if True in values else None if None in values else False


def statement(rng: Random) -> tuple[str, list[str], Meaning]:
    """`forall t, i...: body`: its text, the token names in order, and the meaning of its body."""
    names = rng.choice([["i"], ["i"], ["i", "j"]])
    body, meaning = formula(rng, names, 2)
    return f"forall t, {', '.join(names)}: {body}", names, meaning


def first_failure(world: World, names: list[str], meaning: Meaning, last: int) -> tuple[int, int, bool] | None:
    """(t, first token, whether something before was undefined) of the first failure in lexicographic order."""
    unclear = False
    for t in range(last + 1):
        for values in product(range(world.n), repeat=len(names)):
            truth = meaning(world, {"t": t, **dict(zip(names, values, strict=True))})
            if truth is False:
                return t, values[0], unclear
            unclear = unclear or truth is None
    return None


def first_unclear(world: World, names: list[str], meaning: Meaning, last: int) -> int | None:
    for t in range(last + 1):
        for values in product(range(world.n), repeat=len(names)):
            if meaning(world, {"t": t, **dict(zip(names, values, strict=True))}) is None:
                return t
    return None
