"""The second computation: fractions and brute force, with nothing of certify.

Linear algebra by minors and elimination, hulls by trying every simplex of the points, minima by trying every support,
the dynamics by doing every step, and all selections among tied leaders for as long as they are few.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Any

Vector = tuple[Fraction, ...]
Matrix = tuple[Vector, ...]
Cloud = tuple[Vector, ...]
Chosen = Callable[[int, int, list[int]], dict[int, Fraction]]
ALWAYS = range(40)  # the schedules of these tests do nothing after this that they have not done before


class Tie(Exception):
    """Leaders at several points, and nothing says which is taken."""


# Linear algebra


def vector(entries: Any) -> Vector:
    return tuple(Fraction(e) for e in entries)


def matrix(rows: Any) -> Matrix:
    return tuple(vector(row) for row in rows)


def dot(u: Vector, v: Vector) -> Fraction:
    return sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))


def times(m: Matrix, u: Vector) -> Vector:
    return tuple(dot(row, u) for row in m)


def plus(u: Vector, v: Vector) -> Vector:
    return tuple(a + b for a, b in zip(u, v, strict=True))


def minus(u: Vector, v: Vector) -> Vector:
    return tuple(a - b for a, b in zip(u, v, strict=True))


def scaled(factor: Any, m: Matrix) -> Matrix:
    return tuple(tuple(Fraction(factor) * e for e in row) for row in m)


def added(m: Matrix, other: Matrix) -> Matrix:
    return tuple(plus(row, another) for row, another in zip(m, other, strict=True))


def identity(d: int) -> Matrix:
    return matrix([[int(i == j) for j in range(d)] for i in range(d)])


def energy(m: Matrix, u: Vector) -> Fraction:
    """1/2 <Mu, u>."""
    return dot(times(m, u), u) / 2


def determinant(m: list[list[Fraction]] | Matrix) -> Fraction:
    if not m:
        return Fraction(1)
    return sum(((-1) ** k * m[0][k] * determinant([[*row[:k], *row[k + 1 :]] for row in m[1:]])
                for k in range(len(m)) if m[0][k] != 0), Fraction(0))


def symmetric(m: Matrix) -> bool:
    return all(m[i][j] == m[j][i] for i in range(len(m)) for j in range(i))


@cache
def semidefinite(m: Matrix) -> bool:
    """Symmetric, and every principal minor at least 0."""
    return symmetric(m) and all(determinant([[m[i][j] for j in some] for i in some]) >= 0
                                for size in range(1, len(m) + 1) for some in combinations(range(len(m)), size))


@cache
def definite(m: Matrix) -> bool:
    """Symmetric, and every leading minor positive."""
    return symmetric(m) and all(determinant([row[:k] for row in m[:k]]) > 0 for k in range(1, len(m) + 1))


def exceeds(number: Fraction, factor: Fraction, m: Matrix) -> bool:
    """Whether number > factor * lambda_max(m), factor >= 0, m psd: all of number I - factor m is positive."""
    return definite(added(scaled(number, identity(len(m))), scaled(-factor, m)))


def solved(rows: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """The one solution of a linear system with at least as many equations as unknowns, or None."""
    table = [[*row, r] for row, r in zip(rows, right, strict=True)]
    unknowns = len(rows[0])
    for k in range(unknowns):
        pivot = next((i for i in range(k, len(table)) if table[i][k] != 0), None)
        if pivot is None:
            return None
        table[k], table[pivot] = table[pivot], table[k]
        table[k] = [e / table[k][k] for e in table[k]]
        for i in range(len(table)):
            if i != k and table[i][k] != 0:
                table[i] = [a - table[i][k] * b for a, b in zip(table[i], table[k], strict=True)]
    if any(row[-1] != 0 for row in table[unknowns:]):
        return None
    return [row[-1] for row in table[:unknowns]]


# Hulls


def weights(p: Vector, points: Any) -> list[Fraction] | None:
    """Barycentric coordinates of p in a simplex, None if it has none or the points are dependent."""
    rows = [[q[k] for q in points] for k in range(len(p))] + [[Fraction(1)] * len(points)]
    return solved(rows, [*p, Fraction(1)])


def in_hull(p: Vector, points: Any) -> bool:
    """By Caratheodory: some simplex of the points contains p."""
    different = list(dict.fromkeys(points))
    if p in different:
        return True
    for k in range(len(p)):
        if not min(q[k] for q in different) <= p[k] <= max(q[k] for q in different):
            return False
    for size in range(2, min(len(p) + 1, len(different)) + 1):
        for some in combinations(different, size):
            found = weights(p, some)
            if found is not None and min(found) >= 0:
                return True
    return False


@cache
def vertices(points: Cloud) -> tuple[int, ...]:
    """Tokens that are in no hull of the other points; of equal tokens the first."""
    return tuple(i for i, p in enumerate(points) if points.index(p) == i
                 and (all(q == p for q in points) or not in_hull(p, [q for q in points if q != p])))


def is_edge(v: Vector, w: Vector, corners: list[Vector]) -> bool:
    """For vertices v != w: w - v is not a nonnegative combination of the other u - v."""
    rays = [minus(u, v) for u in corners if u not in (v, w)]
    wanted = minus(w, v)
    for size in range(1, min(len(v), len(rays)) + 1):
        for some in combinations(rays, size):
            found = solved([[r[k] for r in some] for k in range(len(v))], list(wanted))
            if found is not None and min(found) >= 0:
                return False
    return True


def neighbours_by_turning(corners: list[Vector]) -> set[frozenset[Vector]]:
    """The edges of a polygon: pairs of vertices with all others strictly on one side."""
    def turn(a: Vector, b: Vector, c: Vector) -> Fraction:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    found = set()
    for v, w in combinations(corners, 2):
        sides = [turn(v, w, u) for u in corners if u not in (v, w)]
        if all(s > 0 for s in sides) or all(s < 0 for s in sides):
            found.add(frozenset((v, w)))
    return found


def least(m: Matrix, points: Any) -> Fraction:
    """The minimum of 1/2 <Mu, u> over the hull, M psd.

    A minimiser with the fewest points under it is the only solution of its equations, so every support is tried."""
    different = list(dict.fromkeys(points))
    best = min(energy(m, p) for p in different)
    for size in range(2, min(len(points[0]) + 1, len(different)) + 1):
        for some in combinations(different, size):
            rows = [[*(dot(times(m, p), q) for q in some), Fraction(1)] for p in some]
            rows.append([*([Fraction(1)] * size), Fraction(0)])
            found = solved(rows, [*([Fraction(0)] * size), Fraction(1)])
            if found is not None and min(found[:-1]) >= 0:
                best = min(best, -found[-1] / 2)
    return best


def squared_diameter(points: Any) -> Fraction:
    return max(dot(minus(p, q), minus(p, q)) for p in points for q in points)


# Data that depends on time


@dataclass(frozen=True)
class Schedule:
    """Something given at every time, with the form in which an instance file says it; `order` p: it is about t^-p."""

    form: Any
    at: Callable[[int], Any]
    order: float = 0


def listed(entries: list[Any]) -> Schedule:
    return Schedule({"list": entries}, lambda t: entries[min(t, len(entries) - 1)])


def cycled(entries: list[Any]) -> Schedule:
    return Schedule({"cycle": entries}, lambda t: entries[t % len(entries)])


def constant(value: Any) -> Schedule:
    return Schedule(value, lambda t: value)


def scaling(text: str, factor: Callable[[int], Fraction], m: Matrix, order: float = 0) -> Schedule:
    return Schedule({"scale": text, "matrix": m}, lambda t: scaled(factor(t), m), order)


# Dynamics


@dataclass(frozen=True)
class Case:
    """One instance: tokens, the matrix and the step size at every time; `seed` says where it comes from."""

    seed: Any
    x: Cloud
    b: Schedule
    g: Schedule

    @property
    def d(self) -> int:
        return len(self.x[0])


def leaders(points: Cloud, b: Matrix, i: int) -> list[int]:
    """All tokens j at which <B x_i, x_j> is greatest."""
    direction = times(b, points[i])
    scores = [dot(direction, p) for p in points]
    top = max(scores)
    return [j for j, score in enumerate(scores) if score == top]


def leader_points(points: Cloud, b: Matrix, i: int) -> list[int]:
    """The same, one token for each point."""
    found: dict[Vector, int] = {}
    for j in leaders(points, b, i):
        found.setdefault(points[j], j)
    return list(found.values())


def moved(points: Cloud, g: Fraction, targets: list[Vector]) -> Cloud:
    return tuple(tuple((1 - g) * a + g * y for a, y in zip(p, target, strict=True))
                 for p, target in zip(points, targets, strict=True))


def mixed(points: Cloud, share: dict[int, Fraction]) -> Vector:
    return tuple(sum((w * points[j][k] for j, w in share.items()), Fraction(0)) for k in range(len(points[0])))


def followed(case: Case, last: int, choose: Chosen | None = None) -> list[Cloud]:
    """The states 0..last; at a tie `choose` says the weights of the leaders, without it a Tie is raised."""
    states = [case.x]
    for t in range(last):
        points, b, g = states[-1], case.b.at(t), case.g.at(t)
        if g == 0:
            states.append(points)
            continue
        targets = []
        for i in range(len(points)):
            options = leader_points(points, b, i)
            if len(options) > 1 and choose is None:
                raise Tie(t, i)
            share = choose(t, i, options) if choose and len(options) > 1 else {options[0]: Fraction(1)}
            targets.append(mixed(points, share))
        states.append(moved(points, g, targets))
    return states


def first_tie(case: Case, last: int) -> int | None:
    """The first time at which a token that moves has leaders at several points."""
    try:
        followed(case, last + 1)
    except Tie as tie:
        return int(tie.args[0])
    return None


def trajectories(case: Case, last: int, limit: int = 24) -> list[list[Cloud]]:
    """The states 0..last for every selection among leader points; where these are too many, a seeded choice of them.

    One trajectory that mixes tied leaders comes on top, since a selection may be any point of the optimal face."""
    rng = Random(f"selections of {case.seed}")
    found = [[case.x]]
    tied = False
    for t in range(last):
        longer = []
        for states in found:
            points, b, g = states[-1], case.b.at(t), case.g.at(t)
            if g == 0:
                longer.append([*states, points])
                continue
            options = [leader_points(points, b, i) for i in range(len(points))]
            tied = tied or any(len(option) > 1 for option in options)
            for choice in _some(options, limit, rng):
                longer.append([*states, moved(points, g, [points[j] for j in choice])])
        found = longer if len(longer) <= limit else rng.sample(longer, limit)
    if tied:
        def mix(t: int, i: int, options: list[int]) -> dict[int, Fraction]:
            parts = [rng.randint(1, 3) for _ in options]
            return {j: Fraction(part, sum(parts)) for j, part in zip(options, parts, strict=True)}

        found.append(followed(case, last, mix))
    return found


def _some(options: list[list[int]], limit: int, rng: Random) -> Iterator[tuple[int, ...]]:
    count = 1
    for option in options:
        count *= len(option)
    if count <= limit:
        yield from product(*options)
    else:
        yield from {tuple(rng.choice(option) for option in options): None for _ in range(limit)}


# What a settled system does for ever, with steps 2/(t+2)


def settled(case: Case, states: list[Cloud]) -> list[Vector] | None:
    """The points that tokens run to for ever from the last state on, or None if this is not seen there.

    Every leader must rest, and the margin <B x_i(c), v_i - x_j(c)> with x_i(c) = v_i + c (x_i - v_i) must stay positive
    for 0 < c <= 1. Only for a matrix that is from here on a positive multiple of itself."""
    points, b = states[-1], case.b.at(len(states) - 1)
    if all(p == points[0] for p in points):
        return list(points)
    options = [leader_points(points, b, i) for i in range(len(points))]
    if any(len(option) > 1 for option in options):
        return None
    goal = [points[option[0]] for option in options]
    if any(goal[option[0]] != goal[i] for i, option in enumerate(options)):
        return None
    for i, p in enumerate(points):
        for j, q in enumerate(points):
            if q == goal[i]:
                continue
            # x_i(c) = v + c r, v_i - x_j(c) = e - c s
            r, e, s = minus(p, goal[i]), minus(goal[i], goal[j]), minus(q, goal[j])
            image, motion = times(b, goal[i]), times(b, r)
            low, mid, high = dot(image, e), dot(motion, e) - dot(image, s), -dot(motion, s)
            if not _positive(low, mid, high):
                return None
    return goal


def _positive(low: Fraction, mid: Fraction, high: Fraction) -> bool:
    """low + mid c + high c^2 > 0 for 0 < c <= 1: at 1, and nowhere a root in between."""
    if low < 0 or low + mid + high <= 0:
        return False
    if high <= 0:  # concave: least at an end, and not 0 just above 0
        return True
    bottom = -mid / (2 * high)
    return not 0 < bottom < 1 or low - mid * mid / (4 * high) > 0


def late_state(start: Cloud, goal: list[Vector], since: int, t: int) -> Cloud:
    """The state at t >= since of tokens that run to `goal` with steps 2/(t+2)."""
    c = Fraction(since * (since + 1), t * (t + 1))
    return tuple(plus(v, tuple(c * e for e in minus(p, v))) for p, v in zip(start, goal, strict=True))
