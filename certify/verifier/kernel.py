"""From a certificate to accept or reject: lemmas, plans for quantifiers over time, ledger, verdict.

Nothing here finds anything. Each line of the claim is evaluated along its plan, each lemma is verified once, and the
ledger and the verdict follow from truth and scope alone; they must then equal what the certificate says.
"""
from __future__ import annotations

from typing import Any

from . import printer
from .boxes import BoxTrajectory
from .evaluate import NO_PLAN, Env, Evaluator, Later, Truth, unbounded
from .exact import Rat, Reject, Undecided, common_denominator
from .limits import decide_limit
from .load import MAX_INT, address, canonical
from .regions import exact_form
from .samples import interval
from .sorts import Tree, check_claim
from .systems import HARDMAX, Instance, State, Trajectory, read_selection, read_vector
from .theories import cells, faces, hull, program, psd, regime, trap

FORMAT = "certify/1"
LEMMA_THEORIES = {theory.NAME: theory for theory in (psd, hull, faces, program, cells)}
FIELDS = {"format", "theories", "claim", "instance", "verdict", "ledger", "lemmas", "plans", "provenance"}
FOREVER = "forever"


class Lemmas:
    """The lemmas of a certificate, each verified when it is first asked for."""

    def __init__(self, field: object) -> None:
        if not isinstance(field, dict):
            raise Reject("lemmas is not an object")
        self.field: dict[str, Any] = field
        self.answers: dict[str, Any] = {}
        self.theories: set[str] = set()

    def ask(self, operator: str, args: list[Any]) -> Any:
        key = lemma_address(operator, args)
        if key not in self.answers:
            lemma = self.field.get(key)
            if not isinstance(lemma, dict) or set(lemma) != {"theory", "answer", "witness"}:
                raise Reject(f"a lemma on {operator} is missing")
            theory = LEMMA_THEORIES.get(lemma["theory"]) if type(lemma["theory"]) is str else None
            if theory is None or operator not in theory.OPERATORS:
                raise Reject(f"no theory {str(lemma['theory'])[:40]!r} for {operator}")
            self.answers[key] = theory.check(operator, args, lemma["answer"], lemma["witness"])
            self.theories.add(theory.NAME)
        return self.answers[key]


def lemma_address(operator: str, args: list[Any]) -> str:
    return address([operator, exact_text(args)])


def exact_text(value: Any) -> Any:
    """Exact values as canonical strings."""
    return [exact_text(entry) for entry in value] if isinstance(value, list) else value.text()


class Outcome:
    """Truth of one line with its scope in time, and where it fails."""

    def __init__(self, value: Truth, scope: int | str | None = None, where: dict[str, int] | None = None,
                 first: bool = False, found: Any = None) -> None:
        self.value, self.scope, self.where, self.first = value, scope, where or {}, first
        self.found = found  # the exact value that a claim of kind value asks for


class PlanError(Reject):
    """A step of a plan does not decide what it says."""


