"""Quantities of a batch as a graph: each computed when asked for, and only if something it depends on has changed.

Quantities that occur twice become one node, and a node is computed again only when a time changes on which it depends:
lambda_max(Bs[0]) once a block, J[t](x[i,t+1]) once a time and for all tokens together. Tokens in reach are axes of the
arrays, times in reach are `clocks`, numbered from the outermost; clock 0 is the time that runs along the trajectory.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from certify.statements.batched import Array


class Block(Protocol):
    """The instances under way, batch-last, and the present value of every clock."""

    n: int
    d: int
    horizon: int
    now: dict[int, int]
    folds: dict[object, tuple[int, Array]]  # folds over times that may be continued: the last time, the total

    def state(self, t: int) -> Array: ...
    def timed(self, name: str, t: int) -> Array: ...
    def given(self, name: str) -> Array: ...


@dataclass(frozen=True)
class Moment:
    """A time: a constant plus multiples of clocks."""

    parts: tuple[tuple[int, int], ...] = ()
    constant: int = 0

    def at(self, now: Mapping[int, int]) -> int:
        return self.constant + sum(factor * now[clock] for clock, factor in self.parts)

    def plus(self, other: Moment, factor: int) -> Moment:
        """self + factor * other."""
        total = dict(self.parts)
        for clock, own in other.parts:
            total[clock] = total.get(clock, 0) + factor * own
        return Moment(tuple(sorted((c, f) for c, f in total.items() if f)), self.constant + factor * other.constant)

    @property
    def clocks(self) -> frozenset[int]:
        return frozenset(clock for clock, _ in self.parts)


Compute = Callable[[Any, Array | None], Array]  # (block, array of the former value or None) -> value


class Node:
    """A quantity: how to compute it, the clocks it depends on, and its latest value."""

    __slots__ = ("_compute", "_stamp", "clocks", "depth", "sort", "value")

    def __init__(self, sort: str, depth: int, clocks: frozenset[int], compute: Compute) -> None:
        self.sort, self.depth, self.clocks = sort, depth, tuple(sorted(clocks))
        self._compute = compute
        self.value: Array | None = None
        self._stamp: list[int] | None = None

    def read(self, block: Block) -> Array:
        """The value now; the array is written to again when the time changes."""
        stamp = [block.now[clock] for clock in self.clocks]
        if self.value is None or stamp != self._stamp:
            self.value, self._stamp = self._compute(block, self.value), stamp
        return self.value

    def forget(self) -> None:
        self.value = self._stamp = None


@dataclass(frozen=True)
class Scope:
    """Token axes and clocks in reach, and what the names mean: a time, the axis of a token, a vector."""

    depth: int = 0
    clocks: int = 1
    names: Mapping[str, Moment | int | Node] | None = None

    def __getitem__(self, name: str) -> Any:
        assert self.names is not None
        return self.names[name]

    def token(self, name: str) -> Scope:
        return replace(self, depth=self.depth + 1, names={**(self.names or {}), name: self.depth})

    def time(self, name: str) -> Scope:
        return replace(self, clocks=self.clocks + 1, names={**(self.names or {}), name: Moment(((self.clocks, 1),))})

    def called(self, name: str, axis: int) -> Scope:
        return replace(self, names={**(self.names or {}), name: axis})


class Graph:
    """All nodes of the lines of a claim."""

    def __init__(self) -> None:
        self.nodes: dict[Any, Node] = {}

    def node(self, key: Any, sort: str, depth: int, parts: tuple[Node, ...], compute: Compute,
             clocks: frozenset[int] = frozenset(), bound: int | None = None) -> Node:
        """The node of this key and these parts, made when it is first met; `bound` is a clock of its own."""
        full = (key, sort, depth, *map(id, parts))
        if full not in self.nodes:
            reach = clocks.union(*(part.clocks for part in parts)) - {bound}
            self.nodes[full] = Node(sort, depth, reach, compute)
        return self.nodes[full]

    def apply(self, act: Any, sort: str, *parts: Node) -> Node:
        """A node of act(values..., out=former value)."""
        def compute(block: Block, out: Array | None) -> Array:
            return act(*[part.read(block) for part in parts], out=out)  # type: ignore[no-any-return]
        return self.node(act.__name__, sort, parts[0].depth, parts, compute)

    def derive(self, act: Callable[[Array], Array], sort: str, part: Node) -> Node:
        """A node of act(value): a view of the value, or an array of its own each time."""
        return self.node(act.__name__, sort, part.depth, (part,), lambda block, out: act(part.read(block)))

    def constant(self, key: Any, sort: str, depth: int, make: Callable[[Block], Array]) -> Node:
        """A node that depends on the block alone."""
        return self.node(key, sort, depth, (), lambda block, out: make(block))

    def number(self, value: float, depth: int) -> Node:
        return self.constant(("number", value), "scalar", depth, lambda block: np.full((1,) * (depth + 1), value))

    def forget(self) -> None:
        """Before another block."""
        for node in self.nodes.values():
            node.forget()


def along(axis: int, depth: int, n: int, size: int) -> tuple[int, ...]:
    """The shape of a scalar that depends on the token of one axis."""
    return (*(n if k == axis else 1 for k in range(depth)), size)


def widened(value: Array, extra: int, tail: int = 1) -> Array:
    """The value with `extra` token axes of length 1 before its last `tail` axes."""
    cut = value.ndim - tail
    return value.reshape(value.shape[:cut] + (1,) * extra + value.shape[cut:])
