"""The producer's half of each theory: finding what the verifier's half re-checks."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import InputError
from ..verifier.kernel import lemma_address
from ..verifier.theories import cells as cells_check
from ..verifier.theories import faces as faces_check
from ..verifier.theories import hull as hull_check
from ..verifier.theories import program as program_check
from ..verifier.theories import psd as psd_check
from . import cells, faces, hull, program, psd

FINDERS: dict[str, tuple[Callable[..., tuple[Any, Any]], Any]] = {
    **dict.fromkeys(psd_check.OPERATORS, (psd.find, psd_check)),
    **dict.fromkeys(hull_check.OPERATORS, (hull.find, hull_check)),
    **dict.fromkeys(faces_check.OPERATORS, (faces.find, faces_check)),
    **dict.fromkeys(program_check.OPERATORS, (program.find, program_check)),
    **dict.fromkeys(cells_check.OPERATORS, (cells.find, cells_check)),
}


class Finder:
    """Answers what the evaluation asks by finding witnesses; remembers every lemma found.

    Each witness is verified before it is believed: the producer's own code is no authority either.
    """

    def __init__(self, bits: int = 64) -> None:
        self.bits = bits
        self.found: dict[str, tuple[dict[str, Any], Any]] = {}
        self.used: set[str] = set()

    def ask(self, operator: str, args: list[Any]) -> Any:
        key = lemma_address(operator, args)
        if key not in self.found:
            if operator not in FINDERS:
                raise InputError(f"no theory can answer {operator}")
            find, checker = FINDERS[operator]
            answer, witness = find(operator, args, self.bits)
            value = checker.check(operator, args, answer, witness)
            self.found[key] = ({"theory": checker.NAME, "answer": answer, "witness": witness}, value)
        self.used.add(key)
        return self.found[key][1]

    def lemmas(self) -> dict[str, Any]:
        """The lemmas asked for since `used` was last cleared."""
        return {key: self.found[key][0] for key in sorted(self.used)}
