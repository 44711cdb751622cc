"""Floating-point scores of candidates: who is worth an exact check. A score is a hint and never a verdict."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..claims import Claim
from ..statements.batched import BARELY
from ..statements.margins import Margins
from ..verifier.sorts import Tree
from .formulas import unfolded
from .recipes import Recipe
from .shapes import Decoder

LARGER = {"le": 2, "lt": 2, "ge": 1, "gt": 1}
ROUNDING = 1e-9  # what rounding may take from an assumption that holds exactly: more is rejected
SMALL: Tree = ["num", "0.000000001"]
CLEARLY: Tree = ["num", "0.00000001"]
BY_MORE: Tree = ["num", "0.0000000000001"]
TIED = 1e-12  # a strict statement that fails by less is on its boundary
STRICT, EQUATIONS = ("lt", "gt", "ne"), ("eq", "in", "psd")
NOISE = 1e-7  # a normalised margin that rounding alone may cause
UNMET = 2.0  # normalised margins lie in [-1, 1]
UNKNOWN = 3.5


@dataclass(frozen=True)
class Scores:
    """Arrays over candidates: the least normalised margin (lower is better), the first violation, who met what."""

    value: NDArray[np.float64]
    first: NDArray[np.int64]  # -1 where there is none to the horizon
    met: NDArray[np.bool_]
    lines: dict[str, NDArray[np.bool_]]

    @property
    def violated(self) -> NDArray[np.bool_]:
        return self.met & (self.first >= 0)


def normalised(tree: Tree) -> Tree:
    """Comparisons as (larger - smaller)/(|larger| + |smaller|) >= 0: the same sign, and no gain from a change of scale.

    Two sides of <= that both vanish are far from a violation (1) and not near it (0): else all tokens at one point, or
    a matrix 0, would be what is improved.
    """
    operator = tree[0]
    if operator in ("forall", "exists"):
        return [operator, tree[1], normalised(tree[2])]
    if operator in ("and", "or", "not", "implies", "iff"):
        return [operator, *map(normalised, tree[1:])]
    if operator not in LARGER:
        return tree
    larger, smaller = tree[LARGER[operator]], tree[3 - LARGER[operator]]
    size = ["add", ["add", ["abs", larger], ["abs", smaller]], SMALL]
    gap: Tree = ["sub", larger, smaller]
    if operator in ("le", "ge"):
        return ["ge", ["div", ["add", gap, SMALL], size], ["num", "0"]]
    return ["gt", ["sub", ["div", gap, size], BY_MORE], ["num", "0"]]  # by more than rounding


def clearly_definite(tree: Tree) -> Tree:
    """A formula with pd(M) read as pd(M - a little): the least eigenvalue of a singular matrix is rounding."""
    if not isinstance(tree, list):
        return tree
    if tree[:1] == ["pd"]:
        return ["pd", ["sub", tree[1], ["mul", CLEARLY, ["identity"]]]]
    return [clearly_definite(part) for part in tree]


def is_strict(tree: Tree) -> bool:
    """Whether a formula has strict comparisons, and no equation that rounding alone may violate."""
    return _mentions(tree, STRICT) and not _mentions(tree, EQUATIONS)


def _mentions(tree: Tree, operators: tuple[str, ...]) -> bool:
    return isinstance(tree, list) and (tree[:1] in [[name] for name in operators] or any(
        _mentions(part, operators) for part in tree))


class Scorer:
    """Scores for the candidates of one claim."""

    def __init__(self, claim: Claim, recipe: Recipe) -> None:
        assumptions = [[name, clearly_definite(normalised(formula))] for name, formula in claim.tree[7]]
        tree = [*claim.tree[:7], assumptions, normalised(claim.tree[8])]
        self.strict = {name for name, formula in [*claim.tree[7], ("assertion", claim.tree[8])]
                       if is_strict(unfolded(formula, claim.tree[6]))}
        self.recipe = recipe
        self.margins = Margins(tree, [*recipe.rejected, "assertion"])

    @property
    def blind(self) -> str:
        """What in the assertion has no reading in floats; "" if it has one."""
        return str(self.margins.unread.get("assertion", ""))

    @property
    def unread(self) -> list[str]:
        """Assumptions left to rejection that only an exact check can judge."""
        return [name for name in self.recipe.rejected if name in self.margins.unread]

    def read(self, decoder: Decoder, rows: NDArray[Any], horizon: int) -> Scores:
        count = len(rows)
        lines: dict[str, NDArray[np.bool_]] = {}
        if len(self.margins.unread) == len(self.margins.names):
            nothing = np.full(count, UNKNOWN)
            return Scores(nothing, np.full(count, -1), np.ones(count, dtype=np.bool_), lines)
        found = self.margins.read(decoder.batch(rows), horizon, NOISE)
        asserted = found["assertion"]
        value = np.where(np.isnan(asserted.margin), 1.0, np.clip(asserted.margin, -1.0, 1.0))  # inf: inside a hull
        if self.blind:
            value = np.full(count, UNKNOWN)
        lacking = np.zeros(count)
        for name in self.recipe.rejected:
            margin = found[name].margin
            lines[name] = np.isnan(margin) | ((margin >= -ROUNDING) & ~self._tied(name, margin))
            lacking += np.where(lines[name], 0.0, np.maximum(-np.nan_to_num(margin), ROUNDING))
        met = lacking == 0.0
        value = np.where(met, value, UNMET + lacking / (1.0 + lacking))
        violated = (asserted.margin < -NOISE) | self._tied("assertion", asserted.margin)
        when = np.where(asserted.first_t >= 0, asserted.first_t, np.maximum(asserted.t, 0))
        return Scores(value, np.where(violated, when, -1), met, lines)

    def _tied(self, name: str, margin: NDArray[np.float64]) -> NDArray[np.bool_]:
        """A strict statement on its boundary: it fails, by nothing."""
        return np.asarray((margin < 0.0) & (margin >= -(TIED if name in self.strict else BARELY)))
