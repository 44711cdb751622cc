"""How far each line is from its boundary, in floating point: for reading, never for a verdict."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .claims import Claim
from .instances import Instance, checked
from .verifier.sorts import Tree

STEPS = 50


def slacks(claim: Claim, instance: Instance, steps: int = STEPS) -> dict[str, float | None]:
    """About the signed distance of each line from its boundary over t = 0..steps; None where no float reading exists.

    Examples
    --------
    >>> import certify
    >>> data = certify.instance("hardmax", x=[[3], [1]], B=[[-1]], g="2/(t+2)")
    >>> slacks(certify.load("fw25v1/thm-3.1"), data)["H4"]
    -1.0
    """
    import numpy as np

    from .statements.margins import Batch, Margins
    data = checked(instance, claim.tree, claim.system)

    def at(name: str) -> Callable[[int], Any]:
        return lambda t: floats(data.sequences[name].at(t))

    x = np.array([[[floats(entry) for entry in row] for row in data.tokens]]) if data.tokens else None
    givens = {name: np.array(floats(value)) for name, value in data.givens.items()}
    timed = {name: at(name) for name in data.sequences if name in ("B", "g")}
    found: dict[str, float | None] = {}
    with np.errstate(all="ignore"):
        readings = Margins(claim.tree, guesses=False).read(Batch(x, timed.get("B"), timed.get("g"), givens), steps)
    for name, formula in [*claim.tree[7], ["assertion", claim.tree[8]]]:
        margin = float(readings[name].margin[0]) if name in readings else float("nan")
        found[name] = margin if np.isfinite(margin) else _outside(formula, x)
    return found


def floats(value: Any) -> Any:
    """Nearest floats of exact values."""
    return [floats(entry) for entry in value] if isinstance(value, list) else value.n / value.d


def _outside(formula: Tree, x: Any) -> float | None:
    """Minus the distance of the origin from the first hull, for a line that says it lies in it and it does not."""
    if x is None or formula != ["in", ["num", "0"], ["hull", ["at", "x", ["num", "0"]]]]:
        return None
    distance = float(sum(c * c for c in nearest_to_origin(x[0])[0]) ** 0.5)
    return -distance if distance > 1e-12 else None


def nearest_to_origin(points: Any) -> tuple[Any, Any]:
    """About the point of a hull that is nearest to the origin, and its weights (pairwise Frank-Wolfe steps)."""
    import numpy as np
    weights = np.full(len(points), 1 / len(points))
    for _ in range(20_000):
        here = weights @ points
        slope = points @ here
        low = int(np.argmin(slope))
        held = np.flatnonzero(weights > 0)
        high = int(held[np.argmax(slope[held])])
        gain = slope[high] - slope[low]
        direction = points[low] - points[high]
        bend = float(direction @ direction)
        if bend == 0 or gain <= 1e-15 * (1 + abs(slope[high])):
            break
        move = min(weights[high], gain / bend)
        weights[low] += move
        weights[high] -= move
    return weights @ points, weights


