"""One numbered batch of the search: propose, score, improve, check exactly. Its result depends on its task alone.

A batch draws from a generator seeded by (seed, number), so that it does not matter who runs it or when.
"""
from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from time import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..claims import Claim, parse
from ..errors import CertifyError
from .certifying import FOUND, brief_check, lines_unmet
from .improving import improve
from .measures import complexity, selected, time_of
from .proposals import Sizes, draw_rows, draw_shape, mutated
from .recipes import Recipe, demoted, recipe
from .scoring import Scorer, Scores
from .shapes import Decoder, Shape

SHAPES, ROWS = 8, 128
CANDIDATES = SHAPES * ROWS  # the most that one batch proposes
MOST_CHECKS = 8
TRIALS, TRIAL_HORIZON = 6, 8  # shapes on which the constructors are tried, and how far
ENOUGH_FINDS = 3


@dataclass(frozen=True)
class Proposal:
    """One candidate with its score."""

    decoder: Decoder
    row: NDArray[Any]
    value: float
    first: int

    def as_json(self) -> dict[str, Any]:
        return {"shape": self.decoder.shape.as_json(), "row": [int(value) for value in self.row]}


@lru_cache(maxsize=8)
def prepared(text: str) -> tuple[Claim, Recipe, Scorer]:
    """A claim ready to be searched, once a process."""
    claim = parse(text)
    found = tested(claim, recipe(claim))
    return claim, found, Scorer(claim, found)


def tested(claim: Claim, found: Recipe) -> Recipe:
    """A recipe whose constructors were tried: an assumption that no trial meets is left to rejection."""
    if found.contradiction or not found.built:
        return found
    rng = np.random.default_rng(0)
    unmet = set(found.built)
    for _ in range(TRIALS):
        decoder = Decoder(found, draw_shape(found, Sizes(), rng, True))
        for row in draw_rows(decoder, 2, rng):
            if unmet:
                try:
                    unmet &= set(lines_unmet(claim, decoder.instance(row), TRIAL_HORIZON))
                except CertifyError:
                    continue
    return demoted(found, unmet)


def run_batch(task: dict[str, Any]) -> dict[str, Any]:
    """Run one batch; task and answer are plain JSON."""
    return _Batch(task).run()


