"""Figures with matplotlib (the extra `figures`); every function returns the axes it drew on."""
from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from ..errors import UnableError
from ..simulation import Path as TokenPath

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")  # safe for colour-blind readers


def _axes(axes: Any = None) -> Any:
    try:
        import matplotlib
    except ImportError:
        raise UnableError('figures need matplotlib: pip install "attention-certify[figures]"') from None
    if axes is not None:
        return axes
    matplotlib.use("Agg", force=False)
    from matplotlib.figure import Figure
    return Figure(figsize=(6, 5), layout="constrained").add_subplot()


def draw_trajectory(path: TokenPath, axes: Any = None) -> Any:
    """Tokens over time: the coordinate against t in dimension 1, else paths of the first two coordinates."""
    axes = _axes(axes)
    states = [[[float(Fraction(entry)) for entry in point] for point in state] for state in path.states]
    dimension = len(states[0][0])
    for i in range(len(states[0])):
        colour = COLOURS[i % len(COLOURS)]
        if dimension == 1:
            heights = [state[i][0] for state in states]
            axes.plot(range(len(states)), heights, "o-", ms=3, lw=1, color=colour, label=f"{i}")
        else:
            xs, ys = [state[i][0] for state in states], [state[i][1] for state in states]
            axes.plot(xs, ys, "-", lw=1, color=colour)
            axes.plot(xs[:1], ys[:1], "o", ms=6, color=colour, label=f"{i}")
            axes.plot(xs[-1:], ys[-1:], "x", ms=7, color=colour)
    axes.axhline(0, lw=0.5, color="0.7")
    if dimension == 1:
        axes.set(xlabel="t", ylabel="x")
    else:
        axes.axvline(0, lw=0.5, color="0.7")
        axes.set(xlabel="first coordinate", ylabel="second coordinate", aspect="equal")
    note = "" if dimension <= 2 else f"; projection of dimension {dimension} to the first two coordinates"
    axes.set_title(f"{path.instance.system}: {len(states) - 1} steps (circle: start, cross: end){note}", fontsize=9)
    if len(states[0]) <= 12:
        axes.legend(title="token", fontsize=8)
    return axes


def save_trajectory(path: TokenPath, file: Path) -> None:
    """Draw a trajectory to a file."""
    try:
        draw_trajectory(path).figure.savefig(file, dpi=150)
    except (ValueError, OSError) as error:
        raise UnableError(f"{file}: {error}") from None
