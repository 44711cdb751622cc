"""Candidates as vectors of small integers: a shape says what they mean, and decoding keeps the assumptions exact.

One decoder serves both readings: on floats it makes a batch for the margins, on fractions the exact instance. So what
the search has seen is, up to rounding, what is certified.
"""
from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..instances import Instance, read_instance
from ..statements.margins import Batch
from ..statements.parse import parse_expression
from ..verifier.exact import Rat
from ..verifier.schedules import expression
from .recipes import MatrixRecipe, Recipe
from .steps import step_file

Rows = NDArray[Any]  # (N, m): integers as floats, or fractions
LARGEST_FACTOR, LARGEST_WEIGHT, LARGEST_SCALAR, LARGEST_OFFSET, LARGEST_DIVISOR = 3, 4, 24, 16, 6
DIVIDED = ("free", "zero", "centred")  # placements of tokens with a common divisor


@dataclass(frozen=True)
class MatrixShape:
    """The form of one matrix: constant, scaled by a schedule, or a list of sums of squares F F'."""

    kind: str = "fixed"  # fixed, scale, list, cycle
    style: str = "full"  # identity, diagonal, full, drop (projections, of lower and lower rank)
    terms: int = 1
    rank: int = 1
    hold: int = 1  # for how many steps each matrix of a list stays
    scale: str = ""


@dataclass(frozen=True)
class Shape:
    """The discrete part of a candidate."""

    n: int
    d: int
    placement: str  # free, minus, zero, translate, quadric, far, centred
    matrices: tuple[tuple[str, MatrixShape], ...]
    step: str = ""
    reach: int = 8
    points: int = 3  # in a given cloud
    loose: bool = False  # what is said of some times only is left to rejection

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "matrices": [[name, asdict(form)] for name, form in self.matrices]}

    @staticmethod
    def from_json(found: dict[str, Any]) -> Shape:
        matrices = tuple((name, MatrixShape(**form)) for name, form in found["matrices"])
        return Shape(**{**found, "matrices": matrices})


