"""Local improvement of candidates: SciPy's differential evolution over integer parameters, or our own mutations.

The objective is the least margin to a horizon. Once a violation at t is known the horizon becomes t - 1, so that the
next round asks for an earlier one.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .scoring import Scorer, Scores
from .shapes import Decoder

WORK = 500_000  # instance-steps that one round may take
POPULATION = 192
ROUNDS = 3
SHORT = 16


def improve(scorer: Scorer, decoder: Decoder, rows: NDArray[Any], horizon: int, objective: str, target: int | None,
            rng: np.random.Generator) -> Iterator[tuple[NDArray[Any], Scores, int]]:
    """Improved rows with their scores and how many evaluations they took, a round after the other."""
    if decoder.size == 0:
        return
    limit = horizon if target is None or objective != "earliest" else min(horizon, max(target - 1, 0))
    if objective == "simplest" and rng.random() < 0.5:  # many more generations for violations that come early
        limit = min(limit, SHORT)
    for _ in range(ROUNDS if objective == "earliest" else 1):
        generations = max(4, min(50, WORK // (POPULATION * (limit + 2))))
        rows, spent = evolved(scorer, decoder, rows, limit, generations, rng)
        scores = scorer.read(decoder, rows, horizon)
        yield rows, scores, spent
        if objective == "earliest" and scores.violated.any():
            limit = max(0, min(limit, int(scores.first[scores.violated].min())) - 1)


def evolved(scorer: Scorer, decoder: Decoder, rows: NDArray[Any], horizon: int, generations: int,
            rng: np.random.Generator) -> tuple[NDArray[Any], int]:
    """The final population, best first, and the number of evaluations."""
    value = scorer.read(decoder, rows, horizon).value
    start = rows[np.argsort(value, kind="stable")[:POPULATION]]
    low, high = np.array(decoder.low), np.array(decoder.high)
    spent = len(rows)

    def score(columns: NDArray[Any]) -> NDArray[np.float64]:
        nonlocal spent
        points = np.rint(np.atleast_2d(columns.T))
        spent += len(points)
        found = scorer.read(decoder, points, horizon).value
        return found if columns.ndim > 1 else found[0]

    try:
        from scipy.optimize import differential_evolution
    except ImportError:
        return _mutations(score, start, low, high, generations, rng), spent
    found = differential_evolution(score, list(zip(low, high, strict=True)), maxiter=generations,
                                   init=_filled(start, rng, low, high), integrality=np.ones(len(low), dtype=bool),
                                   vectorized=True, updating="deferred", polish=False, tol=0.0,
                                   rng=np.random.default_rng(rng.integers(1 << 62)),
                                   mutation=(0.4, 0.9), recombination=0.6)
    order = np.argsort(found.population_energies, kind="stable")
    return np.rint(found.population[order]).astype(np.int64), spent


def _filled(rows: NDArray[Any], rng: np.random.Generator, low: NDArray[Any], high: NDArray[Any]) -> NDArray[Any]:
    """Rows enough for a population."""
    if len(rows) >= 8:
        return rows.astype(np.float64)
    extra = rng.integers(low, high + 1, size=(8 - len(rows), rows.shape[1]))
    return np.vstack([rows, extra]).astype(np.float64)


def _mutations(score: Any, rows: NDArray[Any], low: NDArray[Any], high: NDArray[Any], generations: int,
               rng: np.random.Generator) -> NDArray[Any]:
    """Without SciPy: keep the better of each row and a mutation of it."""
    energy = score(rows.T)
    for _ in range(generations):
        change = rng.integers(-2, 3, size=rows.shape) * (rng.random(rows.shape) < 0.3)
        trial = np.clip(rows + change, low, high)
        found = score(trial.T)
        better = found < energy
        rows, energy = np.where(better[:, None], trial, rows), np.where(better, found, energy)
    return rows[np.argsort(energy, kind="stable")]
