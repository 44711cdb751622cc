"""The command line as a person meets it: exit codes, streams, files, and no traceback anywhere."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest

import certify
from certify.cli import main

ROOT = Path(certify.__file__).resolve().parents[1]
VERIFIER = ROOT / "certify" / "verifier"
THEOREM = "fw25v1/thm-3.1"
GOOD = {"system": "hardmax", "x": [["3"], ["-1"]], "B": [["-1"]], "g": "2/(t+2)"}


class Run(NamedTuple):
    code: int
    out: str
    err: str


def run(*arguments: Any, stdin: str | None = None) -> Run:
    """One command in this process; an exception other than the exit fails the test, as a traceback would."""
    out, err = io.StringIO(), io.StringIO()
    kept = sys.stdin
    code: Any = 0
    try:
        sys.stdin = io.StringIO(stdin or "")
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = main.main(args=[str(a) for a in arguments], prog_name="certify") or 0  # sys.exit(main()) does it
            except SystemExit as stop:
                code = stop.code or 0
    finally:
        sys.stdin = kept
    assert "Traceback" not in err.getvalue()
    return Run(int(code), out.getvalue(), err.getvalue())


def spawn(*arguments: Any, **options: Any) -> subprocess.CompletedProcess[str]:
    """One command in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **options.pop("environment", {})}
    return subprocess.run(
        [sys.executable, "-m", "certify.cli", *map(str, arguments)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        timeout=120,
        **options,
    )


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Path]:
    """A folder with one good instance, as the current folder."""
    (tmp_path / "good.json").write_text(json.dumps(GOOD), "utf-8")
    before = Path.cwd()
    os.chdir(tmp_path)
    yield tmp_path
    os.chdir(before)


def refused(found: Run, message: str = "", code: int = 2) -> None:
    assert found.code == code, found
    assert found.out == ""
    assert found.err.strip()
    assert message in found.err


# ---- check


def test_check_for_a_person(here: Path) -> None:
    found = run("check", THEOREM, "good.json", "-o", "cert.json")
    assert found.code == 0
    for part in (
        THEOREM,
        "H1",
        "H4",
        "assertion",
        "refuted at t = 575, token 0 (the first violation)",
        "cert.json",
        "reading",
    ):
        assert part in found.out
    assert found.err == ""
    assert sorted(p.name for p in here.iterdir()) == ["cert.json", "good.json"]


FIELDS = {"verdict", "ledger", "ties", "evidence", "certificate", "id"}
CHECKS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {"kind": "refuted", "t": 575, "i": 0, "first": True}),
    ({"x": [["1"], ["-1"]]}, {"kind": "holds", "T": "forever"}),
    ({"x": [["1000001"], ["-1000000"]]}, {"kind": "refuted", "t": "64000064000016", "first": True}),
    ({"x": [["3"], ["1"]]}, {"kind": "vacuous", "line": "H4"}),
    ({"g": "1/2"}, {"kind": "vacuous", "line": "H3"}),
]


@pytest.mark.parametrize(("changes", "verdict"), CHECKS)
def test_check_for_a_program(here: Path, changes: dict[str, Any], verdict: dict[str, Any]) -> None:
    (here / "data.json").write_text(json.dumps({**GOOD, **changes}), "utf-8")
    found = run("check", THEOREM, "data.json", "--json", "-o", "cert.json")
    assert found.code == 0
    assert len(found.out.splitlines()) == 1
    answer = json.loads(found.out)
    assert set(answer) >= FIELDS
    assert {key: answer["verdict"][key] for key in verdict} == verdict
    assert [line["name"] for line in answer["ledger"]] == ["H1", "H2", "H3", "H4", "assertion"]
    for line in answer["ledger"]:
        assert line["status"] in ("true", "false", "undecided")
        assert ("scope" in line) == (line["status"] == "true")
    assert answer["evidence"] == "exact"
    assert answer["certificate"] == "cert.json"
    from certify.verifier.load import identity

    assert answer["id"] == identity(json.loads((here / "cert.json").read_text("utf-8")))


