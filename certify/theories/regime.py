"""regime/1, producer's half: when does the system begin to follow a closed form for ever?"""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flint import fmpq, fmpq_poly, fmpz_poly

from ..statements.parse import parse_expression
from ..verifier.exact import ONE, Rat, Reject, Undecided, common_denominator
from ..verifier.polynomial import Domain, Poly
from ..verifier.schedules import Sequence, lift, time_symbol
from ..verifier.schedules import expression as value_of
from ..verifier.sorts import Tree
from ..verifier.systems import Trajectory, leaders
from ..verifier.theories.regime import Regime

MAX_SHIFT = 50


def find_regime(trajectory: Trajectory, t: int) -> dict[str, Any] | None:
    """A regime that begins at t, if the state at t has one; every condition is checked by the verifier's own code."""
    state = trajectory.state(t)
    if all(row == state.rows[0] for row in state.rows):
        near = [list(range(len(state.rows)))] * len(state.rows)
    else:
        matrix, _ = common_denominator(trajectory.instance.sequences["B"].at(t))
        near = leaders(state.rows, matrix)
    targets = []
    for members in near:
        if trajectory.policy == "every":
            if any(state.rows[j] != state.rows[members[0]] for j in members):
                return None
            targets.append(members[:1])
        else:
            targets.append(members)
    if trajectory.policy == "every" and any(
            state.rows[targets[s[0]][0]] != state.rows[s[0]] for s in targets):
        return None  # a leader that moves
    steps: Sequence = trajectory.instance.sequences["g"]
    field: dict[str, Any] = {"T": t, "targets": targets}
    form = closed_contraction(steps, t)
    if form is not None:
        field["c"] = form
    found = None
    for attempt in (field, *({**field, "tail": tail} for tail in tails(steps))):
        try:
            Regime(attempt, trajectory)
        except (Reject, Undecided):
            continue
        found = attempt
        if "tail" in attempt or not summable(trajectory, attempt):
            break  # a tail is kept where it says more: that the contraction has a positive limit
    return found


def summable(trajectory: Trajectory, field: dict[str, Any]) -> bool:
    """Whether the contraction has a positive limit, but no closed form that shows it."""
    return "c" not in field and Regime(field, trajectory).decay() == "positive"


def powers_and_time(form: Tree | None) -> bool:
    """Whether a closed form mixes powers r^t with t itself: its signs are hard to show, those of a symbol are not."""
    operators: set[str] = set()
    free = [0]

    def walk(tree: Tree) -> None:
        if tree[0] == "pow":
            operators.add("pow")
        elif tree == ["var", "t"]:
            free[0] += 1
        elif tree[0] != "num":
            for part in tree[1:]:
                walk(part)

    if form is not None:
        walk(form)
    return bool(operators) and free[0] > 0


def closed_contraction(steps: Sequence, start: int) -> Tree | None:
    """An expression for the product of 1 - g(s) over start <= s < t, if it telescopes."""
    if steps.kind == "cycle" and any(v != steps.values[0] for v in steps.values):
        return None
    if steps.kind != "scale":
        if start < steps.settled:
            return None
        factor = ONE - steps.at(start)
        if factor.n == 0:
            return None
        return parse_expression(f"({factor.text()})^{_ahead(start)}", "c")
    quotient = _fraction(steps.scale)
    if quotient is None:
        return None
    num, den = quotient
    if not num.coeffs():
        return None
    top, bottom = _factors(den - num), _factors(den)
    if top is None or bottom is None:
        return None
    text = _telescope(top[1], bottom[1], start)
    if text is None:
        return None
    rate = top[0] / bottom[0]
    if rate <= 0:
        return None
    if rate != 1:
        text += f"*({rate})^{_ahead(start)}"
    form = parse_expression(text, "c")
    try:
        at_start = value_of(form, Rat(start))
    except Undecided:
        return None
    return form if at_start == ONE else None


def _fraction(scale: Tree) -> tuple[fmpz_poly, fmpz_poly] | None:
    """g as a quotient of integer polynomials in t."""
    try:
        value = lift(value_of(scale, time_symbol(0), Domain(4096, None, 1)))
    except (Undecided, Reject):
        return None
    if any(name != "t" for name in value.num.symbols() + value.den.symbols()):
        return None
    return _integral(value.num, value.den)