class Court:
    """One claim on one instance along one selection, with the plans and lemmas that are offered."""

    def __init__(self, claim: Tree, system: Tree, instance: object, plans: object, lemmas: Any) -> None:
        check_claim(claim, system)
        if not isinstance(plans, dict) or not {"lines"} <= set(plans) <= {"lines", "selection", "regime"}:
            raise Reject("plans is not an object with lines")
        if not isinstance(plans["lines"], dict):
            raise Reject("plans of lines is not an object")
        self.claim, self.system, self.lemmas = claim, system, lemmas
        self.lines: dict[str, Any] = plans["lines"]
        self.used_plans: set[str] = set()
        self.theories: set[str] = set()
        self.instance = Instance(instance, system, claim[5])
        selection = read_selection(plans["selection"]) if "selection" in plans else {}
        if selection and claim[4][1] != "every":
            raise Reject("a selection is only for claims about every selection")
        if (self.instance.random is not None) is not (claim[2] == "statistic"):
            raise Reject("random starts are for claims of kind statistic, and these for random starts")
        several = self.instance.box is not None or self.instance.random is not None
        if several and ("selection" in plans or "regime" in plans):
            raise Reject("a box of starts and random starts have no selection and no regime")
        self.trajectory: Any
        if self.instance.box is not None:
            self.trajectory = BoxTrajectory(self.instance, system == HARDMAX)
        else:
            self.trajectory = Trajectory(self.instance, system, claim[4][1], selection, self._interpreted)
        self.evaluator = Evaluator(claim, system, self.instance, self.trajectory, lemmas.ask)
        self.evaluator.plan = self._nested
        self.line = ""
        if "regime" in plans:
            if system is None:
                raise Reject("system none has no regime")
            self.trajectory.regime = regime.Regime(plans["regime"], self.trajectory)
            self.theories.add(regime.NAME)

    def _interpreted(self, state: State, t: int) -> State:
        """One step of a system that has no native code here."""
        def pick(now: State, when: int, i: int, near: list[int]) -> list[Rat]:
            parts, weight = self.trajectory.target(now, when, i, near)
            entries = [sum(share * now.rows[j][k] for j, share in parts) for k in range(len(now.rows[0]))]
            return [Rat(entry, now.den * weight) for entry in entries]

        found = self.evaluator.interpret_step(self.system, pick)(state, t)
        rows, den = common_denominator([[value.reduced() for value in row] for row in found])
        return State(rows, den)

    # ---- plans

    def _steps(self, path: tuple[int, ...]) -> list[Any] | None:
        key = self.line + "".join(f"/{k}" for k in path)
        if -1 in path or key not in self.lines:
            return None
        self.used_plans.add(key)
        steps = self.lines[key]
        if type(steps) is not list or not steps or any(not isinstance(step, dict) for step in steps):
            raise Reject(f"the plan of {key} is not a list of steps")
        return steps

    def _nested(self, tree: Tree, env: Env, path: tuple[int, ...]) -> Truth:
        """A quantifier over all times, or a limit, inside a formula: true only if true for ever."""
        free = self.evaluator.domain is None and not self.evaluator.shares
        steps = self._steps(path) if free else None
        if steps is None:
            return None
        if tree[0] in ("tends", "bigO", "geometric"):
            return decide_limit(self, tree, env, steps)
        outcome = self.run(tree, env, path, steps)
        goal = tree[0] == "forall"
        return outcome.value if outcome.value is (not goal) or outcome.scope == FOREVER else None

    def run(self, tree: Tree, env: Env, path: tuple[int, ...], steps: list[Any]) -> Outcome:
        """Evaluate a quantifier over time along its plan."""
        place = unbounded(tree)
        assert place is not None
        goal, binder = tree[0] == "forall", tree[1][place]
        lowest = self.lowest(binder, env)
        if lowest is None or any(
                binder[0] in self.evaluator.free(part) for part in tree[1][:place]):
            return Outcome(None)
        covered, gap, forever = lowest, False, False
        for number, step in enumerate(steps):
            start, end = read_span(step)
            if forever or start < covered or (end != FOREVER and end < start):
                raise PlanError("the steps of a plan are not in order")
            gap = gap or start != covered
            found = self.step(tree, env, path, step)
            if found is not None:
                if number + 1 != len(steps):
                    raise PlanError("a plan goes on after it has failed")
                t, where, clean = found
                return Outcome(not goal, None, {**tokens_of(tree, where), "t": t}, clean and not gap)
            forever = end == FOREVER
            covered = start if forever else end + 1
        if gap:
            raise PlanError("a plan leaves out some times")
        return Outcome(goal, FOREVER if forever else covered - 1)

    def lowest(self, binder: Tree, env: Env) -> int | None:
        """The first time of an unbounded binder, if it is a number."""
        if len(binder) == 1:
            return 0
        try:
            found = self.evaluator.time(binder[2], env) if self.evaluator.free(binder[2]) <= set(env) else None
        except Undecided:
            return None
        return found if isinstance(found, int) else None

    def step(self, tree: Tree, env: Env, path: tuple[int, ...], step: Any) -> tuple[int, Env, bool] | None:
        """One step of a plan: None if it shows the goal at all its times, else where it fails first."""
        start, end = read_span(step)
        place = unbounded(tree)
        assert place is not None
        others = tree[1][:place] + tree[1][place + 1:]
        act = self._each if step["by"] == "each" else self._range
        return act(tree, env, path, step, tree[1][place][0], others, start, end)

    def _each(self, tree: Tree, env: Env, path: tuple[int, ...], step: Any, name: str, others: list[Tree],
              start: int, end: Any) -> tuple[int, Env, bool] | None:
        """Times one by one."""
        if set(step) != {"by", "from", "to"} or end == FOREVER:
            raise PlanError("not a step over single times")
        goal = tree[0] == "forall"
        for t in range(start, end + 1):
            value, where, clean = self.evaluator.every(goal, others, tree[2], {**env, name: t}, (*path, 2))
            if value is None:
                raise PlanError(f"undecided at t = {t}")
            if value is not goal:
                return t, where, clean
        return None

    def _range(self, tree: Tree, env: Env, path: tuple[int, ...], step: Any, name: str, others: list[Tree],
               start: int, end: Any) -> tuple[int, Env, bool] | None:
        """All times of a range at once, a residue class after the other."""
        goal = tree[0] == "forall"
        if "rate" in step:
            raise PlanError("a rate is only for limits")
        period = self.enter(step)
        last = None if end == FOREVER else end
        try:
            for residue in range(period if last is None else min(period, last - start + 1)):
                first = start + residue
                final = last if last is None else first + (last - first) // period * period
                self.evaluator.domain = self.evaluator.new_domain(first, final, period)
                value, where, clean = self.evaluator.every(goal, others, tree[2], {**env, name: Later(0)}, (*path, 2))
                if value is None:
                    raise PlanError(f"undecided from t = {first}")
                if value is not goal:
                    return first, where, clean and residue == 0
        finally:
            self.evaluator.domain = self.evaluator.trap = None
        return None

    def enter(self, step: Any) -> int:
        """Set up a step over a range; return its period."""
        keys = {"by", "from", "to", "period"}
        if step["by"] == "trap":
            keys |= {"T", "tangent"} if "tangent" in step else {"T"}
        if step["by"] == "trap" and "rate" in step:
            keys.add("rate")
        if step["by"] not in ("range", "trap") or set(step) != keys:
            raise PlanError("not a step over a range")
        period = step["period"]
        if type(period) is not int or not 1 <= period <= 10_000:
            raise PlanError("not a period")
        if step["by"] == "trap":
            if not self.evaluator.hull_shrinks or type(step["T"]) is not int or self.instance.random is not None:
                raise PlanError("a trap needs hardmax with steps in [0, 1] and one start")
            points = self.trajectory.state(step["T"]).points()
            tangent = read_vector(step["tangent"], self.instance.dimension) if "tangent" in step else None
            self.theories.add(trap.NAME)
            found = trap.Trap(points, tangent, lambda matrix: bool(self.lemmas.ask("psd", [matrix])))
            self.evaluator.trap = (step["T"], found)
        return period

    # ---- lines and verdict

    def outcome(self, name: str, formula: Tree) -> Outcome:
        """Truth and scope of one line."""
        self.line = name
        if name == "assertion" and self.claim[2] == "value":
            try:
                return Outcome(True, FOREVER, found=exact_form(self.evaluator, self.evaluator.term(formula, {})))
            except Undecided:
                return Outcome(None)
        if formula[0] == "forall" and unbounded(formula) is not None:
            steps = self._steps(())
            return Outcome(None) if steps is None else self.run(formula, {}, (), steps)
        if formula[0] == "forall":
            value, where, clean = self.evaluator.every(True, formula[1], formula[2], {}, (2,))
            place = tokens_of(formula, where) if value is False else {}
            return Outcome(value, FOREVER if value else None, place, clean)
        try:
            value = self.evaluator.truth(formula, {}, ())
        except Undecided:
            value = None
        return Outcome(value, FOREVER if value else None, {}, value is False)

    def judge(self) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """The ledger and the verdict that truth and scope give."""
        ledger, outcomes = [], []
        for name, formula in self.claim[7]:
            outcomes.append(self.outcome(name, formula))
            ledger.append(ledger_line(name, outcomes[-1]))
        self.evaluator.atoms = 0
        if self.claim[2] == "statistic":
            return ledger, self._measured(ledger)
        asserted = self.outcome("assertion", self.claim[8])
        ledger.append(ledger_line("assertion", asserted))
        empty = asserted.scope == FOREVER and self.evaluator.atoms == 0
        return ledger, verdict_of(self.claim, ledger, outcomes, asserted, empty,
                                  bool(self.trajectory.selection))


    def _measured(self, ledger: list[dict[str, Any]]) -> dict[str, Any]:
        """The share of random starts on which the assertion is true, each decided exactly."""
        false = next((line["name"] for line in ledger if line["status"] == "false"), None)
        if false is not None:
            return {"kind": "vacuous", "line": false}
        if any(line["status"] != "true" or line["scope"] != FOREVER for line in ledger):
            return {"kind": "undecided"}
        random = self.instance.random
        assert random is not None
        hits = 0
        for _ in range(random.samples):
            start = self.instance.at_start(random.draw())
            trajectory = Trajectory(start, self.system, self.claim[4][1], {}, self._interpreted)
            evaluator = Evaluator(self.claim, self.system, start, trajectory, self.lemmas.ask)
            evaluator.arrays, evaluator.spent = self.evaluator.arrays, self.evaluator.spent
            found = evaluator.truth(self.claim[8], {}, NO_PLAN)
            if found is None:
                return {"kind": "undecided"}
            hits += found
            self.evaluator.spent, self.evaluator.atoms = evaluator.spent, self.evaluator.atoms + evaluator.atoms
        low, high = interval(hits, random.samples)
        return {"kind": "measured", "true": hits, "samples": random.samples, "low": low.text(), "high": high.text(),
                "level": "19/20"}


