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


def write_archive(path: Path) -> None:
    """Write the verifier as one `.pyz` file that runs with any Python 3.11, the same bytes every time."""
    import zipfile
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(VERIFIER.rglob("*.py")):
            name = file.relative_to(VERIFIER).as_posix()
            for target in (f"verifier/{name}", "__main__.py") if name == "__main__.py" else (f"verifier/{name}",):
                archive.writestr(zipfile.ZipInfo(target, (2020, 1, 1, 0, 0, 0)), file.read_bytes())


def verify(path: str | Path) -> Verification:
    """Verify one certificate file in a process of its own."""
    return verify_files([path])[0]


def _as_argument(path: str | Path) -> str:
    """A path that no command takes for an option."""
    return f"./{path}" if str(path).startswith("-") else str(path)


def verify_files(paths: Sequence[str | Path]) -> list[Verification]:
    """Verify certificate files, one process for all of them."""
    if not paths:
        return []
    command = [sys.executable, "-I", "-S", str(VERIFIER), "--json", *map(_as_argument, paths)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        answer = json.loads(found.stdout)
    except ValueError:
        last = found.stderr.strip()[-200:]
        raise UnableError(f"the verifier did not answer (exit {found.returncode}): {last}") from None
    reports = answer if isinstance(answer, list) else [answer]
    return [Verification(report["file"], report["answer"], report) for report in reports]
