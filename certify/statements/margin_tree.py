"""From the tree of a claim to operations on batches: the tree is walked once, the operations run for every block.

Quantities that occur twice become one node, and a node is computed again only when a time changes on which it depends:
lambda_max(Bs[0]) once a block, J[t](x[i,t+1]) once a time and for all tokens together. Tokens in reach are axes of the
arrays, times in reach are `clocks`, numbered from the outermost; clock 0 is the time that runs along the trajectory.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from certify.statements import batched
from certify.statements.batched import Array
from certify.verifier.sorts import FOLDS, TIME, TOKEN_SETS, Tree, sort_of_name

COMPONENTS = {"scalar": 0, "vector": 1, "matrix": 2}
UFUNCS: dict[str, np.ufunc] = {"add": np.add, "sub": np.subtract, "neg": np.negative, "abs": np.absolute,
                               "sqrt": np.sqrt, "min": np.minimum, "max": np.maximum}
ZERO_LITERAL = ["num", "0"]


class Unread(Exception):
    """An operator without a reading in floating point."""


class Block(Protocol):
    """The instances under way, batch-last, and the present value of every clock."""

    n: int
    d: int
    horizon: int
    now: dict[int, int]

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


class Terms:
    """Compiles terms; `fixed` names the system's data that do not change with time."""

    def __init__(self, claim: Tree, data: Mapping[str, str], fixed: frozenset[str]) -> None:
        self.definitions = {entry[0]: entry for entry in claim[6]}
        self.givens = {entry[0]: entry[1] for entry in claim[5]}
        self.data, self.fixed = data, fixed
        self.nodes: dict[Any, Node] = {}
        self.offsets: set[int] = {0}  # states are read at clock 0 plus these
        self.every_state = False  # or at any time

    def node(self, key: Any, sort: str, depth: int, parts: tuple[Node, ...], compute: Compute,
             clocks: frozenset[int] = frozenset(), bound: int | None = None) -> Node:
        """The node of this key and these parts, made when it is first met."""
        full = (key, sort, depth, *map(id, parts))
        if full not in self.nodes:
            reach = clocks.union(*(part.clocks for part in parts)) - {bound}
            self.nodes[full] = Node(sort, depth, reach, compute)
        return self.nodes[full]

    def apply(self, act: Any, sort: str, *parts: Node, key: Any = None) -> Node:
        """A node of act(values..., out=former value)."""
        def compute(block: Block, out: Array | None) -> Array:
            return act(*[part.read(block) for part in parts], out=out)  # type: ignore[no-any-return]
        return self.node(key or act.__name__, sort, parts[0].depth, parts, compute)

    def derive(self, act: Callable[[Array], Array], sort: str, part: Node, key: Any = None) -> Node:
        """A node of act(value) that owns no array, or needs no speed."""
        return self.node(key or act.__name__, sort, part.depth, (part,), lambda block, out: act(part.read(block)))

    def number(self, value: float, depth: int) -> Node:
        array = np.full((1,) * (depth + 1), value)
        return self.node(("number", value), "scalar", depth, (), lambda block, out: array)

    def counted(self, name: str, depth: int) -> Node:
        """The number of tokens, or the dimension."""
        return self.node(("counted", name), "scalar", depth, (),
                         lambda block, out: np.full((1,) * (depth + 1), float(getattr(block, name))))

    # ---- times

    def time(self, tree: Tree, scope: Scope) -> Moment:
        operator = tree[0]
        if operator == "num":
            return Moment((), int(tree[1]))
        if operator == "var":
            found = scope[tree[1]]
            assert isinstance(found, Moment)
            return found
        if operator in ("add", "sub"):
            return self.time(tree[1], scope).plus(self.time(tree[2], scope), 1 if operator == "add" else -1)
        if operator == "neg":
            return Moment().plus(self.time(tree[1], scope), -1)
        if operator == "mul":
            left, right = self.time(tree[1], scope), self.time(tree[2], scope)
            return Moment().plus(left, right.constant) if left.parts else Moment().plus(right, left.constant)
        if operator == "use":
            return self.time(self.definitions[tree[1]][3], self.call(tree, scope))
        raise Unread(operator)

    def call(self, tree: Tree, scope: Scope) -> Scope:
        """The scope of a definition's body: its indices and arguments, and nothing else."""
        _, indices, parameters, _ = self.definitions[tree[1]]
        names: dict[str, Moment | int | Node] = {}
        for name, argument in zip(indices, tree[2], strict=True):
            names[name] = self.time(argument, scope) if sort_of_name(name) == TIME else scope[argument[1]]
        for name, argument in zip(parameters, tree[3], strict=True):
            names[name] = self.shaped("vector", argument, scope)
        return replace(scope, names=names)

    # ---- terms

    def shaped(self, sort: str, tree: Tree, scope: Scope) -> Node:
        """A vector or a matrix; a literal 0 stands for the one of zeros."""
        if tree != ZERO_LITERAL:
            return self.term(tree, scope)
        rank = COMPONENTS[sort]
        return self.node("zeros", sort, scope.depth, (),
                         lambda block, out: np.zeros((block.d,) * rank + (1,) * (scope.depth + 1)))

    def term(self, tree: Tree, scope: Scope) -> Node:
        operator, args, depth = tree[0], tree[1:], scope.depth
        if operator == "num":
            return self.number(float(args[0]), depth)
        if operator == "var":
            return self._variable(args[0], scope)
        if operator == "at":
            return self._datum(tree, scope)
        if operator == "use":
            return self.term(self.definitions[args[0]][3], self.call(tree, scope))
        if operator in UFUNCS:
            parts = [self.term(arg, scope) for arg in args]
            sort = max((part.sort for part in parts), key=COMPONENTS.__getitem__)
            return self.apply(UFUNCS[operator], sort, *parts)
        if operator in FOLDS:
            return self.fold(operator, args[0], lambda inside: self.term(args[1], inside), scope)
        if operator in ("token_count", "dimension"):
            return self.counted("n" if operator == "token_count" else "d", depth)
        if operator == "identity":
            return self.node("identity", "matrix", depth, (), lambda block, out: np.eye(block.d).reshape(
                (block.d, block.d) + (1,) * (depth + 1)))
        method = getattr(self, "_term_" + operator, None)
        if method is None:
            raise Unread(operator)
        found: Node = method(args, scope)
        return found

    def _variable(self, name: str, scope: Scope) -> Node:
        bound, depth = scope[name], scope.depth
        if isinstance(bound, Moment):
            return self.node(("clock", bound), "scalar", depth, (), lambda block, out: np.full(
                (1,) * (depth + 1), float(bound.at(block.now))), bound.clocks)
        if isinstance(bound, int):
            return self.node(("token", bound), "scalar", depth, (), lambda block, out: np.arange(
                float(block.n)).reshape(along(bound, depth, block.n, 1)))
        missing = (1,) * (depth - bound.depth)
        if not missing:
            return bound
        return self.node("lifted", bound.sort, depth, (bound,), lambda block, out: widened(bound.read(block), missing))

    def _datum(self, tree: Tree, scope: Scope) -> Node:
        name, depth = tree[1], scope.depth
        if name in self.givens:
            ones = (1,) * depth
            return self.node(("given", name), self.givens[name], depth, (),
                             lambda block, out: widened(block.given(name), ones))
        if name == "x":
            return self._tokens(tree, scope)
        if name not in self.data:
            raise Unread(name)
        when = self.time(tree[2], scope) if len(tree) > 2 and name not in self.fixed else Moment()
        ones = (1,) * depth
        return self.node((name, when), self.data[name], depth, (),
                         lambda block, out: widened(block.timed(name, when.at(block.now)), ones), when.clocks)

    def _tokens(self, tree: Tree, scope: Scope) -> Node:
        """x[i, t], or the cloud x[t], whose points lie along one more axis."""
        when = self.time(tree[-1], scope)
        if when.parts == ((0, 1),):
            self.offsets.add(when.constant)
        elif when != Moment():
            self.every_state = True
        axis, depth = (scope[tree[2][1]], scope.depth) if len(tree) == 4 else (scope.depth, scope.depth + 1)

        def compute(block: Block, out: Array | None) -> Array:
            state = block.state(when.at(block.now))
            return state.reshape(block.d, *along(axis, depth, block.n, state.shape[2]))
        return self.node(("x", axis, when), "vector" if len(tree) == 4 else "cloud", scope.depth, (), compute,
                         when.clocks)

    def _term_mul(self, args: list[Tree], scope: Scope) -> Node:
        left = self.term(args[0], scope)
        right = self.shaped("vector", args[1], scope) if left.sort == "matrix" else self.term(args[1], scope)
        return self.apply(batched.image if left.sort == "matrix" else np.multiply, right.sort, left, right)

    def _term_div(self, args: list[Tree], scope: Scope) -> Node:
        left = self.term(args[0], scope)
        return self.apply(batched.quotient, left.sort, left, self.term(args[1], scope))

    def _term_pow(self, args: list[Tree], scope: Scope) -> Node:
        base, exponent = self.term(args[0], scope), self.time(args[1], scope)
        return self.node(("pow", exponent), "scalar", scope.depth, (base,), lambda block, out: batched.power(
            base.read(block), exponent.at(block.now), out), exponent.clocks)

    def _term_inner(self, args: list[Tree], scope: Scope) -> Node:
        left, right = (self.shaped("vector", arg, scope) for arg in args)
        return self.apply(batched.inner, "scalar", left, right)

    def _term_norm(self, args: list[Tree], scope: Scope) -> Node:
        vector = self.shaped("vector", args[0], scope)
        return self.apply(np.sqrt, "scalar", self.apply(batched.inner, "scalar", vector, vector))

    def _term_transpose(self, args: list[Tree], scope: Scope) -> Node:
        return self.derive(lambda m: m.swapaxes(0, 1), "matrix", self.shaped("matrix", args[0], scope), "transpose")

    def _term_trace(self, args: list[Tree], scope: Scope) -> Node:
        return self.derive(batched.trace, "scalar", self.shaped("matrix", args[0], scope))

    def _term_lambda_max(self, args: list[Tree], scope: Scope) -> Node:
        matrix = self.shaped("matrix", args[0], scope)
        return self.derive(lambda m: np.asarray(batched.eigenvalues(m)[-1]), "scalar", matrix, "lambda_max")

    def _term_diam(self, args: list[Tree], scope: Scope) -> Node:
        return self.derive(batched.diameter, "scalar", self.term(args[0], scope))

    def _term_hull(self, args: list[Tree], scope: Scope) -> Node:
        return self.term(args[0], scope)  # its points stand for it

    def _term_card(self, args: list[Tree], scope: Scope) -> Node:
        inside = replace(scope, depth=scope.depth + 1)
        member = self.membership(args[0], scope.depth, inside)
        one = self.number(1.0, inside.depth)
        return self._fold_tokens("sum", one, member, scope)
