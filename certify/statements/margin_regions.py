"""Words about polytopes as operations on batches: `min_over`, `nearest`, `support`, hulls, cells, vertices, `lmo`.

Inclusions and equations of regions other than hulls are read at a few points only: what they miss is left to exact
checks.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from certify.statements import margin_bodies as bodies
from certify.statements.batched import Array, inner
from certify.statements.margin_nodes import Block, Node, Scope, along
from certify.statements.margin_terms import Terms, Unread
from certify.verifier.sorts import Tree

REGIONS = ("hull", "point", "interior", "relint", "cell", "voronoi")
ROUNDING = 1e-7  # points that were chosen often lie on boundaries: so much beyond is not seen
Started = Callable[[list[Array], Array | None], tuple[Array, Array]]  # (values, former weights) -> value, weights


class Regions(Terms):
    """Compiles terms and memberships of hulls and their parts."""

    def _minimised(self, key: str, sort: str, parts: tuple[Node, ...], act: Started) -> Node:
        """A node that starts from the weights that were best the time before: hulls move little."""
        name = object()

        def compute(block: Block, out: Array | None) -> Array:
            _, start = block.folds.get(name, (0, None))
            value, weights = act([part.read(block) for part in parts], start)
            block.folds[name] = 0, weights
            return value
        return self.node(key, sort, parts[0].depth, parts, compute)

    def _term_min_over(self, args: list[Tree], scope: Scope) -> Node:
        parts = self.shaped("matrix", args[0], scope), self.shaped("vector", args[1], scope), self.term(args[2], scope)
        return self._minimised("min_over", "scalar", parts, lambda values, start: bodies.least_quadratic(
            values[0], values[1], bodies.cloud_of(values[2]), start))

    def _term_nearest(self, args: list[Tree], scope: Scope) -> Node:
        parts = self.shaped("matrix", args[1], scope), self.shaped("vector", args[0], scope), self.term(args[2], scope)
        return self._minimised("nearest", "vector", parts, lambda values, start: bodies.nearest_point(
            values[0], values[1], bodies.cloud_of(values[2]), start))

    def _term_support(self, args: list[Tree], scope: Scope) -> Node:
        direction, cloud = self.shaped("vector", args[0], scope), self.term(args[1], scope)
        return self.node("support", "scalar", scope.depth, (direction, cloud), lambda block, out: np.asarray(
            bodies.support_values(direction.read(block), bodies.cloud_of(cloud.read(block))).max(axis=0)))

    # ---- memberships

    def inside(self, tree: Tree, region: Tree, scope: Scope) -> Node:
        """The margin of a vector lying in a hull, a cell or a point of it."""
        return self._inside(self.shaped("vector", tree, scope), region, scope)

    def _inside(self, point: Node, region: Tree, scope: Scope) -> Node:
        operator = region[0]
        if operator == "use":
            return self._inside(point, self.definitions[region[1]][3], self.call(region, scope))
        if operator == "hull":
            return self._minimised("in hull", "scalar", (point, self.term(region, scope)), lambda values, start:
                                   bodies.hull_margin(values[0], bodies.cloud_of(values[1]), start))
        if operator in ("interior", "relint"):
            parts = point, self.term(region[1], scope)
            return self._minimised(operator, "scalar", parts, lambda values, start: bodies.interior_margin(
                values[0], bodies.cloud_of(values[1]), start, operator == "interior"))
        if operator == "point":
            margin = self._near(point, self.shaped("vector", region[1], scope))
        elif operator in ("cell", "voronoi"):
            act = bodies.cell_margin if operator == "cell" else bodies.voronoi_margin
            matrix, vertex = self.shaped("matrix", region[1], scope), self.shaped("vector", region[2], scope)
            cloud = self.term(region[3], scope)
            margin = self.node(operator, "scalar", point.depth, (matrix, vertex, point, cloud), lambda block, out: act(
                matrix.read(block), vertex.read(block), point.read(block), bodies.cloud_of(cloud.read(block))))
        else:
            raise Unread(operator)
        return self.apply(np.fmin, "scalar", margin, self._inside(point, region[-1], scope))

    def _near(self, point: Node, other: Node) -> Node:
        gap = self.apply(np.subtract, "vector", point, other)
        return self.node("near", "scalar", point.depth, (gap, other), lambda block, out: bodies.nearness(
            np.sqrt(inner(gap.read(block), gap.read(block))), np.zeros(1), other.read(block)))

    def edge(self, tree: Tree, scope: Scope) -> Node:
        """The margin of a segment being an edge."""
        first, second = (self.shaped("vector", part, scope) for part in tree[1:3])
        cloud = self.term(tree[3], scope)
        return self.node("edge", "scalar", scope.depth, (first, second, cloud), lambda block, out: bodies.edge_margin(
            first.read(block), second.read(block), bodies.cloud_of(cloud.read(block))))

    def is_region(self, tree: Tree) -> bool:
        while tree[0] == "use":
            tree = self.definitions[tree[1]][3]
        return tree[0] in REGIONS

    def contained(self, left: Tree, right: Tree, scope: Scope) -> Node:
        """The margin of a hull lying in a region: that of its worst point. Other regions are read at some points."""
        outer, whole = scope, left
        while left[0] == "use":
            left, scope = self.definitions[left[1]][3], self.call(left, scope)
        body, inside = left, scope
        while body[0] != "hull":
            if body[0] == "use":
                body, inside = self.definitions[body[1]][3], self.call(body, inside)
            else:
                body = body[-1]
        cloud, wide = self.term(body, inside), replace(outer, depth=outer.depth + 1)
        exact = left[0] == "hull"
        if not exact:
            self.guessed(left[0])

        def chosen(block: Block, out: Array | None) -> Array:
            found = cloud.read(block)
            return found if exact else _widely(bodies.sampled_points(bodies.cloud_of(found)), outer.depth)
        points = self.node(("points", exact), "vector", wide.depth, (cloud,), chosen)
        margin = self._inside(points, right, wide)
        if not exact:
            own, other = self._inside(points, whole, wide), margin
            margin = self.node("implied", "scalar", wide.depth, (own, other), lambda block, out: np.where(
                (own.read(block) >= 0.0) & (other.read(block) < -ROUNDING), other.read(block), np.inf))
        return self.node("all points", "scalar", outer.depth, (margin,), lambda block, out: np.asarray(
            np.fmin.reduce(margin.read(block), axis=-2)))

    def chosen(self, tree: Tree, axis: int, scope: Scope) -> Node:
        """The margin of the token of `axis` being among `vertices` or the points of `lmo`."""
        points = tree[-1]
        if points[:2] != ["at", "x"]:
            raise Unread(tree[0])  # indices of a given cloud are no tokens
        cloud = self.term(points, scope)
        if tree[0] == "vertices":
            found = self.node("vertices", "scalar", 0, (cloud,), lambda block, out: bodies.vertex_margins(
                bodies.cloud_of(cloud.read(block))))  # of all tokens at once
            return self.node(("vertices", axis), "scalar", scope.depth, (found,), lambda block, out: found.read(
                block).reshape(along(axis, scope.depth, block.n, -1)))
        direction = self.shaped("vector", tree[1], scope)

        def linear(block: Block, out: Array | None) -> Array:
            points, w = bodies.cloud_of(cloud.read(block)), direction.read(block)
            own = points.reshape(len(points), *along(axis, scope.depth, block.n, points.shape[-1]))
            return np.asarray(bodies.support_values(w, points).min(axis=0) - inner(w, own))
        return self.node(("lmo", axis), "scalar", scope.depth, (direction, cloud), linear)


def _widely(cloud: Array, depth: int) -> Array:
    """A cloud (d, m, N) as vectors along a last token axis: (d, 1, ..., 1, m, N)."""
    return cloud.reshape(len(cloud), *(1,) * depth, *cloud.shape[1:])
