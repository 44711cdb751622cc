"""regime/1: from time T on every token moves along a segment to a resting point, for ever.

At T let token i have the set C_i of leaders, all at rest, and v_i their mean (one point, if a selection was made).
With x_i(c) = v_i + c (x_i - v_i), if for every i the members of C_i tie identically in c and lead every other token
for all c in (0, 1], then x_i^t = x_i(c_t) for all t >= T, c_t the product of (1 - g^s) over T <= s < t: the leaders
depend on the state only through c. This needs B^t = s(t) B^T with s(t) > 0, unless all tokens sit at one point.
"""
from __future__ import annotations

from math import gcd
from operator import mul
from typing import Any

from ..exact import ONE, Rat, Reject, Undecided, common_denominator
from ..polynomial import Domain, Poly, Ratio, positive_on_unit, same
from ..schedules import Sequence, always, at_least_zero, expression, lift, time_symbol
from ..spans import Part, Span
from ..systems import State, Trajectory

NAME = "regime/1"
LIMIT_TRIALS = 50_000


class Regime:
    """A verified closed form: `state` at one time, `position` at all times of a domain."""

    def __init__(self, field: object, trajectory: Trajectory) -> None:
        if not isinstance(field, dict) or not {"T", "targets"} <= set(field) <= {"T", "targets", "c", "tail"}:
            raise Reject("regime/1: not a regime")
        if not trajectory.native:
            raise Reject("regime/1: only for hardmax with a scalar step")
        start, targets = field["T"], field["targets"]
        if type(start) is not int or start < 0 or type(targets) is not list:
            raise Reject("regime/1: not a regime")
        self.start = start
        self.steps: Sequence = trajectory.instance.sequences["g"]
        self.policy = trajectory.policy
        self.base, self.rest, self.den = _segments(trajectory.state(start), targets, self.policy)
        self.collapsed = all(row == self.base[0] for row in self.base)
        self.may_vanish = not always(self.steps, start, lambda g, dom: at_least_zero(lift(ONE) - lift(g), dom, True))
        if self.may_vanish and self.policy != "every":
            raise Reject("regime/1: averaged leaders need g < 1")
        self.form = field.get("c")
        self.lowest = Rat(0)
        if "tail" in field:
            self.lowest = ONE - self._tail(field["tail"])
            if self.lowest.n <= 0:
                raise Reject("regime/1: the tail gives no positive bound")
        if not self.collapsed:
            matrix = trajectory.instance.sequences["B"]
            if not _proportional(matrix, start):
                raise Reject("regime/1: the matrices after T are not positive multiples of the one at T")
            entries, _ = common_denominator(matrix.at(start))
            trajectory.spend(4 * len(self.base) ** 2 * len(entries))
            self._leaders_stay(entries, targets)
        if self.form is not None:
            self._closed_form_is_right()
        self._reached = (start, ONE)
        self.used = False

    def _leaders_stay(self, matrix: list[list[int]], targets: list[list[int]]) -> None:
        """For every i: C_i ties identically, and leads all others for all c that occur."""
        for i, (rest, base) in enumerate(zip(self.rest, self.base, strict=True)):
            chosen = targets[i]
            leader = self.base[chosen[0]]
            fixed = [sum(map(mul, line, rest)) for line in matrix]
            moving = [sum(map(mul, line, _minus(base, rest))) for line in matrix]
            for k in chosen:
                gap = _minus(leader, self.base[k])
                if sum(map(mul, fixed, gap)) or sum(map(mul, moving, gap)):
                    raise Reject(f"regime/1: the leaders of token {i} do not tie for ever")
            points = [self.base[k] for k in chosen]
            for j, (other_rest, other) in enumerate(zip(self.rest, self.base, strict=True)):
                if other in points:
                    if other != other_rest or (self.policy == "average-indices" and j not in chosen):
                        raise Reject(f"regime/1: token {j} sits on a leader of token {i} but is not one")
                    continue
                gap, drift = _minus(leader, other_rest), _minus(other, other_rest)
                a = Rat(sum(map(mul, fixed, gap)))
                b = Rat(sum(map(mul, moving, gap)) - sum(map(mul, fixed, drift)))
                d = Rat(-sum(map(mul, moving, drift)))
                if not self._leads(a, b, d, other_rest in points):
                    raise Reject(f"regime/1: token {j} may overtake the leader of token {i}")

    def _leads(self, a: Rat, b: Rat, d: Rat, joins: bool) -> bool:
        if self.lowest.n > 0:  # c stays in [lowest, 1]
            low, width = self.lowest, ONE - self.lowest
            a, b, d = a + low * (b + low * d), width * (b + Rat(2) * low * d), width * width * d
            return a.n > 0 and positive_on_unit(a, b, d)
        return positive_on_unit(a, b, d) and (not self.may_vanish or a.n > 0 or joins)

    def _tail(self, tree: Any) -> Rat:
        """h(T) for an h >= 0 with h(t) - h(t+1) >= g(t): an upper bound of the sum of g from T on."""
        period = self.steps.period
        for residue in range(period):
            domain = Domain(self.start + residue, None, period)
            here, after = (lift(expression(tree, time_symbol(k), domain)) for k in (0, 1))
            if not at_least_zero(here, domain) or not at_least_zero(
                    here - after - lift(self.steps.symbolic(0, domain)), domain):
                raise Reject("regime/1: the tail does not bound the step sizes")
        value = expression(tree, Rat(self.start))
        assert isinstance(value, Rat)
        return value

    def _closed_form_is_right(self) -> None:
        """c(T) = 1 and c(t+1) = c(t) (1 - g(t)) identically."""
        if expression(self.form, Rat(self.start)) != ONE:
            raise Reject("regime/1: the closed form of c is not 1 at T")
        for residue in range(self.steps.period):
            domain = Domain(self.start + residue, None, self.steps.period)
            here, after = (lift(expression(self.form, time_symbol(k), domain)) for k in (0, 1))
            if not same(after, here * (lift(ONE) - lift(self.steps.symbolic(0, domain)))):
                raise Reject("regime/1: the closed form of c does not follow the step sizes")

    def contraction_at(self, t: int) -> Rat:
        """c_t."""
        if self.form is not None:
            exact = expression(self.form, Rat(t))
            assert isinstance(exact, Rat)
            return exact
        now, value = self._reached if self._reached[0] <= t else (self.start, ONE)
        if t - now > LIMIT_TRIALS:
            raise Undecided("a contraction without a closed form, too far ahead")
        while now < t:
            value = value * (ONE - self.steps.at(now))
            now += 1
        self._reached = (t, value)
        return value

    def contraction(self, offset: int, domain: Domain) -> Ratio:
        """c at t + offset for all t of the domain; the same object each time, so that spans can tell."""
        self.used = True
        key = ("contraction", offset)
        if key not in domain.memory:
            domain.memory[key] = self._contraction(offset, domain)
        found: Ratio = domain.memory[key]
        return found

    def _contraction(self, offset: int, domain: Domain) -> Ratio:
        if self.form is not None:
            return lift(expression(self.form, time_symbol(offset), domain))
        if offset < 0:
            raise Undecided("an earlier time in a regime without a closed form")
        domain.scales["c"] = self.contraction_at(domain.start)
        if domain.scales["c"].n == 0:
            return lift(Rat(0))
        if self.may_vanish:
            domain.closed.add("c")
        value = Ratio(Poly.symbol("c"))
        for k in range(offset):
            value = value * (lift(ONE) - lift(self.steps.symbolic(k, domain)))
        return value

    def position(self, i: int, offset: int, domain: Domain) -> Span:
        """x_i at t + offset for all t of the domain."""
        self.used = True
        if domain.start < self.start or domain.start + offset < self.start:
            raise Undecided("a time before the regime")
        parts: list[Part] = [(ONE, self.rest[i], self.den)]
        if self.base[i] != self.rest[i]:
            parts.append((self.contraction(offset, domain), _minus(self.base[i], self.rest[i]), self.den))
        return Span(parts)

    def state(self, t: int) -> State:
        self.used = True
        c = self.contraction_at(t)
        rows = [[v * c.d + c.n * (x - v) for x, v in zip(base, rest, strict=True)]
                for base, rest in zip(self.base, self.rest, strict=True)]
        return State(rows, self.den * c.d)

    def decay(self) -> str:
        """How c behaves where it has no closed form.

        "geometric", "slow" (to 0, slower than any geometric rate), "vanishing" (to 0), "positive" or "unknown".
        """
        if self.steps.kind != "scale":
            tail = self.steps.values if self.steps.kind == "cycle" else self.steps.values[-1:]
            return "geometric" if any(g.n for g in tail) else "unknown"
        degrees = set()
        for residue in range(self.steps.period):
            domain = Domain(self.start + residue, None, self.steps.period)
            g = lift(self.steps.symbolic(0, domain))
            num, den = without_decaying(g.num), without_decaying(g.den)
            if not den.terms or num.symbols() not in ([], ["t"]) or den.symbols() not in ([], ["t"]):
                return "unknown"
            degrees.add(num.degree("t") - den.degree("t") if num.terms else -99)
        if 0 in degrees:
            return "geometric"
        if max(degrees) == -1:
            return "vanishing" if self.may_vanish else "slow"
        return "unknown" if self.may_vanish else "positive"


