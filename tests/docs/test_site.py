"""The documentation site builds, strictly, and the verifier's archive runs alone."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import certify
from certify.certificate import write
from certify.verification import write_archive

ROOT = Path(__file__).parents[2]


def test_site_builds(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    assert (tmp_path / "CERTIFICATE" / "index.html").is_file()


def test_archive_is_reproducible_and_verifies(tmp_path: Path) -> None:
    first, second = tmp_path / "a.pyz", tmp_path / "b.pyz"
    write_archive(first)
    write_archive(second)
    assert first.read_bytes() == second.read_bytes()
    data = certify.instance("hardmax", x=[[3], [-1]], B=[[-1]], g="2/(t+2)")
    result = certify.check(certify.load("fw25v1/thm-3.1"), data)
    assert result.certificate is not None
    write(result.certificate, tmp_path / "cert.json")
    good = subprocess.run([sys.executable, "-I", "-S", str(first), str(tmp_path / "cert.json")], capture_output=True,
                          text=True)
    assert good.returncode == 0 and good.stdout.startswith("accepted"), good.stdout + good.stderr
    (tmp_path / "bad.json").write_text('{"format":"certify/1"}')
    bad = subprocess.run([sys.executable, "-I", "-S", str(first), str(tmp_path / "bad.json")], capture_output=True)
    assert bad.returncode == 1
