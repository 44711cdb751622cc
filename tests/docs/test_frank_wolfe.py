"""Every sentence of the page on the Frank-Wolfe paper is what the tool finds, and its certificate is in the audit."""
from __future__ import annotations

from pathlib import Path

import pytest

import certify
from certify.claims import catalogue, instance_names, named_instance
from certify.verifier.kernel import verify

PAGE = (Path(__file__).parents[2] / "docs" / "FRANK_WOLFE.md").read_text("utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in PAGE.splitlines()
        if line.startswith("| ") and "/" in line and not line.startswith("| what")]


@pytest.mark.parametrize(("said", "claim_id", "name", "words"), ROWS, ids=[f"{row[1]} {row[2]}" for row in ROWS])
def test_each_row_is_recomputed(said: str, claim_id: str, name: str, words: str) -> None:
    claim = certify.load(claim_id)
    full = f"fw25v1/{name}"
    assert full in instance_names(claim), f"{said}: the audit has no such row"
    result = certify.check(claim, named_instance(claim, full))
    assert result.sentence() == words
    assert result.certificate is not None
    verify(result.certificate)


def test_every_claim_of_the_paper_has_a_row() -> None:
    named = {row[1] for row in ROWS}
    assert named == {claim.id for claim in catalogue() if claim.id.split("/")[0] in ("fw25v1", "fw26icml", "repair")}


def test_figures_exist() -> None:
    folder = Path(__file__).parents[2] / "docs" / "figures"
    shown = [part.split(")")[0] for part in PAGE.split("](figures/")[1:]]
    assert shown and all((folder / name).read_text("utf-8").startswith("<?xml") for name in shown)
