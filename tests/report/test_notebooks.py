"""Notebooks: outputs stripped in the repository, and they run from scratch."""
from __future__ import annotations

import json
from pathlib import Path
from time import monotonic

import pytest

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert {path.stem for path in NOTEBOOKS} >= {"frank-wolfe", "icml-2026", "your-own-claim"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_stripped(path: Path) -> None:
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs_from_scratch(path: Path, tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    start = monotonic()
    book = nbformat.read(path, 4)
    nbformat.validate(book)
    client.NotebookClient(book, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert monotonic() - start < 120
