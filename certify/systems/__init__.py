"""The dynamics that claims speak of: each a text in the language, some with fast native code."""
from __future__ import annotations

from functools import cache
from importlib.resources import files

from ..errors import InputError
from ..statements.parse import parse_system
from ..verifier.sorts import Tree


def system_names() -> list[str]:
    """Names of the systems that ship with certify."""
    return sorted(f.name.removesuffix(".system") for f in files(__package__).iterdir() if f.name.endswith(".system"))


@cache
def system_tree(name: str) -> Tree:
    """The tree of a system by name."""
    if name not in system_names():
        raise InputError(f"unknown system {name!r}; known: {', '.join(system_names())}, none")
    return parse_system(files(__package__).joinpath(name + ".system").read_text("utf-8"), name + ".system")
