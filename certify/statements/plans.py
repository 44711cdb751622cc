"""Plans: how each quantifier over time is discharged.

The planner proposes steps (single times, ranges in closed form, traps) and asks the verifier's own kernel what each
decides. A range that is not decided is moved on, halved, or given up; nothing is ever concluded from not knowing.
"""
from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import lcm
from time import monotonic
from typing import Any

from ..theories import Finder
from ..theories.trap import FindingTrap
from ..verifier.evaluate import Env, Later, unbounded
from ..verifier.exact import Rat, Reject, Undecided
from ..verifier.kernel import FOREVER, Court, Outcome, PlanError, big
from ..verifier.limits import decide_limit, distance
from ..verifier.polynomial import Poly
from ..verifier.schedules import lift
from ..verifier.sorts import TOKEN, Tree, sort_of_name

FARTHEST = 2**200  # how far ahead a closed form is followed
LARGEST_PERIOD = 64
MOST_ENVIRONMENTS = 64  # values of the names around a quantifier over time for which one plan is looked for
LIMITS = ("tends", "bigO", "geometric")


class Deadline(Exception):
    """The time allowed for a check is used up."""


class PlanningCourt(Court):
    """The verifier's court, with traps that choose their tangent point and a clock."""

    lemmas: Finder
    deadline: float | None = None
    effort: int = 0  # atoms and bound values so far: a measure of work that is the same on every machine

    def enter(self, step: Any) -> int:
        period = super().enter(step)
        if self.evaluator.trap is not None:
            start, found = self.evaluator.trap
            self.evaluator.trap = (start, FindingTrap(found.points, step, found.psd))
        return period

    def tick(self) -> None:
        if self.deadline is not None and monotonic() > self.deadline:
            raise Deadline


