"""The whole search: what it finds, that it is the same find, and that it is not fooled."""
from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import certify
from certify.certificate import write
from certify.errors import InputError
from certify.search import scoring
from certify.search.batches import CANDIDATES
from certify.search.certifying import refutation
from certify.search.engine import refute
from certify.search.executors import executor_for
from certify.search.finds import Finds
from certify.search.measures import merit
from certify.search.scoring import Scores

HEAD = "claim t/c system hardmax, selection every "
THEOREM = "fw25v1/thm-3.1"


def parsed(text: str) -> certify.Claim:
    return certify.parse(HEAD + text)


class Shuffled(Executor):
    """Runs what was submitted in an order of its own, in one thread."""

    def __init__(self, seed: int) -> None:
        self.random, self.waiting, self.lock, self.open = random.Random(seed), [], threading.Lock(), True
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.thread.start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        with self.lock:
            self.waiting.append((future, fn, args))
        return future

    def _work(self) -> None:
        while self.open:
            time.sleep(0.05)
            with self.lock:
                self.random.shuffle(self.waiting)
                task = self.waiting.pop() if self.waiting else None
            if task is not None:
                task[0].set_result(task[1](*task[2]))


def test_thm_3_1_simplest(tmp_path: Path) -> None:
    found = refute(certify.load(THEOREM), candidates=128, seed=1)
    assert found.result is not None and found.result.certificate is not None
    assert sorted(found.result.instance.fields["x"]) == [["-1"], ["3"]]
    assert found.result.instance.fields["B"] == [["-1"]]
    assert found.tally.share == 1.0 and found.built == ("H1", "H2", "H3", "H4")
    path = tmp_path / "find.json"
    write(found.result.certificate, path)
    assert certify.verify(path).accepted and certify.verify(path).report["id"] == found.id
    assert found.as_json()["verdict"]["kind"] == "refuted"


def test_same_seed_same_id_whatever_runs_it() -> None:
    claim = certify.load(THEOREM)
    options: dict[str, Any] = {"candidates": 1100, "seed": 4, "objective": "earliest", "horizon": 40, "tokens": (2, 3),
                               "dimensions": (1, 1)}
    serial = refute(claim, **options)
    assert serial.id is not None and serial.tally.batches == 2
    shuffled = Shuffled(1)
    assert refute(claim, **options, executor=shuffled).id == serial.id
    shuffled.open = False
    with ProcessPoolExecutor(2) as pool:
        assert refute(claim, **options, executor=pool).id == serial.id


def test_another_seed_searches_elsewhere() -> None:
    claim = parsed("assert forall t, i: norm(x[i, t]) <= 0")
    first, second = (refute(claim, candidates=64, seed=seed) for seed in (1, 2))
    assert first.tally.margin is not None and second.kind == first.kind == "refuted"


@pytest.mark.parametrize("lie", [-1.0, 1.0])
def test_a_margin_that_lies(monkeypatch: pytest.MonkeyPatch, lie: float) -> None:
    def read(self: Any, decoder: Any, rows: Any, horizon: int) -> Scores:
        count = len(rows)
        return Scores(np.full(count, lie), np.full(count, 0 if lie < 0 else -1), np.ones(count, dtype=np.bool_), {})

    monkeypatch.setattr(scoring.Scorer, "read", read)
    truth = refute(parsed("assert forall t, i: x[i, t + 1] in hull(x[t])"), candidates=300, seed=1)
    assert truth.kind == "undecided" and truth.verdict["reason"] == "nothing found"
    false = refute(parsed("assume H: forall t: psd(-B[t]) assert forall t, i: norm(x[i, t]) <= norm(x[i, 0])"),
                   candidates=1024, seed=1)
    assert false.kind == "refuted"