def test_check_reports_ties_and_what_is_undecided(here: Path) -> None:
    (here / "tie.json").write_text(json.dumps({**GOOD, "x": [["3"], ["0"], ["-1"]]}), "utf-8")
    (here / "mine.claim").write_text(
        "claim mine/sum system hardmax, selection every assert forall i, j: <x[i, 9], x[j, 9]> = 7 implies 1/0 = 1",
        "utf-8",
    )
    found = run("check", "mine.claim", "tie.json", "--json", "--horizon", "3", "-o", "cert.json")
    assert found.code == 0
    answer = json.loads(found.out)
    assert answer["ties"][0] == {"t": 0, "i": 1}
    assert len(answer["ties"]) <= 10
    assert answer["verdict"]["kind"] == "undecided"
    assert answer["verdict"]["reason"]
    assert (answer["certificate"], answer["id"]) == (None, None)
    assert not (here / "cert.json").exists()


def test_expect(here: Path) -> None:
    assert run("check", THEOREM, "good.json", "--expect", "refuted").code == 0
    found = run("check", THEOREM, "good.json", "--expect", "holds", "--json", "-o", "cert.json")
    assert found.code == 1
    assert "refuted" in found.err
    assert json.loads(found.out)["verdict"]["kind"] == "refuted"
    assert (here / "cert.json").exists()


def test_standard_input_and_named_instances_and_files_agree(here: Path) -> None:
    first = run("check", THEOREM, "good.json", "--json").out
    assert run("check", THEOREM, "-", "--json", stdin=json.dumps(GOOD)).out == first
    assert run("check", THEOREM, "three-one", "--json").out == first
    assert run("check", THEOREM, "fw25v1/three-one", "--json").out == first
    assert run("check", str(ROOT / "certify/claims/fw25v1/thm-3.1.claim"), "good.json", "--json").out == first
    assert run("check", THEOREM, "four-one", "--json", "--set", "x=[[3],[-1]]").out == first


def test_set_adds_and_replaces(here: Path) -> None:
    def verdict(*settings: str) -> dict[str, Any]:
        pairs = [part for setting in settings for part in ("--set", setting)]
        return json.loads(run("check", THEOREM, "good.json", "--json", *pairs).out)["verdict"]

    assert verdict("g=1/2")["line"] == "H3"
    assert verdict("g=0.5")["line"] == "H3"
    assert verdict('x=[["4"],["-1"]]')["t"] == 224
    assert verdict("x=[[1],[-1]]", "B=[[-2]]")["T"] == "forever"
    assert verdict('B={"list": [[[-1]], [[-2]]]}')["line"] == "H2"
    assert verdict("x=[[4],[-1]]", "x=[[3],[-1]]")["t"] == 575
    (here / "mine.claim").write_text("claim mine/a system none given a: scalar assert a = 0.1", "utf-8")
    (here / "none.json").write_text('{"system": "none"}', "utf-8")
    for text in ("a=0.1", "a=1/10", 'a="0.1"', "a=1e-1"):
        assert run("check", "mine.claim", "none.json", "--set", text, "--expect", "holds").code == 0


def test_a_horizon_bounds_the_work_not_the_question(here: Path) -> None:
    for horizon in ("2", "50", "600"):
        answer = json.loads(run("check", THEOREM, "good.json", "--json", "--horizon", horizon).out)
        assert answer["verdict"]["t"] == 575


