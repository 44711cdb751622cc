"""Every point of every family is decided, and agrees with PPL and with enumeration."""
from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations
from math import lcm

import pytest
from families import FAMILIES, Points
from flint import fmpq

from certify.errors import InputError
from certify.polytopes.points import LinearOracle
from certify.polytopes.vertices import Copy, Mixture, Vertex, classify, vertices
from certify.theories.faces import written
from certify.verifier.exact import Rat
from certify.verifier.theories import faces


def as_rats(points: Points) -> list[list[Rat]]:
    return [[Rat(int(entry.p), int(entry.q)) for entry in point] for point in points]


def by_ppl(points: Points) -> list[int]:
    """Indices of the vertices by PPL's exact double description."""
    ppl = pytest.importorskip("ppl")
    axes = [ppl.Variable(k) for k in range(len(points[0]))]
    system, places = ppl.Generator_System(), {}
    for j, point in enumerate(points):
        divisor = lcm(*(int(entry.q) for entry in point))
        whole = [int(entry.p) * (divisor // int(entry.q)) for entry in point]
        places.setdefault(tuple(map(str, point)), j)
        system.insert(ppl.point(sum((c * x for c, x in zip(whole, axes, strict=True)), 0 * axes[0]), divisor))
    found = []
    for generator in ppl.C_Polyhedron(system).minimized_generators():
        divisor = int(generator.divisor())
        found.append(places[tuple(str(fmpq(int(c), divisor)) for c in generator.coefficients())])
    return sorted(found)


def solve_affine(chosen: list[list[Fraction]], goal: list[Fraction]) -> list[Fraction] | None:
    """Barycentric coordinates of the goal in affinely independent points, by elimination in Fractions."""
    rows = [[point[k] for point in chosen] + [goal[k]] for k in range(len(goal))] + [[Fraction(1)] * (len(chosen) + 1)]
    rank = 0
    for column in range(len(chosen)):
        pivot = next((r for r in range(rank, len(rows)) if rows[r][column]), None)
        if pivot is None:
            return None
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        rows[rank] = [entry / rows[rank][column] for entry in rows[rank]]
        for r in range(len(rows)):
            if r != rank and rows[r][column]:
                rows[r] = [a - rows[r][column] * b for a, b in zip(rows[r], rows[rank], strict=True)]
        rank += 1
    return None if any(row[-1] for row in rows[rank:]) else [row[-1] for row in rows[:rank]]


def by_enumeration(points: Points) -> list[int]:
    """Carathéodory: a point is no vertex iff some affinely independent other points hold it in their hull."""
    exact = [[Fraction(int(e.p), int(e.q)) for e in point] for point in points]
    found = []
    for j, point in enumerate(exact):
        others = [other for other in exact if other != point]
        inside = any((shares := solve_affine(list(chosen), point)) is not None and min(shares) >= 0
                     for size in range(1, len(point) + 2) for chosen in combinations(others, size))
        if not inside and exact.index(point) == j:
            found.append(j)
    return found


def check_reasons(points: Points) -> list[int]:
    """Vertices, after the verifier has checked the reason of every point."""
    reasons = classify(points)
    assert len(reasons) == len(points)
    found = [j for j, reason in enumerate(reasons) if isinstance(reason, Vertex)]
    verified = faces.check("vertices", [as_rats(points)], found, {"reasons": [written(r) for r in reasons]})
    assert verified == found == vertices(points)
    return found


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize(("n", "d"), [(7, 2), (8, 3), (24, 3), (40, 4), (14, 6), (30, 5)])
def test_every_family_agrees_with_ppl(name: str, n: int, d: int) -> None:
    points = FAMILIES[name](n, max(d, 4) if name == "flat" else d, random.Random(f"{name} {n} {d}"))
    assert check_reasons(points) == by_ppl(points)


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("seed", range(3))
def test_every_family_agrees_with_enumeration(name: str, seed: int) -> None:
    points = FAMILIES[name](8, 4 if name == "flat" else 2 + seed % 2, random.Random(f"{name} {seed}"))
    assert check_reasons(points) == by_enumeration(points)


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_agrees_with_ppl_at_size(name: str) -> None:
    points = FAMILIES[name](150, 4, random.Random(name))
    assert check_reasons(points) == by_ppl(points)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_answer_does_not_depend_on_the_floats(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A float separation that says nothing, or nonsense, costs time only."""
    import numpy as np

    from certify.polytopes import vertices as module
    points = FAMILIES[name](16, 4, random.Random(f"lies {name}"))
    honest = vertices(points)
    rng = np.random.default_rng(1)
    for lie in (lambda point, others: (None, []), lambda point, others: (rng.normal(size=len(point)), [0]),
                lambda point, others: (np.full(len(point), np.nan), [len(others) - 1]),
                lambda point, others: (np.zeros(len(point)), [])):
        monkeypatch.setattr(module, "separate", lie)
        monkeypatch.setattr(module._Search, "_sweep", lambda self: None)
        assert check_reasons(points) == honest


def test_what_the_reasons_look_like() -> None:
    square = [[fmpq(a), fmpq(b)] for a, b in ((0, 0), (2, 0), (0, 2), (2, 2), (1, 1), (2, 0), (1, 0))]
    reasons = classify(square)
    assert isinstance(reasons[4], Mixture) and sum((w for _, w in reasons[4].weights), fmpq(0)) == 1
    assert reasons[5] == Copy(1) and vertices(square) == [0, 1, 2, 3]


def test_bad_points() -> None:
    with pytest.raises(InputError, match="there are none"):
        classify([])
    with pytest.raises(InputError, match=r"points\[1\]: 1 coordinates where the first has 2"):
        classify([[fmpq(1), fmpq(2)], [fmpq(1)]])


@pytest.mark.parametrize("name", FAMILIES)
def test_the_linear_oracle_gives_the_whole_face(name: str) -> None:
    rng = random.Random(f"oracle {name}")
    points = FAMILIES[name](30, 4, rng)
    oracle = LinearOracle(points)
    for _ in range(12):
        direction = [fmpq(rng.randint(-2, 2)) for _ in range(4)] if rng.random() < 0.6 else [
            fmpq(rng.randint(-10**30, 10**30), rng.randint(1, 10**20)) for _ in range(4)]
        values = [sum((a * b for a, b in zip(direction, point, strict=True)), fmpq(0)) for point in points]
        wanted = [j for j, value in enumerate(values) if value == min(values)]
        assert oracle.argmin(direction) == wanted
        assert oracle.value(direction, wanted[0]) == min(values)


def test_the_oracle_refuses_another_dimension() -> None:
    with pytest.raises(InputError, match="accepted: 1, one a coordinate"):
        LinearOracle([[fmpq(1)]]).argmin([fmpq(1), fmpq(2)])
