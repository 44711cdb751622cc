"""Exact hardmax side by side: native code, the verifier, plain fractions, and numpy in floats.

All run one after the other here, in one thread, so that the ratios mean something; seconds are of the processor, so
that other work on the machine matters little. Two instances of n = 10 tokens in dimension 5, all numbers of 53 bits,
2,000 steps, every state computed and read as integers:

(a) a cycle of two matrices M, -M: nearly every token has another leader at every step;
(b) one negative definite matrix: leaders settle after a few steps.
"""
from __future__ import annotations

import platform
from collections.abc import Callable
from fractions import Fraction
from statistics import median
from time import process_time

import flint
import numpy as np

import certify
from certify.systems.native import NativeTrajectory
from certify.verifier.systems import HARDMAX, Instance, Trajectory

TOKENS, DIMENSION, STEPS, SEED = 10, 5, 2000, 2
SCHEDULES: dict[str, Callable[[int], Fraction]] = {
    "2/(t+2)": lambda t: Fraction(2, t + 2),
    "1/3": lambda t: Fraction(1, 3),
}
SOME_STEPS = 300
PATIENCE = 300.0  # seconds for plain fractions
Matrix = np.ndarray


def changing() -> tuple[Matrix, list[Matrix]]:
    rng = np.random.default_rng(SEED)
    x = rng.standard_normal((TOKENS, DIMENSION))
    x /= np.linalg.norm(x, axis=1, keepdims=True)  # each token leads itself at first: none are lost where g(0) = 1
    matrix = np.eye(DIMENSION) + rng.standard_normal((DIMENSION, DIMENSION)) / 10
    return x, [matrix, -matrix]


def settling() -> tuple[Matrix, list[Matrix]]:
    rng = np.random.default_rng(SEED)
    x, root = rng.standard_normal((TOKENS, DIMENSION)), rng.standard_normal((DIMENSION, DIMENSION))
    product = root @ root.T
    return x, [-(product + product.T) / 2]


def read(x: Matrix, matrices: list[Matrix], step_size: str) -> Instance:
    written = {"cycle": [matrix.tolist() for matrix in matrices]}
    return Instance(dict(certify.instance("hardmax", x=x, B=written, g=step_size).fields), HARDMAX, [])


def follow(trajectory: Trajectory, steps: int) -> float:
    """Seconds for all states, each read as Python integers."""
    start = process_time()
    for t in range(steps + 1):
        state = trajectory.state(t)
        assert state.rows and state.den
    return process_time() - start


def plain(x: Matrix, matrices: list[Matrix], step_size: Callable[[int], Fraction]) \
        -> tuple[list[float], list[list[Fraction]]]:
    """The same loop on fractions.Fraction: seconds after each step, and the last state."""
    tokens = [[Fraction(float(entry)) for entry in row] for row in x]
    exact = [[[Fraction(float(entry)) for entry in row] for row in matrix] for matrix in matrices]
    times, start = [0.0], process_time()
    for t in range(STEPS):
        matrix, g = exact[t % len(exact)], step_size(t)
        goals = []
        for token in tokens:
            image = [sum(map(Fraction.__mul__, row, token)) for row in matrix]
            scores = [sum(map(Fraction.__mul__, image, other)) for other in tokens]
            goals.append(tokens[scores.index(max(scores))])
        tokens = [[(1 - g) * a + g * b for a, b in zip(token, goal, strict=True)]
                  for token, goal in zip(tokens, goals, strict=True)]
        times.append(process_time() - start)
        if times[-1] > PATIENCE:
            break
    return times, tokens


def floats(x: Matrix, matrices: list[Matrix], step_size: Callable[[int], Fraction]) -> float:
    """Seconds of the same loop in float64; step sizes and transposes are ready before it starts."""
    sizes = [float(step_size(t)) for t in range(STEPS)]
    transposed = [matrix.T.copy() for matrix in matrices]
    start = process_time()
    for t, g in enumerate(sizes):
        leaders = (x @ transposed[t % len(transposed)] @ x.T).argmax(axis=1)
        x = (1 - g) * x + g * x[leaders]
    return process_time() - start


def describe(instance: Instance) -> str:
    trajectory = NativeTrajectory(instance, "every", {})
    before, changes, last = trajectory.leaders(0), 0, 0
    for t in range(1, STEPS):
        now = trajectory.leaders(t)
        changed = sum(a != b for a, b in zip(now, before, strict=True))
        changes, last, before = changes + changed, t if changed else last, now
    state = trajectory.state(STEPS)
    return (f"leaders change {changes} times ({TOKENS} tokens, {STEPS} steps), last at t = {last}; "
            f"denominator of {state.den.bit_length()} bits; {len({tuple(row) for row in state.rows})} distinct points")


def report(name: str, value: float, target: float, more: bool, unit: str) -> None:
    met = value >= target if more else value <= target
    print(f"  {name}: {value:.3g}{unit} (target: {'at least' if more else 'at most'} {target:g}{unit}, "
          f"{'met' if met else 'MISSED'})")


def compare(title: str, x: Matrix, matrices: list[Matrix], written: str, settles: bool) -> None:
    instance = read(x, matrices, written)
    print(f"{title}, g = {written}: {describe(instance)}", flush=True)
    native = median(follow(NativeTrajectory(instance, "every", {}), STEPS) for _ in range(5))
    verifier = median(follow(Trajectory(instance, HARDMAX, "every", {}), STEPS) for _ in range(3))
    print(f"  native {native:.3f} s (median of 5), {1e6 * native / STEPS:.0f} microseconds a step")
    report("verifier (median of 3)", verifier, 1 if settles else 8, False, " s")
    numpy_seconds = median(floats(x, matrices, SCHEDULES[written]) for _ in range(9))
    if settles:
        print(f"  numpy float64 {numpy_seconds:.4f} s (median of 9), {1e6 * numpy_seconds / STEPS:.1f} microseconds "
              "a step")
        report("native / numpy", native / numpy_seconds, 30, False, "")
        return
    times, tokens = plain(x, matrices, SCHEDULES[written])
    for steps in sorted({SOME_STEPS, len(times) - 1}):
        ours = median(follow(NativeTrajectory(instance, "every", {}), steps) for _ in range(5))
        whole = "in full" if steps == STEPS else "in part" if steps == SOME_STEPS else f"stopped after {PATIENCE:.0f} s"
        print(f"  fractions.Fraction, {steps} steps ({whole}): {times[steps]:.2f} s in one run; native {ours:.4f} s")
        report("fractions / native", times[steps] / ours, 50, True, "")
    state = NativeTrajectory(instance, "every", {}).state(len(times) - 1)
    same = all(a * state.den == b for left, right in zip(tokens, state.rows, strict=True)
               for a, b in zip(left, right, strict=True))
    print(f"  last states equal: {same}", flush=True)


def main() -> None:
    print(f"Python {platform.python_version()}, python-flint {flint.__version__}, FLINT {flint.__FLINT_VERSION__}, "
          f"numpy {np.__version__}, {platform.machine()}")
    print(f"n = {TOKENS}, d = {DIMENSION}, {STEPS} steps, 53-bit start and matrices, seed {SEED}; processor time")
    for written in SCHEDULES:
        compare("(b) leaders settle", *settling(), written, True)
    for written in SCHEDULES:
        compare("(a) leaders keep changing", *changing(), written, False)


if __name__ == "__main__":
    main()
