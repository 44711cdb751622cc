"""psd/1: definiteness of a symmetric matrix, and bounds on its largest eigenvalue.

M is positive semidefinite if M - F diag(w) F' is diagonally dominant for some F and weights w >= 0: the product is a
sum of squares and a diagonally dominant matrix is one too. With strict dominance M is positive definite.
"""
from __future__ import annotations

from operator import mul
from typing import Any

from ..exact import Rat, Reject, common_denominator
from ..systems import read_vector

NAME = "psd/1"
OPERATORS = ("psd", "pd", "lambda_max")
Matrix = list[list[Rat]]


def check(operator: str, args: list[Any], answer: object, witness: object) -> Any:
    """Verify one lemma; return its answer (a truth, or bounds for lambda_max)."""
    matrix: Matrix = args[0]
    if operator == "lambda_max":
        return _largest(matrix, answer, witness)
    if not isinstance(witness, dict) or type(answer) is not bool:
        raise Reject("psd/1: not a witness")
    if answer:
        _sum_of_squares(matrix, witness, operator == "pd")
    else:
        _negative(matrix, witness, operator == "pd")
    return answer


def _sum_of_squares(matrix: Matrix, witness: dict[str, Any], strict: bool) -> None:
    size = len(matrix)
    lists = [witness.get("weights"), witness.get("factor")]
    if len(witness) != 2 or any(type(part) is not list for part in lists) or len(witness["factor"]) != size or any(
            type(row) is not list for row in witness["factor"]):
        raise Reject("psd/1: not a factor")
    weights = [Rat.parse(w) for w in witness["weights"]]
    if any(w.n < 0 for w in weights):
        raise Reject("psd/1: a negative weight")
    factor = [[Rat.parse(entry) for entry in row] for row in witness["factor"]]
    if any(len(row) > len(weights) for row in factor):
        raise Reject("psd/1: a factor wider than its weights")
    rows, row_den = common_denominator([row + [Rat(0)] * (len(weights) - len(row)) for row in factor])
    (shares,), share_den = common_denominator([weights])
    entries, den = common_denominator(matrix)
    weighted = [list(map(mul, row, shares)) for row in rows]
    scale = row_den * row_den * share_den
    totals = [0] * size
    diagonal = [0] * size
    for i in range(size):
        for j in range(i + 1):
            if entries[i][j] != entries[j][i]:
                raise Reject("psd/1: the matrix is not symmetric")
            rest = entries[i][j] * scale - sum(map(mul, weighted[i], rows[j])) * den
            if i == j:
                diagonal[i] = rest
            else:
                totals[i] += abs(rest)
                totals[j] += abs(rest)
    if any(diagonal[i] < totals[i] or (strict and diagonal[i] == totals[i]) for i in range(size)):
        raise Reject("psd/1: what the factor leaves is not diagonally dominant")


def _negative(matrix: Matrix, witness: dict[str, Any], strict: bool) -> None:
    size = len(matrix)
    if set(witness) == {"asymmetric"}:
        pair = witness["asymmetric"]
        if (type(pair) is not list or len(pair) != 2 or any(type(k) is not int or not 0 <= k < size for k in pair)
                or matrix[pair[0]][pair[1]] == matrix[pair[1]][pair[0]]):
            raise Reject("psd/1: not an asymmetric pair")
        return
    if set(witness) != {"vector"}:
        raise Reject("psd/1: not a vector")
    vector = read_vector(witness["vector"], size)
    value = _form(matrix, vector)
    if value.n > 0 or (value.n == 0 and not (strict and any(v.n for v in vector))):
        raise Reject("psd/1: the vector shows nothing")


def _form(matrix: Matrix, vector: list[Rat]) -> Rat:
    """v' M v."""
    (entries,), den = common_denominator([vector])
    rows, scale = common_denominator(matrix)
    return Rat(sum(v * sum(map(mul, row, entries)) for v, row in zip(entries, rows, strict=True)), scale * den * den)


def _largest(matrix: Matrix, answer: object, witness: object) -> tuple[Rat, Rat]:
    if type(answer) is not list or len(answer) != 2 or not isinstance(witness, dict) or set(witness) != {
            "vector", "upper"}:
        raise Reject("psd/1: not bounds for an eigenvalue")
    low, high = Rat.parse(answer[0]), Rat.parse(answer[1])
    vector = read_vector(witness["vector"], len(matrix))
    norm = Rat(0)
    for entry in vector:
        norm = norm + entry * entry
    if norm.n == 0 or _form(matrix, vector) < low * norm:
        raise Reject("psd/1: the lower bound of the eigenvalue is not shown")
    shifted = [[(high if i == j else Rat(0)) - entry for j, entry in enumerate(row)] for i, row in enumerate(matrix)]
    if not isinstance(witness["upper"], dict):
        raise Reject("psd/1: not a witness")
    _sum_of_squares(shifted, witness["upper"], False)
    return low, high