def tokens_of(tree: Tree, where: Env) -> dict[str, int]:
    """The first token among the quantified names, as `i`."""
    for binder in tree[1]:
        if binder[0][0] in "ijkl" and isinstance(where.get(binder[0]), int):
            return {"i": where[binder[0]]}
    return {}


def big(value: int) -> int | str:
    """Times of 2^31 or more are written as decimal strings."""
    return value if value < MAX_INT else str(value)


def read_time(value: object) -> int:
    if type(value) is int and value >= 0:
        return value
    if type(value) is str and value.isdigit() and len(value) < 2_000 and int(value) >= MAX_INT \
            and str(int(value)) == value:
        return int(value)
    raise PlanError("not a time")


def read_span(step: dict[str, Any]) -> tuple[int, Any]:
    if "from" not in step or "to" not in step or "by" not in step:
        raise PlanError("not a step of a plan")
    return read_time(step["from"]), FOREVER if step["to"] == FOREVER else read_time(step["to"])


def ledger_line(name: str, outcome: Outcome) -> dict[str, Any]:
    line: dict[str, Any] = {"name": name, "status": {True: "true", False: "false", None: "undecided"}[outcome.value]}
    if outcome.value is True:
        line["scope"] = big(outcome.scope) if isinstance(outcome.scope, int) else outcome.scope
    if outcome.value is False and "t" in outcome.where:
        line["t"] = big(outcome.where["t"])
    return line


