"""The examples of the README are run as a reader would: same commands, same files, same output."""
from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, flags=re.S)


def commands(block: str) -> list[tuple[str, str]]:
    """Pairs of a command and what it prints."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.M)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def matches(wanted: str, found: str) -> bool:
    """Equality up to trailing spaces, `...` standing for anything."""
    def tidy(text: str) -> str:
        return "\n".join(line.rstrip() for line in text.strip().splitlines())

    pattern = ".*".join(re.escape(part) for part in tidy(wanted).split("..."))
    return re.fullmatch(pattern, tidy(found), flags=re.S) is not None


def test_console_examples(tmp_path: Path) -> None:
    (tmp_path / "data.json").write_text(blocks("json")[0])
    (tmp_path / "shrink.claim").write_text(blocks("claim")[0])
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
                   "COLUMNS": "200", "NO_COLOR": "1"}
    count = 0
    for block in blocks("console"):
        for command, wanted in commands(block):
            found = subprocess.run(shlex.split(command), cwd=tmp_path, env=environment, capture_output=True, text=True)
            assert found.returncode == 0, (command, found.stderr)
            assert matches(wanted, found.stdout), f"{command}\nexpected\n{wanted}\nfound\n{found.stdout}"
            count += 1
    assert count >= 4


def test_python_examples() -> None:
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert results.attempted >= 5 and results.failed == 0


def test_every_link_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert target.startswith("https://") or (ROOT / target).exists(), target