class _Batch:
    def __init__(self, task: dict[str, Any]) -> None:
        self.task = task
        self.claim, self.recipe, self.scorer = prepared(task["claim"])
        self.rng = np.random.default_rng([task["seed"], task["batch"]])
        self.sizes = Sizes(tuple(task["tokens"]), tuple(task["dimensions"]))
        self.horizon, self.rows = task["horizon"], task["rows"]
        self.candidates = self.met = self.evaluations = self.vacuous = 0
        self.unconfirmed: set[int] = set()  # ids of proposals that floats call violated and exact checks do not
        self.together: dict[str, int] = {}
        self.pool: list[Proposal] = []

    def run(self) -> dict[str, Any]:
        groups = list(self._groups())
        for decoder, rows in groups:
            self._score(decoder, rows)
        self._improve(groups)
        finds, tried = self._check()
        near = sorted((p for p in self.pool if p.value < 1.0 and id(p) not in self.unconfirmed), key=_closeness)[:3]
        return {"batch": self.task["batch"], "candidates": self.candidates, "met": self.met, "exact": tried,
                "vacuous": self.vacuous, "evaluations": self.evaluations, "together": self.together, "finds": finds,
                "unconfirmed": len(self.unconfirmed),
                "margin": min((p.value for p in self.pool if p.value <= 1.0 and id(p) not in self.unconfirmed),
                              default=None),
                "near": [{**p.as_json(), "value": p.value} for p in near]}

    def _groups(self) -> Any:
        """Shapes with rows: neighbours of earlier finds, small shapes, any shapes."""
        parents = self.task["parents"]
        for k in range(SHAPES):
            if parents and k % 4 == 3 and not self.task["tiny"]:
                parent = parents[(self.task["batch"] + k // 4) % len(parents)]
                decoder = Decoder(self.recipe, Shape.from_json(parent["shape"]))
                if decoder.size == len(parent["row"]):
                    yield decoder, mutated(decoder, np.array(parent["row"], dtype=np.int64), self.rows, self.rng)
                    continue
            small = k % 2 == (0 if self.task["objective"] == "simplest" else -1)
            shape = draw_shape(self.recipe, self.sizes, self.rng, small or k == 0, self.task["tiny"])
            decoder = Decoder(self.recipe, shape)
            yield decoder, draw_rows(decoder, self.rows, self.rng)

    def _score(self, decoder: Decoder, rows: NDArray[Any]) -> None:
        scores = self.scorer.read(decoder, rows, self.horizon)
        self.candidates += len(rows)
        self.met += int(scores.met.sum())
        names = sorted(scores.lines)
        for a, first in enumerate(names):
            for second in names[a:]:
                both = int((scores.lines[first] & scores.lines[second]).sum())
                key = f"{first} and {second}" if first != second else first
                self.together[key] = self.together.get(key, 0) + both
        self._keep(decoder, rows, scores, 6)

    def _keep(self, decoder: Decoder, rows: NDArray[Any], scores: Scores, count: int) -> None:
        """The best rows under the objective, and some of those that a float cannot judge."""
        order = np.lexsort((scores.value, np.where(scores.violated, scores.first, 1 << 40)))
        if self.task["objective"] == "tightest":
            order = np.argsort(scores.value, kind="stable")
        chosen = [int(k) for k in order[:count]]
        small = np.lexsort((np.abs(rows).sum(axis=1), ~scores.met)) if rows.shape[1] else np.arange(len(rows))
        chosen += [int(k) for k in small[:3]]
        chosen += [int(k) for k in self.rng.integers(0, len(rows), size=2)]
        for k in dict.fromkeys(chosen):
            if scores.met[k]:
                first = int(scores.first[k]) if scores.violated[k] else -1
                self.pool.append(Proposal(decoder, rows[k], float(scores.value[k]), first))

    def _improve(self, groups: list[tuple[Decoder, NDArray[Any]]]) -> None:
        """Push the most promising shape further; with a target, below it. Without any violation often another shape:
        the best margin may belong to a shape that has nothing better.
        """
        if self.scorer.blind or not self.pool:
            return
        early = self.task["objective"] == "earliest"
        pool = self.pool if self.task["trust"] else [p for p in self.pool if p.first < 0] or self.pool
        best = min(pool, key=lambda p: (p.first if p.first >= 0 and early else 1 << 40, p.value))
        if best.first < 0:
            each = {id(p.decoder): p for p in sorted(pool, key=lambda p: -p.value)}  # the best of its shape
            ranked = sorted(each.values(), key=_closeness)
            best = ranked[min(int(self.rng.geometric(0.4)) - 1, len(ranked) - 1)]
        rows = next(rows for decoder, rows in groups if decoder is best.decoder)
        for kept, scores, spent in improve(self.scorer, best.decoder, np.vstack([best.row, rows]), self.horizon,
                                           self.task["objective"], self.task["target"], self.rng):
            self.evaluations += spent
            self._keep(best.decoder, kept, scores, 4)

    def _ranked(self) -> list[Proposal]:
        """In turn: the best by score, the simplest of all (their violation may come late), one at random."""
        by_score = sorted((p for p in self.pool if p.first >= 0), key=self._rank)
        simplest = sorted(self.pool, key=lambda p: (p.decoder.shape.n, p.decoder.shape.d, len(p.row),
                                                    int(np.abs(p.row).sum()), p.row.tolist()))
        anyone = [self.pool[int(k)] for k in self.rng.permutation(len(self.pool))]
        lists = [by_score, by_score, simplest, anyone] if by_score else [simplest, anyone]
        if not self.task["trust"]:
            nearest = sorted((p for p in self.pool if p.first < 0), key=_closeness)
            lists = [by_score, nearest, simplest, anyone]
        elif self.task["objective"] != "simplest" and by_score:
            lists = [by_score, by_score, by_score, anyone]
        places = [0] * len(lists)
        order: list[Proposal] = []
        while any(place < len(found) for place, found in zip(places, lists, strict=True)):
            for k, found in enumerate(lists):
                if places[k] < len(found):
                    order.append(found[places[k]])
                    places[k] += 1
        return order

    def _rank(self, p: Proposal) -> Any:
        if self.task["objective"] == "earliest":
            return p.first, p.value
        if self.task["objective"] == "tightest":
            return p.value, p.first
        return p.decoder.shape.n, p.decoder.shape.d, int(np.abs(p.row).sum()), p.value

    def _check(self) -> tuple[list[dict[str, Any]], int]:
        """Exact checks of the few that are worth it."""
        finds: list[dict[str, Any]] = []
        seen: set[str] = set()
        for proposal in self._ranked():
            if len(seen) >= MOST_CHECKS or len(finds) >= ENOUGH_FINDS:
                break
            try:
                instance = proposal.decoder.instance(proposal.row)
            except CertifyError:
                continue
            key = complexity(instance)[-1]
            if key in seen:
                continue
            seen.add(key)
            brief = self.task["brief"] if proposal.first < 0 else min(self.task["brief"], proposal.first + 2)
            left = None if self.task["end"] is None else self.task["end"] - time()
            if left is not None and left <= 0:
                break
            result = brief_check(self.claim, instance, brief, None if left is None else max(0.5, left / 3))
            self.vacuous += result is None or (result.kind == "vacuous" and result.verdict["line"] != "assertion")
            if result is not None and result.kind in FOUND and result.certificate is not None:
                finds.append({**proposal.as_json(), "instance": instance.as_file(), "t": time_of(result),
                              "selected": selected(result), "value": proposal.value})
            elif proposal.first >= 0:
                self.unconfirmed.add(id(proposal))
        return finds, len(seen)


def _closeness(p: Proposal) -> tuple[float, int, list[int]]:
    return p.value, len(p.row), p.row.tolist()
