"""Instances and exact trajectories.

States are integer numerators over one shared denominator. Leaders are found on the leading digits first, with an
error bound in integers; only candidates that this cannot separate are compared exactly.
"""
from __future__ import annotations

from collections.abc import Callable
from copy import copy
from math import gcd
from operator import mul
from typing import Any

from .boxes import read_box
from .exact import MAX_BITS, ONE, Rat, Reject, Undecided, common_denominator
from .samples import Gaussian
from .schedules import Sequence, decimal, read_sequence, require_everywhere
from .sorts import Tree

MAX_TOKENS, MAX_DIMENSION, MAX_WORK = 20_000, 500, 10**9
LEADING_BITS = 64
KEEP_STATES = 6
HARDMAX: Tree = [
    "system", "hardmax", [["B", "matrix", "timed"], ["g", "scalar", "step size"]],
    ["add", ["mul", ["sub", ["num", "1"], ["at", "g", ["var", "t"]]], ["at", "x", ["var", "i"]]],
     ["mul", ["at", "g", ["var", "t"]],
      ["pick", ["argmax", ["j"], ["inner", ["mul", ["at", "B", ["var", "t"]], ["at", "x", ["var", "i"]]],
                                  ["at", "x", ["var", "j"]]]]]]]]


def read_vector(field: object, size: int | None = None) -> list[Rat]:
    if type(field) is not list or not 0 < len(field) <= MAX_TOKENS or (size is not None and len(field) != size):
        raise Reject("not a vector of the right length")
    return [Rat.parse(entry) for entry in field]


def read_matrix(field: object, rows: int | None = None, columns: int | None = None) -> list[list[Rat]]:
    if type(field) is not list or not 0 < len(field) <= MAX_TOKENS or (rows is not None and len(field) != rows):
        raise Reject("not a matrix of the right size")
    first = field[0]
    width = columns if columns is not None else len(first) if type(first) is list else 0
    if not 0 < width <= MAX_DIMENSION:
        raise Reject("not a matrix of the right size")
    return [read_vector(row, width) for row in field]


class Instance:
    """The exact data of a certificate: tokens, the system's data, the claim's givens."""

    def __init__(self, fields: object, system: Tree, givens: list[Tree]) -> None:
        if not isinstance(fields, dict):
            raise Reject("the instance is not an object")
        data = system[2] if system is not None else []
        wanted = {"system", *(entry[0] for entry in data), *(given[0] for given in givens)}
        wanted |= {"x"} if system is not None else set()
        if set(fields) != wanted:
            raise Reject(f"the instance must have exactly the keys {', '.join(sorted(wanted))}")
        if fields["system"] != ("none" if system is None else system[1]):
            raise Reject("the instance is for another system")
        self.box: list[list[Any]] | None = read_box(fields["x"]) if system is not None else None
        self.random: Gaussian | None = None
        self.tokens: list[list[Rat]] = []
        if self.box is not None:
            self.tokens = [[] for _ in self.box]  # how many there are; no numbers to mistake for the start
            self.dimension = len(self.box[0])
        elif system is not None and isinstance(fields["x"], dict):
            self.random = Gaussian(fields["x"])
            self.tokens = [[] for _ in range(self.random.tokens)]
            self.dimension = self.random.dimension
        else:
            self.tokens = read_matrix(fields["x"]) if system is not None else []
            self.dimension = len(self.tokens[0]) if self.tokens else 0
        self.sequences: dict[str, Sequence] = {}
        for name, sort, kind in data:
            scalar = sort == "scalar"
            read: Callable[[object], Any] = Rat.parse if scalar else self._square
            sequence = read_sequence(fields[name], read, scalar)
            if kind == "fixed" and (sequence.kind != "list" or len(sequence.values) != 1):
                raise Reject(f"{name} may not depend on time")
            require_everywhere(sequence, kind == "step size", name)
            self.sequences[name] = sequence
        self.clouds = {given[0] for given in givens if given[1] == "cloud"}
        self.givens: dict[str, Any] = {}
        for given in givens:
            self.givens[given[0]] = value = self._given(fields[given[0]], given[1])
            if len(given) == 4 and not in_range(value, given[2], decimal(given[3][1])):
                raise Reject(f"the given {given[0]} leaves its range")

    def at_start(self, tokens: list[list[Rat]]) -> Instance:
        """The same data with another start."""
        other = copy(self)
        other.random, other.tokens = None, tokens
        return other

    def _square(self, field: object) -> list[list[Rat]]:
        return read_matrix(field, self.dimension, self.dimension)

    def _given(self, field: object, sort: str) -> Any:
        size = self.dimension or None
        if sort == "scalar":
            return Rat.parse(field)
        if sort == "vector":
            value = read_vector(field, size)
            self.dimension = self.dimension or len(value)
            return value
        matrix = read_matrix(field, size if sort == "matrix" else None, size)
        self.dimension = self.dimension or len(matrix[0])
        if sort == "matrix" and len(matrix) != len(matrix[0]):
            raise Reject("a given matrix must be square")
        return matrix


