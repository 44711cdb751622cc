"""Counterexample search that ends in a certificate: propose, score in floats, certify exactly, shrink, verify."""
from __future__ import annotations

from .engine import refute
from .outcome import Search
from .sampling import Sample, sample

__all__ = ["Sample", "Search", "refute", "sample"]
