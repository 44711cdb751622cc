"""The search on a terminal: a line of honesty while it runs, and what it came to."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .engine import RARE
from .outcome import Search, Tally, about


def status(tally: Tally, left: float | None) -> str:
    """Where a running search stands."""
    margin = "none yet" if tally.margin is None else about(tally.margin)
    words = [f"{tally.rate:,.0f} candidates/s", f"{100 * tally.share:.3g}% met all assumptions",
             f"best margin {margin}", f"{tally.finds} finds", f"{tally.exact} exact checks"]
    if tally.candidates and tally.share < RARE:
        words.append("WARNING: few candidates meet the assumptions")
    if left is not None:
        words.append(f"{left:.0f} s left")
    return ", ".join(words)


@contextmanager
def watching() -> Iterator[Callable[[Tally, float | None], None]]:
    """A progress display on standard error: one live line on a terminal, one line now and then elsewhere."""
    from rich.console import Console
    from rich.status import Status
    console = Console(stderr=True, highlight=False)
    if console.is_terminal:
        with Status("searching", console=console) as line:
            yield lambda tally, left: line.update(status(tally, left))
        return
    last = [0.0]

    def tell(tally: Tally, left: float | None) -> None:
        if tally.seconds - last[0] >= 5.0:
            last[0] = tally.seconds
            console.print(status(tally, left), soft_wrap=True)

    yield tell


def show(found: Search) -> None:
    """What was searched, and the family of a find."""
    from json import dumps

    from rich.console import Console
    from rich.markup import escape
    console = Console(highlight=False, soft_wrap=True)
    if found.result is None:
        console.print(f"[bold]{escape(found.claim.id)}[/]: [yellow]nothing found[/]; this says nothing about the claim")
    else:
        console.print(f"instance: {escape(dumps(found.result.instance.as_file()))}")
        if found.interrupted:
            console.print("interrupted: this is the best find so far")
        if found.ratio is not None:
            console.print(f"certified ratio of the two sides for t <= {found.sizes['horizon']}: at least {found.ratio}")
        console.print(f"first certified find after {found.first_find} s" if found.first_find is not None
                      else "recalled from the store")
    for row in found.family:
        spans = ", ".join(f"{value} (t = {t})" if t >= 0 else value for value, t in row["refuted"].items())
        console.print(escape(f"{row['number']} = {row['value']}: refuted at {spans}"
                             + (f"; not at {', '.join(row['not_refuted'])}" if row["not_refuted"] else "")))
    console.print(f"searched: {escape(found.searched())}", style="dim")
