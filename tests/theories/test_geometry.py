"""hull/2, program/1, cells/1: both answers of every operator are found and accepted, corrupted ones are not."""
from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest
from flint import fmpq

from certify.errors import CertifyError
from certify.theories import FINDERS, Finder
from certify.verifier.exact import Rat, Reject, Undecided


def rats(values: Any) -> Any:
    if isinstance(values, list | tuple):
        return [rats(entry) for entry in values]
    number = fmpq(*map(int, values.split("/"))) if isinstance(values, str) else fmpq(values)
    return Rat(int(number.p), int(number.q))


SQUARE = [[0, 0], [2, 0], [0, 2], [2, 2]]
CROWD = [*SQUARE, [1, 1], [2, 0], [1, 0], ["1/3", "1/2"]]
EYE, FLAT = [[1, 0], [0, 1]], [[1, 0], [0, 0]]
# operator, arguments, the right answer
CASES: list[tuple[str, Any, Any]] = [
    ("interior", [[1, 1], SQUARE], True), ("interior", [[1, 0], SQUARE], False), ("interior", [[5, 5], SQUARE], False),
    ("interior", [[1, 0], [[0, 0], [2, 0]]], False),
    ("relative_interior", [[1, 0], [[0, 0], [2, 0]]], True), ("relative_interior", [[0, 0], SQUARE], False),
    ("relative_interior", [[1, 1], [[0, 0], [2, 0]]], False), ("relative_interior", [[3], [[3]]], True),
    ("vertices", [CROWD], [0, 1, 2, 3]), ("vertices", [[[1, 2, 3]]], [0]), ("vertices", [[[1], [1]]], [0]),
    ("edge", [[0, 0], [2, 0], CROWD], True), ("edge", [[0, 0], [2, 2], CROWD], False),
    ("edge", [[0, 0], [1, 0], CROWD], False), ("edge", [[0, 0], [0, 0], CROWD], False),
    ("edge", [[1, 1], [2, 2], CROWD], False), ("edge", [[0], [1], [[0], [1]]], True),
    ("least_over_hull", [EYE, [0, 0], [[1, 0], [0, 1], [3, 3]]], "1/4"),
    ("least_over_hull", [FLAT, [0, 1], SQUARE], "0"), ("least_over_hull", [[[0, 0], [0, 0]], [-1, 0], SQUARE], "-2"),
    ("nearest", [EYE, [3, 1], SQUARE], ["2", "1"]), ("nearest", [EYE, [1, 1], SQUARE], ["1", "1"]),
    ("program", [[[0]], [1], [[-1]], [-3], [], []], "3"), ("program", [[[2]], [-1], [], [], [], []], "-1/4"),
    ("program", [[[0]], [1], [[1], [-1]], [0, -1], [], []], "infeasible"),
    ("program", [[[0]], [1], [[1]], [0], [], []], "unbounded"),
    ("program", [FLAT, [0, -1], [], [], [[1, 0]], [1]], "unbounded"),
    ("program", [EYE, [0, 0], [[-1, 0]], [-1], [[1, 1]], [3]], "9/4"),
    ("cell_subset", [SQUARE, [[1, 0]], [1], [[1, 0]], [0]], True),
    ("cell_subset", [SQUARE, [[1, 0]], [0], [[1, 0]], [1]], False),
    ("cell_subset", [SQUARE, [[1, 0]], [9], [[0, 1]], [9]], True),
    ("cell_subset", [SQUARE, [[1, 0], [0, 1]], [1, 1], [[1, 1]], [2]], True),
]
NAMES = [f"{case[0]}-{k}" for k, case in enumerate(CASES)]


def lemma(operator: str, args: Any) -> tuple[Any, Any, Any]:
    find, checker = FINDERS[operator]
    answer, witness = find(operator, args, 64)
    return answer, witness, checker


