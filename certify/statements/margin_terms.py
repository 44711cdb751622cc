"""Terms of a claim as operations on batches: the tree is walked once, the operations run for every block.

Definitions are unfolded where they are used, so that J[t](x[i,t+1]) is computed for all tokens i together.
"""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import reduce

import numpy as np

from certify.statements import batched
from certify.statements.batched import Array
from certify.statements.margin_nodes import Block, Graph, Moment, Node, Scope, along, widened
from certify.verifier.sorts import FOLDS, TIME, Tree, sort_of_name

COMPONENTS = {"scalar": 0, "vector": 1, "matrix": 2}
UFUNCS: dict[str, np.ufunc] = {"add": np.add, "sub": np.subtract, "neg": np.negative, "abs": np.absolute,
                               "sqrt": np.sqrt, "min": np.minimum, "max": np.maximum}
ZERO_LITERAL = ["num", "0"]
SHARES = (1.0, 0.75, 0.5, 0.25, 0.0625, 0.001)  # where c in (0, 1] is read


class Unread(Exception):
    """Something without a reading in floating point."""


class Terms(Graph, ABC):
    """Compiles terms; `fixed` names the system's data that do not change with time."""

    def __init__(self, claim: Tree, data: Mapping[str, str], fixed: frozenset[str], guesses: bool = True) -> None:
        super().__init__()
        self.guesses = guesses  # whether what a few points or times suggest counts as a reading
        self.definitions = {entry[0]: entry for entry in claim[6]}
        self.givens = {entry[0]: entry[1] for entry in claim[5]}
        self.data, self.fixed = data, fixed
        self.offsets: set[int] = {0}  # states are read at clock 0 plus these
        self.every_state = False  # or at any time

    def guessed(self, what: str) -> None:
        """Called where a reading is a guess."""
        if not self.guesses:
            raise Unread(what)

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
        return self.constant("zeros", sort, scope.depth,
                             lambda block: np.zeros((block.d,) * rank + (1,) * (scope.depth + 1)))

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
            return self.constant(operator, "scalar", depth, lambda block: np.full(
                (1,) * (depth + 1), float(block.n if operator == "token_count" else block.d)))
        if operator == "identity":
            return self.constant(operator, "matrix", depth, lambda block: np.eye(block.d).reshape(
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
            return self.constant(("token", bound), "scalar", depth, lambda block: np.arange(
                float(block.n)).reshape(along(bound, depth, block.n, 1)))
        vector: Node = bound
        missing = depth - vector.depth
        if not missing:
            return vector
        return self.node("lifted", vector.sort, depth, (vector,), lambda block, out: widened(
            vector.read(block), missing))

    def _datum(self, tree: Tree, scope: Scope) -> Node:
        name, depth = tree[1], scope.depth
        if name in self.givens:
            tail = 2 if self.givens[name] == "cloud" else 1
            return self.constant(("given", name), self.givens[name], depth,
                                 lambda block: widened(block.given(name), depth, tail))
        if name == "x":
            return self._tokens(tree, scope)
        if name not in self.data:
            raise Unread(name)
        when = self.time(tree[2], scope) if len(tree) > 2 and name not in self.fixed else Moment()
        return self.node((name, when), self.data[name], depth, (),
                         lambda block, out: widened(block.timed(name, when.at(block.now)), depth), when.clocks)

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
        return self.derive(batched.transpose, "matrix", self.shaped("matrix", args[0], scope))

    def _term_trace(self, args: list[Tree], scope: Scope) -> Node:
        return self.derive(batched.trace, "scalar", self.shaped("matrix", args[0], scope))

    def _term_lambda_max(self, args: list[Tree], scope: Scope) -> Node:
        return self.derive(batched.largest_eigenvalue, "scalar", self.shaped("matrix", args[0], scope))

    def _term_diam(self, args: list[Tree], scope: Scope) -> Node:
        return self.derive(batched.diameter, "scalar", self.term(args[0], scope))

    def _term_hull(self, args: list[Tree], scope: Scope) -> Node:
        return self.term(args[0], scope)  # its points stand for it

    def _term_card(self, args: list[Tree], scope: Scope) -> Node:
        inside = replace(scope, depth=scope.depth + 1)
        return self.fold_tokens("sum", self.number(1.0, inside.depth), self.membership(args[0], scope.depth, inside))

    # ---- binders

    def fold(self, kind: str, binder: Tree, body: Callable[[Scope], Node], scope: Scope) -> Node:
        """A fold or a quantifier over one binder."""
        name = binder[0]
        if binder[1:] == ["share"]:
            return self.fold_shares(kind, name, body, scope)
        if sort_of_name(name) == TIME:
            low = self.time(binder[2], scope) if len(binder) > 1 and binder[1] != "le" else Moment()
            high = self.time(binder[-1], scope) if len(binder) > 1 and binder[1] != "ge" else None
            return self.fold_times(kind, low, high, scope.clocks, body(scope.time(name)))
        inside = scope.token(name)
        member = self.membership(binder[2], scope.depth, inside) if len(binder) > 1 else None
        return self.fold_tokens(kind, body(inside), member)

    def fold_shares(self, kind: str, name: str, body: Callable[[Scope], Node], scope: Scope) -> Node:
        """Over c in (0, 1], read at a few of them."""
        self.guessed("(0, 1]")
        act, _ = batched.FOLD_ACTS[kind]
        names = scope.names or {}
        found = [body(replace(scope, names={**names, name: self.number(c, scope.depth)})) for c in SHARES]
        return reduce(lambda left, right: self.apply(act, left.sort, left, right), found)

    def fold_tokens(self, kind: str, body: Node, member: Node | None) -> Node:
        def compute(block: Block, out: Array | None) -> Array:
            return batched.fold_tokens(kind, body.read(block), block.n,
                                       None if member is None else member.read(block), out)
        parts = (body,) if member is None else (body, member)
        return self.node(("over tokens", kind), body.sort, body.depth - 1, parts, compute)

    def fold_times(self, kind: str, low: Moment, high: Moment | None, clock: int, body: Node) -> Node:
        """Over the times low..high (the horizon if None); where only `high` grows, the former fold is continued."""
        grows, name = not low.parts and set(body.clocks) <= {clock}, object()

        def compute(block: Block, out: Array | None) -> Array:
            def value(s: int) -> Array:
                block.now[clock] = s
                return body.read(block)

            first, last = low.at(block.now), block.horizon if high is None else high.at(block.now)
            upto, total = block.folds.get(name, (first - 1, None))
            if not grows or upto > last:
                upto, total = first - 1, None
            total = batched.fold_times(kind, value, upto + 1, last, total)
            if last < first:
                return total
            block.folds[name] = last, total
            return total / (last - first + 1) if kind == "mean" else total
        clocks = low.clocks if high is None else low.clocks | high.clocks
        return self.node(("over times", kind, low, high, clock), body.sort, body.depth, (body,), compute, clocks, clock)

    @abstractmethod
    def membership(self, tree: Tree, axis: int, scope: Scope) -> Node:
        """The margin of the token of `axis` belonging to a set of tokens."""
