"""From a claim and an instance to a verdict and its certificate.

The search for a verdict may use anything; the verdict itself is what the verifier's kernel makes of the plans and
lemmas found, and no certificate leaves here that the kernel has not accepted.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from time import monotonic
from typing import Any

from . import __version__
from .claims import Claim
from .errors import CertifyError, UnableError
from .instances import Instance, checked
from .statements.plans import Deadline, Planner, PlanningCourt
from .systems.native import NativeTrajectory
from .theories import Finder
from .theories.regime import find_regime, powers_and_time, summable
from .verifier.boxes import BoxTrajectory
from .verifier.exact import Reject, Undecided
from .verifier.kernel import FOREVER, FORMAT, Outcome, evidence_of, ledger_line, verdict_of, verify
from .verifier.load import identity
from .verifier.systems import Tie
from .verifier.theories.regime import NAME as REGIME
from .wording import sentence

MAX_BRANCHES = 48
MAX_EFFORT = 100_000  # atoms evaluated over all selections after the first
MAX_TIES = 10
LATER = 40  # steps after a regime in which a bound below of its contraction is looked for
ENDS = ("vacuous", "not here", "exhibited", "value")  # verdicts that no further selection can change
SMALL = 1e-6  # a slack below this is worth a hint about rounding; it decides nothing
DEFAULT_HORIZON = 200
Selection = dict[tuple[int, int], list[tuple[int, Any]]]


@dataclass(frozen=True)
class Result:
    """What a check found: the verdict, the ledger behind it, and the certificate if there is one."""

    claim: Claim
    instance: Instance
    verdict: dict[str, Any]
    ledger: list[dict[str, Any]]
    ties: list[dict[str, int]] = field(default_factory=list)
    certificate: dict[str, Any] | None = None
    evidence: str = "exact"
    tie_sets: list[list[int]] = field(default_factory=list)  # for each tie one leader for each point of the leader set

    @property
    def kind(self) -> str:
        return str(self.verdict["kind"])

    @property
    def id(self) -> str | None:
        """The content address of the certificate."""
        return identity(self.certificate) if self.certificate is not None else None

    def as_json(self, path: str | None = None) -> dict[str, Any]:
        slack = self.slack
        ledger = [{**line, "slack": slack.get(line["name"])} for line in self.ledger]
        return {"claim": self.claim.id, "verdict": self.verdict, "ledger": ledger, "ties": self.ties,
                "tie_sets": self.tie_sets, "evidence": self.evidence, "certificate": path, "id": self.id}

    @cached_property
    def slack(self) -> dict[str, float | None]:
        """About how far each line is from its boundary; floating point, for reading only."""
        from .slack import STEPS, slacks
        try:
            found = slacks(self.claim, self.instance)
        except (CertifyError, ArithmeticError, ValueError):
            return {}
        wrong = {"true": -1, "false": 1}  # signs that only rounding explains
        for line in self.ledger:
            value = found.get(line["name"])
            seen = int(line.get("t", 0)) <= STEPS
            if seen and value is not None and value * wrong.get(line["status"], 0) > SMALL:
                found[line["name"]] = None
        return found

    @property
    def almost(self) -> str | None:
        """The line that makes this vacuous, if it fails by so little that rounding may be the reason."""
        line = self.verdict.get("line")
        slack = self.slack.get(line) if line else None
        return line if slack is not None and -SMALL < slack < 0 else None

    def _repr_html_(self) -> str:
        from html import escape
        rows = "".join("<tr>" + "".join(f"<td>{escape(str(line.get(key, '')))}</td>"
                                        for key in ("name", "status", "scope", "t")) + "</tr>" for line in self.ledger)
        return (f"<p><b>{escape(self.claim.id)}</b>: {escape(self.sentence())}</p>"
                f"<table><tr><th>line</th><th>status</th><th>scope</th><th>t</th></tr>{rows}</table>")

    def sentence(self) -> str:
        """The verdict in words."""
        return sentence(self.verdict)


@dataclass
class Branch:
    """One selection: how far it is determined, its regime, and (once judged) its outcome."""

    selection: Selection
    determined: int | None
    regime: dict[str, Any] | None
    tie: Tie | None
    plans: dict[str, Any] = field(default_factory=dict)


def check(claim: Claim, instance: Instance, horizon: int = DEFAULT_HORIZON, seconds: float | None = None) -> Result:
    """Decide a claim on an instance.

    Examples
    --------
    >>> import certify
    >>> data = certify.instance("hardmax", x=[[3], [-1]], B=[[-1]], g="2/(t+2)")
    >>> certify.check(certify.load("fw25v1/thm-3.1"), data).verdict["t"]
    575
    """
    return Check(claim, instance, horizon, seconds).run()


def ledger_of_assumptions(claim: Claim, instance: Instance, horizon: int = 20) -> list[dict[str, Any]]:
    """Truth and scope of the assumptions alone."""
    return Check(claim, instance, horizon, None).assumptions()


class Check:
    """One check. A check that follows other selections overrides `branches`; see search/certifying.py."""

    def __init__(self, claim: Claim, instance: Instance, horizon: int, seconds: float | None) -> None:
        self.claim, self.instance, self.horizon = claim, instance, horizon
        self.deadline = monotonic() + seconds if seconds is not None else None
        self.data = checked(instance, claim.tree, claim.system)
        self.finder = Finder()
        self.ties: list[dict[str, int]] = []
        self.tie_sets: list[list[int]] = []
        self.effort = 0
        self.latest: int | None = None  # ties after the best violation so far need no exploring

    def run(self) -> Result:
        if self.claim.tree[2] == "statistic":
            return self._measure()
        best: tuple[Any, Branch, list[dict[str, Any]], dict[str, Any]] | None = None
        fallback: tuple[list[dict[str, Any]], dict[str, Any]] | None = None
        try:
            for branch in self.branches():
                ledger, verdict = self.judge(branch)
                if not branch.selection:
                    fallback = (ledger, verdict)
                    if branch.tie is None or verdict["kind"] in ENDS or verdict.get("T") == FOREVER or (
                            verdict["kind"] == "refuted" and "t" not in verdict):
                        return self.result(branch, ledger, verdict)
                if verdict["kind"] in ("refuted", "exhibited"):
                    rank = (int(verdict.get("t", -1)), not verdict.get("first"), int(verdict.get("i", 0)))
                    if best is None or rank < best[0]:
                        best = (rank, branch, ledger, verdict)
                        self.latest = rank[0]
                elif not branch.selection:
                    first_branch = branch
        except Deadline:
            if best is None:
                ledger = fallback[0] if fallback else []
                return Result(self.claim, self.instance, {"kind": "undecided", "reason": "the time allowed is used up"},
                              ledger, self.ties, tie_sets=self.tie_sets)
        if best is not None:
            return self.result(*best[1:])
        assert fallback is not None
        return self.result(first_branch, *fallback)

    def _measure(self) -> Result:
        """A claim of kind statistic: plans for its assumptions, then one random start after the other."""
        branch = Branch({}, None, None, None, {"lines": {}})
        planner = Planner(self.court(branch.plans), self.horizon, None, traps=False)
        for name, formula in self.claim.tree[7]:
            planner.line(name, formula)
        ledger, verdict = self.court(branch.plans).judge()
        return self.result(branch, ledger, verdict)

    def assumptions(self) -> list[dict[str, Any]]:
        """The ledger of the assumptions, along no selection."""
        branch = self.follow({})
        court = self.court({"lines": {}, **({"regime": branch.regime} if branch.regime is not None else {})})
        planner = Planner(court, self.horizon, branch.determined)
        return [ledger_line(name, planner.line(name, formula)) for name, formula in self.claim.tree[7]]

    # ---- selections

    def branches(self) -> Iterator[Branch]:
        """Selections, breadth-first: first none at all, then at each tie one leader point after the other."""
        queue: deque[Selection] = deque([{}])
        count = 0
        while queue and count < MAX_BRANCHES and self.effort < MAX_EFFORT:
            branch = self.follow(queue.popleft())
            count += 1
            if branch.tie is not None:
                place = (branch.tie.t, branch.tie.i)
                tie = {"t": place[0], "i": place[1]}
                if len(self.ties) < MAX_TIES and tie not in self.ties:
                    self.ties.append(tie)
                    self.tie_sets.append(branch.tie.points)
            yield branch
            if branch.tie is not None and (self.latest is None or branch.tie.t <= self.latest):
                queue.extend({**branch.selection, place: [(j, "1")]} for j in branch.tie.points)

    def follow(self, selection: Selection) -> Branch:
        """Simulate along a selection to a tie, a regime or the horizon."""
        if self.claim.system is None:
            return Branch(selection, None, None, None)
        court = self.court({"lines": {}, **selection_field(selection)})
        trajectory = court.trajectory
        if isinstance(trajectory, BoxTrajectory):
            return self._follow_box(trajectory)
        if trajectory.native:
            trajectory = NativeTrajectory(court.instance, trajectory.policy, trajectory.selection)
        first: dict[str, Any] | None = None  # a regime; a later one may know a bound below of its contraction
        for t in range(self.horizon + 2):
            self.tick()
            try:
                trajectory.state(t)
                regime = find_regime(trajectory, t) if trajectory.native else None
            except Tie as tie:
                return Branch(selection, t - 1, None, tie)
            except Undecided:  # numbers past the limits: what is known so far stays known
                return Branch(selection, None if first else t - 1, first, None)
            if regime is not None:
                first = first or regime
                if "tail" in regime or not summable(trajectory, regime):
                    return Branch(selection, None, regime, None)
            if first is not None and t >= first["T"] + LATER:
                break
        return Branch(selection, None, first, None)

    def _follow_box(self, trajectory: BoxTrajectory) -> Branch:
        """As far as every start of the box has the same leaders."""
        for t in range(self.horizon + 2):
            self.tick()
            try:
                trajectory.positions(t)
            except Undecided:
                return Branch({}, t - 1, None, None)
        return Branch({}, None, None, None)

    def tick(self) -> None:
        if self.deadline is not None and monotonic() > self.deadline:
            raise Deadline

    def court(self, plans: dict[str, Any]) -> PlanningCourt:
        court = PlanningCourt(self.claim.tree, self.claim.system, dict(self.instance.fields), plans, self.finder)
        court.deadline = self.deadline
        return court

    # ---- judging

    def judge(self, branch: Branch) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Plan every line along a selection; ledger and verdict follow."""
        found = self._judged(branch)
        open_ended = found[1]["kind"] == "undecided" or found[1].get("T", FOREVER) != FOREVER
        if open_ended and branch.regime is not None and powers_and_time(branch.regime.get("c")):
            plain = {key: value for key, value in branch.regime.items() if key != "c"}
            other = Branch(branch.selection, branch.determined, plain, branch.tie)
            second = self._judged(other)
            if second[1]["kind"] != "undecided" and second[1].get("T", FOREVER) == FOREVER:
                branch.regime, branch.plans, found = plain, other.plans, second
        return found

    def _judged(self, branch: Branch) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        branch.plans = {"lines": {}, **selection_field(branch.selection)}
        if branch.regime is not None:
            branch.plans["regime"] = branch.regime
        for bits in (64, 256, 1024):
            self.finder.bits = bits
            court = self.court(branch.plans)
            branch.plans["lines"].clear()
            planner = Planner(court, self.horizon, branch.determined, traps=not branch.selection)
            outcomes: list[Outcome] = []
            for name, formula in self.claim.tree[7]:
                outcomes.append(planner.line(name, formula))
            decided = all(o.value is not False for o in outcomes)
            court.evaluator.atoms = 0
            asserted = planner.line("assertion", self.claim.tree[8]) if decided else Outcome(None)
            empty = asserted.scope == FOREVER and court.evaluator.atoms == 0
            self.effort += court.effort if branch.selection else 0
            enclosed = any("lambda_max" in name for name in court.evaluator.enclosures)
            if asserted.value is not None or not enclosed:
                break
            self.finder.found.clear()
        names = [name for name, _ in self.claim.tree[7]]
        ledger = [ledger_line(name, outcome) for name, outcome in zip([*names, "assertion"], [*outcomes, asserted],
                                                                      strict=True)]
        return ledger, verdict_of(self.claim.tree, ledger, outcomes, asserted, empty, bool(branch.selection))

    def result(self, branch: Branch, ledger: list[dict[str, Any]], verdict: dict[str, Any]) -> Result:
        """The certificate of a decided branch, or an undecided result with its reason."""
        if verdict["kind"] == "undecided":
            return Result(self.claim, self.instance, {**verdict, "reason": self._reason(branch, ledger)}, ledger,
                          self.ties, tie_sets=self.tie_sets)
        certificate = self.certificate(branch, verdict)
        return Result(self.claim, self.instance, certificate["verdict"], certificate["ledger"], self.ties, certificate,
                      evidence_of(verdict), self.tie_sets)

    def _reason(self, branch: Branch, ledger: list[dict[str, Any]]) -> str:
        asserted = ledger[-1]
        limited = [line for line in ledger[:-1] if line["status"] == "true" and line.get("scope") != FOREVER]
        open_lines = [line["name"] for line in ledger if line["status"] == "undecided"]
        if asserted["status"] == "false" and limited:
            place = f"violated at t = {asserted['t']}" if "t" in asserted else "violated"
            return f"{place}, {limited[0]['name']} known only to {limited[0]['scope']}"
        if not open_lines:
            known = [f"{line['name']} is known only to {line['scope']}" for line in ledger
                     if line.get("scope") not in (None, FOREVER)]
            return "; ".join(known) or "the verdict needs more than the lines give"
        if branch.tie is not None:
            return f"{branch.tie}; no all-time argument found for {', '.join(open_lines)}"
        return f"no plan decides {', '.join(open_lines)}"

    def certificate(self, branch: Branch, verdict: dict[str, Any]) -> dict[str, Any]:
        """Assemble, keep only what the kernel uses, and have it accepted before anyone sees it."""
        plans = dict(branch.plans)
        try:
            self.finder.used.clear()
            court = self.court(plans)
            ledger, final = court.judge()
            if "regime" in plans and not court.trajectory.regime.used:  # simpler without it
                del plans["regime"]
                court.theories.discard(REGIME)
        except (Reject, Undecided) as reason:
            raise UnableError(f"internal: the plans found do not stand: {reason}") from None
        plans["lines"] = {key: steps for key, steps in plans["lines"].items() if key in court.used_plans}
        lemmas = self.finder.lemmas()
        theories = sorted({lemma["theory"] for lemma in lemmas.values()} | court.theories)
        certificate = {
            "format": FORMAT, "theories": theories,
            "claim": {"id": self.claim.id, "tree": self.claim.tree, "system": self.claim.system,
                      "text": self.claim.text},
            "instance": dict(self.instance.fields), "verdict": {**final, "evidence": evidence_of(final)},
            "ledger": ledger, "lemmas": lemmas, "plans": plans, "provenance": {"tool": f"certify {__version__}"}}
        try:
            verify(certificate)
        except Reject as reason:
            raise UnableError(f"internal: the verifier rejects what was found: {reason}") from None
        return certificate


def selection_field(selection: Selection) -> dict[str, Any]:
    if not selection:
        return {}
    return {"selection": [[t, i, [[j, weight] for j, weight in weights]]
                          for (t, i), weights in sorted(selection.items())]}