BAD_INPUT: list[tuple[str, list[str], str]] = [
    ("no such file", ["nosuch.json"], "nosuch.json"),
    ("no such name", ["nosuch"], "three-one"),
    ("a folder", ["."], "directory"),
    ("a name too long", ["a" * 5000], ""),
    ("a file name too long", ["a" * 5000 + ".json"], ""),
    ("a path out of the catalogue", ["../../../etc/passwd"], ""),
    ("code for an expression", ["good.json", "--set", "g=__import__('os').system('x')"], "g"),
    ("code for a number", ["good.json", "--set", "x=[[\"__import__('os')\"]]"], "x[0][0]"),
    ("no tokens", ["good.json", "--set", "x=[]"], "x"),
    ("ragged rows", ["good.json", "--set", "x=[[1],[2,3]]"], "x[1]"),
    ("dimension zero", ["good.json", "--set", "x=[[]]"], "x[0]"),
    ("the wrong dimension", ["good.json", "--set", "B=[[1,0],[0,1]]"], "B"),
    ("an unknown system", ["good.json", "--set", "system=softmax"], "softmax"),
    ("another system", ["good.json", "--set", "system=none", "--set", "g=1"], "hardmax"),
    ("an unknown key", ["good.json", "--set", "beta=1"], "beta"),
    ("no key", ["good.json", "--set", "=1"], "KEY=VALUE"),
    ("no value", ["good.json", "--set", "g"], "KEY=VALUE"),
    ("a step above 1 from t = 1001 on", ["good.json", "--set", "g=t/1000"], "g"),
    ("a step above 1 at t = 1000 only", ["good.json", "--set", "g=1/2 + 1/(1+(t-1000)^2)"], "g"),
    ("a step below 0 late", ["good.json", "--set", "g=1 - (t-1000)^2/10^7"], "g"),
    ("a step that is undefined at t = 1000", ["good.json", "--set", "g=1/(t-1000)^2"], "g"),
    ("a truth value", ["good.json", "--set", "g=true"], "truth value"),
    ("nothing", ["good.json", "--set", "g="], "g"),
    ("not a number", ["good.json", "--set", "g=NaN"], "finite"),
    ("a division by zero", ["good.json", "--set", 'x=[["1/0"],[1]]'], "divides by zero"),
    ("deep nesting", ["good.json", "--set", "x=" + "[" * 20000], ""),
    ("a deep expression", ["good.json", "--set", "g=" + "-" * 3000 + "t"], ""),
    ("a long expression", ["good.json", "--set", "g=" + "+".join(["1/(t+9)"] * 400)], ""),
    ("a negative horizon", ["good.json", "--horizon", "-1"], "horizon"),
    ("a horizon that is no number", ["good.json", "--horizon", "x"], "horizon"),
    ("an unknown option", ["good.json", "--nosuch"], "nosuch"),
    ("no instance", [], "INSTANCE"),
    ("output into no folder", ["good.json", "-o", "no/such/cert.json"], "cannot be written"),
    ("output onto a folder", ["good.json", "-o", "."], "cannot be written"),
]


@pytest.mark.parametrize(("arguments", "message"), [b[1:] for b in BAD_INPUT], ids=[b[0] for b in BAD_INPUT])
def test_bad_input_is_one_line_and_exit_2(here: Path, arguments: list[str], message: str) -> None:
    before = sorted(p.name for p in here.iterdir())
    found = run("check", THEOREM, *arguments)
    refused(found, message)
    if "Usage" not in found.err:
        assert len(found.err.strip().splitlines()) == 1
        assert found.err.startswith("certify: ")
    assert sorted(p.name for p in here.iterdir()) == before


BAD_FILES: list[tuple[str, bytes]] = [
    ("empty.json", b""),
    ("binary.json", b"\xff\xfe\x00"),
    ("list.json", b"[]"),
    ("deep.json", b"[" * 50000),
    ("twice.json", b'{"system":"hardmax","x":[["1"]],"x":[["1"]]}'),
    ("empty.npz", b""),
    ("zip.npz", b"PK\x03\x04no"),
    ("text.npz", b"hello"),
    ("nosystem.json", b'{"x": [["1"]]}'),
    ("nox.json", b'{"system":"hardmax","B":[["1"]],"g":"1"}'),
]


@pytest.mark.parametrize(("name", "content"), BAD_FILES, ids=[name for name, _ in BAD_FILES])
def test_files_that_are_not_instances(here: Path, name: str, content: bytes) -> None:
    (here / name).write_bytes(content)
    refused(run("check", THEOREM, name, "-o", "cert.json"))
    assert not (here / "cert.json").exists()
    refused(run("simulate", name))


@pytest.mark.parametrize(
    "claim",
    [
        "nosuch/claim",
        "nosuch",
        "",
        "../x",
        "nosuch.claim",
        "fw25v1/../fw25v1/thm-3.1",
        "a" * 5000,
        "fw25v1/" + "a" * 5000,
        "good.json",
    ],
)
def test_claims_that_are_not_there(here: Path, claim: str) -> None:
    for command in (["check", claim, "good.json"], ["explain", claim]):
        refused(run(*command))


BAD_CLAIMS: list[tuple[str, bytes, str]] = [
    ("syntax", b"claim a/b system hardmax assert 1 <=", "1:"),
    ("sorts", b"claim a/b system none assert 1 + 1", "1:"),
    ("an unknown word", b"claim a/b system none assert foo(1) = 1", "foo"),
    ("an unknown system", b"claim a/b system softmax assert 1 = 1", "softmax"),
    ("line and column", b"claim a/b\n  system none\n  assert 1 = nosuch", "3:14"),
    ("bytes", b"claim a/b system none assert 1 = 1 \xff", "UTF-8"),
    ("empty", b"", "1:1"),
    ("a long sum", b"claim a/b system none assert 1" + b"+1" * 3000 + b" = 1", ""),
    ("deep not", b"claim a/b system none assert " + b"not " * 3000 + b"1 = 1", ""),
    ("deep parentheses that never close", b"claim a/b system none assert " + b"(" * 3000, ""),
]


