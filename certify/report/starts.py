"""Where the trajectories of an instance start: at one point, anywhere in a box, or at random; in words for a reader."""
from __future__ import annotations

from typing import Any

from ..wording import percent


def is_box(fields: dict[str, Any]) -> bool:
    """Whether some coordinate of a token is an interval.

    Examples
    --------
    >>> is_box({"x": [["1"], [["0", "1"]]]}), is_box({"x": [["1"], ["2"]]})
    (True, False)
    """
    x = fields.get("x")
    return isinstance(x, list) and any(isinstance(entry, list) for row in x for entry in row)


def random_start(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Sizes and seed of random starts."""
    x = fields.get("x")
    return dict(x["gaussian"]) if isinstance(x, dict) else None


def start_words(fields: dict[str, Any]) -> str:
    """What a start is, unless it is one point."""
    drawn = random_start(fields)
    if drawn is not None:
        return (f"The starts are random: {drawn['samples']} samples of {drawn['tokens']} tokens in dimension "
                f"{drawn['dimension']}, every coordinate an independent standard Gaussian on a grid of step 2^-16, "
                f"drawn from the seed \"{drawn['seed']}\"; whoever draws again gets the same starts.")
    if is_box(fields):
        entries = [entry for row in fields["x"] for entry in row]
        count = sum(isinstance(entry, list) for entry in entries)
        return (f"The start is a box: {count} of its {len(entries)} coordinates are intervals, and every line is "
                "decided for every start of the box at once.")
    return ""


def measured_words(verdict: dict[str, Any]) -> str:
    """What a measured share says, and what it does not."""
    return (f"Each start was decided exactly: the assertion is true on {verdict['true']} of {verdict['samples']}. The "
            f"interval from {percent(verdict['low'])} to {percent(verdict['high'])} (exactly {verdict['low']} to "
            f"{verdict['high']}) is that of Clopper and Pearson at level {verdict['level']}, rounded outward. It "
            "refutes and proves nothing.")


def undrawn_words(fields: dict[str, Any]) -> str:
    """Why there is no picture."""
    if random_start(fields) is not None:
        return "No trajectory is drawn: the starts are random, and the certificate is about all of them together."
    if is_box(fields):
        return "No trajectory is drawn: the certificate is about every start of the box, not about one."
    return ""


def interval(entry: list[str]) -> str:
    """A coordinate of a box.

    Examples
    --------
    >>> interval(["-1/2", "1"])
    '[-1/2, 1]'
    """
    return f"[{entry[0]}, {entry[1]}]"
