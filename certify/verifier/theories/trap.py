"""trap/1: for steps in [0, 1] every later token lies in the hull of the tokens at T, whatever was selected.

A comparison that is linear or quadratic in one unknown point u of that hull is decided by finitely many points: a
concave function is least at a vertex; a convex one lies above its tangent at any point p, which is least at a vertex.
"""
from __future__ import annotations

from collections.abc import Callable

from ..exact import ONE, Rat
from ..polynomial import Domain, Monomial, Poly

NAME = "trap/1"


def unknown_point(name: str, dimension: int) -> list[Poly]:
    """Coordinates of an unknown point; `name` tells which token at which time."""
    return [Poly.symbol(f"u:{name}:{k}") for k in range(dimension)]


class Trap:
    """The hull at T, a tangent point if one was given, and a way to ask whether a matrix is psd."""

    def __init__(self, points: list[list[Rat]], tangent: list[Rat] | None,
                 psd: Callable[[list[list[Rat]]], bool | None]) -> None:
        self.points, self.tangent, self.psd = points, tangent, psd

    def nonnegative(self, poly: Poly, strict: bool, domain: Domain) -> bool:
        """Whether poly >= 0 (> 0) for all points of the hull and all values of the other symbols."""
        unknowns = {name.split(":")[1] for name in poly.symbols() if name.startswith("u:")}
        if len(unknowns) != 1:
            return False
        parts = by_unknown(poly)
        if any(len(key) > 2 for key in parts):
            return False
        shape = self._curvature(parts, domain)
        if shape is None or (shape == "convex" and self.tangent is None):
            return False
        for point in self.points:
            value = Poly({})
            for key, coefficient in parts.items():
                value = value + coefficient * Poly.constant(self._monomial(key, point, shape == "convex"))
            if not domain.nonnegative(value, strict):
                return False
        return True

    def _monomial(self, key: tuple[int, ...], point: list[Rat], tangent: bool) -> Rat:
        """A monomial at the point, or linearised at the tangent point p: u_a u_b -> p_a u_b + p_b u_a - p_a p_b."""
        if len(key) == 0:
            return ONE
        if len(key) == 1:
            return point[key[0]]
        a, b = key
        if not tangent:
            return point[a] * point[b]
        assert self.tangent is not None
        p = self.tangent
        return p[a] * point[b] + p[b] * point[a] - p[a] * p[b]

    def _curvature(self, parts: dict[tuple[int, ...], Poly], domain: Domain) -> str | None:
        """Whether the quadratic part is zero or concave ("concave"), or convex, on the whole domain."""
        quadratic = {key: value for key, value in parts.items() if len(key) == 2 and value.terms}
        if not quadratic:
            return "concave"
        size = len(self.points[0])
        pivot = next((quadratic[(k, k)] for k in range(size) if (k, k) in quadratic), None)
        if pivot is None:
            return None
        matrix = [[Rat(0)] * size for _ in range(size)]
        for (a, b), value in quadratic.items():
            share = multiple(value, pivot)
            if share is None:
                return None
            matrix[a][b] = matrix[b][a] = share if a == b else share / Rat(2)
        convex = domain.nonnegative(pivot)
        if not convex and not domain.nonnegative(-pivot):
            return None
        return None if self.psd(matrix) is not True else "convex" if convex else "concave"


def multiple(value: Poly, pivot: Poly) -> Rat | None:
    """q with value = q * pivot, if there is one."""
    monomial, leading = next(iter(pivot.terms.items()))
    share = value.terms.get(monomial, Rat(0)) / leading
    return share if value == pivot * Poly.constant(share) else None


def by_unknown(poly: Poly) -> dict[tuple[int, ...], Poly]:
    """The coefficients of the monomials in the coordinates of the unknown point."""
    parts: dict[tuple[int, ...], dict[Monomial, Rat]] = {}
    for monomial, coefficient in poly.terms.items():
        key: list[int] = []
        for name, power in monomial:
            if name.startswith("u:"):
                key += [int(name.rsplit(":", 1)[1])] * power
        other = tuple(f for f in monomial if not f[0].startswith("u:"))
        parts.setdefault(tuple(sorted(key)), {})[other] = coefficient
    return {key: Poly(terms) for key, terms in parts.items()}
