"""Brute force with Python's own integers and fractions: a second opinion that imports nothing of certify.

A state is a list of points, each a list of integers, over one shared positive denominator; `plain_step` is the same
dynamics in naive fractions, and a test shows the two equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from math import gcd, lcm
from typing import Any

Matrix = list[list[Fraction]]
Points = list[list[Fraction]]
Chooser = Callable[[int, int, list[int]], dict[int, Fraction]]


class Tie(Exception):
    """Token i has leaders at several points at time t; `points` has one token for each point."""

    def __init__(self, t: int, i: int, points: list[int]) -> None:
        super().__init__(f"tie at t = {t}, token {i} between {points}")
        self.t, self.i, self.points = t, i, points


def no_choice(t: int, i: int, points: list[int]) -> dict[int, Fraction]:
    raise Tie(t, i, points)


def fractions(rows: Any) -> Any:
    """Numbers and texts such as "1/3" in nested lists, as fractions."""
    return [fractions(row) for row in rows] if isinstance(rows, list | tuple) else Fraction(rows)


def dot(u: list[Any], v: list[Any]) -> Any:
    return sum((a * b for a, b in zip(u, v, strict=True)), start=0 * u[0])


def apply(m: list[list[Any]], u: list[Any]) -> list[Any]:
    return [dot(row, u) for row in m]


def leaders(points: list[list[Any]], b: list[list[Any]], i: int) -> list[int]:
    """All tokens j that maximise <B x_i, x_j>."""
    image = apply(b, points[i])
    scores = [dot(image, p) for p in points]
    best = max(scores)
    return [j for j, score in enumerate(scores) if score == best]


def distinct(points: list[list[Any]], members: list[int]) -> list[int]:
    """One member for each different point, the first."""
    found: list[int] = []
    for j in members:
        if all(points[j] != points[k] for k in found):
            found.append(j)
    return found


def weights_of(
    points: list[list[Any]], members: list[int], t: int, i: int, choose: Chooser | str
) -> dict[int, Fraction]:
    if choose == "average-indices":
        return {j: Fraction(1, len(members)) for j in members}
    different = distinct(points, members)
    if choose == "average-points":
        return {j: Fraction(1, len(different)) for j in different}
    assert callable(choose)
    return {different[0]: Fraction(1)} if len(different) == 1 else choose(t, i, different)


def plain_step(points: Points, b: Matrix, g: Fraction, t: int, choose: Chooser | str = no_choice) -> Points:
    """One step x' = (1-g) x + g y, every number a fraction."""
    if g == 0:
        return points
    result = []
    for i, p in enumerate(points):
        share = weights_of(points, leaders(points, b, i), t, i, choose)
        target = [sum((w * points[j][k] for j, w in share.items()), start=Fraction(0)) for k in range(len(p))]
        result.append([(1 - g) * a + g * y for a, y in zip(p, target, strict=True)])
    return result