def test_true_claims_that_are_nearly_tight() -> None:
    for text in ("assert forall t, i: norm(x[i, t])^2 <= (max j: norm(x[j, 0])^2)",
                 "assert forall t: diam(hull(x[t + 1])) <= diam(hull(x[t]))",
                 "assume H: forall t: psd(B[t]) assert forall t, i: (max j: <B[t]*x[i, t], x[j, t]>) >= "
                 "<B[t]*x[i, t], x[i, t]>"):
        found = refute(parsed(text), candidates=300, seed=2, horizon=30)
        assert found.kind == "undecided" and found.id is None, text
        assert found.tally.exact > 0 and "checked exactly" in found.searched()


def test_contradictory_assumptions_are_said_to_be_so() -> None:
    plain = refute(parsed("assume H1: forall t: pd(B[t]) H2: forall t: pd(-B[t]) assert 0 = 1"), candidates=100)
    assert plain.kind == "undecided" and "contradict each other" in plain.warnings[0]
    hidden = refute(parsed("assume H1: forall i: norm(x[i, 0])^2 <= 1 H2: exists i: norm(x[i, 0])^2 >= 4 assert 0 = 1"),
                    candidates=400)
    assert hidden.kind == "undecided" and hidden.tally.met == 0
    assert "H1 and H2" in hidden.warnings[0] and "may contradict" in hidden.warnings[0]


def test_a_warning_where_few_candidates_meet_the_assumptions() -> None:
    rare = parsed("assume H: forall i: <x[i, 0], x[i, 0]> = 50 and n >= 3 and d >= 2 and g[0] >= 9/10 "
                  "assert forall t, i: norm(x[i, t])^2 <= 50")
    found = refute(rare, candidates=400, seed=1, horizon=20)
    assert found.kind == "undecided" and found.rejected == ("H",)
    assert found.tally.share < 0.2


def test_false_only_on_ties() -> None:
    claim = parsed("assert forall i, j, k: <x[i, 0], x[j, 0]> = <x[i, 0], x[k, 0]> implies x[j, 0] = x[k, 0]")
    found = refute(claim, candidates=512, seed=1)
    assert found.result is not None and found.kind == "refuted"
    assert len(found.result.instance.fields["x"]) == 2


def test_a_choice_that_only_an_unused_regime_rests_on_is_dropped() -> None:
    claim = parsed("assert forall i, j, k: <x[i, 0], x[j, 0]> = <x[i, 0], x[k, 0]> implies x[j, 0] = x[k, 0]")
    data = certify.instance("hardmax", x=[[0, -1], [-1, -1]], B=[[0, 0], [0, 0]], g="1/(t + 1)")
    found = refutation(claim, data, 2)
    assert found is not None and found.certificate is not None and "selection" not in found.certificate["plans"]


def test_workers_have_one_thread_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    with executor_for(2) as pool:
        assert pool.submit(os.getenv, "OMP_NUM_THREADS").result() == "1"
    assert os.environ["OMP_NUM_THREADS"] == "7"


def test_false_only_along_a_selection() -> None:
    """A token at 0 may stay or leave; that it stays is false only where the leaders tie, which is wherever it is."""
    claim = parsed("assume H1: forall t: B[t] = I H2: forall t: g[t] = 1/2 "
                   "assert forall t, i: norm(x[i, 0]) = 0 implies norm(x[i, t]) = 0")
    found = refute(claim, candidates=512, seed=1)
    assert found.result is not None and found.result.certificate is not None
    assert "selection" in found.result.certificate["plans"]


def test_false_only_for_large_t() -> None:
    claim = parsed("assume H1: forall t: B[t] = -I H2: forall t: g[t] = 2/(t + 2) H3: 0 in hull(x[0]) "
                   "assert forall t, i: norm(x[i, t])^2 <= 100/(t + 1)*diam(hull(x[0]))^2")
    found = refute(claim, candidates=512, seed=1, tokens=(2, 2), dimensions=(1, 1))
    assert found.kind == "refuted" and int(found.verdict["t"]) >= 100
    assert found.tally.margin is not None


