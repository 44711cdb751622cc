"""From a find to the smallest find near it: one simplification after the other, as long as the refutation certifies.

Steps are tried in a fixed order and there is no chance in them, so that the same find always shrinks to the same one.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import gcd
from time import monotonic
from typing import Any

from ..checking import Result
from ..claims import Claim
from ..errors import CertifyError
from ..instances import Instance, read_instance
from .certifying import BRIEF_HORIZON, refutation
from .measures import Key

File = dict[str, Any]
SIMPLE_STEPS = ("1/2", "2/(t + 2)")


def shrunk(claim: Claim, result: Result, merit: Callable[[Result], Key], horizon: int = BRIEF_HORIZON,
           until: float | None = None, tried: set[str] | None = None) -> Iterator[Result]:
    """Better and better finds, ending with one that no step improves (or when time is up).

    `tried` are instances that need no second look: those that led nowhere, or to where another find has led.
    """
    tried = set() if tried is None else tried
    best = merit(result)
    yield result
    progress = True
    while progress:
        progress = False
        for file in simplifications(result.instance.as_file()):
            left = None if until is None else until - monotonic()
            if left is not None and left <= 0:
                return
            found = _attempt(claim, file, tried, horizon, left)
            if found is not None and merit(found) < best:
                result, best, progress = found, merit(found), True
                yield result
                break


def _attempt(claim: Claim, file: File, tried: set[str], horizon: int, left: float | None) -> Result | None:
    key = repr(file)
    if key in tried:
        return None
    tried.add(key)
    try:
        instance: Instance = read_instance(file)
    except CertifyError:
        return None
    return refutation(claim, instance, horizon, left)


def simplifications(file: File) -> Iterator[File]:
    """Every smaller neighbour: fewer tokens, fewer coordinates, simpler matrices and schedules, smaller numbers."""
    yield from _fewer_tokens(file)
    yield from _fewer_coordinates(file)
    yield from _simpler_sequences(file)
    yield from _common_factors(file)
    yield from _smaller_numbers(file)
    yield from _reordered(file)


def _fewer_tokens(file: File) -> Iterator[File]:
    tokens = file.get("x", [])
    if len(tokens) > 3:
        half = len(tokens) // 2
        yield {**file, "x": tokens[:half]}
        yield {**file, "x": tokens[half:]}
    for i in reversed(range(len(tokens) if len(tokens) > 1 else 0)):
        yield {**file, "x": tokens[:i] + tokens[i + 1:]}


def _reordered(file: File) -> Iterator[File]:
    """Tokens mirrored or in another order: of two examples that are the same, one is chosen."""
    tokens = file.get("x", [])
    if tokens:
        mirrored = [[_mirrored(entry) for entry in token] for token in tokens]
        for found in (sorted(tokens), mirrored, sorted(mirrored)):
            if found != tokens:
                yield {**file, "x": found}


def _mirrored(entry: Any) -> Any:
    """A coordinate times -1; of an interval the ends change places."""
    return [_mirrored(end) for end in reversed(entry)] if isinstance(entry, list) else str(-Fraction(entry))


def _fewer_coordinates(file: File) -> Iterator[File]:
    size = next((len(value[0]) for value in _values(file) if isinstance(value[0], list)), 0)
    for a in reversed(range(size if size > 1 else 0)):
        yield {key: _without(value, a, size, key) for key, value in file.items()}


def _values(file: File) -> Iterator[Any]:
    for value in file.values():
        if isinstance(value, list) and value:
            yield value


def _without(value: Any, a: int, size: int, key: str) -> Any:
    """A token list, vector, matrix or sequence of matrices without coordinate a."""
    if isinstance(value, dict):
        return {kind: part if kind == "scale" else [_without(entry, a, size, "") for entry in part] if kind != "matrix"
                else _without(part, a, size, "") for kind, part in value.items()}
    if not isinstance(value, list):
        return value
    if not isinstance(value[0], list):
        return value[:a] + value[a + 1:] if len(value) == size else value
    square = len(value) == size and key != "x"
    rows = value[:a] + value[a + 1:] if square else value
    return [row[:a] + row[a + 1:] for row in rows]


def _simpler_sequences(file: File) -> Iterator[File]:
    for key, value in file.items():
        if isinstance(value, dict):
            if "scale" in value:
                yield {**file, key: value["matrix"]}
                continue
            kind, entries = next(iter(value.items()))
            for entry in dict.fromkeys(map(repr, entries)):
                yield {**file, key: next(e for e in entries if repr(e) == entry)}
            for k in range(len(entries) if len(entries) > 2 else 0):
                yield {**file, key: {kind: entries[:k] + entries[k + 1:]}}
        elif key != "x" and isinstance(value, list) and isinstance(value[0], list) and len(value) == len(value[0]):
            d = len(value)
            for unit in ("1", "-1"):
                yield {**file, key: [[unit if a == b else "0" for b in range(d)] for a in range(d)]}
            yield {**file, key: [[value[a][b] if a == b else "0" for b in range(d)] for a in range(d)]}
    if "g" in file:
        for step in SIMPLE_STEPS:
            if file["g"] != step:
                yield {**file, "g": step}


def _common_factors(file: File) -> Iterator[File]:
    """Tokens or a matrix divided by what their entries have in common; whole numbers instead of fractions."""
    for key, value in file.items():
        if key in ("system", "g") or not isinstance(value, list | dict):
            continue
        numbers = [Fraction(text) for text in _leaves(value)]
        if not numbers:
            continue
        top, bottom = 0, 1
        for number in numbers:
            top = gcd(top, number.numerator)
            bottom = bottom * number.denominator // gcd(bottom, number.denominator)
        if top and (top, bottom) != (1, 1):
            yield {**file, key: _mapped(value, lambda text: str(Fraction(text) * bottom / top))}


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in value.items():
            if key != "scale":
                yield from _leaves(part)
    elif isinstance(value, list):
        for part in value:
            yield from _leaves(part)
    else:
        yield value


def _mapped(value: Any, act: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {key: part if key == "scale" else _mapped(part, act) for key, part in value.items()}
    return [_mapped(part, act) for part in value] if isinstance(value, list) else act(value)


def _smaller_numbers(file: File) -> Iterator[File]:
    """Each number, largest first, replaced by a simpler one; entries of a matrix together with their mirror image."""
    places = [(key, path, number) for key, value in file.items() if key not in ("system", "g")
              for path, number in places_of(value)]
    places.sort(key=lambda place: -max(abs(place[2].numerator), place[2].denominator))
    for key, path, number in places:
        for simpler in _simpler(number):
            changed = replaced(file[key], path, str(simpler))
            yield {**file, key: changed}
            if key != "x" and len(path) >= 2 and path[-1] != path[-2] and isinstance(path[-2], int):
                yield {**file, key: replaced(changed, (*path[:-2], path[-1], path[-2]), str(simpler))}
    for key, value in file.items():
        if key not in ("system", "g") and isinstance(value, list | dict):
            yield {**file, key: _mapped(value, lambda text: str(_halved(Fraction(text))))}
    if sum(1 for _ in places) <= 12:
        yield from _pairs(file, places)


def _pairs(file: File, places: list[Any]) -> Iterator[File]:
    """Two numbers moved towards 0 at once."""
    for a, (key, path, number) in enumerate(places):
        for other, elsewhere, second in places[a + 1:]:
            if number and second:
                changed = {**file, key: replaced(file[key], path, str(_towards_zero(number)))}
                yield {**changed, other: replaced(changed[other], elsewhere, str(_towards_zero(second)))}


def places_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Fraction]]:
    if isinstance(value, dict):
        for key, part in value.items():
            if key != "scale":
                yield from places_of(part, (*path, key))
    elif isinstance(value, list):
        for k, part in enumerate(value):
            yield from places_of(part, (*path, k))
    else:
        yield path, Fraction(value)


def replaced(value: Any, path: tuple[Any, ...], text: str) -> Any:
    if not path:
        return text
    if isinstance(value, dict):
        return {key: replaced(part, path[1:], text) if key == path[0] else part for key, part in value.items()}
    return [replaced(part, path[1:], text) if k == path[0] else part for k, part in enumerate(value)]


def _simpler(number: Fraction) -> list[Fraction]:
    """Simpler numbers, the simplest first."""
    sign = 1 if number > 0 else -1
    options = [Fraction(0), Fraction(sign), _halved(number), Fraction(round(number)), _towards_zero(number)]
    options += [number.limit_denominator(k) for k in range(2, min(number.denominator, 7))]
    if number < 0:
        options.append(-number)
    return [option for option in dict.fromkeys(options) if option != number]


def _halved(number: Fraction) -> Fraction:
    return Fraction(int(number / 2)) if abs(number) >= 2 else number


def _towards_zero(number: Fraction) -> Fraction:
    if number.denominator > 1:
        return Fraction(int(number))
    return number - (1 if number > 0 else -1) if number else number
