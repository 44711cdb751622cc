"""What a statement means: exact evaluation of a typed tree at one moment or over a whole range of times.

Truth is True, False or None (undecided). A term that is undefined raises Undecided; the atom around it is then None.
Over a range an atom is True only if it is true at every time of the range, False only if false at every time.
"""
from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from math import lcm
from typing import Any

from .boxes import BoxTrajectory
from .exact import ONE, ZERO, Rat, Reject, Undecided, sqrt_bounds
from .polynomial import UNIT, Domain, Poly, Ratio, sum_of_products
from .schedules import Scalar, at_least_zero, decimal, divide, lift, power, time_symbol
from .sorts import FOLDS, TIME, TOKEN_SETS, Tree, sort_of_name
from .spans import Span, inner, span_of
from .systems import Instance, State, Trajectory
from .theories.trap import Trap, multiple, unknown_point

MAX_ATOMS = 5_000_000
MAX_FOLDS = 20_000  # folds remembered at a time
KEEP_CLOUDS = 4
NO_PLAN = (-1,)  # inside definitions and set-builders no quantifier over time has a plan
BINDING = {*FOLDS, *TOKEN_SETS}
REMEMBERED = {"lambda_max", "diam", "mul", "vertices", "min_over", "nearest", *FOLDS, "argmax", "argmin"}
KEPT = {*FOLDS, "argmax", "argmin"}  # kept for each time and token
Truth = bool | None
Env = dict[str, Any]
Ask = Callable[[str, list[Any]], Any]


class Later:
    """The time t + offset, t the symbol of the range under way."""

    __slots__ = ("offset",)

    def __init__(self, offset: int) -> None:
        self.offset = offset

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Later) and self.offset == other.offset

    def __hash__(self) -> int:
        return hash(("later", self.offset))


class Root:
    """A square root that keeps its exact square."""

    __slots__ = ("square",)

    def __init__(self, square: Scalar) -> None:
        self.square = square


class Cloud:
    """Finitely many points; `time` is set if they are the tokens at that time."""

    def __init__(self, time: Any, points: Callable[[], list[list[Scalar]]]) -> None:
        self.time, self.points = time, cache(points)
        self._resting: list[list[Rat]] | None = None

    def resting(self) -> list[list[Rat]]:
        """The points that do not depend on time."""
        if self._resting is None:
            self._resting = [constants(point) for point in self.points() if is_constant(point)]
        return self._resting


def conjunction(left: Truth, right: Truth) -> Truth:
    return False if left is False or right is False else None if left is None or right is None else True


def negation(value: Truth) -> Truth:
    return None if value is None else not value


