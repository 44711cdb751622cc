"""Data that miss an assumption by rounding, moved to a simple rational instance nearby that meets it exactly.

The tolerance belongs to the data and is the user's: `within` bounds how far any number may move. Whether the moved
instance meets the assumptions is decided exactly, as in every check.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .checking import ledger_of_assumptions
from .claims import Claim
from .errors import InputError, UnableError
from .instances import Instance, read_instance
from .numbers.rationals import fraction, rational
from .slack import nearest_to_origin
from .verifier.exact import Rat, Undecided
from .verifier.schedules import expression

Rows = list[list[Fraction]]


@dataclass(frozen=True)
class Snapped:
    """The moved instance, how far its farthest number moved, and how far each key moved."""

    instance: Instance
    distance: Fraction
    moved: dict[str, Fraction]


def snap(claim: Claim, instance: Instance, within: object) -> Snapped:
    """The simplest instance found within reach that meets the claim's assumptions exactly.

    Examples
    --------
    >>> import certify
    >>> data = certify.instance("hardmax", x=[["3.0000001"], ["-1"]], B=[["-0.99999999"]], g="2/(t+2)")
    >>> found = snap(certify.load("fw25v1/thm-3.1"), data, "1e-6")
    >>> found.instance.fields["x"], found.instance.fields["B"]
    ([['3'], ['-1']], [['-1']])
    """
    reach = fraction(rational(within, "within"))
    if reach <= 0:
        raise InputError(f"--within {within}: expected a positive number")
    last: list[str] = []
    for candidate in _candidates(claim, instance, reach):
        moved = distances(instance, candidate)
        if max(moved.values(), default=Fraction(0)) > reach:
            continue
        ledger = ledger_of_assumptions(claim, candidate)
        if all(line["status"] == "true" for line in ledger):
            return Snapped(candidate, max(moved.values(), default=Fraction(0)), moved)
        last = [line["name"] for line in ledger if line["status"] != "true"]
    missing = f"; not met by the last one tried: {', '.join(last)}" if last else ""
    raise UnableError(f"no instance within {within} was found that meets the assumptions{missing}; "
                      "allow more with --within, or change the data")


def _candidates(claim: Claim, instance: Instance, reach: Fraction) -> Iterator[Instance]:
    """Instances near the data, simplest first: rounded more and more finely, then repaired."""
    data = instance.as_file()
    for share in (Fraction(9, 10), Fraction(1, 2), Fraction(1, 4), Fraction(1, 16), Fraction(1, 256), Fraction(0)):
        tolerance = reach * share
        rounded = {key: _rounded(value, tolerance) for key, value in data.items()}
        for repaired in _repairs(claim, rounded, reach):
            try:
                yield read_instance(repaired, instance.name)
            except InputError:
                continue


def _rounded(value: Any, tolerance: Fraction) -> Any:
    """Every number replaced by the simplest rational within the tolerance; text that is no number stays."""
    if isinstance(value, list):
        return [_rounded(entry, tolerance) for entry in value]
    if isinstance(value, dict):
        return {key: _rounded(entry, tolerance) for key, entry in value.items()}
    try:
        number = fraction(rational(value))
    except InputError:
        return value
    return str(simplest(number - tolerance, number + tolerance))


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """The rational with the smallest denominator (then numerator) in [low, high].

    Examples
    --------
    >>> simplest(Fraction(314, 100), Fraction(315, 100))
    Fraction(22, 7)
    """
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest(-high, -low)
    whole = low.numerator // low.denominator
    if low == whole:
        return Fraction(whole)
    if whole + 1 <= high:
        return Fraction(whole + 1)
    return whole + 1 / simplest(1 / (high - whole), 1 / (low - whole))


def _repairs(claim: Claim, data: dict[str, Any], reach: Fraction) -> Iterator[dict[str, Any]]:
    """The rounded data as they are, and with the repairs that assumptions about B, g and the origin call for."""
    yield data
    better = dict(data)
    if "B" in data:
        better["B"] = _each_matrix(data["B"], _symmetric)
        yield better
    if "g" in data:
        wanted = _wanted_steps(claim)
        if wanted is not None:
            better = {**better, "g": wanted}
            yield better
    if "x" in data:
        centred = {**better, "x": _around_origin(_rows(data["x"]))}
        yield centred
        better = centred
    if "B" in data:
        for power in range(1, 40):
            shift = simplest(reach / 2**power, reach / 2 ** (power - 1))
            for sign in (-1, 1):
                yield {**better, "B": _each_matrix(better["B"], lambda m, s=sign * shift: _shifted(m, s))}


def _rows(value: Any) -> Rows:
    return [[Fraction(entry) for entry in row] for row in value]


def _each_matrix(value: Any, act: Any) -> Any:
    if isinstance(value, dict):
        return {key: [_each_matrix(entry, act) for entry in entries] if key in ("list", "cycle") else
                _each_matrix(entries, act) if key == "matrix" else entries for key, entries in value.items()}
    return [[str(entry) for entry in row] for row in act(_rows(value))]


def _symmetric(rows: Rows) -> Rows:
    size = range(len(rows))
    return [[(rows[i][j] + rows[j][i]) / 2 for j in size] for i in size]


def _shifted(rows: Rows, shift: Fraction) -> Rows:
    return [[entry + (shift if i == j else 0) for j, entry in enumerate(row)] for i, row in enumerate(rows)]


def _around_origin(points: Rows) -> list[list[str]]:
    """The tokens translated so that a simple convex combination of them, the one nearest to 0, is 0."""
    import numpy as np
    _, weights = nearest_to_origin(np.array([[float(entry) for entry in point] for point in points]))
    shares = [Fraction(round(float(w) * 2**24), 2**24) for w in weights]
    total = sum(shares)
    middle = [sum((w * p[k] for w, p in zip(shares, points, strict=True)), Fraction(0)) / total
              for k in range(len(points[0]))]
    return [[str(entry - m) for entry, m in zip(point, middle, strict=True)] for point in points]


def _wanted_steps(claim: Claim) -> str | None:
    """The expression that an assumption `forall t: g[t] = expression` demands."""
    from .verifier import printer
    for _, formula in claim.tree[7]:
        if formula[0] == "forall" and formula[2][0] == "eq" and formula[2][1] == ["at", "g", ["var", "t"]]:
            return printer.term(formula[2][2])
    return None


def distances(before: Instance, after: Instance) -> dict[str, Fraction]:
    """For each key the largest change of one of its numbers (of step sizes and scales: over t = 0..200)."""
    return {key: _distance(before.fields[key], after.fields[key]) for key in before.fields if key != "system"}


def _distance(before: Any, after: Any) -> Fraction:
    if before == after:
        return Fraction(0)
    if isinstance(before, str) and isinstance(after, str):
        return abs(Fraction(before) - Fraction(after))
    if _is_steps(before) and _is_steps(after):
        return max(abs(_step_at(before, t) - _step_at(after, t)) for t in range(201))
    if isinstance(before, dict) and isinstance(after, dict):
        return max((_distance(before[key], after[key]) for key in before), default=Fraction(0))
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return max((_distance(a, b) for a, b in zip(before, after, strict=True)), default=Fraction(0))
    raise UnableError("data of different shapes cannot be compared")


def _is_steps(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(entry, str) for entries in value.values() for entry in entries)
    return isinstance(value, str) or (isinstance(value, list) and bool(value) and value[0] in (
        "add", "sub", "mul", "div", "pow", "neg", "var", "num"))


def _step_at(value: Any, t: int) -> Fraction:
    if isinstance(value, str):
        return Fraction(value)
    if isinstance(value, dict):
        kind, entries = next(iter(value.items()))
        return Fraction(entries[min(t, len(entries) - 1) if kind == "list" else t % len(entries)])
    try:
        found = expression(value, Rat(t))
    except Undecided as reason:
        raise UnableError(f"the step size at t = {t}: {reason}") from None
    return Fraction(found.n, found.d)
