"""What a report is about: certificates from files, folders and audit stores, verified anew and sorted by claim."""
from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..certificate.store import Store
from ..claims import CATALOGUE, Claim, catalogue, papers, variants, withdrawn
from ..errors import CertifyError, InputError
from ..instances import load_instance
from ..verification import verify_files
from ..verifier.load import MAX_BYTES, address, canonical
from ..wording import sentence, share, status_of
from .numerals import grouped
from .starts import is_box

HEX = 64  # a file named by this many hexadecimal digits is named by its id
SHARES, LONGEST = 3, 200  # parts for each processor, files in one part


@dataclass(frozen=True)
class Case:
    """One certificate: its bytes and what the verifier said; parsed only if it was accepted."""

    name: str
    file: str
    raw: bytes
    reason: str = ""
    id: str = ""
    certificate: dict[str, Any] = field(default_factory=dict)

    @property
    def accepted(self) -> bool:
        return bool(self.certificate)

    @property
    def verdict(self) -> dict[str, Any]:
        return dict(self.certificate["verdict"])

    @property
    def sentence(self) -> str:
        words = sentence(self.verdict, grouped)
        return f"{words}; decided for every start of the box" if is_box(self.certificate["instance"]) else words


@dataclass
class Section:
    """One statement with its certificates, and rows of an audit that ended without one."""

    tree: Any
    system: Any
    whose: str
    cases: list[Case] = field(default_factory=list)
    without: list[tuple[str, str]] = field(default_factory=list)
    readings: list[str] = field(default_factory=list)
    withdrawn: str = ""
    notes: list[str] = field(default_factory=list)

    @property
    def id(self) -> str:
        return str(self.tree[1])

    @property
    def anchor(self) -> str:
        return "claim-" + address([self.tree, self.system])[:12]

    @property
    def status(self) -> str:
        return "withdrawn" if self.withdrawn else status_of(case.verdict["kind"] for case in self.cases)

    @property
    def note(self) -> str:
        return self.withdrawn or share([case.verdict for case in self.cases], len(self.without))


@dataclass(frozen=True)
class Report:
    """Everything a report shows."""

    sections: list[Section]
    rejected: list[Case]
    not_stated: list[tuple[str, str]]

    @property
    def cases(self) -> list[Case]:
        """Every certificate in the order of the report, rejected ones last."""
        return [case for section in self.sections for case in section.cases] + self.rejected


def gather(paths: Iterable[Path]) -> Report:
    """Read and verify everything that the paths name."""
    files: dict[Path, str] = {}
    remarks: dict[str, dict[str, Any]] = {}
    for path in paths:
        if (path / "certificates").is_dir():
            found, named = _store(Store(path))
            files.update(found)
            remarks.update(named)
        elif path.is_dir():
            inside = sorted(path.rglob("*.json"))
            if not inside:
                raise InputError(f"{path}: no .json files in this folder; give certificates, a folder of them, or the "
                                 "folder of an audit")
            files.update(dict.fromkeys(inside, ""))
        elif path.is_file():
            files[path] = ""
        else:
            raise InputError(f"{path}: no such file or folder; give certificates, a folder of them, or an audit")
    cases = list(_verified(files))
    rejected = [case for case in cases if not case.accepted]
    not_stated = [(name, str(entry.get("note", ""))) for name, entry in remarks.items()
                  if entry.get("status") == "not stated"]
    return Report(_sections(cases, remarks), rejected, not_stated)


def _store(store: Store) -> tuple[dict[Path, str], dict[str, dict[str, Any]]]:
    """The certificates of the last audit with the names of their instances; all of them if none is on record."""
    remarks = store.statuses()
    rows = [row for entry in remarks.values() for row in entry.get("rows", [])]
    found = {store.path_of(row["id"]): str(row["instance"]) for row in rows if row["id"]}
    if not rows:
        found = dict.fromkeys(sorted(store.certificates.glob("*.json")), "")
    if not found:
        raise InputError(f"{store.root}: a store without certificates; run `certify audit` first")
    return found, remarks


def _verified(files: dict[Path, str]) -> Iterator[Case]:
    lanes = os.cpu_count() or 1
    count = max(SHARES * lanes, -(-len(files) // LONGEST))
    by_size = sorted(files, key=_size, reverse=True)  # large ones first, and dealt out evenly
    parts = [part for k in range(count) if (part := by_size[k::count])]
    with ThreadPoolExecutor(lanes) as pool:  # each part is verified by a process of its own
        answers = {path: answer for part, found in zip(parts, pool.map(verify_files, parts), strict=True)
                   for path, answer in zip(part, found, strict=True)}
    for path in files:
        answer = answers[path]
        try:
            with path.open("rb") as stream:
                raw = stream.read(MAX_BYTES + 1)
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or 'cannot be read'}") from None
        if not answer.accepted:
            yield Case(path.name, path.name, raw, answer.reason)
            continue
        certificate = json.loads(raw)
        name = files[path] or _known_instances().get(canonical(certificate["instance"]), "")
        stem = path.stem if len(path.stem) != HEX else f"instance {answer.report['id'][:8]}"
        yield Case(name or stem, path.name, raw, "", answer.report["id"], certificate)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # said when it is read


@lru_cache(maxsize=1)
def _known_instances() -> dict[str, str]:
    """Names of the catalogue's instances by their content."""
    found: dict[str, str] = {}
    for home in papers(CATALOGUE):
        for path in sorted((home / "instances").glob("*.json")):
            try:
                found.setdefault(canonical(dict(load_instance(path).fields)), f"{home.name}/{path.stem}")
            except CertifyError:
                continue
    return found


def _sections(cases: list[Case], remarks: dict[str, dict[str, Any]]) -> list[Section]:
    from ..verifier.catalogue import status_of as whose
    known: dict[str, Claim] = {address([claim.tree, claim.system]): claim for claim in catalogue()}
    found: dict[str, Section] = {}
    for case in cases:
        if not case.accepted:
            continue
        claim = case.certificate["claim"]
        key = address([claim["tree"], claim["system"]])
        if key not in found:
            found[key] = section = Section(claim["tree"], claim["system"], whose(claim["tree"], claim["system"]))
            if key in known:
                section.readings, section.withdrawn = variants(known[key]), withdrawn(known[key]) or ""
                section.notes = known[key].notes
            remark = remarks.get(section.id, {})
            if remark.get("statement") == key:
                section.without = [(row["instance"], row["sentence"]) for row in remark.get("rows", [])
                                   if not row["id"]]
        found[key].cases.append(case)
    order = {"refuted": 0, "holds": 1, "exhibited": 1, "value": 1, "measured": 1, "not here": 2, "vacuous": 3}
    for section in found.values():
        section.cases.sort(key=lambda case: order.get(case.verdict["kind"], 4))
    rank = {"refuted": 0, "exhibited": 1, "value": 2, "measured": 3, "open": 4, "withdrawn": 5}
    return sorted(found.values(), key=lambda section: (rank.get(section.status, 9), section.id))