class Decoder:
    """From parameters of one shape to data."""

    def __init__(self, recipe: Recipe, shape: Shape) -> None:
        self.recipe, self.shape = recipe, shape
        self.known = recipe.loose if shape.loose and recipe.loose else recipe.matrices
        self._places: dict[str, tuple[int, tuple[int, ...]]] = {}
        self.low: list[int] = []
        self.high: list[int] = []
        n, d, reach = shape.n, shape.d, shape.reach
        if recipe.system != "none":
            self._reserve("x", (n, d), -reach, reach)
            if shape.placement in DIVIDED and not recipe.box:
                self._reserve("divisor", (), 1, LARGEST_DIVISOR)
            if shape.placement in ("minus", "translate"):
                self._reserve("weights", (n,), 0, LARGEST_WEIGHT)
            if shape.placement == "far":
                self._reserve("offset", (d,), -LARGEST_OFFSET, LARGEST_OFFSET)
            if shape.placement == "quadric":
                self._reserve("base", (d,), -reach, reach)
        for name, form in shape.matrices:
            size = {"identity": (), "diagonal": (form.terms, d), "drop": (d,),
                    "full": (form.terms, d, form.rank)}[form.style]
            if size and not self.known[name].zero and self.known[name].identity is None:
                self._reserve(name, size, -LARGEST_FACTOR, LARGEST_FACTOR)
        for name, given in recipe.givens.items():
            if given[1] != "matrix":
                sizes: dict[str, tuple[int, ...]] = {"scalar": (1,), "vector": (d,), "cloud": (shape.points, d)}
                limit = LARGEST_SCALAR if given[1] == "scalar" else reach
                self._reserve(name, sizes[given[1]], -limit, limit)
                if given[1] == "scalar":
                    self._reserve(f"{name} divisor", (), 1, LARGEST_DIVISOR)
                    self._reserve(f"{name} digits", (), 0, len(str(recipe.largest)))
        self.size = len(self.low)

    def _reserve(self, name: str, size: tuple[int, ...], low: int, high: int) -> None:
        self._places[name] = (len(self.low), size)
        count = int(np.prod(size))
        self.low += [low] * count
        self.high += [high] * count

    def __contains__(self, name: str) -> bool:
        """Whether a symbol has parameters."""
        return name in self._places

    def slot(self, name: str) -> slice:
        """Where the parameters of a symbol lie."""
        start, size = self._places.get(name, (0, (0,)))
        return slice(start, start + int(np.prod(size)))

    def _part(self, rows: Rows, name: str) -> Rows:
        _, size = self._places[name]
        return rows[:, self.slot(name)].reshape(len(rows), *size)

    # ---- decoding, over floats or fractions alike

    def decode(self, rows: Rows) -> tuple[Rows | None, dict[str, list[Rows]], dict[str, Rows]]:
        """Tokens (N, n, d), the matrices of each symbol (N, d, d) one after the other, and the givens."""
        matrices = {name: self._matrices(rows, name, form) for name, form in self.shape.matrices}
        givens = {name: self._given(rows, name, given) for name, given in self.recipe.givens.items()
                  if given[1] != "matrix"}
        tokens = None
        if self.recipe.system != "none":
            tokens = self._tokens(rows, matrices, givens)
        return tokens, matrices, givens

    def _eye(self, rows: Rows) -> Rows:
        eye = np.zeros((len(rows), self.shape.d, self.shape.d), dtype=rows.dtype)
        if rows.dtype == object:
            eye = eye + Fraction(0)
        for a in range(self.shape.d):
            eye[:, a, a] = eye[:, a, a] + 1
        return eye

    def _matrices(self, rows: Rows, name: str, form: MatrixShape) -> list[Rows]:
        known: MatrixRecipe = self.known[name]
        eye = self._eye(rows)
        if known.zero or known.identity is not None:
            factor = known.identity or Fraction(0)
            return [eye * (factor if rows.dtype == object else float(factor))]
        if form.style == "identity":
            squares = [eye] * form.terms
        elif form.style == "drop":  # |part| says with which term a coordinate goes
            leaves = np.minimum(np.abs(self._part(rows, name)), form.terms - 1)
            squares = [eye * (leaves == k)[:, :, None] for k in range(form.terms)]
        elif form.style == "diagonal":
            part = self._part(rows, name)
            squares = [eye * part[:, k, :, None] ** (1 if self._unsigned(known, form, k) else 2)
                       for k in range(form.terms)]
        else:
            part = self._part(rows, name)
            squares = []
            for k in range(form.terms):
                root = part[:, k]
                if form.rank == self.shape.d and self._unsigned(known, form, k):
                    squares.append(root + root.swapaxes(1, 2) if known.symmetric else root)
                else:
                    squares.append(np.matmul(root, root.swapaxes(1, 2)))
        sums = self._sums(squares, known.trend)
        sign = known.sign or 1
        found = [sign * (total + eye if known.definite else total) for total in sums]
        if known.trace is not None:
            found = [self._traced(matrix, known, eye) for matrix in found]
        return found if known.cap is None or sign < 0 else self._below(found, known.cap, rows)

    @staticmethod
    def _traced(matrix: Rows, known: MatrixRecipe, eye: Rows) -> Rows:
        """With the trace that is asked for: scaled if the matrix has a sign, else one entry moved."""
        assert known.trace is not None
        goal: Any = known.trace if matrix.dtype == object else float(known.trace)
        trace = np.trace(matrix, axis1=1, axis2=2)[:, None, None]
        if known.sign:
            flat = trace == 0
            return np.asarray(np.where(flat, eye * (goal / eye.shape[1]), matrix * goal / np.where(flat, 1, trace)))
        first = np.zeros(eye.shape[1:], dtype=np.int64)
        first[0, 0] = 1
        return np.asarray(matrix + (goal - trace) * first)

    @staticmethod
    def _below(matrices: list[Rows], cap: Fraction, rows: Rows) -> list[Rows]:
        """Semidefinite matrices divided by one number that exceeds all their traces, hence their eigenvalues."""
        traces = [np.trace(matrix, axis1=1, axis2=2) for matrix in matrices]
        size = sum(traces[1:], start=traces[0]) + 1
        factor: Any = cap if rows.dtype == object else float(cap)
        return [matrix * factor / size[:, None, None] for matrix in matrices]

    @staticmethod
    def _unsigned(known: MatrixRecipe, form: MatrixShape, k: int) -> bool:
        """Whether the k-th term need not be semidefinite: there is no sign, and it is no increment."""
        base = form.terms - 1 if known.trend == "down" else 0
        return not known.sign and known.cap is None and (known.trend == "free" or k == base)

    @staticmethod
    def _sums(squares: list[Rows], trend: str) -> list[Rows]:
        """Partial sums in the direction in which the sequence moves."""
        if trend not in ("down", "up"):
            return squares
        order = squares[::-1] if trend == "down" else squares
        sums = [order[0]]
        for square in order[1:]:
            sums.append(sums[-1] + square)
        return sums[::-1] if trend == "down" else sums

    def _given(self, rows: Rows, name: str, given: Any) -> Rows:
        part = self._part(rows, name)
        if given[1] != "scalar":
            return part
        divisor, digits = rows[:, self.slot(f"{name} divisor")][:, 0], rows[:, self.slot(f"{name} digits")][:, 0]
        ten: Any = Fraction(10) if rows.dtype == object else 10.0
        value: Rows = part[:, 0] / divisor * np.array([ten ** int(k) for k in digits])
        limits = self.recipe.ranges.get(name)
        if limits is None:
            return value
        number: Any = Fraction if rows.dtype == object else float
        if limits.low is not None and limits.high is not None:
            low, high = number(limits.low), number(limits.high)
            inside = int(limits.open_low or limits.open_high)
            share = (np.abs(part[:, 0]) + inside) / (number(LARGEST_SCALAR) + 2 * inside)
            return np.asarray(low + (high - low) * share)
        size = np.abs(value) + (number(Fraction(1, 2)) * (limits.open_low or limits.open_high)) * (value == 0)
        return np.asarray(number(limits.low) + size if limits.low is not None else number(limits.high or 0) - size)

    def _tokens(self, rows: Rows, matrices: dict[str, list[Rows]], givens: dict[str, Rows]) -> Rows:
        x, placement = self._part(rows, "x").copy(), self.shape.placement
        if self.recipe.box:  # the centres of intervals of length 2
            return x * 4
        if placement == "quadric":
            return self._on_quadric(rows, x, matrices, givens)
        if placement in DIVIDED:
            x = x / self._part(rows, "divisor")[:, None, None]
        if placement == "zero":
            x[:, -1] = x[:, -1] * 0
        elif placement == "minus" and self.shape.n > 1:
            weights = self._part(rows, "weights")
            x[:, -1] = -(x[:, :-1] * weights[:, :-1, None]).sum(axis=1)
        elif placement == "minus":
            x = x * 0
        elif placement == "centred":
            x[:, -1] = -x[:, :-1].sum(axis=1)
        elif placement == "far":
            x = x + self._part(rows, "offset")[:, None, :]
        elif placement == "translate":
            weights = self._part(rows, "weights") + 1
            x = x * weights.sum(axis=1)[:, None, None] - (x * weights[:, :, None]).sum(axis=1)[:, None, :]
        return x

    def _on_quadric(self, rows: Rows, x: Rows, matrices: dict[str, list[Rows]], givens: dict[str, Rows]) -> Rows:
        """Reflections of one point along the directions x_i: p - 2 <Mp, u>/<Mu, u> u has the same value of <Mp, p>."""
        quadric = self.recipe.quadric
        assert quadric is not None
        form = self._eye(rows) if quadric.matrix == "I" else matrices[quadric.matrix][0]
        base = self._part(rows, "base")
        if isinstance(quadric.value, Fraction):
            root = quadric.value / quadric.factor
            top, bottom = isqrt(abs(root.numerator)), isqrt(root.denominator)
            base = base * 0
            if rows.dtype == object:
                base[:, 0] = base[:, 0] + Fraction(top, bottom)
            else:
                base[:, 0] = top / bottom
        image = np.matmul(form, base[:, :, None])[:, :, 0]
        along = (image[:, None, :] * x).sum(axis=2)
        size = (np.matmul(x, form.swapaxes(1, 2)) * x).sum(axis=2)
        flat = size == 0
        size = np.where(flat, 1, size)
        points: Rows = base[:, None, :] - x * np.where(flat, 0, 2 * along / size)[:, :, None]
        if self.recipe.origin and self.shape.n > 1:
            points[:, -1] = -points[:, 0]
        if isinstance(quadric.value, str) and quadric.value in givens:
            value = (image * base).sum(axis=1)
            givens[quadric.value] = value * (quadric.factor if rows.dtype == object else float(quadric.factor))
        return points

    # ---- the two readings

    def batch(self, rows: NDArray[np.float64]) -> Batch:
        """The candidates in floats."""
        with np.errstate(all="ignore"):
            x, matrices, givens = self.decode(np.asarray(rows, dtype=np.float64))
        fixed = {name: found[0] for name, found in matrices.items() if name in self.recipe.givens}
        step: Any = None
        if self.shape.step:
            step = lambda t: step_at(self.shape.step, t)  # noqa: E731
        forms = dict(self.shape.matrices)
        B = _timed(matrices["B"], forms["B"]) if "B" in matrices else None
        return Batch(x, B, step, {**givens, **fixed})

    def instance(self, row: Any) -> Instance:
        """One candidate, exactly."""
        exact = np.array([[Fraction(int(value)) for value in row]], dtype=object).reshape(1, -1)
        x, matrices, givens = self.decode(exact)
        file: dict[str, Any] = {"system": self.recipe.system}
        if x is not None:
            file["x"] = _text(x[0]) if not self.recipe.box else _text(np.stack([x[0] - 1, x[0] + 1], axis=-1))
        if self.shape.step:
            file["g"] = step_file(self.shape.step)
        for name, form in self.shape.matrices:
            file[name] = _file_matrix([_text(found[0]) for found in matrices[name]], form)
        for name, value in givens.items():
            file[name] = _text(value[0])
        return read_instance(file)


