"""Files that every verifier must accept or reject."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from certify.verifier.command import check_file

HERE = Path(__file__).parent
INDEX = json.loads((HERE / "index.json").read_text("utf-8"))


@pytest.mark.parametrize("name", sorted(INDEX))
def test_file(name: str) -> None:
    report = check_file(str(HERE / name))
    wanted = INDEX[name]["answer"].removesuffix("ed") + "ed"
    assert report["answer"] == wanted, (INDEX[name]["reason"], report.get("reason"))
    assert "malformed" not in report.get("reason", ""), report["reason"]


def test_every_file_is_listed() -> None:
    files = {path.relative_to(HERE).as_posix() for path in HERE.glob("*/*.json")}
    assert files == set(INDEX) and sum(name.startswith("accept/") for name in INDEX) >= 15
    assert sum(name.startswith("reject/") for name in INDEX) >= 50