def _integral(num: Poly, den: Poly) -> tuple[fmpz_poly, fmpz_poly]:
    polys = []
    for poly in (num, den):
        parts = [p.as_constant() or Rat(0) for p in poly.by_power("t")]
        polys.append(fmpq_poly([fmpq(p.n, p.d) for p in parts]))
    scale = polys[0].denom() * polys[1].denom()
    top, bottom = (fmpz_poly([int((scale * c).p) for c in poly.coeffs()]) for poly in polys)
    common = top.gcd(bottom)
    return (top // common, bottom // common) if top.coeffs() else (top, bottom)


def _factors(poly: fmpz_poly) -> tuple[fmpq, list[fmpq_poly]] | None:
    """Leading coefficient and monic irreducible factors, repeated."""
    if not poly.coeffs():
        return None
    content, found = poly.factor()
    leading = fmpq(content)
    monic = []
    for factor, power in found:
        head = fmpq(factor.coeffs()[-1])
        leading *= head**power
        monic += [fmpq_poly([fmpq(c) / head for c in factor.coeffs()])] * power
    return leading, monic


def _telescope(top: list[fmpq_poly], bottom: list[fmpq_poly], start: int) -> str | None:
    """Text of the product, pairing each factor f(t) above with one f(t + shift) below."""
    if len(top) != len(bottom):
        return None
    above: list[str] = []
    below: list[str] = []
    left = list(bottom)
    for factor in top:
        degree = factor.degree()
        for other in left:
            if other.degree() != degree:
                continue
            shift = (other.coeffs()[degree - 1] - factor.coeffs()[degree - 1]) / degree
            if shift.q != 1 or abs(shift) > MAX_SHIFT or factor(fmpq_poly([shift, 1])) != other:
                continue
            left.remove(other)
            for k in range(int(shift.p)):  # product f(s)/f(s+m) = product over k < m of f(T+k)/f(t+k)
                above.append(str(factor(fmpq(start + k))))
                below.append(_poly_text(factor(fmpq_poly([k, 1]))))
            for k in range(int(shift.p), 0):  # a negative shift: f(t+k)/f(T+k)
                above.append(_poly_text(factor(fmpq_poly([k, 1]))))
                below.append(str(factor(fmpq(start + k))))
            break
        else:
            return None
    return _product(above) + (f"/({_product(below)})" if below else "")


def _ahead(start: int) -> str:
    return f"(t - {start})" if start else "t"


def _product(parts: list[str]) -> str:
    kept = [part for part in parts if part != "1"]
    return "*".join(f"({part})" if "t" in part else part for part in kept) or "1"


def _poly_text(poly: fmpq_poly) -> str:
    """A monic polynomial, highest power first."""
    terms = []
    for k, c in reversed(list(enumerate(poly.coeffs()))):
        if c:
            power = f"t^{k}" if k > 1 else "t" if k else ""
            terms.append(power if c == 1 and k else f"({c})*{power}" if k else f"({c})")
    return " + ".join(terms)


def tails(steps: Sequence) -> Iterable[Tree]:
    """Candidates h for h(t) - h(t+1) >= g(t), where the sum of g converges."""
    if steps.kind != "scale":
        return
    quotient = _fraction(steps.scale)
    if quotient is not None:
        num, den = quotient
        if num.coeffs() and den.degree() - num.degree() >= 2:
            drop = den.degree() - num.degree() - 1
            lead = abs(fmpq(num.coeffs()[-1]) / fmpq(den.coeffs()[-1])) / drop
            for factor in (1, 2, 4):
                for shift in (0, 1, 2):
                    yield parse_expression(f"({lead * factor})/(t - {shift})^{drop}" if shift
                                           else f"({lead * factor})/t^{drop}", "tail")
        return
    for ratio in ("1/2", "1/4", "3/4", "1/3", "2/3", "7/8", "15/16"):
        for scale in (1, 2, 4, 16):
            yield parse_expression(f"{scale}*({ratio})^t", "tail")
