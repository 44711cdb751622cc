"""Exact trajectories for looking at, as text."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .errors import InputError
from .instances import Instance, checked
from .systems import system_tree
from .verifier.exact import ONE, Rat
from .verifier.kernel import Court
from .verifier.systems import Tie


@dataclass(frozen=True)
class Path:
    """States x[0], x[1], ... as exact numbers, and the ties met on the way."""

    instance: Instance
    states: list[list[list[str]]]
    ties: list[tuple[int, int]]
    selection: str

    def as_json(self) -> dict[str, Any]:
        return {"system": self.instance.system, "selection": self.selection,
                "states": self.states, "ties": [{"t": t, "i": i} for t, i in self.ties]}


class _NoLemmas:
    def ask(self, operator: str, args: list[Any]) -> Any:
        raise InputError(f"a step may not ask for {operator}")


def simulate(instance: Instance, steps: int, selection: str = "first") -> Path:
    """The exact trajectory of an instance.

    Examples
    --------
    >>> from certify.instances import instance
    >>> simulate(instance("hardmax", x=[[3], [-1]], B=[[-1]], g="2/(t+2)"), 2).states[-1]
    [['5/3'], ['1/3']]
    """
    if instance.system == "none":
        raise InputError("system none has no trajectory")
    tree = system_tree(instance.system)
    policy = "every" if selection == "first" else selection
    own = {"system", "x", *(entry[0] for entry in tree[2])}
    instance = Instance({key: value for key, value in instance.fields.items() if key in own}, instance.name)
    claim = ["claim", "certify/simulate", "theorem", ["", "", ""], [instance.system, policy], [], [], [],
             ["eq", ["num", "0"], ["num", "0"]]]
    checked(instance, claim, tree)
    court = Court(claim, tree, dict(instance.fields), {"lines": {}}, _NoLemmas())
    ties: list[tuple[int, int]] = []
    states = []
    for t in range(steps + 1):
        while True:
            try:
                state = court.trajectory.state(t)
                break
            except Tie as tie:
                ties.append((tie.t, tie.i))
                court.trajectory.selection[(tie.t, tie.i)] = [(tie.points[0], ONE)]
        states.append([[Rat(entry, state.den).text() for entry in row] for row in state.rows])
    return Path(instance, states, ties, selection)
