"""sha256 of every statement of the catalogue (claim tree and system tree). Written by `make catalogue`."""
from __future__ import annotations

from .load import address
from .sorts import Tree

STATEMENTS: dict[str, str] = {}


def status_of(claim: Tree, system: Tree) -> str:
    """Whether a statement is the catalogue's."""
    known = STATEMENTS.get(claim[1])
    if known is None:
        return "is a user's claim"
    return "is the catalogue's" if known == address([claim, system]) else "is not the catalogue's"
