"""The verifier in the browser gives the answers of the Python verifier."""

import copy
import json
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
BROWSER = ROOT / "certify" / "report" / "browser"
CONFORMANCE = ROOT / "tests" / "conformance"
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed: the browser's verifier cannot be run")

FRESH = [
    ("fw25v1/thm-3.1", "three-one", 200),
    ("fw25v1/thm-3.1", "tie-at-zero", 200),
    ("fw25v1/thm-3.1", "irrational-eigenvalue", 30),
    ("fw25v1/thm-3.1", "far-violation", 30),
    ("fw25v1/thm-3.1", "asymmetric", 30),
    ("fw25v1/thm-3.1-linear", "rank-drop", 30),
    ("fw25v1/thm-3.1-origin", "collapse", 30),
    ("fw25v1/hull-shrinks", "cycled-step", 30),
    ("fw26icml/thm-3.1", "fw25v1/decaying", 30),
    ("repair/thm-3.1-R1", "fw25v1/cloud", 30),
    ("repair/thm-3.1-R1", "fw25v1/tie-at-zero", 30),
    ("repair/thm-3.1-R2", "fw25v1/slowly-decaying", 30),
    ("fw25v1/thm-4.2", "square", 30),
    ("fw25v1/voronoi", "polygon-5", 30),
    ("fw25v1/voronoi-all-points", "square-only", 30),
    ("fw25v1/single-leader-proof", "box-merging-plane", 30),
    ("fw25v1/single-leader-here", "box-settled", 30),
    ("fw25v1/thm-ode", "circle-8", 30),
    ("fw25v1/own-cell-gaussian", "gaussian-5", 30),
]


