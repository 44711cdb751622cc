"""Exact numbers: reading and writing rationals, and exact facts about symmetric matrices with their witnesses."""

from certify.numbers.definite import inertia, lambda_max_witness, pd_witness, psd_witness
from certify.numbers.rationals import fraction, matrix, rational, text, vector

__all__ = [
    "fraction",
    "inertia",
    "lambda_max_witness",
    "matrix",
    "pd_witness",
    "psd_witness",
    "rational",
    "text",
    "vector",
]
