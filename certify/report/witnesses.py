"""What a verdict rests on, in sentences: plans, the regime, the selection, and each lemma with its witness."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..verifier import printer
from ..verifier.sorts import Tree
from .hearing import Asked, Failure, Hearing
from .numerals import exact, grouped, short
from .starts import measured_words, start_words

MANY = 6  # entries of a vector, rows of a matrix, weights that are written out


def sentences(hearing: Hearing) -> Iterator[str]:
    """The whole evidence, one sentence each."""
    plans, fields = hearing.certificate["plans"], hearing.certificate["instance"]
    if start_words(fields):
        yield start_words(fields)
    if hearing.verdict["kind"] == "measured":
        yield measured_words(hearing.verdict)
    if plans.get("selection"):
        yield from _selection(plans["selection"])
    if "regime" in plans:
        yield from _regime(hearing)
    for key, steps in plans["lines"].items():
        yield f"{_place(key)} {'; then '.join(_step(*group) for group in _joined(steps))}."
    facts = Counter(lemma(asked) for asked in hearing.asked)
    for words, times in facts.items():
        yield words if times == 1 else f"{words} (The same of {times} sets of points.)"
    others = len(hearing.certificate["lemmas"]) - len(hearing.asked)
    if others > 0:
        yield f"{others} more facts, about single random starts, are in the certificate."


def refusals(hearing: Hearing, failure: Failure) -> Iterator[str]:
    """Why an atom about a set or a matrix is false: the last fact of its line that was answered no."""
    denied = [asked for asked in hearing.asked if asked.line == failure.line and asked.answer is False]
    if denied and failure.atom[0] in ("in", "subset", "psd", "pd", "edge"):
        found = WORDS.get(denied[-1].operator)
        if found is not None:
            words = found(denied[-1])
            yield words[0].upper() + words[1:]


def moment(failure: Failure) -> str:
    """The failing atom with the values of its names, as text."""
    place = ", ".join(f"{name} = {grouped(value) if name[0] in 'rst' else value}"
                      for name, value in failure.where.items())
    return printer.term(failure.atom) + (f" at {place}" if place else "")


def vector(entries: list[Any]) -> str:
    """Exact entries in parentheses, the middle left out if there are many."""
    texts = [short(entry, 24) if isinstance(entry, str) else exact(entry) for entry in entries]
    shown = texts if len(texts) <= MANY else [*texts[:MANY - 1], f"... ({len(texts)} entries)"]
    return "(" + ", ".join(shown) + ")"


def matrix(rows: list[list[Any]]) -> str:
    shown = [vector(row) for row in rows[:MANY]] + ([f"... ({len(rows)} rows)"] if len(rows) > MANY else [])
    return "[" + "; ".join(shown) + "]"


def lemma(asked: Asked) -> str:
    """One lemma: the fact, and why it is one; a theory without words here is named, not explained."""
    line = f"For {asked.line}: " if asked.line else ""
    words = WORDS.get(asked.operator)
    if words is None:
        return f"{line}a fact of kind {asked.operator}, answered {_answer(asked.answer)}; see the certificate."
    return line + words(asked)


def _definite(asked: Asked) -> str:
    name, witness = matrix(asked.args[0]), asked.witness
    word = "positive semidefinite" if asked.operator == "psd" else "positive definite"
    if asked.answer is True and not witness["weights"]:
        return f"{name} is {word}: it is symmetric and diagonally dominant."
    if asked.answer is True:
        return f"{name} is {word}: it is F diag{vector(witness['weights'])} F' with F = {matrix(witness['factor'])}, " \
               "plus a diagonally dominant rest."
    if "asymmetric" in witness:
        i, j = witness["asymmetric"]
        return f"{name} is not {word}: it is not symmetric, its entries ({i}, {j}) and ({j}, {i}) differ."
    sign = "< 0" if asked.operator == "psd" else "<= 0"
    return f"{name} is not {word}: with v = {vector(witness['vector'])}, v'Mv {sign}."


def _eigenvalue(asked: Asked) -> str:
    name, witness = matrix(asked.args[0]), asked.witness
    low, high = asked.answer
    if low == high:
        return f"the largest eigenvalue of {name} is exactly {short(low)}: the vector {vector(witness['vector'])} " \
               "reaches it, and a sum of squares shows that it is not exceeded."
    return f"the largest eigenvalue of {name} lies between {short(low)} and {short(high)}: the vector " \
           f"{vector(witness['vector'])} reaches the lower bound, a sum of squares shows the upper one."


def _vertices(asked: Asked) -> str:
    count = len(asked.args[0])
    chosen = ", ".join(map(str, asked.answer[:MANY * 2])) + (", ..." if len(asked.answer) > MANY * 2 else "")
    return f"of {count} points those with index {chosen} are the vertices of the hull: each is the only one furthest " \
           "in some direction, and every other point is a mixture of points or a copy."


def _edge(asked: Asked) -> str:
    p, q, _ = asked.args
    if asked.answer is True:
        return f"{vector(p)} and {vector(q)} span an edge: both are furthest in the direction " \
               f"{vector(asked.witness['direction'])}, with only their segment."
    return f"{vector(p)} and {vector(q)} span no edge: " + (
        "they are one point." if "equal" in asked.witness else "a point between them mixes points elsewhere.")


def _inside(asked: Asked) -> str:
    word = "interior" if asked.operator == "interior" else "relative interior"
    if asked.answer is True:
        return f"{vector(asked.args[0])} lies in the {word} of the hull: it mixes points that span it all, with " \
               "positive weights."
    return f"{vector(asked.args[0])} does not lie in the {word} of the hull: no point lies before it in the " \
           f"direction {vector(asked.witness['normal'])}."


def _least(asked: Asked) -> str:
    if asked.operator == "nearest":
        return f"the point of the hull nearest to {vector(asked.args[1])} is {vector(asked.answer)}, by convex " \
               "weights at which no point of the hull lies further down the slope."
    return f"the least value of a convex quadratic over the hull of {len(asked.args[2])} points is " \
           f"{short(asked.answer)}, by convex weights at which no point of the hull lies further down the slope."


def _cells(asked: Asked) -> str:
    if asked.answer is True:
        return "one cell lies inside another: multipliers derive each of its half-spaces."
    return "one cell does not lie inside another: convex weights give a point of the first that misses the second."


def _answer(answer: Any) -> str:
    return short(answer) if isinstance(answer, str) else str(answer)[:60]


def _hull(asked: Asked) -> str:
    point, points = asked.args
    if asked.answer is True:
        weights = asked.witness["weights"]
        parts = " + ".join(f"{short(w, 24)} · {vector(points[j])}" for j, w in weights[:MANY])
        more = f" + ... ({len(weights)} points)" if len(weights) > MANY else ""
        return f"{vector(point)} lies in the hull: it is {parts}{more}, weights that add to 1."
    return (f"{vector(point)} lies outside the hull: in the direction {vector(asked.witness['normal'])} every one of "
            f"the {len(points)} points lies strictly beyond it.")


def _selection(entries: list[Any]) -> Iterator[str]:
    for t, i, weights in entries[:MANY]:
        chosen = " and ".join(f"token {j}" if w == "1" else f"token {j} with weight {short(w)}" for j, w in weights)
        yield f"At t = {grouped(t)} token {i} has leaders at several points; along this selection it follows {chosen}."
    if len(entries) > MANY:
        yield f"The selection fixes {len(entries)} ties in all; the certificate lists them."


def _regime(hearing: Hearing) -> Iterator[str]:
    field = hearing.certificate["plans"]["regime"]
    found = hearing.court.trajectory.regime
    start, targets = field["T"], field["targets"]
    resting = sorted({k for chosen in targets for k in chosen})
    state = hearing.court.trajectory.state(start)
    yield (f"From t = {grouped(start)} on no leader changes for ever: every token moves on the segment to a resting "
           f"point, x_i(t) = v_i + c(t) (x_i({grouped(start)}) - v_i), c({grouped(start)}) = 1.")
    shown = ", ".join(f"token {k} at {vector(state.point(k))}" for k in resting[:MANY])
    yield f"At rest: {shown}{f', ... ({len(resting)} tokens)' if len(resting) > MANY else ''}."
    if found.form is not None:
        yield f"The closed form is c(t) = {printer.term(found.form)}, which follows the step sizes identically."
    if "tail" in field:
        yield f"The remaining steps are summable: c(t) never falls below {exact(found.lowest)}."


def _place(key: str) -> str:
    line, *path = key.split("/")
    return f"{line}:" if not path else f"{line}, inside:"


def _joined(steps: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], int]]:
    """Neighbouring ranges of one kind as one, with the number of pieces: where a sign was found by halving."""
    group: dict[str, Any] | None = None
    pieces = 0
    for step in steps:
        alike = group is not None and step["by"] == group["by"] == "range" and step["period"] == group["period"]
        if group is not None and alike and group["to"] != "forever" and int(step["from"]) == int(group["to"]) + 1:
            group, pieces = {**group, "to": step["to"]}, pieces + 1
            continue
        if group is not None:
            yield group, pieces
        group, pieces = step, 1
    if group is not None:
        yield group, pieces


def _step(step: dict[str, Any], pieces: int) -> str:
    start = grouped(step["from"])
    forever = step["to"] == "forever"
    span = f"all t >= {start}" if forever else f"t = {start}" if step["to"] == step["from"] else \
        f"t = {start} to {grouped(step['to'])}"
    if step["by"] == "each":
        return f"{span}, evaluated one by one"
    classes = f", in {step['period']} residue classes" if step["period"] != 1 else ""
    if step["by"] == "range":
        how = f"in {pieces} ranges, each at once" if pieces > 1 else "at once"
        return f"{span} {how}{classes}, by an identity in t or the sign of a polynomial in t"
    words = f"{span} at once{classes}: after t = {grouped(step['T'])} the tokens stay in the hull they span then"
    if "tangent" in step:
        words += f", and a tangent at {vector(step['tangent'])} bounds the quadratic part"
    if "rate" in step:
        words += f", which keeps the quantity beyond {_expression(step['rate'])}"
    return words


def _expression(tree: Tree) -> str:
    return printer.term(tree) if isinstance(tree, list) else short(str(tree))


WORDS = {"psd": _definite, "pd": _definite, "lambda_max": _eigenvalue, "in_hull": _hull, "vertices": _vertices,
         "edge": _edge, "interior": _inside, "relative_interior": _inside, "least_over_hull": _least, "nearest": _least,
         "cell_subset": _cells}
