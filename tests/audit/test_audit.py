"""Audits: statuses, resuming, real kills, two at once, a user's folder."""
from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from certify.audit import audit
from certify.certificate.store import Store
from certify.errors import InputError
from certify.verification import verify_files

CLAIM = """claim {paper}/{name}
  title   "tokens stay below a bound"
  system  hardmax, selection every
  given   bound: scalar
  assume  H1: forall t: g[t] <= 1
  assert  forall t, i: norm(x[i, t])^2 <= bound
"""


def user_folder(root: Path, bounds: list[int]) -> Path:
    """A user's own paper: two claims, one withdrawn, and some instances."""
    home = root / "mine"
    (home / "instances").mkdir(parents=True)
    (home / "paper.toml").write_text('title = "mine"\n[withdrawn]\n"old" = "the bound was misread"\n'
                                     '[not-stated]\n"sphere" = "no layer norm in the language"\n')
    for name in ("first", "old"):
        (home / f"{name}.claim").write_text(CLAIM.format(paper="mine", name=name))
    for k, bound in enumerate(bounds):
        data = {"system": "hardmax", "x": [["3"], [str(-k)]], "B": [["-1"]], "g": "2/(t+2)", "bound": str(bound)}
        (home / "instances" / f"case{k}.json").write_text(json.dumps(data))
    return home


def run(*arguments: str, **options: object) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-m", "certify.cli", "audit", *arguments], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, text=True, start_new_session=True, **options)  # type: ignore[call-overload, no-any-return]


def test_users_folder_gets_statuses_and_is_recalled(tmp_path: Path) -> None:
    home, out = user_folder(tmp_path, [9, 4, 100]), tmp_path / "out"
    first = audit(home, out=out, workers=1)
    status = {s.claim: (s.status, s.note) for s in first.standings}
    assert status["mine/first"][0] == "refuted"
    assert status["mine/old"] == ("withdrawn", "the bound was misread")
    assert status["mine/sphere"] == ("not stated", "no layer norm in the language")
    rows = {r.instance: r.verdict["kind"] for s in first.standings if s.claim == "mine/first" for r in s.rows}
    assert rows == {"mine/case0": "holds", "mine/case1": "refuted", "mine/case2": "holds"}  # 3^2 <= 9, 4, 100
    assert all(r.verified for s in first.standings for r in s.rows)
    again = audit(home, out=out)
    assert (again.done, again.recalled) == (0, 6)
    assert audit(home, out=out, fresh=True, workers=1).done == 6


def test_a_damaged_certificate_is_made_again(tmp_path: Path) -> None:
    home, out = user_folder(tmp_path, [9]), tmp_path / "out"
    first = audit(home, out=out, workers=1)
    identifier = first.standings[0].rows[0].certificate
    assert identifier is not None
    path = Store(out).path_of(identifier)
    path.write_bytes(path.read_bytes()[:-40])
    again = audit(home, out=out, workers=1)
    assert again.done > 0 and again.standings[0].rows[0].verified


def test_folder_without_papers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"paper\.toml"):
        audit(tmp_path, out=tmp_path / "out")


def valid(out: Path) -> bool:
    """Every certificate in the store is whole: its name is the id of its content, and the verifier accepts it."""
    store = Store(out)
    names = [p.stem for p in store.certificates.glob("*.json")] if store.certificates.is_dir() else []
    return all(map(store.holds, names)) and all(verify_files([store.path_of(n) for n in names]))


@pytest.mark.parametrize("seed", [1])
def test_killed_at_random_moments_then_completed(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    print("seed", seed)
    home, out = user_folder(tmp_path, list(range(1, 25))), tmp_path / "out"
    for _ in range(12):
        process = run(str(home), "--out", str(out), "--workers", "2")
        time.sleep(rng.uniform(0.05, 1.2))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert valid(out)
    final = run(str(home), "--out", str(out), "--json")
    text, _ = final.communicate(timeout=120)
    assert final.returncode == 0
    rows = [row for claim in json.loads(text)["claims"] for row in claim["rows"]]
    assert len(rows) == 48 and all(row["verified"] for row in rows) and valid(out)


def test_two_at_once_on_one_store(tmp_path: Path) -> None:
    home, out = user_folder(tmp_path, list(range(1, 13))), tmp_path / "out"
    both = [run(str(home), "--out", str(out), "--json") for _ in range(2)]
    answers = [json.loads(process.communicate(timeout=120)[0]) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    ids = [[row["id"] for claim in answer["claims"] for row in claim["rows"]] for answer in answers]
    assert ids[0] == ids[1] and valid(out)


def test_interrupted_audit_says_so_and_loses_nothing(tmp_path: Path) -> None:
    home, out = user_folder(tmp_path, list(range(1, 40))), tmp_path / "out"
    process = run(str(home), "--out", str(out), "--workers", "1")
    while not (out / "work").is_dir() or len(list((out / "work").glob("*.json"))) < 3:
        time.sleep(0.05)
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    process.wait(timeout=60)
    assert process.returncode == 130
    assert audit(home, out=out).recalled >= 3
