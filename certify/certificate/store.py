"""A content-addressed store: certificates by id, and records of finished work by the hash of what was asked.

Every file is written whole (write, then rename) and never changed, so that a kill at any moment leaves a valid store,
and two processes on one store do no harm: they write the same bytes under the same name.
"""
from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..verifier.load import canonical, identity
from . import write_bytes

DEFAULT = "audit"


def default_store() -> Path:
    """Where audits keep their store: CERTIFY_STORE, or the folder `audit` here."""
    return Path(os.environ.get("CERTIFY_STORE") or DEFAULT)


class Store:
    """A folder with `certificates/ID.json` and `work/KEY.json`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.certificates, self.work = root / "certificates", root / "work"

    def create(self) -> None:
        try:
            for folder in (self.certificates, self.work):
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{self.root}: {error.strerror or 'cannot be created'}; give a folder that is writable") \
                from None

    def path_of(self, identifier: str) -> Path:
        return self.certificates / f"{identifier}.json"

    def put(self, certificate: dict[str, Any]) -> str:
        """Store a certificate; return its id."""
        identifier = identity(certificate)
        write_bytes(canonical(certificate).encode("ascii"), self.path_of(identifier))
        return identifier

    def holds(self, identifier: str) -> bool:
        """Whether a certificate is here and its content still has the id it is named by."""
        try:
            return identity(json.loads(self.path_of(identifier).read_bytes())) == identifier
        except (OSError, ValueError):
            return False

    def record(self, key: str, content: dict[str, Any]) -> None:
        write_bytes(canonical(content).encode("ascii"), self.work / f"{key}.json")

    def recall(self, key: str) -> dict[str, Any] | None:
        """A record of finished work, or None if there is none that can be read."""
        try:
            found = json.loads((self.work / f"{key}.json").read_bytes())
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def note_statuses(self, statuses: dict[str, dict[str, Any]]) -> None:
        """Keep the statuses of the claims audited last, beside those of other claims."""
        write_bytes(canonical({**self.statuses(), **statuses}).encode("ascii"), self.root / "statuses.json")

    def statuses(self) -> dict[str, dict[str, Any]]:
        """Status, statement and rows (instance, certificate's id, sentence) of every claim that was audited."""
        try:
            found = json.loads((self.root / "statuses.json").read_bytes())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def files(self) -> Iterator[Path]:
        for folder in (self.certificates, self.work):
            if folder.is_dir():
                yield from folder.iterdir()

    def size(self) -> tuple[int, int]:
        """Number of files and bytes."""
        sizes = [path.stat().st_size for path in self.files()]
        return len(sizes), sum(sizes)

    def clean(self, everything: bool) -> int:
        """Remove unfinished files, or everything; return how many were removed."""
        removed = 0
        for path in list(self.files()):
            if everything or path.name.startswith(".writing-"):
                path.unlink(missing_ok=True)
                removed += 1
        return removed
