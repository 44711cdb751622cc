"""hull/1, producer's half: convex weights, or a separating direction."""
from __future__ import annotations

from typing import Any

from flint import fmpq

from ..polytopes.membership import in_hull


def find(operator: str, args: list[Any], bits: int) -> tuple[Any, Any]:
    """Answer and witness."""
    point, points = args
    return in_hull([fmpq(entry.n, entry.d) for entry in point],
                   [[fmpq(entry.n, entry.d) for entry in row] for row in points])
