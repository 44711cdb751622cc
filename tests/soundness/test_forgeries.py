"""Nothing false is accepted: thousands of corrupted certificates, and a second opinion on those that still pass."""
from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import forgery
import pytest
import second

import certify
from certify.claims import catalogue, instance_names, named_instance
from certify.verifier.exact import Reject
from certify.verifier.kernel import verify
from certify.verifier.load import canonical, parse

VERIFIER = Path(certify.__file__).parent / "verifier"
SLOW_TO_JUDGE = r"duality-gap|polygon-12|(circle|radii)-(diagonal-)?([6-9]|[12][0-9])|gaussian-[25]"
SKIPPED = re.compile(SLOW_TO_JUDGE)


@cache
def genuine() -> list[tuple[dict[str, Any], list[tuple[str, Any]]]]:
    """Certificates of the catalogue, one or two for every claim and verdict kind, with their lemmas in order."""
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for claim in catalogue():
        for name in instance_names(claim):
            if SKIPPED.search(claim.id + name):
                continue
            result = certify.check(claim, named_instance(claim, name), horizon=30)
            if result.certificate is not None and seen[claim.id, result.kind] < 2:
                seen[claim.id, result.kind] += 1
                certificate = json.loads(canonical(result.certificate))
                found.append((certificate, forgery.asked(certificate)))
    return found


def run(count: int, seed: int) -> None:
    rng = random.Random(seed)
    counts: Counter[tuple[str, str]] = Counter()
    accepted: Counter[str] = Counter()
    print("seed", seed, "sources", len(genuine()))
    for k in range(count):
        source, order = genuine()[k % len(genuine())]
        field, data = forgery.forge(source, order, rng)
        try:
            certificate = parse(data)
            verify(certificate)
        except Reject:
            counts[field, "rejected"] += 1
            continue
        except Exception:  # the command line turns every exception into a rejection
            counts[field, "rejected"] += 1
            continue
        if canonical(certificate) == canonical(source):
            counts[field, "unchanged"] += 1
            continue
        answer, reason = second.judge(certificate, horizon=60, continuations=2)
        counts[field, f"accepted, {answer}"] += 1
        accepted[answer] += 1
        assert answer != second.DENIED, (field, reason, data.decode())
    for key, number in sorted(counts.items()):
        print(f"{number:6} {key[0]}: {key[1]}")
    assert sum(counts.values()) == count
    assert accepted[second.UNSURE] <= max(5, 0.02 * count), accepted


def test_forgeries() -> None:
    run(400, 2026)


@pytest.mark.slow
def test_thousands_of_forgeries() -> None:
    run(3000, 7)


def test_genuine_certificates_are_accepted_and_confirmed() -> None:
    kinds = set()
    for certificate, _ in genuine():
        verify(certificate)
        answer, reason = second.judge(certificate, horizon=60, continuations=2)
        assert answer != second.DENIED, (certificate["claim"]["id"], reason)
        kinds.add(certificate["verdict"]["kind"])
    assert {"holds", "refuted", "vacuous"} <= kinds


def test_the_command_line_gives_the_same_answers(tmp_path: Path) -> None:
    rng = random.Random(11)
    files, wanted = [], []
    for k in range(40):
        source, order = genuine()[k % len(genuine())]
        _, data = forgery.forge(source, order, rng)
        path = tmp_path / f"{k}.json"
        path.write_bytes(data)
        files.append(str(path))
        try:
            verify(parse(data))
            wanted.append("accepted")
        except Exception:
            wanted.append("rejected")
    command = [sys.executable, "-I", "-S", str(VERIFIER), "--json", *files]
    found = subprocess.run(command, capture_output=True, text=True)
    assert [report["answer"] for report in json.loads(found.stdout)] == wanted
