"""The pictures of one certificate as SVG: the trajectory, both sides of the assertion, the margin, distances."""
from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from .hearing import KEPT, Hearing
from .numerals import as_float, grouped
from .plane import Film, Frame
from .series import SHORT, Curves, distances, margins, path, sides
from .svg import Axis, Board, drawing, marker, number, spanning

PLANE = 440  # pixels of the square in which planar instances are drawn
LABEL = (70, 24)  # pixels that a cell needs to have its name written in it
LONGEST_LABEL = 40
FEW = 24  # steps of a path that stay apart


def pictures(hearing: Hearing) -> list[tuple[str, str]]:
    """(caption, svg) of every picture that makes sense for this certificate, the trajectory first."""
    if not hearing.has_path:
        return []
    found = [trajectory(hearing)]
    curves = sides(hearing)
    if curves is not None:
        found += [energy(curves), margin(curves)]
    spread = distances(hearing)
    if spread is not None:
        found.append(_distances(spread))
    choice = ""
    if hearing.chosen:
        t, i = hearing.chosen[0]
        choice = f" At ties (first at t = {t}, token {i}) this picture follows the first leader; the verdict does not."
    return [(caption + choice, svg) for caption, svg in found if svg]


def energy(curves: Curves) -> tuple[str, str]:
    """Both sides of the assertion over time, on a logarithmic scale where that is possible."""
    alone = all(value is None for value in curves.right)
    values = [v for column in (*curves.left.values(), curves.right) for v in column if v is not None]
    log = any(v > 0 for v in values)
    board = _board(curves, spanning(values, log), "Sides of the assertion over time" if not alone else
                   "The quantity over time")
    if board is None:
        return "", ""
    for shade, (name, column) in enumerate(curves.left.items()):
        board.curve([float(t) for t in curves.times], column, shade, f"{name}, left side" if not alone else name)
    if not alone:
        board.curve([float(t) for t in curves.times], curves.right, 6, "right side")
    _mark(board, curves)
    left_out = log and any(v <= 0 for v in values)
    caption = ("The quantity in question" if alone else "Left and right side of the assertion") + " over time"
    caption += ", on a logarithmic scale" if log else ""
    caption += "; values that are not positive have no place on it" if left_out else ""
    return caption + (f"; {curves.note}" if curves.note else "") + ".", board.svg()


