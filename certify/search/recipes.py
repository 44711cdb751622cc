"""How each symbol of a claim is built so that the assumptions hold: the assumptions solved for their free symbols.

| assumption | construction |
|---|---|
| psd(-B[t]) | B = -F F' |
| psd(B[t+1] - B[t]) | a sequence built backwards, by adding positive semidefinite increments |
| psd(I - P) | P = F F'/(1 + trace F F') |
| g[t] = 2/(t+2) | assigned |
| 0 < g[t] < 1 | chosen from a list of schedules, each checked exactly |
| 0 in hull(x[0]) | one token is minus a nonnegative combination of others, or all are translated |
| <B x_i, x_i> = c | rational points of a quadric, by reflecting one of them |
| box(x[0]) | every coordinate an interval about four times an integer |
"""
from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction

from ..claims import Claim
from ..errors import CertifyError
from ..verifier import printer
from ..verifier.sorts import Tree, sort_of_name
from .formulas import ZERO, Key, atoms, linear, number, quadratic, symbols, unfolded, variables

STEP_SIZES = ("2/(t + 2)", "1/2", "1/(t + 2)", "1/(t + 1)", "1/3", "3/4", "1/10", "9/10", "1/(t + 2)^2",
              "(1/2)^(t + 1)", "(t + 1)/(t + 2)", "1", "0")


@dataclass(frozen=True)
class MatrixRecipe:
    """What is known of a matrix. With sign s != 0 it is s P with P positive semidefinite, and `trend` is that of P."""

    timed: bool
    sign: int = 0
    definite: bool = False
    symmetric: bool = False
    trend: str = "free"  # free, constant, down, up, in the order of semidefinite matrices
    identity: Fraction | None = None  # a multiple of the identity
    zero: bool = False
    follows_step: bool = False  # B[t] = g[t] M
    cap: Fraction | None = None  # cap I - P is positive definite


@dataclass(frozen=True)
class Quadric:
    """All tokens satisfy factor <M x_i, x_i> = value at the start: a number, the name of a given, or just equal."""

    matrix: str
    factor: Fraction
    value: Fraction | str | None
    partial: bool = False  # said of some tokens only: then others are tried too


@dataclass(frozen=True)
class Recipe:
    """Constructors of a claim's data, grouped by symbol."""

    system: str
    matrices: dict[str, MatrixRecipe]
    steps: tuple[str, ...]
    givens: dict[str, Tree]
    origin: bool = False
    quadric: Quadric | None = None
    box: bool = False
    built: tuple[str, ...] = ()  # assumptions that hold by construction
    rejected: tuple[str, ...] = ()  # assumptions that candidates are tried against
    contradiction: str = ""


@dataclass
class _Findings:
    forms: dict[str, list[tuple[dict[Key, Fraction], bool]]] = field(default_factory=dict)
    steps: list[str] = field(default_factory=list)
    filters: list[tuple[str, Tree]] = field(default_factory=list)
    origin: bool = False
    quadric: Quadric | None = None
    box: bool = False
    constant: set[str] = field(default_factory=set)
    identity: dict[str, Fraction] = field(default_factory=dict)
    symmetric: set[str] = field(default_factory=set)
    follows: set[str] = field(default_factory=set)
    caps: dict[str, Fraction] = field(default_factory=dict)


def recipe(claim: Claim) -> Recipe:
    """Match every assumption of a claim to a constructor."""
    tree = claim.tree
    data = claim.system[2] if claim.system is not None else []
    matrices = {name: MatrixRecipe(kind == "timed") for name, sort, kind in data if sort == "matrix"}
    matrices |= {given[0]: MatrixRecipe(False) for given in tree[5] if given[1] == "matrix"}
    scalars = [name for name, sort, _ in data if sort == "scalar"]
    found = _Findings()
    built: list[str] = []
    rejected: list[str] = []
    for name, formula in tree[7]:
        whole = unfolded(formula, tree[6])
        if scalars and symbols(whole) == {"g"}:
            found.filters.append((name, whole))
        matched = [_match(binders, atom, matrices, found) for binders, atom in atoms(whole)]
        (built if all(matched) or (scalars and symbols(whole) == {"g"}) else rejected).append(name)
    contradiction = ""
    for name, own in matrices.items():
        matrices[name], problem = _combined(own, name, found)
        contradiction = contradiction or problem
    steps, problem = _steps(claim, found) if scalars else ((), "")
    return Recipe(tree[4][0], matrices, steps, {given[0]: given for given in tree[5]}, found.origin, found.quadric,
                  found.box, tuple(built), tuple(rejected), contradiction or problem)


def _match(binders: list[Tree], atom: Tree, matrices: dict[str, MatrixRecipe], found: _Findings) -> bool:
    """Note what an atom says of one symbol; False if it is left to rejection."""
    names = [binder[0] for binder in binders]  # built for all of them, whatever range the quantifier has
    times = [name for name in names if sort_of_name(name) == "time"]
    time = times[0] if times else "t"
    if atom[0] in ("psd", "pd"):
        form = linear(atom[1], time)
        if form is not None and _capped(form, matrices, found):
            return True
        if form is None or len({name for name, _ in form}) != 1:
            return False
        name = next(iter(form))[0]
        places = {place for _, place in form}
        monotone = places == {0, 1} and sum(form.values()) == 0
        if name not in matrices or not (places in ({0}, {None}, {"0"}) or monotone):
            return False
        found.forms.setdefault(name, []).append((form, atom[0] == "pd"))
        return places != {0, 1} or atom[0] == "psd"
    if atom == ["in", ZERO, ["hull", ["at", "x", ZERO]]]:
        found.origin = True
        return True
    if atom == ["box", ["at", "x", ZERO]]:
        found.box = True
        return True
    if atom[0] == "eq":
        matched = _equation(atom, time, matrices, found)
        if matched and found.quadric is not None and any(binder[1:2] == ["of"] for binder in binders):
            found.quadric = replace(found.quadric, partial=True)
            return False
        return matched
    return False


