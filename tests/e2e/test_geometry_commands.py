"""certify vertices and certify lmo: files in, answers and certificates out."""
from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from certify.cli import main

VERIFIER = Path(__file__).parents[2] / "certify" / "verifier"
POINTS = [["0", "0"], ["1", "0"], ["0", "1"], ["1/3", "1/3"], ["1", "0"], ["1/2", "1/2"]]


def run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(main, list(arguments), catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.output


def accepted(certificate: Path) -> bool:
    done = subprocess.run([sys.executable, "-I", "-S", str(VERIFIER), str(certificate)], capture_output=True, text=True)
    return done.returncode == 0 and "Traceback" not in done.stderr


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    paths = {suffix: tmp_path / f"points.{suffix}" for suffix in ("json", "csv", "npy")}
    paths["json"].write_text(json.dumps(POINTS))
    paths["csv"].write_text("x,y\n" + "\n".join(",".join(row) for row in POINTS) + "\n")
    np.save(paths["npy"], np.array([[0, 0], [1, 0], [0, 1], [0.25, 0.25], [1, 0], [0.5, 0.5]]))
    return paths


@pytest.mark.parametrize("suffix", ["json", "csv", "npy"])
def test_vertices_of_every_kind_of_file(files: dict[str, Path], suffix: str, tmp_path: Path) -> None:
    certificate = tmp_path / "v.cert"
    found = json.loads(run("vertices", str(files[suffix]), "-o", str(certificate), "--json"))
    assert found["vertices"] == [0, 1, 2] and found["certificate"] == str(certificate) and len(found["id"]) == 64
    assert accepted(certificate)
    assert json.loads(run("vertices", str(files[suffix]), "--json"))["certificate"] is None
    assert "vertices: 0 1 2" in run("vertices", str(files[suffix]))


@pytest.mark.parametrize(("direction", "argmin", "value"), [
    ("1,1", [0], "0"), ("-1,-1", [1, 2, 4, 5], "-1"), ('["0", "1/2"]', [0, 1, 4], "0"),
    ("0 0", [0, 1, 2, 3, 4, 5], "0")])
def test_the_oracle_gives_all_optimal_points(files: dict[str, Path], direction: str, argmin: list[int], value: str,
                                             tmp_path: Path) -> None:
    certificate = tmp_path / "l.cert"
    found = json.loads(run("lmo", str(files["json"]), "--direction", direction, "--json", "-o", str(certificate)))
    assert found["argmin"] == argmin and found["value"] == value
    assert accepted(certificate)


def test_a_corrupted_certificate_is_rejected(files: dict[str, Path], tmp_path: Path) -> None:
    certificate = tmp_path / "v.cert"
    run("vertices", str(files["json"]), "-o", str(certificate))
    body: dict[str, Any] = json.loads(certificate.read_text())
    lemma = next(iter(body["lemmas"].values()))
    lemma["witness"]["reasons"][3] = {"direction": ["1", "0"]}
    certificate.write_text(json.dumps(body, sort_keys=True, separators=(",", ":")))
    assert not accepted(certificate)


@pytest.mark.parametrize("content", ["{", "[]", "[[]]", '[["1","2"],["3"]]', '[["nan"]]', '{"x": []}', "[1, 2]",
                                     '[["1/0"]]', '[[true]]'])
def test_bad_points_are_refused_with_a_message(tmp_path: Path, content: str) -> None:
    path, certificate = tmp_path / "bad.json", tmp_path / "bad.cert"
    path.write_text(content)
    result = CliRunner().invoke(main, ["vertices", str(path), "-o", str(certificate)])
    assert result.exit_code == 2 and "certify:" in result.output and not certificate.exists()


def test_other_bad_input(files: dict[str, Path], tmp_path: Path) -> None:
    run("vertices", str(tmp_path / "none.json"), code=2)
    run("lmo", str(files["json"]), "--direction", "1", code=2)
    run("lmo", str(files["json"]), "--direction", "x,y", code=2)
    broken = tmp_path / "broken.npy"
    broken.write_bytes(b"not an array")
    run("vertices", str(broken), code=2)


def test_one_point_and_no_interior(tmp_path: Path) -> None:
    path = tmp_path / "flat.json"
    path.write_text('[["1","1","1"]]')
    assert json.loads(run("vertices", str(path), "--json"))["vertices"] == [0]
    path.write_text('[["0","0"],["1","1"],["2","2"],["2","2"]]')
    assert json.loads(run("vertices", str(path), "--json"))["vertices"] == [0, 2]
