"""The hardmax part of the Frank-Wolfe paper: its audit, the verification of its certificates, and a large instance.

`certify audit --paper fw25v1` into an empty folder (two processes on two processors, verification included), the
verifier alone on all certificates, and Theorem 4.2 on 200 tokens in dimension 20 with a second, cheaper computation
beside it: the leaders of every token by numpy in floats, which decides nothing.
"""
from __future__ import annotations

import platform
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import flint
import numpy as np

import certify
from certify.verifier.kernel import verify

VERIFIER = Path(certify.__file__).parent / "verifier"
TOKENS, DIMENSION, VERTICES, SEED = 200, 20, 40, 3


def large() -> certify.Instance:
    """Gaussian vertices and mixtures of them, decimals of three and four digits."""
    rng = random.Random(SEED)
    corners = [[round(rng.gauss(0, 1), 3) for _ in range(DIMENSION)] for _ in range(VERTICES)]
    rows = [[f"{value:.3f}" for value in corner] for corner in corners]
    for _ in range(TOKENS - VERTICES):
        weights = [rng.random() ** 4 for _ in corners]
        mixed = [sum(w * c[k] for w, c in zip(weights, corners, strict=True)) / sum(weights) for k in range(DIMENSION)]
        rows.append([f"{value:.4f}" for value in mixed])
    identity = [[int(i == j) for j in range(DIMENSION)] for i in range(DIMENSION)]
    return certify.instance("hardmax", x=rows, B=identity, g="1/2")


def line(what: str, seconds: float, target: float, more: str = "") -> None:
    print(f"{what:<58} {seconds:7.2f} s  target {target:g} s: {'met' if seconds <= target else 'MISSED'}  {more}")


def main() -> None:
    print(f"certify {certify.__version__}, Python {platform.python_version()}, python-flint {flint.__version__}, "
          f"numpy {np.__version__}, seed {SEED}")
    with TemporaryDirectory() as folder:
        start = perf_counter()
        subprocess.run([sys.executable, "-m", "certify", "audit", "--paper", "fw25v1", "--out", folder], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        line("audit of fw25v1, from nothing, with verification (wall)", perf_counter() - start, 60)
        files = sorted(Path(folder, "certificates").glob("*.json"))
        start = perf_counter()
        subprocess.run([sys.executable, "-I", "-S", str(VERIFIER), *map(str, files)], check=True,
                       stdout=subprocess.DEVNULL)
        line(f"all {len(files)} certificates by the stdlib verifier (wall)", perf_counter() - start, 30)
    instance, claim = large(), certify.load("fw25v1/thm-4.2")
    checks, rechecks = [], []
    for _ in range(3):
        start = process_time()
        result = certify.check(claim, instance)
        checks.append(process_time() - start)
        assert result.certificate is not None
        start = process_time()
        verify(result.certificate)
        rechecks.append(process_time() - start)
    line(f"thm-4.2 at n = {TOKENS}, d = {DIMENSION} (processor, median of 3)", median(checks), 5, result.sentence())
    line("its certificate by the verifier (processor, median of 3)", median(rechecks), 5)
    x = np.array([[float(Fraction(e)) for e in row] for row in instance.fields["x"]])
    start = process_time()
    for _ in range(100):
        (x @ x.T).argmax(axis=1)
    print(f"numpy's argmax of the same scores in floats: {(process_time() - start) / 100 * 1000:.2f} ms")


if __name__ == "__main__":
    main()
