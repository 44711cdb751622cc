"""Exact verdicts for the search: brief checks of candidates, and the verifier's word on what is reported.

A brief check follows few selections at ties and a short horizon: what it refutes is refuted, what it does not is only
not found. No clock decides what it returns unless one is given, so that a search with a seed can be repeated.
"""
from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..certificate import write
from ..checking import Branch, Check, Result, Selection, selection_field
from ..claims import Claim
from ..errors import CertifyError, UnableError
from ..instances import Instance
from ..statements.plans import PlanningCourt
from ..theories.regime import find_regime
from ..verification import verify
from ..verifier.exact import ONE, Reject, Undecided
from ..verifier.sorts import Tree
from ..verifier.systems import Tie

FOUND = ("refuted", "exhibited")
MAX_SELECTIONS = 3
MAX_SELECTED = 400  # ties along one selection
BRIEF_HORIZON = 40
TRIVIAL: Tree = ["eq", ["num", "0"], ["num", "0"]]


class BriefCheck(Check):
    """A check that follows few selections and stops at the first refutation."""

    def along(self, branch: Branch) -> Result | None:
        """The result along one selection, if it is a find."""
        ledger, verdict = self.judge(branch)
        return self.result(branch, ledger, verdict) if verdict["kind"] in FOUND else None

    def branches(self) -> Iterator[Branch]:
        """At ties first the first leader (as the margins read it), then no selection at all, then a few others."""
        others = super().branches()
        plain = next(others)
        if plain.tie is not None:
            yield self._first_leaders()
            if self.latest is not None:
                return
        yield plain
        if plain.tie is None:
            return
        for count, branch in enumerate(others, 1):
            if count >= MAX_SELECTIONS or self.latest is not None:
                return
            yield branch

    def certificate(self, branch: Branch, verdict: dict[str, Any]) -> dict[str, Any]:
        """A certificate carries no choice that its verdict does not rest on."""
        if branch.selection:
            plans = dict(branch.plans)
            court = self._judged_court(plans)
            if "regime" in plans and not court.trajectory.regime.used:  # it alone may be what uses a choice
                del plans["regime"]
                court = self._judged_court(plans)
            used = {place: choice for place, choice in branch.selection.items() if place in court.trajectory.used}
            plans.pop("selection", None)
            branch = replace(branch, selection=used, plans={**plans, **selection_field(used)})
        return super().certificate(branch, verdict)

    def _judged_court(self, plans: dict[str, Any]) -> PlanningCourt:
        court = self.court(plans)
        try:
            court.judge()
        except (Reject, Undecided) as reason:
            raise UnableError(f"the plans found do not stand: {reason}") from None
        return court

    def _first_leaders(self) -> Branch:
        court = self.court({"lines": {}})
        trajectory, selection = court.trajectory, Selection()
        for t in range(self.horizon + 2):
            self.tick()
            while len(selection) < MAX_SELECTED:
                try:
                    trajectory.state(t)
                    break
                except Tie as tie:
                    selection[tie.t, tie.i] = [(tie.points[0], "1")]
                    trajectory.selection[tie.t, tie.i] = [(tie.points[0], ONE)]
            else:
                return Branch(selection, t - 1, None, None)
            regime = find_regime(trajectory, t) if trajectory.native else None
            if regime is not None:
                return Branch(selection, None, regime, None)
        return Branch(selection, self.horizon, None, None)


def brief_check(claim: Claim, instance: Instance, horizon: int = BRIEF_HORIZON,
                seconds: float | None = None) -> Result | None:
    """A check that stops at the first refutation; None where the instance is not one of this claim."""
    try:
        return BriefCheck(claim, instance, horizon, seconds).run()
    except (CertifyError, Reject):
        return None


def refutation(claim: Claim, instance: Instance, horizon: int = BRIEF_HORIZON,
               seconds: float | None = None) -> Result | None:
    """The result if this instance is a certified find, else None."""
    result = brief_check(claim, instance, horizon, seconds)
    return result if result is not None and result.kind in FOUND and result.certificate is not None else None


def lines_hold(claim: Claim, instance: Instance, lines: list[tuple[str, Tree]]) -> bool | None:
    """Whether some lines of a claim are true for ever on an instance; False if one is certified false, else None."""
    kept = claim_with(claim, list(map(list, lines)), TRIVIAL)
    kept.tree[5] = kept.tree[6] = []  # the lines are unfolded and speak of the system's data alone
    result = brief_check(kept, instance, 8)
    if result is None:
        return None
    if all(line["status"] == "true" and line.get("scope") == "forever" for line in result.ledger):
        return True
    return False if any(line["status"] == "false" for line in result.ledger) else None


def lines_unmet(claim: Claim, instance: Instance, horizon: int = BRIEF_HORIZON) -> list[str]:
    """The assumptions that are not certified true for ever on an instance, in order."""
    result = brief_check(claim_with(claim, claim.tree[7], TRIVIAL), instance, horizon)
    if result is None:
        return [str(entry[0]) for entry in claim.tree[7]] or ["data"]
    return [str(line["name"]) for line in result.ledger[:-1]
            if line["status"] != "true" or line.get("scope") != "forever"]


def claim_with(claim: Claim, assumptions: list[Any], assertion: Tree) -> Claim:
    """A claim with other lines, for questions of our own; definitions that are not used do no harm."""
    tree = [*claim.tree[:7], assumptions, assertion]
    tree[2] = "theorem"
    return Claim(tree, claim.system)


def without(claim: Claim, name: str) -> Claim:
    """The user's claim that drops one assumption: is the hypothesis used?"""
    from ..errors import InputError
    names = [entry[0] for entry in claim.tree[7]]
    if name not in names:
        raise InputError(f"--without {name}: the assumptions of {claim.id} are {', '.join(names) or 'none'}")
    tree = list(claim.tree)
    tree[1] = f"{claim.id}-without-{name}"
    tree[7] = [entry for entry in claim.tree[7] if entry[0] != name]
    return Claim(tree, claim.system)


def accepted(certificate: dict[str, Any]) -> bool:
    """Whether the verifier, in a process of its own, accepts a certificate."""
    with tempfile.TemporaryDirectory(prefix="certify-") as folder:
        path = Path(folder) / "find.json"
        write(certificate, path)
        return verify(path).accepted
