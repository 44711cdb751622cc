"""A second opinion on certificates, by brute force and with nothing of certify.

It reads a certificate's claim, instance, selection, ledger and verdict, ignores its lemmas and plans, simulates the
system with `Fraction`s and evaluates every line at every time up to a horizon (and, where it has its own closed form of
the trajectory, at some very late times). Ties that the certificate leaves open are broken at random, several times: a
verdict must survive every continuation. The answer is "confirmed", "denied" or "cannot say", with the reason.

A statement about all times is confirmed by its truth at the times that were tried, so "confirmed" is evidence, not
proof; "denied" is always an exact counterexample, except for limits, which are judged by their decay between two late
times.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from math import isqrt, log
from typing import Any

Vector = list[Fraction]
Matrix = list[Vector]
Side = tuple[Vector, Fraction]  # the half-space <n, x> >= c
CONFIRMED, DENIED, UNSURE = "confirmed", "denied", "cannot say"
MANY_BITS = 12000
LATE = (10**4, 10**6 + 1, 2**31 + 5, 10**12)


class Undefined(Exception):
    """A term without a value; its atom is neither true nor false."""


class Unsure(Exception):
    """Something this evaluator cannot do."""


# Linear algebra


def inner(u: Vector, v: Vector) -> Any:
    try:
        return sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))
    except TypeError:  # an entry that is not rational
        result: Any = Fraction(0)
        for a, b in zip(u, v, strict=True):
            result = plus(result, multiply(a, b))
        return result


def times(matrix: Matrix, v: Vector) -> Vector:
    return [inner(row, v) for row in matrix]


def symmetric(matrix: Matrix) -> bool:
    return all(matrix[i][j] == matrix[j][i] for i in range(len(matrix)) for j in range(i))


def definite(matrix: Matrix, strict: bool) -> bool:
    """Whether a matrix is symmetric and positive (semi)definite, by elimination with diagonal pivots."""
    if not symmetric(matrix):
        return False
    rest = [list(row) for row in matrix]
    while rest:
        k = next((k for k in range(len(rest)) if rest[k][k] != 0), None)
        if k is None:
            return not strict and all(a == 0 for row in rest for a in row)
        pivot, row = rest[k][k], rest[k]
        if pivot < 0:
            return False
        rest = [
            [rest[i][j] - row[i] * row[j] / pivot for j in range(len(rest)) if j != k]
            for i in range(len(rest))
            if i != k
        ]
    return True


def shifted(matrix: Matrix, value: Fraction) -> Matrix:
    """value I - M."""
    return [[(value if i == j else 0) - a for j, a in enumerate(row)] for i, row in enumerate(matrix)]


def minimise(costs: Vector, rows: list[Vector]) -> Fraction | None:
    """The least <costs, w> over w >= 0 with A w = b, each row a line of A and then b; None if there is no such w.

    Two phases of the simplex method with Bland's rule; the programs here are bounded.
    """
    count = len(costs)
    table = [[-a for a in row] if row[-1] < 0 else list(row) for row in rows]
    basis = [count + k for k in range(len(table))]  # an artificial variable for each row; it never enters again
    first = [-sum((row[j] for row in table), Fraction(0)) for j in range(count + 1)]
    second = [*costs, Fraction(0)]
    for phase in (1, 2):
        goal = first if phase == 1 else second
        while (enter := next((j for j in range(count) if goal[j] < 0), None)) is not None:
            ratios = [(row[-1] / row[enter], basis[k], k) for k, row in enumerate(table) if row[enter] > 0]
            if not ratios:
                raise Unsure("an unbounded program")
            pivot(table, (first, second), basis, min(ratios)[2], enter)
        if phase == 1:
            if first[-1] != 0:
                return None
            for k, name in enumerate(basis):  # artificial variables that stay at 0 leave, or their rows are empty
                enter = next((j for j in range(count) if table[k][j] != 0), None)
                if name >= count and enter is not None:
                    pivot(table, (first, second), basis, k, enter)
    return -second[-1]


def pivot(table: list[Vector], goals: tuple[Vector, Vector], basis: list[int], leave: int, enter: int) -> None:
    line = table[leave] = [a / table[leave][enter] for a in table[leave]]
    for row in (*table, *goals):
        if row is not line and row[enter] != 0:
            factor = row[enter]
            row[:] = [a - factor * b for a, b in zip(row, line, strict=True)]
    basis[leave] = enter


def combinations_of(point: Vector, points: list[Vector]) -> list[Vector]:
    """Rows that say: weights of sum 1 on the points give the point."""
    return [[*(p[k] for p in points), point[k]] for k in range(len(point))] + [[Fraction(1)] * (len(points) + 1)]


def in_hull(point: Vector, points: list[Vector]) -> bool:
    return minimise([Fraction(0)] * len(points), combinations_of(point, points)) is not None


def rank(rows: Matrix) -> int:
    rest, found = [list(row) for row in rows], 0
    while rest:
        row = rest.pop()
        k = next((k for k, a in enumerate(row) if a != 0), None)
        if k is None:
            continue
        found += 1
        rest = [[a - other[k] / row[k] * b for a, b in zip(other, row, strict=True)] for other in rest]
    return found


def in_interior(point: Vector, points: list[Vector], relative: bool) -> bool:
    """Whether weights that are all positive give the point: the least of -e with every weight at least e."""
    rows = [[*row[:-1], sum(row[:-1], Fraction(0)), row[-1]] for row in combinations_of(point, points)]
    best = minimise([*[Fraction(0)] * len(points), Fraction(-1)], rows)
    spread = [[a - b for a, b in zip(p, points[0], strict=True)] for p in points]
    return best is not None and best < 0 and (relative or rank(spread) == len(point))


def is_edge(first: Vector, second: Vector, points: list[Vector]) -> bool:
    """Whether the segment is a face: no combination that gives its middle uses a point outside it."""
    if first == second:
        return False
    middle = [(a + b) / 2 for a, b in zip(first, second, strict=True)]
    costs = [Fraction(0 if in_hull(p, [first, second]) else -1) for p in points]
    return minimise(costs, combinations_of(middle, points)) == 0


def cell_inside(points: list[Vector], left: list[Side], right: list[Side]) -> bool:
    """Whether the hull cut by the left half-spaces <n, x> >= c satisfies the right ones."""
    rows = [[Fraction(1)] * len(points) + [Fraction(0)] * len(left) + [Fraction(1)]]
    for k, (normal, offset) in enumerate(left):
        slack = [Fraction(-int(m == k)) for m in range(len(left))]
        rows.append([*(inner(normal, p) for p in points), *slack, offset])
    for normal, offset in right:
        least = minimise([*(inner(normal, p) for p in points), *[Fraction(0)] * len(left)], rows)
        if least is not None and least < offset:
            return False
    return True


def solve(rows: list[Vector]) -> Vector | None:
    """One solution of A x = b, each row a line of A and then b."""
    table, places = [list(row) for row in rows], []
    for k in range(len(rows[0]) - 1):
        line = next((r for r in table[len(places):] if r[k] != 0), None)
        if line is None:
            continue
        table.remove(line)
        line = [a / line[k] for a in line]
        table = [[a - row[k] * b for a, b in zip(row, line, strict=True)] for row in table]
        table.insert(len(places), line)
        places.append(k)
    if any(row[-1] != 0 for row in table[len(places):]):
        return None
    found = [Fraction(0)] * (len(rows[0]) - 1)
    for row, k in zip(table, places, strict=False):
        found[k] = row[-1]
    return found


def least_quadratic(matrix: Matrix, slope: Vector, points: list[Vector]) -> tuple[Fraction, Vector]:
    """The least 1/2 <M u, u> + <w, u> over the hull and a point where it is, by trying every small simplex."""
    best: tuple[Fraction, Vector] | None = None
    distinct = [p for k, p in enumerate(points) if p not in points[:k]]
    for size in range(1, len(slope) + 2):
        for chosen in combinations(distinct, size):
            # weights w and a level m with <M u + slope, x_k> = m for every chosen point
            rows = []
            for x in chosen:
                image = times(matrix, x)
                rows.append([*(inner(image, y) for y in chosen), Fraction(-1), -inner(slope, x)])
            rows.append([*[Fraction(1)] * size, Fraction(0), Fraction(1)])
            found = solve(rows)
            if found is None or any(w < 0 for w in found[:-1]):
                continue
            u = [sum((w * x[k] for w, x in zip(found, chosen, strict=False)), Fraction(0)) for k in range(len(slope))]
            value = inner(times(matrix, u), u) / 2 + inner(slope, u)
            if best is None or value < best[0]:
                best = value, u
    assert best is not None
    return best


# Numbers that are not rational: coefficient * sqrt(square), coefficient * lambda_max(matrix), intervals


class Root:
    def __init__(self, square: Fraction, coefficient: Fraction = Fraction(1)):
        self.square, self.coefficient = square, coefficient


class Eigen:
    def __init__(self, matrix: Matrix, coefficient: Fraction = Fraction(1)):
        self.matrix, self.coefficient = matrix, coefficient


class Span:
    def __init__(self, low: Fraction, high: Fraction):
        self.low, self.high = low, high


def root(square: Fraction) -> Any:
    if square < 0:
        raise Undefined
    p, q = isqrt(square.numerator), isqrt(square.denominator)
    return Fraction(p, q) if p * p == square.numerator and q * q == square.denominator else Root(square)


def span(value: Any, bits: int = 120) -> Span:
    """Rational bounds of any number."""
    if isinstance(value, Span):
        return value
    if isinstance(value, Root):
        low = Fraction(isqrt((value.square.numerator << 2 * bits) // value.square.denominator), 1 << bits)
        ends = [value.coefficient * low, value.coefficient * (low + Fraction(1, 1 << bits))]
        return Span(min(ends), max(ends))
    if isinstance(value, Eigen):
        bound = max(sum(abs(a) for a in row) for row in value.matrix) + 1
        low, high = -bound, bound
        for _ in range(bits):
            middle = (low + high) / 2
            if definite(shifted(value.matrix, middle), strict=False):
                high = middle
            else:
                low = middle
        ends = [value.coefficient * low, value.coefficient * high]
        return Span(min(ends), max(ends))
    return Span(value, value)


def plus(a: Any, b: Any) -> Any:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a + b
    if a == 0 or b == 0:
        return b if a == 0 else a
    s, t = span(a), span(b)
    return Span(s.low + t.low, s.high + t.high)


def scaled(a: Any, factor: Fraction) -> Any:
    if isinstance(a, Fraction):
        return a * factor
    if factor == 0:
        return Fraction(0)
    if isinstance(a, Root):
        return Root(a.square, a.coefficient * factor)
    if isinstance(a, Eigen):
        return Eigen(a.matrix, a.coefficient * factor)
    return Span(min(a.low * factor, a.high * factor), max(a.low * factor, a.high * factor))


def multiply(a: Any, b: Any) -> Any:
    if isinstance(b, Fraction):
        return scaled(a, b)
    if isinstance(a, Fraction):
        return scaled(b, a)
    if isinstance(a, Root) and isinstance(b, Root):
        return scaled(root(a.square * b.square), a.coefficient * b.coefficient)
    s, t = span(a), span(b)
    ends = [p * q for p in (s.low, s.high) for q in (t.low, t.high)]
    return Span(min(ends), max(ends))


def inverse(a: Any) -> Any:
    if isinstance(a, Fraction):
        if a == 0:
            raise Undefined
        return 1 / a
    if isinstance(a, Root):
        return Root(1 / a.square, 1 / a.coefficient)
    s = span(a)
    if s.low <= 0 <= s.high:
        raise Unsure("a divisor that may be 0")
    return Span(1 / s.high, 1 / s.low)


def power(a: Any, exponent: int) -> Any:
    if exponent < 0:
        return inverse(power(a, -exponent))
    if isinstance(a, Fraction):
        if exponent > 10**5 and abs(a) not in (0, 1):
            raise Unsure("a power that is too large")
        return a**exponent
    if isinstance(a, Root):
        even = a.square ** (exponent // 2) * a.coefficient**exponent
        return scaled(Root(a.square), even) if exponent % 2 else even
    result: Any = Fraction(1)
    for _ in range(exponent):
        result = multiply(result, a)
    return result


def sign(value: Any) -> int | None:
    """The sign of a number, or None if its bounds do not say."""
    if isinstance(value, Fraction):
        return (value > 0) - (value < 0)
    if isinstance(value, Root):
        return (value.coefficient > 0) - (value.coefficient < 0) if value.square else 0
    if isinstance(value, Eigen):
        if definite([[-a for a in row] for row in value.matrix], strict=True):
            s = -1
        else:
            s = 0 if definite([[-a for a in row] for row in value.matrix], strict=False) else 1
        return s if value.coefficient > 0 else -s
    if value.low == value.high == 0:
        return 0
    return 1 if value.low > 0 else -1 if value.high < 0 else None


def compare(a: Any, b: Any) -> int | None:
    """The sign of a - b."""
    if isinstance(a, Fraction) and isinstance(b, Root | Eigen):
        other = compare(b, a)
        return None if other is None else -other
    if isinstance(b, Fraction) and isinstance(a, Eigen):
        level = b / a.coefficient
        if definite(shifted(a.matrix, level), strict=True):
            s = -1
        else:
            s = 0 if definite(shifted(a.matrix, level), strict=False) else 1
        return s if a.coefficient > 0 else -s
    if isinstance(a, Root) and isinstance(b, Fraction | Root):
        left = a.coefficient * abs(a.coefficient) * a.square
        right = b * abs(b) if isinstance(b, Fraction) else b.coefficient * abs(b.coefficient) * b.square
        return (left > right) - (left < right)
    if isinstance(a, Eigen) and isinstance(b, Eigen) and a.matrix == b.matrix:
        return sign(Eigen(a.matrix, a.coefficient - b.coefficient)) if a.coefficient != b.coefficient else 0
    return sign(plus(a, scaled(b, Fraction(-1))))


# The instance


def exact(data: Any) -> Any:
    return [exact(entry) for entry in data] if isinstance(data, list) else Fraction(data)


def expression(tree: Any, t: int) -> Fraction:
    head = tree[0]
    if head == "num":
        return Fraction(tree[1])
    if head == "var":
        return Fraction(t)
    if head == "neg":
        return -expression(tree[1], t)
    a, b = expression(tree[1], t), expression(tree[2], t)
    if head == "pow":
        value = power(a, int(b))
        assert isinstance(value, Fraction)
        return value
    if head == "div":
        if b == 0:
            raise Undefined
        return a / b
    return a + b if head == "add" else a - b if head == "sub" else a * b


def is_expression(data: Any) -> bool:
    return isinstance(data, list) and bool(data) and isinstance(data[0], str) and data[0].isalpha()


class Sequence:
    """Timed data: a constant, a list whose last entry repeats, a cycle, an expression in t, a scaled matrix."""

    def __init__(self, data: Any):
        self.kind = "constant"
        if isinstance(data, dict):
            self.kind = next(iter(data)) if len(data) == 1 else "scale"
            if self.kind == "scale":
                self.scale, self.entries = data["scale"], [exact(data["matrix"])]
            else:
                self.entries = [exact(entry) for entry in data[self.kind]]
        elif is_expression(data):
            self.kind, self.scale, self.entries = "expression", data, []
        else:
            self.entries = [exact(data)]
        self.cache: dict[int, Any] = {}

    def samples(self, t: int) -> list[int]:
        """Times from t on, late ones too unless powers would grow too long."""
        powers = self.kind in ("expression", "scale") and "pow" in str(self.scale)
        return [*range(t, t + 30), *(() if powers else LATE)]

    def __call__(self, t: int) -> Any:
        if self.kind == "list":
            return self.entries[min(t, len(self.entries) - 1)]
        if self.kind == "cycle":
            return self.entries[t % len(self.entries)]
        if self.kind == "constant":
            return self.entries[0]
        if t not in self.cache:
            factor = expression(self.scale, t)
            self.cache[t] = factor if self.kind == "expression" else [[factor * a for a in r] for r in self.entries[0]]
        return self.cache[t]


class World:
    """One trajectory: the data, the stated selection, and a way to break the ties that it leaves open."""

    def __init__(self, certificate: dict[str, Any], seed: int | None, limit: int = 3000):
        self.claim, self.system = certificate["claim"]["tree"], certificate["claim"]["system"]
        data = certificate["instance"]
        self.policy = self.claim[4][1]
        self.stated = {(t, i): weights for t, i, weights in certificate["plans"].get("selection", [])}
        self.random = None if seed is None else random.Random(seed)
        self.limit = limit
        self.atoms = 0
        self.open_ties = 0
        self.open_box = certificate.get("open box", False)
        self.doubt = False  # something could not be evaluated, rather than being undefined
        self.names: dict[int, frozenset[str]] = {}
        self.definitions = {d[0]: d for d in self.claim[6]}
        self.fixed: dict[str, Any] = {g[0]: exact(data[g[0]]) for g in self.claim[5]}
        self.timed: dict[str, Sequence] = {}
        self.states: list[list[Vector]] = []
        self.form: tuple[int, list[Vector], list[Vector]] | None = None
        self.products: dict[int, Fraction] = {}
        self.hardmax = False
        self.memory: dict[Any, Any] = {}
        if self.system is not None:
            for name, _, kind in self.system[2]:
                if kind == "fixed":
                    self.fixed[name] = exact(data[name])
                else:
                    self.timed[name] = Sequence(data[name])
            self.states = [exact(data["x"])]
            self.hardmax = self.looks_like_hardmax()
        # Without tokens the dimension is that of the first given that has one.
        shapes = [v for v in self.fixed.values() if isinstance(v, list) and v]
        rows = self.states[0] if self.states else shapes[0] if shapes else []
        self.dimension = len(rows[0]) if rows and isinstance(rows[0], list) else len(rows)

    def looks_like_hardmax(self) -> bool:
        x, y, b, g = ["at", "x", ["var", "i"]], ["at", "x", ["var", "j"]], ["at", "B", ["var", "t"]], None
        g = ["at", "g", ["var", "t"]]
        leaders = ["argmax", ["j"], ["inner", ["mul", b, x], y]]
        return bool(
            self.system[3] == ["add", ["mul", ["sub", ["num", "1"], g], x], ["mul", g, ["pick", leaders]]]
        )

    # Trajectory

    def state(self, t: int) -> list[Vector]:
        if t < 0 or not self.states:
            raise Undefined
        if self.form is None or t < self.form[0]:
            while len(self.states) <= t and self.form is None:
                self.advance()
        if t < len(self.states):
            return self.states[t]
        assert self.form is not None
        start, targets, begin = self.form
        c = self.contraction(start, t)
        return [
            [v + c * (a - v) for v, a in zip(target, point, strict=True)]
            for target, point in zip(targets, begin, strict=True)
        ]

    def advance(self) -> None:
        t = len(self.states) - 1
        if self.hardmax and (t < 8 or t % 16 == 0):
            self.form = self.closed_form(t)
            if self.form:
                return
        if t >= self.limit:
            raise Unsure(f"no closed form by t = {self.limit}")
        self.states.append([self.step(t, i) for i in range(len(self.states[0]))])
        if max(a.denominator.bit_length() for point in self.states[-1] for a in point) > MANY_BITS:
            raise Unsure("numbers that are too long")

    def step(self, t: int, i: int) -> Vector:
        value = evaluate(self, self.system[3], {"i": i, "t": t, "*": t})
        if isinstance(value, Fraction):
            return [Fraction(0)] * self.dimension
        assert isinstance(value, list)
        return value

    def pick(self, leaders: list[int], t: int, i: int) -> Vector:
        points = [self.states[t][j] for j in leaders]
        if not points:
            raise Undefined
        distinct = [p for k, p in enumerate(points) if p not in points[:k]]
        weights: list[Side]
        if self.policy == "average-indices":
            weights = [(p, Fraction(1, len(points))) for p in points]
        elif self.policy == "average-points" or len(distinct) == 1:
            weights = [(p, Fraction(1, len(distinct))) for p in distinct]
        elif (t, i) in self.stated:
            entry = self.stated[t, i]
            if any(j not in leaders for j, _ in entry):
                raise Unsure("a selection that is not on leaders")
            weights = [(self.states[t][j], Fraction(w)) for j, w in entry]
        elif self.random is None:
            raise Undefined
        else:
            self.open_ties += 1
            if self.random.random() < 0.7:
                weights = [(self.random.choice(distinct), Fraction(1))]
            else:
                weights = [(p, Fraction(1, len(distinct))) for p in distinct]
        return [sum((w * p[k] for p, w in weights), Fraction(0)) for k in range(self.dimension)]

    def closed_form(self, t: int) -> tuple[int, list[Vector], list[Vector]] | None:
        """From t on every token moves to a fixed point, if each has one leader point, the leaders rest, and

        <M x_i(c), v_i - x_j(c)> > 0 on 0 < c <= 1 for every token j elsewhere; B is a positive multiple of M.
        """
        begin = self.states[t]
        if all(p == begin[0] for p in begin):
            return t, begin, begin
        matrix, g = self.timed["B"], self.timed["g"]
        if matrix.kind == "scale":
            if any(expression(matrix.scale, s) <= 0 for s in matrix.samples(t)):
                return None
            base = matrix.entries[0]
        elif matrix.kind == "constant" or (matrix.kind == "list" and t >= len(matrix.entries) - 1):
            base = matrix(t)
        else:
            return None
        if any(g(s) >= 1 for s in g.samples(t)):
            return None
        targets = []
        for point in begin:
            scores = [inner(times(base, point), other) for other in begin]
            leaders = [other for other, score in zip(begin, scores, strict=True) if score == max(scores)]
            if any(other != leaders[0] for other in leaders):
                return None
            targets.append(leaders[0])
        for point, target in zip(begin, targets, strict=True):
            if target in begin and targets[begin.index(target)] != target:
                return None
            for other, aim in zip(begin, targets, strict=True):
                if other == target:
                    continue
                values = []
                for c in (Fraction(0), Fraction(1, 2), Fraction(1)):
                    x = [v + c * (a - v) for v, a in zip(target, point, strict=True)]
                    y = [v + c * (a - v) for v, a in zip(aim, other, strict=True)]
                    values.append(inner(times(base, x), [p - q for p, q in zip(target, y, strict=True)]))
                if not positive_between(*values):
                    return None
        return t, targets, begin

    def contraction(self, start: int, t: int) -> Fraction:
        """The product of 1 - g over start <= s < t."""
        g = self.timed["g"]
        if self.form and self.form[1] == self.form[2]:
            return Fraction(1)
        if t - start > self.limit:
            if g.kind == "constant" and t - start <= 10**5:
                return (1 - g(0)) ** (t - start)
            slope = self.harmonic(g)
            if slope is None:
                raise Unsure("no closed form of the step sizes")
            k, m = slope
            value = Fraction(1)
            for r in range(m - k, m):
                value *= Fraction(start + r, t + r)
            return value
        if not self.products:
            self.products[start] = Fraction(1)
        last = max(self.products)
        while last < t:
            self.products[last + 1] = self.products[last] * (1 - g(last))
            last += 1
            if self.products[last].denominator.bit_length() > MANY_BITS:
                raise Unsure("numbers that are too long")
        return self.products[t]

    def harmonic(self, g: Sequence) -> tuple[int, int] | None:
        """(k, m) if g = k/(t + m)."""
        if g.kind != "expression" or "pow" in str(g.scale) or g(1) == g(2) or 0 in (g(1), g(2)):
            return None
        k = 1 / (1 / g(2) - 1 / g(1))
        m = k / g(1) - 1
        if k.denominator != 1 or m.denominator != 1 or not 0 < k < 50:
            return None
        same = all(g(s) == k / (s + m) for s in [*range(1, 40), *LATE])
        return (int(k), int(m)) if same else None


def positive_between(zero: Fraction, half: Fraction, one: Fraction) -> bool:
    """Whether the quadratic with these values at 0, 1/2, 1 is positive on 0 < c <= 1."""
    if zero < 0 or one <= 0:
        return False
    d = 2 * (zero - 2 * half + one)
    b = one - zero - d
    if d > 0 and 0 < -b < 2 * d:
        return 4 * d * zero - b * b > 0
    return zero > 0 or half > 0


# Terms

FOLDS = {"sum", "prod", "mean", "least", "greatest"}
ATOMS = {"le", "lt", "ge", "gt", "eq", "ne", "in", "subset", "psd", "pd", "edge", "box", "tends", "bigO", "geometric"}


def body(world: World, t: int) -> list[Vector]:
    state = world.state(t)
    return [p for k, p in enumerate(state) if p not in state[:k]]


def choices(world: World, binder: list[Any], env: dict[str, Any], horizon: int) -> Iterator[Any]:
    """The values of a bound name; an unbounded time goes up to the horizon."""
    name = binder[0]
    if binder[1:] == ["share"]:  # a sample of the numbers of (0, 1]
        yield from (Fraction(k, 40) for k in (1, 2, 5, 13, 20, 31, 39, 40))
        return
    if name[0] in "rst":
        low, high = 0, horizon
        if len(binder) > 1:
            bounds = [whole(world, b, env) for b in binder[2:]]
            if binder[1] == "ge":
                low = max(bounds[0], 0)
                high = max(horizon, low + 20)
            elif binder[1] == "le":
                high = bounds[0]
            else:
                low, high = bounds
        if high - low > 20000:
            raise Unsure("a long range")
        yield from range(low, high + 1)
    elif len(binder) > 1:
        yield from evaluate(world, binder[2], env)
    else:
        yield from range(len(world.states[0]) if world.states else 0)


def whole(world: World, tree: Any, env: dict[str, Any]) -> int:
    value = evaluate(world, tree, env)
    if isinstance(value, int):
        return value
    assert value.denominator == 1
    return int(value)


def bounded(binder: list[Any]) -> bool:
    return binder[0][0] not in "rst" or (len(binder) > 1 and binder[1] != "ge")


def evaluate(world: World, tree: Any, env: dict[str, Any]) -> Any:
    """Numbers as Fraction (or Root, Eigen, Span), vectors and matrices as lists, tokens as int, sets as lists."""
    head = tree[0]
    if head == "num":
        return Fraction(tree[1])
    if head == "var":
        value = env[tree[1]]
        return Fraction(value) if tree[1][0] in "rst" else value
    if head == "at":
        name = tree[1]
        if name == "x" and "*" in env:
            return world.states[env["*"]][evaluate(world, tree[2], env)]
        if name == "x" and len(tree) == 3:
            return ("cloud", whole(world, tree[2], env))
        if name == "x":
            token, t = evaluate(world, tree[2], env), whole(world, tree[3], env)
            return world.state(t)[token]
        if name in world.fixed:
            return world.fixed[name]
        t = whole(world, tree[2], env)
        if t < 0:
            raise Undefined
        return world.timed[name](t)
    if head == "use":
        return evaluate(world, world.definitions[tree[1]][3], applied(world, tree, env))
    if head in ("tokens", "token_count"):
        count = len(world.states[0]) if world.states else 0
        return list(range(count)) if head == "tokens" else Fraction(count)
    if head == "dimension":
        return Fraction(world.dimension)
    if head == "identity":
        return [[Fraction(int(i == j)) for j in range(world.dimension)] for i in range(world.dimension)]
    if head == "hull":
        value = evaluate(world, tree[1], env)
        return world.state(value[1]) if isinstance(value, tuple) else value
    if head in ("interior", "relint", "cell", "voronoi", "point"):
        return region(world, head, [evaluate(world, argument, env) for argument in tree[1:]])
    if head == "pick":
        return world.pick(evaluate(world, tree[1], env), env["t"], env["i"])
    if head in ("argmax", "argmin", "set"):
        return token_set(world, tree, env)
    if head in FOLDS:
        return fold(world, tree, env)
    values = [evaluate(world, argument, env) for argument in tree[1:]]
    return operate(world, head, values)


def applied(world: World, tree: Any, env: dict[str, Any]) -> dict[str, Any]:
    """The indices and arguments inside a definition."""
    _, names, arguments, _ = world.definitions[tree[1]]
    inside: dict[str, Any] = {}
    for name, index in zip(names, tree[2], strict=True):
        if name[0] in "rst":
            inside[name] = whole(world, index, env)
            if inside[name] < 0:
                raise Undefined
        else:
            inside[name] = evaluate(world, index, env)
    for name, argument in zip(arguments, tree[3], strict=True):
        inside[name] = as_vector(world, evaluate(world, argument, env))
    return inside


class Region:
    """A part of a hull: its interior, its relative interior, or a cell cut by half-spaces <n, x> >= c."""

    def __init__(self, kind: str, points: list[Vector], sides: list[Side]):
        self.kind, self.points, self.sides = kind, points, sides


def region(world: World, head: str, values: list[Any]) -> Region:
    if head in ("interior", "relint"):
        return Region(head, values[0], [])
    if head == "point":
        vertex, points = as_vector(world, values[0]), values[1]
        axes = [[Fraction(int(j == k)) for j in range(len(vertex))] for k in range(len(vertex))]
        both = [(axis, entry) for axis, entry in zip(axes, vertex, strict=True)]
        return Region("cell", points, both + [([-a for a in axis], -entry) for axis, entry in both])
    matrix, vertex, points = values[0], as_vector(world, values[1]), values[2]
    matrix = matrix if kind(matrix) else [[Fraction(0)] * len(vertex) for _ in vertex]
    flipped = [list(column) for column in zip(*matrix, strict=True)]
    sides = []
    for x in points:
        gap = [a - b for a, b in zip(vertex, x, strict=True)]
        if head == "cell":  # <B u, v> >= <B u, x>
            sides.append((times(flipped, gap), Fraction(0)))
        else:  # <B (u - v), u - v> <= <B (u - x), u - x>
            normal = [a + b for a, b in zip(times(matrix, gap), times(flipped, gap), strict=True)]
            sides.append((normal, inner(times(matrix, vertex), vertex) - inner(times(matrix, x), x)))
    return Region("cell", points, sides)


def region_atom(world: World, head: str, left: Any, right: Region) -> bool:
    if head == "in":
        point = as_vector(world, left)
        if right.kind != "cell":
            return in_interior(point, right.points, right.kind == "relint")
        return all(inner(n, point) >= c for n, c in right.sides) and inside(world, point, right.points)
    if left.kind != "cell" or right.kind != "cell" or left.points != right.points:
        raise Unsure("regions that are not cells of one hull")
    forth = cell_inside(left.points, left.sides, right.sides)
    if head == "subset":
        return forth
    return (forth and cell_inside(left.points, right.sides, left.sides)) == (head == "eq")


def words(world: World, head: str, values: list[Any]) -> Any:
    """Words about polytopes that are terms."""
    points = values[-1]
    if isinstance(points, tuple):
        points = world.state(points[1])
    if head == "vertices":
        others = [[q for q in points if q != p] for p in points]
        return [k for k, p in enumerate(points) if p not in points[:k] and not (others[k] and in_hull(p, others[k]))]
    if head in ("lmo", "support"):
        scores = [inner(as_vector(world, values[0]), p) for p in points]
        return max(scores) if head == "support" else [k for k, score in enumerate(scores) if score == min(scores)]
    matrix = values[0] if head == "min_over" else values[1]
    matrix = matrix if kind(matrix) else [[Fraction(0)] * world.dimension for _ in range(world.dimension)]
    if not definite(matrix, strict=head == "nearest"):
        raise Undefined
    if head == "min_over":
        return least_quadratic(matrix, as_vector(world, values[1]), points)[0]
    slope = [-a for a in times(matrix, as_vector(world, values[0]))]
    return least_quadratic(matrix, slope, points)[1]


def token_set(world: World, tree: Any, env: dict[str, Any]) -> list[int]:
    tokens = list(choices(world, tree[1], env, 0))
    name = tree[1][0]
    if tree[0] == "set":
        members = []
        for j in tokens:
            counted = world.atoms
            answer = truth(world, tree[2], {**env, name: j}, 0)
            world.atoms = counted
            if answer is None:
                raise Undefined
            if answer:
                members.append(j)
        return members
    if not tokens:
        raise Undefined
    scores = [evaluate(world, tree[2], {**env, name: j}) for j in tokens]
    best = extreme(scores, largest=tree[0] == "argmax")
    return [j for j, score in zip(tokens, scores, strict=True) if decided(compare(score, best)) == 0]


def decided(comparison: int | None) -> int:
    if comparison is None:
        raise Unsure("bounds that overlap")
    return comparison


def extreme(values: list[Any], largest: bool) -> Any:
    best = values[0]
    for value in values[1:]:
        order = decided(compare(value, best))
        if (order > 0) if largest else (order < 0):
            best = value
    return best


def eigenvalue(world: World, matrix: Matrix) -> Any:
    """The largest eigenvalue, as a rational number if it is a simple one."""
    key = ("eigenvalue", str(matrix))
    if key not in world.memory:
        bounds = span(Eigen(matrix), 60)
        guess = ((bounds.low + bounds.high) / 2).limit_denominator(10**5)
        gap = shifted(matrix, guess)
        world.memory[key] = guess if definite(gap, False) and not definite(gap, True) else Eigen(matrix)
    return world.memory[key]


def fold(world: World, tree: Any, env: dict[str, Any]) -> Any:
    name = tree[1][0]
    values = [evaluate(world, tree[2], {**env, name: v}) for v in choices(world, tree[1], env, 0)]
    if tree[0] in ("least", "greatest"):
        if not values:
            raise Undefined
        return extreme(values, largest=tree[0] == "greatest")
    if tree[0] == "prod":
        result: Any = Fraction(1)
        for value in values:
            result = operate(world, "mul", [result, value])
        return result
    if not values:
        if tree[0] == "mean":
            raise Undefined
        return Fraction(0)
    total = values[0]
    for value in values[1:]:
        total = operate(world, "add", [total, value])
    return total if tree[0] == "sum" else operate(world, "div", [total, Fraction(len(values))])


def kind(value: Any) -> int:
    """0 for a number, 1 for a vector, 2 for a matrix."""
    if not isinstance(value, list):
        return 0
    return 2 if value and isinstance(value[0], list) else 1


def as_vector(world: World, value: Any) -> Any:
    return [Fraction(0)] * world.dimension if value == 0 and not isinstance(value, list) else value


def operate(world: World, head: str, values: list[Any]) -> Any:
    a = values[0]
    if head in ("vertices", "lmo", "support", "min_over", "nearest"):
        key = (head, str(values), str(world.state(values[-1][1])) if isinstance(values[-1], tuple) else "")
        if key not in world.memory:
            world.memory[key] = words(world, head, values)
        return world.memory[key]
    if head in ("add", "sub"):
        b = values[1] if head == "add" else operate(world, "neg", [values[1]])
        if kind(a) != kind(b):  # the literal 0 for a vector or matrix
            return b if kind(a) == 0 else a
        if kind(a) == 0:
            return plus(a, b)
        return [operate(world, "add", [p, q]) for p, q in zip(a, b, strict=True)]
    if head == "neg":
        return [operate(world, "neg", [p]) for p in a] if kind(a) else scaled(a, Fraction(-1))
    if head == "mul":
        b = values[1]
        if kind(a) == 0:
            return [operate(world, "mul", [a, q]) for q in b] if kind(b) else multiply(a, b)
        if kind(b) == 0:
            return [operate(world, "mul", [p, b]) for p in a]
        if kind(b) == 1:
            return times(a, b)
        columns = [list(column) for column in zip(*b, strict=True)]
        return [[inner(row, column) for column in columns] for row in a]
    if head == "div":
        return operate(world, "mul", [a, inverse(values[1])])
    if head == "pow":
        return power(a, int(values[1]))
    if head == "inner":
        u, v = as_vector(world, a), as_vector(world, values[1])
        return inner(u, v)
    if head == "norm":
        a = as_vector(world, a)
        return root(inner(a, a))
    if head == "sqrt":
        if isinstance(a, Fraction):
            return root(a)
        s = span(a)
        if s.low < 0:
            raise Unsure("a root of what may be negative")
        return Span(span(root(s.low)).low, span(root(s.high)).high)
    if head == "abs":
        s = sign(a)
        if s is None:
            raise Unsure("an absolute value of unknown sign")
        return a if s >= 0 else scaled(a, Fraction(-1))
    if head in ("min", "max"):
        return extreme(values, largest=head == "max")
    if head == "transpose":
        return [list(column) for column in zip(*a, strict=True)]
    if head == "trace":
        return sum((a[k][k] for k in range(len(a))), Fraction(0))
    if head == "lambda_max":
        if not symmetric(a):
            raise Undefined
        return eigenvalue(world, a)
    if head == "diam":
        pairs = [inner(d, d) for d in ([p - q for p, q in zip(u, v, strict=True)] for u, v in product(a, a))]
        return root(max(pairs))
    if head == "card":
        return Fraction(len(a))
    raise Unsure(f"the operator {head}")


# Formulas


def truth(world: World, tree: Any, env: dict[str, Any], horizon: int) -> bool | None:
    """Kleene's truth, a quantifier over unbounded time being taken up to the horizon."""
    head = tree[0]
    if head in ATOMS:
        world.atoms += 1
        try:
            return remembered(world, tree, env, horizon)
        except Undefined:
            return None
        except Unsure:
            world.doubt = True
            return None
    if head == "use":
        try:
            inside = applied(world, tree, env)
        except Undefined:
            return None
        return truth(world, world.definitions[tree[1]][3], inside, 0)
    if head == "not":
        value = truth(world, tree[1], env, horizon)
        return None if value is None else not value
    if head in ("forall", "exists"):
        wanted = head == "forall"
        answer: bool | None = wanted
        for inside in assignments(world, tree[1], env, horizon):
            value = truth(world, tree[2], inside, horizon)
            if value is (not wanted):
                return value
            answer = None if value is None else answer
        return answer
    if head in ("and", "or"):
        stop = head == "or"
        first = truth(world, tree[1], env, horizon)
        if first is stop:
            return stop
        second = truth(world, tree[2], env, horizon)
        return stop if second is stop else None if None in (first, second) else not stop
    if head == "implies":
        first = truth(world, tree[1], env, horizon)
        if first is False:
            return True
        second = truth(world, tree[2], env, horizon)
        return True if second is True else None if None in (first, second) else False
    if head == "iff":
        first, second = truth(world, tree[1], env, horizon), truth(world, tree[2], env, horizon)
        return None if None in (first, second) else first is second
    raise Unsure(f"the word {head}")


