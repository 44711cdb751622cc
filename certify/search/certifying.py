"""Exact verdicts for the search: brief checks of candidates, and the verifier's word on what is reported.

A brief check follows few selections at ties and a short horizon: what it refutes is refuted, what it does not is only
not found. No clock decides what it returns unless one is given, so that a search with a seed can be repeated.
"""
from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..certificate import write
from ..checking import Branch, Result, _Check
from ..claims import Claim
from ..errors import CertifyError
from ..instances import Instance
from ..verification import verify
from ..verifier.sorts import Tree

FOUND = ("refuted", "exhibited")
MAX_SELECTIONS = 6
BRIEF_HORIZON = 40


class _BriefCheck(_Check):
    def _branches(self) -> Iterator[Branch]:
        for count, branch in enumerate(super()._branches()):
            yield branch
            if count + 1 >= MAX_SELECTIONS or self.latest is not None:
                return


def brief_check(claim: Claim, instance: Instance, horizon: int = BRIEF_HORIZON,
                seconds: float | None = None) -> Result | None:
    """A check that stops at the first refutation; None where the instance is not one of this claim."""
    try:
        return _BriefCheck(claim, instance, horizon, seconds).run()
    except CertifyError:
        return None


def refutation(claim: Claim, instance: Instance, horizon: int = BRIEF_HORIZON,
               seconds: float | None = None) -> Result | None:
    """The result if this instance is a certified find, else None."""
    result = brief_check(claim, instance, horizon, seconds)
    return result if result is not None and result.kind in FOUND and result.certificate is not None else None


def lines_hold(claim: Claim, instance: Instance, lines: list[tuple[str, Tree]]) -> bool:
    """Whether some lines of a claim are certified true for ever on an instance."""
    kept = claim_with(claim, list(map(list, lines)), ["eq", ["num", "0"], ["num", "0"]])
    givens: list[Tree] = []
    kept.tree[5] = givens
    result = brief_check(kept, instance, 8)
    return result is not None and all(line["status"] == "true" and line.get("scope") == "forever"
                                      for line in result.ledger)


def assumptions_hold(claim: Claim, instance: Instance, horizon: int = BRIEF_HORIZON) -> str:
    """"" if every assumption is certified true for ever, else the name of the first that is not."""
    result = brief_check(claim_with(claim, claim.tree[7], ["eq", ["num", "0"], ["num", "0"]]), instance, horizon)
    if result is None:
        return "data"
    return next((str(line["name"]) for line in result.ledger[:-1]
                 if line["status"] != "true" or line.get("scope") != "forever"), "")


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
