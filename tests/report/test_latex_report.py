"""The report in LaTeX compiles, whatever prose stands in the certificates, and nothing sticks out of the margin."""
from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from report_certificates import write_all

import certify
from certify.certificate import write
from certify.report.gathering import gather
from certify.report.latex import latex_report

HOW = ("there is no pdflatex; on Debian: apt-get install texlive-latex-base texlive-latex-recommended")
PROSE = r"\\input{secret} \\end{document} $x_1^2$ # % & ~ { } <|> ∀ζ √2 é"
CLAIM = f'''
claim mine/odd-prose
  title   "{PROSE}"
  source  "{PROSE}"
  reading "{PROSE}"
  system  hardmax, selection every
  assert  forall t: hull(x[t + 1]) subset hull(x[t])
'''
pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("pdflatex") is None, reason=HOW)]


def compiled(text: str, folder: Path) -> str:
    """The log of a run that must succeed."""
    (folder / "report.tex").write_text(text, "utf-8")
    found = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "report.tex"],
                           cwd=folder, capture_output=True, timeout=300)
    log = found.stdout.decode("utf-8", "replace")
    assert found.returncode == 0 and (folder / "report.pdf").stat().st_size > 10_000, log[-2000:]
    return log


def widest(log: str) -> float:
    """By how many points the widest line sticks out."""
    return max((float(points) for points in re.findall(r"Overfull \\hbox \(([0-9.]+)pt", log)), default=0.0)


def test_the_audit_compiles(store: Path, tmp_path: Path) -> None:
    log = compiled(latex_report(gather([store])), tmp_path)
    assert widest(log) < 10
    assert "undefined" not in log


def test_prose_cannot_break_the_document(tmp_path: Path) -> None:
    paths = write_all(tmp_path)
    data = certify.instance("hardmax", x=[["1", "0"], ["0", "1"]], B=[[1, 0], [0, 1]], g="1/2")
    result = certify.check(certify.parse(CLAIM), data)
    assert result.certificate is not None
    write(result.certificate, tmp_path / "odd.json")
    text = latex_report(gather([*paths, tmp_path / "odd.json"]))
    assert r"\input{" not in text and text.count(r"\end{document}") == 1
    compiled(text, tmp_path)
