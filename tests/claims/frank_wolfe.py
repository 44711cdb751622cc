"""What the claims around Theorem 3.1 share: their instances, their assumptions, and instances that break just one."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from .clouds import around_zero, cloud, falling, frank_wolfe_step, indefinite, positive, skewed
from .judging import Lines
from .second import (
    ALWAYS,
    Case,
    Schedule,
    added,
    constant,
    cycled,
    in_hull,
    listed,
    scaled,
    scaling,
    semidefinite,
    vector,
)


def assumptions(case: Case, names: str = "H1 H2 H3 H4", fixed: bool = False) -> Lines:
    """H1 to H4 by brute force; `fixed`: H2 says that B is constant."""
    b = case.b.at
    zero = vector([0] * case.d)
    found = {
        "H1": all(semidefinite(scaled(-1, b(t))) for t in ALWAYS),
        "H2": all(b(t) == b(0) if fixed else semidefinite(added(b(t + 1), scaled(-1, b(t)))) for t in ALWAYS),
        "H3": all(case.g.at(t) == Fraction(2, t + 2) for t in ALWAYS),
        "H4": in_hull(zero, case.x),
    }
    return {name: found[name] for name in names.split()}


def instance(seed: int, outside: float = 0.2) -> Case:
    """Tokens around 0 (now and then beside it), -B psd and never growing, steps 2/(t+2)."""
    rng = Random(f"Theorem 3.1, {seed}")
    wide = rng.choice([2, 4, 9])
    points = cloud(rng, wide=wide) if rng.random() < outside else around_zero(rng, wide=wide)
    return Case(seed, points, falling(rng, len(points[0]), -1), frank_wolfe_step())


def breaking(line: str, seed: int, fixed: bool = False) -> Case:
    """An instance that meets every assumption but this one."""
    rng = Random(f"breaking {line}, {seed}")
    points = around_zero(rng, kind="generic", d=1 + seed % 3)
    d = len(points[0])
    m = positive(rng, d)
    b, g = constant(scaled(-1, m)), frank_wolfe_step()
    if line == "H1":  # the other sign, a saddle, or a matrix that is not symmetric
        b = constant([m, scaled(-1, indefinite(d)), scaled(-1, skewed(m)) if d > 1 else m][seed % 3])
    elif line == "H2":
        double = scaled(2, m)
        grown = [listed([m, double]), cycled([m, double]),
                 scaling("(2*t+1)/(t+1)", lambda t: Fraction(2 * t + 1, t + 1), m)]
        if fixed:  # here falling is wrong too, and a cycle is right at its start
            grown[1] = scaling("1/(t+1)", lambda t: Fraction(1, t + 1), m)
        b = negated(grown[seed % len(grown)])
    elif line == "H3":
        g = [Schedule("1/(t+1)", lambda t: Fraction(1, t + 1)), constant(Fraction(1, 2)),
             listed([Fraction(1), Fraction(2, 3), Fraction(1, 2)]), cycled([Fraction(1), Fraction(2, 3)])][seed % 4]
    else:
        shift = 1 - min(p[0] for p in points)
        points = tuple((p[0] + shift, *p[1:]) for p in points)
    return Case(seed, points, b, g)


def negated(schedule: Schedule) -> Schedule:
    """Minus a matrix given at every time."""
    form = {key: entry if key == "scale" else scaled(-1, entry) if key == "matrix" else [scaled(-1, m) for m in entry]
            for key, entry in schedule.form.items()}
    return Schedule(form, lambda t: scaled(-1, schedule.at(t)), schedule.order)