def states(
    x: Points, b_at: Callable[[int], Matrix], g_at: Callable[[int], Fraction], choose: Chooser | str = no_choice
) -> Iterator[tuple[list[list[int]], int]]:
    """x[0], x[1], ... as (integer rows, denominator); raises Tie on the way where `choose` does."""
    den = lcm(*(e.denominator for row in x for e in row))
    rows = [[int(e * den) for e in row] for row in x]
    t = 0
    while True:
        yield rows, den
        g = g_at(t)
        if g != 0:
            b = b_at(t)
            scale = lcm(*(e.denominator for row in b for e in row))
            whole = [[int(e * scale) for e in row] for row in b]
            shares = [weights_of(rows, leaders(rows, whole, i), t, i, choose) for i in range(len(rows))]
            common = lcm(*(w.denominator for share in shares for w in share.values()))
            stay, move = (g.denominator - g.numerator) * common, g.numerator
            moved = []
            for row, share in zip(rows, shares, strict=True):
                new = [stay * a for a in row]
                for j, w in share.items():
                    factor = move * int(w * common)
                    new = [a + factor * y for a, y in zip(new, rows[j], strict=True)]
                moved.append(new)
            rows, den = moved, den * g.denominator * common
            if t % 4 == 0:
                shared = gcd(den, *(e for row in rows for e in row))
                rows, den = [[e // shared for e in row] for row in rows], den // shared
        t += 1


def exact(state: tuple[list[list[int]], int]) -> Points:
    rows, den = state
    return [[Fraction(e, den) for e in row] for row in rows]


def at(
    x: Points, b_at: Callable[[int], Matrix], g_at: Callable[[int], Fraction], t: int, choose: Chooser | str = no_choice
) -> Points:
    """The state at one time."""
    for s, state in enumerate(states(x, b_at, g_at, choose)):
        if s == t:
            return exact(state)
    raise AssertionError


def positive_definite(m: Matrix) -> bool:
    """By elimination: all pivots positive."""
    m = [list(row) for row in m]
    n = len(m)
    assert all(m[i][j] == m[j][i] for i in range(n) for j in range(n))
    for k in range(n):
        if m[k][k] <= 0:
            return False
        for i in range(k + 1, n):
            factor = m[i][k] / m[k][k]
            m[i] = [a - factor * b for a, b in zip(m[i], m[k], strict=True)]
    return True


def positive_semidefinite(m: Matrix) -> bool:
    """Symmetric, and all principal minors >= 0."""
    n = len(m)
    if any(m[i][j] != m[j][i] for i in range(n) for j in range(n)):
        return False
    return all(
        determinant([[m[i][j] for j in some] for i in some]) >= 0
        for size in range(1, n + 1)
        for some in combinations(range(n), size)
    )


def determinant(m: Matrix) -> Fraction:
    if len(m) == 1:
        return m[0][0]
    return sum(
        ((-1) ** k * m[0][k] * determinant([row[:k] + row[k + 1 :] for row in m[1:]]) for k in range(len(m))),
        start=Fraction(0),
    )


def solve(m: Matrix, right: list[Fraction]) -> list[Fraction] | None:
    """A square system by elimination; None if it is singular."""
    rows = [[*row, r] for row, r in zip(m, right, strict=True)]
    n = len(rows)
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [e / rows[k][k] for e in rows[k]]
        for i in range(n):
            if i != k:
                rows[i] = [a - rows[i][k] * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[-1] for row in rows]


def in_hull(p: list[Fraction], points: Points) -> bool:
    """In one or two dimensions, by Caratheodory: some simplex of the points contains p."""
    d = len(p)
    if d == 1:
        return min(q[0] for q in points) <= p[0] <= max(q[0] for q in points)
    assert d == 2
    for a, b in combinations(points, 2):
        cross = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
        if cross == 0 and all(min(a[k], b[k]) <= p[k] <= max(a[k], b[k]) for k in range(2)):
            return True
    for triple in combinations(points, 3):
        found = solve([[q[0] for q in triple], [q[1] for q in triple], [Fraction(1)] * 3], [*p, Fraction(1)])
        if found is not None and min(found) >= 0:
            return True
    return p in points


def squared_diameter(points: Points) -> Fraction:
    return max(
        (
            dot([a - b for a, b in zip(p, q, strict=True)], [a - b for a, b in zip(p, q, strict=True)])
            for p in points
            for q in points
        ),
        default=Fraction(0),
    )


def bound_fails(energy: Fraction, factor: Fraction, m: Matrix) -> bool:
    """Whether energy <= factor * lambda_max(m) is false, m psd: for factor > 0 iff (energy/factor) I - m is pd."""
    if factor == 0:
        return energy > 0
    ratio = energy / factor
    return positive_definite([[(ratio if i == j else 0) - e for j, e in enumerate(row)] for i, row in enumerate(m)])


def frank_wolfe_violation(
    x: Points, b_at: Callable[[int], Matrix], last: int, choose: Chooser | str = no_choice, first: int = 0
) -> tuple[int, int] | None:
    """The first (t, i), first <= t <= last, with J^t(x_i^{t+1}) > 2/(t+1) lambda_max(-B^0) diam^2; g = 2/(t+2)."""
    top = [[-e for e in row] for row in b_at(0)]
    size = squared_diameter(x)
    run = states(x, b_at, lambda t: Fraction(2, t + 2), choose)
    next(run)
    for t in range(last + 1):
        rows, den = next(run)
        if t < first:
            continue
        b = b_at(t)
        for i, row in enumerate(rows):
            energy = -Fraction(dot(apply(b, row), row)) / (2 * den * den)
            if bound_fails(energy, Fraction(2, t + 1) * size, top):
                return t, i
    return None
