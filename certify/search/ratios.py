"""How badly a bound fails: the largest certified ratio of its two sides up to a horizon."""
from __future__ import annotations

from fractions import Fraction
from math import floor

from ..claims import Claim
from ..instances import Instance
from ..verifier.sorts import Tree, sort_of_name
from .certifying import claim_with, refutation

SMALLER = {"le": 1, "lt": 1, "ge": 2, "gt": 2}


def scaled_claim(claim: Claim, ratio: Fraction, horizon: int) -> Claim | None:
    """The claim with `ratio` times the larger side, for t <= horizon; None if it is not one comparison."""
    tree = claim.tree[8]
    if tree[0] != "forall" or tree[2][0] not in SMALLER:
        return None
    body, place = tree[2], 3 - SMALLER[tree[2][0]]
    factor: Tree = ["div", ["num", str(ratio.numerator)], ["num", str(ratio.denominator)]]
    sides = [["mul", factor, side] if k == place else side for k, side in enumerate(body[1:], 1)]
    binders = [[binder[0], "le", ["num", str(horizon)]] if len(binder) == 1 and sort_of_name(binder[0]) == "time"
               else binder for binder in tree[1]]
    return claim_with(claim, claim.tree[7], ["forall", binders, [body[0], *sides]])


def certified_ratio(claim: Claim, instance: Instance, guess: float, horizon: int) -> Fraction | None:
    """A ratio of the sides that is certified to be exceeded: the guess, rounded down, or somewhat less."""
    if not 1.0 < guess < 1e12:
        return None
    for share in (1.0, 0.99, 0.9, 0.5):
        ratio = Fraction(floor(guess * share * 1000), 1000)
        scaled = scaled_claim(claim, ratio, horizon) if ratio >= 1 else None
        if scaled is not None and refutation(scaled, instance, horizon) is not None:
            return ratio
    return None


def ratio_of(value: float) -> float:
    """The ratio of the sides from the normalised margin (R - L)/(R + L)."""
    return (1 - value) / (1 + value) if -1 < value < 0 else 0.0