def free(world: World, tree: Any) -> frozenset[str]:
    """The variables in a tree, bound or not."""
    if not isinstance(tree, list):
        return frozenset()
    if id(tree) not in world.names:
        own = frozenset({tree[1]}) if tree[:1] == ["var"] else frozenset()
        world.names[id(tree)] = own.union(*(free(world, part) for part in tree))
    return world.names[id(tree)]


def remembered(world: World, tree: Any, env: dict[str, Any], horizon: int) -> bool | None:
    """An atom, evaluated once for each value of its variables."""
    values = [(name, env[name]) for name in sorted(free(world, tree)) if name in env]
    if "*" in env or any(not isinstance(value, int) for _, value in values):
        return atom(world, tree, env)
    key = (id(tree), tuple(values))
    if key not in world.memory:
        world.memory[key] = atom(world, tree, env)
    return world.memory[key]  # type: ignore[no-any-return]


def assignments(world: World, binders: list[Any], env: dict[str, Any], horizon: int) -> Iterator[dict[str, Any]]:
    if not binders:
        yield env
        return
    for value in choices(world, binders[0], env, horizon):
        yield from assignments(world, binders[1:], {**env, binders[0][0]: value}, horizon)


def atom(world: World, tree: Any, env: dict[str, Any]) -> bool | None:
    head = tree[0]
    if head in ("tends", "bigO", "geometric"):
        return limit(world, tree, env)
    if head == "box":
        if tree[1] != ["at", "x", ["num", "0"]]:
            raise Unsure("a box at another time")
        return world.open_box
    if head in ("psd", "pd"):
        matrix = evaluate(world, tree[1], env)
        if not isinstance(matrix, list):  # the literal 0
            return head == "psd"
        key = (head, str(matrix))
        if key not in world.memory:
            world.memory[key] = definite(matrix, strict=head == "pd")
        return bool(world.memory[key])
    a, b = evaluate(world, tree[1], env), evaluate(world, tree[2], env)
    if head == "edge":
        points = evaluate(world, tree[3], env)
        ends = as_vector(world, a), as_vector(world, b)
        if any(end not in points for end in ends):
            raise Undefined
        return is_edge(*ends, points)
    if isinstance(b, Region):
        return region_atom(world, head, a, b)
    if head == "in" and isinstance(a, int):
        return a in b
    if head == "in":
        return inside(world, as_vector(world, a), b)
    if head == "subset":
        return all(inside(world, p, b) for p in a)
    if head in ("eq", "ne") and (kind(a) or kind(b) or isinstance(a, int)):
        if kind(a) != kind(b):
            full = a if kind(a) else b
            same = all(v == 0 for row in full for v in (row if isinstance(row, list) else [row]))
        else:
            same = a == b
        return same == (head == "eq")
    order = decided(compare(a, b))
    return {
        "le": order <= 0, "lt": order < 0, "ge": order >= 0, "gt": order > 0, "eq": order == 0, "ne": order != 0
    }[head]  # fmt: skip


