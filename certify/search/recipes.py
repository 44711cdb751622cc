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
| (sum i: x[i,0]) = 0 | the last token is minus the sum of the others |
| trace(B[0]) = c; B[t+1] = r B[t] | scaled, or one entry moved; r^t M |
| a >= c for a given number | chosen beyond c |
| box(x[0]) | every coordinate an interval about four times an integer |

What is said of some times only is met in two ways: strictly, as if said of all times; and loosely, where it is left to
rejection and the matrices may change at the times that the claim names.
"""
from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction

from ..claims import Claim
from ..verifier import printer
from ..verifier.sorts import Tree, sort_of_name
from .bounds import COMPARED, Range, clash
from .formulas import ZERO, Key, atoms, linear, moments_of, number, quadratic, symbols, unfolded, variables
from .steps import step_sizes


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
    trace: Fraction | None = None
    ratio: Fraction | None = None  # B[t+1] = ratio B[t]


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
    centred: bool = False  # the tokens sum to 0
    loose: dict[str, MatrixRecipe] = field(default_factory=dict)  # without what is said of some times only
    moments: tuple[int, ...] = ()  # times that the claim names
    ranges: dict[str, Range] = field(default_factory=dict)  # of given numbers
    largest: int = 0  # integer in the claim
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
    centred: bool = False
    ranges: dict[str, Range] = field(default_factory=dict)
    traces: dict[str, Fraction] = field(default_factory=dict)
    ratios: dict[str, Fraction] = field(default_factory=dict)
    clashes: dict[str, str] = field(default_factory=dict)
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
    found, loose = _Findings(), _Findings()
    for given in tree[5]:
        if given[1] == "scalar" and len(given) == 4:
            found.ranges[given[0]] = Range().within(given[2], Fraction(given[3][1]))
    built: list[str] = []
    rejected: list[str] = []
    contradiction = clash(tree)
    wholes = [(name, unfolded(formula, tree[6])) for name, formula in tree[7]]
    for binders, atom in [part for _, whole in wholes for part in atoms(whole)]:
        if any(_is_constant(atom, binder[0]) for binder in binders if len(binder) == 1):
            _match(binders, atom, matrices, loose)
    constant = loose.constant | {name for name, known in matrices.items() if not known.timed}
    for name, whole in wholes:
        of_steps = bool(scalars) and symbols(whole) == {"g"}
        if of_steps:
            found.filters.append((name, whole))
        parts = list(atoms(whole))
        matched = [_match(binders, atom, matrices, found) for binders, atom in parts]
        always = [_at_all_times(binders, atom, constant) for binders, atom in parts]
        for (binders, atom), whenever in zip(parts, always, strict=True):
            if whenever:
                _match(binders, atom, matrices, loose)
        met = of_steps or (all(matched) and (all(always) or not symbols(whole) & set(matrices)))
        (built if met else rejected).append(name)
    if found.quadric is not None and found.centred:  # one of them is built, now this and now that
        about_tokens = [name for name, whole in wholes if name in built and "x" in symbols(whole)]
        built, rejected = [name for name in built if name not in about_tokens], [*about_tokens, *rejected]
    strict, loosely = dict(matrices), dict(matrices)
    for name, own in matrices.items():
        strict[name], problem = _combined(own, name, found)
        loosely[name], certain = _combined(own, name, loose)
        strict[name] = loosely[name] if problem else strict[name]
        contradiction = contradiction or certain
    moments, largest = moments_of(tree)
    steps: tuple[str, ...] = ()
    if scalars:
        steps, problem, met = step_sizes(claim, found.filters, list(dict.fromkeys(found.steps)), loose.steps, moments)
        contradiction = contradiction or problem
        if found.follows:  # a matrix is scaled by an expression only
            steps = tuple(step for step in steps if step[0] not in "[{")
        if not met:
            names = [name for name, _ in found.filters]
            built, rejected = [name for name in built if name not in names], names + rejected
    return Recipe(tree[4][0], strict, steps, {given[0]: given for given in tree[5]}, found.origin, found.quadric,
                  found.box, found.centred, loosely if loosely != strict else {}, moments, found.ranges, largest,
                  tuple(built), tuple(rejected), contradiction)


def demoted(found: Recipe, names: set[str]) -> Recipe:
    """The recipe with assumptions left to rejection that its constructors turned out not to meet."""
    return replace(found, built=tuple(name for name in found.built if name not in names),
                   rejected=(*found.rejected, *(name for name in found.built if name in names)))


def _at_all_times(binders: list[Tree], atom: Tree, constant: set[str]) -> bool:
    """Whether what an atom says of a matrix holds at every time."""
    free = {binder[0] for binder in binders if sort_of_name(binder[0]) == "time" and len(binder) == 1}
    if any(len(binder) > 1 and sort_of_name(binder[0]) != "time" for binder in binders):
        return False  # a set of tokens may be empty
    if atom[0] == "eq" and atom[1][0] not in ("at", "neg", "mul", "trace", "transpose", "add", "sub", "div"):
        return True

    def visit(tree: Tree) -> bool:
        if not isinstance(tree, list):
            return True
        if tree[:1] == ["at"] and tree[1] != "x" and len(tree) > 2:
            return tree[1] in constant or bool(variables(tree[2]) & free)
        return all(map(visit, tree))

    return visit(atom) or any(_is_constant(atom, name) for name in free)


def _is_constant(atom: Tree, time: str) -> bool:
    """B[t] = B[0] says something of all times, though a constant time stands in it; so does g[0] B[t] = g[t] B[0]."""
    return atom[0] == "eq" and ["at", "B", ["var", time]] in _parts(atom) and ["at", "B", ZERO] in _parts(atom)


def _parts(tree: Tree) -> list[Tree]:
    return [tree, *(part for entry in tree for part in _parts(entry))] if isinstance(tree, list) else []


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
    if atom[0] in COMPARED and _bounded(atom, found):
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


def _bounded(atom: Tree, found: _Findings) -> bool:
    """A given number compared with a constant."""
    for term, limit, operator in ((atom[1], atom[2], atom[0]), (atom[2], atom[1], COMPARED[atom[0]])):
        value = number(limit)
        if term[0] == "at" and len(term) == 2 and value is not None:
            found.ranges[term[1]] = found.ranges.get(term[1], Range()).within(operator, value)
            return True
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
        value = number(right)
        if left[0] in ("sum", "mean") and len(left[1]) == 1 and right == ZERO and left[2] == [
                "at", "x", ["var", left[1][0]], ZERO]:
            found.centred = True
            return True
        if left[0] == "trace" and left[1][:1] == ["at"] and left[1][1] in matrices and value is not None:
            found.traces[left[1][1]] = value
            return found.traces[left[1][1]] == value
        if left == ["at", "g", ["var", time]] and variables(right) <= {time} and not symbols(right):
            found.steps.append(printer.term(_renamed(right, time)))
            return True
        if left[0] == "at" and left[1] in matrices and right == ["transpose", left]:
            found.symmetric.add(left[1])
            return True
        form = quadratic(left)
        if form is not None and found.quadric is None:
            other = quadratic(right)
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
    if names == {name} and places == {0, 1}:
        found.ratios[name] = -form[name, 0] / form[name, 1]
        return True
    if len(places) == 1 and places <= {0, None, "0"}:
        former = found.identity.get(name)
        found.identity[name] = -form.get(("I", None), Fraction(0)) / form[name, places.pop()]
        if former is not None and former != found.identity[name]:
            found.clashes[name] = f"{name} cannot be both {former} I and {found.identity[name]} I"
        return True
    return False


def _renamed(tree: Tree, time: str) -> Tree:
    if tree == ["var", time]:
        return ["var", "t"]
    return [_renamed(part, time) for part in tree] if isinstance(tree, list) else tree


def _combined(own: MatrixRecipe, name: str, found: _Findings) -> tuple[MatrixRecipe, str]:
    """One recipe from all that is said of a matrix, and the contradiction if there is one."""
    signs, directions, definite = set(), set(), False
    for form, strict in found.forms.get(name, []):
        if len(form) == 1:
            signs.add(1 if next(iter(form.values())) > 0 else -1)
            definite |= strict
        else:  # a (B[t] - B[t+1]) is psd
            directions.add(-1 if form[name, 0] > 0 else 1)
    if name in found.identity:
        value = found.identity[name]
        against = {sign for sign in signs if sign * value < 0 or (definite and value == 0)}
        problem = f"{name} = {value} I has the wrong sign" if against else found.clashes.get(name, "")
        return replace(own, identity=value, trend="constant"), problem
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
    trace, problem = found.traces.get(name), ""
    if trace is not None and sign and (trace * sign < 0 or (definite and trace == 0)):
        problem = f"the trace of {name} cannot be {trace}"
    return replace(own, follows_step=name in found.follows, ratio=found.ratios.get(name), cap=found.caps.get(name),
                   trace=trace if not problem and trend not in ("up", "down") else None, sign=sign, definite=definite,
                   trend=trend, symmetric=symmetric), problem