def in_range(value: Rat, relation: str, limit: Rat) -> bool:
    """Whether a given scalar meets its declared comparison."""
    if relation in ("ge", "gt"):
        value, limit = limit, value
    return value <= limit if relation in ("le", "ge") else value < limit


class State:
    """Tokens as integer rows over one denominator."""

    __slots__ = ("den", "rows")

    def __init__(self, rows: list[list[int]], den: int) -> None:
        self.rows, self.den = rows, den

    def point(self, i: int) -> list[Rat]:
        return [Rat(entry, self.den) for entry in self.rows[i]]

    def points(self) -> list[list[Rat]]:
        return [self.point(i) for i in range(len(self.rows))]


def leaders(rows: list[list[int]], matrix: list[list[int]]) -> list[list[int]]:
    """For every token i the tokens j that maximise <B x_i, x_j>; the common denominator does not matter."""
    short, shift = leading(rows)
    largest = max((abs(entry) for row in short for entry in row), default=0)
    spread = sum(abs(entry) for row in matrix for entry in row) * (largest + 2)
    differences: dict[tuple[int, ...], tuple[list[list[int]], list[list[int]], int]] = {}
    found = []
    for i, row in enumerate(short):
        image = [sum(map(mul, line, row)) for line in matrix]
        scores = [sum(map(mul, image, other)) for other in short]
        best = max(scores)
        if shift:
            best -= 2 * (sum(map(abs, image)) + spread)
        near = [j for j, score in enumerate(scores) if score >= best]
        if shift and any(rows[j] != rows[near[0]] for j in near):
            near = separated([sum(map(mul, line, rows[i])) for line in matrix], rows, near, differences)
        found.append(near)
    return found


def leading(rows: list[list[int]]) -> tuple[list[list[int]], int]:
    """Leading digits only, and how many bits were dropped: an entry e is kept as e / 2^shift rounded down."""
    largest = max((abs(entry) for row in rows for entry in row), default=0)
    shift = max(0, largest.bit_length() - LEADING_BITS)
    return ([[entry >> shift for entry in row] for row in rows] if shift else rows), shift


def separated(image: list[int], rows: list[list[int]], near: list[int],
              differences: dict[tuple[int, ...], tuple[list[list[int]], list[list[int]], int]]) -> list[int]:
    """Leaders among candidates close together: by the leading digits of exact differences, then exactly.

    Both factors of a product are short by less than 1, so that a product of one coordinate is off by at most
    |image| + 2^LEADING_BITS + 1, and two sums of products are compared.
    """
    (short,), drop = leading([image])
    slack = 2 * (sum(map(abs, short)) + len(short) * (2**LEADING_BITS + 1))
    while True:
        key = tuple(near)
        if key not in differences:
            gaps = [[a - b for a, b in zip(rows[j], rows[near[0]], strict=True)] for j in near]
            differences[key] = gaps, *leading(gaps)
        gaps, brief, cut = differences[key]
        scores = [sum(map(mul, short, gap)) for gap in brief]
        best = max(scores) - (slack if drop or cut else 0)
        left = [j for j, score in zip(near, scores, strict=True) if score >= best]
        if len(left) == 1 or not any(map(any, gaps)):
            return left
        if left == near:
            exact = [sum(map(mul, image, gap)) for gap in gaps]
            return [j for j, score in zip(near, exact, strict=True) if score == max(exact)]
        near = left


