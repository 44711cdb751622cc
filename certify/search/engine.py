"""The search: numbered batches in rounds, the best find certified, shrunk, and verified before anyone sees it.

A round's tasks depend on the seed and on the answers of the rounds before, read in the order of their numbers. So the
same seed and number of candidates give the same find, whichever executor runs the batches, in whatever order.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from time import monotonic, time
from typing import Any

from ..checking import Result
from ..claims import Claim
from ..errors import CertifyError, InputError
from ..instances import read_instance
from ..verifier import printer
from .batches import CANDIDATES, ROWS, SHAPES, prepared
from .certifying import BRIEF_HORIZON, accepted, refutation
from .certifying import without as dropped
from .executors import Interrupt, SerialExecutor, collected
from .finds import Finds
from .measures import OBJECTIVES, Key, complexity, merit
from .outcome import Search, Tally
from .proposals import Sizes
from .ratios import certified_ratio, ratio_of, scaled_claim
from .selections import earlier
from .shrinking import shrunk

NOT_REFUTED = {"statistic": "is measured on random starts and no instance refutes it: use `certify check`",
               "value": "asks for a value and can not be false: use `certify check`"}
DEFAULT_SECONDS, DEFAULT_HORIZON = 60.0, 200
ROUND_SIZES = (2, 4, 8)  # the last repeats
PARENTS = 8
SHRINKS = 2  # finds of a round that are shrunk under `simplest`
VERIFYING = 1.0  # seconds kept for the verifier
DESCENTS, DESCENT, FIRST_DESCENT = 3, 4, 1 << 40  # rounds of tiny instances, their batches, the number of the first
RARE = 0.01
ENOUGH_LIES = 24  # violations in floats that exact checks do not confirm, before floats are trusted less


def refute(claim: Claim, *, seconds: float | None = None, candidates: int | None = None, seed: int = 0,
           tokens: tuple[int, int] = (1, 6), dimensions: tuple[int, int] = (1, 3), horizon: int = DEFAULT_HORIZON,
           objective: str = "simplest", without: str | None = None, executor: Executor | None = None,
           store: Path | None = None, fresh: bool = False, family: bool = False,
           progress: Callable[[Tally, float | None], None] = lambda tally, left: None) -> Search:
    """Search for a counterexample; what is returned is certified and verified, or says what was searched.

    Examples
    --------
    >>> import certify
    >>> found = refute(certify.load("fw25v1/thm-3.1"), candidates=1024, seed=1)
    >>> found.kind, len(found.result.instance.fields["x"])
    ('refuted', 2)
    """
    if objective not in OBJECTIVES:
        raise InputError(f"unknown objective {objective!r}; known: {', '.join(OBJECTIVES)}")
    for what, (low, high) in (("tokens", tokens), ("dim", dimensions)):
        if not 1 <= low <= high <= 64:
            raise InputError(f"{what} {low}..{high}: expected A..B with 1 <= A <= B <= 64")
    if claim.tree[2] in NOT_REFUTED:
        raise InputError(f"{claim.id}: a claim of kind {claim.tree[2]} {NOT_REFUTED[claim.tree[2]]}")
    claim = dropped(claim, without) if without is not None else claim
    if seconds is None and candidates is None:
        seconds = DEFAULT_SECONDS
    search = _Engine(claim, seconds, candidates, seed, tokens, dimensions, horizon, objective,
                     executor or SerialExecutor(), None if store is None else Finds(store, claim), fresh, progress)
    return search.run(family)


class _Engine:
    def __init__(self, claim: Claim, seconds: float | None, candidates: int | None, seed: int, tokens: tuple[int, int],
                 dimensions: tuple[int, int], horizon: int, objective: str, executor: Executor, finds: Finds | None,
                 fresh: bool, progress: Callable[[Tally, float | None], None]) -> None:
        self.claim, self.candidates, self.seed, self.horizon = claim, candidates, seed, horizon
        self.tokens, self.dimensions, self.objective = tokens, dimensions, objective
        self.executor, self.store, self.progress = executor, finds, progress
        self.began = monotonic()
        self.end = None if seconds is None else self.began + max(0.5 * seconds, seconds - VERIFYING)
        reserve = 0.0 if seconds is None else min(20.0, (0.25 if objective != "simplest" else 0.4) * seconds)
        self.proposing_end = None if self.end is None else self.end - reserve
        self.text = printer.claim(claim.tree)
        _, self.recipe, self.scorer = prepared(self.text)
        self.tally, self.interrupt = Tally(), Interrupt()
        self.found: list[dict[str, Any]] = []
        self.near: list[dict[str, Any]] = []
        self.best: Result | None = None
        self.ratio: Fraction | None = None
        self.first_find: float | None = None
        self.shrunk_from: set[str] = set()
        self.tried: set[str] = set()
        self.known = [] if finds is None or fresh else finds.all()

    # ---- the whole

    def run(self, family: bool) -> Search:
        interrupted = False
        try:
            with self.interrupt.watched():
                self._recall()
                if not self.recipe.contradiction:
                    self._rounds()
                self._conclude()
                if self.objective == "simplest":
                    self._descend()
        except KeyboardInterrupt:
            interrupted = True
            if self.best is None and not self.found:
                raise
        result = self._verified()
        self.tally.seconds = monotonic() - self.began
        rows: tuple[dict[str, Any], ...] = ()
        if family and result is not None and not interrupted:
            from .families import sweep
            rows = tuple(sweep(self.claim, result, max(self.horizon, BRIEF_HORIZON)))
        return Search(self.claim, self.objective, self.seed, result, self.tally,
                      {"tokens": list(self.tokens), "dimensions": list(self.dimensions), "horizon": self.horizon},
                      self.recipe.built, self.recipe.rejected, tuple(self._warnings()), self.first_find,
                      self.ratio if result is not None else None, rows, interrupted)

    def _rounds(self) -> None:
        number, stale = 0, 0
        while self._proposing():
            tasks = list(self._tasks(number))
            if not tasks:
                return
            number += len(tasks)
            before = self._key(self.best)
            answers = collected(self.executor, tasks, self._proposing, self.end, self._show)
            for answer in sorted(answers, key=lambda answer: int(answer["batch"])):
                self._note(answer)
            if self.objective == "simplest" and self.found:
                self._shrink_some()
                stale = 0 if self._key(self.best) != before else stale + 1
                if stale or self.tally.batches >= sum(ROUND_SIZES):
                    return

    def _descend(self) -> None:
        """Once there is a find: tiny instances of at most its size, as long as they give a simpler one."""
        for number in range(DESCENTS):
            if self.best is None or not self._proposing():
                return
            n, d, *_ = complexity(self.best.instance)
            sizes = Sizes((min(self.tokens[0], n), max(n, self.tokens[0])),
                          (min(self.dimensions[0], d), max(d, self.dimensions[0])))
            before = self._key(self.best)
            tasks = list(self._tasks(FIRST_DESCENT + DESCENT * number, sizes))
            answers = collected(self.executor, tasks, self._proposing, self.end, self._show)
            for answer in sorted(answers, key=lambda answer: int(answer["batch"])):
                self._note({**answer, "candidates": 0, "met": 0, "together": {},
                            "evaluations": answer["evaluations"] + answer["candidates"]})
            self._shrink_some()
            if self._key(self.best) == before:
                return

    def _proposing(self) -> bool:
        self.interrupt.check()
        end = self.proposing_end if self.found else self.end
        return end is None or monotonic() < end

    def _tasks(self, number: int, sizes: Sizes | None = None) -> Iterator[dict[str, Any]]:
        """The tasks of the round that begins with this batch; with `sizes`, tiny instances of at most that size."""
        done, size, k = 0, ROUND_SIZES[0], 0
        while sizes is None and done < number:
            done += size
            k += 1
            size = ROUND_SIZES[min(k, len(ROUND_SIZES) - 1)]
        size = DESCENT if sizes is not None else size
        best = min((find["t"] for find in self.found if find["t"] >= 0), default=None)
        ranked = sorted(self.found, key=self._merit_of)[:PARENTS // 2]
        parents = [entry for entry in (*ranked, *self.near[:PARENTS], *self.known) if "shape" in entry][:PARENTS]
        for batch in range(number, number + size):
            left = None if self.candidates is None or sizes is not None else self.candidates - batch * CANDIDATES
            if left is not None and left <= 0:
                return
            rows = ROWS if left is None else min(ROWS, -(-left // SHAPES))
            yield {"claim": self.text, "seed": self.seed, "batch": batch, "objective": self.objective, "rows": rows,
                   "tokens": list(sizes.tokens if sizes is not None else self.tokens),
                   "dimensions": list(sizes.dimensions if sizes is not None else self.dimensions),
                   "horizon": self.horizon, "target": best,
                   "parents": [{"shape": p["shape"], "row": p["row"]} for p in parents],
                   "trust": self.tally.finds > 0 or self.tally.unconfirmed < ENOUGH_LIES,
                   "brief": min(BRIEF_HORIZON, self.horizon),
                   "tiny": sizes is not None, "end": None if self.end is None else time() + self.end - monotonic()}

    def _show(self, answers: list[dict[str, Any]]) -> None:
        seen = replace(self.tally, together={})
        for answer in answers:
            seen.add(answer)
        seen.seconds = monotonic() - self.began
        if seen.finds and self.first_find is None:
            self.first_find = round(seen.seconds, 3)
        self.progress(seen, None if self.end is None else max(0.0, self.end - monotonic()))

    # ---- finds

    def _recall(self) -> None:
        """Finds of earlier searches are checked again before they count."""
        for record in [entry for entry in self.known if entry.get("kind") == "find" and "instance" in entry][:PARENTS]:
            try:
                result = refutation(self.claim, read_instance(record["instance"]), BRIEF_HORIZON)
            except CertifyError:
                continue
            if result is not None and self._fits(record["instance"]):
                self._take(result)

    def _fits(self, file: dict[str, Any]) -> bool:
        """Whether a stored find has a size that was asked for."""
        n, d, *_ = complexity(read_instance(file))
        return bool((not n or self.tokens[0] <= n <= self.tokens[1]) and self.dimensions[0] <= d <= self.dimensions[1])

    def _note(self, answer: dict[str, Any]) -> None:
        self.tally.add(answer)
        self.found += answer["finds"]
        self.near = sorted([*self.near, *answer["near"]], key=lambda entry: (entry["value"], entry["row"]))[:PARENTS]
        if self.store is not None:
            for find in answer["finds"]:
                self.store.put("find", find)
            for near in answer["near"][:1]:
                self.store.put("near miss", near)

    def _merit_of(self, find: dict[str, Any]) -> Key:
        """The merit of a find that is not certified here yet."""
        size = complexity(read_instance(find["instance"]))
        if self.objective == "earliest":
            return (find["t"], find["selected"], *size)
        if self.objective == "tightest":
            return (-ratio_of(find["value"]), find["selected"], *size)
        return (find["selected"], *size[:-1], find["t"], size[-1])

    def _key(self, result: Result | None) -> Key | None:
        return None if result is None else merit(result, self.objective, float(self.ratio or 0))

    def _take(self, result: Result) -> None:
        """Keep the better one; ratios are compared at the end."""
        key = self._key(self.best)
        if self.objective != "tightest" and (key is None or merit(result, self.objective) < key):
            self.best = result

    def _certify(self, find: dict[str, Any]) -> Result | None:
        brief = BRIEF_HORIZON if find["t"] < 0 or find["t"] > BRIEF_HORIZON else find["t"] + 2
        return refutation(self.claim, read_instance(find["instance"]), brief)

    def _shrink_some(self) -> None:
        """Shrink the best few finds that were not shrunk before."""
        for find in sorted(self.found, key=self._merit_of)[:SHRINKS]:
            name = repr(find["instance"])
            if name not in self.shrunk_from and (self.best is None or self._early()):
                self.shrunk_from.add(name)
                result = self._certify(find)
                if result is not None:
                    self._take(result)
                    self._shrink(result)

    def _early(self) -> bool:
        """Whether there is time to shrink another find."""
        return self.end is None or monotonic() - self.began < (self.end - self.began) / 2

    def _shrink(self, result: Result, until: float | None = None) -> None:
        for smaller in shrunk(self.claim, result, lambda found: merit(found, self.objective), BRIEF_HORIZON,
                              until or self.end, self.tried):
            if self._fits(smaller.instance.as_file()):
                self._take(smaller)

    def _conclude(self) -> None:
        """Certify and shrink the best of all finds."""
        if self.objective == "tightest":
            self._tightest()
        elif self.objective == "earliest":
            for find in sorted(self.found, key=self._merit_of)[:SHRINKS]:
                result = self._certify(find)
                if result is not None:
                    self._take(result)
                    break
        if self.best is not None and self.objective == "earliest":
            half = None if self.end is None else (monotonic() + self.end) / 2
            self._shrink(self.best, half)
            better = earlier(self.claim, self.best, self.seed, self.end)
            if better is not None:
                self._take(better)

    def _tightest(self) -> None:
        """Certify the ratios of the most promising; shrink only as far as the ratio stays."""
        for find in sorted(self.found, key=self._merit_of)[:SHRINKS]:
            result = self._certify(find)
            if result is None:
                continue
            ratio = certified_ratio(self.claim, result.instance, ratio_of(find["value"]), self.horizon)
            if self.best is None or (ratio or 0) > (self.ratio or 0):
                self.best, self.ratio = result, ratio
        if self.best is not None and self.ratio is not None:
            scaled = scaled_claim(self.claim, self.ratio, self.horizon)
            assert scaled is not None
            for smaller in shrunk(scaled, self.best, lambda found: complexity(found.instance), self.horizon, self.end):
                again = refutation(self.claim, smaller.instance, BRIEF_HORIZON)
                if again is not None and self._fits(smaller.instance.as_file()):
                    self.best = again

    def _verified(self) -> Result | None:
        """The best find that the verifier accepts in a process of its own, with its provenance."""
        results = [] if self.best is None else [self.best]
        for result in (*results, *(self._certify(find) for find in sorted(self.found, key=self._merit_of)[:SHRINKS])):
            if result is None or result.certificate is None:
                continue
            noted = {**result.certificate, "provenance": {**result.certificate["provenance"], "seed": self.seed,
                                                          "search": self.objective}}
            if accepted(noted):
                if self.store is not None:
                    self.store.put("find", {"instance": result.instance.as_file()})
                return replace(result, certificate=noted)
        return None

    # ---- honesty

    def _warnings(self) -> Iterator[str]:
        if self.recipe.contradiction:
            yield f"the assumptions contradict each other: {self.recipe.contradiction}"
            return
        if self.scorer.blind:
            yield f"the assertion has no reading in floats ({self.scorer.blind}): candidates were only checked exactly"
        if self.scorer.unread:
            yield (f"{', '.join(self.scorer.unread)}: no reading in floats; {self.tally.vacuous} of {self.tally.exact} "
                   "exact checks did not meet the assumptions")
        if self.tally.candidates and self.tally.met == 0:
            yield self._never_met()
        elif self.tally.candidates and self.tally.share < RARE:
            yield f"only {100 * self.tally.share:.2g}% of the candidates met all assumptions"

    def _never_met(self) -> str:
        """What no candidate met, alone or together; it may be the search that is too narrow."""
        never = [pair for pair, count in self.tally.together.items() if count == 0]
        alone = [name for name in never if " and " not in name]
        sizes = (f"{self.tokens[0]} to {self.tokens[1]} tokens in dimension {self.dimensions[0]} to "
                 f"{self.dimensions[1]} (--tokens, --dim)")
        if alone:
            return f"no candidate met {' or '.join(alone)}, with {sizes}: it may be unsatisfiable, or not proposed here"
        pairs = f": never together {'; '.join(never)}" if never else ""
        return f"no candidate met all assumptions{pairs}; they may contradict each other, or need other than {sizes}"
