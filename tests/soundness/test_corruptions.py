"""Thousands of corrupted certificates: the verifier rejects them, or what it accepts is true by a second opinion.

A corruption that is still accepted states a verdict about some claim and instance, perhaps other than the source's. It
is no failure if that verdict is right, and the second evaluator decides this from the statement, the instance and the
selection alone, without lemmas and plans. So "mathematically equivalent" needs no notion of its own: a changed plan, a
longer witness or another true statement are all judged in the same way.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import corruptions
import pytest
import second

import certify
from certify.verifier import kernel, load

VERIFIER = Path(certify.__file__).parent / "verifier"
SEEDS = {300: 20261, 2600: 20262, 50: 20263}
HORIZON = 80
TOO_HARD = {"rate-positive-product", "statistic", "statistic-vacuous"}  # for the second evaluator


def answer_of(data: bytes) -> bool:
    """Whether the verifier accepts; as on the command line every exception is a rejection."""
    try:
        kernel.verify(load.parse(data))
    except Exception:
        return False
    return True


def opinion(data: bytes, known: dict[str, second.Answer]) -> second.Answer:
    """The second opinion, once for everything that does not differ in lemmas, plans or provenance."""
    certificate = json.loads(data)
    chosen = certificate["plans"].get("selection", [])
    stated = [certificate[field] for field in ("claim", "instance", "ledger", "verdict")]
    key = load.address([*stated, chosen])
    if key not in known:
        known[key] = second.judge(certificate, horizon=HORIZON, continuations=2)
    return known[key]


def run(count: int) -> None:
    known: dict[str, second.Answer] = {}
    outcomes: Counter[tuple[str, str]] = Counter()
    totals: Counter[str] = Counter()
    denied = []
    for corruption in corruptions.corruptions(count, SEEDS[count]):
        outcome = "rejected"
        if answer_of(corruption.data):
            outcome, reason = opinion(corruption.data, known)
            if outcome == second.DENIED:
                denied.append((corruption, reason))
            if outcome == second.UNSURE and corruption.source in TOO_HARD:
                outcome = "beyond the second evaluator"
            elif outcome == second.UNSURE:
                print("cannot say:", corruption.source, corruption.field, reason)
        outcomes[f"{corruption.field}, {corruption.repair}", outcome] += 1
        totals[outcome] += 1
    print(f"seed {SEEDS[count]}, {count} corruptions: {dict(totals)}")
    for (field, outcome), number in sorted(outcomes.items()):
        print(f"{number:5} {field}: {outcome}")
    for corruption, reason in denied:
        print("denied:", corruption.source, corruption.field, corruption.repair, reason, corruption.data.decode())
    assert not denied, f"{len(denied)} false certificates were accepted"
    accepted = sum(totals.values()) - totals["rejected"]
    assert totals["rejected"] > count / 2 and accepted > count / 20, totals
    assert totals[second.UNSURE] <= 0.02 * accepted, totals


def test_300_corruptions() -> None:
    run(300)


@pytest.mark.slow
def test_2600_corruptions() -> None:
    run(2600)


def test_50_corruptions_on_the_command_line(tmp_path: Path) -> None:
    expected, paths = [], []
    for k, corruption in enumerate(corruptions.corruptions(50, SEEDS[50])):
        paths.append(tmp_path / f"{k}.json")
        paths[-1].write_bytes(corruption.data)
        expected.append("accepted" if answer_of(corruption.data) else "rejected")
    command = [sys.executable, "-I", "-S", str(VERIFIER), "--json", *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert [report["answer"] for report in json.loads(done.stdout)] == expected
    assert done.returncode == (1 if "rejected" in expected else 0)


def test_the_sources_are_accepted_and_confirmed() -> None:
    unsure = []
    for name, certificate in corruptions.sources().items():
        kernel.verify(certificate)
        answer, reason = second.judge(certificate, horizon=HORIZON, continuations=2)
        assert answer != second.DENIED, (name, reason)
        if answer == second.UNSURE:
            unsure.append((name, reason))
    assert {name for name, _ in unsure} <= TOO_HARD, unsure


FALSEHOODS = {  # verdicts that are wrong for what they state, each a change of a true one
    "thm-3.1-refuted": [{"t": 574}, {"t": 576}, {"i": 1}],
    "thm-3.1-late": [{"t": "64000064000015"}, {"t": "64000064000017"}],
    "gap": [{"first": True}, {"t": 7}],
    "until": [{"T": 5}, {"T": "forever"}],
    "origin-refuted": [{"i": 1}],
    "fails-at": [{"line": "assertion"}],
    "value-root": [{"value": "2"}, {"value": {"sqrt": "4"}}],
    "value-nearest": [{"value": ["1", "1"]}],
    "trap-rate": [{"i": 1}],
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(FALSEHOODS))
def test_the_second_evaluator_denies_what_is_false(name: str) -> None:
    for change in FALSEHOODS[name]:
        certificate = corruptions.sources()[name]
        certificate["verdict"].update(change)
        if "t" in change:
            certificate["ledger"][-1]["t"] = change["t"]
        if "T" in change:
            for line in certificate["ledger"]:
                line["scope"] = change["T"]
        assert second.judge(certificate)[0] == second.DENIED, change
