"""Writes the polygons of fw25v1: k = 3..25 points under each option of the published figures.

Points lie on the unit circle or have radii in [2/5, 1]; B is the identity or diagonal; three more tokens lie inside.
Run as `python -m certify.claims.polygons`: the same files come out every time.
"""
from __future__ import annotations

import json
from fractions import Fraction
from random import Random

from . import CATALOGUE

COUNTS = range(3, 26)
MATRICES = {"": [["1", "0"], ["0", "1"]], "diagonal-": [["2", "0"], ["0", "1"]]}


def on_circle(k: int, random: Random) -> list[tuple[Fraction, Fraction]]:
    """k rational points of the unit circle in order, one in each of k equal arcs of the parameter's range."""
    points = []
    for place in range(k):
        share = Fraction(4 * place + 1 + random.randrange(3), 4 * k)  # of one turn
        side, rest = divmod(4 * share, 1)
        slope = rest * (3 - rest) / 2  # close to tan(pi rest / 4), from 0 to 1
        x, y = (1 - slope**2) / (1 + slope**2), 2 * slope / (1 + slope**2)
        for _ in range(int(side)):
            x, y = -y, x
        points.append((x, y))
    return points


def polygon(k: int, radii: bool, random: Random) -> list[list[str]]:
    """k points and three tokens between them."""
    points = on_circle(k, random)
    if radii:
        sizes = [Fraction(random.randint(8, 20), 20) for _ in points]
        points = [(size * x, size * y) for size, (x, y) in zip(sizes, points, strict=True)]
    inside = []
    for _ in range(3):
        one, two, three = (points[random.randrange(k)] for _ in range(3))
        a, b = Fraction(random.randint(3, 5), 9), Fraction(random.randint(1, 3), 9)
        inside.append(tuple(a * p + b * q + (1 - a - b) * r for p, q, r in zip(one, two, three, strict=True)))
    return [[str(entry) for entry in point] for point in [*points, *inside]]


def main() -> None:
    """Write all files."""
    folder = CATALOGUE / "fw25v1" / "instances"
    for shape in ("circle", "radii"):
        for word, matrix in MATRICES.items():
            for k in COUNTS:
                name = f"{shape}-{word}{k}"
                tokens = polygon(k, shape == "radii", Random(name))
                data = {"system": "hardmax", "x": tokens, "B": matrix, "g": "1/2"}
                (folder / f"{name}.json").write_text(json.dumps(data) + "\n", "utf-8")


if __name__ == "__main__":
    main()
