"""Around a find: each number moved by steps, and where the violation persists, exactly, with its time."""
from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ..checking import Result
from ..claims import Claim
from ..errors import CertifyError
from ..instances import read_instance
from .certifying import refutation
from .measures import time_of
from .shrinking import places_of, replaced

REACH = 4
MOST_NUMBERS = 16


def sweep(claim: Claim, result: Result, horizon: int, reach: int = REACH) -> Iterator[dict[str, Any]]:
    """One row for each number of the instance: the values at which the claim is still refuted, with the time of it."""
    file = result.instance.as_file()
    places = [(key, path, number) for key, value in file.items() if key not in ("system", "g")
              for path, number in places_of(value)]
    for key, path, number in places[:MOST_NUMBERS]:
        persists: dict[str, int] = {}
        fails: list[str] = []
        for k in range(-reach, reach + 1):
            value = number + Fraction(k)
            try:
                instance = read_instance({**file, key: replaced(file[key], path, str(value))})
            except CertifyError:
                continue
            found = result if k == 0 else refutation(claim, instance, horizon)
            if found is None:
                fails.append(str(value))
            else:
                persists[str(value)] = time_of(found)
        name = key + "".join(f"[{part}]" for part in path)
        yield {"number": name, "value": str(number), "refuted": persists, "not_refuted": fails}
