"""The two geometric commands: hull vertices and the linear oracle of a file of points, each as a certified claim."""
from __future__ import annotations

import csv
import io
import sys
from pathlib import Path
from typing import Any

from .checking import Result, check
from .claims import parse
from .errors import InputError, UnableError
from .instances import MAX_FILE, _json, read_instance
from .numbers.rationals import matrix, text, vector
from .verifier.load import MAX_BYTES, canonical
from .verifier.systems import MAX_TOKENS

VERTICES = """claim geometry/vertices
  title   "The vertices of the hull of a set of points"
  reading "indices from 0; of equal points the first"
  system  none
  given   P: cloud
  value   vertices(P)
"""
LMO = """claim geometry/lmo
  title   "The points at which a linear function is least"
  reading "indices from 0; all points of the optimal face that are in the list, equal points too"
  system  none
  given   P: cloud;
          w: vector
  value   lmo(w, P)
"""
ACCEPTED = "a JSON list of points, a .csv file with one point a line, or a .npy array"


def read_points(source: str) -> list[list[Any]]:
    """Exact points from a file (JSON, CSV or .npy), or JSON from standard input for `-`."""
    if source == "-":
        return _points(_json(sys.stdin.read(), "standard input"), "standard input")
    path = Path(source)
    try:
        if path.stat().st_size > MAX_FILE:
            raise InputError(f"{path}: larger than {MAX_FILE} bytes")
        if path.suffix == ".npy":
            return _points(_array(path), str(path))
        content = path.read_text("utf-8")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or 'cannot be read'}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8 text; accepted: {ACCEPTED}") from None
    return _points(_rows(content) if path.suffix == ".csv" else _json(content, str(path)), str(path))


def _array(path: Path) -> Any:
    import numpy as np
    try:
        return np.load(path, allow_pickle=False)
    except (ValueError, OSError, EOFError) as error:
        raise InputError(f"{path}: not a readable .npy array ({error})") from None


def _rows(content: str) -> list[list[str]]:
    """The lines of a CSV file; a first line of names is left out."""
    lines = [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(content)) if any(map(str.strip, row))]
    if lines and not any(character.isdigit() for character in "".join(lines[0])):
        lines = lines[1:]
    return lines


def _points(values: object, where: str) -> list[list[Any]]:
    if isinstance(values, dict):
        raise InputError(f"{where}: an object; accepted: {ACCEPTED}")
    found = matrix(values, "points")
    if len(found) > MAX_TOKENS:
        raise UnableError(f"{where}: {len(found)} points; at most {MAX_TOKENS} can be certified")
    return found


def read_direction(written: str) -> list[Any]:
    """A direction from the command line: a JSON list, or numbers separated by commas or spaces."""
    if written.strip().startswith("["):
        return vector(_json(written, "--direction"), "direction")
    return vector(written.replace(",", " ").split(), "direction")


def hull_vertices(points: list[list[Any]]) -> Result:
    """The vertices with their certificate."""
    return _decided(VERTICES, P=_texts(points))


def linear_oracle(points: list[list[Any]], direction: list[Any]) -> tuple[Result, str]:
    """The minimisers of <direction, .> with their certificate, and the least value."""
    if len(direction) != len(points[0]):
        raise InputError(f"direction: {len(direction)} entries, but the points have dimension {len(points[0])}")
    result = _decided(LMO, P=_texts(points), w=[text(entry) for entry in direction])
    best = points[result.verdict["value"][0]]
    return result, text(sum(a * b for a, b in zip(direction, best, strict=True)))


def _texts(points: list[list[Any]]) -> list[list[str]]:
    return [[text(entry) for entry in point] for point in points]


def _decided(claim: str, **data: Any) -> Result:
    result = check(parse(claim), read_instance({"system": "none", **data}))
    if result.kind != "value" or result.certificate is None:
        raise UnableError(f"internal: {result.sentence()}")
    if len(canonical(result.certificate)) > MAX_BYTES:
        raise UnableError(f"the certificate would be larger than the {MAX_BYTES} bytes that a verifier reads")
    return result
