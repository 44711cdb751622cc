"""Step sizes for candidates: well-known schedules, and what the numbers of a claim suggest."""
from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from typing import Any

from ..claims import Claim
from ..errors import CertifyError
from ..verifier.sorts import Tree
from .formulas import number

STEP_SIZES = ("2/(t + 2)", "1/2", "1/(t + 2)", "1/(t + 1)", "1/3", "3/4", "1/10", "9/10", "1/(t + 2)^2",
              "(1/2)^(t + 1)", "(t + 1)/(t + 2)", "1", "0")
MORE_STEPS = ("1/2 + 1/(2*t + 4)", "1/2 - 1/(t + 4)", '["1/2", "1/3"]', '["1/4", "1/2"]', '{"cycle": ["1/2", "1/3"]}')
MOST_STEPS, MOST_TRIALS = 20, 240


def step_sizes(claim: Claim, filters: list[tuple[str, Tree]], assigned: list[str], forced: list[str],
               moments: tuple[int, ...]) -> tuple[tuple[str, ...], str, bool]:
    """Step sizes that meet every assumption about g alone, each checked exactly; a contradiction; whether any does.

    A step that is assigned for all times (`forced`) and fails one of them is a contradiction.
    """
    from ..instances import instance
    from .certifying import lines_hold
    names = " and ".join(name for name, _ in filters)
    candidates = assigned or [*STEP_SIZES, *MORE_STEPS, *_from_numbers(claim.tree, moments)]
    if not filters:
        return tuple(step for step in candidates if step != "0")[:MOST_STEPS], "", True
    kept: list[str] = []
    for step in [*candidates, *(_from_numbers(claim.tree, moments) if assigned else ())]:
        try:
            trial = instance("hardmax", x=[[1]], B=[[1]], g=step_file(step))
            holds = lines_hold(claim, trial, filters)
        except CertifyError:
            holds = None
        if holds:
            kept.append(step)
        elif holds is False and step in forced:
            return (step,), f"no step size in [0, 1] meets {names}", False
        if len(kept) >= (1 if assigned else MOST_STEPS):
            break
    return tuple(kept or candidates[:MOST_STEPS]), "", bool(kept)


def _from_numbers(tree: Tree, moments: tuple[int, ...]) -> list[str]:
    """Steps made of the numbers that the assumptions name: constants, lists that change at the moments, cycles."""
    numbers = sorted({value for entry in tree[7] for value in _numerals(entry[1]) if 0 <= value <= 1})
    between = [(a + b) / 2 for a, b in pairwise(numbers)]
    values = [str(value) for value in dict.fromkeys([*numbers, *between, Fraction(1, 2), Fraction(1, 3)])][:8]
    found = [*values]
    for start in sorted({1, *moments, *(moment + 1 for moment in moments)} - {0}):
        found += [json.dumps([first] * start + [second]) for first in values for second in values if first != second]
    found += [json.dumps({"cycle": [first, second]}) for first in values for second in values if first != second]
    return found[:MOST_TRIALS]


def _numerals(tree: Tree) -> set[Fraction]:
    """Constant terms of a formula."""
    if not isinstance(tree, list):
        return set()
    value = number(tree) if tree and tree[0] in ("num", "div") else None
    return {value} if value is not None else {each for part in tree for each in _numerals(part)}


def step_file(step: str) -> Any:
    """A step as an instance file has it: an expression, a list or a cycle."""
    return json.loads(step) if step[:1] in "[{" else step
