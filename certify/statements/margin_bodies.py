"""Hulls in batches: least quadratics, distances, vertices, by pairwise Frank-Wolfe steps on the points' weights.

All are approximate. The least value comes from weights that are feasible, so that it is never below the true one, up to
rounding: a gap to it is not overrated. Nor is a distance from a hull: it is that of a hyperplane that separates. One
below NEAR times the size of the cloud counts as none; how deep a point lies inside is not computed, and such a margin
is inf.

A cloud is an array (d, n, N), n points of N instances. Values at them are (n, A_1, ..., A_k, N), with an axis for every
token in reach.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from certify.statements.batched import Array, inner

STEPS = 24  # of a minimisation; two points need one, and from the weights of the time before few are needed
LONG_STEPS = 96  # for the few instances that need more
CLOSE = 1e-14  # a gap below this share of the largest coefficient ends it; NEAR squared, for the gap is a square
NEAR = 1e-7
SPACING = 1e-13  # what rounding leaves of a coordinate
TURN, LONG_TURN = 3, 1  # every so many steps all weights are moved
BEYOND = 1e-4  # how much farther from the centre a point of the interior may go
RIDGE = 1e-13  # makes points in special position solvable


def cloud_of(value: Array) -> Array:
    """A cloud without the token axes, on which it does not depend."""
    return value.reshape(value.shape[0], *value.shape[-2:])


def at_points(cloud: Array, axes: int) -> Array:
    """The points with room for token axes: (d, n, 1, ..., 1, N)."""
    return cloud.reshape(*cloud.shape[:2], *(1,) * axes, cloud.shape[2])


def support_values(direction: Array, cloud: Array) -> Array:
    """<w, y> at every point y."""
    return inner(direction[:, None], at_points(cloud, direction.ndim - 2))


def gram(matrix: Array, cloud: Array) -> Array:
    """<M y, z> for all pairs of points, M made symmetric: (n, n, A_1, ..., A_k, N)."""
    points = at_points(cloud, matrix.ndim - 3)
    image = np.stack([inner(row[:, None], points) for row in (matrix + matrix.swapaxes(0, 1)) / 2.0])
    return inner(points[:, :, None], image[:, None])


def best_weights(quadratic: Array, slope: Array, start: Array | None, barred: Array | float = 0.0) -> Array:
    """Weights w of the points with 1/2 <Q w, w> + <c, w> about least, in columns: Q (n, n, K), c (n, K).

    A step moves weight from the worst point that has some to the best one, as far as the value falls; now and then all
    weights that are not 0 are moved to where the value is least, or until one of them is 0.
    """
    n, count = slope.shape
    diagonal = quadratic[np.arange(n), np.arange(n)]
    least_gain = CLOSE * (np.abs(diagonal) + np.abs(slope)).max(axis=0)
    if start is None or start.shape != slope.shape:
        weights = np.zeros(slope.shape)
        energy = diagonal / 2.0 + slope + barred
        weights[energy.argmin(axis=0), np.arange(count)] = 1.0
    else:
        weights = start
    barred = np.broadcast_to(barred, slope.shape)
    rest = _descent(quadratic, slope, weights, barred, least_gain, STEPS if n > 1 else 0, TURN)
    if len(rest):
        few = weights[:, rest]
        _descent(quadratic[:, :, rest], slope[:, rest], few, barred[:, rest], least_gain[rest], LONG_STEPS, LONG_TURN)
        weights[:, rest] = few
    return weights


def _descent(quadratic: Array, slope: Array, weights: Array, barred: Array, least_gain: Array, steps: int,
             turn: int) -> NDArray[np.int64]:
    """Change the weights in place; the columns that are not done after so many steps."""
    column = np.arange(weights.shape[1])
    gradient = (quadratic * weights).sum(axis=1) + slope
    for step in range(steps):
        low = (gradient + barred).argmin(axis=0)
        high = np.where(weights > 0.0, gradient, -np.inf).argmax(axis=0)
        gain = gradient[high, column] - gradient[low, column]
        going = gain > least_gain  # never where the data are nan
        if not going.any():
            return column[:0]
        change = quadratic[:, low, column] - quadratic[:, high, column]
        bend = change[low, column] - change[high, column]
        held = weights[high, column]
        move = np.where(gain < held * bend, gain / np.where(bend > 0.0, bend, 1.0), np.where(gain > 0.0, held, 0.0))
        weights[high, column] -= move
        weights[low, column] += move
        gradient += move * change
        if step % turn == turn - 1:
            some = np.flatnonzero(going)
            weights[:, some] = affine_step(quadratic[:, :, some], gradient[:, some], weights[:, some])
            gradient[:, some] = (quadratic[:, :, some] * weights[:, some]).sum(axis=1) + slope[:, some]
    return np.flatnonzero(going) if steps else column[:0]


def affine_step(quadratic: Array, gradient: Array, weights: Array) -> Array:
    """Weights that are not 0 moved towards the least value over their affine hull, until one of them is 0."""
    n, count = weights.shape
    system = np.zeros((count, n + 1, n + 1))
    used = weights > 0.0
    system[:, :n, :n] = np.moveaxis(np.where(used & used[:, None], quadratic, 0.0), -1, 0)
    scale = np.abs(system).max(axis=(1, 2)) + np.finfo(np.float64).tiny
    place = np.arange(n)
    system[:, place, place] += np.where(used, RIDGE, 1.0).T * scale[:, None]
    system[:, n, :n] = system[:, :n, n] = used.T * scale[:, None]
    right = np.zeros((count, n + 1, 1))
    right[:, :n, 0] = np.where(used, -gradient, 0.0).T
    if not (np.isfinite(system).all() and np.isfinite(right).all()):
        return weights
    direction = np.linalg.solve(system, right)[:, :n, 0].T
    reach = np.where(direction < 0.0, weights / -np.where(direction < 0.0, direction, -1.0), np.inf)
    moved = np.maximum(weights + np.minimum(1.0, reach.min(axis=0)) * direction, 0.0)
    moved[reach <= np.minimum(1.0, reach.min(axis=0))] = 0.0
    return np.asarray(moved / moved.sum(axis=0))


def least_quadratic(matrix: Array, direction: Array, cloud: Array, start: Array | None) -> tuple[Array, Array]:
    """About the least 1/2 <M u, u> + <w, u> over the hull, (A_1, ..., A_k, N), and the weights in columns."""
    slope, quadratic = support_values(direction, cloud), gram(matrix, cloud)
    shape = np.broadcast_shapes(slope.shape[1:], quadratic.shape[2:])
    n = len(slope)
    slope = np.broadcast_to(slope, (n, *shape)).reshape(n, -1)
    quadratic = np.broadcast_to(quadratic, (n, n, *shape)).reshape(n, n, -1)
    weights = best_weights(quadratic, slope, start)
    value = (((quadratic * weights).sum(axis=1) / 2.0 + slope) * weights).sum(axis=0)
    return value.reshape(shape), weights


def nearest_point(matrix: Array, point: Array, cloud: Array, start: Array | None) -> tuple[Array, Array]:
    """About the point of the hull nearest to p in the norm of M, and the weights in columns."""
    pull = -np.stack([inner(row, point) for row in (matrix + matrix.swapaxes(0, 1)) / 2.0])
    value, weights = least_quadratic(matrix, pull, cloud, start)
    spread = weights.reshape(len(weights), *value.shape)
    return (at_points(cloud, value.ndim - 1) * spread).sum(axis=1), weights


def nearness(length: Array, size: Array, point: Array) -> Array:
    """The margin of p being a point that is so far away: minus the length, or inf where it is nearly 0."""
    return np.where(length <= NEAR * size + SPACING * np.abs(point).max(axis=0), np.inf, -length)


def separation(columns: Array, weights: Array, barred: Array | float = 0.0) -> Array:
    """How far a hyperplane keeps the points (d, n, K) from 0: the one across their mean; `barred` points are inf."""
    mean = (columns * weights).sum(axis=1)
    length = np.sqrt(inner(mean, mean))
    heights = inner(mean[:, None], columns) + barred
    return np.asarray(heights.min(axis=0) / np.where(length > 0.0, length, 1.0))


def hull_margin(point: Array, cloud: Array, start: Array | None) -> tuple[Array, Array]:
    """Of p in the hull: minus the distance, inf inside; and the weights in columns."""
    shifted = at_points(cloud, point.ndim - 2) - point[:, None]  # about p, so that nothing cancels
    shape = shifted.shape[2:]
    columns = shifted.reshape(len(point), cloud.shape[1], -1)
    quadratic = inner(columns[:, :, None], columns[:, None])
    weights = best_weights(quadratic, np.zeros(columns.shape[1:]), start)
    size = np.sqrt(quadratic[np.arange(len(weights)), np.arange(len(weights))].max(axis=0))
    return nearness(separation(columns, weights).reshape(shape), size.reshape(shape), point), weights


def vertex_margins(cloud: Array) -> Array:
    """Of each point being a vertex, (n, N): its distance from the hull of the others; -inf where it lies in it.

    Of equal points the first may be a vertex: for it, later copies are not among the others.
    """
    d, n, count = cloud.shape
    gaps = cloud[:, :, None] - cloud[:, None]  # y_j - y_i
    quadratic = inner(gaps[:, :, None], gaps[:, None])  # j, k, i
    size = np.sqrt(quadratic[np.arange(n), np.arange(n)])
    allowed = (size > 0.0) | (np.arange(n)[:, None] < np.arange(n))[:, :, None]
    barred = np.where(allowed, 0.0, np.inf).reshape(n, -1)
    weights = best_weights(quadratic.reshape(n, n, -1), np.zeros((n, n * count)), None, barred)
    found = -nearness(separation(gaps.reshape(d, n, -1), weights, barred).reshape(n, count), size.max(axis=0), cloud)
    return np.where(allowed.any(axis=0), found, np.inf)


def edge_margin(first: Array, second: Array, cloud: Array) -> Array:
    """Of the segment between two points being an edge: the distance of its line from the other points' hull, seen
    along the line; -inf where that is none, or a point lies on the line beyond the ends.
    """
    shape = np.broadcast_shapes(first.shape, second.shape, (1,) * (first.ndim - 1) + cloud.shape[-1:])
    ends = [np.broadcast_to(end, shape).reshape(shape[0], -1) for end in (first, second)]
    points = np.broadcast_to(at_points(cloud, first.ndim - 2), (shape[0], cloud.shape[1], *shape[1:]))
    columns = points.reshape(shape[0], cloud.shape[1], -1) - ends[0][:, None]
    axis = ends[1] - ends[0]
    square = inner(axis, axis)
    share = inner(axis[:, None], columns) / np.where(square > 0.0, square, np.nan)
    across = columns - share * axis[:, None]
    quadratic = inner(across[:, :, None], across[:, None])
    n = len(share)
    heights = np.sqrt(quadratic[np.arange(n), np.arange(n)])
    size = np.sqrt(inner(columns, columns).max(axis=0))
    on_line = heights <= NEAR * size
    beyond = (on_line & ((share < -NEAR) | (share > 1.0 + NEAR))).any(axis=0)
    barred = np.where(on_line, np.inf, 0.0)
    weights = best_weights(quadratic, np.zeros(share.shape), None, barred)
    found = np.where(on_line.all(axis=0), size, -nearness(separation(across, weights, barred), size, ends[0]))
    return np.where(beyond | (square == 0.0), -np.inf, found).reshape(shape[1:])


def interior_margin(point: Array, cloud: Array, start: Array | None, full: bool) -> tuple[Array, Array]:
    """Of p in the relative interior: that of a point a little farther from the centre; `full`: in the interior."""
    centre = at_points(cloud, point.ndim - 2).mean(axis=1)
    margin, weights = hull_margin(point + BEYOND * (point - centre), cloud, start)
    if full:
        spread = np.moveaxis(cloud - cloud.mean(axis=1, keepdims=True), -1, 0)
        flat = np.linalg.matrix_rank(spread, tol=NEAR * np.abs(spread).max(initial=0.0)) < len(cloud)
        margin = np.where(flat, -np.inf, margin)
    return margin, weights


def sampled_points(cloud: Array) -> Array:
    """Points of a hull: the cloud, the middles of two of its points, the mean of all."""
    n = cloud.shape[1]
    middles = [(cloud[:, i] + cloud[:, j]) / 2.0 for i in range(n) for j in range(i)]
    return np.concatenate([cloud, *(middle[:, None] for middle in middles), cloud.mean(axis=1, keepdims=True)], axis=1)


def cell_margin(matrix: Array, vertex: Array, point: Array, cloud: Array) -> Array:
    """Of <M u, v> >= <M u, y> for all points y."""
    image = np.stack([inner(row, point) for row in matrix])
    return np.asarray((inner(image, vertex) - support_values(image, cloud)).min(axis=0))


def voronoi_margin(matrix: Array, vertex: Array, point: Array, cloud: Array) -> Array:
    """Of |u - v| <= |u - y| in the norm of M for all points y: the least difference of the squares."""
    def square(gap: Array) -> Array:
        return inner(np.stack([inner(row, gap) for row in matrix]), gap)

    others = [square(point - at_points(cloud, point.ndim - 2)[:, j]) for j in range(cloud.shape[1])]
    return np.asarray(np.min(others, axis=0)) - square(point - vertex)