def verdict_of(claim: Tree, ledger: list[dict[str, Any]], outcomes: list[Outcome], asserted: Outcome, empty: bool,
               selected: bool) -> dict[str, Any]:
    """The table of verdicts."""
    false = next((line["name"] for line, o in zip(ledger, outcomes, strict=False) if o.value is False), None)
    exhibit = claim[2] == "exhibit"
    if false is not None:
        return {"kind": "undecided" if selected else "vacuous", "line": false}
    scopes = [o.scope if o.value is True else None for o in outcomes]
    if claim[2] == "value":
        known = asserted.value is True and all(scope == FOREVER for scope in scopes) and not selected
        return {"kind": "value", "value": asserted.found} if known else {"kind": "undecided"}
    if asserted.value is False and all(scope == FOREVER for scope in scopes):
        if exhibit:
            return {"kind": "undecided" if selected else "not here"}
        return {"kind": "refuted", "first": asserted.first,
                **{key: big(value) for key, value in asserted.where.items()}}
    if asserted.value is not True or any(scope is None for scope in scopes):
        return {"kind": "undecided"}
    if exhibit:
        whole = all(scope == FOREVER for scope in (*scopes, asserted.scope))
        return {"kind": "exhibited" if whole else "undecided"}
    if empty:
        return {"kind": "undecided" if selected else "vacuous", "line": "assertion"}
    if selected:
        return {"kind": "undecided"}
    finite = [scope for scope in (*scopes, asserted.scope) if isinstance(scope, int)]
    return {"kind": "holds", "T": big(min(finite)) if finite else FOREVER}