def inside(world: World, point: Vector, points: list[Vector]) -> bool:
    if point in points:
        return True
    key = ("hull", str(point), str(points))
    if key not in world.memory:
        world.memory[key] = in_hull(point, points)
    return bool(world.memory[key])


def size(value: Any) -> Any:
    """The absolute value of a number, the squared length of a vector."""
    if kind(value) == 2:
        raise Unsure("the limit of a matrix")
    if kind(value) == 1:
        return inner(value, value)
    if isinstance(value, Fraction):
        return abs(value)
    s = span(value)
    if s.low <= 0 <= s.high:
        raise Unsure("bounds that contain 0")
    return max(abs(s.low), abs(s.high))


def limit(world: World, tree: Any, env: dict[str, Any]) -> bool | None:
    """Limits, judged by the slope of log|a| against log t (and against t) between late times, class by class."""
    name = tree[1]

    def value(part: Any, t: int) -> Fraction:
        result = size(evaluate(world, part, {**env, name: t}))
        assert isinstance(result, Fraction)
        return result

    term = ["sub", tree[2], tree[3]] if tree[0] == "tends" else tree[2]
    for start in (10**9, 250, 60):
        try:
            for r in range(12):
                moments = [start + r, 2 * start + r + start % 2, 4 * start + r]
                moments = [t + (r - t) % 12 for t in moments]  # one residue class of 2, 3, 4, 6, 12
                ends = [value(term, t) for t in moments]
                scales = [value(tree[3], t) for t in moments] if tree[0] == "bigO" else [Fraction(1)] * 3
                answer = settle(tree[0], ends, scales)
                if answer is not True:
                    return answer
            return True
        except Unsure:
            continue
    raise Unsure("a limit without a closed form")


