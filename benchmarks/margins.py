"""Trajectory-steps a second of the margin search on one core: 6 tokens in dimension 3, the assertion of thm-3.1.

One trajectory-step is one step of one instance with the margin of the assertion at that time, read from the tree.
Run: python benchmarks/margins.py
"""
from __future__ import annotations

import os
import platform
import statistics
import sys
import time
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ[variable] = "1"
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np  # noqa: E402

import certify  # noqa: E402
from certify.statements.margins import Batch, compile_margin  # noqa: E402

TOKENS, DIMENSION, INSTANCES, HORIZON, RUNS = 6, 3, 8192, 200, 5
TARGET = 2_000_000


def rates(batch: Batch) -> list[float]:
    """Steps a second of each run, after one to warm up."""
    margin = compile_margin(certify.load("fw25v1/thm-3.1").tree)
    found = []
    for run in range(RUNS + 1):
        begin = time.perf_counter()
        margin.read(batch, HORIZON)
        if run:
            found.append(INSTANCES * (HORIZON + 1) / (time.perf_counter() - begin))
    return found


def main() -> None:
    generator = np.random.default_rng(1)
    x = generator.normal(size=(INSTANCES, TOKENS, DIMENSION))
    root = generator.normal(size=(INSTANCES, DIMENSION, DIMENSION))
    own = -root @ root.transpose(0, 2, 1)

    def step_size(t: int) -> float:
        return 2.0 / (t + 2)

    def decaying(t: int) -> Any:
        return own[0] * (1.0 / (t + 1))

    print(f"python {platform.python_version()}, numpy {np.__version__}, one core; n = {TOKENS}, d = {DIMENSION}, "
          f"{INSTANCES} instances, {HORIZON + 1} steps, median of {RUNS} runs")
    for what, matrix in (("B of each instance", own), ("one B for all", own[0]), ("one B[t] for all", decaying)):
        found = rates(Batch(x, matrix, step_size))
        middle = statistics.median(found)
        print(f"{what:<20}{middle:>14,.0f} steps/s   {min(found):,.0f} to {max(found):,.0f}   "
              f"{middle / TARGET:.1f} times the target of {TARGET:,}")


if __name__ == "__main__":
    main()
