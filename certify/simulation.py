"""Exact trajectories for looking at, as text."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .errors import InputError
from .instances import Instance, checked
from .systems import system_tree
from .verifier.exact import ONE, Rat, Undecided
from .verifier.kernel import Court
from .verifier.systems import State, Tie


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


@dataclass(frozen=True)
class Moment:
    """The state at one time; positions that are too long to print are None, and the closed form says what they are."""

    t: int
    points: list[list[str]] | None
    regime: dict[str, Any] | None
    ties: list[tuple[int, int]]

    def as_json(self) -> dict[str, Any]:
        return {"t": self.t, "points": self.points, "regime": self.regime,
                "ties": [{"t": t, "i": i} for t, i in self.ties]}

    def text(self) -> str:
        lines = []
        if self.points is not None:
            lines.append(f"t = {self.t}: " + "  ".join("(" + ", ".join(point) + ")" for point in self.points))
        if self.regime is not None:
            start = self.regime["T"]
            lines.append(f"from t = {start} on every token moves on the segment to its leader, for ever: "
                         "x_i(t) = v_i + c(t) (x_i - v_i)")
            lines += [f"  token {i}: x_i = ({', '.join(x)}), v_i = ({', '.join(v)})"
                      for i, (x, v) in enumerate(zip(self.regime["x"], self.regime["v"], strict=True))]
            lines.append(f"  c(t) = {self.regime['c'] or f'the product of 1 - g(s) over {start} <= s < t'}")
        if self.ties:
            lines.append("ties at " + ", ".join(f"(t={t}, i={i})" for t, i in self.ties))
        return "\n".join(lines)


def state_at(instance: Instance, t: int, selection: str = "first") -> Moment:
    """The exact state at one time, by the closed form from the time on that there is one.

    Examples
    --------
    >>> from certify.instances import instance
    >>> state_at(instance("hardmax", x=[[3], [-1]], B=[[-1]], g="2/(t+2)"), 10**6).points
    [['125000125003/375000375000'], ['1/3']]
    """
    from .theories.regime import find_regime
    from .verifier import printer
    from .verifier.theories.regime import Regime
    court = _court(instance, selection)
    ties: list[tuple[int, int]] = []
    found = None
    for now in range(t + 1):
        _follow(court, now, ties)
        field = find_regime(court.trajectory, now) if court.trajectory.native and now < t else None
        if field is not None:
            court.trajectory.regime = found = Regime(field, court.trajectory)
            break
    try:
        state = court.trajectory.state(t)
        points = [[Rat(entry, state.den).text() for entry in row] for row in state.rows]
    except Undecided:
        points = None
    if found is None:
        return Moment(t, points, None, ties)
    return Moment(t, points, {
        "T": found.start, "c": printer.term(found.form) if found.form is not None else None,
        "x": [[Rat(e, found.den).text() for e in row] for row in found.base],
        "v": [[Rat(e, found.den).text() for e in row] for row in found.rest]}, ties)


def simulate(instance: Instance, steps: int, selection: str = "first") -> Path:
    """The exact trajectory of an instance.

    Examples
    --------
    >>> from certify.instances import instance
    >>> simulate(instance("hardmax", x=[[3], [-1]], B=[[-1]], g="2/(t+2)"), 2).states[-1]
    [['5/3'], ['1/3']]
    """
    court = _court(instance, selection)
    ties: list[tuple[int, int]] = []
    states = []
    for t in range(steps + 1):
        state = _follow(court, t, ties)
        states.append([[Rat(entry, state.den).text() for entry in row] for row in state.rows])
    return Path(instance, states, ties, selection)


def _court(instance: Instance, selection: str) -> Court:
    if instance.system == "none":
        raise InputError("system none has no trajectory")
    tree = system_tree(instance.system)
    policy = "every" if selection == "first" else selection
    own = {"system", "x", *(entry[0] for entry in tree[2])}
    instance = Instance({key: value for key, value in instance.fields.items() if key in own}, instance.name)
    claim = ["claim", "certify/simulate", "theorem", ["", "", ""], [instance.system, policy], [], [], [],
             ["eq", ["num", "0"], ["num", "0"]]]
    if checked(instance, claim, tree).box is not None:
        raise InputError("x: a box of starts has no single trajectory; give every coordinate a number")
    return Court(claim, tree, dict(instance.fields), {"lines": {}}, _NoLemmas())


def _follow(court: Court, t: int, ties: list[tuple[int, int]]) -> State:
    """The state at t; at ties the first leader is taken, on record."""
    while True:
        try:
            found: State = court.trajectory.state(t)
            return found
        except Tie as tie:
            ties.append((tie.t, tie.i))
            court.trajectory.selection[(tie.t, tie.i)] = [(tie.points[0], ONE)]
