"""Statements about t growing without bound: tends, bigO, geometric.

In a regime the closed form gives the limit or the growth. In a trap one lower bound for ever is enough to deny them.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .evaluate import Env, Evaluator, Later, Truth, conjunction, dot, entrywise, join
from .exact import Rat, Undecided
from .polynomial import Domain, Poly, Ratio
from .schedules import Scalar, at_least_zero, expression, lift, time_symbol
from .sorts import Tree
from .theories.regime import Regime, without_decaying

if TYPE_CHECKING:
    from .kernel import Court


def decide_limit(court: Court, tree: Tree, env: Env, steps: list[Any]) -> Truth:
    """Truth of a limit along a plan of one step."""
    from .kernel import FOREVER, PlanError, read_span
    step = steps[0]
    start, end = read_span(step)
    if len(steps) != 1 or end != FOREVER:
        raise PlanError("a limit has a plan of one step for ever")
    evaluator = court.evaluator
    period = court.enter(step)
    try:
        verdict: Truth = True
        for residue in range(period):
            evaluator.domain = evaluator.new_domain(start + residue, None, period)
            inner = {**env, tree[1]: Later(0)}
            value = _by_rate(court, tree, env, inner, step) if evaluator.trap is not None \
                else _in_closed_form(court, tree, env, inner)
            verdict = conjunction(verdict, value)
        return verdict
    except Undecided:
        return None
    finally:
        evaluator.domain = evaluator.trap = None


def _by_rate(court: Court, tree: Tree, env: Env, inner: Env, step: Any) -> Truth:
    """In a trap: False if the quantity stays beyond a positive rate that the limit excludes, True if within one."""
    if "rate" not in step:
        return None
    evaluator = court.evaluator
    domain = evaluator.range_now()
    rate = lift(expression(step["rate"], time_symbol(0), domain))
    value = lift(distance(evaluator, tree, env, inner))
    growth = degree(rate)
    if growth is None or not at_least_zero(rate, domain, True):
        return None
    if tree[0] == "bigO":
        bound = degree(lift(evaluator.scalar(tree[3], inner)))
        if bound is None:
            return None
        if growth <= bound:
            below = at_least_zero(rate - value, domain) and at_least_zero(rate + value, domain)
            return True if below else None
    elif tree[0] == "tends" and growth < 0:
        return None
    away = at_least_zero(value - rate, domain) or at_least_zero(-value - rate, domain)
    return False if away else None


def distance(evaluator: Evaluator, tree: Tree, env: Env, inner: Env) -> Scalar:
    """The scalar that a limit is about: for tends, the gap to the limit (squared, for vectors)."""
    value = evaluator.term(tree[2], inner)
    if tree[0] == "tends":
        goal = evaluator.like(evaluator.term(tree[3], env), value)
        value = entrywise(lambda a, b: join(lambda p, q: p - q, evaluator.number(a), evaluator.number(b)), value, goal)
    return dot(value, value) if isinstance(value, list) else evaluator.number(value)


def degree(value: Ratio) -> int | None:
    """Growth of a quotient of polynomials in t alone: it behaves like a constant times t^degree."""
    if not value.num.terms or any(name != "t" for name in value.num.symbols() + value.den.symbols()):
        return None
    return value.num.degree("t") - value.den.degree("t")


def _in_closed_form(court: Court, tree: Tree, env: Env, inner: Env) -> Truth:
    evaluator, regime = court.evaluator, court.trajectory.regime if court.trajectory else None
    value = evaluator.term(tree[2], inner)
    if tree[0] == "tends":
        goal = evaluator.like(evaluator.term(tree[3], env), value)
        pairs = list(zip(value, goal, strict=True)) if isinstance(value, list) else [(value, goal)]
        verdict: Truth = True
        for entry, wanted in pairs:
            reached = limit(lift(evaluator.number(entry)), regime, evaluator.range_now())
            verdict = conjunction(verdict, False if reached is None else evaluator.equal(reached, wanted))
        return verdict
    value = lift(evaluator.scalar(tree[2], inner))
    if not value.num.terms:
        return True
    lasting = _lasting(value, regime)
    if tree[0] == "geometric":
        if not lasting.num.terms:
            return True
        return False if degree(lasting) is not None or _single_slow_power(lasting, regime) else None
    bound = degree(lift(evaluator.scalar(tree[3], inner)))
    if bound is None:
        return None
    if not lasting.num.terms:
        return True
    growth = degree(lasting)
    if growth is not None:
        return growth <= bound
    largest = max(p.degree("t") for p in lasting.num.by_power("c")) - lasting.den.degree("t")
    return True if lasting.den.symbols() in ([], ["t"]) and largest <= bound else None


def _lasting(value: Ratio, regime: Regime | None) -> Ratio:
    """Without the terms that fade geometrically: those with a power r^t, or with c where it is geometric."""
    geometric = regime is not None and regime.form is None and regime.decay() == "geometric"
    if any(name != "t" for name in value.den.symbols()):
        raise Undecided("a denominator with more than t")
    lasting = Poly({m: a for m, a in value.num.terms.items()
                    if not any(name.startswith("e:") or (name == "c" and geometric) for name, _ in m)})
    if any(name not in ("t", "c") for name in lasting.symbols()):
        raise Undecided("a limit of a quantity known by bounds only")
    return Ratio(lasting, value.den)


def _single_slow_power(value: Ratio, regime: Regime | None) -> bool:
    """A(t) c^m with m > 0 where g tends to 0, c to 0 or to a positive number: slower than every geometric rate."""
    powers = [p for p in value.num.by_power("c") if p.terms]
    return regime is not None and regime.form is None and len(powers) == 1 and regime.decay() in ("slow", "positive")


def limit(value: Ratio, regime: Regime | None, domain: Domain) -> Scalar | None:
    """The limit as t grows, or None if there is none (the absolute value grows without bound)."""
    for poly in (value.num, value.den):
        for monomial in poly.terms:
            names = [name for name, _ in monomial]
            if "c" in names and "t" in names and regime is not None and regime.decay() != "geometric":
                raise Undecided("a product of t and c")
    num, den = _faded(value.num, regime, domain), _faded(value.den, regime, domain)
    if not den.terms:
        raise Undecided("a denominator that fades")
    top, bottom = num.by_power("t"), den.by_power("t")
    if not domain.nonnegative(bottom[-1], True) and not domain.nonnegative(-bottom[-1], True):
        raise Undecided("a leading coefficient that may vanish")
    if not num.terms:
        return Rat(0)
    if len(top) < len(bottom):
        return Rat(0)
    leading = Ratio(top[-1])
    if len(top) > len(bottom):
        if at_least_zero(leading, domain, True) or at_least_zero(-leading, domain, True):
            return None
        raise Undecided("a growth that is not known")
    result = leading / Ratio(bottom[-1])
    constant = result.as_constant()
    return constant if constant is not None else result


def _faded(poly: Poly, regime: Regime | None, domain: Domain) -> Poly:
    """What is left of a polynomial when r^t and c have reached their limits."""
    poly = without_decaying(poly)
    if "c" not in poly.symbols():
        return poly
    assert regime is not None
    decay = regime.decay()
    if decay in ("geometric", "slow", "vanishing"):
        return poly.by_power("c")[0]
    if decay != "positive":
        raise Undecided("the limit of c is not known")
    # c decreases to a positive number that is known only between bounds
    domain.bounds["L:c"] = (regime.lowest, regime.contraction_at(domain.start))
    if regime.lowest.n <= 0:
        raise Undecided("no positive lower bound of c is known")
    return poly.substitute("c", Poly.symbol("L:c"))
