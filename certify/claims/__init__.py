"""The catalogue: one folder a paper, one `.claim` file a claim, instances beside them; and a user's own folders."""
from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from os.path import isfile  # unlike Path.is_file it has no objection to names that are too long
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..instances import Instance, load_instance
from ..statements.parse import parse_claim
from ..systems import system_tree
from ..verifier import printer
from ..verifier.sorts import Path as TreePath
from ..verifier.sorts import Tree

CATALOGUE = Path(__file__).parent


@dataclass(frozen=True)
class Claim:
    """A claim: its typed tree, the system it speaks of, and where it was written."""

    tree: Tree
    system: Tree
    path: Path | None = None
    places: dict[TreePath, tuple[int, int]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def id(self) -> str:
        return str(self.tree[1])

    @property
    def title(self) -> str:
        return str(self.tree[3][0])

    @property
    def source(self) -> str:
        return str(self.tree[3][1])

    @property
    def reading(self) -> str:
        return str(self.tree[3][2])

    @property
    def notes(self) -> list[str]:
        """The comments above the claim in its file: what the source says, and what is changed here."""
        if self.path is None:
            return []
        found: list[str] = []
        for line in self.path.read_text("utf-8-sig").splitlines():
            if not line.startswith("#"):
                break
            words = line[1:].strip()
            if line.startswith("#  ") and found:
                found[-1] += " " + words
            else:
                found.append(words)
        return found

    @property
    def text(self) -> str:
        """Canonical text of the claim and its system: what a certificate carries."""
        return printer.whole(self.tree, self.system)

    def _repr_html_(self) -> str:
        from html import escape
        return f"<pre>{escape(self.text)}</pre>"

    def __str__(self) -> str:
        return self.text


def parse(text: str, source: str = "", path: Path | None = None) -> Claim:
    """A claim from its text.

    Examples
    --------
    >>> parse('claim mine/first system none given a: scalar assert a*a >= 0').id
    'mine/first'
    """
    found = parse_claim(text, system_tree, source)
    name = found.tree[4][0]
    return Claim(found.tree, None if name == "none" else system_tree(name), path, found.places)


def read_claim(path: Path) -> Claim:
    """A claim from a file."""
    try:
        return parse(path.read_text("utf-8-sig"), str(path), path)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or 'cannot be read'}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8 text") from None


def papers(folder: Path = CATALOGUE) -> Iterator[Path]:
    """Folders of papers: this one if it has a paper.toml, and those inside that have one."""
    if (folder / "paper.toml").is_file():
        yield folder
    yield from sorted(p.parent for p in folder.glob("*/paper.toml"))


@lru_cache
def paper(folder: Path) -> dict[str, Any]:
    """What paper.toml says."""
    try:
        return tomllib.loads((folder / "paper.toml").read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{folder / 'paper.toml'}: {error}") from None


def catalogue(folder: Path = CATALOGUE) -> Iterator[Claim]:
    """Every claim of a catalogue."""
    for home in papers(folder):
        for path in sorted(home.glob("*.claim")):
            yield read_claim(path)


def load(id_or_path: str | Path) -> Claim:
    """A claim by its id in the catalogue, or from a .claim file.

    Examples
    --------
    >>> load("fw25v1/thm-3.1").title
    'Frank-Wolfe convergence to a cluster at the origin'
    """
    name = str(id_or_path)
    if name.endswith(".claim"):
        return read_claim(Path(name))
    home, _, short = name.partition("/")
    path = CATALOGUE / home / f"{short}.claim"
    if not short or "/" in short or ".." in name or not isfile(path):
        from difflib import get_close_matches
        known = [f"{p.parent.name}/{p.stem}" for p in CATALOGUE.glob("*/*.claim")]
        near = get_close_matches(name, known, 3, 0.4)
        hint = f"did you mean {', '.join(near)}?" if near else "`certify claims` lists the catalogue."
        raise InputError(f"unknown claim {name!r}; {hint} A claim file ends in .claim")
    return read_claim(path)


def instance_names(claim: Claim) -> list[str]:
    """Names of the instances for a claim: those that paper.toml lists for it, else all in the folder `instances`."""
    if claim.path is None or not (claim.path.parent / "paper.toml").is_file():
        return []
    home = claim.path.parent
    listed = paper(home).get("instances", {}).get(claim.path.stem)
    if listed is None:
        listed = sorted(path.stem for path in (home / "instances").glob("*.json"))
    return [name if "/" in name else f"{home.name}/{name}" for name in listed]


def variants(claim: Claim) -> list[str]:
    """Ids of other readings of the same statement."""
    if claim.path is None or not (claim.path.parent / "paper.toml").is_file():
        return []
    home = claim.path.parent
    return [f"{home.name}/{name}" for group in paper(home).get("variants", []) if claim.path.stem in group
            for name in group if name != claim.path.stem]


def withdrawn(claim: Claim) -> str | None:
    """Why a claim was withdrawn, if it was."""
    if claim.path is None or not (claim.path.parent / "paper.toml").is_file():
        return None
    reason = paper(claim.path.parent).get("withdrawn", {}).get(claim.path.stem)
    return str(reason) if reason is not None else None


def find_instance(name: str) -> Instance:
    """An instance from a file, or by its name in the catalogue: `paper/name`."""
    home, _, short = name.partition("/")
    path = CATALOGUE / home / "instances" / f"{short}.json"
    if isfile(name) or name.endswith((".json", ".npz")) or ".." in name or not short or not isfile(path):
        return load_instance(name)
    return Instance(load_instance(path).fields, name)


def named_instance(claim: Claim, name: str) -> Instance:
    """An instance by name: `name` in the claim's own folder, or `paper/name`."""
    base = claim.path.parent if claim.path is not None else CATALOGUE
    home, _, short = name.rpartition("/")
    folder = base.parent / home if home else base
    for candidate in (folder, CATALOGUE / home if home else CATALOGUE):
        path = candidate / "instances" / f"{short}.json"
        if ".." not in name and isfile(path):
            found = load_instance(path)
            return Instance(found.fields, name)
    from difflib import get_close_matches
    known = instance_names(claim)
    near = get_close_matches(name, [*known, *(full.split("/")[-1] for full in known)], 3)
    listed = ", ".join(known[:12]) + (", ..." if len(known) > 12 else "")
    hint = f"did you mean {', '.join(near)}?" if near else f"named instances of {claim.id}: {listed or 'none'}"
    raise InputError(f"{name}: no such file or named instance; {hint}")
