"""What a search returns: a verified find, or what was searched where nothing was found."""
from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..checking import Result
from ..claims import Claim


def about(margin: float) -> str:
    """A margin in words."""
    if abs(margin) <= 1e-12:
        return "about 0" if margin >= 0 else "about 0 (a strict statement on its boundary)"
    return f"about {margin:.4g}"


@dataclass
class Tally:
    """Counts while a search runs."""

    batches: int = 0
    candidates: int = 0
    met: int = 0
    evaluations: int = 0
    exact: int = 0
    vacuous: int = 0  # of the exact checks
    unconfirmed: int = 0  # exact checks without a violation where floats saw one
    finds: int = 0
    seconds: float = 0.0
    margin: float | None = None
    together: dict[str, int] = field(default_factory=dict)

    def add(self, answer: dict[str, Any]) -> None:
        self.batches += 1
        for name in ("candidates", "met", "evaluations", "exact", "vacuous", "unconfirmed"):
            setattr(self, name, getattr(self, name) + answer[name])
        self.finds += len(answer["finds"])
        if answer["margin"] is not None:
            self.margin = answer["margin"] if self.margin is None else min(self.margin, answer["margin"])
        for key, count in answer["together"].items():
            self.together[key] = self.together.get(key, 0) + count

    @property
    def share(self) -> float:
        """Of the candidates, how many met all assumptions."""
        return self.met / self.candidates if self.candidates else 0.0

    @property
    def rate(self) -> float:
        return (self.candidates + self.evaluations) / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class Search:
    """The outcome of `refute`. `result` has been accepted by the verifier in a process of its own."""

    claim: Claim
    objective: str
    seed: int
    result: Result | None
    tally: Tally
    sizes: dict[str, Any]
    built: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    first_find: float | None = None  # seconds
    ratio: Fraction | None = None
    family: tuple[dict[str, Any], ...] = ()
    interrupted: bool = False

    @property
    def kind(self) -> str:
        return self.result.kind if self.result is not None else "undecided"

    @property
    def id(self) -> str | None:
        return self.result.id if self.result is not None else None

    @property
    def verdict(self) -> dict[str, Any]:
        return self.result.verdict if self.result is not None else {"kind": "undecided", "reason": "nothing found"}

    def searched(self) -> str:
        """What was searched, in words; it never says that the claim holds."""
        tally, low = self.tally, self.sizes
        lines = [f"{tally.candidates} candidates in {tally.batches} batches, {tally.evaluations} more by local "
                 f"improvement, {tally.exact} checked exactly; {low['tokens'][0]} to {low['tokens'][1]} tokens, "
                 f"dimension {low['dimensions'][0]} to {low['dimensions'][1]}, simulated to t = {low['horizon']}, "
                 f"seed {self.seed}"]
        if self.built:
            lines.append(f"met by construction: {', '.join(self.built)}")
        if self.rejected:
            lines.append(f"by rejection: {', '.join(self.rejected)} ({100 * tally.share:.3g}% of candidates met them)")
        if tally.margin is not None:
            lines.append(f"best margin in floats {about(tally.margin)} (negative where violated; no verdict)")
        if tally.unconfirmed:
            lines.append(f"{tally.unconfirmed} candidates that floats call violated were not confirmed exactly")
        return "; ".join(lines)

    def as_json(self, path: str | None = None) -> dict[str, Any]:
        tally = self.tally
        shared: dict[str, Any]
        if self.result is not None:
            shared = self.result.as_json(path)
            shared["instance"] = self.result.instance.as_file()
        else:
            shared = {"claim": self.claim.id, "verdict": self.verdict, "ledger": [], "ties": [], "evidence": "exact",
                      "certificate": None, "id": None}
        return {**shared, "search": {
            "objective": self.objective, "seed": self.seed, "candidates": tally.candidates, "batches": tally.batches,
            "evaluations": tally.evaluations, "exact_checks": tally.exact, "unconfirmed": tally.unconfirmed,
            "finds": tally.finds, "share_met": tally.share, "by_construction": list(self.built),
            "by_rejection": list(self.rejected), **self.sizes, "seconds": round(tally.seconds, 3),
            "first_find_seconds": self.first_find,
            "best_margin": tally.margin, "ratio": None if self.ratio is None else str(self.ratio),
            "family": list(self.family), "warnings": list(self.warnings), "interrupted": self.interrupted,
            "searched": self.searched()}}

    def _repr_html_(self) -> str:
        from html import escape
        nothing = f"<p><b>{escape(self.claim.id)}</b>: nothing found</p>"
        head = self.result._repr_html_() if self.result is not None else nothing
        return f"{head}<p>{escape(self.searched())}</p>"