class Planner:
    """Finds plans for the lines of one claim along one selection."""

    def __init__(self, court: PlanningCourt, horizon: int, determined: int | None, traps: bool = True) -> None:
        self.court, self.horizon, self.traps = court, horizon, traps
        self.determined = determined  # last time with a known state, None if all are known
        sequences = court.instance.sequences.values()
        self.settled = max((s.settled for s in sequences), default=0)
        period = lcm(*(s.period for s in sequences)) if court.instance.sequences else 1
        self.period = period if period <= LARGEST_PERIOD else 0
        regime = court.trajectory.regime
        self.regime_start = regime.start if regime is not None else None

    # ---- one line

    def line(self, name: str, formula: Tree) -> Outcome:
        """Plan one line (and every quantifier or limit inside it) and return what the plan shows."""
        self.court.line = name
        if formula[0] == "forall" and unbounded(formula) is not None:
            self._inner(name, formula, ())
            steps = self._quantifier(formula, {}, ())
            if steps:
                self.court.lines[name] = steps
        else:
            self._nested(name, formula, ())
        return self.court.outcome(name, formula)

    def _inner(self, name: str, tree: Tree, path: tuple[int, ...], tokens: tuple[str, ...] | None = ()) -> None:
        """Plans for quantifiers over time and limits below the top; `tokens` are the names bound around them."""
        if tree[0] in ("and", "or", "not", "implies", "iff"):
            for k, part in enumerate(tree[1:], 1):
                self._nested(name, part, (*path, k), tokens)
        elif tree[0] in ("forall", "exists"):
            names = tuple(binder[0] for binder in tree[1])
            inside = None if tokens is None or any(sort_of_name(each) != TOKEN for each in names) else tokens + names
            self._nested(name, tree[2], (*path, 2), inside)

    def _nested(self, name: str, tree: Tree, path: tuple[int, ...], tokens: tuple[str, ...] | None = ()) -> None:
        self._inner(name, tree, path, tokens)
        key = name + "".join(f"/{k}" for k in path)
        if tree[0] in LIMITS:
            step = self._limit(tree)
            if step is not None:
                self.court.lines[key] = [step]
        elif tree[0] in ("forall", "exists") and unbounded(tree) is not None:
            steps = self._shared(tree, path, self._environments(tree, tokens))
            if steps:
                self.court.lines[key] = steps

    def _environments(self, tree: Tree, tokens: tuple[str, ...] | None) -> list[Env]:
        """The values of the names around a quantifier that it uses; none at all where they are times or too many."""
        count, used = len(self.court.instance.tokens), self.court.evaluator.free(tree)
        names = None if tokens is None else [name for name in dict.fromkeys(tokens) if name in used]
        if names is None or count ** len(names) > MOST_ENVIRONMENTS:
            return [{}]
        return [dict(zip(names, places, strict=True)) for places in product(range(count), repeat=len(names))]

    def _shared(self, tree: Tree, path: tuple[int, ...], environments: list[Env]) -> list[dict[str, Any]]:
        """A plan that decides a quantifier for all values of the names around it, or none."""
        plans: list[list[dict[str, Any]]] = []
        for env in environments:
            try:
                plans.append(self._quantifier(tree, env, path))
            except KeyError:  # the body depends on names that have no value here
                return []
        singles = [int(step["to"]) for steps in plans for step in steps if step["by"] == "each"]
        lowest = min((int(steps[0]["from"]) for steps in plans if steps), default=0)
        if singles:  # each value has a failure of its own
            plans.append([{"by": "each", "from": big(lowest), "to": big(max(singles))}])
        seen: list[list[dict[str, Any]]] = []
        for steps in plans:
            if steps and steps not in seen:
                seen.append(steps)
                if all(self._settles(tree, env, path, steps) for env in environments):
                    return steps
        return []

    def _settles(self, tree: Tree, env: Env, path: tuple[int, ...], steps: list[dict[str, Any]]) -> bool:
        try:
            outcome = self.court.run(tree, env, path, steps)
        except (PlanError, Undecided):
            return False
        return outcome.value is not None and (outcome.value is not (tree[0] == "forall") or outcome.scope == FOREVER)

    # ---- quantifiers over time

    def _decide(self, tree: Tree, env: Env, path: tuple[int, ...], step: dict[str, Any]) -> bool | None:
        """What one step shows by itself: the truth of the quantifier's body at its times, or None."""
        self.court.tick()
        self.court.effort += self.court.evaluator.spent
        self.court.evaluator.spent = self.court.trajectory.work = 0  # a verifier's limits are for the final plan
        goal = tree[0] == "forall"
        try:
            return goal if self.court.step(tree, env, path, step) is None else not goal
        except (PlanError, Undecided):
            return None

    def _quantifier(self, tree: Tree, env: Env, path: tuple[int, ...]) -> list[dict[str, Any]]:
        goal = tree[0] == "forall"
        place = unbounded(tree)
        assert place is not None
        binder = tree[1][place]
        lowest = self.court.lowest(binder, env)
        if lowest is None:
            return []
        for start, end in self._tail_spans(lowest):
            tail = self._decide(tree, env, path, self._range(start, end))
            if tail is None:
                continue
            # a failure lies at one of the first times of the range, one for each residue class
            last = start - 1 if tail is goal else start + self.period - 1
            steps = self._cover(tree, env, path, lowest, last)
            if tail is goal and not _ended(steps):
                steps.append(self._range(start, end))
            return _clean(steps)
        return self._without_closed_form(tree, env, path, lowest)

    def _range(self, start: int, end: int | str) -> dict[str, Any]:
        return {"by": "range", "from": big(start), "to": end if isinstance(end, str) else big(end),
                "period": self.period or 1}

    def _tail_spans(self, lowest: int) -> Iterator[tuple[int, str]]:
        """Starts from which to try a closed form for ever: where data settle, where a regime begins, then far ahead."""
        if not self.period:
            return
        starts = sorted({lowest, max(lowest, self.settled), max(lowest, self.regime_start or 0)})
        yield from ((start, FOREVER) for start in starts)
        ahead = 1
        while ahead < FARTHEST and (self.regime_start is not None or ahead < 5_000):
            yield starts[-1] + ahead, FOREVER
            ahead *= 2

    def _cover(self, tree: Tree, env: Env, path: tuple[int, ...], start: int, end: int) -> list[dict[str, Any]]:
        """Steps over start..end, ending early (marked) at the first failure."""
        steps: list[dict[str, Any]] = []
        closed = max(self.settled, self.regime_start if self.regime_start is not None else 0)
        if start <= min(end, closed - 1):
            stop = min(end, closed - 1)
            if self._singles(tree, env, path, start, stop, steps):
                return steps
            start = stop + 1
        pending = [(start, end)] if start <= end else []
        while pending:
            low, high = pending.pop()
            if high - low < 3:
                if self._singles(tree, env, path, low, high, steps):
                    return steps
                continue
            found = self._decide(tree, env, path, self._range(low, high))
            if found is (tree[0] == "forall"):
                steps.append(self._range(low, high))
            elif found is not None:
                self._singles(tree, env, path, low, min(high, low + self.period - 1), steps)
                return steps
            else:
                middle = (low + high) // 2
                pending += [(middle + 1, high), (low, middle)]
        return steps

    def _singles(self, tree: Tree, env: Env, path: tuple[int, ...], start: int, end: int,
                 steps: list[dict[str, Any]]) -> bool:
        """Times one by one; True if the walk ended (a failure, or a time that is not decided)."""
        for t in range(start, end + 1):
            found = self._decide(tree, env, path, {"by": "each", "from": big(t), "to": big(t)})
            if found is None:
                steps.append({"by": "stuck"})
                return True
            last = steps[-1] if steps else None
            if last is not None and last["by"] == "each" and int(last["to"]) == t - 1:
                last["to"] = big(t)
            else:
                steps.append({"by": "each", "from": big(t), "to": big(t)})
            if found is not (tree[0] == "forall"):
                steps.append({"by": "failed"})
                return True
        return False

    def _without_closed_form(self, tree: Tree, env: Env, path: tuple[int, ...], lowest: int) -> list[dict[str, Any]]:
        """Times one by one to the horizon; beyond what is determined, a trap."""
        steps: list[dict[str, Any]] = []
        self._singles(tree, env, path, lowest, max(self.horizon, lowest), steps)
        if _failed(steps):
            return _clean(steps)
        steps = _clean(steps)
        reached = int(steps[-1]["to"]) if steps else lowest - 1
        beyond = self._trap_quantifier(tree, env, path, reached + 1)
        if beyond is None:
            return steps
        step, holds = beyond
        return [*steps, step] if holds else [step]

    # ---- traps

    def _trap_starts(self) -> list[int]:
        """Times at which to close a trap: early ones have small numbers, late ones small hulls."""
        if self.court.system is None or not self.court.trajectory.native or not self.traps:
            return []
        last = self.horizon if self.determined is None else min(self.determined, self.horizon)
        starts = [t for k in range(40) for t in (2**k - 1, 3 * 2**k - 1) if t <= last]
        return sorted({*starts, last})

    def _trap(self, trap_start: int, start: int, end: int | str) -> dict[str, Any]:
        return {**self._range(start, end), "by": "trap", "T": trap_start}

    def _trap_quantifier(self, tree: Tree, env: Env, path: tuple[int, ...],
                         start: int) -> tuple[dict[str, Any], bool] | None:
        """A trap that decides the rest, with True; or one that shows a failure, with False."""
        goal = tree[0] == "forall"
        if not self.period:
            return None
        for trap_start in self._trap_starts():
            for ahead in (0, *(2**k for k in range(64))):
                step = self._trap(trap_start, max(start, trap_start) + ahead, FOREVER)
                found = self._decide(tree, env, path, step)
                if found is None:
                    if ahead > 2**20 and "tangent" not in step:
                        break
                    continue
                if found is goal:
                    if ahead == 0 and step["from"] == start:
                        return step, True
                    break
                return self._earliest_failure(tree, env, path, trap_start, max(start, trap_start), step), False
        return self._longest_trap(tree, env, path, start)

    def _earliest_failure(self, tree: Tree, env: Env, path: tuple[int, ...], trap_start: int, low: int,
                          known: dict[str, Any]) -> dict[str, Any]:
        """The first single time at which the trap shows a failure, by bisection."""
        def single(t: int) -> dict[str, Any]:
            step = {**self._trap(trap_start, t, t), "period": 1}
            return {**step, "tangent": known["tangent"]} if "tangent" in known else step

        high = int(known["from"])
        best = single(high)
        while low < high:
            middle = (low + high) // 2
            step = single(middle)
            found = self._decide(tree, env, path, step)
            if found is (tree[0] != "forall"):
                best, high = step, middle
            else:
                low = middle + 1
        return best

    def _longest_trap(self, tree: Tree, env: Env, path: tuple[int, ...],
                      start: int) -> tuple[dict[str, Any], bool] | None:
        """A trap that shows the statement up to some time within the horizon."""
        if start > self.horizon:
            return None
        starts = [t for t in self._trap_starts() if t <= start]
        for trap_start in reversed(starts[-3:]):
            low, high, best = start, self.horizon, None
            while low <= high:
                middle = (low + high) // 2
                step = {**self._trap(trap_start, start, middle), "period": self.period}
                found = self._decide(tree, env, path, step)
                if found is (tree[0] == "forall"):
                    best, low = step, middle + 1
                else:
                    high = middle - 1
            if best is not None:
                return best, True
        return None

    # ---- limits

    def _limit(self, tree: Tree) -> dict[str, Any] | None:
        """A step that decides a limit for every value of the names around it that can be decided at all."""
        candidates: list[dict[str, Any]] = []
        if self.period:
            start = max(self.settled, self.regime_start or 0)
            candidates += [self._range(start + ahead, FOREVER) for ahead in (0, 1, 2, 4, 8, 64)]
            candidates += [self._trap(t, max(t, self.settled), FOREVER) for t in self._trap_starts()]
        for step in candidates:
            for above in (False, True) if step["by"] == "trap" else (False,):
                trial = dict(step)
                if trial["by"] == "trap" and not self._with_rate(tree, trial, above):
                    continue
                if any(self._limit_truth(tree, env, trial) is not None for env in self._some_tokens()):
                    return trial
        return None

    def _some_tokens(self) -> Iterator[Env]:
        """Values for the token names that may be bound around a limit."""
        for i in range(min(len(self.court.instance.tokens), 50) or 1):
            yield dict.fromkeys(("i", "j", "k", "l"), i)

    def _limit_truth(self, tree: Tree, env: Env, step: dict[str, Any]) -> bool | None:
        self.court.tick()
        try:
            return decide_limit(self.court, tree, env, [step])
        except (Reject, Undecided, KeyError):
            return None

    def _with_rate(self, tree: Tree, step: dict[str, Any], above: bool) -> bool:
        """Give a trap the lower (upper) bound that it shows."""
        court, evaluator = self.court, self.court.evaluator
        env: Env = dict.fromkeys(("i", "j", "k", "l"), 0)
        try:
            court.enter(step)
            domain = evaluator.domain = evaluator.new_domain(int(step["from"]), None, step["period"])
            quotient = lift(distance(evaluator, tree, env, {**env, tree[1]: Later(0)}))
            assert evaluator.trap is not None and isinstance(evaluator.trap[1], FindingTrap)
            rate = evaluator.trap[1].rate(quotient.num, domain, above)
            if rate is None or not domain.nonnegative(rate, True):
                return False
            step["rate"] = quotient_tree(rate, quotient.den)
        except (Reject, Undecided, KeyError):
            return False
        finally:
            evaluator.domain = evaluator.trap = None
        return True


def _ended(steps: list[dict[str, Any]]) -> bool:
    return bool(steps) and steps[-1]["by"] in ("failed", "stuck")


def _failed(steps: list[dict[str, Any]]) -> bool:
    return bool(steps) and steps[-1]["by"] == "failed"


def _clean(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [step for step in steps if step["by"] not in ("failed", "stuck")]


def quotient_tree(num: Poly, den: Poly) -> Tree:
    """A quotient of polynomials in t as an expression."""
    return ["div", _poly_tree(num), _poly_tree(den)]


def _poly_tree(poly: Poly) -> Tree:
    total: Tree = None
    for power, part in enumerate(poly.by_power("t")):
        constant = part.as_constant()
        if constant is None:
            raise Undecided("a rate that depends on more than t")
        if constant.n == 0 and total is not None:
            continue
        term = _rat_tree(constant)
        if power:
            term = ["mul", term, ["pow", ["var", "t"], ["num", str(power)]]]
        total = term if total is None else ["add", total, term]
    return total


def _rat_tree(value: Rat) -> Tree:
    top, _, bottom = value.text().lstrip("-").partition("/")
    tree = ["div", ["num", top], ["num", bottom]] if bottom else ["num", top]
    return ["neg", tree] if value.n < 0 else tree
