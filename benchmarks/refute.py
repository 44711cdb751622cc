"""The search over the catalogue: what was found, how soon, how large; and what was searched where nothing was found.

Run: python benchmarks/refute.py [--seconds 20] [--seed 1] [--claims ID ...] [--output FILE] [--workers]
Ten minutes a row is --seconds 600. A row ends when its find is certified and shrunk; one without a find takes the whole
time, and `earliest` takes at most a minute. With --output each row is appended when it is done, and the rows that the
file has are not run again, so that a run may be interrupted. --workers compares two workers with one instead.
"""
from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import certify  # noqa: E402
from certify.claims import catalogue  # noqa: E402
from certify.search.batches import CANDIDATES, run_batch  # noqa: E402
from certify.search.engine import refute  # noqa: E402
from certify.search.measures import complexity  # noqa: E402

WORKER_BATCHES = 14


def row(claim: certify.Claim, objective: str, seconds: float, seed: int) -> str:
    begin = time.perf_counter()
    try:
        found = refute(claim, seconds=seconds, seed=seed, objective=objective)
    except certify.CertifyError as error:
        return f"{claim.id:<36}{objective:<10}not searched: {error}"
    spent = time.perf_counter() - begin
    tally = found.tally
    searched = (f"{tally.candidates} + {tally.evaluations} candidates, {tally.exact} exact, "
                f"{100 * tally.share:.3g}% met the assumptions")
    if found.result is None:
        text = f"nothing found      {searched}; best margin {tally.margin}, {tally.unconfirmed} not confirmed exactly"
    else:
        n, d, _, largest, *_ = complexity(found.result.instance)
        t = found.verdict.get("t", "for ever")
        text = (f"{found.kind:<9} t = {t!s:<9} first find {found.first_find} s, n = {n}, d = {d}, "
                f"integers to {largest}; {found.result.instance.as_file()}; {searched}")
    warnings = "; ".join(found.warnings)
    return f"{claim.id:<36}{objective:<10}{spent:6.1f} s  {text}" + (f"  [{warnings}]" if warnings else "")


def workers(seed: int) -> str:
    """Candidates a second with one process and with two, on the same batches of a claim without a find."""
    claim = certify.load("repair/thm-3.1-R1")
    rates = []
    for count in (1, 2):
        with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
            list(pool.map(warm, range(count)))
            begin = time.perf_counter()
            found = refute(claim, candidates=WORKER_BATCHES * CANDIDATES, seed=seed, executor=pool,
                           objective="tightest")
            rates.append(found.tally.candidates / (time.perf_counter() - begin))
    return (f"one worker {rates[0]:,.0f} candidates/s, two workers {rates[1]:,.0f}: {rates[1] / rates[0]:.2f} times "
            f"(on {os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f})")


def warm(number: int) -> int:
    """A worker that has imported what it needs."""
    time.sleep(1)
    return number if callable(run_batch) else -1


def done(output: Path | None) -> set[tuple[str, str]]:
    """Claim and objective of the rows that a file has."""
    lines = output.read_text("utf-8").splitlines() if output is not None and output.exists() else []
    return {(words[0], words[1]) for words in map(str.split, lines[1:]) if len(words) > 1}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=20)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--claims", nargs="*")
    options.add_argument("--output", type=Path)
    options.add_argument("--workers", action="store_true")
    chosen = options.parse_args()

    def tell(line: str) -> None:
        print(line, flush=True)
        if chosen.output is not None:
            with chosen.output.open("a", encoding="utf-8") as file:
                file.write(line + "\n")

    if chosen.workers:
        tell(workers(chosen.seed))
        return
    known = done(chosen.output)
    if chosen.output is None or not chosen.output.exists():
        tell(f"python {platform.python_version()}, certify {certify.__version__}, {chosen.seconds:g} s a row, "
             f"seed {chosen.seed}, one worker")
    for claim in catalogue():
        if chosen.claims is None or claim.id in chosen.claims:
            for objective in ("simplest", "earliest") if claim.id == "fw25v1/thm-3.1" else ("simplest",):
                if (claim.id, objective) not in known:
                    seconds = chosen.seconds if objective == "simplest" else min(60.0, chosen.seconds)
                    tell(row(claim, objective, seconds, chosen.seed))


if __name__ == "__main__":
    main()
