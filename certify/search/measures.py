"""How simple an instance is, and which of two finds is better under an objective."""
from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ..checking import Result
from ..errors import InputError
from ..instances import Instance

OBJECTIVES = ("earliest", "simplest", "tightest")
Key = tuple[Any, ...]


def complexity(instance: Instance) -> Key:
    """Tokens, dimension, parts that change with time, the largest integer, the sum of all; at last the text."""
    file = instance.as_file()
    tokens = file.get("x", [])
    parts, numbers = 0, list(_numbers(file))
    for value in file.values():
        if isinstance(value, dict):
            parts += 2 if "scale" in value else len(next(iter(value.values())))
    sizes = [max(abs(value.numerator), value.denominator if value.denominator > 1 else 0) for value in numbers]
    total = sum(abs(value.numerator) + 2 * (value.denominator - 1) for value in numbers)
    negative = sum(value < 0 for value in numbers)
    step = file.get("g", "")
    spelled = len(json.dumps(step))
    return (len(tokens), _dimension(file), parts, max(sizes, default=0), total, spelled, negative, json.dumps(file))


def _dimension(file: dict[str, Any]) -> int:
    for value in file.values():
        if isinstance(value, list) and value and isinstance(value[0], list):
            return len(value[0])
    return max((len(value) for value in file.values() if isinstance(value, list)), default=0)


def _numbers(file: dict[str, Any]) -> Iterator[Fraction]:
    """Every number of an instance that is not inside an expression."""
    for key, value in file.items():
        if key not in ("system", "g"):
            yield from _entries(value)


def _entries(value: Any) -> Iterator[Fraction]:
    if isinstance(value, dict):
        for key, part in value.items():
            if key != "scale":
                yield from _entries(part)
    elif isinstance(value, list):
        for part in value:
            yield from _entries(part)
    elif isinstance(value, str):
        yield Fraction(value)


def time_of(result: Result) -> int:
    """The time of a violation; -1 where it is for all times together."""
    return int(result.verdict.get("t", -1))


def selected(result: Result) -> bool:
    """Whether the find needs a certain selection at a tie: without one it is the stronger example."""
    return result.certificate is not None and "selection" in result.certificate["plans"]


def merit(result: Result, objective: str, ratio: float = 0.0) -> Key:
    """Smaller is better."""
    if objective == "earliest":
        return (time_of(result), selected(result), *complexity(result.instance))
    if objective == "simplest":
        size = complexity(result.instance)
        return (selected(result), *size[:-1], time_of(result), size[-1])
    if objective == "tightest":
        return (-ratio, selected(result), *complexity(result.instance))
    raise InputError(f"unknown objective {objective!r}; known: {', '.join(OBJECTIVES)}")
