"""Certificates of positive definiteness: found, verified, and side by side with sympy.

Matrices are G G'/d + s I rounded to floats, so that entries have 53 bits; none is diagonally dominant, so that a factor
must be found and checked. Seconds are of the processor.
"""
from __future__ import annotations

import json
import multiprocessing
import platform
from statistics import median
from time import process_time

import flint
import numpy as np
import sympy
from flint import fmpq

from certify.numbers.definite import pd_witness
from certify.numbers.rationals import matrix as read_matrix
from certify.numbers.rationals import text
from certify.verifier.exact import Rat
from certify.verifier.theories import psd

SEED = 1
PATIENCE = 60.0  # seconds for sympy


def definite(size: int, shift: float) -> np.ndarray:
    rng = np.random.default_rng(SEED)
    root = rng.standard_normal((size, size))
    product = root @ root.T / size
    return (product + product.T) / 2 + shift * np.eye(size)


def found(entries: list[list[fmpq]], runs: int) -> tuple[float, dict[str, object]]:
    times = []
    for _ in range(runs):
        start = process_time()
        answer, witness = pd_witness(entries)
        times.append(process_time() - start)
    assert answer
    return median(times), witness


def verified(entries: list[list[fmpq]], witness: dict[str, object], runs: int) -> float:
    """Seconds to check the witness, from the strings a certificate carries."""
    written = [[text(entry) for entry in row] for row in entries]
    times = []
    for _ in range(runs):
        start = process_time()
        exact = [[Rat.parse(entry) for entry in row] for row in written]
        assert psd.check("pd", [exact], True, witness)
        times.append(process_time() - start)
    return median(times)


def _sympy_answer(values: list[list[str]], channel: multiprocessing.queues.Queue[float]) -> None:
    exact = sympy.Matrix([[sympy.Rational(entry) for entry in row] for row in values])
    start = process_time()
    assert exact.is_positive_definite
    channel.put(process_time() - start)


def by_sympy(entries: list[list[fmpq]]) -> float | None:
    """Seconds of sympy's is_positive_definite, None if it takes longer than PATIENCE."""
    context = multiprocessing.get_context("spawn")
    channel = context.Queue()
    worker = context.Process(target=_sympy_answer, args=([[text(entry) for entry in row] for row in entries], channel))
    worker.start()
    worker.join(PATIENCE + 5)  # reading the matrix and starting take some seconds too
    if worker.is_alive():
        worker.terminate()
        worker.join()
        return None
    return float(channel.get())


def report(name: str, value: float, target: float, more: bool, unit: str) -> None:
    met = value >= target if more else value <= target
    print(f"  {name}: {value:.3g}{unit} (target: {'at least' if more else 'at most'} {target:g}{unit}, "
          f"{'met' if met else 'MISSED'})", flush=True)


def main() -> None:
    print(f"Python {platform.python_version()}, python-flint {flint.__version__}, FLINT {flint.__FLINT_VERSION__}, "
          f"numpy {np.__version__}, sympy {sympy.__version__}, {platform.machine()}; processor time")
    for size, shift in ((100, 0.5), (100, 0.01)):
        values = definite(size, shift)
        entries = read_matrix(values)
        seconds, witness = found(entries, 5)
        smallest = float(np.linalg.eigvalsh(values)[0])
        print(f"d = {size}, smallest eigenvalue about {smallest:.3g}: witness of {len(json.dumps(witness))} characters")
        report("produced (median of 5)", seconds, 0.5, False, " s")
        report("verified (median of 3)", verified(entries, witness, 3), 3, False, " s")
    for size in (10, 20):
        entries = read_matrix(definite(size, 0.01))
        seconds, witness = found(entries, 15)
        print(f"d = {size}: produced in {seconds:.5f} s (median of 15), verified in "
              f"{verified(entries, witness, 5):.5f} s (median of 5)")
        theirs = by_sympy(entries)
        if theirs is None:
            print(f"  sympy is_positive_definite: no answer after {PATIENCE:.0f} s; the ratio is a lower bound")
        else:
            print(f"  sympy is_positive_definite: {theirs:.3f} s in one run (it eliminates without dividing)")
        if size == 20:
            report("sympy / produced", (theirs or PATIENCE) / seconds, 100, True, "")
        elif theirs is not None:
            print(f"  sympy / produced: {theirs / seconds:.3g}")


if __name__ == "__main__":
    main()
