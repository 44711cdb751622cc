"""trap/1, producer's half: a good point at which to take the tangent, and the rate that it gives."""
from __future__ import annotations

from typing import Any

from ..verifier.exact import Rat
from ..verifier.polynomial import Domain, Poly
from ..verifier.theories.trap import Trap, by_unknown, multiple


class FindingTrap(Trap):
    """A trap that chooses its tangent point when one is first needed and writes it into the step of the plan."""

    def __init__(self, points: list[list[Rat]], step: dict[str, Any], psd: Any) -> None:
        super().__init__(points, None, psd)
        self.step = step
        if "tangent" in step:
            self.tangent = [Rat.parse(entry) for entry in step["tangent"]]

    def _curvature(self, parts: dict[tuple[int, ...], Poly], domain: Domain) -> str | None:
        shape = super()._curvature(parts, domain)
        if shape == "convex" and self.tangent is None:
            self.tangent = self._lowest(parts, domain)
            self.step["tangent"] = [entry.text() for entry in self.tangent]
        return shape

    def _lowest(self, parts: dict[tuple[int, ...], Poly], domain: Domain) -> list[Rat]:
        """About the minimiser over the hull of the quadratic at the start of the domain; any point is sound."""
        import numpy as np
        size = len(self.points[0])
        quadratic, linear = np.zeros((size, size)), np.zeros(size)
        for key, poly in parts.items():
            value = _rough(poly, domain)
            if len(key) == 2:
                quadratic[key[0], key[1]] += value
                quadratic[key[1], key[0]] += value
            elif len(key) == 1:
                linear[key[0]] += value
        points = np.array([[_float(entry) for entry in row] for row in self.points])
        weights = np.full(len(points), 1 / len(points))
        for _ in range(2000):  # Frank-Wolfe with away steps by exact line search on the weights
            here = weights @ points
            slope = points @ (quadratic @ here + linear)
            low = int(np.argmin(slope))
            held = np.flatnonzero(weights > 0)
            high = int(held[np.argmax(slope[held])])
            direction = points[low] - points[high]
            bend = direction @ quadratic @ direction
            gain = slope[high] - slope[low]
            if gain <= 1e-14 * (1 + abs(slope[high])):
                break
            move = min(weights[high], gain / bend) if bend > 0 else weights[high]
            weights[low] += move
            weights[high] -= move
        return [Rat(round(float(entry) * 2**20), 2**20) for entry in weights @ points]

    def rate(self, poly: Poly, domain: Domain, above: bool) -> Poly | None:
        """A polynomial in t below (above) `poly` on the whole hull, if all its parts are multiples of one factor."""
        parts = by_unknown(poly)
        shape = self._curvature(parts, domain)
        if shape is None:
            return None
        pivot = next((p for p in parts.values() if p.terms), None)
        if pivot is None:
            return None
        shares = {key: multiple(value, pivot) for key, value in parts.items()}
        if any(share is None for share in shares.values()):
            return None
        values = []
        for point in self.points:
            value = Rat(0)
            for key, share in shares.items():
                assert share is not None
                value = value + share * self._monomial(key, point, not above and shape == "convex")
            values.append(value)
        extreme = values[0]
        for value in values[1:]:
            if (extreme < value) if above else (value < extreme):
                extreme = value
        return pivot * Poly.constant(extreme)


def _float(value: Rat) -> float:
    return value.n / value.d


def _rough(poly: Poly, domain: Domain) -> float:
    total = 0.0
    for monomial, coefficient in poly.terms.items():
        value = _float(coefficient)
        for name, power in monomial:
            base = float(domain.start) if name == "t" else _float(domain.scales[name]) if name in domain.scales else 1.0
            value *= base**power
        total += value
    return total