@pytest.mark.parametrize(("text", "message"), [b[1:] for b in BAD_CLAIMS], ids=[b[0] for b in BAD_CLAIMS])
def test_claims_that_are_not_well_formed(here: Path, text: bytes, message: str) -> None:
    (here / "bad.claim").write_bytes(text)
    refused(run("lint", "bad.claim"), message)
    refused(run("check", "bad.claim", "good.json"), message)
    refused(run("explain", "bad.claim"), message)


def test_a_failing_write_leaves_nothing(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    refused(run("check", THEOREM, "good.json", "-o", "cert.json"), "No space left")
    assert sorted(p.name for p in here.iterdir()) == ["good.json"]


def test_an_existing_certificate_survives_a_failing_write(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("check", THEOREM, "good.json", "-o", "cert.json")
    before = (here / "cert.json").read_bytes()

    def failing(source: Any, target: Any) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "replace", failing)
    refused(run("check", THEOREM, "four-one", "-o", "cert.json"))
    monkeypatch.undo()
    assert (here / "cert.json").read_bytes() == before
    assert sorted(p.name for p in here.iterdir()) == ["cert.json", "good.json"]


# ---- verify


def test_verify(here: Path) -> None:
    run("check", THEOREM, "good.json", "-o", "cert.json")
    found = run("verify", "cert.json")
    assert found.code == 0
    assert "accepted: cert.json" in found.out
    assert "is the catalogue's" in found.out
    text = (here / "cert.json").read_text("utf-8")
    (here / "changed.json").write_text(text.replace('"t":575', '"t":574'), "utf-8")
    (here / "spaced.json").write_text(text + "\n", "utf-8")
    assert run("verify", "changed.json").code == 1
    assert run("verify", "spaced.json").code == 1
    assert run("verify", "good.json").code == 1
    assert run("verify", "nosuch.json").code == 2
    assert run("verify", ".").code == 2
    assert run("verify", "cert.json", "nosuch.json").code == 2
    assert run("verify", "nosuch.json", "changed.json", "cert.json").code == 1
    refused(run("verify"))
    answers = json.loads(run("verify", "--json", "cert.json", "changed.json", "nosuch.json").out)
    assert [a["answer"] for a in answers] == ["accepted", "rejected", "unreadable"]
    assert answers[0]["claim"] == THEOREM
    assert answers[1]["reason"]


def test_a_file_whose_name_begins_with_a_dash(here: Path) -> None:
    run("check", THEOREM, "good.json", "-o", "cert.json")
    shutil.copy("cert.json", "-cert.json")
    assert run("verify", "--", "-cert.json").code == 0
    assert run("verify", "--", "-nosuch.json").code == 2


def test_a_user_claim_is_not_the_catalogues(here: Path) -> None:
    (here / "mine.claim").write_text("claim mine/one system none assert 1 = 1", "utf-8")
    (here / "none.json").write_text('{"system": "none"}', "utf-8")
    assert run("check", "mine.claim", "none.json", "-o", "cert.json").code == 0
    assert "user" in run("verify", "cert.json").out
    changed = (ROOT / "certify/claims/fw25v1/thm-3.1.claim").read_text("utf-8").replace("2/(t + 1)", "3/(t + 1)")
    (here / "changed.claim").write_text(changed, "utf-8")
    assert run("check", "changed.claim", "good.json", "-o", "changed.json").code == 0
    assert "is not" in run("verify", "changed.json").out


# ---- the verifier alone


def alone(*arguments: Any, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/usr/bin/env", "-i", sys.executable, "-I", "-S", str(VERIFIER), *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
        timeout=120,
    )


def test_the_verifier_needs_nothing_installed(here: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """An empty environment, no site packages, another folder."""
    run("check", THEOREM, "good.json", "-o", "cert.json")
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    found = alone(here / "cert.json", cwd=elsewhere)
    assert (found.returncode, found.stderr) == (0, "")
    assert "accepted" in found.stdout
    (here / "bad.json").write_bytes((here / "cert.json").read_bytes() + b" ")
    found = alone(here / "cert.json", here / "bad.json", here / "nosuch.json", cwd=elsewhere)
    assert found.returncode == 1
    assert [line.split(":")[0] for line in found.stdout.splitlines()] == ["accepted", "rejected", "unreadable"]
    assert alone(here / "nosuch.json", cwd=elsewhere).returncode == 2
    usage = alone(cwd=elsewhere)
    assert usage.returncode == 2
    assert "usage" in usage.stderr
    assert "Traceback" not in found.stderr + usage.stderr
    report = json.loads(alone("--json", here / "cert.json", cwd=elsewhere).stdout)
    assert report["verdict"] == {"kind": "refuted", "first": True, "i": 0, "t": 575}


def test_the_verifier_imports_the_standard_library_alone() -> None:
    allowed = set(sys.stdlib_module_names) | {"__future__"}
    files = sorted(VERIFIER.rglob("*.py"))
    assert len(files) >= 10
    for file in files:
        depth = len(file.relative_to(VERIFIER).parts)
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name.split(".")[0] for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level <= depth, f"{file}: an import from above the verifier"
                names = [(node.module or "").split(".")[0]] if node.level == 0 else []
            else:
                names = []
            assert set(names) <= allowed | {"verifier"}, f"{file}: {names}"


def test_the_verifier_evaluates_no_text() -> None:
    for file in VERIFIER.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec", "compile", "__import__"), f"{file}:{node.lineno}"
            if isinstance(node, ast.Constant) and isinstance(node.value, float):
                raise AssertionError(f"{file}:{node.lineno}: a float")


# ---- the other commands


def test_lint(here: Path) -> None:
    claims = sorted((ROOT / "certify/claims").glob("*/*.claim"))
    found = run("lint", *claims)
    assert (found.code, found.err) == (0, "")
    assert len(found.out.splitlines()) == len(claims)
    (here / "bad.claim").write_text("claim a/b system none assert 1 +", "utf-8")
    mixed = run("lint", claims[0], "bad.claim", "nosuch.claim", ".")
    assert mixed.code == 2
    assert len(mixed.out.splitlines()) == 1
    assert len(mixed.err.splitlines()) == 3
    assert "bad.claim:1:" in mixed.err
    refused(run("lint"))


def test_claims() -> None:
    rows = json.loads(run("claims", "--json").out)
    by_name = {row["id"]: row for row in rows}
    assert {THEOREM, "fw25v1/hull-shrinks", "fw25v1/thm-3.1-origin", "fw26icml/thm-3.1"} <= set(by_name)
    assert all({"id", "title", "status"} <= set(row) for row in rows)
    plain = run("claims")
    assert plain.code == 0
    assert all(row["id"] in plain.out for row in rows)


def test_explain() -> None:
    found = run("explain", THEOREM)
    assert found.code == 0
    for part in ("lambda_max", "arXiv", "reading", "selection every", "three-one"):
        assert part in found.out
    latex = run("explain", THEOREM, "--latex")
    assert latex.code == 0
    assert "\\" in latex.out


def test_words() -> None:
    from certify.statements.words import WORDS

    found = run("words")
    assert found.code == 0
    assert {"forall", "psd", "hull", "tends", "argmax"} <= set(WORDS)
    for name in WORDS:
        assert name in found.out
        one = run("words", "--", name)
        assert one.code == 0
        assert "example" in one.out
    refused(run("words", "psdd"), "psd")
    refused(run("words", ""), "")


@pytest.mark.parametrize("system", ["hardmax", "hardmax-matrix", "none"])
def test_a_template_can_be_checked_as_it_stands(here: Path, system: str) -> None:
    (here / "new.claim").write_text(run("new", system).out, "utf-8")
    (here / "new.json").write_text(run("new", system, "--instance").out, "utf-8")
    assert run("lint", "new.claim").code == 0
    found = run("check", "new.claim", "new.json", "--horizon", "10", "--json", "-o", "cert.json")
    assert found.code == 0
    assert json.loads(found.out)["verdict"]["kind"] in ("holds", "refuted", "vacuous")
    assert run("verify", "cert.json").code == 0


def test_new_knows_its_systems() -> None:
    for name in ("nosuch", "", "../hardmax"):
        refused(run("new", name), "hardmax")


def test_simulate(here: Path) -> None:
    found = run("simulate", "good.json", "--steps", "3")
    assert found.code == 0
    assert found.out.splitlines() == [
        "t = 0: (3)  (-1)",
        "t = 1: (-1)  (3)",
        "t = 2: (5/3)  (1/3)",
        "t = 3: (1)  (1/3)",
    ]
    answer = json.loads(run("simulate", "-", "--steps", "2", "--json", stdin=json.dumps(GOOD)).out)
    assert answer["states"][2] == [["5/3"], ["1/3"]]
    tie = json.loads(run("simulate", "good.json", "--steps", "1", "--json", "--set", "x=[[3],[0],[-1]]").out)
    assert tie["ties"] == [{"t": 0, "i": 1}]
    mean = json.loads(
        run(
            "simulate",
            "good.json",
            "--steps",
            "1",
            "--json",
            "--set",
            "x=[[3],[0],[-1]]",
            "--selection",
            "average-points",
        ).out
    )
    assert mean["states"][1][1] == ["2/3"]
    refused(run("simulate", "nosuch.json"), "nosuch.json")
    refused(run("simulate", "good.json", "--steps", "-1"), "steps")
    refused(run("simulate", "-", stdin='{"system": "none"}'), "none")
    refused(run("simulate", "good.json", "--plot", "no/such/plot.png"), "cannot be written")
    assert not (here / "no").exists()


def test_a_plot_in_an_unknown_format_is_bad_input(here: Path) -> None:
    refused(run("simulate", "good.json", "--plot", "plot.xyz"), "xyz")
    assert sorted(p.name for p in here.iterdir()) == ["good.json"]


def test_help_and_version() -> None:
    from importlib.metadata import entry_points

    assert [e.value for e in entry_points(group="console_scripts") if e.name == "certify"] == ["certify.cli:main"]
    assert run("--version").out.strip().endswith(certify.__version__)
    listed = run("--help")
    assert listed.code == 0
    commands = list(main.commands)
    assert {"claims", "new", "words", "lint", "explain", "check", "verify", "simulate", "schema"} <= set(commands)
    for name in commands:
        found = run(name, "--help")
        assert found.code == 0
        assert "Usage: certify " + name in found.out
        refused(run(name, "--nosuch-option"), "nosuch-option")
    refused(run("nosuch"), "nosuch")


# ---- schemas


def schema(what: str) -> dict[str, Any]:
    found = run("schema", what)
    assert found.code == 0
    value = json.loads(found.out)
    jsonschema.Draft202012Validator.check_schema(value)
    return value


def test_the_schema_of_instances_fits_what_is_shipped_and_printed(here: Path) -> None:
    validator = jsonschema.Draft202012Validator(schema("instance"))
    files = sorted((ROOT / "certify/claims").glob("*/instances/*.json"))
    assert len(files) >= 15
    for file in files:
        validator.validate(json.loads(file.read_text("utf-8")))
    for system in ("hardmax", "hardmax-matrix", "none"):
        validator.validate(json.loads(run("new", system, "--instance").out))
    for changes in (
        {"g": ["1/2", "1"]},
        {"g": {"cycle": ["1/2"]}},
        {"B": {"scale": "1/(t+1)", "matrix": [["1"]]}},
        {"B": {"list": [[["1"]]]}},
        {"x": [[0.5], [1]]},
        {"w": ["1", 2]},
        {"g": 0.5},
    ):
        validator.validate({**GOOD, **changes})
        assert certify.instances.read_instance({**GOOD, **changes}).system == "hardmax"
    for changes in (
        {"system": "softmax"},
        {"x": []},
        {"x": [[]]},
        {"B": {"list": []}},
        {"g": {}},
        {"x": "1"},
        {"g": None},
    ):
        assert not validator.is_valid({**GOOD, **changes})
    refused(run("schema", "nosuch"), "nosuch")


def test_the_schema_of_certificates_fits_what_is_written(here: Path) -> None:
    validator = jsonschema.Draft202012Validator(schema("certificate"))
    for name in ("three-one", "far-violation", "collapse", "positive", "decaying", "tie-at-zero", "rank-drop"):
        assert run("check", THEOREM, name, "-o", f"{name}.json", "--horizon", "12").code == 0
        certificate = json.loads((here / f"{name}.json").read_text("utf-8"))
        validator.validate(certificate)
        assert str(here) not in json.dumps(certificate)
    for field in ("format", "theories", "claim", "instance", "verdict", "ledger", "lemmas", "plans", "provenance"):
        assert not validator.is_valid({key: value for key, value in certificate.items() if key != field})


# ---- processes


def test_interrupting_exits_with_130_and_writes_nothing(here: Path) -> None:
    """No closed form is found for these tokens, so a long horizon keeps the check busy."""
    data = {
        "system": "hardmax",
        "x": [["3", "1"], ["-1", "2"], ["1", "-4"]],
        "B": {"cycle": [[["1", "2"], ["-2", "1"]], [["-1", "0"], ["1", "-1"]]]},
        "g": "1/(t+2)",
    }
    (here / "long.json").write_text(json.dumps(data), "utf-8")
    (here / "long.claim").write_text(
        "claim mine/long system hardmax, selection every assert forall t, i, j: <x[i, t], x[j, t]> <= 1000000", "utf-8"
    )
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "certify.cli",
            "check",
            "long.claim",
            "long.json",
            "--horizon",
            "1000000",
            "-o",
            "cert.json",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=here,
    )
    try:
        wait_until_busy(process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            process.kill()
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    assert sorted(p.name for p in here.iterdir()) == ["good.json", "long.claim", "long.json"]


def wait_until_busy(process: subprocess.Popen[str]) -> None:
    """Until the process has used 1.5 s of processor time, which is well after it has started its work."""
    for _ in range(600):
        time.sleep(0.1)
        assert process.poll() is None, "it should still be at work"
        fields = Path(f"/proc/{process.pid}/stat").read_text("ascii").rsplit(")", 1)[1].split()
        if int(fields[11]) + int(fields[12]) >= 1.5 * os.sysconf("SC_CLK_TCK"):
            return
    raise AssertionError("the process does not get to work")


def test_the_time_allowed_bounds_the_work(here: Path) -> None:
    found = run("check", THEOREM, "good.json", "--seconds", "0", "--json", "-o", "cert.json")
    assert found.code == 0
    assert json.loads(found.out)["verdict"]["kind"] == "undecided"
    assert not (here / "cert.json").exists()
    refused(run("check", THEOREM, "good.json", "--seconds", "-1"), "seconds")


def test_a_closed_standard_input_is_bad_input(here: Path) -> None:
    found = subprocess.run(
        [
            sys.executable,
            "-c",
            "import os, sys; os.close(0); os.execv(sys.executable, [sys.executable, '-m', "
            f"'certify.cli', 'check', '{THEOREM}', '-'])",
        ],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=120,
    )
    assert "Traceback" not in found.stderr
    assert found.returncode == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_on_standard_output_is_no_traceback(here: Path) -> None:
    with open("/dev/full", "w") as full:
        found = subprocess.run(
            [sys.executable, "-m", "certify.cli", "check", THEOREM, "good.json", "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            timeout=120,
        )
    assert "Traceback" not in found.stderr
    assert found.returncode in (2, 3)


def test_a_reader_that_goes_away_is_no_error(here: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "certify.cli", "words"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    err = process.stderr.read()
    process.wait(timeout=60)
    assert "Traceback" not in err
    process.stderr.close()


def test_the_real_entry_point_in_processes_of_its_own(here: Path) -> None:
    """The same as above, once, through the real entry point, from another folder and with an odd locale."""
    found = spawn(
        "check",
        THEOREM,
        here / "good.json",
        "-o",
        here / "cert.json",
        "--json",
        cwd="/",
        environment={"LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
    )
    assert (found.returncode, found.stderr) == (0, "")
    assert json.loads(found.stdout)["verdict"]["t"] == 575
    assert spawn("verify", here / "cert.json", cwd="/").returncode == 0
    assert spawn("check", THEOREM, here / "good.json", "--expect", "holds").returncode == 1
    found = spawn("check", THEOREM, here / "nosuch.json")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("certify: ")


def median_cpu(code: list[str]) -> float:
    """Processor time of a process, the median of five: waiting for a loaded machine does not count."""
    import resource

    spent = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(code, check=True, capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=60)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(spent)


@pytest.mark.parametrize(
    ("code", "seconds"),
    [
        ([sys.executable, "-c", "import certify"], 0.2),
        ([sys.executable, "-m", "certify.cli", "claims"], 0.6),
    ],
)
def test_starting_is_quick(code: list[str], seconds: float) -> None:
    spent = median_cpu(code)
    print(code[1:], "median", round(spent, 3), "s")
    assert spent < 2 * seconds  # a factor of 2 for slow machines
