"""Point sets that a vertex finder must survive: every kind of degeneracy, seeded."""
from __future__ import annotations

import math
import random
from collections.abc import Callable

from flint import fmpq

Points = list[list[fmpq]]


def exact(rows: list[list[float]]) -> Points:
    """Floats as the dyadic rationals they are."""
    return [[fmpq(*float(entry).as_integer_ratio()) for entry in row] for row in rows]


def cloud(n: int, d: int, rng: random.Random) -> Points:
    return exact([[rng.random() for _ in range(d)] for _ in range(n)])


def sphere(n: int, d: int, rng: random.Random) -> Points:
    rows = []
    for _ in range(n):
        row = [rng.gauss(0, 1) for _ in range(d)]
        length = math.sqrt(sum(entry * entry for entry in row))
        rows.append([entry / length for entry in row])
    return exact(rows)


def grid(n: int, d: int, rng: random.Random) -> Points:
    return [[fmpq(rng.randint(0, 2)) for _ in range(d)] for _ in range(n)]


def midpoints(n: int, d: int, rng: random.Random) -> Points:
    """Some points, then midpoints of pairs of them: on edges, on faces, inside."""
    base = cloud(max(2, n // 2), d, rng)
    pairs = [rng.sample(base, 2) for _ in range(n - len(base))]
    return base + [[(a + b) / 2 for a, b in zip(*pair, strict=True)] for pair in pairs]


def flat(n: int, d: int, rng: random.Random) -> Points:
    """Rank 2 in dimension d, exactly."""
    plane = [[fmpq(rng.randint(-9, 9), rng.randint(1, 9)) for _ in range(d)] for _ in range(2)]
    shares = [[fmpq(rng.randint(-20, 20), rng.randint(1, 5)) for _ in range(2)] for _ in range(n)]
    return [[a * p + b * q + 1 for p, q in zip(*plane, strict=True)] for a, b in shares]


def scales(n: int, d: int, rng: random.Random) -> Points:
    """Coordinates from 1e-12 to 1e12 in one set."""
    return exact([[rng.uniform(-1, 1) * 10.0 ** rng.randint(-12, 12) for _ in range(d)] for _ in range(n)])


def noisy_grid(n: int, d: int, rng: random.Random) -> Points:
    """A grid with noise of one unit in the last place."""
    return exact([[math.nextafter(value, rng.choice((-math.inf, math.inf))) if rng.random() < 0.7 else value
                   for value in (float(rng.randint(1, 3)) for _ in range(d))] for _ in range(n)])


def near_duplicates(n: int, d: int, rng: random.Random) -> Points:
    """Pairs of points one unit in the last place apart."""
    rows = [[rng.random() for _ in range(d)] for _ in range((n + 1) // 2)]
    twins = [[math.nextafter(value, rng.choice((0.0, 1.0))) for value in row] for row in rows]
    return exact((rows + twins)[:n])


def equal(n: int, d: int, rng: random.Random) -> Points:
    return [[fmpq(1, 3)] * d for _ in range(n)]


def single(n: int, d: int, rng: random.Random) -> Points:
    return [[fmpq(rng.randint(-3, 3)) for _ in range(d)]]


def collinear(n: int, d: int, rng: random.Random) -> Points:
    direction = [fmpq(rng.randint(-5, 5), 7) for _ in range(d - 1)] + [fmpq(1)]
    return [[fmpq(2) + t * entry for entry in direction] for t in (fmpq(rng.randint(-30, 30), 4) for _ in range(n))]


def tall(n: int, d: int, rng: random.Random) -> Points:
    """More dimensions than points."""
    return cloud(min(n, d - 1) or 1, d, rng)


def huge(n: int, d: int, rng: random.Random) -> Points:
    """Numbers far beyond the range of floats."""
    return [[fmpq(rng.randint(-9, 9)) * fmpq(10) ** rng.choice((-400, 0, 400)) for _ in range(d)] for _ in range(n)]


FAMILIES: dict[str, Callable[[int, int, random.Random], Points]] = {
    family.__name__: family for family in (
        cloud, sphere, grid, midpoints, flat, scales, noisy_grid, near_duplicates, equal, single, collinear, tall,
        huge)}
