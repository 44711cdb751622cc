"""hull/2, producer's half: interior, relative interior, vertices and edges."""
from __future__ import annotations

from typing import Any

from flint import fmpq

from ..numbers.rationals import text
from ..polytopes.edges import edge
from ..polytopes.interior import interior, relative_interior
from ..polytopes.vertices import Copy, Reason, Vertex, classify


def find(operator: str, args: list[Any], bits: int) -> tuple[Any, Any]:
    """Answer and witness."""
    *ends, points = [exact(part) for part in args]
    if operator == "vertices":
        reasons = classify(points)
        found = [j for j, reason in enumerate(reasons) if isinstance(reason, Vertex)]
        return found, {"reasons": [written(reason) for reason in reasons]}
    if operator == "edge":
        return (False, {"equal": True}) if ends[0] == ends[1] else edge(ends[0], ends[1], points)
    return interior(ends[0], points) if operator == "interior" else relative_interior(ends[0], points)


def exact(value: Any) -> Any:
    """A verifier's numbers, in nested lists, as flint's."""
    return [exact(entry) for entry in value] if isinstance(value, list) else fmpq(value.n, value.d)


def written(reason: Reason) -> dict[str, Any]:
    """The reason of one point as a witness."""
    if isinstance(reason, Vertex):
        return {"direction": [str(entry) for entry in reason.direction]}
    if isinstance(reason, Copy):
        return {"same": reason.of}
    return {"weights": [[j, text(w)] for j, w in reason.weights]}
