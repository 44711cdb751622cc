"""Earlier violations at ties: a claim about every selection is also about the unlikely ones.

At a tie a token may go to any point of the leaders' hull. Selections are drawn at random among the leaders and the
midpoints of two of them, run exactly, and kept if the assertion fails earlier.
"""
from __future__ import annotations

from time import monotonic
from typing import Any

import numpy as np

from ..checking import Branch, Result, Selection
from ..claims import Claim
from ..errors import CertifyError
from ..statements.plans import PlanningCourt
from ..verifier.evaluate import unbounded
from ..verifier.exact import Rat, Reject, Undecided
from ..verifier.systems import Tie
from .certifying import FOUND, BriefCheck
from .measures import time_of

TRIES = 1000


def earlier(claim: Claim, result: Result, seed: int, until: float | None = None, tries: int = TRIES) -> Result | None:
    """A find on the same instance that fails earlier along some selection, or None."""
    formula, best = claim.tree[8], None
    if claim.system is None or claim.tree[4][1] != "every" or formula[0] != "forall" or unbounded(formula) is None:
        return None
    target = time_of(result)
    check = BriefCheck(claim, result.instance, max(target, 1), None)
    rng = np.random.default_rng([seed, 7])
    for _ in range(tries):
        if target < 1 or (until is not None and monotonic() > until):
            break
        court = check.court({"lines": {}})
        try:
            selection = _drawn(court, target, rng)
            if not selection:
                return best  # no tie, no choice
            failure = court.step(formula, {}, (), {"by": "each", "from": target - 1, "to": target - 1})
            if failure is None:
                continue
            used = {place: selection[place] for place in court.trajectory.used if place in selection}
            found = check.along(Branch(used, failure[0], None, None))
        except (Reject, Undecided, CertifyError):
            continue
        if found is not None and found.kind in FOUND and time_of(found) < target:
            best, target = found, time_of(found)
    return best


def _drawn(court: PlanningCourt, target: int, rng: np.random.Generator) -> Selection:
    """Choices at every tie before the target, drawn as they are met."""
    selection: Selection = {}
    for t in range(target + 1):
        while True:
            try:
                court.trajectory.state(t)
                break
            except Tie as tie:
                weights: list[tuple[int, Any]] = [(int(rng.choice(tie.points)), "1")]
                if len(tie.points) > 1 and rng.random() < 0.4:
                    first, second = sorted(int(j) for j in rng.choice(tie.points, size=2, replace=False))
                    weights = [(first, "1/2"), (second, "1/2")]
                selection[tie.t, tie.i] = weights
                court.trajectory.selection[tie.t, tie.i] = [(j, Rat.parse(share)) for j, share in weights]
    return selection
