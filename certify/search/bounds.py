"""Bounds of single numbers: what comparisons with constants leave of them, and assumptions that leave nothing."""
from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ..verifier import printer
from ..verifier.sorts import Tree
from .formulas import atoms, number, unfolded
from .formulas import binders as binders_of

COMPARED = {"le": "ge", "lt": "gt", "ge": "le", "gt": "lt", "eq": "eq"}  # each seen from the other side


@dataclass(frozen=True)
class Range:
    """Bounds of a number; None where there is none."""

    low: Fraction | None = None
    high: Fraction | None = None
    open_low: bool = False
    open_high: bool = False

    def within(self, operator: str, limit: Fraction) -> Range:
        """These bounds and one more comparison."""
        found = self
        if operator in ("ge", "gt", "eq") and (found.low is None or (limit, operator == "gt") > (
                found.low, found.open_low)):
            found = replace(found, low=limit, open_low=operator == "gt")
        if operator in ("le", "lt", "eq") and (found.high is None or (-limit, operator == "lt") > (
                -found.high, found.open_high)):
            found = replace(found, high=limit, open_high=operator == "lt")
        return found

    @property
    def empty(self) -> bool:
        if self.low is None or self.high is None:
            return False
        return self.low > self.high or (self.low == self.high and (self.open_low or self.open_high))


def clash(tree: Tree) -> str:
    """Two assumptions that leave no value for one number, in words; "" if none are seen.

    Seen are comparisons of the same term with constants, each for all tokens or times or for none.
    """
    ranges: dict[str, tuple[Range, str]] = {}
    for given in tree[5]:
        if given[1] == "scalar" and len(given) == 4:
            ranges[repr(["at", given[0]])] = Range().within(given[2], Fraction(given[3][1])), "given"
    for name, formula in tree[7]:
        for binders, atom in atoms(unfolded(formula, tree[6])):
            if atom[0] not in COMPARED or any(len(binder) > 1 for binder in binders):
                continue
            for term, limit, operator in ((atom[1], atom[2], atom[0]), (atom[2], atom[1], COMPARED[atom[0]])):
                value = number(limit)
                names = [binder[0] for binder in binders]
                if value is None or number(term) is not None or binders_of(term) & set(names):
                    continue
                key = repr(_canonical(term, names))
                before, other = ranges.get(key, (Range(), name))
                ranges[key] = before.within(operator, value), name
                if ranges[key][0].empty:
                    lines = name if other == name else f"{other} and {name}"
                    return f"{lines} leave no value for {printer.term(term)}"
    return ""


def _canonical(tree: Tree, names: list[str]) -> Tree:
    """A term with the bound names replaced by their places."""
    if isinstance(tree, list):
        if tree[:1] == ["var"] and tree[1] in names:
            return ["var", names.index(tree[1])]
        return [_canonical(part, names) for part in tree]
    return tree
