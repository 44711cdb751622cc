"""Asking certify for a verdict and holding it against the second computation.

Only the public names of certify are used, and its verifier on the certificate that came out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import certify
from certify.verifier import kernel, load

from .second import Case, Chosen, Cloud, Tie, first_tie, followed, late_state, settled, trajectories

Lines = dict[str, bool]
Violation = Callable[[Case, list[Cloud], int], int | None]  # the first token that violates the assertion at t
HORIZON = 40
LAST = 16  # how far brute force looks at what is said to hold
FAR = 160  # how far it simulates to see a refutation


def written(value: Any) -> Any:
    """Fractions in nested lists and objects as the text of an instance file."""
    if isinstance(value, dict):
        return {key: written(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [written(entry) for entry in value]
    return value if isinstance(value, str) else str(value)


def asked(claim: str, case: Case, horizon: int = HORIZON, **givens: Any) -> certify.Result:
    """The verdict, its certificate accepted by the verifier as the bytes of a file."""
    data = certify.instance("hardmax", **written({"x": case.x, "B": case.b.form, "g": case.g.form, **givens}))
    return accepted(certify.check(certify.load(claim), data, horizon=horizon))


def accepted(result: certify.Result) -> certify.Result:
    """An undecided result has a reason and no certificate; any other has one that the verifier accepts."""
    if result.kind == "undecided":
        assert result.certificate is None
        assert result.verdict["reason"]
        return result
    assert result.certificate is not None
    content = load.canonical(result.certificate).encode("ascii")
    report = kernel.verify(load.parse(content))
    assert {**report["verdict"], "evidence": "exact"} == result.verdict
    return result


def accepted_alone(result: certify.Result, folder: Path) -> None:
    """The certificate as a file, to the verifier in its own process."""
    path = folder / "certificate.json"
    path.write_text(json.dumps(result.certificate, sort_keys=True, separators=(",", ":")), "ascii")
    answer = certify.verify(path)
    assert answer.accepted, answer.reason


def agree_on_lines(result: certify.Result, lines: Lines) -> bool:
    """Each assumption is judged as brute force judges it; whether all are true. The first false one is named."""
    for name, truth in lines.items():
        line = next(entry for entry in result.ledger if entry["name"] == name)
        assert line["status"] == ("true" if truth else "false"), (name, truth, result.ledger)
        assert not truth or line["scope"] == "forever", (name, result.ledger)
    false = [name for name, truth in lines.items() if not truth]
    if false:
        assert result.kind == "vacuous", (false, result.verdict)
        assert result.verdict["line"] == false[0], (false, result.verdict)
        return False
    assert result.kind in ("holds", "refuted", "undecided"), result.verdict
    return True


def stated_selection(result: certify.Result) -> Chosen:
    """The selection that a refutation carries; a tie that it leaves open is a Tie."""
    assert result.certificate is not None
    stated = {(t, i): {j: Fraction(w) for j, w in shares}
              for t, i, shares in result.certificate["plans"].get("selection", [])}

    def choose(t: int, i: int, options: list[int]) -> dict[int, Fraction]:
        if (t, i) not in stated:
            raise Tie(t, i)
        share = stated[t, i]
        assert sum(share.values()) == 1
        assert min(share.values()) >= 0
        assert set(share) <= set(options), "a selection among the leaders"
        return share

    return choose


def judged(claim: str, case: Case, lines: Lines, violation: Violation, ahead: int = 1, start: int = 0,
           **givens: Any) -> certify.Result:
    """A verdict on `forall t >= start, i: ...` that agrees with brute force.

    `ahead` is 1 if the assertion at t speaks of the state at t + 1, else 0."""
    result = asked(claim, case, **givens)
    if not agree_on_lines(result, lines):
        return result
    tie = first_tie(case, HORIZON if result.kind != "refuted" else 0)
    known = HORIZON if tie is None else tie - ahead  # the last t whose states no selection can change
    if result.kind == "refuted":
        agree_on_refutation(result, case, violation, ahead, start)
        return result
    if result.kind == "holds":
        reach = result.verdict["T"]
        if reach != "forever":
            assert reach >= known, f"known to {known}, said to {result.verdict}"
        agree_on_truth(case, violation, LAST if reach == "forever" else min(LAST, reach), ahead, start)
    else:
        assert tie is not None, f"no tie, and yet {result.verdict}"
        assert known < start, f"known to {known}, and yet {result.verdict}"
    return result


def agree_on_truth(case: Case, violation: Violation, last: int, ahead: int, start: int) -> None:
    """No selection that brute force tries violates the assertion to `last`."""
    for states in trajectories(case, last + ahead):
        for t in range(start, last + 1):
            assert violation(case, states, t) is None, f"violated at t = {t} along {states}"


def agree_on_refutation(result: certify.Result, case: Case, violation: Violation, ahead: int, start: int) -> None:
    """The assertion is false at the t and i of the verdict along its selection, and nowhere before if it is first."""
    t, i, first = int(result.verdict["t"]), result.verdict["i"], result.verdict["first"]
    choose = stated_selection(result)
    if t <= FAR:
        states = followed(case, t + ahead, choose)
        before = [s for s in range(start, t) if first and violation(case, states, s) is not None]
        assert not before, f"violated at {before}, before {result.verdict}"
        assert violation(case, states, t) == i, (violation(case, states, t), result.verdict)
        return
    since, states, goal = run_until_settled(case, choose)
    start_of_run = states[-1]
    late: list[Cloud] = LateStates(states, start_of_run, goal, since)
    assert violation(case, late, t) == i, result.verdict
    if first:
        tried: Iterable[int] = {*range(start, FAR), *range(max(start, t - 3), t), (t + FAR) // 2}
        before = [s for s in sorted(tried) if violation(case, late, s) is not None]
        assert not before, f"violated at {before}, before {result.verdict}"


class LateStates(list[Cloud]):
    """States by simulation as far as they go, and by the closed form after."""

    def __init__(self, states: list[Cloud], start: Cloud, goal: Any, since: int) -> None:
        super().__init__(states)
        self.start, self.goal, self.since = start, goal, since

    def __getitem__(self, t: Any) -> Any:
        return super().__getitem__(t) if t <= self.since else late_state(self.start, self.goal, self.since, t)


def run_until_settled(case: Case, choose: Chosen | None) -> tuple[int, list[Cloud], Any]:
    """Simulate until tokens are seen to run to fixed points for ever."""
    for last in (6, 12, 25, 50):
        states = followed(case, last, choose)
        goal = settled(case, states)
        if goal is not None:
            return last, states, goal
    raise AssertionError("brute force sees no settled state by t = 50")


def share_undecided(results: Iterable[certify.Result]) -> Fraction:
    """Of the results whose assumptions are all true, the share that is undecided."""
    kinds = [result.kind for result in results if result.kind != "vacuous"]
    return Fraction(kinds.count("undecided"), max(1, len(kinds)))
