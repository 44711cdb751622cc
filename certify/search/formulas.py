"""Assumptions taken apart: definitions unfolded, conjunctions split, and linear forms in a matrix read off.

Only what is recognised here is met by construction; everything else is left to rejection, so that a wrong guess costs
time and never truth.
"""
from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ..verifier.sorts import Tree, sort_of_name

ZERO: Tree = ["num", "0"]
LATEST_MOMENT = 40  # later changes of a matrix are not proposed
Key = tuple[str, int | str | None]  # a matrix and the offset of its time: t + 1 is 1, the constant time 0 is "0"


def unfolded(tree: Tree, wheres: list[Tree]) -> Tree:
    """The tree with definitions replaced by their bodies, where no name is captured by it."""
    definitions = {entry[0]: entry for entry in wheres}

    def visit(part: Tree, meaning: dict[str, Tree]) -> Tree:
        if not isinstance(part, list):
            return part
        if part[:1] == ["var"]:
            return meaning.get(part[1], part)
        if part[:1] == ["use"] and part[1] in definitions:
            _, indices, parameters, body = definitions[part[1]]
            values = [visit(value, meaning) for value in (*part[2], *part[3])]
            outside = {name for value in values for name in variables(value)}
            if outside & binders(body):
                return part
            return visit(body, dict(zip((*indices, *parameters), values, strict=True)))
        return [visit(entry, meaning) for entry in part]

    return visit(tree, {})


def variables(tree: Tree) -> set[str]:
    """Names of variables that occur."""
    if not isinstance(tree, list):
        return set()
    return {tree[1]} if tree[:1] == ["var"] else {name for part in tree for name in variables(part)}


def binders(tree: Tree) -> set[str]:
    """Names that are bound somewhere inside."""
    if not isinstance(tree, list):
        return set()
    found = {name for part in tree for name in binders(part)}
    if tree[:1] in (["forall"], ["exists"]):
        found |= {binder[0] for binder in tree[1]}
    elif len(tree) == 3 and isinstance(tree[1], list) and tree[1] and isinstance(tree[1][0], str) and tree[0] in (
            "sum", "prod", "mean", "least", "greatest", "argmax", "argmin", "set"):
        found.add(tree[1][0])
    return found


def symbols(tree: Tree) -> set[str]:
    """Data that a formula speaks of: x, those of the system and the givens."""
    if not isinstance(tree, list):
        return set()
    found = {name for part in tree for name in symbols(part)}
    return found | {tree[1]} if tree[:1] == ["at"] else found


def atoms(formula: Tree) -> Iterator[tuple[list[Tree], Tree]]:
    """The conjuncts of a formula under its universal quantifiers, each with the binders around it."""
    if formula[0] == "forall":
        for inner, atom in atoms(formula[2]):
            yield [*formula[1], *inner], atom
    elif formula[0] == "and":
        yield from atoms(formula[1])
        yield from atoms(formula[2])
    else:
        yield [], formula


def number(tree: Tree) -> Fraction | None:
    """The value of a constant term."""
    operator = tree[0]
    if operator == "num":
        return Fraction(tree[1])
    if operator == "neg":
        value = number(tree[1])
        return None if value is None else -value
    if operator in ("add", "sub", "mul", "div"):
        left, right = number(tree[1]), number(tree[2])
        if left is None or right is None or (operator == "div" and right == 0):
            return None
        return {"add": left + right, "sub": left - right, "mul": left * right,
                "div": left / right if right else left}[operator]
    return None


def offset(tree: Tree, time: str) -> int | str | None:
    """k for the time t + k, "0" for the constant time 0."""
    if tree == ["var", time]:
        return 0
    if tree == ZERO:
        return "0"
    if tree[0] == "add" and tree[1] == ["var", time] and tree[2][0] == "num":
        return int(tree[2][1])
    return None


def linear(tree: Tree, time: str) -> dict[Key, Fraction] | None:
    """A matrix as a combination of data with constant factors; the identity is ("I", None)."""
    operator = tree[0]
    if tree == ZERO:
        return {}
    if operator == "identity":
        return {("I", None): Fraction(1)}
    if operator == "at":
        if len(tree) == 2:
            return {(tree[1], None): Fraction(1)}
        place = offset(tree[2], time) if len(tree) == 3 else None
        return None if place is None else {(tree[1], place): Fraction(1)}
    if operator == "neg":
        return scaled(linear(tree[1], time), Fraction(-1))
    if operator in ("add", "sub"):
        left = linear(tree[1], time)
        right = scaled(linear(tree[2], time), Fraction(1 if operator == "add" else -1))
        if left is None or right is None:
            return None
        total = {key: left.get(key, Fraction(0)) + right.get(key, Fraction(0)) for key in {**left, **right}}
        return {key: value for key, value in total.items() if value}
    if operator == "mul":
        factor = number(tree[1])
        return None if factor is None else scaled(linear(tree[2], time), factor)
    if operator == "div":
        factor = number(tree[2])
        return None if not factor else scaled(linear(tree[1], time), 1 / factor)
    return None


def scaled(form: dict[Key, Fraction] | None, factor: Fraction) -> dict[Key, Fraction] | None:
    return None if form is None else {key: factor * value for key, value in form.items()}


def quadratic(tree: Tree) -> tuple[str, Fraction] | None:
    """(M, a) if a term is a <M x_i, x_i> for a token at time 0; M is "I" or the name of a matrix."""
    operator = tree[0]
    if operator == "mul" and number(tree[1]) is not None:
        inner = quadratic(tree[2])
        factor = number(tree[1])
        return None if inner is None or factor is None else (inner[0], inner[1] * factor)
    if operator == "norm" and _start(tree[1]):
        return "I", Fraction(1)
    if operator == "pow" and tree[1][0] == "norm" and tree[2] == ["num", "2"]:
        return quadratic(tree[1])
    if operator == "inner" and _start(tree[2]):
        if tree[1] == tree[2]:
            return "I", Fraction(1)
        if tree[1][0] == "mul" and tree[1][2] == tree[2]:
            form = linear(tree[1][1], "t")
            if form is not None and len(form) == 1:
                (name, place), factor = next(iter(form.items()))
                if place in (None, "0", 0):
                    return name, factor
    return None


def _start(tree: Tree) -> bool:
    return bool(tree[0] == "at") and tree[1] == "x" and len(tree) == 4 and tree[2][0] == "var" and tree[3] == ZERO


def moments_of(tree: Tree) -> tuple[tuple[int, ...], int]:
    """Constant times that a claim names, in order, and its largest integer."""
    times: set[int] = set()
    largest = 0

    def visit(part: Tree, timed: bool) -> None:
        nonlocal largest
        if not isinstance(part, list):
            return
        if part[:1] == ["num"]:
            value = Fraction(part[1])
            largest = max(largest, abs(int(value)))
            if timed and value.denominator == 1 and 0 <= value <= LATEST_MOMENT:
                times.add(int(value))
        elif part[:1] == ["at"] and len(part) > 2:
            visit(part[-1], True)
        elif len(part) > 2 and part[1] in ("in", "le", "ge", "range") and isinstance(part[0], str):
            for entry in part[2:]:
                visit(entry, sort_of_name(part[0]) == "time")
        else:
            for entry in part:
                visit(entry, False)

    for section in tree[6:]:
        visit(section, False)
    return tuple(sorted(times)), largest
