"""cells/1, producer's half: inclusion of cells by linear programs over convex weights."""
from __future__ import annotations

from typing import Any

from ..polytopes.cells import Cell, included
from .faces import exact


def find(operator: str, args: list[Any], bits: int) -> tuple[Any, Any]:
    """Answer and witness."""
    points, left_normals, left_offsets, right_normals, right_offsets = [exact(part) for part in args]
    corners = tuple(map(tuple, points))
    return included(Cell(corners, tuple(map(tuple, left_normals)), tuple(left_offsets)),
                    Cell(corners, tuple(map(tuple, right_normals)), tuple(right_offsets)))