def logarithm(value: Fraction) -> float:
    return log(value.numerator) - log(value.denominator)


def settle(head: str, ends: list[Fraction], scales: list[Fraction]) -> bool | None:
    """Judge a limit by three values, each at twice the time of the one before."""
    if not any(ends):
        return True
    if 0 in ends or 0 in scales:
        return None
    ratios = [logarithm(a / b) for a, b in zip(ends, scales, strict=True)]
    early, late = ratios[1] - ratios[0], ratios[2] - ratios[1]
    if head == "geometric":  # a power of t falls as much in each doubling, a geometric sequence twice as much
        if early < -1e-6 and late < 1.6 * early:
            return True
        return False if late > 1.4 * early or late > -0.2 else None
    slope = late / log(2)
    if head == "bigO":
        return True if slope < 0.05 else False if slope > 0.2 else None
    return True if slope < -0.2 else False if slope > -0.05 else None


# Lines and verdicts

Answer = tuple[str, str]


def unbounded(tree: Any) -> list[Any] | None:
    """The unbounded time binder of a quantifier, if it has one."""
    if tree[0] not in ("forall", "exists"):
        return None
    return next((b for b in tree[1] if not bounded(b)), None)


def without(world: World, where: str) -> Answer:
    """What a missing truth value means: something too hard for this evaluator, or a statement that is undefined."""
    return (UNSURE, f"too hard {where}") if world.doubt else (DENIED, f"undefined {where}")


