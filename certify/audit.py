"""A whole catalogue at once: every claim on its instances, certificates stored and verified, a status a claim."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any

from . import __version__
from .certificate.store import Store
from .checking import DEFAULT_HORIZON, check
from .claims import CATALOGUE, Claim, catalogue, instance_names, named_instance, paper, papers, variants, withdrawn
from .errors import CertifyError, InputError
from .instances import Instance
from .verification import VERIFIER, verify_files
from .verifier import printer
from .verifier.load import address
from .wording import status_of

QUICK_HORIZON = 50


@dataclass(frozen=True)
class Row:
    """One claim on one instance: its verdict, its certificate, and what the verifier said."""

    claim: str
    instance: str
    verdict: dict[str, Any]
    ledger: list[dict[str, Any]]
    certificate: str | None
    verified: bool
    seconds: float
    sentence: str


@dataclass
class Standing:
    """One claim: its rows and the status that they give it."""

    claim: str
    title: str
    source: str
    reading: str
    status: str
    rows: list[Row] = field(default_factory=list)
    note: str = ""
    variants: list[str] = field(default_factory=list)
    statement: str = ""


@dataclass(frozen=True)
class Audit:
    """The outcome of an audit."""

    store: Path
    standings: list[Standing]
    done: int
    recalled: int

    def as_json(self) -> dict[str, Any]:
        return {"store": str(self.store), "computed": self.done, "recalled": self.recalled, "claims": [
            {"id": s.claim, "title": s.title, "status": s.status, "note": s.note, "variants": s.variants, "rows": [
                {"instance": r.instance, "verdict": r.verdict, "ledger": r.ledger, "id": r.certificate,
                 "certificate": str(Store(self.store).path_of(r.certificate)) if r.certificate else None,
                 "verified": r.verified, "seconds": r.seconds} for r in s.rows]} for s in self.standings]}


@dataclass(frozen=True)
class Job:
    """What is to be checked, and the key under which its result is kept."""

    claim: Claim
    instance: Instance
    name: str
    horizon: int

    @property
    def key(self) -> str:
        return address(["check", __version__, _source(Path(__file__).parent), self.claim.tree, self.claim.system,
                        dict(self.instance.fields), self.horizon])


_sources: dict[Path, str] = {}


def _source(folder: Path) -> str:
    """sha256 of the code: results of other code are not recalled."""
    if folder not in _sources:
        digest = sha256()
        for path in sorted(folder.rglob("*.py")) + sorted(folder.rglob("*.lark")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
        _sources[folder] = digest.hexdigest()
    return _sources[folder]


def _run(claim_text: str, fields: dict[str, Any], horizon: int, root: str) -> dict[str, Any]:
    """One job, in a process of its own: check, store, and return the record."""
    from .claims import parse
    from .instances import Instance as Data
    start = monotonic()
    try:
        result = check(parse(claim_text), Data(fields), horizon)
    except CertifyError as error:
        return {"verdict": {"kind": "error", "reason": str(error)}, "ledger": [], "certificate": None,
                "sentence": f"error: {error}", "milliseconds": int(1000 * (monotonic() - start))}
    identifier = Store(Path(root)).put(result.certificate) if result.certificate is not None else None
    return {"verdict": result.verdict, "ledger": result.ledger, "certificate": identifier,
            "sentence": result.sentence(), "milliseconds": int(1000 * (monotonic() - start))}


def home_of(claim: Claim) -> str:
    """The folder of a claim's paper."""
    return claim.path.parent.name if claim.path is not None else ""


def jobs(folder: Path, only: str | None, horizon: int) -> Iterator[Job]:
    """Every claim of a catalogue on each of its instances."""
    for claim in catalogue(folder):
        if only is None or home_of(claim) == only:
            for name in instance_names(claim):
                yield Job(claim, named_instance(claim, name), name, horizon)


