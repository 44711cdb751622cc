"""Verdicts in words that claim no more than was certified; one place, so that all commands say the same."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

FOREVER = "forever"
STATUSES = {
    "refuted": "refuted: at least one certificate below shows every hypothesis true for ever and the assertion false",
    "exhibited": "exhibited: at least one instance below shows the phenomenon",
    "value": "value: what is asked for was computed exactly on the instances below",
    "measured": "measured: a share of random starts with an exact confidence interval; it refutes and proves nothing",
    "open": "open: no certificate here refutes it, and instances that hold never prove a claim for all instances",
    "withdrawn": "withdrawn: the statement was misread or replaced; its certificates keep their meaning",
    "not stated": "not stated: the language cannot say it",
}


def sentence(verdict: dict[str, Any], number: Callable[[Any], str] = str) -> str:
    """A verdict in words; `number` writes times.

    Examples
    --------
    >>> sentence({"kind": "holds", "T": 500})
    'holds on this instance to T = 500; nothing is said beyond'
    """
    kind = verdict["kind"]
    if kind == "holds":
        if verdict["T"] == FOREVER:
            return "holds on this instance for ever"
        return f"holds on this instance to T = {number(verdict['T'])}; nothing is said beyond"
    if kind == "refuted":
        place = f" at t = {number(verdict['t'])}" if "t" in verdict else " on this instance"
        place += f", token {verdict['i']}" if "i" in verdict else ""
        if "t" not in verdict:
            return f"refuted{place}"
        return f"refuted{place} ({'the first violation' if verdict.get('first') else 'not shown to be the first'})"
    if kind == "vacuous":
        line = verdict["line"]
        if line == "assertion":
            return "vacuous: the assertion is empty on this instance, so nothing is said"
        return f"vacuous: {line} is false on this instance, so nothing is said about the assertion"
    if kind == "measured":
        return (f"measured: true on {verdict['true']} of {verdict['samples']} random starts; the probability lies "
                f"between {percent(verdict['low'])} and {percent(verdict['high'])} with confidence 95%")
    if kind == "not here":
        return "not here: this instance does not show the phenomenon, which refutes nothing"
    if kind == "value":
        return f"the value is {value_text(verdict['value'])}"
    if kind == "exhibited":
        return "exhibited: this instance shows the phenomenon"
    return f"{kind}: {verdict['reason']}" if "reason" in verdict else str(kind)


def percent(share: str) -> str:
    """An end of a confidence interval, a multiple of 1/10000, as an exact percentage.

    Examples
    --------
    >>> percent("9637/10000")
    '96.37%'
    """
    top, _, bottom = share.partition("/")
    hundredths = int(top) * 10_000 // int(bottom or 1)
    return f"{hundredths // 100}.{hundredths % 100:02}%"


def value_text(value: Any) -> str:
    """A certified value: a number, a root, a vector or matrix, or a set of tokens."""
    from .report.numerals import short
    if isinstance(value, dict):
        return f"√({short(str(value.get('sqrt')))})"
    if isinstance(value, list):
        shown = [value_text(entry) for entry in value[:12]] + (["..."] if len(value) > 12 else [])
        return "{" + ", ".join(shown) + "}" if value and isinstance(value[0], int) else "(" + ", ".join(shown) + ")"
    return short(str(value))


def scope(line: dict[str, Any], number: Callable[[Any], str] = str) -> str:
    """How far a ledger line reaches."""
    if line["status"] == "false":
        return f"at t = {number(line['t'])}" if "t" in line else "on this instance"
    if line["status"] == "undecided":
        return ""
    return "for all t" if line.get("scope") == FOREVER else f"to T = {number(line.get('scope'))}, nothing beyond"


def status_of(kinds: Iterable[str]) -> str:
    """A claim is refuted by one certificate; instances that hold never prove it."""
    found = set(kinds)
    return next((status for status in ("refuted", "exhibited", "value", "measured") if status in found), "open")


def share(verdicts: list[dict[str, Any]], without: int) -> str:
    """How the instances fell out, and how far `holds` reaches."""
    count: dict[str, int] = {}
    for verdict in verdicts:
        kind = "with a value" if verdict["kind"] == "value" else verdict["kind"]
        if kind == "holds":
            kind = "holding for ever" if verdict["T"] == FOREVER else "holding to a finite T only"
        count[kind] = count.get(kind, 0) + 1
    if without:
        count["undecided"] = without
    total = len(verdicts) + without
    words = ", ".join(f"{number} {kind}" for kind, number in sorted(count.items(), key=lambda item: -item[1]))
    return f"{total} instance{'s' if total != 1 else ''}: {words}"
