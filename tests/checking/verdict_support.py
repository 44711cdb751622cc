"""What the tests of verdicts share: instances as text, certificates through the verifier as bytes, selections."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from brute_force import Chooser, Tie

import certify
from certify.verifier import kernel, load


def written(value: Any) -> Any:
    """Fractions in nested lists and objects as the text of an instance file."""
    if isinstance(value, dict):
        return {key: written(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [written(entry) for entry in value]
    return value if isinstance(value, str) else str(value)


def hardmax(x: Any, b: Any, g: Any, **givens: Any) -> certify.Instance:
    return certify.instance("hardmax", **written({"x": x, "B": b, "g": g, **givens}))


def decide(claim: certify.Claim | str, instance: certify.Instance, **options: Any) -> certify.Result:
    """Check, and have the verifier accept the bytes of the certificate; without one the reason must be given."""
    found = certify.check(certify.parse(claim) if isinstance(claim, str) else claim, instance, **options)
    if found.kind == "undecided":
        assert found.certificate is None
        assert found.verdict["reason"]
        return found
    assert found.certificate is not None
    data = load.canonical(found.certificate).encode("ascii")
    report = kernel.verify(load.parse(data))
    assert {**report["verdict"], "evidence": "exact"} == found.verdict
    assert found.id == load.identity(found.certificate)
    return found


def selection_of(found: certify.Result) -> Chooser:
    """The selection that a certificate states, as brute force takes it; no choice is made beyond it."""
    assert found.certificate is not None
    stated = {
        (t, i): {j: Fraction(w) for j, w in weights}
        for t, i, weights in found.certificate["plans"].get("selection", [])
    }

    def choose(t: int, i: int, points: list[int]) -> dict[int, Fraction]:
        if (t, i) not in stated:
            raise Tie(t, i, points)
        return stated[t, i]

    return choose


def every_selection(run: Callable[[Chooser], None], limit: int) -> int | None:
    """Call `run` once for each way to take one leader point at every tie that it meets; return how many there were.

    Depth-first over the choices; None if there are more than `limit`.
    """
    pending: list[list[int]] = [[]]
    count = 0
    while pending:
        path = pending.pop()
        met: list[tuple[int, int]] = []

        def choose(
            t: int, i: int, points: list[int], path: list[int] = path, met: list[tuple[int, int]] = met
        ) -> dict[int, Fraction]:
            place = len(met)
            met.append((t, i))
            if place >= len(path):
                pending.extend([*path, k] for k in range(1, len(points)))
                path.append(0)
            return {points[path[place]]: Fraction(1)}

        count += 1
        if count > limit:
            return None
        run(choose)
    return count
