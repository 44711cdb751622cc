"""Seeded instances: clouds of tokens of every awkward kind, matrices of every sign, schedules of every form."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from .second import Cloud, Matrix, Schedule, added, constant, cycled, identity, listed, matrix, scaled, scaling, vector

KINDS = ("generic", "generic", "rational", "a token at 0", "symmetric", "duplicated", "inside", "collinear")
FALLING: dict[str, tuple[Callable[[int], Fraction], float]] = {  # positive, never growing; about t^-order
    "1/(t+1)": (lambda t: Fraction(1, t + 1), 1),
    "(t+2)/(t+1)": (lambda t: Fraction(t + 2, t + 1), 0),
    "1/2 + (1/2)^t": (lambda t: Fraction(1, 2) + Fraction(1, 2**t), 0),
    "1/(t+2)^2": (lambda t: Fraction(1, (t + 2) ** 2), 2),
}
STEPS: dict[str, Callable[[int], Fraction]] = {  # in the open interval (0, 1) at every t
    "1/2": lambda t: Fraction(1, 2),
    "2/3": lambda t: Fraction(2, 3),
    "1/(t+2)": lambda t: Fraction(1, t + 2),
    "2/(t+3)": lambda t: Fraction(2, t + 3),
    "(t+1)/(2*t+3)": lambda t: Fraction(t + 1, 2 * t + 3),
    "(1/2)^(t+1)": lambda t: Fraction(1, 2 ** (t + 1)),
    "1/(t+2)^2": lambda t: Fraction(1, (t + 2) ** 2),
    "1/2 + (-1)^t/4": lambda t: Fraction(1, 2) + Fraction((-1) ** t, 4),
}


def frank_wolfe_step() -> Schedule:
    return Schedule("2/(t+2)", lambda t: Fraction(2, t + 2))


def stepped(text: str) -> Schedule:
    return Schedule(text, STEPS[text])


def any_step(rng: Random) -> Schedule:
    """A step size in (0, 1): an expression, a list or a cycle."""
    form = rng.choice(["expression", "expression", "list", "cycle"])
    if form == "expression":
        return stepped(rng.choice(list(STEPS)))
    entries = [Fraction(rng.randint(1, 4), 5) for _ in range(rng.randint(1, 3))]
    return listed(entries) if form == "list" else cycled(entries)


def cloud(rng: Random, kind: str | None = None, d: int | None = None, n: int | None = None, wide: int = 4) -> Cloud:
    """Tokens with small coordinates."""
    kind = kind or rng.choice(KINDS)
    d, n = d or rng.choice([1, 2, 2, 3]), n or rng.randint(2, 6)

    def point() -> tuple[Fraction, ...]:
        return vector(rng.randint(-wide, wide) for _ in range(d))

    points = [point() for _ in range(n)]
    if kind == "rational":
        points = [tuple(e / rng.choice([1, 2, 3]) for e in p) for p in points]
    elif kind == "a token at 0":
        points[rng.randrange(n)] = vector([0] * d)
    elif kind == "symmetric":
        half = points[: (n + 1) // 2]
        points = (half + [tuple(-e for e in p) for p in half])[: max(n, 2)]
    elif kind == "duplicated":
        points[-1] = points[0]
        rng.shuffle(points)
    elif kind == "inside" and n > 2:
        a, b = points[0], points[1]
        points[-1] = tuple((2 * p + q) / 3 for p, q in zip(a, b, strict=True))
        rng.shuffle(points)
    elif kind == "collinear":
        start, along = point(), point()
        points = [tuple(s + k * e for s, e in zip(start, along, strict=True))
                  for k in (rng.randint(-3, 3) for _ in range(n))]
    return tuple(points)


def around_zero(rng: Random, **options: Any) -> Cloud:
    """Tokens with 0 in their hull: the last one is minus a positive combination of some others."""
    points = list(cloud(rng, **options))
    some = points[: rng.randint(1, max(1, len(points) - 1))]
    parts = [Fraction(rng.randint(1, 2), rng.choice([1, 2])) for _ in some]
    points[-1] = tuple(-sum((w * p[k] for w, p in zip(parts, some, strict=True)), Fraction(0))
                       for k in range(len(points[0])))
    if len(some) == len(points):
        points[-1] = vector([0] * len(points[0]))
    rng.shuffle(points)
    return tuple(points)


def gram(rng: Random, d: int, rank: int | None = None) -> Matrix:
    """A A' with a random A of so many columns: positive semidefinite."""
    rows = [[rng.randint(-2, 2) for _ in range(d if rank is None else rank)] for _ in range(d)]
    return matrix([[sum(a * b for a, b in zip(u, v, strict=True)) for v in rows] for u in rows])


def positive(rng: Random, d: int) -> Matrix:
    """A positive definite matrix: the identity, diagonal, or full."""
    kind = rng.choice(["identity", "diagonal", "full", "full"])
    if kind == "identity":
        return scaled(rng.choice([1, 2, Fraction(1, 3)]), identity(d))
    if kind == "diagonal":
        return matrix([[rng.randint(1, 4) if i == j else 0 for j in range(d)] for i in range(d)])
    return added(gram(rng, d), identity(d))


def nonnegative(rng: Random, d: int) -> Matrix:
    """A positive semidefinite matrix, now and then singular."""
    return gram(rng, d, max(1, d - 1)) if rng.random() < 0.25 else positive(rng, d)


def skewed(m: Matrix) -> Matrix:
    """The same quadratic form, no longer symmetric; needs d >= 2."""
    return tuple(tuple(e + Fraction((i < j) - (i > j), 4) for j, e in enumerate(row)) for i, row in enumerate(m))


def indefinite(d: int) -> Matrix:
    return matrix([[(-1 if i == 0 else 2) if i == j else 0 for j in range(d)] for i in range(d)])


def falling(rng: Random, d: int, sign: int) -> Schedule:
    """sign * M[t] with M[t] psd and never growing: constant, a list or a scale."""
    form = rng.choice(["constant", "constant", "list", "scale"])
    if form == "constant":
        return constant(scaled(sign, nonnegative(rng, d)))
    if form == "scale":
        text = rng.choice(list(FALLING))
        factor, order = FALLING[text]
        return scaling(text, factor, scaled(sign, nonnegative(rng, d)), order)
    entries = [nonnegative(rng, d)]
    for _ in range(rng.randint(1, 2)):
        entries.insert(0, added(entries[0], gram(rng, d, 1)))
    return listed([scaled(sign, m) for m in entries])


def any_matrix(rng: Random, d: int) -> Schedule:
    """Scores of either sign, symmetric or not, constant or changing."""
    def one() -> Matrix:
        kind = rng.choice(["positive", "negative", "indefinite", "free", "singular"])
        if kind == "indefinite":
            return indefinite(d)
        if kind == "free":
            return matrix([[rng.randint(-3, 3) for _ in range(d)] for _ in range(d)])
        if kind == "singular":
            return scaled(rng.choice([1, -1]), gram(rng, d, max(1, d - 1)))
        return scaled(1 if kind == "positive" else -1, positive(rng, d))

    form = rng.choice(["constant", "constant", "list", "cycle", "scale"])
    if form == "constant":
        return constant(one())
    if form == "scale":
        text = rng.choice(list(FALLING))
        return scaling(text, FALLING[text][0], one(), FALLING[text][1])
    entries = [one() for _ in range(2)]
    return listed(entries) if form == "list" else cycled(entries)