def without_decaying(poly: Poly) -> Poly:
    """The terms without a power r^t, |r| < 1: what is left as t grows."""
    return Poly({m: a for m, a in poly.terms.items() if not any(name.startswith("e:") for name, _ in m)})


def _minus(left: list[int], right: list[int]) -> list[int]:
    return [a - b for a, b in zip(left, right, strict=True)]


def _segments(state: State, targets: list[Any], policy: str) -> tuple[list[list[int]], list[list[int]], int]:
    """Integer rows of x_i and v_i over one denominator, after checking that leaders rest."""
    n = len(state.rows)
    if len(targets) != n:
        raise Reject("regime/1: one list of leaders for each token")
    means = []
    for chosen in targets:
        if (type(chosen) is not list or not chosen or any(type(k) is not int or not 0 <= k < n for k in chosen)
                or sorted(set(chosen)) != chosen or (policy == "every" and len(chosen) != 1)):
            raise Reject("regime/1: not a list of leaders")
        rows = [state.rows[k] for k in chosen]
        if policy == "average-points":
            rows = [row for k, row in enumerate(rows) if row not in rows[:k]]
        means.append(([sum(column) for column in zip(*rows, strict=True)], len(rows)))
    total = 1
    for _, count in means:
        total = total * count // gcd(total, count)
    base = [[total * entry for entry in row] for row in state.rows]
    rest = [[(total // count) * entry for entry in row] for row, count in means]
    if any(base[k] != rest[k] for chosen in targets for k in chosen):
        raise Reject("regime/1: a leader does not rest")
    return base, rest, state.den * total


def _proportional(sequence: Sequence, start: int) -> bool:
    """Whether B^t = s(t) B^T with s(t) > 0 for all t >= T."""
    if sequence.kind == "scale":
        sign = lift(Rat(expression(sequence.scale, Rat(start)).sign()))
        return always(sequence, start, lambda s, domain: at_least_zero(lift(s) * sign, domain, True))
    first = sequence.at(start)
    values = sequence.values if sequence.kind == "cycle" else sequence.values[min(start, len(sequence.values) - 1):]
    return all(_positive_multiple(value, first) for value in values)


def _positive_multiple(value: list[list[Rat]], first: list[list[Rat]]) -> bool:
    factor = None
    for row, other in zip(value, first, strict=True):
        for entry, base in zip(row, other, strict=True):
            if factor is None and base.n:
                factor = entry / base
            if base.n == 0 and entry.n:
                return False
    if factor is None or factor.n <= 0:
        return factor is None
    return all(entry == factor * base for row, other in zip(value, first, strict=True)
               for entry, base in zip(row, other, strict=True))