def _file_matrix(found: list[Any], form: MatrixShape) -> Any:
    if form.kind == "scale":
        return {"scale": form.scale, "matrix": found[0]}
    if form.kind == "list" and len(found) > 1:
        return {"list": [matrix for matrix in found[:-1] for _ in range(form.hold)] + found[-1:]}
    if form.kind == "cycle" and len(found) > 1:
        return {"cycle": found}
    return found[0]


def _timed(found: list[Rows], form: MatrixShape) -> Any:
    if form.kind == "scale":
        return lambda t: found[0] * schedule(form.scale, t)
    if form.kind == "list" and len(found) > 1:
        return lambda t: found[min(t // form.hold, len(found) - 1)]
    if form.kind == "cycle" and len(found) > 1:
        return lambda t: found[t % len(found)]
    return found[0]


def _text(value: Any) -> Any:
    return [_text(entry) for entry in value] if isinstance(value, np.ndarray) else str(Fraction(value))


def step_at(step: str, t: int) -> float:
    """A step at one time, in floats."""
    found = step_file(step)
    if isinstance(found, dict):
        return schedule(found["cycle"][t % len(found["cycle"])], t)
    return schedule(found[min(t, len(found) - 1)] if isinstance(found, list) else found, t)


@lru_cache(maxsize=100_000)
def schedule(text: str, t: int) -> float:
    """A schedule at one time, in floats."""
    value = expression(_parsed(text), Rat(t))
    return float(Fraction(value.n, value.d))


@lru_cache
def _parsed(text: str) -> Any:
    return parse_expression(text, "schedule")
