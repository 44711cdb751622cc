"""Figures with matplotlib (the extra `figures`); every function returns the axes it drew on.

The data are exact and only rounded to be drawn. In more than two dimensions a picture is a projection and says so.
"""
from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from ..checking import Result
from ..errors import InputError, UnableError
from ..simulation import Path as TokenPath
from .hearing import Hearing
from .numerals import as_float, grouped
from .series import Curves, distances, margins, sides

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")  # safe for colour-blind readers
STYLES = ("-", "--", ":", "-.")  # and readable without colours
MARKS = ("o", "s", "^", "D")
FEW = 12  # tokens that a legend can name


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


def hear(source: Result | dict[str, Any] | Hearing) -> Hearing:
    """What a figure needs, from a result of `check` or a certificate."""
    if isinstance(source, Hearing):
        return source
    certificate = source.certificate if isinstance(source, Result) else source
    if certificate is None:
        raise InputError("an undecided result has no certificate to draw; `certify simulate --plot` draws paths")
    return Hearing(certificate)


def draw_trajectory(path: TokenPath, axes: Any = None) -> Any:
    """Tokens over time: the coordinate against t in dimension 1, else paths of the first two coordinates."""
    axes = _axes(axes)
    states = [[[as_float(Fraction(entry)) for entry in point] for point in state] for state in path.states]
    dimension = len(states[0][0])
    for i in range(len(states[0])):
        colour, style = COLOURS[i % len(COLOURS)], STYLES[i % len(STYLES)]
        if dimension == 1:
            heights = [state[i][0] for state in states]
            axes.plot(range(len(states)), heights, style, marker="o", ms=3, lw=1, color=colour, label=f"{i}")
        else:
            xs, ys = [state[i][0] for state in states], [state[i][1] for state in states]
            axes.plot(xs, ys, style, lw=1, color=colour)
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
    if len(states[0]) <= FEW:
        axes.legend(title="token", fontsize=8)
    return axes


def save_trajectory(path: TokenPath, file: Path) -> None:
    """Draw a trajectory to a file."""
    try:
        draw_trajectory(path).figure.savefig(file, dpi=150)
    except (ValueError, OSError) as error:
        raise InputError(f"{file}: {error}") from None


def draw_plane(source: Result | dict[str, Any] | Hearing, t: int = 0, axes: Any = None) -> Any:
    """Tokens at time t in the plane with their hull, their leaders, and dominance cells exact to their edges."""
    hearing = hear(source)
    from .plane import film
    found = film(hearing, t)
    if found is None or len(found.frames) <= t:
        raise InputError("cells are drawn for up to 40 tokens in the plane whose leaders maximise <B x_i, x_j>")
    axes = _axes(axes)
    frame = found.frames[t]
    from matplotlib.patches import Polygon
    for token, polygon in frame.cells:
        colour = COLOURS[token % len(COLOURS)]
        corners = [(as_float(p), as_float(q)) for p, q in polygon]
        axes.add_patch(Polygon(corners, closed=True, facecolor=colour, alpha=0.15, edgecolor=colour))
    corners = [(as_float(frame.points[k][0]), as_float(frame.points[k][1])) for k in frame.hull]
    axes.add_patch(Polygon(corners, closed=True, fill=False, edgecolor="black", lw=1.5))
    for i, (p, q) in enumerate(frame.points):
        x, y, colour = as_float(p), as_float(q), COLOURS[i % len(COLOURS)]
        for j in frame.leaders[i]:
            if j != i:
                ahead = frame.points[j]
                axes.annotate("", (as_float(ahead[0]), as_float(ahead[1])), (x, y),
                              arrowprops={"arrowstyle": "->", "color": colour, "lw": 0.9, "ls": "--"})
        axes.plot([x], [y], MARKS[i % len(MARKS)], color=colour, ms=7, label=f"{i}")
    left, bottom, right, top = map(as_float, found.view)
    axes.plot([0], [0], "+", color="black", ms=10)
    axes.set(xlim=(left, right), ylim=(bottom, top), aspect="equal", xlabel="first coordinate",
             ylabel="second coordinate")
    axes.set_title(f"t = {t}: tokens, hull, leaders (arrows) and dominance cells", fontsize=9)
    if len(frame.points) <= FEW:
        axes.legend(title="token", fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    return axes


def draw_energy(source: Result | dict[str, Any] | Hearing, axes: Any = None) -> Any:
    """Both sides of the assertion over time on a logarithmic scale, with the violation marked."""
    curves = _curves(source)
    axes = _axes(axes)
    for k, (name, values) in enumerate(curves.left.items()):
        _curve(axes, curves.times, values, k, f"{name}, left side")
    if any(value is not None for value in curves.right):
        _curve(axes, curves.times, curves.right, 6, "right side")
    shown = [v for column in (*curves.left.values(), curves.right) for v in column if v is not None]
    if any(v > 0 for v in shown):
        axes.set_yscale("log", nonpositive="mask")
    return _finish(axes, curves, "sides of the assertion" + (f" ({curves.note})" if curves.note else ""))


def draw_margins(source: Result | dict[str, Any] | Hearing, axes: Any = None) -> Any:
    """Right side minus left side over time: below zero the assertion is violated."""
    curves = _curves(source)
    axes = _axes(axes)
    for k, (name, values) in enumerate(margins(curves).items()):
        _curve(axes, curves.times, values, k, name)
    axes.axhline(0, lw=1, color="black")
    axes.set_yscale("symlog", linthresh=1e-3)
    return _finish(axes, curves, "margin: right side minus left side")


def draw_distances(source: Result | dict[str, Any] | Hearing, axes: Any = None) -> Any:
    """Largest distance of a token from the origin, and the diameter of the hull, over time."""
    curves = distances(hear(source))
    if curves is None:
        raise InputError("system none has no trajectory")
    axes = _axes(axes)
    for k, (name, values) in enumerate(curves.left.items()):
        _curve(axes, curves.times, values, k, name)
    return _finish(axes, curves, "distances")


def _curves(source: Result | dict[str, Any] | Hearing) -> Curves:
    found = sides(hear(source))
    if found is None:
        raise InputError("the assertion is not a comparison for all t, so it has no sides to draw")
    return found


def _curve(axes: Any, times: list[int], values: list[float | None], shade: int, name: str) -> None:
    axes.plot(times, [float("nan") if v is None else v for v in values], STYLES[shade % len(STYLES)],
              color=COLOURS[shade % len(COLOURS)], lw=1.4, label=name)


def _finish(axes: Any, curves: Curves, title: str) -> Any:
    if curves.times[-1] > 150:
        axes.set_xscale("symlog", linthresh=1)
        axes.set_xlim(left=0)
    if curves.mark is not None:
        axes.axvline(curves.mark, color="#A33B00", ls="--", lw=1.2)
        title += f"; violated at t = {grouped(curves.mark)}"
    axes.set(xlabel="t")
    axes.set_title(title, fontsize=9)
    axes.legend(fontsize=8)
    return axes