def lowest(world: World, tree: Any) -> int:
    binder = unbounded(tree)
    assert binder is not None
    return max(0, whole(world, binder[2], {})) if binder[1:] else 0


def at_time(world: World, tree: Any, t: int, horizon: int) -> Iterator[tuple[dict[str, Any], bool | None]]:
    """The truth of a quantifier's body at one time, the other binders from left to right."""
    binder = unbounded(tree)
    assert binder is not None
    for env in assignments(world, [b for b in tree[1] if b is not binder], {binder[0]: t}, 0):
        world.doubt = False
        yield env, truth(world, tree[2], env, min(horizon, 60))


def trial_times(world: World, tree: Any, last: int | None, horizon: int) -> list[int]:
    """The times at which a statement about all times up to `last` (None: for ever) is tried."""
    low = lowest(world, tree)
    top = low + horizon if last is None else min(last, low + horizon)
    result = set(range(low, top + 1))
    for t in LATE:
        result.update(s for s in range(t, t + 3) if s >= low and (last is None or s <= last))
    if last is not None and last > top:
        result.update(range(max(top + 1, last - 5), last + 1))
    return sorted(result)


def true_until(world: World, tree: Any, last: int | None, horizon: int) -> Answer:
    """Whether a line is true to `last`, as far as it can be tried."""
    if tree[0] == "forall" and unbounded(tree) is not None:
        early = lowest(world, tree) + min(horizon, 40)
        for t in trial_times(world, tree, last, horizon):
            try:
                for env, value in at_time(world, tree, t, horizon):
                    if value is False:
                        return DENIED, f"false at {env}"
                    if value is None and (t <= early or not world.doubt):
                        return without(world, f"at {env}")
            except Unsure as error:
                if t <= early:
                    return UNSURE, f"at {t}: {error}"
        return CONFIRMED, "true wherever it was tried"
    value = plain(world, tree, horizon)
    return without(world, "") if value is None else (CONFIRMED, "true") if value else (DENIED, "false")