class Trajectory:
    """Exact states x[0], x[1], ... along one selection; without one, up to the first tie that matters."""

    def __init__(self, instance: Instance, system: Tree, policy: str,
                 selection: dict[tuple[int, int], list[tuple[int, Rat]]],
                 interpret: Callable[[State, int], State] | None = None) -> None:
        self.instance, self.policy, self.selection = instance, policy, selection
        self.native = system == HARDMAX
        self.interpret = interpret
        self.used: set[tuple[int, int]] = set()
        self.work = 0
        self.regime: Any = None  # set once a regime has been verified
        rows, den = common_denominator(instance.tokens)
        self.states: dict[int, State] = {0: State(rows, den)}

    def state(self, t: int) -> State:
        if t < 0:
            raise Undecided("a time before 0")
        if t in self.states:
            return self.states[t]
        if self.regime is not None and t > self.regime.start:
            return self._keep(t, self.regime.state(t))
        now = max(s for s in self.states if s < t)
        state = self.states[now]
        while now < t:
            state = self._keep(now + 1, self.step(state, now))
            now += 1
        return state

    def _keep(self, t: int, state: State) -> State:
        self.states[t] = state
        if len(self.states) > KEEP_STATES:  # the start stays, and what was computed last
            del self.states[list(self.states)[1]]
        return state

    def spend(self, amount: int) -> None:
        self.work += amount
        if self.work > MAX_WORK:
            raise Reject("more work than a verifier accepts")

    def step(self, state: State, t: int) -> State:
        """One step of the dynamics."""
        n, d = len(state.rows), len(state.rows[0])
        self.spend(n * n * d + n * d * (state.den.bit_length() // 64 + 1))
        if state.den.bit_length() > MAX_BITS:
            raise Reject("a state with more digits than a verifier accepts")
        if not self.native:
            assert self.interpret is not None
            return self.interpret(state, t)
        step_size = self.instance.sequences["g"].at(t)
        if step_size.n == 0:
            return state
        matrix, _ = common_denominator(self.instance.sequences["B"].at(t))
        targets = [self.target(state, t, i, near) for i, near in enumerate(leaders(state.rows, matrix))]
        total = 1
        for _, weight in targets:
            total = total * weight // gcd(total, weight)
        stay, move = (step_size.d - step_size.n) * total, step_size.n
        rows = []
        for row, (parts, weight) in zip(state.rows, targets, strict=True):
            new = [stay * entry for entry in row]
            for j, share in parts:
                factor = move * share * (total // weight)
                new = [a + factor * b for a, b in zip(new, state.rows[j], strict=True)]
            rows.append(new)
        return stripped(rows, state.den * step_size.d * total, t)

    def target(self, state: State, t: int, i: int, near: list[int]) -> tuple[list[tuple[int, int]], int]:
        """The point token i moves to: integer weights on tokens, and their sum."""
        if self.policy == "average-indices":
            return [(j, 1) for j in near], len(near)
        distinct: list[int] = []
        for j in near:
            if all(state.rows[j] != state.rows[k] for k in distinct):
                distinct.append(j)
        if self.policy == "average-points" or len(distinct) == 1:
            return [(j, 1) for j in distinct], len(distinct)
        chosen = self.selection.get((t, i))
        if chosen is None:
            raise Tie(t, i, distinct)
        self.used.add((t, i))
        if any(j not in near for j, _ in chosen):
            raise Reject(f"the selection at t = {t}, token {i} is not a leader")
        den = 1
        for _, weight in chosen:
            den = den * weight.d // gcd(den, weight.d)
        return [(j, weight.n * (den // weight.d)) for j, weight in chosen], den


class Tie(Undecided):
    """Two leaders at different points and no selection: later states are not determined."""

    def __init__(self, t: int, i: int, points: list[int]) -> None:
        super().__init__(f"token {i} has several leaders at t = {t}: later states depend on the selection")
        self.t, self.i, self.points = t, i, points


def stripped(rows: list[list[int]], den: int, t: int) -> State:
    """Now and then divide out what numerators and denominator have in common."""
    if t % 8 == 0 or den.bit_length() < 256:
        common = den
        for row in rows:
            common = gcd(common, *row)
            if common == 1:
                return State(rows, den)
        return State([[entry // common for entry in row] for row in rows], den // common)
    return State(rows, den)


def read_selection(field: object) -> dict[tuple[int, int], list[tuple[int, Rat]]]:
    """A selection: at each tie (t, i) in increasing order, convex weights on leaders."""
    found: dict[tuple[int, int], list[tuple[int, Rat]]] = {}
    last = (-1, -1)
    for entry in field if type(field) is list else [None]:
        if type(entry) is not list or len(entry) != 3 or any(type(k) is not int for k in entry[:2]):
            raise Reject("not a selection")
        place = (entry[0], entry[1])
        weights = [(pair[0], Rat.parse(pair[1])) for pair in entry[2] if type(pair) is list and len(pair) == 2]
        indices = [j for j, _ in weights]
        if (place <= last or len(weights) != len(entry[2]) or any(type(j) is not int for j in indices)
                or sorted(set(indices)) != indices or any(w.n <= 0 for _, w in weights)):
            raise Reject("not a selection")
        total = Rat(0)
        for _, weight in weights:
            total = total + weight
        if total != ONE:
            raise Reject("the weights of a selection must add to 1")
        found[place] = weights
        last = place
    return found