def _capped(form: dict[Key, Fraction], matrices: dict[str, MatrixRecipe], found: _Findings) -> bool:
    """b I - a M with a, b > 0: M stays below a multiple of the identity."""
    others = [key for key in form if key[0] in matrices and key[1] in (0, None, "0")]
    if len(form) != 2 or len(others) != 1 or form.get(("I", None), 0) <= 0 or form[others[0]] >= 0:
        return False
    name, cap = others[0][0], form["I", None] / -form[others[0]]
    found.caps[name] = min(cap, found.caps.get(name, cap))
    return True


def _equation(atom: Tree, time: str, matrices: dict[str, MatrixRecipe], found: _Findings) -> bool:
    for left, right in (atom[1:], atom[:0:-1]):
        if left == ["at", "g", ["var", time]] and variables(right) <= {time} and not symbols(right):
            found.steps.append(printer.term(_renamed(right, time)))
            return True
        if left[0] == "at" and left[1] in matrices and right == ["transpose", left]:
            found.symmetric.add(left[1])
            return True
        form = quadratic(left)
        if form is not None and found.quadric is None:
            other, value = quadratic(right), number(right)
            if other == form and variables(left) != variables(right):
                found.quadric = Quadric(*form, None)
                return True
            if value is not None or (right[0] == "at" and len(right) == 2):
                found.quadric = Quadric(*form, value if value is not None else right[1])
                return True
    sides = [[side[k] for k in (1, 2)] if side[0] == "mul" else [] for side in atom[1:]]
    for name in matrices:
        now, first = (["at", name, ["var", time]], ["at", name, ZERO])
        step, start = (["at", "g", ["var", time]], ["at", "g", ZERO])
        if sides in ([[start, now], [step, first]], [[step, first], [start, now]]):
            found.follows.add(name)
            return True
    return _matrix_equation(linear(["sub", *atom[1:]], time), matrices, found)


def _matrix_equation(form: dict[Key, Fraction] | None, matrices: dict[str, MatrixRecipe], found: _Findings) -> bool:
    """B[t] = B[t+1] or B[t] = B[0]: constant; B[t] = c I."""
    names = {name for name, _ in form or {}}
    own = names - {"I"}
    if form is None or len(own) != 1 or not own <= set(matrices):
        return False
    name = own.pop()
    places = {place for key, place in form if key == name}
    if names == {name} and sum(form.values()) == 0 and places in ({0, 1}, {0, "0"}):
        found.constant.add(name)
        return True
    if len(places) == 1 and places <= {0, None}:
        found.identity[name] = -form.get(("I", None), Fraction(0)) / form[name, places.pop()]
        return True
    return False


def _renamed(tree: Tree, time: str) -> Tree:
    if tree == ["var", time]:
        return ["var", "t"]
    return [_renamed(part, time) for part in tree] if isinstance(tree, list) else tree


def _combined(own: MatrixRecipe, name: str, found: _Findings) -> tuple[MatrixRecipe, str]:
    """One recipe from all that is said of a matrix, and the contradiction if there is one."""
    if name in found.identity:
        return replace(own, identity=found.identity[name], trend="constant"), ""
    signs, directions, definite = set(), set(), False
    for form, strict in found.forms.get(name, []):
        if len(form) == 1:
            signs.add(1 if next(iter(form.values())) > 0 else -1)
            definite |= strict
        else:  # a (B[t] - B[t+1]) is psd
            directions.add(-1 if form[name, 0] > 0 else 1)
    if len(signs) == 2:
        problem = f"{name} and -{name} cannot both be definite" if definite else ""
        return replace(own, zero=True, trend="constant"), problem
    sign = next(iter(signs), 0)
    trend = "free"
    if name in found.constant or len(directions) == 2:
        trend = "constant"
    elif directions:
        trend = "up" if next(iter(directions)) * (sign or 1) > 0 else "down"
    symmetric = name in found.symmetric or bool(directions)
    return replace(own, follows_step=name in found.follows, cap=found.caps.get(name), sign=sign, definite=definite,
                   trend=trend, symmetric=symmetric), ""


def _steps(claim: Claim, found: _Findings) -> tuple[tuple[str, ...], str]:
    """Step sizes that meet every assumption about g alone, each checked exactly."""
    from ..instances import instance
    from .certifying import lines_hold
    candidates = list(dict.fromkeys(found.steps)) or list(STEP_SIZES)
    if not found.filters:
        return tuple(candidates[:-1]), ""
    kept = []
    for step in candidates:
        try:
            trial = instance("hardmax", x=[[1]], B=[[1]], g=step)
            if lines_hold(claim, trial, found.filters):
                kept.append(step)
        except CertifyError:
            continue
    names = " and ".join(name for name, _ in found.filters)
    if kept:
        return tuple(kept), ""
    if found.steps:
        return tuple(found.steps[:1]), f"no step size in [0, 1] meets {names}"
    return tuple(candidates), ""
