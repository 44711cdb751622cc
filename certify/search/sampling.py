"""Instances that meet the assumptions of a claim, each certified to do so before it is handed out."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..claims import Claim
from ..errors import CertifyError, InputError
from ..instances import Instance
from ..verifier import printer
from .batches import prepared
from .certifying import lines_unmet
from .measures import complexity
from .proposals import Sizes, draw_rows, draw_shape
from .shapes import Decoder

ROWS = 16
MOST_PROPOSED = 20_000


@dataclass(frozen=True)
class Sample:
    """Instances, how many candidates were proposed for them, and which assumption turned the others down how often."""

    claim: Claim
    instances: tuple[Instance, ...]
    proposed: int
    rejected: dict[str, int]
    built: tuple[str, ...]
    contradiction: str = ""

    def sentence(self) -> str:
        """How the sample came about."""
        words = f"{len(self.instances)} instances from {self.proposed} candidates"
        if self.built:
            words += f"; by construction: {', '.join(self.built)}"
        if self.rejected:
            words += "; rejected: " + ", ".join(f"{count} by {name}" for name, count in sorted(self.rejected.items()))
        return words + (f"; the assumptions contradict each other: {self.contradiction}" if self.contradiction else "")


def sample(claim: Claim, count: int, seed: int = 0, tokens: tuple[int, int] = (1, 6),
           dimensions: tuple[int, int] = (1, 3)) -> Sample:
    """Different instances that meet every assumption for ever, certified one by one.

    Examples
    --------
    >>> import certify
    >>> len(sample(certify.load("fw25v1/thm-3.1"), 3).instances)
    3
    """
    if count < 1:
        raise InputError("a sample has at least one instance")
    _, known, scorer = prepared(printer.claim(claim.tree))
    rng, sizes = np.random.default_rng(seed), Sizes(tokens, dimensions)
    found: dict[str, Instance] = {}
    rejected: dict[str, int] = {}
    proposed = 0
    while len(found) < count and proposed < max(MOST_PROPOSED, 50 * count) and not known.contradiction:
        decoder = Decoder(known, draw_shape(known, sizes, rng, bool(rng.random() < 0.3)))
        rows = draw_rows(decoder, ROWS, rng)
        scores = scorer.read(decoder, rows, 8)
        taken = 0
        for k in range(len(rows)):
            if len(found) >= count or taken >= 2:  # few of one shape
                break
            proposed += 1
            if not scores.met[k]:
                name = next(name for name, met in scores.lines.items() if not met[k])
                rejected[name] = rejected.get(name, 0) + 1
                continue
            try:
                instance = decoder.instance(rows[k])
            except CertifyError:
                continue
            key = complexity(instance)[-1]
            if key in found:
                continue
            unmet = lines_unmet(claim, instance)
            if unmet:
                rejected[unmet[0]] = rejected.get(unmet[0], 0) + 1
                continue
            found[key] = instance
            taken += 1
    return Sample(claim, tuple(found.values()), proposed, rejected, known.built, known.contradiction)