def evidence_of(verdict: dict[str, Any]) -> str:
    return "statistical" if verdict["kind"] == "measured" else "exact"


def verify(certificate: object) -> dict[str, Any]:
    """Accept a certificate, or raise Reject; return what was verified and what one had to believe."""
    if not isinstance(certificate, dict) or set(certificate) != FIELDS:
        raise Reject(f"a certificate has exactly the fields {', '.join(sorted(FIELDS))}")
    if certificate["format"] != FORMAT:
        raise Reject(f"unknown format {str(certificate['format'])[:40]!r}")
    claim = certificate["claim"]
    if not isinstance(claim, dict) or set(claim) != {"id", "tree", "system", "text"}:
        raise Reject("the claim has exactly the fields id, system, text, tree")
    known = {*LEMMA_THEORIES, regime.NAME, trap.NAME}
    named = certificate["theories"]
    if type(named) is not list or any(type(name) is not str for name in named):
        raise Reject("theories is not a list of names")
    for name in named:
        if name not in known:
            raise Reject(f"unknown theory {name[:40]!r}")
    try:
        lemmas = Lemmas(certificate["lemmas"])
        court = Court(claim["tree"], claim["system"], certificate["instance"], certificate["plans"], lemmas)
        if claim["id"] != claim["tree"][1]:
            raise Reject("the claim's id is not the tree's")
        if claim["text"] != printer.whole(claim["tree"], claim["system"]):
            raise Reject("the text is not the print of the tree")
        ledger, verdict = court.judge()
    except Undecided as reason:
        raise Reject(f"not shown: {reason}") from None
    if set(certificate["plans"]["lines"]) != court.used_plans:
        raise Reject("a plan is not used")
    if court.trajectory.used != set(court.trajectory.selection):
        raise Reject("a part of the selection is not used")
    if set(lemmas.field) != set(lemmas.answers):
        raise Reject("a lemma is not used")
    theories = sorted(lemmas.theories | court.theories)
    if named != theories:
        raise Reject(f"the theories used are {theories}")
    if canonical(ledger) != canonical(certificate["ledger"]):
        raise Reject("the ledger is not what the lines give")
    stated = canonical(certificate["verdict"])
    if verdict["kind"] == "undecided" or canonical({**verdict, "evidence": evidence_of(verdict)}) != stated:
        raise Reject(f"the verdict that follows is {verdict}, not the one stated")
    if not isinstance(certificate["provenance"], dict):
        raise Reject("provenance is not an object")
    return {"verdict": verdict, "theories": theories, "atoms": court.evaluator.atoms, "lemmas": len(lemmas.answers)}
