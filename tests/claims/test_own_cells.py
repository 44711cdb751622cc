"""Who owns a cell: the criterion by neighbours, as printed and repaired, and cells as Voronoi cells."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest

import certify

from .clouds import cloud, gram, indefinite, positive, skewed
from .judging import Lines, accepted_alone, agree_on_lines, asked
from .second import (
    Case,
    Cloud,
    Matrix,
    Vector,
    constant,
    cycled,
    definite,
    dot,
    identity,
    in_hull,
    is_edge,
    listed,
    matrix,
    minus,
    neighbours_by_turning,
    scaled,
    times,
    vector,
    vertices,
)

SEEDS = range(60)
EDGES, STRICT, VORONOI = "fw25v1/own-cell-edges", "fw25v1/own-cell-edges-strict", "fw25v1/voronoi"
ALL_POINTS, CELLS = "fw25v1/voronoi-all-points", "fw25v1/cells-here"
HALF = constant(Fraction(1, 2))


def side(b: Matrix, v: Vector, w: Vector) -> Fraction:
    return dot(times(b, v), minus(w, v))


def sides(x: Cloud, b: Matrix, i: int) -> tuple[list[Fraction], list[Fraction], Fraction]:
    """<B v_i, w - v_i> for w all other vertices, for w the neighbours, and for w = 0."""
    corners = [x[k] for k in vertices(x)]
    others = [w for w in corners if w != x[i]]
    near = [w for w in others if is_edge(x[i], w, corners)]
    return ([side(b, x[i], w) for w in others], [side(b, x[i], w) for w in near],
            side(b, x[i], vector([0] * len(x[i]))))


def fails_as_printed(case: Case, i: int) -> bool:
    others, near, origin = sides(case.x, case.b.at(0), i)
    own = all(s <= 0 for s in others)
    below = origin < 0 and all(s < 0 for s in near)
    above = origin > 0 and all(s > 0 for s in near)
    return own != (below or above)


def fails_as_repaired(case: Case, i: int) -> bool:
    others, near, origin = sides(case.x, case.b.at(0), i)
    return all(s < 0 for s in others) != (origin < 0 and all(s < 0 for s in near))


def assumptions(claim: str, case: Case) -> Lines:
    b, x, corners = case.b.at(0), case.x, vertices(case.x)
    if claim == EDGES:
        return {"H1": definite(b)}
    if claim == STRICT:
        return {"H1": definite(b), "H2": all(any(x[i]) for i in corners)}
    if claim == CELLS:
        return {"H1": definite(b)}
    levels = {dot(times(b, x[i]), x[i]) for i in corners}
    found = {"H1": definite(b), "H2": len(levels) == 1, "H3": len(corners) == len(x)}
    return found if claim == VORONOI else {name: found[name] for name in ("H1", "H2")}


@cache
def case_of(seed: int) -> Case:
    """Positive definite B, tokens of every kind; what B does later is no matter."""
    rng = Random(f"own cells, {seed}")
    points = cloud(rng, wide=rng.choice([1, 2, 4]))
    d = len(points[0])
    b, later = positive(rng, d), indefinite(d)
    return Case(seed, points, [constant(b), listed([b, later]), cycled([b, later])][seed % 3], HALF)


@cache
def outcome(claim: str, seed: int) -> certify.Result:
    case = case_of(seed)
    result = asked(claim, case)
    fails = fails_as_printed if claim == EDGES else fails_as_repaired
    if agree_on_lines(result, assumptions(claim, case)):
        wrong = [i for i in vertices(case.x) if fails(case, i)]
        assert result.kind == ("refuted" if wrong else "holds"), (wrong, result.verdict)
        assert not wrong or result.verdict.get("i", wrong[0]) == wrong[0]
        assert wrong or result.verdict["T"] == "forever"
    return result


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("claim", [EDGES, STRICT])
def test_the_criterion_is_judged_as_brute_force_judges_it(claim: str, seed: int) -> None:
    assert outcome(claim, seed).kind != "undecided"


def test_the_printed_criterion_fails_and_the_repaired_one_does_not(tmp_path: Path) -> None:
    """A vertex at 0 is in its own cell and on no strict side; so is a vertex level with a neighbour."""
    printed = {outcome(EDGES, seed).kind for seed in SEEDS}
    repaired = {outcome(STRICT, seed).kind for seed in SEEDS}
    assert printed == {"holds", "refuted"}
    assert repaired == {"holds", "vacuous"}
    first = next(seed for seed in SEEDS if outcome(EDGES, seed).kind == "refuted")
    accepted_alone(outcome(EDGES, first), tmp_path)


@pytest.mark.parametrize("seed", range(20))
def test_two_ways_to_find_the_edges_of_a_polygon(seed: int) -> None:
    """Brute force agrees with itself: rays of a cone, and orientations in the plane."""
    points = cloud(Random(f"polygons, {seed}"), d=2, n=6)
    corners = [points[k] for k in vertices(points)]
    by_rays = {frozenset((v, w)) for v in corners for w in corners if v != w and is_edge(v, w, corners)}
    assert by_rays == neighbours_by_turning(corners)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("claim", [EDGES, STRICT, CELLS])
def test_a_matrix_that_is_not_positive_definite_is_named(claim: str, seed: int) -> None:
    """The other sign, singular, a saddle, not symmetric."""
    rng = Random(f"not positive, {seed}")
    points = matrix([[3, 1], [-2, 2], [-1, -3], [1, 0]])
    b = [scaled(-1, positive(rng, 2)), gram(rng, 2, 1), indefinite(2), skewed(positive(rng, 2))][seed]
    case = Case(seed, points, constant(b), HALF)
    lines = assumptions(claim, case)
    assert [name for name, truth in lines.items() if not truth] == ["H1"]
    assert not agree_on_lines(asked(claim, case), lines)


@pytest.mark.parametrize("seed", range(4))
def test_a_vertex_at_0_is_outside_the_repaired_criterion(seed: int) -> None:
    rng = Random(f"a vertex at 0, {seed}")
    d = 1 + seed % 3
    points = (vector([0] * d), *(vector(rng.randint(1, 4) for _ in range(d)) for _ in range(3)))
    case = Case(seed, points, constant(positive(rng, d)), HALF)
    lines = assumptions(STRICT, case)
    assert lines == {"H1": True, "H2": False}
    assert not agree_on_lines(asked(STRICT, case), lines)
    printed = asked(EDGES, case)
    assert agree_on_lines(printed, assumptions(EDGES, case))
    assert printed.kind == "refuted"


# Voronoi cells

LEVEL: dict[int, list[tuple[int, ...]]] = {  # integer points with one norm
    1: [(5,), (-5,)],
    2: [(5, 0), (-5, 0), (0, 5), (0, -5), (3, 4), (-3, 4), (3, -4), (-3, -4), (4, 3), (-4, 3), (4, -3), (-4, -3)],
    3: [*(p for p in product((-3, -2, -1, 0, 1, 2, 3), repeat=3) if sum(e * e for e in p) == 9)],
}


@cache
def level_case(seed: int) -> Case:
    """Vertices of one energy: points of a sphere, stretched so that B is diagonal."""
    rng = Random(f"voronoi, {seed}")
    d = 1 + seed % 3
    stretch = [Fraction(rng.randint(1, 3), rng.randint(1, 2)) for _ in range(d)]
    some = rng.sample(LEVEL[d], min(len(LEVEL[d]), rng.randint(2, 6)))
    points = tuple(tuple(e / s for e, s in zip(p, stretch, strict=True)) for p in some)
    b = matrix([[stretch[i] ** 2 if i == j else 0 for j in range(d)] for i in range(d)])
    return Case(seed, points, constant(b), HALF)


def samples(points: Cloud, rng: Random) -> list[Vector]:
    """Points of the hull: tokens, middles of pairs, random mixtures."""
    found = [*points]
    for p, q in product(points, repeat=2):
        found.append(tuple((a + b) / 2 for a, b in zip(p, q, strict=True)))
    for _ in range(20):
        parts = [rng.randint(0, 4) for _ in points]
        total = max(1, sum(parts))
        if sum(parts):
            found.append(tuple(sum((Fraction(w, total) * p[k] for w, p in zip(parts, points, strict=True)), Fraction(0))
                               for k in range(len(points[0]))))
    return found


def same_membership(case: Case, i: int, u: Vector) -> bool:
    """In the cell of v_i iff no vertex is nearer than v_i, in the norm of B."""
    b, x = case.b.at(0), case.x
    corners = [x[k] for k in vertices(x)]
    cell = all(dot(times(b, u), x[i]) >= dot(times(b, u), w) for w in corners)

    def distance(w: Vector) -> Fraction:
        return dot(times(b, minus(u, w)), minus(u, w))

    return cell == all(distance(x[i]) <= distance(w) for w in corners)


@pytest.mark.parametrize("seed", range(24))
def test_cells_are_voronoi_cells_at_one_level(seed: int) -> None:
    """Equal as sets for ever, and brute force finds no point of the hull that tells them apart."""
    case = level_case(seed)
    result = asked(VORONOI, case)
    assert agree_on_lines(result, assumptions(VORONOI, case))
    apart = [u for u in samples(case.x, Random(f"samples, {seed}")) for i in vertices(case.x)
             if not same_membership(case, i, u)]
    assert not apart
    assert result.verdict == {"kind": "holds", "T": "forever", "evidence": "exact"}


@pytest.mark.parametrize("seed", range(30))
def test_tokens_of_every_kind_are_mostly_outside_the_claim(seed: int) -> None:
    case = case_of(seed)
    result = asked(VORONOI, case)
    if agree_on_lines(result, assumptions(VORONOI, case)):
        assert result.kind == "holds"
        assert all(same_membership(case, i, u) for u in samples(case.x, Random(seed)) for i in vertices(case.x))


@pytest.mark.parametrize("seed", range(20))
def test_nearest_of_all_points_leaves_the_vertex_alone(seed: int) -> None:
    """A cell of a hull with two vertices has more points than its vertex: the middle of v_i and a point near it."""
    case = level_case(seed) if seed % 4 else Case(seed, matrix([[1, 2], [1, 2]]), constant(identity(2)), HALF)
    result = asked(ALL_POINTS, case)
    assert agree_on_lines(result, assumptions(ALL_POINTS, case))
    corners = [case.x[k] for k in vertices(case.x)]
    assert result.kind == ("refuted" if len(corners) > 1 else "holds")
    for v, w in ((v, w) for v in corners for w in corners if v != w):
        near = tuple((99 * p + q) / 100 for p, q in zip(v, w, strict=True))
        assert all(dot(times(case.b.at(0), near), minus(v, u)) >= 0 for u in corners)


@pytest.mark.parametrize("seed", range(30))
def test_cells_cover_and_are_convex(seed: int) -> None:
    """On tokens and middles of tokens, as brute force finds it."""
    case = case_of(seed)
    b, x = case.b.at(0), case.x
    corners = [x[k] for k in vertices(x)]

    def inside(u: Vector, v: Vector) -> bool:
        return all(dot(times(b, u), minus(v, w)) >= 0 for w in corners)

    result = asked(CELLS, case)
    assert agree_on_lines(result, {"H1": definite(b)})
    covered = all(any(inside(u, v) for v in corners) for u in x)
    convex = all(inside(tuple((a + c) / 2 for a, c in zip(p, q, strict=True)), v) for v in corners
                 for p in x for q in x if inside(p, v) and inside(q, v))
    apart = all(any(times(b, minus(v, w))) for v in corners for w in corners if v != w)
    assert result.kind == ("holds" if covered and convex and apart else "refuted")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("line", ["H1", "H2", "H3"])
def test_one_false_assumption_is_named(line: str, seed: int) -> None:
    """The other sign or no symmetry; a vertex at another level; a copy of a vertex or a token inside."""
    case = level_case(3 * seed + 1)
    x, b = case.x, case.b.at(0)
    if line == "H1":
        b = scaled(-1, b) if seed % 2 else skewed(b)
    elif line == "H2":
        x = (tuple(2 * e for e in x[0]), *x[1:])
        x = tuple(x[k] for k in vertices(x))
    else:
        x = (*x, x[0]) if seed % 2 else (*x, tuple((p + q) / 2 for p, q in zip(x[0], x[1], strict=True)))
    case = Case(seed, x, constant(b), HALF)
    for claim in (VORONOI,) if line == "H3" else (VORONOI, ALL_POINTS):
        lines = assumptions(claim, case)
        assert [name for name, truth in lines.items() if not truth] == [line]
        assert not agree_on_lines(asked(claim, case), lines)


def test_vertices_by_hulls_are_vertices_by_order_on_a_line() -> None:
    """Brute force agrees with itself: on a line the vertices are the ends."""
    for seed in range(20):
        points = cloud(Random(f"a line, {seed}"), d=1)
        ends = {min(points), max(points)}
        assert {points[k] for k in vertices(points)} == ends
        assert len(vertices(points)) == len(ends)
        assert all(in_hull(p, list(ends)) for p in points)
    assert vertices(matrix([[1], [1]])) == (0,)
    assert identity(1) == matrix([[1]])
