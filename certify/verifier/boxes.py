"""Boxes of starts: a coordinate known only to lie in an interval, and the tokens as formulas in the start.

What is shown then holds at every start of the box. A step is taken only where each token has one leader, the same for
all starts; otherwise later positions are undecided.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .exact import Rat, Reject, Undecided
from .polynomial import Domain, Poly, Ratio
from .schedules import Scalar, at_least_zero, lift

if TYPE_CHECKING:
    from .systems import Instance

Interval = tuple[Rat, Rat]
MAX_COORDINATES = 50
MAX_SYMBOLS = 16  # signs over a box are decided at its corners


def read_box(field: object) -> list[list[Rat | Interval]] | None:
    """Tokens of which some coordinate is an interval; None if none is, so that the tokens are points."""
    if type(field) is not list or not any(
            type(entry) is list for row in field if type(row) is list for entry in row):
        return None
    width = len(field[0]) if type(field[0]) is list else 0
    if not 0 < width <= MAX_COORDINATES or len(field) > MAX_COORDINATES or any(
            type(row) is not list or len(row) != width for row in field):
        raise Reject("a box is a short list of tokens of one dimension")
    found: list[list[Rat | Interval]] = []
    for row in field:
        found.append([])
        for entry in row:
            if type(entry) is not list:
                found[-1].append(Rat.parse(entry))
                continue
            if len(entry) != 2:
                raise Reject("an interval has two ends")
            low, high = Rat.parse(entry[0]), Rat.parse(entry[1])
            if not low < high:
                raise Reject("an interval must have a positive length")
            found[-1].append((low, high))
    if sum(isinstance(entry, tuple) for row in found for entry in row) > MAX_SYMBOLS:
        raise Reject(f"a box with more than {MAX_SYMBOLS} intervals")
    return found


class BoxTrajectory:
    """The tokens as formulas in the start. There is no state with numbers, no selection and no regime."""

    regime = None

    def __init__(self, instance: Instance, native: bool) -> None:
        assert instance.box is not None
        if not native:
            raise Reject("a box of starts is only for hardmax")
        self.native, self.instance, self.work = native, instance, 0
        self.selection: dict[Any, Any] = {}
        self.used: set[Any] = set()
        self.bounds: dict[str, Interval] = {}
        start: list[list[Scalar]] = []
        for i, row in enumerate(instance.box):
            start.append([])
            for k, entry in enumerate(row):
                if isinstance(entry, tuple):
                    self.bounds[f"b:{i}:{k}"] = entry
                    start[-1].append(Ratio(Poly.symbol(f"b:{i}:{k}")))
                else:
                    start[-1].append(entry)
        self.rows: list[list[list[Scalar]]] = [start]

    def state(self, t: int) -> Any:
        raise Undecided("a box of starts has no single state")

    def positions(self, t: int) -> list[list[Scalar]]:
        """All tokens at t."""
        if t < 0:
            raise Undecided("a time before 0")
        while len(self.rows) <= t:
            self.rows.append(self._step(self.rows[-1], len(self.rows) - 1))
        return self.rows[t]

    def _step(self, rows: list[list[Scalar]], t: int) -> list[list[Scalar]]:
        g: Rat = self.instance.sequences["g"].at(t)
        if g.n == 0:
            return rows
        matrix = self.instance.sequences["B"].at(t)
        moved = []
        for row in rows:
            image = [_dot(line, row) for line in matrix]
            leader = rows[self._leader(image, rows)]
            moved.append([_plain(lift(a) * lift(Rat(g.d - g.n, g.d)) + lift(b) * lift(g))
                          for a, b in zip(row, leader, strict=True)])
        return moved

    def _leader(self, image: list[Scalar], rows: list[list[Scalar]]) -> int:
        """The token that maximises <image, .> strictly, but for tokens at the same point, for every start."""
        centre = {name: Poly.constant((low + high) * Rat(1, 2)) for name, (low, high) in self.bounds.items()}
        scores = [_at(_dot(image, row), centre) for row in rows]
        best = 0
        for j, score in enumerate(scores):
            best = j if scores[best] < score else best
        domain = Domain()
        domain.bounds = self.bounds
        for row in rows:
            gap = [_plain(lift(a) - lift(b)) for a, b in zip(rows[best], row, strict=True)]
            if any(not (isinstance(entry, Rat) and entry.n == 0) for entry in gap) and not at_least_zero(
                    _dot(image, gap), domain, True):
                raise Undecided("a token whose leader is not the same point for every start of the box")
        return best

    def is_open(self) -> bool:
        """Whether every coordinate of every token is an interval: a box of positive measure."""
        assert self.instance.box is not None
        return all(isinstance(entry, tuple) for row in self.instance.box for entry in row)


def _dot(left: list[Scalar], right: list[Scalar]) -> Scalar:
    total: Ratio = lift(Rat(0))
    for a, b in zip(left, right, strict=True):
        total = total + lift(a) * lift(b)
    return _plain(total)


def _plain(value: Ratio) -> Scalar:
    constant = value.as_constant()
    return value if constant is None else constant


def _at(value: Scalar, centre: dict[str, Poly]) -> Rat:
    poly = lift(value).num
    for name, number in centre.items():
        poly = poly.substitute(name, number)
    found = poly.as_constant()
    assert found is not None
    return found