def audit(folder: Path = CATALOGUE, only: str | None = None, out: Path = Path("audit"), quick: bool = False,
          fresh: bool = False, workers: int | None = None,
          progress: Callable[[int, int, str], None] = lambda done, total, name: None) -> Audit:
    """Check a catalogue; what the store already holds is recalled, unless `fresh`."""
    if not list(papers(folder)):
        raise InputError(f"{folder}: no papers here; expected folders with a paper.toml and .claim files")
    if only is not None and only not in {home.name for home in papers(folder)}:
        raise InputError(f"no paper {only!r}; here: {', '.join(home.name for home in papers(folder))}")
    store = Store(out)
    store.create()
    todo = list(jobs(folder, only, QUICK_HORIZON if quick else DEFAULT_HORIZON))
    records: dict[str, dict[str, Any]] = {}
    for job in todo:
        found = None if fresh else store.recall(job.key)
        if found is not None and (found["certificate"] is None or store.holds(found["certificate"])):
            records[job.key] = found
    missing = {job.key: job for job in todo if job.key not in records}
    recalled = len(todo) - len(missing)
    if missing:
        with ProcessPoolExecutor(workers or min(os.cpu_count() or 1, len(missing))) as executor:
            for key, record in _compute(executor, missing, store):
                records[key] = record
                progress(len(records), len(todo), missing[key].claim.id)
    verified = _verified(store, {r["certificate"] for r in records.values() if r["certificate"]}, fresh)
    standings = list(_standings(folder, only, todo, records, verified))
    store.note_statuses({s.claim: {
        "status": s.status, "statement": s.statement, "title": s.title, "note": s.note, "variants": s.variants,
        "rows": [{"instance": r.instance, "id": r.certificate, "sentence": r.sentence} for r in s.rows],
    } for s in standings})
    return Audit(out, standings, len(missing), recalled)


def _compute(executor: Executor, missing: dict[str, Job], store: Store) -> Iterator[tuple[str, dict[str, Any]]]:
    futures = {executor.submit(_run, printer.claim(job.claim.tree), dict(job.instance.fields), job.horizon,
                               str(store.root)): key for key, job in missing.items()}
    try:
        for future in as_completed(futures):
            record = future.result()
            store.record(futures[future], record)
            yield futures[future], record
    except BaseException:
        for future in futures:
            future.cancel()
        raise


def _verified(store: Store, identifiers: set[str], fresh: bool) -> set[str]:
    """Ids that the verifier accepts, asking it only for those it has not accepted before."""
    code = _source(VERIFIER)
    keys = {identifier: address(["verify", code, identifier]) for identifier in identifiers}
    accepted = {i for i, key in keys.items() if not fresh and (store.recall(key) or {}).get("accepted") is True}
    waiting = sorted(identifiers - accepted)
    for start in range(0, len(waiting), 200):
        part = waiting[start:start + 200]
        for identifier, answer in zip(part, verify_files([store.path_of(i) for i in part]), strict=True):
            if answer.accepted and answer.report.get("id") == identifier:
                store.record(keys[identifier], {"accepted": True})
                accepted.add(identifier)
    return accepted


def _standings(folder: Path, only: str | None, todo: list[Job], records: dict[str, dict[str, Any]],
               verified: set[str]) -> Iterator[Standing]:
    rows: dict[str, list[Row]] = {}
    for job in todo:
        record = records[job.key]
        rows.setdefault(job.claim.id, []).append(Row(
            job.claim.id, job.name, record["verdict"], record["ledger"], record["certificate"],
            record["certificate"] in verified, record["milliseconds"] / 1000, record["sentence"]))
    for claim in catalogue(folder):
        if only is not None and home_of(claim) != only:
            continue
        own, reason = rows.get(claim.id, []), withdrawn(claim)
        status = "withdrawn" if reason else status_of(row.verdict["kind"] for row in own if row.verified)
        yield Standing(claim.id, claim.title, claim.source, claim.reading, status, own,
                       reason or share_of(own), variants(claim), address([claim.tree, claim.system]))
    for home in papers(folder):
        if only is None or home.name == only:
            for name, reason in paper(home).get("not-stated", {}).items():
                yield Standing(f"{home.name}/{name}", "", "", "", "not stated", [], reason)


def share_of(rows: list[Row]) -> str:
    """How the instances fell out, in words."""
    if not rows:
        return "no instance checked"
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.verdict["kind"]] = counts.get(row.verdict["kind"], 0) + 1
    met = sum(count for kind, count in counts.items() if kind not in ("vacuous", "error"))
    words = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    return f"{len(rows)} instances: {words}; {met} met the assumptions"
