"""Hull vertices and the linear oracle, side by side with PPL, cdd and numpy.

Coordinates are floats of 53 bits read as the rationals they are. Every point is decided with its certificate. PPL
solves one exact linear program a point, in the form that is faster for it (convex weights); cdd removes redundant
generators over GMP where pycddlib is installed. Peers decide all points too, once, and must agree on each. Seconds are
of the processor unless it says otherwise; `--plot FILE` draws time and memory against n.
"""
from __future__ import annotations

import argparse
import importlib.metadata
import math
import multiprocessing
import platform
import random
import resource
from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time
from typing import Any

import flint
import numpy as np
import ppl
from flint import fmpq

from certify.polytopes.points import LinearOracle
from certify.polytopes.vertices import Vertex, classify

SEED, RUNS = 1, 5
Points = list[list[fmpq]]


def exact(rows: Any) -> Points:
    return [[fmpq(*float(entry).as_integer_ratio()) for entry in row] for row in rows]


def uniform(n: int, d: int) -> list[list[float]]:
    rng = random.Random(SEED)
    return [[rng.random() for _ in range(d)] for _ in range(n)]


def noisy_grid(n: int, d: int) -> list[list[float]]:
    rng = random.Random(SEED)
    return [[math.nextafter(value, rng.choice((-math.inf, math.inf))) if rng.random() < 0.7 else value
             for value in (float(rng.randint(1, 3)) for _ in range(d))] for _ in range(n)]


