"""Shapes and parameters drawn at random: structured families, from few tokens on a line to outliers and clusters."""
from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, isqrt, pi, sin

import numpy as np
from numpy.typing import NDArray

from .recipes import MatrixRecipe, Recipe
from .shapes import Decoder, MatrixShape, Shape

Integers = NDArray[np.int64]
FALLING = ("1/(t + 1)", "(t + 2)/(2*t + 2)", "(t + 10)/(t + 5)", "(t + 3)/(t + 1)")  # geometric ones are slow to decide
RISING = ("(t + 1)/(t + 2)", "t + 1", "(2*t + 1)/(t + 1)")
FAMILIES = ("grid", "line", "cluster", "outlier", "polygon", "simplex", "near-tie", "axis", "tiny", "orbit")
LOOSELY = 0.3  # of the shapes, where something is said of some times only
FAR, LARGEST_REACH = 40, 1 << 40
INTERVALS = 8  # coordinates of a box: signs are read at all its corners
HOLDS = (1, 1, 1, 2, 3, 5, 9)  # steps before the first change of a list of matrices


@dataclass(frozen=True)
class Sizes:
    """How many tokens, in which dimensions."""

    tokens: tuple[int, int] = (1, 6)
    dimensions: tuple[int, int] = (1, 3)


def draw_shape(recipe: Recipe, sizes: Sizes, rng: np.random.Generator, small: bool, tiny: bool = False) -> Shape:
    """A shape; `small` ones are for finding simple examples, `tiny` ones for finding the simplest."""
    n = _size(*sizes.tokens, rng, sizes.tokens[1] if tiny else 2 if small else 3)
    d = _size(*sizes.dimensions, rng, sizes.dimensions[1] if tiny else 1 if small else 2)
    if recipe.box:
        placement = "free"
        n = min(n, max(sizes.tokens[0], INTERVALS // d))
    elif recipe.quadric is not None and not ((recipe.quadric.partial or recipe.centred) and rng.random() < 0.5):
        placement = "quadric"
        n = max(n, min(2, sizes.tokens[1])) if recipe.origin else n  # one point of a sphere does not hold the centre
    elif recipe.centred:
        placement = "centred"
    elif recipe.origin:
        placement = str(rng.choice(["minus", "minus", "translate", "zero"]))
    else:
        placement = str(rng.choice(["free", "free", "minus", "translate", "far", "far"]))
    step = ""
    if recipe.steps:
        step = recipe.steps[min(int(rng.geometric(0.7 if tiny else 0.3)) - 1, len(recipe.steps) - 1)]
    loose = bool(recipe.loose) and rng.random() < LOOSELY
    holds = (*HOLDS, *(hold for moment in recipe.moments for hold in (moment, moment + 1) if hold))
    matrices = tuple((name, draw_matrix(known, d, rng, small or tiny, holds)) for name, known in (
        recipe.loose if loose else recipe.matrices).items())
    matrices = tuple((name, replace(form, kind="scale", terms=1, scale=step) if recipe.matrices[name].follows_step
                      else form) for name, form in matrices)
    reach = int(rng.choice([1, 2] if tiny else [2, 4] if small else [4, 8, 20]))
    if recipe.largest > FAR and not tiny and rng.random() < 0.2:  # numbers as large as those of the claim
        reach = int(rng.choice([isqrt(recipe.largest) + 1, min(2 * recipe.largest, LARGEST_REACH)]))
    if placement == "far":  # small against its offset
        reach = min(reach, 4) // 2
    return Shape(n, d, placement, matrices, step, reach, int(rng.integers(1, 5)), loose)


def _size(low: int, high: int, rng: np.random.Generator, wanted: int) -> int:
    """A size around `wanted`, within the bounds, any of them possible."""
    if rng.random() < 0.3:
        return int(rng.integers(low, high + 1))
    return int(np.clip(wanted + rng.integers(-1, 2), low, high))


def draw_matrix(known: MatrixRecipe, d: int, rng: np.random.Generator, small: bool,
                holds: tuple[int, ...] = HOLDS) -> MatrixShape:
    if known.ratio is not None:
        style = str(rng.choice(["identity", "diagonal", "full"]))
        return MatrixShape("scale", style, 1, d, 1, f"({known.ratio})^t" if known.ratio >= 0 else "")
    kinds = ["fixed"] * (3 if small else 2)
    if known.timed and known.trend != "constant" and known.identity is None and not known.zero:
        kinds += ["list", "list", "scale"] if known.trend != "free" or known.sign else ["list", "scale"]
        kinds += ["cycle"] if known.trend == "free" else []
    if known.cap is not None:  # a multiple that grows would exceed it
        kinds = [kind for kind in kinds if kind != "scale"]
    kind = str(rng.choice(kinds))
    style = str(rng.choice(["identity", "diagonal", "full", *(["drop", "drop"] if kind == "list" else [])]))
    terms = int(rng.integers(2, 5)) if kind in ("list", "cycle") else 1
    rank = d if not known.sign else int(rng.integers(1, d + 1))
    scale = ""
    if kind == "scale":
        shapes = {"down": FALLING, "up": RISING}.get(known.trend, FALLING + RISING)
        if known.trend != "free" and not known.sign:  # a multiple falls only if the matrix has a sign
            kind = "fixed"
        else:
            scale = str(rng.choice(shapes))
    return MatrixShape(kind, style, terms, rank, int(rng.choice(holds)) if kind == "list" else 1, scale)


def draw_rows(decoder: Decoder, count: int, rng: np.random.Generator) -> Integers:
    """Parameters of many candidates of one shape."""
    low, high = np.array(decoder.low, dtype=np.int64), np.array(decoder.high, dtype=np.int64)
    rows = rng.integers(low, high + 1, size=(count, decoder.size)) if decoder.size else np.zeros((count, 0), np.int64)
    place = decoder.slot("x")
    if decoder.recipe.system != "none":
        n, d = decoder.shape.n, decoder.shape.d
        for k, family in enumerate(rng.choice(FAMILIES, size=count)):
            rows[k, place] = tokens(str(family), n, d, decoder.shape.reach, rng).reshape(-1)
    for name, given in decoder.recipe.givens.items():
        if given[1] == "scalar":  # small whole numbers are the likely ones
            calm = rng.random(count) < 0.6
            rows[calm, decoder.slot(name)] //= 4
            rows[calm, decoder.slot(f"{name} digits")] = 0
            rows[rng.random(count) < 0.5, decoder.slot(f"{name} divisor")] = 1
    rows[rng.random(count) < 0.8, decoder.slot("divisor")] = 1
    for name in (*decoder.recipe.matrices, "weights"):  # small factors are the likely ones
        slot = decoder.slot(name)
        calm = rng.random(count) < 0.5
        rows[calm, slot] = np.clip(rows[calm, slot], 0 if name == "weights" else -1, 1)
    if "offset" in decoder:  # along the diagonal permutations of coordinates keep the norm
        slot, even = decoder.slot("offset"), rng.random(count) < 0.5
        rows[even, slot] = rows[even, slot.start][:, None]
    return np.clip(rows, low, high)


def tokens(family: str, n: int, d: int, reach: int, rng: np.random.Generator) -> Integers:
    """Integer tokens of one structured family."""
    grid: Integers = rng.integers(-reach, reach + 1, size=(n, d))
    if family == "tiny":
        return np.clip(grid, -1, 1)
    if family == "orbit":  # of one norm, so that they do not follow one leader at once
        return np.array([np.roll(grid[0], k) for k in range(n)], dtype=np.int64)
    if family == "line":
        return np.outer(grid[:, 0], rng.integers(-1, 2, size=d))
    if family == "axis":
        found = np.zeros((n, d), np.int64)
        found[np.arange(n), rng.integers(0, d, size=n)] = grid[:, 0]
        return found
    if family == "cluster":
        centres = rng.integers(-reach, reach + 1, size=(2, d))
        return np.asarray(centres[rng.integers(0, 2, size=n)] + rng.integers(-1, 2, size=(n, d)), dtype=np.int64)
    if family == "outlier":
        found = np.clip(grid, -max(1, reach // 4), max(1, reach // 4))
        found[0] = grid[0] + np.sign(grid[0]) * reach
        return found
    if family == "polygon" and d > 1:
        turn = rng.random()
        corners = [(cos(2 * pi * (k / n + turn)), sin(2 * pi * (k / n + turn))) for k in range(n)]
        grid[:, :2] = np.rint(np.array(corners) * reach).astype(np.int64)
        grid[:, 2:] //= 4
        return grid
    if family == "simplex":
        found = np.zeros((n, d), np.int64)
        for k in range(min(n, d)):
            found[k, k] = abs(int(grid[k, k])) + 1
        found[d:] = -np.abs(grid[d:])
        return found
    if family == "near-tie" and n > 1:
        grid[1] = -grid[0] if rng.random() < 0.5 else grid[0]
        grid[1, int(rng.integers(0, d))] += int(rng.integers(-1, 2))
        return grid
    return grid


def mutated(decoder: Decoder, row: Integers, count: int, rng: np.random.Generator) -> Integers:
    """Neighbours of one candidate; the first is the candidate itself."""
    rows = np.repeat(row[None, :], count, axis=0)
    change = rng.integers(-2, 3, size=rows.shape) * (rng.random(rows.shape) < 0.3)
    change[0] = 0
    found: Integers = np.clip(rows + change, decoder.low, decoder.high)
    return found