def test_false_only_for_a_matrix_that_changes() -> None:
    claim = parsed("assume H1: forall t: psd(B[t]) and psd(B[t] - B[t + 1]) "
                   "assert forall t: trace(B[t]) = trace(B[0])")
    found = refute(claim, candidates=1024, seed=1)
    assert found.result is not None
    matrix = found.result.instance.as_file()["B"]
    assert isinstance(matrix, dict) and len(found.result.instance.fields["x"]) == 1


def test_false_only_where_a_far_cloud_meets_a_drop_in_rank() -> None:
    found = refute(certify.load("repair/thm-3.1-R2"), candidates=14 * CANDIDATES, seed=1, tokens=(2, 3),
                   dimensions=(2, 2))
    assert found.kind == "refuted" and found.result is not None and found.verdict["t"] == 1
    file = found.result.instance.as_file()
    assert len(file["x"]) == 2 and len(file["B"]["list"]) == 2


def test_without_a_hypothesis() -> None:
    claim = parsed("assume H1: forall t: psd(B[t]) H2: forall i: norm(x[i, 0]) <= 1 "
                   "assert forall t, i: norm(x[i, t]) <= 1")
    assert refute(claim, candidates=200, seed=1, horizon=30).kind == "undecided"
    found = refute(claim, candidates=200, seed=1, without="H2", horizon=30)
    assert found.result is not None and found.result.certificate is not None
    assert found.claim.id == "t/c-without-H2" == found.result.certificate["claim"]["id"]
    assert [entry[0] for entry in found.result.certificate["claim"]["tree"][7]] == ["H1"]
    with pytest.raises(InputError, match="the assumptions of t/c are H1, H2"):
        refute(claim, candidates=10, without="H9")


def test_static_claims_and_other_systems() -> None:
    static = certify.parse("claim t/s system none given M: matrix; w: vector assume H1: psd(M) "
                           "assert <M*w, w> <= trace(M)")
    found = refute(static, candidates=512, seed=1)
    assert found.result is not None and found.result.instance.as_file() == {"system": "none", "M": [["1"]], "w": ["2"]}
    layer = certify.parse("claim t/m system hardmax-matrix, selection every "
                          "assert forall t: hull(x[t + 1]) subset hull(x[t])")
    found = refute(layer, candidates=512, seed=1)
    assert found.kind == "refuted" and "no reading in floats" in " ".join(found.warnings)


def test_tightest_certifies_a_ratio() -> None:
    found = refute(certify.load(THEOREM), candidates=512, seed=3, objective="tightest", horizon=60)
    assert found.result is not None and found.ratio is not None and found.ratio > 1


def test_the_store_is_a_start_and_not_a_verdict(tmp_path: Path) -> None:
    claim = parsed("assume H: forall t: psd(-B[t]) assert forall t, i: norm(x[i, t]) <= norm(x[i, 0])")
    small: dict[str, Any] = {"store": tmp_path, "tokens": (2, 2), "dimensions": (1, 1)}
    first = refute(claim, candidates=64, seed=1, **small)
    assert first.id is not None and list(tmp_path.rglob("*.json"))
    for path in tmp_path.rglob("*.json"):  # a file that was tampered with is not believed
        if "instance" in path.read_text("ascii"):
            path.write_bytes(path.read_bytes().replace(b'"1"', b'"7"').replace(b'"-1"', b'"-7"'))
    assert not [r for r in Finds(tmp_path, claim).all() if "7'" in str(r.get("instance"))]
    second = refute(claim, candidates=64, seed=1, fresh=True, **small)
    assert second.id == first.id
    third = refute(claim, candidates=8, seed=5, **small)
    assert first.result is not None and third.result is not None
    assert merit(third.result, "simplest") <= merit(first.result, "simplest")


def test_invalid_input() -> None:
    claim = certify.load(THEOREM)
    with pytest.raises(InputError, match="objective"):
        refute(claim, objective="largest")
    with pytest.raises(InputError, match="tokens"):
        refute(claim, tokens=(3, 2))
    with pytest.raises(InputError, match="at least one"):
        certify.sample(claim, 0)
