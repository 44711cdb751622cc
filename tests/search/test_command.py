"""`certify refute` and `certify sample` as a user runs them; interruption; a cluster that loses a worker."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import certify

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def command(*arguments: str, store: Path) -> list[str]:
    os.environ["CERTIFY_STORE"] = str(store)
    return [sys.executable, "-m", "certify.cli", *arguments]


def run(*arguments: str, store: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*arguments, store=store), capture_output=True, text=True, check=False,
                          env={**os.environ, "CERTIFY_STORE": str(store)})


def test_refute_writes_a_certificate_that_verifies(tmp_path: Path) -> None:
    target = tmp_path / "cert.json"
    done = run("refute", "fw25v1/thm-3.1", "--candidates", "256", "--seed", "1", "--tokens", "2", "--dim", "1..2",
               "-o", str(target), "--json", store=tmp_path / "store")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["verdict"]["kind"] == "refuted" and answer["certificate"] == str(target)
    assert certify.verify(target).report["id"] == answer["id"]
    assert answer["search"]["share_met"] == 1.0


@pytest.mark.parametrize(("name", "kind"), [("ball", "undecided"), ("nearer", "refuted"), ("late", "refuted")])
def test_worked_examples(name: str, kind: str, tmp_path: Path) -> None:
    done = run("refute", str(EXAMPLES / f"{name}.claim"), "--candidates", "256", "--seed", "1", "--tokens", "1..3",
               "--dim", "1", "--json", store=tmp_path)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["verdict"]["kind"] == kind
    if name == "ball":
        assert answer["verdict"]["reason"] == "nothing found" and "holds" not in answer["search"]["searched"]
    if name == "late":
        assert answer["verdict"]["t"] > 100


def test_sample_prints_one_instance_a_line(tmp_path: Path) -> None:
    done = run("sample", "fw25v1/thm-3.1", "-n", "5", "--seed", "3", store=tmp_path)
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 5 and "by construction" in done.stderr
    claim = certify.load("fw25v1/thm-3.1")
    for line in done.stdout.splitlines():
        result = certify.check(claim, certify.instances.read_instance(json.loads(line)), horizon=20)
        assert result.kind != "vacuous"


@pytest.mark.parametrize("arguments", [("--tokens", "5..2"), ("--tokens", "few"), ("--without", "H9"),
                                       ("--objective", "best"), ("--seconds", "0"), ("-o", "/no/such/folder/c.json")])
def test_bad_usage(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = run("refute", "fw25v1/thm-3.1", *arguments, store=tmp_path)
    assert done.returncode == 2 and not done.stdout and "Traceback" not in done.stderr


def interrupted(claim: str, store: Path, ready: str) -> tuple[int, str]:
    """Send an interrupt once the store holds a file with `ready` in it."""
    process = subprocess.Popen(command("refute", claim, "--seconds", "100", "--objective", "earliest", "--json",
                                       "--horizon", "60", store=store), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, env={**os.environ, "CERTIFY_STORE": str(store)})
    end = time.monotonic() + 60
    while time.monotonic() < end and not any(ready in p.read_text("ascii") for p in store.rglob("[0-9a-f]*.json")):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    return process.returncode, out


def test_an_interrupt_loses_nothing(tmp_path: Path) -> None:
    code, out = interrupted("fw25v1/thm-3.1", tmp_path / "a", '"kind":"find"')
    assert code == 0
    answer = json.loads(out)
    assert answer["verdict"]["kind"] == "refuted" and answer["search"]["interrupted"] is True
    code, out = interrupted(str(EXAMPLES / "ball.claim"), tmp_path / "b", '"kind":"near miss"')
    assert code == 130 and not out
    assert list((tmp_path / "b").rglob("*.json"))  # the near misses are kept


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker() -> None:
    distributed = pytest.importorskip("distributed", reason="the package distributed is not installed")
    claim = certify.load("fw25v1/thm-3.1")
    options = {"candidates": 6000, "seed": 2, "objective": "earliest", "horizon": 60}
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        import threading

        def kill_one() -> None:
            time.sleep(4)
            victim = next(iter(cluster.workers.values()))
            os.kill(victim.process.process.pid, signal.SIGKILL)

        threading.Thread(target=kill_one, daemon=True).start()
        found = certify.refute(claim, executor=client.get_executor(), **options)
    assert found.id is not None
    assert found.id == certify.refute(claim, **options).id


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_earliest_violation_of_thm_3_1(seed: int) -> None:
    found = certify.refute(certify.load("fw25v1/thm-3.1"), seconds=60, seed=seed, objective="earliest")
    assert found.kind == "refuted" and int(found.verdict["t"]) <= 16
