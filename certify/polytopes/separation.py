"""Separating one point from others in floats: a direction or the points around it, never more than a guess.

Wolfe's method for the point of least norm in the hull of the rays from the point: if the norm is positive the nearest
point is a direction that separates; if it vanishes the corral holds the point in its hull.
"""
from __future__ import annotations

from typing import Any

ROUNDS = 60
CLEAR = 1e-9   # a margin that rounding will not undo
ZERO = 1e-22   # a squared norm that says "inside"


def separate(point: Any, others: Any) -> tuple[Any, list[int]]:
    """A direction with <direction, other - point> > 0 for all others, or None; and the places of the last corral."""
    import numpy as np
    rays = others - point
    lengths = np.sqrt(np.einsum("ij,ij->i", rays, rays))
    lengths[lengths == 0] = 1.0
    rays /= lengths[:, None]
    direction = rays.mean(axis=0)
    products = rays @ direction
    worst = int(products.argmin())
    if products[worst] > CLEAR:
        return direction, [worst]
    corral, weights = [worst], np.ones(1)
    direction = rays[worst]
    for _ in range(ROUNDS):
        products = rays @ direction
        worst = int(products.argmin())
        if products[worst] > CLEAR:
            return direction, corral
        square = float(direction @ direction)
        if square < ZERO:
            return None, corral
        if worst in corral or products[worst] >= square * (1 - 1e-10):
            return (direction, corral) if products[worst] > 0 else (None, corral)
        corral.append(worst)
        weights = np.append(weights, 0.0)
        while True:
            held = rays[corral]
            try:
                shares = np.linalg.solve(held @ held.T + 1.0, np.ones(len(corral)))
            except np.linalg.LinAlgError:
                return None, corral
            shares /= shares.sum()
            if (shares > 1e-13).all():
                weights = shares
                break
            falling = shares <= 1e-13
            gaps = weights[falling] - shares[falling]
            step = float(np.min(np.where(gaps > 0, weights[falling] / np.where(gaps > 0, gaps, 1.0), 1.0)))
            weights = weights + min(step, 1.0) * (shares - weights)
            keep = weights > 1e-13
            if keep.all():
                keep[int(weights.argmin())] = False
            corral = [k for k, kept in zip(corral, keep, strict=True) if kept]
            weights = weights[keep]
            if not corral:
                return None, [worst]
            weights /= weights.sum()
        direction = weights @ rays[corral]
    return None, corral
