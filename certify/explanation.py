"""What decides a claim, in words."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .claims import Claim
from .verifier.evaluate import unbounded
from .verifier.sorts import Tree

WITNESSES = {
    "psd": "psd: a factor that leaves a diagonally dominant rest, or one vector that shows the contrary (psd/1)",
    "pd": "pd: a factor that leaves a strictly dominant rest, or one vector that shows the contrary (psd/1)",
    "lambda_max": "lambda_max: rational bounds as tight as the comparison needs, exact when it is rational (psd/1)",
    "hull": "hull: convex weights, or a separating direction (hull/1)",
    "vertices": "vertices: for each point a direction in which it alone is greatest, or weights of others (hull/2)",
    "edge": "edge: a direction that is greatest on the edge alone, or a combination that leaves it (hull/2)",
    "interior": "interior: positive weights on points that span the space, or a supporting normal (hull/2)",
    "relint": "relint: positive weights on points that span the hull, or a supporting normal (hull/2)",
    "min_over": "min_over: weights of a minimiser at which the gradient points into the hull (program/1)",
    "nearest": "nearest: weights of a point at which the gradient points into the hull (program/1)",
    "cell": "cell: weights and signs; inclusions by multipliers, or a point that sticks out (hull/1, cells/1)",
    "voronoi": "voronoi: weights and signs; inclusions by multipliers, or a point that sticks out (hull/1, cells/1)",
    "point": "point: signs of coordinates; inclusions by multipliers, or a point that sticks out (cells/1)",
    "tends": "tends: the limit in a regime, or a trap that keeps the tokens away (regime/1, trap/1)",
    "bigO": "bigO: the growth in a regime, or a trap with a lower bound of larger order (regime/1, trap/1)",
    "geometric": "geometric: the closed form in a regime, or a trap that excludes every rate (regime/1, trap/1)",
}


def what_decides(claim: Claim) -> Iterator[str]:
    """Sentences on the facts and arguments that a verdict on this claim rests on."""
    lines = [*claim.tree[7], ["assertion", claim.tree[8]]]
    for name, formula in lines:
        if formula[0] == "forall" and unbounded(formula) is not None:
            yield (f"{name}: for all t, by one argument over a range of times (closed form or trap), "
                   "else one by one to the horizon")
    found = sorted({word for part in claim.tree[6:] for word in _operators(part)} & set(WITNESSES))
    for word in found:
        yield WITNESSES[word]
    if claim.tree[4][1] == "every" and claim.system is not None:
        yield "ties: every selection counts; a refutation carries its selection, `holds` stops at the first tie"


def side_by_side(claim: Claim, other: Claim) -> Iterator[str]:
    """The lines in which two readings differ, one under the other."""
    from difflib import ndiff

    from .verifier import printer
    for line in ndiff(printer.claim(claim.tree).splitlines()[1:], printer.claim(other.tree).splitlines()[1:]):
        if line[0] in "-+":
            yield f"{'this ' if line[0] == '-' else 'other'} {line[2:].strip()}"


def _operators(tree: Tree) -> Iterator[Any]:
    if isinstance(tree, list):
        if tree and isinstance(tree[0], str):
            yield tree[0]
        for part in tree:
            yield from _operators(part)
