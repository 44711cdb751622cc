"""A small drawing board: axes with ticks, curves and marks as SVG that follows the page's colours.

No style attribute is written (the page's security policy forbids them): colours are classes, `c0` to `c6`, and every
curve has a dash and a mark of its own, so that no reader depends on colour.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from math import ceil, floor, isfinite, log10

DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "1 2", "12 4")
SHADES = 7
WIDTH, HEIGHT = 520, 300
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 14, 42
KEYS_A_ROW = 3


def number(value: float) -> str:
    """A coordinate, short."""
    return f"{value:.1f}".removesuffix(".0") if isfinite(value) else "0"


def label(value: float) -> str:
    """A tick."""
    if value == 0:
        return "0"
    if 1e-3 <= abs(value) < 1e5:
        return f"{value:.6g}"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa.removesuffix('.0')}e{int(exponent)}"


@dataclass
class Axis:
    """One axis: the range of values, and whether it is logarithmic."""

    low: float
    high: float
    log: bool = False

    def place(self, value: float) -> float:
        """Position in [0, 1]."""
        if self.log:
            return (log10(value) - log10(self.low)) / (log10(self.high) - log10(self.low))
        return (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        if self.log:
            first, last = ceil(log10(self.low) - 1e-9), floor(log10(self.high) + 1e-9)
            step = max(1, (last - first) // 5 + (1 if (last - first) % 5 else 0))
            if last - first >= 2:
                return [10.0**k for k in range(first, last + 1, step)]
            return [m * 10.0**k for k in range(first - 1, last + 1) for m in (1, 2, 5)
                    if self.low <= m * 10.0**k <= self.high]
        rough = (self.high - self.low) / 5
        unit = 10.0 ** floor(log10(rough))
        step_size = next(m * unit for m in (1, 2, 5, 10) if m * unit >= rough)
        first = ceil(self.low / step_size - 1e-9)
        return [k * step_size for k in range(first, floor(self.high / step_size + 1e-9) + 1)]


def spanning(values: Iterable[float | None], log: bool = False) -> Axis | None:
    """An axis that holds some values, with a little room."""
    kept = [v for v in values if v is not None and isfinite(v) and (v > 0 or not log)]
    if not kept:
        return None
    low, high = min(kept), max(kept)
    if log:
        return Axis(low / 1.6, high * 1.6, True)
    room = (high - low) * 0.06 or abs(high) * 0.1 or 1.0
    return Axis(low - room, high + room)


@dataclass
class Board:
    """Axes and what was drawn on them so far."""

    across: Axis
    up: Axis
    title: str
    x_label: str = "t"
    y_label: str = ""
    width: int = WIDTH
    height: int = HEIGHT
    parts: list[str] = field(default_factory=list)
    keys: list[tuple[str, str]] = field(default_factory=list)

    def x(self, value: float) -> float:
        return LEFT + self.across.place(value) * (self.width - LEFT - RIGHT)

    def y(self, value: float) -> float:
        return self.height - BOTTOM - self.up.place(value) * (self.height - TOP - BOTTOM)

    def curve(self, xs: Sequence[float], ys: Sequence[float | None], shade: int, name: str = "",
              marks: bool = False) -> None:
        """A curve, broken where a value is missing or cannot be shown on a logarithmic axis."""
        runs: list[list[str]] = [[]]
        for x, y in zip(xs, ys, strict=True):
            shown = y is not None and isfinite(y) and (y > 0 or not self.up.log) and (x > 0 or not self.across.log)
            if not shown or y is None:
                runs.append([])
                continue
            runs[-1].append(f"{number(self.x(x))},{number(self.y(y))}")
        dash = f' stroke-dasharray="{DASHES[shade % SHADES]}"' if DASHES[shade % SHADES] else ""
        for run in runs:
            if len(run) > 1:
                self.parts.append(f'<polyline class="line c{shade % SHADES}" points="{" ".join(run)}"{dash}/>')
            elif run and not marks:
                x, y = map(float, run[0].split(","))
                self.parts.append(self.mark(x, y, shade))
        if marks:
            dots = "".join("M" + spot.replace(",", " ") + "h0" for run in runs for spot in run)
            self.parts.append(f'<path class="dots c{shade % SHADES}" d="{dots}"/>')
        if name:
            self.keys.append((name, f"c{shade % SHADES}"))

    def mark(self, x: float, y: float, shade: int, size: float = 2.6) -> str:
        return marker(x, y, shade, size)

    def moment(self, value: float, words: str) -> None:
        """A vertical line at a moment that matters."""
        x = self.x(value)
        end = x > self.width * 0.6
        self.parts.append(f'<line class="moment" x1="{number(x)}" x2="{number(x)}" y1="{TOP}" '
                          f'y2="{self.height - BOTTOM}"/>')
        self.parts.append(f'<text class="moment" x="{number(x + (-5 if end else 5))}" y="{TOP + 12}" '
                          f'text-anchor="{"end" if end else "start"}">{escape(words)}</text>')

    def svg(self) -> str:
        rows = -(-len(self.keys) // KEYS_A_ROW)
        frame = f'<rect class="frame" x="{LEFT}" y="{TOP}" width="{self.width - LEFT - RIGHT}" ' \
                f'height="{self.height - TOP - BOTTOM}"/>'
        inside = self._ticks() + frame + "".join(self.parts) + self._key()
        return drawing(self.width, self.height + 17 * rows, self.title, inside)

    def _ticks(self) -> str:
        found = []
        low, bottom = LEFT, self.height - BOTTOM
        for value in self.across.ticks():
            x = number(self.x(value))
            found.append(f'<line class="grid" x1="{x}" x2="{x}" y1="{TOP}" y2="{bottom}"/>'
                         f'<text x="{x}" y="{bottom + 15}" text-anchor="middle">{label(value)}</text>')
        for value in self.up.ticks():
            y = number(self.y(value))
            found.append(f'<line class="grid" x1="{low}" x2="{self.width - RIGHT}" y1="{y}" y2="{y}"/>'
                         f'<text x="{low - 6}" y="{number(float(y) + 4)}" text-anchor="end">{label(value)}</text>')
        found.append(f'<text x="{(LEFT + self.width - RIGHT) / 2}" y="{self.height - 8}" text-anchor="middle">'
                     f'{escape(self.x_label)}</text>')
        if self.y_label:
            middle = (TOP + bottom) / 2
            found.append(f'<text x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">'
                         f'{escape(self.y_label)}</text>')
        return "".join(found)

    def _key(self) -> str:
        found = []
        for k, (name, shade) in enumerate(self.keys):
            y = self.height + 6 + 17 * (k // KEYS_A_ROW)
            x = LEFT - 40 + 166 * (k % KEYS_A_ROW)
            dash = DASHES[int(shade[1:])]
            pattern = f' stroke-dasharray="{dash}"' if dash else ""
            found.append(f'<line class="line {shade}" x1="{x}" x2="{x + 24}" y1="{y}" y2="{y}"{pattern}/>'
                         f'<text x="{x + 30}" y="{y + 4}">{escape(name)}</text>')
        return "".join(found)


def drawing(width: int, height: int, title: str, inside: str, extra: str = "") -> str:
    """An <svg> with a name for those who do not see it."""
    return (f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}"{extra}>'
            f"<title>{escape(title)}</title>{inside}</svg>")


def marker(x: float, y: float, shade: int, size: float) -> str:
    """A mark whose form tells tokens apart: circle, square, triangle, diamond."""
    kind, own = shade % 4, f"mark c{shade % SHADES}"
    a, b, s = number(x), number(y), size
    if kind == 0:
        return f'<circle class="{own}" cx="{a}" cy="{b}" r="{number(s)}"/>'
    corners: Callable[[], list[tuple[float, float]]] = {
        1: lambda: [(x - s, y - s), (x + s, y - s), (x + s, y + s), (x - s, y + s)],
        2: lambda: [(x, y - 1.3 * s), (x + 1.2 * s, y + s), (x - 1.2 * s, y + s)],
        3: lambda: [(x, y - 1.4 * s), (x + 1.4 * s, y), (x, y + 1.4 * s), (x - 1.4 * s, y)]}[kind]
    return f'<polygon class="{own}" points="{" ".join(f"{number(p)},{number(q)}" for p, q in corners())}"/>'
