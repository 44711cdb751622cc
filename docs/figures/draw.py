"""Draws the figures of FRANK_WOLFE.md from certificates: `python docs/figures/draw.py`."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl

import certify
from certify.claims import named_instance
from certify.report.figures import draw_energy, draw_plane, draw_trajectory
from certify.simulation import simulate

HERE = Path(__file__).parent


def result(claim_id: str, name: str) -> certify.Result:
    claim = certify.load(claim_id)
    return certify.check(claim, named_instance(claim, name))


def save(axes: Any, name: str, title: str) -> None:
    axes.set_title(title, fontsize=10)
    axes.figure.savefig(HERE / f"{name}.svg", metadata={"Date": None})


def main() -> None:
    mpl.rcParams["svg.hashsalt"] = "certify"  # the same file every time
    save(draw_energy(result("fw25v1/thm-3.1", "three-one")), "three-one",
         "tokens 3 and -1: energy after step t, and the bound of Theorem 3.1")
    save(draw_plane(result("fw25v1/thm-4.2", "circle-8")), "circle-8", "circle-8: every vertex in its own cell")
    save(draw_plane(result("fw25v1/thm-4.2", "radii-5")), "radii-5", "radii-5: a vertex whose leader is another vertex")
    claim = certify.load("fw25v1/thm-4.2")
    path = simulate(named_instance(claim, "circle-5"), 12)
    save(draw_trajectory(path), "circle-5", "circle-5: twelve steps of g = 1/2")


if __name__ == "__main__":
    main()
