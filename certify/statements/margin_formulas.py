"""Formulas of a claim as signed margins: 0 or more where a formula holds, negative by how much it is violated.

| formula | margin |
|---|---|
| a <= b, a < b | b - a |
| a = b, a != b | -\\|a - b\\|, \\|a - b\\|, in the largest entry |
| p in hull(x) | minus the distance; inf inside, where no depth is computed |
| i in vertices(x) | the distance from the hull of the others; -inf in it |
| u in cell(M, v, K) | the least <M u, v - y> over the points y |
| edge(p, q, K) | the distance of the line from the other points, seen along it; -inf if it is no edge |
| tends, bigO, geometric | a guess from the last half of the horizon |
| psd(M), pd(M) | the smallest eigenvalue; at most minus the largest asymmetry |
| not P | minus that of P |
| P and Q, P or Q, P implies Q | min, max, max(not P, Q) |
| forall, exists | min, max |

Where a strict formula lies on its boundary it is violated by nothing, written -BARELY, so that the sign is right.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from certify.statements import batched
from certify.statements.batched import Array
from certify.statements.margin_nodes import Block, Moment, Node, Scope
from certify.statements.margin_regions import Regions
from certify.statements.margin_terms import COMPONENTS, Unread
from certify.verifier.sorts import TIME, TOKEN, TOKEN_SETS, Tree, sort_of_name

COMPARISONS = {"le": (2, 1), "lt": (2, 1), "ge": (1, 2), "gt": (1, 2)}  # the larger argument, the smaller


@dataclass(frozen=True)
class Line:
    """One line of a claim: the margin of its body, and what the outermost `forall` ranges over.

    The body's array has one axis for each of the `tokens` names. If `timed`, the body is read at clock 0 = low..high;
    `high` None is the horizon.
    """

    body: Node
    tokens: tuple[str, ...] = ()
    timed: bool = False
    low: int = 0
    high: int | None = None


class Formulas(Regions):
    """Compiles formulas and whole lines."""

    def __init__(self, claim: Tree, data: Mapping[str, str], fixed: frozenset[str], guesses: bool = True) -> None:
        super().__init__(claim, data, fixed, guesses)
        self.lines: dict[str, Line] = {}
        self.unread: dict[str, str] = {}
        self._formulas: dict[str, Tree] = {**{entry[0]: entry[1] for entry in claim[7]}, "assertion": claim[8]}

    def compile(self, name: str) -> None:
        """Read one line into `lines`, or say in `unread` what cannot be read."""
        try:
            self.lines[name] = self._line(self._formulas[name])
        except Unread as operator:
            self.unread[name] = str(operator)

    def _line(self, tree: Tree) -> Line:
        if tree[0] != "forall":
            return Line(self.formula(tree, Scope()))
        binders, scope = list(tree[1]), Scope()
        place = running(binders)
        low, high = Moment(), Moment()
        if place is not None:
            name, *limits = binders.pop(place)
            scope = replace(scope, names={name: Moment(((0, 1),))})
            low = self.time(limits[1], scope) if limits and limits[0] != "le" else low
            high = self.time(limits[-1], scope) if limits and limits[0] != "ge" else high
        unlimited = place is not None and (not limits or limits[0] == "ge")
        tokens = []
        while binders and sort_of_name(binders[0][0]) == TOKEN:
            tokens.append(binders.pop(0))
            scope = scope.token(tokens[-1][0])
        body = self.quantified("forall", binders, tree[2], scope)
        for axis, binder in enumerate(tokens):
            if len(binder) > 1:
                body = self.apply(batched.restricted, "scalar", body, self.membership(binder[2], axis, scope))
        return Line(body, tuple(binder[0] for binder in tokens), place is not None, low.constant,
                    None if unlimited else high.constant)

    def quantified(self, kind: str, binders: list[Tree], body: Tree, scope: Scope) -> Node:
        if not binders:
            return self.formula(body, scope)
        return self.fold(kind, binders[0], lambda inside: self.quantified(kind, binders[1:], body, inside), scope)

    def formula(self, tree: Tree, scope: Scope) -> Node:
        """The margin of a formula."""
        operator = tree[0]
        if operator in ("forall", "exists"):
            return self.quantified(operator, tree[1], tree[2], scope)
        if operator == "use":
            return self.formula(self.definitions[tree[1]][3], self.call(tree, scope))
        if operator in ("not", "and", "or", "implies", "iff"):
            return self._connective(operator, [self.formula(part, scope) for part in tree[1:]])
        if operator in COMPARISONS:
            larger, smaller = (self.term(tree[k], scope) for k in COMPARISONS[operator])
            margin = self.apply(np.subtract, "scalar", larger, smaller)
        elif operator in ("eq", "ne") and self.is_region(tree[1]):
            there, back = self.contained(tree[1], tree[2], scope), self.contained(tree[2], tree[1], scope)
            margin = self.apply(np.fmin, "scalar", there, back)
            return margin if operator == "eq" else self.apply(batched.negation, "scalar", margin)
        elif operator in ("eq", "ne"):
            margin = self._distance(self.term(tree[1], scope), self.term(tree[2], scope))
            margin = self.apply(np.negative, "scalar", margin) if operator == "eq" else margin
        elif operator in ("psd", "pd"):
            margin = self.derive(batched.definiteness, "scalar", self.shaped("matrix", tree[1], scope))
        elif operator == "in" and is_token(tree[1], scope):
            return self.membership(tree[2], scope[tree[1][1]], scope)
        elif operator == "in":
            return self.inside(tree[1], tree[2], scope)
        elif operator == "subset":
            return self.contained(tree[1], tree[2], scope)
        elif operator == "edge":
            return self.edge(tree, scope)
        elif operator in ("tends", "bigO", "geometric"):
            return self._limit(tree, scope)
        else:
            raise Unread(operator)
        return self.apply(batched.strictly, "scalar", margin) if operator in ("lt", "gt", "ne", "pd") else margin

    def _connective(self, operator: str, parts: list[Node]) -> Node:
        if operator == "not":
            return self.apply(batched.negation, "scalar", parts[0])
        if operator in ("and", "or"):
            return self.apply(np.fmin if operator == "and" else np.fmax, "scalar", *parts)
        if operator == "iff":
            there, back = self._connective("implies", parts), self._connective("implies", parts[::-1])
            return self.apply(np.fmin, "scalar", there, back)
        return self.apply(np.fmax, "scalar", self._connective("not", parts[:1]), parts[1])

    def _limit(self, tree: Tree, scope: Scope) -> Node:
        """What the last half of the horizon says of a limit: a guess, since no number of steps shows one."""
        operator, name = tree[0], tree[1]
        self.guessed(operator)
        clock, inside = scope.clocks, scope.time(name)
        value = self.term(tree[2], inside)
        if operator == "tends":
            value = self.apply(np.subtract, value.sort, value, self.shaped(value.sort, tree[3], scope))
        other = self.term(tree[3], inside) if operator == "bigO" else self.number(1.0, scope.depth)

        def compute(block: Block, out: Array | None) -> Array:
            def size(node: Node, t: int) -> Array:
                block.now[clock] = t
                return batched.largest_entry(node.read(block), COMPONENTS[node.sort])
            times = 0, block.horizon // 2, block.horizon
            return batched.limit_guess(operator, [size(value, t) for t in times], [size(other, t) for t in times])
        reach = frozenset((*value.clocks, *other.clocks)) - {clock}
        return self.node((operator, clock), "scalar", scope.depth, (value, other), compute, reach, clock)

    def _distance(self, left: Node, right: Node) -> Node:
        """The largest difference of entries; a literal 0 is of every sort."""
        gap = self.apply(np.subtract, max(left.sort, right.sort, key=COMPONENTS.__getitem__), left, right)
        return self.node("largest entry", "scalar", gap.depth, (gap,), lambda block, out: batched.largest_entry(
            gap.read(block), COMPONENTS[gap.sort]))

    def membership(self, tree: Tree, axis: int, scope: Scope) -> Node:
        """The margin of the token of `axis` belonging to a set of tokens."""
        operator = tree[0]
        if operator == "tokens":
            return self.number(np.inf, scope.depth)
        if operator == "use":
            return self.membership(self.definitions[tree[1]][3], axis, self.call(tree, scope))
        if operator in ("vertices", "lmo"):
            return self.chosen(tree, axis, scope)
        if operator not in TOKEN_SETS:
            raise Unread(operator)
        binder, body = tree[1:]
        here = scope.called(binder[0], axis)
        if operator == "set":
            margin = self.formula(body, here)
        else:
            greatest = operator == "argmax"
            own = self.term(body, here)
            best = self.fold("greatest" if greatest else "least", binder, lambda inside: self.term(body, inside), scope)
            margin = self.apply(np.subtract, "scalar", *((own, best) if greatest else (best, own)))
        if len(binder) > 1:
            margin = self.apply(np.fmin, "scalar", margin, self.membership(binder[2], axis, scope))
        return margin


def is_token(tree: Tree, scope: Scope) -> bool:
    return bool(tree[0] == "var") and isinstance(scope[tree[1]], int)


def running(binders: list[Tree]) -> int | None:
    """The place of the time that may run along the trajectory: the unbounded one, or one with constant bounds."""
    times = [k for k, binder in enumerate(binders) if sort_of_name(binder[0]) == TIME and not mentions(binder[2:])]
    unbounded = [k for k in times if len(binders[k]) == 1 or binders[k][1] == "ge"]
    found = unbounded or times
    return found[0] if found else None


def mentions(tree: Tree) -> bool:
    """Whether a tree contains a variable."""
    return isinstance(tree, list) and (tree[:1] == ["var"] or any(map(mentions, tree)))
