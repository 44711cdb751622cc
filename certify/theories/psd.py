"""psd/1, producer's half: definiteness and bounds on the largest eigenvalue."""
from __future__ import annotations

from typing import Any

from flint import fmpq

from ..numbers.definite import lambda_max_witness, pd_witness, psd_witness


def find(operator: str, args: list[Any], bits: int) -> tuple[Any, Any]:
    """Answer and witness; `bits` is how tight bounds on an eigenvalue should be."""
    matrix = [[fmpq(entry.n, entry.d) for entry in row] for row in args[0]]
    if operator == "lambda_max":
        found = lambda_max_witness(matrix, bits)
        return [found["lo"], found["hi"]], {"vector": found["vector"], "upper": found["upper"]}
    return psd_witness(matrix) if operator == "psd" else pd_witness(matrix)
