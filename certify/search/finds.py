"""What earlier searches left: finds and near misses of each claim, one file each, named by its content.

A file is written whole and never changed, so that an interrupt loses nothing and two searches may share a folder.
"""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..certificate import write_bytes
from ..claims import Claim
from ..errors import InputError
from ..verifier.load import address, canonical

MOST = 200


class Finds:
    """The folder `search/CLAIM` of a store."""

    def __init__(self, root: Path, claim: Claim) -> None:
        self.folder = root / "search" / address([claim.tree, claim.system])[:32]

    def put(self, kind: str, content: dict[str, Any]) -> None:
        """Keep a find or a near miss; floats are not kept."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{self.folder}: {error.strerror or 'cannot be created'}") from None
        record: dict[str, Any] = {key: content[key] for key in ("shape", "row", "instance") if key in content}
        record["kind"] = kind
        write_bytes(canonical(record).encode("ascii"), self.folder / f"{address(record)}.json")

    def all(self) -> list[dict[str, Any]]:
        """Finds first, then near misses, each in the order of their names."""
        found = []
        for path in sorted(self.folder.glob("*.json"))[:MOST]:
            try:
                record = json.loads(path.read_bytes())
            except (OSError, ValueError):
                continue
            if isinstance(record, dict) and address(record) == path.stem:
                found.append(record)
        return sorted(found, key=lambda record: record.get("kind") != "find")