def near_duplicates(n: int, d: int) -> list[list[float]]:
    rng = random.Random(SEED)
    rows = [[rng.random() for _ in range(d)] for _ in range(n // 2)]
    return rows + [[math.nextafter(v, rng.choice((0.0, 1.0))) for v in row] for row in rows]


def seconds(act: Callable[[], Any], runs: int = RUNS) -> float:
    times = []
    for _ in range(runs):
        start = process_time()
        act()
        times.append(process_time() - start)
    return median(times)


def ppl_seconds(rows: list[list[float]], expected: list[bool]) -> float:
    """The time of PPL for all points, one linear program each; its answers must agree."""
    whole = [[int(fmpq(*entry.as_integer_ratio()) * 2**53) for entry in row] for row in rows]
    taken = 0.0
    for k in range(len(rows)):
        others = [row for j, row in enumerate(whole) if j != k]
        start = process_time()
        system = ppl.Constraint_System()
        for j in range(len(others)):
            system.insert(ppl.Variable(j) >= 0)
        for i, entry in enumerate(whole[k]):
            system.insert(ppl.Linear_Expression([row[i] for row in others], 0) == entry)
        system.insert(ppl.Linear_Expression([1] * len(others), 0) == 1)
        outside = not ppl.MIP_Problem(len(others), system, 0 * ppl.Variable(0)).is_satisfiable()
        taken += process_time() - start
        assert outside is expected[k]
    return taken


def cdd_seconds(rows: list[list[float]], expected: list[bool]) -> float | None:
    """The time of cdd's exact removal of redundant generators; its answer must agree."""
    try:
        import cdd
        import cdd.gmp
    except ImportError:
        return None
    from fractions import Fraction
    generators = cdd.gmp.matrix_from_array([[1, *map(Fraction, row)] for row in rows],
                                           rep_type=cdd.RepType.GENERATOR)
    start = process_time()
    redundant = set(cdd.gmp.redundant_rows(generators))
    taken = process_time() - start
    assert [k not in redundant for k in range(len(rows))] == expected
    return taken


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "absent"


def verdict(met: bool) -> str:
    return "met" if met else "NOT MET"


def against_exact_peers() -> None:
    for n, d in ((200, 10), (500, 10)):
        rows = uniform(n, d)
        points = exact(rows)
        own = seconds(lambda points=points: classify(points))  # type: ignore[misc]
        expected = [isinstance(reason, Vertex) for reason in classify(points)]
        peer = ppl_seconds(rows, expected)
        print(f"vertices of ({n},{d}): {own:.3f} s, {sum(expected)} vertices; PPL {peer:.1f} s, "
              f"ratio {peer / own:.0f} (target 15: {verdict(peer >= 15 * own)})")
        other = cdd_seconds(rows, expected)
        if other is None:
            print("  cdd: pycddlib is not installed")
        else:
            print(f"  cdd {other:.1f} s, ratio {other / own:.0f} (target 5: {verdict(other >= 5 * own)})")


def one_ulp() -> None:
    base = exact(uniform(300, 6))
    plain = seconds(lambda: classify(base))
    for name, family in (("grid with noise of one ulp", noisy_grid), ("near-duplicates", near_duplicates)):
        points = exact(family(300, 6))
        own = seconds(lambda points=points: classify(points), 3)  # type: ignore[misc]
        print(f"(300,6) {name}: {own:.3f} s, uniform {plain:.3f} s, ratio {own / plain:.1f} "
              f"(target at most 30: {verdict(own <= 30 * plain)})")


def _sized(n: int, channel: Any) -> None:
    points = exact(uniform(n, 3))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, wall = process_time(), perf_counter()
    found = sum(isinstance(reason, Vertex) for reason in classify(points))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    channel.put((process_time() - start, perf_counter() - wall, after / 1024, (after - before) / 1024, found))


def growth(plot: str | None) -> None:
    """Time and peak memory in dimension 3, each size in a process of its own."""
    rows = []
    for n in (100, 300, 1000, 3000, 10000):
        context = multiprocessing.get_context("spawn")
        channel = context.Queue()
        worker = context.Process(target=_sized, args=(n, channel))
        worker.start()
        taken, wall, peak, grown, found = channel.get()
        worker.join()
        rows.append((n, taken, peak))
        target = f" (target 60 s: {verdict(wall < 60)})" if n == 10000 else ""
        print(f"({n},3): {taken:.2f} s of the processor, {wall:.2f} s in all, peak {peak:.0f} MB (+{grown:.0f}), "
              f"{found} vertices{target}")
    if plot:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
        figure, (left, right) = pyplot.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
        for axes, column, label in ((left, 1, "seconds of the processor"), (right, 2, "peak memory, MB")):
            axes.loglog([row[0] for row in rows], [row[column] for row in rows], "o-")
            axes.set_xlabel("points in dimension 3")
            axes.set_ylabel(label)
        figure.suptitle("All vertices of a uniform cloud, every point with its certificate")
        figure.savefig(plot)


def oracle() -> None:
    for n, d in ((1000, 3), (1000, 10), (10000, 10)):
        rng = np.random.default_rng(SEED)
        floats = rng.random((n, d))
        ready = LinearOracle(exact(floats))
        directions = [[fmpq(*float(v).as_integer_ratio()) for v in rng.normal(size=d)] for _ in range(200)]
        plain = [np.array([int(v.p) / int(v.q) for v in direction]) for direction in directions]
        ready.argmin(directions[0])
        own, peer = [], []
        for exact_direction, float_direction in zip(directions, plain, strict=True):
            start = perf_counter()
            found = ready.argmin(exact_direction)
            own.append(perf_counter() - start)
            start = perf_counter()
            best = int(np.argmax(floats @ -float_direction))
            peer.append(perf_counter() - start)
            assert found == [best]
        ratio = median(own) / median(peer)
        print(f"linear oracle over ({n},{d}): {median(own) * 1e6:.0f} us, numpy {median(peer) * 1e6:.0f} us, "
              f"ratio {ratio:.1f} (target at most 10: {verdict(ratio <= 10)})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE")
    arguments = parser.parse_args()
    print(f"python {platform.python_version()}, python-flint {flint.__version__}, numpy {np.__version__}, "
          f"pplpy {ppl.__version__}, pycddlib {_version('pycddlib')}, {platform.machine()}; "
          f"our medians of {RUNS} runs, exact peers once over all points")
    against_exact_peers()
    one_ulp()
    growth(arguments.plot)
    oracle()


if __name__ == "__main__":
    main()