def plain(world: World, tree: Any, horizon: int) -> bool | None:
    world.doubt = False
    return truth(world, tree, {}, min(horizon, 100))


def false_line(world: World, tree: Any, line: dict[str, Any], horizon: int) -> Answer:
    """Whether a line is false, at the time it says if it says one."""
    if "t" in line:
        if tree[0] != "forall" or unbounded(tree) is None:
            return DENIED, "a line without time that fails at a time"
        t, doubt = int(line["t"]), False
        for _, value in at_time(world, tree, t, horizon):
            if value is False:
                return CONFIRMED, f"false at {t}"
            doubt = doubt or world.doubt
        return (UNSURE, f"too hard at {t}") if doubt else (DENIED, f"not false at {t}")
    value = plain(world, tree, horizon)
    return without(world, "") if value is None else (DENIED, "true") if value else (CONFIRMED, "false")


def cases(world: World, tree: Any, t: int | None, horizon: int) -> Iterator[tuple[dict[str, Any], bool | None]]:
    if t is not None:
        yield from at_time(world, tree, t, horizon)
        return
    for env in assignments(world, tree[1], {}, min(horizon, 60)):
        world.doubt = False
        yield env, truth(world, tree[2], env, min(horizon, 60))


def first_failure(world: World, tree: Any, verdict: dict[str, Any], horizon: int) -> Answer:
    """Whether everything before the stated failure is true."""
    if tree[0] != "forall":
        return CONFIRMED, "nothing comes before"
    t = int(verdict["t"]) if "t" in verdict else None
    earlier: set[int] = set()
    if t is not None:
        low = lowest(world, tree)
        if t - low <= 3000:
            earlier.update(range(low, t))
        else:
            earlier.update(range(low, low + horizon), range(t - 20, t), (s for s in LATE if low < s < t))
            earlier.update(low + (t - low) * k // 64 for k in range(64))
    for s in sorted(earlier):
        for env, value in at_time(world, tree, s, 0):
            if value is False:
                return DENIED, f"it fails before, at {env}"
            if value is None:
                return without(world, f"before, at {env}")
    for env, value in cases(world, tree, t, horizon):
        if value is None:
            return without(world, f"before, at {env}")
        if value is False:
            token = next((env[b[0]] for b in tree[1] if b[0][0] in "ijkl"), None)
            if token is not None and token != verdict.get("i"):
                return DENIED, f"it fails first at {env}"
            return CONFIRMED, "nothing fails before"
    return DENIED, "it does not fail there"


def failing_token(world: World, tree: Any, verdict: dict[str, Any], horizon: int) -> Answer:
    """Whether the assertion fails for the token (and time) that the verdict names."""
    name = next((b[0] for b in tree[1] if b[0][0] in "ijkl"), None) if tree[0] == "forall" else None
    if name is None:
        return (CONFIRMED, "no token") if "i" not in verdict else (DENIED, "a token that is not bound")
    doubt = False
    for env, value in cases(world, tree, int(verdict["t"]) if "t" in verdict else None, horizon):
        if env[name] == verdict.get("i"):
            if value is False:
                return CONFIRMED, "the named token fails"
            doubt = doubt or world.doubt
    return (UNSURE, "too hard for the named token") if doubt else (DENIED, "true for the named token")


def empty_assertion(world: World, tree: Any) -> Answer:
    world.atoms, world.doubt = 0, False
    value = truth(world, tree, {}, 20)
    if value is not True:
        return DENIED, "the assertion is not empty"
    return (CONFIRMED, "empty") if world.atoms == 0 else (DENIED, "the assertion says something")


def as_value(value: Any) -> Any:
    """A value as a verdict states it."""
    if isinstance(value, list):
        return [as_value(entry) for entry in value]
    if isinstance(value, Root) and value.coefficient == 1:
        return {"sqrt": str(value.square)}
    if isinstance(value, Fraction | int):
        return str(value) if isinstance(value, Fraction) else value
    raise Unsure("a number known by bounds")


def stated_value(world: World, tree: Any, verdict: dict[str, Any]) -> Answer:
    try:
        found = as_value(evaluate(world, tree, {}))
    except Undefined:
        return DENIED, "undefined"
    return (CONFIRMED, "the value") if found == verdict["value"] else (DENIED, f"the value is {found}")


def scope_of(line: dict[str, Any]) -> int | None:
    return None if line["scope"] == "forever" else int(line["scope"])


def follows(certificate: dict[str, Any]) -> bool:
    """Whether the verdict is the one that the stated ledger gives, by section 9."""
    claim, verdict, ledger = certificate["claim"]["tree"], certificate["verdict"], certificate["ledger"]
    if [line["name"] for line in ledger] != [*(name for name, _ in claim[7]), "assertion"]:
        return False
    *assumed, asserted = ledger
    false = [line["name"] for line in assumed if line["status"] == "false"]
    sure = all(line["status"] == "true" and line["scope"] == "forever" for line in assumed)
    form, selected = verdict["kind"], bool(certificate["plans"].get("selection"))
    if form == "vacuous" and verdict["line"] != "assertion":
        return false[:1] == [verdict["line"]] and not selected
    if false or verdict["evidence"] != "exact" or (selected and form not in ("refuted", "exhibited")):
        return False
    if form in ("refuted", "not here"):
        wanted = "theorem" if form == "refuted" else "exhibit"
        place = form != "refuted" or verdict.get("t") == asserted.get("t")
        return claim[2] == wanted and sure and asserted["status"] == "false" and place
    if asserted["status"] != "true" or any(line["status"] != "true" for line in assumed):
        return False
    scopes = [scope_of(line) for line in ledger]
    finite = [scope for scope in scopes if scope is not None]
    if form == "value":
        return claim[2] == "value" and not finite
    if form == "exhibited":
        return claim[2] == "exhibit" and not finite
    if form == "vacuous":
        return claim[2] == "theorem" and scopes[-1] is None
    stated = None if verdict.get("T") == "forever" else int(verdict.get("T", -1))
    return form == "holds" and claim[2] == "theorem" and stated == min(finite, default=None)


def judge_once(certificate: dict[str, Any], seed: int, horizon: int) -> tuple[Answer, bool]:
    """The answer along one continuation, and whether there could be another."""
    if not follows(certificate):
        return (DENIED, "the ledger does not give the verdict"), False
    world = World(certificate, seed)
    claim, verdict = certificate["claim"]["tree"], certificate["verdict"]
    checks: list[Callable[[], Answer]] = []
    for (name, tree), line in zip([*claim[7], ["assertion", claim[8]]], certificate["ledger"], strict=True):
        if claim[2] == "value" and name == "assertion":
            continue
        if line["status"] == "true":
            checks.append(partial(true_until, world, tree, scope_of(line), horizon))
        elif line["status"] == "false":
            checks.append(partial(false_line, world, tree, line, horizon))
    if verdict["kind"] == "refuted":
        checks.append(partial(failing_token, world, claim[8], verdict, horizon))
        if verdict["first"]:
            checks.append(partial(first_failure, world, claim[8], verdict, horizon))
    elif verdict["kind"] == "value":
        checks.append(partial(stated_value, world, claim[8], verdict))
    elif verdict["kind"] == "vacuous" and verdict["line"] == "assertion":
        checks.append(partial(empty_assertion, world, claim[8]))
    answer = (CONFIRMED, "every line was tried")
    for check in checks:
        try:
            found = check()
        except Undefined:
            found = DENIED, "undefined"
        except Unsure as error:
            found = UNSURE, str(error)
        if found[0] == DENIED:
            return found, world.open_ties > 0
        if found[0] == UNSURE:
            answer = found
    return answer, world.open_ties > 0


def starts(certificate: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The certificate at some starts of its box: the two extreme corners and others drawn at random."""
    rows = certificate["instance"]["x"]
    is_open = all(isinstance(entry, list) for row in rows for entry in row)
    rng = random.Random(5)
    for k in range(12):
        def at(entry: Any, k: int = k) -> Any:
            if not isinstance(entry, list):
                return entry
            low, high = map(Fraction, entry)
            share = Fraction(k) if k < 2 else Fraction(rng.randint(0, 6), 6)
            return str(low + (high - low) * share)

        drawn = {**certificate["instance"], "x": [[at(entry) for entry in row] for row in rows]}
        yield {**certificate, "instance": drawn, "open box": is_open}


def judge(certificate: dict[str, Any], horizon: int = 400, continuations: int = 3) -> Answer:
    """Confirm or deny a certificate's verdict, whatever its lemmas and plans say."""
    worst = (CONFIRMED, "")
    start = certificate["instance"].get("x")
    if isinstance(start, dict):
        return UNSURE, "random starts"
    if start and any(isinstance(entry, list) for row in start for entry in row):
        for one in starts(certificate):  # a verdict on a box must stand at every start of it
            answer = judge(one, horizon, continuations)
            if answer[0] != CONFIRMED:
                return answer
        return CONFIRMED, "at all the starts that were tried"
    for seed in range(continuations):
        answer, ties = judge_once(certificate, seed, horizon)
        if answer[0] == DENIED:
            return answer
        if answer[0] == UNSURE or not worst[1]:
            worst = answer
        if not ties:
            break
    return worst
