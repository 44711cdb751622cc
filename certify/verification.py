"""Running the verifier as anyone else would: in its own process, with nothing but the standard library."""
from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import UnableError

VERIFIER = Path(__file__).parent / "verifier"


@dataclass(frozen=True)
class Verification:
    """The verifier's answer on one file: accepted, rejected or unreadable, with the reason."""

    file: str
    answer: str
    report: dict[str, Any]

    @property
    def accepted(self) -> bool:
        return self.answer == "accepted"

    @property
    def reason(self) -> str:
        return str(self.report.get("reason", ""))

    def __bool__(self) -> bool:
        return self.accepted


def verify(path: str | Path) -> Verification:
    """Verify one certificate file in a process of its own."""
    return verify_files([path])[0]


def verify_files(paths: Sequence[str | Path]) -> list[Verification]:
    """Verify certificate files, one process for all of them."""
    if not paths:
        return []
    command = [sys.executable, "-I", "-S", str(VERIFIER), "--json", *map(str, paths)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        answer = json.loads(found.stdout)
    except ValueError:
        last = found.stderr.strip()[-200:]
        raise UnableError(f"the verifier did not answer (exit {found.returncode}): {last}") from None
    reports = answer if isinstance(answer, list) else [answer]
    return [Verification(report["file"], report["answer"], report) for report in reports]
