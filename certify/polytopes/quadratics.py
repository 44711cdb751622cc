"""Convex quadratics over a hull of points: the least value, and the nearest point in a norm given by a matrix.

x minimises J(x) = 1/2 <M x, x> + <w, x> over the hull iff <M x + w, x_j - x> >= 0 for every point, M semidefinite: the
witness is x as convex weights. The exact optimum over a few points is tested by the linear oracle over all of them, and
what the oracle finds is added, so that the value falls until it is the least one.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq, fmpq_mat

from certify.errors import InputError
from certify.numbers.definite import pd_witness, psd_witness
from certify.polytopes.interior import Point
from certify.polytopes.points import LinearOracle
from certify.programs.active import minimise_quadratic
from certify.programs.floating import Guess, to_float
from certify.programs.program import Infeasible, LinearProgram, Optimal, QuadraticProgram, Vector


@dataclass(frozen=True)
class Lowest:
    """A minimiser over the hull: the point, its convex weights (j increasing, positive), and the value."""

    point: Vector
    weights: list[tuple[int, fmpq]]
    value: fmpq


def least_over_hull(curvature: Sequence[Point], slope: Point, points: Sequence[Point]) -> Lowest:
    """The least value of 1/2 <M x, x> + <w, x> over the hull, M symmetric and positive semidefinite.

    Examples
    --------
    >>> least_over_hull([[fmpq(1)]], [fmpq(0)], [[fmpq(1)], [fmpq(3)]]).value
    1/2
    """
    if not psd_witness([list(row) for row in curvature])[0]:
        raise InputError("the matrix is not positive semidefinite; accepted: convex quadratics")
    oracle = LinearOracle(points)
    shape = fmpq_mat([list(row) for row in curvature])
    chosen = _support(curvature, slope, points)
    while True:
        found = _over(shape, slope, [points[j] for j in chosen])
        weights = {j: w for j, w in zip(chosen, found.point, strict=True) if w}
        here = [sum((w * points[j][k] for j, w in weights.items()), fmpq(0)) for k in range(len(slope))]
        gradient = [a + b for a, b in zip((shape * fmpq_mat(len(here), 1, here)).entries(), slope, strict=True)]
        best = oracle.argmin(gradient)[0]
        reached = sum((a * b for a, b in zip(gradient, here, strict=True)), fmpq(0))
        if oracle.value(gradient, best) >= reached:
            return Lowest(tuple(here), sorted(weights.items()), found.value)
        chosen = [*weights, best]


def nearest(point: Point, points: Sequence[Point], norm: Sequence[Point] | None = None) -> Lowest:
    """The nearest point of the hull in |u|^2 = <B u, u>, B positive definite (Euclidean by default).

    Examples
    --------
    >>> nearest([fmpq(0), fmpq(0)], [[fmpq(1), fmpq(0)], [fmpq(0), fmpq(1)]]).point
    (1/2, 1/2)
    """
    size = len(point)
    matrix = norm or [[fmpq(i == j) for j in range(size)] for i in range(size)]
    if not pd_witness([list(row) for row in matrix])[0]:
        raise InputError("the matrix of the norm is not positive definite")
    slope = [-sum((row[k] * point[k] for k in range(size)), fmpq(0)) for row in matrix]
    return least_over_hull(matrix, slope, points)


def _over(shape: fmpq_mat, slope: Point, points: Sequence[Point]) -> Optimal:
    """The exact optimum over the hull of few points, as a program in their weights."""
    count = len(points)
    span = fmpq_mat([list(point) for point in points])
    gram = span * shape * span.transpose()
    costs = (span * fmpq_mat(len(slope), 1, list(slope))).entries()
    program = QuadraticProgram(
        tuple(costs), tuple(tuple(fmpq(-(i == j)) for j in range(count)) for i in range(count)),
        (fmpq(0),) * count, ((fmpq(1),) * count,), (fmpq(1),), tuple(map(tuple, gram.tolist())))
    even = 1.0 / count
    result = minimise_quadratic(program, Guess([even] * count, [0.0] * count, [0.0]), _first_corner)
    assert isinstance(result, Optimal)  # a simplex is bounded and not empty
    return result


def _first_corner(program: LinearProgram) -> Vector | Infeasible:
    return tuple(fmpq(k == 0) for k in range(program.dimension))


def _support(curvature: Sequence[Point], slope: Point, points: Sequence[Point]) -> list[int]:
    """Points likely to carry the minimiser, by Frank-Wolfe with pairwise steps in floats."""
    import numpy as np

    def array(rows: Sequence[Point]) -> Any:
        return np.array([[to_float(entry) for entry in row] for row in rows])

    cloud, shape, pull = array(points), array(curvature), array([slope])[0]
    if not np.isfinite(cloud).all() or not np.isfinite(shape).all() or not np.isfinite(pull).all():
        return [0]
    weights = np.zeros(len(cloud))
    weights[int((cloud @ (shape @ cloud.mean(axis=0) + pull)).argmin())] = 1.0
    for _ in range(500):
        here = weights @ cloud
        values = cloud @ (shape @ here + pull)
        low = int(values.argmin())
        held = np.flatnonzero(weights)
        high = int(held[values[held].argmax()])
        gain = float(values[high] - values[low])
        if not gain > 1e-13 * (1 + abs(float(values[low]))):
            break
        move = cloud[low] - cloud[high]
        bend = float(move @ shape @ move)
        step = min(float(weights[high]), gain / bend) if bend > 0 else float(weights[high])
        weights[low] += step
        weights[high] = weights[high] - step if step < weights[high] else 0.0
    held = np.flatnonzero(weights)
    heavy = held[np.argsort(-weights[held])][: len(slope) + 2]
    return sorted(int(j) for j in heavy)


def squared_diameter(points: Sequence[Point]) -> tuple[fmpq, tuple[int, int]]:
    """The exact square of the largest distance between two points, and the first pair that attains it.

    Floats with an error bound choose the candidates; the candidates are compared over Q.
    """
    import numpy as np
    largest = max((abs(entry) for point in points for entry in point), default=fmpq(0))
    if not largest:
        return fmpq(0), (0, 0)
    scaled = np.array([[to_float(entry / largest) for entry in point] for point in points])
    squares = np.einsum("ij,ij->i", scaled, scaled)
    bound = 64.0 * (scaled.shape[1] + 4) * 2.0**-52  # every number here is at most 4 d
    bound *= scaled.shape[1]
    best, candidates = -1.0, list[tuple[float, int, int]]()
    for start in range(0, len(scaled), 512):
        block = squares[start:start + 512, None] + squares[None, :] - 2 * scaled[start:start + 512] @ scaled.T
        best = max(best, float(block.max()))
        for i, j in zip(*np.nonzero(block >= best - 2 * bound), strict=True):
            if start + int(i) <= int(j):
                candidates.append((float(block[i, j]), start + int(i), int(j)))
    exact = fmpq(-1)
    pair = (0, 0)
    for about, i, j in sorted(candidates, key=lambda entry: entry[1:]):
        if about >= best - 2 * bound:
            value = sum(((a - b) ** 2 for a, b in zip(points[i], points[j], strict=True)), fmpq(0))
            if value > exact:
                exact, pair = value, (i, j)
    return exact, pair
