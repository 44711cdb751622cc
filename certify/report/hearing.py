"""An accepted certificate heard once more by the verifier's kernel, to show what it saw: witnesses, sides, moments.

Nothing here decides anything: the verdict is the verifier's. What is shown is read off the same evaluation, so that
the numbers beside a verdict are the numbers behind it.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..verifier.evaluate import Env, Root, unbounded
from ..verifier.exact import ONE, Rat, Reject, Undecided, sqrt_bounds
from ..verifier.kernel import Court, Lemmas
from ..verifier.load import address
from ..verifier.polynomial import Poly, Ratio
from ..verifier.sorts import Tree
from ..verifier.systems import State, Tie
from .numerals import about, exact
from .starts import undrawn_words

if TYPE_CHECKING:
    from .plane import Film

KEPT = 64  # what is remembered of trajectories, for the certificates that come next
SHARED: dict[tuple[str, str], tuple[Any, list[tuple[int, int]]]] = {}
COMPARISONS = {"le": "<=", "lt": "<", "ge": ">=", "gt": ">", "eq": "=", "ne": "!="}
OPPOSITE = {"le": ">", "lt": ">=", "ge": "<", "gt": "<=", "eq": "!=", "ne": "="}


@dataclass(frozen=True)
class Asked:
    """A lemma with the line that asked for it and the data it is about."""

    line: str
    operator: str
    args: list[Any]
    answer: Any
    witness: Any


class _Enough(Exception):
    """Every lemma has been asked for: nothing more is to be learnt from evaluating."""


class _Recording(Lemmas):
    def __init__(self, field: object) -> None:
        super().__init__(field)
        self.asked: list[Asked] = []
        self.court: Court | None = None

    def ask(self, operator: str, args: list[Any]) -> Any:
        before = len(self.answers)
        answer = super().ask(operator, args)
        if len(self.answers) > before:
            lemma = self.field[list(self.answers)[-1]]
            line = self.court.line if self.court is not None else ""
            self.asked.append(Asked(line, operator, args, lemma["answer"], lemma["witness"]))
            if len(self.answers) == len(self.field) and self.court is not None and self.court.line:
                raise _Enough
        return answer


@dataclass(frozen=True)
class Shown:
    """A value for a reader: its exact form (or exact bounds) and a decimal near it; `near` is for drawing."""

    exact: str
    about: str
    near: Fraction | None


@dataclass(frozen=True)
class Failure:
    """Where a line fails: the atom that is false, the values of the bound names, and the two sides of a comparison."""

    line: str
    atom: Tree
    where: dict[str, int]
    left: Shown | None = None
    right: Shown | None = None

    @property
    def opposite(self) -> str:
        return OPPOSITE.get(self.atom[0], "")


def apart(left: Shown, right: Shown) -> tuple[Shown, Shown]:
    """Two sides with as many decimals as it takes to tell them apart."""
    if left.near is None or right.near is None or left.near == right.near or " to " in left.about + right.about:
        return left, right
    for digits in range(6, 60, 2):
        one, two = about(left.near, digits), about(right.near, digits)
        if one != two:
            return Shown(left.exact, one, left.near), Shown(right.exact, two, right.near)
    return left, right


class Hearing:
    """One accepted certificate with its court."""

    def __init__(self, certificate: dict[str, Any]) -> None:
        self.certificate = certificate
        self.claim, self.system = certificate["claim"]["tree"], certificate["claim"]["system"]
        lemmas = _Recording(certificate["lemmas"])
        self.court = Court(self.claim, self.system, certificate["instance"], certificate["plans"], lemmas)
        lemmas.court = self.court
        try:
            for name, formula in self._heard() if lemmas.field else []:
                self.court.outcome(name, formula)
        except _Enough:
            pass
        self.asked = list(lemmas.asked)
        self.lines = {line["name"]: line for line in certificate["ledger"]}
        self.chosen: list[tuple[int, int]] = []  # ties at which a picture had to choose

    def _heard(self) -> list[tuple[str, Tree]]:
        """The lines that are evaluated as a whole: the assertion of a statistic is so on each random start only."""
        lines = [(name, formula) for name, formula in self.claim[7]]
        return lines if self.claim[2] == "statistic" else [*lines, ("assertion", self.claim[8])]

    @property
    def has_path(self) -> bool:
        """Whether there is one start, whose trajectory can be drawn."""
        return self.system is not None and not undrawn_words(self.certificate["instance"])

    @property
    def verdict(self) -> dict[str, Any]:
        return dict(self.certificate["verdict"])

    @cached_property
    def film(self) -> Film | None:
        """The frames of a planar instance, computed once for all claims about it."""
        from .plane import film
        found: Film | None = self.shared("film", lambda: film(self)) if self.has_path else None
        return found

    @cached_property
    def _path_key(self) -> str:
        """What the trajectory depends on."""
        data = ["x", *(entry[0] for entry in self.system[2])]
        fields = {name: self.certificate["instance"][name] for name in data}
        plans = self.certificate["plans"]
        return address([fields, self.system, self.claim[4][1], plans.get("selection"), "regime" in plans])

    def shared(self, what: str, make: Callable[[], Any]) -> Any:
        """Something that depends on the trajectory alone: other certificates about the same one find it again."""
        key = (what, self._path_key)
        if key not in SHARED:
            while len(SHARED) >= KEPT:
                SHARED.pop(next(iter(SHARED)))
            SHARED[key] = make(), list(self.chosen)
        found, chosen = SHARED[key]
        self.chosen = self.chosen or list(chosen)
        return found

    def formula(self, line: str) -> Tree:
        return next(f for name, f in [*self.claim[7], ["assertion", self.claim[8]]] if name == line)

    @cached_property
    def failure(self) -> Failure | None:
        """The false atom of the line that makes the verdict, if it is false at one moment."""
        kind = self.verdict["kind"]
        line = "assertion" if kind in ("refuted", "not here") else self.verdict.get("line")
        if line is None or self.lines[line]["status"] != "false":
            return None
        try:
            return self._failure(line)
        except (Reject, Undecided, RecursionError):
            return None

    def _failure(self, line: str) -> Failure | None:
        formula, evaluator = self.formula(line), self.court.evaluator
        self.court.line = line
        where: Env = {}
        if formula[0] == "forall":
            place = unbounded(formula)
            others = formula[1] if place is None else formula[1][:place] + formula[1][place + 1:]
            where = {} if place is None else {formula[1][place][0]: int(self.lines[line]["t"])}
            _, where, _ = evaluator.every(True, others, formula[2], where, (2,))
            formula = formula[2]
        atom, where = self._descend(formula, where, (2,))
        named = {name: value for name, value in where.items() if isinstance(value, int)}
        if atom[0] not in COMPARISONS:
            return Failure(line, atom, named)
        try:
            left, right = apart(*(self.shown(evaluator.term(side, where)) for side in atom[1:]))
        except Undecided:  # sides that are no numbers, such as cells
            return Failure(line, atom, named)
        return Failure(line, atom, named, left, right)

    def _descend(self, formula: Tree, where: Env, path: tuple[int, ...]) -> tuple[Tree, Env]:
        """The atom inside a false formula to which its falsity comes down, as far as that is one atom."""
        evaluator = self.court.evaluator
        operator = formula[0]
        if operator == "implies":
            return self._descend(formula[2], where, (*path, 2))
        if operator == "and":
            first = evaluator.truth(formula[1], where, (*path, 1)) is False
            return self._descend(formula[1 if first else 2], where, (*path, 1 if first else 2))
        if operator == "forall" and unbounded(formula) is None:
            _, inner, _ = evaluator.every(True, formula[1], formula[2], where, (*path, 2))
            return self._descend(formula[2], inner, (*path, 2))
        if operator == "use":
            return self._descend(evaluator.definitions[formula[1]][3], evaluator._call(formula, where), (-1,))
        return formula, where

    def shown(self, value: Any) -> Shown:
        """A value of the evaluator in exact form and about."""
        if isinstance(value, list):
            parts = [self.shown(entry) for entry in value]
            return Shown("(" + ", ".join(p.exact for p in parts) + ")", "(" + ", ".join(p.about for p in parts) + ")",
                         None)
        if isinstance(value, Root):
            square = value.square if isinstance(value.square, Rat) else value.square.as_constant()
            if square is not None:
                low, high = sqrt_bounds(square)
                text = exact(low) if low == high else f"√({exact(square)})"
                return Shown(text, about(low), Fraction(low.n, low.d))
        number = self.court.evaluator.number(value)
        if isinstance(number, Ratio):
            ends = self._bounds(number)
            middle = (ends[0] + ends[1]) / 2
            texts = [exact(Rat(end.numerator, end.denominator)) for end in ends]
            text = texts[0] if ends[0] == ends[1] else f"between {texts[0]} and {texts[1]}"
            near = list(dict.fromkeys(map(about, ends)))  # a box gives a wide range, a root a narrow one
            return Shown(text, " to ".join(near), middle)
        if not isinstance(number, Rat):
            raise Undecided("not a number")
        return Shown(exact(number), about(number), Fraction(number.n, number.d))

    def state(self, t: int) -> State:
        """The state at t, to be drawn: at a tie that no certificate settles it follows the first leader, on record."""
        _ = self.failure  # read before anything is chosen
        while True:
            try:
                found: State = self.court.trajectory.state(t)
                return found
            except Tie as tie:
                self.chosen.append((tie.t, tie.i))
                self.court.trajectory.selection[(tie.t, tie.i)] = [(tie.points[0], ONE)]

    def near(self, tree: Tree, where: Env) -> Fraction | None:
        """About the value of a scalar term, for drawing; None where it is undefined or asks for what is not here."""
        try:
            return self.shown(self.court.evaluator.term(tree, where)).near
        except (Reject, Undecided, ZeroDivisionError, RecursionError):
            return None

    def _bounds(self, value: Ratio) -> tuple[Fraction, Fraction]:
        """Rational bounds of a quotient of polynomials in numbers that are known by enclosures."""
        top, bottom = self._range(value.num), self._range(value.den)
        if bottom[0] <= 0 <= bottom[1]:
            raise Undecided("a quotient whose denominator may vanish")
        found = [a / b for a in top for b in bottom]
        return min(found), max(found)

    def _range(self, poly: Poly) -> tuple[Fraction, Fraction]:
        low = high = Fraction(0)
        for monomial, coefficient in poly.terms.items():
            ends = [Fraction(coefficient.n, coefficient.d)]
            for name, power in monomial:
                bounds = self.court.evaluator.enclosures.get(name)
                if bounds is None:
                    raise Undecided("a term that depends on time")
                for _ in range(power):
                    ends = [end * Fraction(b.n, b.d) for end in (min(ends), max(ends)) for b in bounds]
            low, high = low + min(ends), high + max(ends)
        return low, high