@pytest.mark.parametrize(("operator", "args", "expected"), CASES, ids=NAMES)
def test_the_right_answer_is_found_and_accepted(operator: str, args: Any, expected: Any) -> None:
    answer, witness, checker = lemma(operator, rats(args))
    assert answer == expected and isinstance(witness, dict)
    checker.check(operator, rats(args), answer, witness)
    Finder().ask(operator, rats(args))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def with_change(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    changed = copy.deepcopy(value)
    at = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = new
    return changed


RUBBISH: list[Any] = [None, True, 0, -1, 7, "0", "-1", "5/7", "1/0", "02", "x", [], ["1"], [[0, "1"]], {}, 1.5]


@pytest.mark.parametrize(("operator", "args", "expected"), CASES, ids=NAMES)
def test_no_change_of_a_witness_shows_anything_else(operator: str, args: Any, expected: Any) -> None:
    """Whatever is put anywhere into answer or witness: rejected, or still the right answer."""
    answer, witness, checker = lemma(operator, rats(args))
    both, rejected = {"answer": answer, "witness": witness}, 0
    for path in places(both):
        for new in RUBBISH:
            changed = with_change(both, path, new)
            if not isinstance(changed, dict) or set(changed) != {"answer", "witness"}:
                continue
            try:
                checker.check(operator, rats(args), changed["answer"], changed["witness"])
            except (Reject, Undecided, TypeError, KeyError, ValueError, AttributeError, IndexError):
                rejected += 1
                continue
            assert changed["answer"] == expected and type(changed["answer"]) is type(expected)
    assert rejected > 10


@pytest.mark.parametrize(("operator", "args", "expected"), CASES, ids=NAMES)
def test_the_witness_of_one_lemma_does_not_serve_a_false_answer(operator: str, args: Any, expected: Any) -> None:
    """Every witness found for any case of the operator, with every other answer, on these arguments."""
    checker = FINDERS[operator][1]
    for other, other_args, _ in CASES:
        if other != operator:
            continue
        _, witness, _ = lemma(operator, rats(other_args))
        for wrong in (True, False, "0", "3", "infeasible", "unbounded", [0], ["1", "1"], [0, 1, 2]):
            if wrong == expected and type(wrong) is type(expected):
                continue
            with pytest.raises((Reject, Undecided, TypeError, KeyError, ValueError, IndexError)):
                checker.check(operator, rats(args), wrong, witness)


BAD: list[tuple[str, Any, Any, Any, str]] = [
    ("interior", [[1, 1], SQUARE], True, {"weights": [[0, "1/2"], [3, "1/2"]]}, "do not span enough"),
    ("interior", [[1, 1], SQUARE], True, {"weights": [[0, "1/2"], [2, "1/2"]]}, "do not give the point"),
    ("interior", [[1, 1], SQUARE], True, {"weights": [[0, "1/2"], [3, "1/4"]]}, "do not sum to 1"),
    ("interior", [[1, 1], SQUARE], True, {"weights": [[3, "1/2"], [0, "1/2"]]}, "not a weight"),
    ("interior", [[1, 1], SQUARE], False, {"normal": ["0", "0"]}, "the normal is zero"),
    ("interior", [[1, 1], SQUARE], False, {"normal": ["1", "0"]}, "wrong side"),
    ("relative_interior", [[1, 0], [[0, 0], [2, 0]]], False, {"normal": ["0", "1"]}, "strictly beyond"),
    ("vertices", [SQUARE], [0, 1, 2], {"reasons": [{"direction": ["-1", "-1"]}, {"direction": ["1", "-1"]},
     {"direction": ["-1", "1"]}, {"same": 0}]}, "not the first equal point"),
    ("vertices", [SQUARE], [0, 1, 2, 3], {"reasons": [{"direction": ["-1", "0"]}] * 4}, "not alone at the top"),
    ("vertices", [[[1], [1]]], [1], {"reasons": [{"same": 1}, {"direction": ["1"]}]}, "not the first equal point"),
    ("vertices", [[[1], [1]]], [0], {"reasons": [{"direction": ["1"]}, {"direction": ["1"]}]}, "first of equal points"),
    ("vertices", [[[1], [1]]], [], {"reasons": [{"weights": [[1, "1"]]}, {"same": 0}]}, "not of other points"),
    ("edge", [[0, 0], [2, 2], SQUARE], True, {"direction": ["0", "0"]}, "another point reaches"),
    ("edge", [[0, 0], [2, 0], SQUARE], True, {"direction": ["1", "-1"]}, "not level"),
    ("edge", [[0, 0], [2, 0], SQUARE], False, {"weights": [[0, "1/2"], [1, "1/2"]]}, "no point outside"),
    ("edge", [[0, 0], [2, 0], SQUARE], False, {"weights": [[0, "1/2"], [2, "1/2"]]}, "not in the segment"),
    ("edge", [[0, 0], [1, 1], SQUARE], False, {"weights": [[0, "1"]]}, "not among the points"),
    ("program", [[[-1]], [0], [], [], [], []], "0", {"point": ["0"], "upper": [], "equal": [], "convex": {
        "factor": [["1"]], "weights": ["1"]}}, "diagonally dominant"),
    ("program", [[[0]], [1], [[-1]], [0], [], []], "0", {"point": ["0"], "upper": ["0"], "equal": [], "convex": {
        "factor": [[]], "weights": []}}, "balance"),
    ("program", [[[0]], [0], [[-1]], [0], [], []], "unbounded", {"point": ["0"], "ray": ["1"]}, "fall for ever"),
    ("program", [[[1]], [-1], [], [], [], []], "unbounded", {"point": ["0"], "ray": ["1"]}, "fall for ever"),
    ("program", [[[0]], [1], [[-1]], [0], [], []], "infeasible", {"upper": ["0"], "equal": []}, "no contradiction"),
    ("least_over_hull", [EYE, [0, 0], SQUARE], "4", {"weights": [[3, "1"]], "convex": {
        "factor": [[], []], "weights": []}}, "lower point"),
    ("nearest", [FLAT, [0, 0], SQUARE], ["0", "0"], {"weights": [[0, "1"]], "convex": {
        "factor": [[], []], "weights": []}}, "diagonally dominant"),
    ("cell_subset", [SQUARE, [[1, 0]], [0], [[1, 0]], [1]], True, {"multipliers": [["1"]]}, "not implied"),
    ("cell_subset", [SQUARE, [[1, 0]], [0], [[-1, 0]], [0]], True, {"multipliers": [["-1"]]}, "negative multiplier"),
    ("cell_subset", [SQUARE, [[1, 0]], [0], [[1, 0]], [1]], True, {"empty": ["1"]}, "not shown to be empty"),
    ("cell_subset", [SQUARE, [[1, 0]], [1], [[1, 0]], [2]], False, {"weights": [[0, "1"]], "side": 0}, "left cell"),
    ("cell_subset", [SQUARE, [[1, 0]], [1], [[1, 0]], [1]], False, {"weights": [[1, "1"]], "side": 0}, "beyond"),
    ("cell_subset", [SQUARE, [[1, 0]], [1], [[1, 0]], [1]], False, {"weights": [[1, "1"]], "side": -1}, "beyond"),
]


@pytest.mark.parametrize(("operator", "args", "answer", "witness", "reason"), BAD,
                         ids=[f"{case[0]}-{k}" for k, case in enumerate(BAD)])
def test_corruptions_are_rejected_with_the_reason(operator: str, args: Any, answer: Any, witness: Any,
                                                  reason: str) -> None:
    with pytest.raises(Reject, match=reason):
        FINDERS[operator][1].check(operator, rats(args), answer, witness)


def test_random_lemmas_are_accepted() -> None:
    rng = random.Random(3)
    finder = Finder()
    for _ in range(60):
        d = rng.randint(1, 4)
        points = [[rng.randint(-2, 2) for _ in range(d)] for _ in range(rng.randint(1, 7))]
        point = [rng.randint(-2, 2) for _ in range(d)]
        finder.ask("vertices", rats([points]))
        finder.ask("interior", rats([point, points]))
        finder.ask("relative_interior", rats([point, points]))
        finder.ask("edge", rats([points[0], points[-1], points]))
        square = [[rng.randint(-2, 2) for _ in range(d)] for _ in range(rng.randint(0, d))]
        matrix = [[sum(row[i] * row[j] for row in square) for j in range(d)] for i in range(d)]
        finder.ask("least_over_hull", rats([matrix, point, points]))
        finder.ask("nearest", rats([[[entry + (i == j) for j, entry in enumerate(row)] for i, row in enumerate(matrix)],
                                    point, points]))
    assert len(finder.lemmas()) > 200


def test_a_concave_quadratic_has_no_lemma() -> None:
    with pytest.raises(CertifyError):
        Finder().ask("least_over_hull", rats([[[-1]], [0], [[1], [2]]]))