def answers_of(run: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    """What a verifier printed: one object for one file, else a list."""
    assert run.returncode in (0, 1), run.stderr
    printed = json.loads(run.stdout)
    answers: list[dict[str, Any]] = printed if isinstance(printed, list) else [printed]
    assert run.returncode == int(any(answer["answer"] != "accepted" for answer in answers))
    return answers


def javascript(files: list[Path]) -> list[dict[str, Any]]:
    command = [str(NODE), str(BROWSER / "cli.mjs"), "--json", *map(str, files)]
    return answers_of(subprocess.run(command, capture_output=True, text=True, check=False))


def python(files: list[Path]) -> list[dict[str, Any]]:
    command = [sys.executable, "-I", "-S", str(ROOT / "certify" / "verifier"), "--json", *map(str, files)]
    return answers_of(subprocess.run(command, capture_output=True, text=True, check=False))


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def same(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Do they agree? Where one theory is not known here the other verifier may say more."""
    if ours["answer"] == "not checked here":
        return bool(theirs["answer"] == "rejected")
    keys = ("answer", "id", "verdict", "theories") if theirs["answer"] == "accepted" else ("answer",)
    return all(ours[key] == theirs[key] for key in keys)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("certificates")
    files = []
    for claim, instance, horizon in FRESH:
        file = folder / f"{claim}--{instance}.json".replace("/", "-")
        command = ["check", claim, instance, "--horizon", str(horizon), "-o", str(file)]
        run = subprocess.run(
            [sys.executable, "-m", "certify.cli", *command], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0 and file.exists(), f"{claim} on {instance}: {run.stdout}{run.stderr}"
        files.append(file)
    return files


def test_fresh_certificates(fresh: list[Path]) -> None:
    for ours, theirs in zip(javascript(fresh), python(fresh), strict=True):
        assert theirs["answer"] == "accepted", theirs
        assert same(ours, theirs), (ours, theirs)


def test_conformance() -> None:
    index_file = CONFORMANCE / "index.json"
    if not index_file.exists():
        pytest.skip("there are no conformance files")
    index = json.loads(index_file.read_text())
    files = [CONFORMANCE / name for name in index]
    wrong = []
    for name, ours, theirs in zip(index, javascript(files), python(files), strict=True):
        wanted = str(index[name]["answer"]).startswith("accept")
        if (ours["answer"] == "accepted") != wanted or not same(ours, theirs):
            wrong.append((name, index[name], ours["answer"], ours["reason"], theirs["answer"]))
    assert not wrong, wrong


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All places in nested lists and objects, as paths."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in inner for place in places(item, (*path, key)))]


def corrupted(certificate: dict[str, Any], choose: random.Random) -> dict[str, Any]:
    """One change somewhere outside the provenance."""
    result = copy.deepcopy(certificate)
    part = choose.choice(["instance", "plans", "lemmas", "ledger", "verdict", "theories", "claim"])
    *before, key = choose.choice([place for place in places(result[part], (part,)) if len(place) > 1] or [(part,)])
    parent: Any = result
    for step in before:
        parent = parent[step]
    value = parent[key]
    if isinstance(value, bool):
        parent[key] = not value
    elif isinstance(value, int):
        parent[key] = choose.choice([value + 1, value - 1, 0, 2 * value, str(value), True])
    elif isinstance(value, str):
        parent[key] = choose.choice(
            ["0", "1", "-1", "1/2", "2/4", "forever", "true", "false", "le", "ge", "t", value + " "]
        )
    elif isinstance(value, list) and value:
        value.pop() if choose.random() < 0.5 else value.append(copy.deepcopy(value[0]))
    elif isinstance(value, dict) and value:
        value.pop(choose.choice(sorted(value)))
    else:
        parent[key] = 0
    return result


def test_corruptions(fresh: list[Path], tmp_path: Path) -> None:
    choose = random.Random(20250813)
    originals = [json.loads(file.read_text()) for file in fresh]
    files = []
    for number in range(300):
        file = tmp_path / f"{number}.json"
        file.write_text(canonical(corrupted(choose.choice(originals), choose)))
        files.append(file)
    answers = list(zip(files, javascript(files), python(files), strict=True))
    different = [(file.read_text(), ours, theirs) for file, ours, theirs in answers if not same(ours, theirs)]
    assert not different, different[:3]
    assert sum(ours["answer"] != "accepted" for _, ours, _ in answers) > 150


BOXES: list[Any] = [
    lambda c: c["instance"]["x"][0].__setitem__(0, ["2", "1"]),
    lambda c: c["instance"]["x"][0].__setitem__(0, ["1", "1"]),
    lambda c: c["instance"]["x"][0].__setitem__(0, ["1", "2", "3"]),
    lambda c: c["instance"]["x"][0].__setitem__(0, ["-9", "9"]),
    lambda c: c["instance"]["x"][0].__setitem__(0, "1"),
    lambda c: c["instance"].__setitem__("g", "1/3"),
    lambda c: c["plans"].__setitem__("selection", []),
    lambda c: c["plans"].__setitem__("regime", {"T": 0, "targets": [[0], [1]]}),
    lambda c: c["verdict"].__setitem__("first", False),
]
STATISTICS: list[Any] = [
    lambda c: c["verdict"].__setitem__("true", c["verdict"]["true"] + 1),
    lambda c: c["verdict"].__setitem__("low", "0"),
    lambda c: c["verdict"].__setitem__("evidence", "exact"),
    lambda c: c["instance"]["x"]["gaussian"].__setitem__("seed", "8"),
    lambda c: c["instance"]["x"]["gaussian"].__setitem__("seed", ""),
    lambda c: c["instance"]["x"]["gaussian"].__setitem__("samples", 101),
    lambda c: c["instance"]["x"]["gaussian"].__setitem__("samples", True),
    lambda c: c["instance"]["x"]["gaussian"].__setitem__("samples", 10**6),
    lambda c: c["instance"].__setitem__("x", [["1"] * 5] * 5),
    lambda c: c["plans"].__setitem__("selection", []),
    lambda c: c["ledger"].append({"name": "assertion", "scope": "forever", "status": "true"}),
]


@pytest.mark.parametrize(("claim", "spoilings"), [("single-leader-proof", BOXES), ("own-cell-gaussian", STATISTICS)])
def test_spoilt_boxes_and_statistics(fresh: list[Path], tmp_path: Path, claim: str, spoilings: list[Any]) -> None:
    (original,) = (json.loads(file.read_text()) for file in fresh if claim in file.name)
    files = []
    for number, spoil in enumerate(spoilings):
        certificate = copy.deepcopy(original)
        spoil(certificate)
        files.append(tmp_path / f"{number}.json")
        files[-1].write_text(canonical(certificate))
    answers = list(zip(javascript(files), python(files), strict=True))
    assert all(same(ours, theirs) for ours, theirs in answers), answers
    assert sum(ours["answer"] == "rejected" for ours, _ in answers) >= len(spoilings) - 1


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text + "\n",
        lambda text: " " + text,
        lambda text: text.replace(":", ": ", 1),
        lambda text: text[:-1],
        lambda text: text.replace('"provenance":{', '"provenance":{"a":1.0,', 1),
        lambda text: text.replace('"provenance":{', '"provenance":{"a":2147483648,', 1),
        lambda text: text.replace('"provenance":{', '"provenance":{"a":"\\u00E9",', 1),
        lambda text: text.replace('"provenance":{', '"provenance":{"a":"\\u0041",', 1),
        lambda text: text.replace('"provenance":{', '"provenance":{"a":1,"a":1,', 1),
        lambda text: "\ufeff" + text,
        lambda text: "",
    ],
)
def test_bytes(fresh: list[Path], tmp_path: Path, change: Any) -> None:
    file = tmp_path / "changed.json"
    file.write_bytes(change(fresh[0].read_text()).encode())
    assert [answer["answer"] for answer in (*javascript([file]), *python([file]))] == ["rejected", "rejected"]


def test_unknown_theory(fresh: list[Path], tmp_path: Path) -> None:
    certificate = json.loads(fresh[0].read_text())
    certificate["theories"] = sorted([*certificate["theories"], "oracle/1"])
    file = tmp_path / "unknown.json"
    file.write_text(canonical(certificate))
    (answer,) = javascript([file])
    assert answer["answer"] == "not checked here"
    assert "oracle/1" in answer["reason"]


def test_unreadable(tmp_path: Path) -> None:
    run = subprocess.run(
        [str(NODE), str(BROWSER / "cli.mjs"), str(tmp_path / "missing.json")], capture_output=True, check=False
    )
    assert run.returncode == 2


SLICES = """
import { readFileSync } from "node:fs";
import { verifyBytes } from "%s";
const bytes = new Uint8Array(readFileSync(process.argv[1]));
const heard = [];
let pauses = 0;
const onProgress = (word) => heard.push(word);
const whole = await verifyBytes(bytes, { onProgress, shouldStop: () => void pauses++, slice: 0 });
const stopped = await verifyBytes(bytes, { shouldStop: () => true, slice: 0 });
console.log(JSON.stringify({ heard, pauses, whole, stopped }));
"""


def test_slices(fresh: list[Path]) -> None:
    """A page can breathe between slices, and stop."""
    script = SLICES % (BROWSER / "verify.js").as_uri()
    run = subprocess.run(
        [str(NODE), "--input-type=module", "-e", script, str(fresh[0])], capture_output=True, text=True, check=True
    )
    result = json.loads(run.stdout)
    assert result["whole"]["answer"] == "accepted"
    assert result["heard"][-1] == "assertion"
    assert result["pauses"] > 3
    assert result["stopped"]["answer"] == "not checked here"
    assert result["stopped"]["reason"] == "stopped"


FORGETFUL = """
import { readFileSync } from "node:fs";
import { Memory } from "%s";
import { verifySync } from "%s";
const files = process.argv.slice(1).map((file) => readFileSync(file));
const remembering = files.map((bytes) => verifySync(bytes));
Memory.prototype.key = () => null;
Memory.prototype.takes = () => false;
console.log(JSON.stringify([remembering, files.map((bytes) => verifySync(bytes))]));
"""


def test_what_is_remembered_changes_nothing(fresh: list[Path], tmp_path: Path) -> None:
    """Folds at concrete times are kept; with nothing kept every answer is the same."""
    gap = tmp_path / "gap.json"
    command = ["check", "fw25v1/duality-gap", "square", "--horizon", "30", "-o", str(gap)]
    subprocess.run([sys.executable, "-m", "certify.cli", *command], cwd=ROOT, capture_output=True, check=True)
    script = FORGETFUL % ((BROWSER / "memory.js").as_uri(), (BROWSER / "verify.js").as_uri())
    files = [gap, *fresh, *sorted((CONFORMANCE / "accept").glob("*.json"))]
    run = subprocess.run(
        [str(NODE), "--input-type=module", "-e", script, *map(str, files)], capture_output=True, text=True, check=True
    )
    remembering, forgetting = json.loads(run.stdout)
    assert remembering == forgetting
    assert all(answer["answer"] == "accepted" for answer in remembering)
