"""Values over time behind the charts: sides of an assertion, distances, coordinates; exact, rounded to be drawn."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from time import monotonic
from typing import Any

from ..verifier.evaluate import unbounded
from ..verifier.exact import Reject, Undecided
from ..verifier.sorts import Tree, sort_of_name
from .hearing import Hearing
from .numerals import as_float

POINTS = 48  # times at which a long curve is evaluated
TOKENS = 6  # curves that can still be told apart
SECONDS = 2.0  # a certificate from elsewhere may be slow to evaluate; its chart is then shorter
SHORT = 24  # steps drawn where nothing calls for more
MOST_POINTS = 300  # whose distances in pairs are drawn
WITHOUT_REGIME = 400  # steps simulated one by one for a chart


@dataclass(frozen=True)
class Curves:
    """Curves over times, drawn against a bound or alone; `mark` is the moment of violation."""

    times: list[int]
    left: dict[str, list[float | None]]
    right: list[float | None]
    mark: int | None
    formula: Tree
    note: str = ""


def sides(hearing: Hearing) -> Curves | None:
    """Both sides of the assertion over time, where it is a comparison (or a limit) for all t."""
    found = _peeled(hearing.claim[8])
    if found is None:
        return None
    time, token, left, right, note = found
    failure = hearing.failure
    mark = failure.where.get(time) if failure is not None and failure.line == "assertion" else None
    tokens = range(len(hearing.court.instance.tokens)) if token else range(1)
    shown = [i for i in tokens if i < TOKENS]
    if failure is not None and token in failure.where and failure.where[token] not in shown:
        shown[-1] = failure.where[token]
    curves: dict[int, list[float | None]] = {i: [] for i in shown}
    bound: list[float | None] = []
    used = []
    for t in _until(hearing, sample(_last(hearing, mark), mark)):
        env: dict[str, Any] = {time: t}
        for i in shown:
            curves[i].append(_near(hearing.near(left, {**env, token: i} if token else env)))
        where = {**env, token: shown[0]} if token else env
        bound.append(_near(hearing.near(right, where)) if right is not None else None)
        used.append(t)
    named = {f"token {i}" if token else "left side": values for i, values in curves.items()}
    if not any(value is not None for values in named.values() for value in values):
        return None
    if len(shown) < len(tokens):
        note += f"{'; ' if note else ''}{len(shown)} of {len(tokens)} tokens"
    return Curves(used, named, bound, mark, ["le", left, right] if right is not None else left, note)


def distances(hearing: Hearing) -> Curves | None:
    """Largest distance of a token from the origin, and the diameter of the hull, over time."""
    if hearing.system is None:
        return None
    found: Curves | None = hearing.shared("distances", lambda: _distances(hearing))
    return found


def _distances(hearing: Hearing) -> Curves | None:
    norm: Tree = ["greatest", ["i"], ["norm", ["at", "x", ["var", "i"], ["var", "t"]]]]
    far: list[float | None] = []
    width: list[float | None] = []
    used = []
    for t in _until(hearing, sample(_last(hearing, None), None)):
        state = hearing.state(t)
        points = [list(row) for row in dict.fromkeys(map(tuple, state.rows))]
        largest = max(sum(n * n for n in row) for row in points)
        widest = max((sum((a - b) ** 2 for a, b in zip(one, two, strict=True))
                      for one, two in combinations(points, 2)), default=0) if len(points) <= MOST_POINTS else None
        far.append(_root(largest, state.den))
        width.append(None if widest is None else _root(widest, state.den))
        used.append(t)
    if not used:
        return None
    return Curves(used, {"largest |x_i|": far, "diameter": width}, [None] * len(used), None, norm)


def _root(square: int, unit: int) -> float | None:
    """About the square root of an integer, in some unit."""
    near = _near(Fraction(square, unit * unit))
    return None if near is None else float(near ** 0.5)


def margins(curves: Curves) -> dict[str, list[float | None]]:
    """Right side minus left side: negative where the assertion is violated."""
    return {name: [None if a is None or b is None else b - a for a, b in zip(values, curves.right, strict=True)]
            for name, values in curves.left.items()}


def path(hearing: Hearing, last: int) -> list[list[list[Fraction]]]:
    """Exact states for t = 0, ..., `last`, or as many as the certificate's selection determines."""
    found: list[list[list[Fraction]]] = []
    for t in _until(hearing, list(range(last + 1))):
        state = hearing.state(t)
        found.append([[Fraction(entry, state.den) for entry in row] for row in state.rows])
    return found


def sample(last: int, mark: int | None) -> list[int]:
    """Times from 0 to `last`: all if they are few, else closer together at the start, with the moment that matters."""
    if last <= POINTS:
        return list(range(last + 1))
    times, ratio = {0, last}, (last / 8) ** (1 / (POINTS - 8)) if last < 1 << 1000 else 2.0
    value = 8.0
    for k in range(9):
        times.add(k)
    while value < last and len(times) < 4 * POINTS:
        value *= ratio
        times.add(min(last, int(value)))
    if mark is not None:
        times |= {max(0, mark - 1), mark, mark + 1}
    return sorted(times)


def _last(hearing: Hearing, mark: int | None) -> int:
    if mark is not None:
        last = max(SHORT, mark + mark // 2)
        return last if hearing.court.trajectory.regime is not None else max(mark + 1, min(last, WITHOUT_REGIME))
    return 1000 if hearing.court.trajectory.regime is not None else SHORT


def _until(hearing: Hearing, times: list[int]) -> Iterator[int]:
    """Times whose state can be had, while there is time."""
    end = monotonic() + SECONDS
    for t in times:
        if monotonic() > end:
            return
        if hearing.system is not None:
            try:
                hearing.state(t + 1)
                hearing.state(t)
            except (Undecided, Reject):
                return
        yield t


def _near(value: Fraction | None) -> float | None:
    if value is None:
        return None
    number = as_float(value)
    return number if abs(number) != float("inf") else None


def _peeled(formula: Tree) -> tuple[str, str, Tree, Tree | None, str] | None:
    """(time, token, left, right, note) of `forall t, i: left <= right`, or of a limit under `forall i`."""
    time, token, note = "", "", ""
    while formula[0] in ("forall", "implies"):
        if formula[0] == "implies":
            note, formula = "drawn without its premise", formula[2]
            continue
        for binder in formula[1]:
            kind = sort_of_name(binder[0])
            if kind == "time" and not time and unbounded(formula) is not None:
                time = binder[0]
            elif kind == "token" and not token and len(binder) == 1:
                token = binder[0]
            else:
                return None
        formula = formula[2]
    operator = formula[0]
    if operator in ("le", "lt", "ge", "gt") and time:
        left, right = formula[1:] if operator in ("le", "lt") else (formula[2], formula[1])
        return time, token, left, right, note
    if operator == "bigO" and not time:
        return formula[1], token, formula[2], formula[3], "the right side up to a constant"
    if operator == "geometric" and not time:
        return formula[1], token, formula[2], None, ""
    if operator == "tends" and not time:
        gap = ["sub", formula[2], formula[3]]
        return formula[1], token, ["norm", gap], None, "distance from the limit"
    return None