class Evaluator:
    """Evaluates the lines of one claim on one instance, asking `ask` for ground facts."""

    def __init__(self, claim: Tree, system: Tree, instance: Instance,
                 trajectory: Trajectory | BoxTrajectory, ask: Ask) -> None:
        self.instance, self.trajectory, self.ask = instance, trajectory, ask
        self.definitions = {entry[0]: entry for entry in claim[6]}
        self.hull_shrinks = trajectory is not None and trajectory.native
        self.domain: Domain | None = None  # the range under way
        self.trap: tuple[int, Trap] | None = None
        self.enclosures: dict[str, tuple[Rat, Rat]] = {}
        if isinstance(trajectory, BoxTrajectory):
            self.enclosures.update(trajectory.bounds)
        self.shares: list[str] = []  # symbols that range over (0, 1]
        self.atoms = self.spent = 0
        self.now: State | None = None  # the state of a step being interpreted
        self.closed_terms: dict[int, Any] = {}
        self.arrays: dict[int, Span] = {}
        self.clouds: dict[int, Cloud] = {}
        self.folds: dict[Any, Any] = {}  # what was computed at concrete times
        self.products: set[int] = set()  # trees known to be a matrix times a vector
        self.free_names: dict[int, frozenset[str]] = {}
        self.picker: Callable[[list[int]], list[Rat]] = lambda near: []
        self.plan: Callable[[Tree, Env, tuple[int, ...]], Truth] = lambda tree, env, path: None

    # ---- terms

    def free(self, tree: Any) -> frozenset[str]:
        """Names of the variables on which a tree may depend."""
        if type(tree) is not list:
            return frozenset()
        key = id(tree)
        if key not in self.free_names:
            own = frozenset({tree[1]}) if tree and tree[0] == "var" else frozenset[str]()
            found = own.union(*map(self.free, tree)) if tree else own
            if tree and type(tree[0]) is str and tree[0] in BINDING:
                found -= {tree[1][0]}
            self.free_names[key] = found
        return self.free_names[key]

    def term(self, tree: Tree, env: Env) -> Any:
        """The value of a term, vectors and matrices as lists."""
        value = self.value(tree, env)
        return value.entries() if type(value) is Span else value

    def value(self, tree: Tree, env: Env) -> Any:
        """The value of a term, vectors and matrices as spans where they can be."""
        operator = tree[0]
        if operator == "num":
            return decimal(tree[1])
        if operator == "var":
            return env[tree[1]]
        if operator in REMEMBERED and self.now is None and self.trap is None and not self.free(tree):
            if id(tree) not in self.closed_terms:
                self.closed_terms[id(tree)] = self._term(operator, tree, env)
            return self.closed_terms[id(tree)]
        if (operator in KEPT or id(tree) in self.products) and self.now is None and self.trap is None:
            return self._once(operator, tree, env)
        return self._term(operator, tree, env)

    def _once(self, operator: str, tree: Tree, env: Env) -> Any:
        """A fold or a product with a matrix at given times and tokens, remembered: they come again and again."""
        memory, key = self.memory(tree, env)
        if memory is None:
            return self._term(operator, tree, env)
        if key not in memory:
            value = self._term(operator, tree, env)
            if len(memory) >= MAX_FOLDS:
                memory.pop(next(iter(memory)))
            memory[key] = value
        return memory[key]

    def memory(self, tree: Tree, env: Env) -> tuple[dict[Any, Any] | None, Any]:
        """Where the value of a tree may be kept: for good at concrete times, else with the range under way."""
        places = [env.get(name) for name in sorted(self.free(tree))]
        key = (id(tree), *places)
        if all(type(place) is int for place in places):
            return self.folds, key
        if self.domain is not None and all(isinstance(place, int | Later) for place in places):
            return self.domain.memory, key
        return None, None

    def _term(self, operator: str, tree: Tree, env: Env) -> Any:
        method = getattr(self, "_do_" + operator, None)
        if method is not None:
            return method(tree, env)
        from .regions import TERMS  # what regions means rests on what stands here
        if operator not in TERMS:
            raise Reject(f"no meaning for {operator}")
        return TERMS[operator](self, tree, env)

    def scalar(self, tree: Tree, env: Env) -> Scalar:
        """A number; roots become bounds, times become numbers."""
        return self.number(self.term(tree, env))

    def number(self, value: Any) -> Scalar:
        if isinstance(value, int):
            return Rat(value)
        if isinstance(value, Later):
            return time_symbol(value.offset)
        if isinstance(value, Root):
            square = value.square if isinstance(value.square, Rat) else value.square.as_constant()
            if square is None:
                raise Undecided("a square root that depends on time")
            low, high = sqrt_bounds(square)
            return self.bounded("sqrt " + square.text(), low, high)
        return value

    def bounded(self, name: str, low: Rat, high: Rat) -> Scalar:
        if low == high:
            return low
        self.enclosures["L:" + name] = (low, high)
        return Ratio(Poly.symbol("L:" + name))

    def range_now(self) -> Domain:
        if self.domain is None:
            self.domain = self.new_domain(0, 0, 1)
        return self.domain

    def new_domain(self, start: int, end: int | None, period: int) -> Domain:
        domain = Domain(start, end, period)
        domain.bounds = self.enclosures
        domain.unknown = self.trap[1].nonnegative if self.trap is not None else None
        domain.scales.update(dict.fromkeys(self.shares, ONE))
        return domain

    def time(self, tree: Tree, env: Env) -> Any:
        """A time: an int or Later."""
        value = self.term(tree, env)
        if isinstance(value, Rat):
            if value.d != 1:
                raise Undecided("a time that is not an integer")
            value = value.n
        if isinstance(value, Ratio):
            raise Undecided("a time that is not t plus a constant")
        start = self.domain.start if self.domain is not None else 0
        if (value if isinstance(value, int) else start + value.offset) < 0:
            raise Undecided("a time before 0")
        return value

    def _arithmetic(self, tree: Tree, env: Env, act: Callable[[Scalar, Scalar], Scalar]) -> Any:
        left, right = self.value(tree[1], env), self.value(tree[2], env)
        if type(left) is Rat and type(right) is Rat:
            return act(left, right)
        if isinstance(left, Span | list) or isinstance(right, Span | list):
            if type(left) is Span and type(right) is Span:
                found = left.plus(right, -1 if tree[0] == "sub" else 1)
                if found is not None:
                    return found
            left, right = plain(left), plain(right)
            left, right = self.like(left, right), self.like(right, left)
            return entrywise(lambda a, b: join(act, a, b), left, right)
        if isinstance(left, int | Later | Rat) and isinstance(right, int | Later | Rat):
            moved = _shifted(left, right, tree[0] == "sub")
            if moved is not None:
                return moved
        return join(act, self.number(left), self.number(right))

    def like(self, value: Any, model: Any) -> Any:
        """A literal 0 takes the shape of what it meets."""
        if isinstance(value, list) or not isinstance(model, list):
            return value
        return [self.like(value, entry) for entry in model]

    def _do_add(self, tree: Tree, env: Env) -> Any:
        return self._arithmetic(tree, env, lambda a, b: a + b)

    def _do_sub(self, tree: Tree, env: Env) -> Any:
        return self._arithmetic(tree, env, lambda a, b: a - b)

    def _do_neg(self, tree: Tree, env: Env) -> Any:
        value = self.value(tree[1], env)
        if type(value) is Span:
            return value.scaled(Rat(-1))
        return entrywise(lambda a, _: -a, value, value) if isinstance(value, list) else -self.number(value)

    def _do_mul(self, tree: Tree, env: Env) -> Any:
        left, right = self.value(tree[1], env), self.value(tree[2], env)
        if isinstance(left, Span | list) and isinstance(right, Span | list):
            self.products.add(id(tree))
            return self._applied(left, right)
        if isinstance(left, Span | list):
            if not same_scalar(self.number(right), ZERO):
                raise Reject("a matrix times a number must be written number*matrix")
            return ZERO  # a matrix times a literal 0 or a sum over nothing; it takes the shape of what it meets
        if isinstance(left, Root) and isinstance(right, Root) and same_scalar(left.square, right.square):
            return left.square
        if type(right) is Span:
            return right.scaled(self.number(left))
        if isinstance(right, list):
            factor = self.number(left)
            return entrywise(lambda a, _: join(lambda p, q: p * q, factor, a), right, right)
        return join(lambda a, b: a * b, self.number(left), self.number(right))

    def _applied(self, left: Any, right: Any) -> Any:
        """A matrix times a vector or a matrix."""
        if type(left) is Span and type(right) is Span:
            found = left.applied(right)
            if found is not None:
                return found
        left, right = plain(left), plain(right)
        if len(left[0]) != len(right):
            raise Undecided("a matrix and a vector of different sizes")
        if isinstance(right[0], list):
            columns = list(map(list, zip(*right, strict=True)))
            return [[dot(row, column) for column in columns] for row in left]
        return [dot(row, right) for row in left]

    def _do_div(self, tree: Tree, env: Env) -> Any:
        left, right = self.term(tree[1], env), self.scalar(tree[2], env)
        domain = self.range_now() if isinstance(right, Ratio) else self.domain

        def over(a: Scalar) -> Scalar:
            symbolic = isinstance(a, Ratio) or isinstance(right, Ratio)
            return divide(lift(a), lift(right), domain) if symbolic else a / right

        if isinstance(left, list):
            return entrywise(lambda a, _: over(a), left, left)
        return over(self.number(left))

    def _do_pow(self, tree: Tree, env: Env) -> Any:
        base, exponent = self.term(tree[1], env), self.scalar(tree[2], env)
        if isinstance(base, Root) and isinstance(exponent, Rat) and exponent.d == 1 and exponent.n % 2 == 0:
            return base.square ** (exponent.n // 2)
        return power(self.number(base), exponent, self.domain)

    def _do_inner(self, tree: Tree, env: Env) -> Scalar:
        left, right = self.value(tree[1], env), self.value(tree[2], env)
        if type(left) is Span and type(right) is Span:
            return inner(left, right)
        left, right = plain(left), plain(right)
        left, right = self.like(left, right), self.like(right, left)
        if not isinstance(left, list):
            return ZERO
        if len(left) != len(right):
            raise Undecided("an inner product of vectors of different sizes")
        return dot(left, right)

    def _do_norm(self, tree: Tree, env: Env) -> Root:
        value = self.value(tree[1], env)
        if type(value) is Span:
            return Root(inner(value, value))
        return Root(dot(value, value) if isinstance(value, list) else ZERO)

    def _do_sqrt(self, tree: Tree, env: Env) -> Root:
        value = self.scalar(tree[1], env)
        if self.compare(value, ZERO, False) is not True:
            raise Undecided("the square root of a number not shown to be nonnegative")
        return Root(value)

    def _do_abs(self, tree: Tree, env: Env) -> Scalar:
        value = self.scalar(tree[1], env)
        sign = self.compare(value, ZERO, False)
        if sign is None and self.compare(ZERO, value, False) is True:
            sign = False
        if sign is None:
            raise Undecided("the sign inside abs is not known")
        return value if sign else -value

    def _extreme(self, values: list[Scalar], greatest: bool) -> Scalar:
        best = values[0]
        for value in values[1:]:
            better = self.compare(value, best, False) if greatest else self.compare(best, value, False)
            if better is None:
                other = self.compare(best, value, False) if greatest else self.compare(value, best, False)
                if other is not True:
                    raise Undecided("the order inside min or max is not known")
            best = value if better else best
        return best

    def _do_min(self, tree: Tree, env: Env) -> Scalar:
        return self._extreme([self.scalar(a, env) for a in tree[1:]], False)

    def _do_max(self, tree: Tree, env: Env) -> Scalar:
        return self._extreme([self.scalar(a, env) for a in tree[1:]], True)

    def _do_identity(self, tree: Tree, env: Env) -> list[list[Rat]]:
        size = self.instance.dimension
        if not size:
            raise Undecided("the dimension is not known")
        return [[ONE if i == j else ZERO for j in range(size)] for i in range(size)]

    def _do_token_count(self, tree: Tree, env: Env) -> Rat:
        return Rat(len(self.instance.tokens))

    def _do_dimension(self, tree: Tree, env: Env) -> Rat:
        return Rat(self.instance.dimension)

    def _do_transpose(self, tree: Tree, env: Env) -> Any:
        return list(map(list, zip(*self.term(tree[1], env), strict=True)))

    def _do_trace(self, tree: Tree, env: Env) -> Scalar:
        return total([row[k] for k, row in enumerate(self.term(tree[1], env))])

    def _do_at(self, tree: Tree, env: Env) -> Any:
        name = tree[1]
        if name == "x":
            return self._tokens(tree, env)
        if name in self.instance.givens:
            value = self.instance.givens[name]
            if name in self.instance.clouds:
                return Cloud(None, lambda: value)
            return self._array(value) if isinstance(value, list) else value
        sequence = self.instance.sequences[name]
        when = self.time(tree[2], env) if len(tree) > 2 else 0
        if isinstance(when, Later):
            value, factor = sequence.symbolic_factors(when.offset, self.range_now())
        else:
            value, factor = sequence.factors_at(when)
        if value is None or not isinstance(value, list):
            return value if factor is None else factor
        return self._array(value) if factor is None else self._array(value).scaled(factor)

    def _array(self, value: list[Any]) -> Span:
        """A vector or a matrix of the instance as a span, made once."""
        if id(value) not in self.arrays:
            found = span_of(value)
            assert found is not None
            self.arrays[id(value)] = found
        return self.arrays[id(value)]

    def _tokens(self, tree: Tree, env: Env) -> Any:
        if self.now is not None:  # inside a step: x[i] is the present position
            return self._row(self.now, env_token(self.term(tree[2], env)))
        if len(tree) == 3:
            return self._cloud(self.time(tree[2], env))
        return self.position(env_token(self.term(tree[2], env)), self.time(tree[3], env))

    def _cloud(self, when: Any) -> Cloud:
        tokens = range(len(self.instance.tokens))
        if self.trap is not None:
            return Cloud(when, lambda: [plain(self.position(i, when)) for i in tokens])
        memory = self.range_now().memory if isinstance(when, Later) else self.clouds
        if when not in memory:
            if memory is self.clouds and len(memory) >= KEEP_CLOUDS:
                memory.clear()
            memory[when] = Cloud(when, lambda: [plain(self.position(i, when)) for i in tokens])
        found: Cloud = memory[when]
        return found

    def _row(self, state: State, i: int) -> Span:
        if not 0 <= i < len(state.rows):
            raise Undecided(f"there is no token {i}")
        return Span([(ONE, state.rows[i], state.den)])

    def position(self, i: int, when: Any) -> Any:
        """Where token i is: a span, or in a trap a list of unknowns."""
        if not 0 <= i < len(self.instance.tokens):
            raise Undecided(f"there is no token {i}")
        if isinstance(self.trajectory, BoxTrajectory):
            if isinstance(when, Later):
                raise Undecided("no closed form for a box of starts")
            return self.trajectory.positions(when)[i]
        if not isinstance(when, Later):
            if self.trap is not None and when > self.trap[0]:
                return [Ratio(p) for p in unknown_point(f"{i} at {when}", self.instance.dimension)]
            return self._row(self.trajectory.state(when), i)
        domain = self.range_now()
        if self.trap is not None:
            if domain.start + when.offset < self.trap[0]:
                raise Undecided("a time before the trap")
            return [Ratio(p) for p in unknown_point(f"{i} at t+{when.offset}", self.instance.dimension)]
        if self.trajectory.regime is None:
            raise Undecided("no closed form of the tokens")
        return self.trajectory.regime.position(i, when.offset, domain)

    def _do_use(self, tree: Tree, env: Env) -> Any:
        return self.term(self.definitions[tree[1]][3], self._call(tree, env))

    def _call(self, tree: Tree, env: Env) -> Env:
        _, indices, parameters, _ = self.definitions[tree[1]]
        inner: Env = {}
        for name, argument in zip(indices, tree[2], strict=True):
            inner[name] = self.time(argument, env) if sort_of_name(name) == TIME else self.term(argument, env)
        for name, argument in zip(parameters, tree[3], strict=True):
            value = self.value(argument, env)
            inner[name] = value if isinstance(value, Span | list) else [ZERO] * self.instance.dimension
        return inner

    def _do_hull(self, tree: Tree, env: Env) -> Cloud:
        value = self.term(tree[1], env)
        assert isinstance(value, Cloud)
        return value

    def _do_diam(self, tree: Tree, env: Env) -> Root:
        points = self.term(tree[1], env).points()
        self.spend(len(points) ** 2)
        gaps = [entrywise(lambda a, b: join(lambda p, q: p - q, a, b), left, right)
                for k, left in enumerate(points) for right in points[:k]]
        return Root(self._extreme([dot(gap, gap) for gap in gaps], True) if gaps else ZERO)

    def _do_lambda_max(self, tree: Tree, env: Env) -> Scalar:
        matrix = self.term(tree[1], env)
        factor, constant = self.constant_times(matrix)
        if factor is not None and not at_least_zero(factor, self.range_now()):
            raise Undecided("an eigenvalue of a matrix whose sign changes")
        size = range(len(constant))
        if any(constant[i][j] != constant[j][i] for i in size for j in size):
            raise Undecided("lambda_max of a matrix that is not symmetric")
        low, high = self.ask("lambda_max", [constant])
        name = "lambda_max " + " ".join(entry.text() for row in constant for entry in row)
        value = self.bounded(name, low, high)
        return value if factor is None else join(lambda a, b: a * b, factor, value)

    def constant_times(self, matrix: Any) -> tuple[Ratio | None, list[list[Rat]]]:
        """A matrix that depends on time as factor * constant matrix; factor None if it does not depend on time."""
        plain = [[e if isinstance(e, Rat) else e.as_constant() for e in row] for row in matrix]
        if all(e is not None for row in plain for e in row):
            return None, plain
        pivot = next((lift(row[k]) for k, row in enumerate(matrix) if lift(row[k]).num.terms), None)
        if pivot is None:
            raise Undecided("a matrix that depends on time in more than a factor")
        found: list[list[Rat]] = []
        for row in matrix:
            found.append([])
            for entry in map(lift, row):
                share = multiple(entry.num * pivot.den, pivot.num * entry.den)
                if share is None:
                    raise Undecided("a matrix that depends on time in more than a factor")
                found[-1].append(share)
        return pivot, found

    # ---- binders

    def values(self, binder: Tree, env: Env) -> Any:
        """What a bounded binder ranges over."""
        if sort_of_name(binder[0]) != TIME:
            return self.token_set(binder[2], env) if len(binder) > 1 else range(len(self.instance.tokens))
        if len(binder) == 1 or binder[1] == "ge":
            raise Undecided("a time without an upper bound")
        low = self.time(binder[2], env) if binder[1] == "in" else 0
        high = self.term(binder[-1], env)
        high = high.n if isinstance(high, Rat) and high.d == 1 else high
        if not isinstance(low, int) or not isinstance(high, int):
            raise Undecided("a range of times that grows")
        if high - low > 1_000_000:
            raise Undecided("a range of times that is too long")
        return range(low, high + 1)

    def token_set(self, tree: Tree, env: Env) -> list[int]:
        value = self.term(tree, env)
        assert isinstance(value, list)
        return value

    def _fold(self, tree: Tree, env: Env) -> list[Any]:
        binder = tree[1]
        self.spend(len(self.values(binder, env)))
        return [self.term(tree[2], {**env, binder[0]: value}) for value in self.values(binder, env)]

    def _do_sum(self, tree: Tree, env: Env) -> Any:
        return total([v if isinstance(v, list) else self.number(v) for v in self._fold(tree, env)])

    def _do_mean(self, tree: Tree, env: Env) -> Any:
        found = self._fold(tree, env)
        if not found:
            raise Undecided("a mean over nothing")
        share = Rat(1, len(found))
        value = total([v if isinstance(v, list) else self.number(v) for v in found])
        return entrywise(lambda a, _: join(lambda p, q: p * q, a, share), value, value) if isinstance(value, list) \
            else join(lambda p, q: p * q, value, share)

    def _do_prod(self, tree: Tree, env: Env) -> Scalar:
        growing = self._contraction(tree, env)
        if growing is not None:
            return growing
        value: Scalar = ONE
        for entry in self._fold(tree, env):
            value = join(lambda a, b: a * b, value, self.number(entry))
        return value

    def _contraction(self, tree: Tree, env: Env) -> Scalar | None:
        """prod r in a..t-1: (1 - g[r]) over a range in a regime that begins at T >= a: a number times c."""
        binder, body = tree[1], tree[2]
        regime = self.trajectory.regime
        if regime is None or self.domain is None or len(binder) != 4 or body != [
                "sub", ["num", "1"], ["at", "g", ["var", binder[0]]]]:
            return None
        low, high = self.time(binder[2], env), self.term(binder[3], env)
        if not isinstance(low, int) or high != Later(-1) or not low <= regime.start <= self.domain.start:
            return None
        value = ONE
        self.spend(regime.start - low)
        for r in range(low, regime.start):
            value = value * (ONE - self.instance.sequences["g"].at(r))
        return join(lambda a, b: a * b, value, regime.contraction(0, self.domain))

    def _do_least(self, tree: Tree, env: Env) -> Scalar:
        return self._over(tree, env, False)

    def _do_greatest(self, tree: Tree, env: Env) -> Scalar:
        return self._over(tree, env, True)

    def _over(self, tree: Tree, env: Env, greatest: bool) -> Scalar:
        found = [self.number(v) for v in self._fold(tree, env)]
        if not found:
            raise Undecided("a min or max over nothing")
        return self._extreme(found, greatest)

    def _do_argmax(self, tree: Tree, env: Env) -> list[int]:
        return self._leaders(tree, env, True)

    def _do_argmin(self, tree: Tree, env: Env) -> list[int]:
        return self._leaders(tree, env, False)

    def _leaders(self, tree: Tree, env: Env, greatest: bool) -> list[int]:
        places = list(self.values(tree[1], env))
        found = [self.number(v) for v in self._fold(tree, env)]
        if not found:
            raise Undecided("an argmax over nothing")
        best = self._extreme(found, greatest)
        return [i for i, value in zip(places, found, strict=True) if self._surely(self.equal(value, best))]

    def _surely(self, truth: Truth) -> bool:
        if truth is None:
            raise Undecided("a set whose members are not known")
        return truth

    def _do_set(self, tree: Tree, env: Env) -> list[int]:
        counted = self.atoms
        places = self.values(tree[1], env)
        self.spend(len(places))
        found = [i for i in places
                 if self._surely(self.truth(tree[2], {**env, tree[1][0]: i}, NO_PLAN))]
        self.atoms = counted  # choosing tokens is not yet asserting something of them
        return found

    def _do_tokens(self, tree: Tree, env: Env) -> list[int]:
        return list(range(len(self.instance.tokens)))

    def _do_card(self, tree: Tree, env: Env) -> Rat:
        return Rat(len(self.token_set(tree[1], env)))

    # ---- formulas

    def truth(self, tree: Tree, env: Env, path: tuple[int, ...]) -> Truth:
        """Truth of a formula; `path` names the quantifiers over time for which a plan may exist."""
        operator = tree[0]
        if operator == "use":
            try:
                inner = self._call(tree, env)
            except Undecided:
                return None
            return self.truth(self.definitions[tree[1]][3], inner, NO_PLAN)
        if operator == "not":
            return negation(self.truth(tree[1], env, (*path, 1)))
        if operator in ("and", "or", "implies"):
            left = self.truth(tree[1], env, (*path, 1))
            if operator == "or":
                left = negation(left)  # a or b: not a implies b
            if left is False:
                return bool(operator != "and")
            right = self.truth(tree[2], env, (*path, 2))
            return conjunction(left, right) if operator == "and" else negation(conjunction(left, negation(right)))
        if operator == "iff":
            left, right = self.truth(tree[1], env, (*path, 1)), self.truth(tree[2], env, (*path, 2))
            return None if left is None or right is None else left is right
        if operator in ("forall", "exists"):
            return self.quantified(tree, env, path)
        if operator in ("tends", "bigO", "geometric"):
            self.count()
            return self.plan(tree, env, path)
        return self.atom(tree, env)

    def quantified(self, tree: Tree, env: Env, path: tuple[int, ...]) -> Truth:
        if unbounded(tree) is not None:
            return self.plan(tree, env, path)
        return self.every(tree[0] == "forall", tree[1], tree[2], env, (*path, 2))[0]

    def every(self, goal: bool, binders: list[Tree], body: Tree, env: Env,
              path: tuple[int, ...]) -> tuple[Truth, Env, bool]:
        """Truth over all values of bounded binders; where it fails, the values, and whether all before were decided."""
        if not binders:
            return self.truth(body, env, path), env, True
        binder, *others = binders
        if binder[1:] == ["share"]:
            return self._share(binder[0], goal, others, body, env, path)
        try:
            places = self.values(binder, env)
        except Undecided:
            return self._growing(goal, binder, others, body, env, path), env, False
        verdict: Truth = goal
        self.spend(len(places))
        for place in places:
            value, where, clean = self.every(goal, others, body, {**env, binder[0]: place}, path)
            if value is (not goal):
                return value, where, clean and verdict is goal
            verdict = None if value is None else verdict
        return verdict, env, True

    def _share(self, name: str, goal: bool, others: list[Tree], body: Tree, env: Env,
               path: tuple[int, ...]) -> tuple[Truth, Env, bool]:
        """Truth over all numbers of (0, 1]: decided only if the body has one truth at all of them."""
        if self.trap is not None:
            return None, env, False
        symbol = f"h:{name}:{len(self.shares)}"  # a definition may bind a name that its caller has bound
        self.shares.append(symbol)
        if self.domain is not None:
            self.domain.scales[symbol] = ONE
        try:
            return self.every(goal, others, body, {**env, name: Ratio(Poly.symbol(symbol))}, path)
        finally:
            self.shares.remove(symbol)

    def _growing(self, goal: bool, binder: Tree, others: list[Tree], body: Tree, env: Env,
                 path: tuple[int, ...]) -> Truth:
        """A range of times up to t while t itself is a symbol: decided by the times before the range, or with it."""
        if sort_of_name(binder[0]) != TIME or self.domain is None or self.domain.end == self.domain.start:
            return None
        try:
            high = self.time(binder[-1], env)
            low = self.time(binder[2], env) if binder[1] == "in" else 0
        except Undecided:
            return None
        depends = self.free(body).union(*(self.free(other) for other in others)) - {binder[0]}
        if not isinstance(high, Later) or high.offset not in (0, -1) or not isinstance(low, int) or any(
                isinstance(env.get(name), Later | list | Span) for name in depends):
            return None
        domain = self.domain
        for s in range(low, domain.start + high.offset + 1):
            value = self._earlier(goal, others, body, {**env, binder[0]: s}, path)
            if value is not goal:
                return value
        if domain.period != 1:
            return None
        value = self.every(goal, others, body, {**env, binder[0]: Later(0)}, path)[0]
        return goal if value is goal else None

    def _earlier(self, goal: bool, others: list[Tree], body: Tree, env: Env, path: tuple[int, ...]) -> Truth:
        """Truth at one earlier time, outside the range under way."""
        kept = self.domain, self.trap
        self.domain = self.trap = None
        try:
            return self.every(goal, others, body, env, path)[0]
        finally:
            self.domain, self.trap = kept

    def count(self) -> None:
        self.atoms += 1
        self.spend(1)

    def spend(self, amount: int) -> None:
        self.spent += amount
        if self.spent > MAX_ATOMS:
            raise Reject("more atoms than a verifier accepts")

    def atom(self, tree: Tree, env: Env) -> Truth:
        """A comparison or a ground fact, remembered at the concrete times of its variables."""
        self.count()
        memory: dict[Any, Any] | None = None
        if self.now is None and self.trap is None and tree[0] in ("in", "psd", "pd", "subset", "edge"):
            memory, key = self.memory(tree, env)
            if memory is not None and key in memory:
                known: Truth = memory[key]
                return known
        kept = self.domain
        try:
            value = self._atom(tree, env)
        except Undecided:
            return None
        finally:
            self.domain = kept
        if memory is not None:
            memory[key] = value
        return value

    def _atom(self, tree: Tree, env: Env) -> Truth:
        from . import regions
        operator = tree[0]
        if operator == "edge":
            return regions.edge(self, tree, env)
        if operator == "box":
            return self._is_box(self.term(tree[1], env))
        if operator in ("le", "lt", "ge", "gt"):
            left, right = self.term(tree[1], env), self.term(tree[2], env)
            if operator in ("le", "lt"):
                left, right = right, left
            return self.compare(left, right, operator in ("lt", "gt"))
        if operator in ("eq", "ne"):
            left, right = self.term(tree[1], env), self.term(tree[2], env)
            if isinstance(left, regions.Region):
                return regions.compared(self, operator, left, right)
            value = self.equal(left, right)
            return value if operator == "eq" else negation(value)
        if operator in ("psd", "pd"):
            return self._definite(operator, self.term(tree[1], env))
        if operator == "subset":
            inner, outer = self.term(tree[1], env), self.term(tree[2], env)
            if isinstance(inner, regions.Region):
                return regions.compared(self, operator, inner, outer)
            if self._axiom(inner.time, outer.time):
                return True
            verdict: Truth = True
            for point in inner.points():
                verdict = conjunction(verdict, self._inside(point, outer))
            return verdict
        if operator == "in":
            right = self.term(tree[2], env)
            if isinstance(right, Cloud) and tree[1][:2] == ["at", "x"] and len(tree[1]) == 4 and self._axiom(
                    self.time(tree[1][3], env), right.time):
                return True
            left = self.term(tree[1], env)
            if not isinstance(right, Cloud | regions.Region):
                return left in right
            point = left if isinstance(left, list) else [ZERO] * self.instance.dimension
            return self._inside(point, right) if isinstance(right, Cloud) else regions.inside(self, point, right)
        raise Reject(f"no meaning for {operator}")

    def _is_box(self, cloud: Cloud) -> Truth:
        """Whether these are the tokens at 0 and every coordinate is an interval."""
        if cloud.time != 0:
            raise Undecided("box is about the tokens at time 0")
        return isinstance(self.trajectory, BoxTrajectory) and self.trajectory.is_open()

    def _axiom(self, later: Any, earlier: Any) -> bool:
        """x[i,s] lies in hull(x[t]) for s >= t: a hardmax step with g in [0,1] stays in the hull."""
        if not self.hull_shrinks or later is None or earlier is None:
            return False
        if isinstance(later, Later) and isinstance(earlier, Later):
            return later.offset >= earlier.offset
        if isinstance(later, Later) and isinstance(earlier, int) and self.domain is not None:
            return self.domain.start + later.offset >= earlier
        return isinstance(later, int) and isinstance(earlier, int) and later >= earlier

    def _inside(self, point: list[Scalar], body: Cloud) -> Truth:
        fixed = body.resting()  # the hull of the points that rest is inside the hull
        if not fixed:
            raise Undecided("a hull that moves")
        found = bool(self.ask("in_hull", [constants(point), fixed]))
        return found if found or len(fixed) == len(body.points()) else None

    def _definite(self, operator: str, matrix: Any) -> Truth:
        if not isinstance(matrix, list):
            return operator == "psd" if isinstance(matrix, Rat) and matrix.n == 0 else None
        factor, constant = self.constant_times(matrix)
        if factor is None:
            return bool(self.ask(operator, [constant]))
        domain = self.range_now()
        if at_least_zero(-factor, domain, True):
            return False  # the pivot is a diagonal entry
        known = bool(self.ask(operator, [constant]))
        if known:
            return True if at_least_zero(factor, domain, operator == "pd") else None
        return False if at_least_zero(factor, domain, True) else None

    def compare(self, left: Any, right: Any, strict: bool) -> Truth:
        """Truth of left >= right (left > right if strict)."""
        if isinstance(left, Root) and isinstance(right, Root):
            return self.compare(left.square, right.square, strict)
        if isinstance(left, Root):
            right = self.number(right)
            if isinstance(right, Ratio) and any(name.startswith("L:") for name in right.num.symbols()):
                return self.compare(self.number(left), right, strict)  # bounds against bounds
            low = self.compare(ZERO, right, True)  # right < 0
            return True if low is True else self._squares(left.square, right, strict, low)
        if isinstance(right, Root):
            return negation(self.compare(right, left, not strict))
        left, right = self.number(left), self.number(right)
        if type(left) is Rat and type(right) is Rat:
            return right < left if strict else right <= left
        gap, domain = lift(left) - lift(right), self.range_now()
        if at_least_zero(gap, domain, strict):
            return True
        return False if at_least_zero(-gap, domain, not strict) else None

    def _squares(self, square: Scalar, right: Scalar, strict: bool, low: Truth) -> Truth:
        """sqrt(square) >= right where right < 0 has truth `low`."""
        value = self.compare(square, join(lambda a, b: a * b, right, right), strict)
        if low is None:
            return True if value is True else None
        return value

    def equal(self, left: Any, right: Any) -> Truth:
        if isinstance(left, int) and isinstance(right, int):
            return left == right
        left, right = self.like(left, right), self.like(right, left)
        if isinstance(left, list):
            verdict: Truth = True
            for a, b in zip(left, right, strict=True):
                verdict = conjunction(verdict, self.equal(a, b))
            return verdict
        if isinstance(left, Root) and isinstance(right, Root):
            return self.equal(left.square, right.square)
        if isinstance(left, Root) or isinstance(right, Root):
            return conjunction(self.compare(left, right, False), self.compare(right, left, False))
        left, right = self.number(left), self.number(right)
        if type(left) is Rat and type(right) is Rat:
            return left == right
        gap, domain = lift(left) - lift(right), self.range_now()
        if not gap.num.terms:
            return True
        return False if at_least_zero(gap, domain, True) or at_least_zero(-gap, domain, True) else None

    def interpret_step(self, system: Tree, pick: Callable[[State, int, int, list[int]], list[Rat]]) \
            -> Callable[[State, int], list[list[Rat]]]:
        """One step of a system given as text; `pick` turns a set of leaders into a point."""
        def advance(state: State, t: int) -> list[list[Rat]]:
            kept = self.now, self.domain, self.trap
            self.now, self.domain, self.trap = state, None, None
            try:
                rows = []
                for i in range(len(state.rows)):
                    self.picker = partial(pick, state, t, i)
                    rows.append([as_constant(v) for v in self.term(system[3], {"i": i, "t": t})])
                return rows
            finally:
                self.now, self.domain, self.trap = kept
        return advance

    def _do_pick(self, tree: Tree, env: Env) -> list[Rat]:
        return self.picker(self.token_set(tree[1], env))


def unbounded(tree: Tree) -> int | None:
    """The place of the unbounded time among the binders of a quantifier."""
    for place, binder in enumerate(tree[1]):
        if sort_of_name(binder[0]) == TIME and (len(binder) == 1 or binder[1] == "ge"):
            return place
    return None


def env_token(value: Any) -> int:
    if not isinstance(value, int):
        raise Reject("not a token")
    return value


def plain(value: Any) -> Any:
    """A span as a list; anything else as it is."""
    return value.entries() if type(value) is Span else value


def is_constant(point: list[Scalar]) -> bool:
    return all(type(value) is Rat or value.as_constant() is not None for value in point)


def as_constant(value: Scalar) -> Rat:
    plain = value if isinstance(value, Rat) else value.as_constant()
    if plain is None:
        raise Undecided("a point that depends on time")
    return plain


def constants(point: list[Scalar]) -> list[Rat]:
    return [as_constant(value) for value in point]


def same_scalar(left: Scalar, right: Scalar) -> bool:
    gap = lift(left) - lift(right)
    return not gap.num.terms


def join(act: Callable[[Any, Any], Any], left: Scalar, right: Scalar) -> Scalar:
    if type(left) is Rat and type(right) is Rat:
        return act(left, right)
    return act(lift(left), lift(right))


def entrywise(act: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    if isinstance(left, list):
        if len(left) != len(right):
            raise Undecided("vectors or matrices of different sizes")
        return [entrywise(act, a, b) for a, b in zip(left, right, strict=True)]
    return act(left, right)


def dot(left: list[Scalar], right: list[Scalar]) -> Scalar:
    """Inner product; vectors over one denominator are multiplied as integers."""
    if all(type(v) is Rat for v in left) and all(type(v) is Rat for v in right):
        first, second = left[0].d, right[0].d
        if all(v.d == first for v in left) and all(v.d == second for v in right):
            return Rat(sum(a.n * b.n for a, b in zip(left, right, strict=True)), first * second)
        first, second = lcm(*(v.d for v in left)), lcm(*(v.d for v in right))
        return Rat(sum(a.n * (first // a.d) * b.n * (second // b.d) for a, b in zip(left, right, strict=True)),
                   first * second)
    lefts, rights = list(map(lift, left)), list(map(lift, right))
    below, beside = lefts[0].den, rights[0].den
    if all(a.den is below for a in lefts) and all(b.den is beside for b in rights):
        num = sum_of_products((a.num, b.num) for a, b in zip(lefts, rights, strict=True))
        return Ratio(num, beside if below is UNIT else below if beside is UNIT else below * beside)
    return total([join(lambda a, b: a * b, a, b) for a, b in zip(left, right, strict=True)])


def total(values: list[Any]) -> Any:
    if not values:
        return ZERO
    result = values[0]
    for value in values[1:]:
        result = entrywise(lambda a, b: join(lambda p, q: p + q, a, b), result, value)
    return result


def _shifted(left: Any, right: Any, minus: bool) -> Any:
    """t + 1 and the like as a time."""
    numbers = []
    for value in (left, right):
        if isinstance(value, Rat):
            if value.d != 1:
                return None
            value = value.n
        numbers.append(value)
    a, b = numbers
    if isinstance(a, Later) and isinstance(b, Later):
        return Rat(a.offset - b.offset) if minus else None
    if isinstance(a, Later):
        return Later(a.offset - b if minus else a.offset + b)
    if isinstance(b, Later):
        return None if minus else Later(a + b.offset)
    if isinstance(left, int) or isinstance(right, int):
        return a - b if minus else a + b
    return None