def margin(curves: Curves) -> tuple[str, str]:
    """Right side minus left side: below zero the assertion fails."""
    if all(value is None for value in curves.right) or curves.note.startswith("the right side up to"):
        return "", ""
    found = margins(curves)
    start = next((k for k, t in enumerate(curves.times) if curves.mark is not None and t >= curves.mark // 4), 0)
    values = [v for column in found.values() for v in column[start:]]
    board = _board(curves, spanning([*values, 0.0]), "Margin over time", start)
    if board is None:
        return "", ""
    board.parts.append(f'<line class="zero" x1="{number(board.x(board.across.low))}" y1="{number(board.y(0))}" '
                       f'x2="{number(board.x(board.across.high))}" y2="{number(board.y(0))}"/>')
    for shade, (name, column) in enumerate(found.items()):
        board.curve([float(t) for t in curves.times[start:]], column[start:], shade, name)
    _mark(board, curves)
    return "Margin of the assertion (right side minus left side): below zero it is violated.", board.svg()


def _distances(curves: Curves) -> tuple[str, str]:
    board = _board(curves, spanning([v for column in curves.left.values() for v in column]), "Distances over time")
    if board is None:
        return "", ""
    for shade, (name, column) in enumerate(curves.left.items()):
        board.curve([float(t) for t in curves.times], column, shade, name)
    return "Largest distance of a token from the origin, and diameter of the hull.", board.svg()


def _board(curves: Curves, up: Axis | None, title: str, start: int = 0) -> Board | None:
    times = curves.times[start:]
    if up is None or not times or times[-1] == times[0] or times[-1] >= 10**300:
        return None
    log = times[-1] > 150
    across = Axis(float(max(1, times[0])) if log else float(times[0]), float(times[-1]), log)
    return Board(across, up, title, "t (logarithmic)" if log else "t") if across.low < across.high else None


def _mark(board: Board, curves: Curves) -> None:
    if curves.mark is not None and (curves.mark > 0 or not board.across.log) and curves.mark < 10**300:
        board.moment(float(curves.mark), f"violated at t = {grouped(curves.mark)}")


def trajectory(hearing: Hearing) -> tuple[str, str]:
    """The tokens: against time on the line, in the plane with hull and cells, else a projection."""
    dimension = hearing.court.instance.dimension
    found = hearing.film
    if found is not None:
        caption = (f"Tokens, their hull, their paths (to t = {len(found.frames) - 1}), lines to their leaders, and the "
                   "cells: the points that each token would lead, exact to their edges.")
        return caption, plane(found, 0)
    states = path(hearing, SHORT)
    if not states or len(states[0]) > 400:
        return "", ""
    if dimension == 1:
        return _line(states)
    return _projection(states, dimension)


def _line(states: list[list[list[Fraction]]]) -> tuple[str, str]:
    values = [[as_float(token[0]) for token in state] for state in states]
    up = spanning([v for state in values for v in state])
    if up is None or len(states) < 2:
        return "", ""
    board = Board(Axis(0.0, float(len(states) - 1)), up, "Tokens over time", "t", "x")
    times = [float(t) for t in range(len(states))]
    for i in range(len(values[0])):
        board.curve(times, [state[i] for state in values], i, f"token {i}" if len(values[0]) <= 6 else "",
                    marks=len(states) <= SHORT + 1)
    return f"Tokens on the line for t = 0 to {len(states) - 1}.", board.svg()


def _projection(states: list[list[list[Fraction]]], dimension: int) -> tuple[str, str]:
    spots = [[(as_float(token[0]), as_float(token[1])) for token in state] for state in states]
    across = spanning([p[0] for state in spots for p in state])
    up = spanning([p[1] for state in spots for p in state])
    if across is None or up is None:
        return "", ""
    board = Board(across, up, "Projection of the trajectory", "first coordinate", "second coordinate", 520, 420)
    for i in range(len(spots[0])):
        board.curve([state[i][0] for state in spots], [state[i][1] for state in spots], i,
                    f"token {i}" if len(spots[0]) <= 6 else "")
        board.parts.append(marker(board.x(spots[0][i][0]), board.y(spots[0][i][1]), i, 4))
    word = "Paths in the plane"
    if dimension > 2:
        word = f"Projection of dimension {dimension} to the first two coordinates"
    return f"{word}, t = 0 to {len(states) - 1}; marks at the start.", board.svg()


@lru_cache(maxsize=KEPT)
def plane(found: Film, t: int) -> str:
    """One frame of a planar instance."""
    frame, at = found.frames[t], _places(found)
    parts = [_cells(frame, at), _hull(frame, at)]
    zero = at((Fraction(0), Fraction(0)))
    parts.append(f'<path class="origin" d="M{number(zero[0] - 5)} {number(zero[1])}h10M{number(zero[0])} '
                 f'{number(zero[1] - 5)}v10"/>')
    for i in range(len(frame.points)):
        line = " ".join(",".join(map(number, at(other.points[i]))) for other in found.frames[:FEW])
        parts.append(f'<polyline class="path c{i % 7}" points="{line}"/>')
    for i, point in enumerate(frame.points):
        x, y = at(point)
        parts.append(marker(x, y, i, 5))
        if point not in frame.points[:i]:
            names = ", ".join(str(k) for k, other in enumerate(frame.points) if other == point)
            parts.append(f'<text x="{number(x + 8)}" y="{number(y - 6)}">{names}</text>')
    return drawing(PLANE, PLANE, f"Tokens, hull and dominance cells at t = {t}",
                   f'<rect class="frame" width="{PLANE}" height="{PLANE}"/>' + "".join(parts))


def _places(found: Film) -> Callable[[tuple[Fraction, Fraction]], tuple[float, float]]:
    """Where a point is drawn; floats will do, for a pixel is coarse beside them."""
    left, bottom, right, top = (as_float(edge) for edge in found.view)
    if not all(0 < side < float("inf") for side in (right - left, top - bottom)):
        return lambda point: (as_float((point[0] - found.view[0]) / (found.view[2] - found.view[0])) * PLANE,
                              PLANE - as_float((point[1] - found.view[1]) / (found.view[3] - found.view[1])) * PLANE)

    def at(point: tuple[Fraction, Fraction]) -> tuple[float, float]:
        return ((as_float(point[0]) - left) / (right - left) * PLANE,
                PLANE - (as_float(point[1]) - bottom) / (top - bottom) * PLANE)

    return at


def _cells(frame: Frame, at: Any) -> str:
    found = []
    for token, polygon in frame.cells:
        spots = [at(corner) for corner in polygon]
        text = " ".join(f"{number(x)},{number(y)}" for x, y in spots)
        x, y = (sum(p[k] for p in spots) / len(spots) for k in range(2))
        found.append(f'<polygon class="cell c{token % 7}" points="{text}"/>')
        if all(max(p[k] for p in spots) - min(p[k] for p in spots) >= LABEL[k] for k in range(2)):
            x = min(max(x, 36.0), PLANE - 36.0)
            found.append(f'<text class="cell" x="{number(x)}" y="{number(y)}">cell of {token}</text>')
    return "".join(found)


def _hull(frame: Frame, at: Any) -> str:
    spots = " ".join(",".join(map(number, at(frame.points[k]))) for k in frame.hull)
    return f'<polygon class="hull" points="{spots}"/>'


@lru_cache(maxsize=KEPT)
def film_data(found: Film) -> str:
    """What the slider needs, as JSON: exact coordinates as text, corners of cells where they are drawn, leaders.

    A frame says only what is new since the one before, for most tokens soon rest: x, p, l and c by token (c null where
    a cell is gone), h whole.
    """
    places = _places(found)

    def at(point: tuple[Fraction, Fraction]) -> list[float]:
        x, y = places(point)
        return [round(x, 1), round(y, 1)]

    before: dict[str, Any] = {"x": {}, "p": {}, "l": {}, "c": {}, "h": None}
    frames = []
    last: Frame | None = None
    for frame in found.frames:
        resting = [last is not None and last.points[i] == point for i, point in enumerate(frame.points)]
        now: dict[str, Any] = {
            "x": {str(i): before["x"][str(i)] if resting[i] else [_label(p), _label(q)]
                  for i, (p, q) in enumerate(frame.points)},
            "p": {str(i): before["p"][str(i)] if resting[i] else at(point) for i, point in enumerate(frame.points)},
            "l": {str(i): chosen for i, chosen in enumerate(frame.leaders)},
            "c": before["c"] if last is not None and last.cells is frame.cells else
            {str(token): [at(corner) for corner in polygon] for token, polygon in frame.cells}, "h": frame.hull}
        news = {key: _new(before[key], now[key]) if key != "h" else now[key] for key in now if before[key] != now[key]}
        frames.append(news)
        before, last = now, frame
    return json.dumps({"size": PLANE, "origin": at((Fraction(0), Fraction(0))), "frames": frames})


def _new(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    changed = {key: value for key, value in now.items() if before.get(key) != value}
    return {**changed, **dict.fromkeys(key for key in before if key not in now)}


def _label(value: Fraction) -> str:
    """An exact coordinate for the slider's table, its middle left out where it is long."""
    text = str(value)
    return text if len(text) <= LONGEST_LABEL else f"{text[:16]}...{text[-8:]} ({len(text)} characters)"
