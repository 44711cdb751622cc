"""The words about polytopes in claims: verdicts, certificates that the verifier accepts, values."""
from __future__ import annotations

import copy
from typing import Any

import pytest

import certify
from certify.checking import Result
from certify.errors import InputError
from certify.verifier.exact import Reject
from certify.verifier.kernel import verify
from certify.verifier.load import canonical, parse

HEAD = "claim mine/words system hardmax, selection every "
SQUARE = [[1, 1], [1, -1], [-1, 1], [-1, -1]]
UNEVEN = [[2, 0], [0, 1], [-1, -1]]
EYE = [[1, 0], [0, 1]]


def decided(text: str, x: Any = None, B: Any = None, g: str = "1/2", **given: Any) -> Result:
    """The result, after its certificate has passed the verifier as bytes."""
    dynamics = {"x": x, "B": B or EYE, "g": g} if x is not None else {}
    data = certify.instance("hardmax" if dynamics else "none", **dynamics, **given)
    result = certify.check(certify.parse(text), data, horizon=40)
    if result.certificate is not None:
        assert verify(parse(canonical(result.certificate).encode()))["verdict"] == {
            k: v for k, v in result.verdict.items() if k != "evidence"}
    return result


@pytest.mark.parametrize(("formula", "x", "kind"), [
    ("0 in interior(hull(x[0]))", SQUARE, "holds"), ("0 in interior(hull(x[0]))", SQUARE[::3], "refuted"),
    ("0 in relint(hull(x[0]))", SQUARE[::3], "holds"), ("x[0] = x[0]", None, "error"),
    ("forall i: not x[i, 0] in relint(hull(x[0]))", SQUARE, "holds"),
    ("vertices(x[0]) = tokens", None, "error"),
    ("card(vertices(x[0])) = 4", [*SQUARE, [0, 0], [1, 1], [1, 0]], "holds"),
    ("forall i in vertices(x[0]): card({j : edge(x[i, 0], x[j, 0], hull(x[0]))}) = 2", SQUARE, "holds"),
    ("edge(0, x[0], hull(x[0]))", None, "error"),
    ("edge(0, 0, hull(x[0]))", SQUARE, "undecided"),
    ("forall i: x[i, 0] in cell(B[0], x[i, 0], hull(x[0]))", SQUARE, "holds"),
    ("forall i: x[i, 0] in cell(-B[0], x[i, 0], hull(x[0]))", SQUARE, "refuted"),
    ("forall i: cell(B[0], x[i, 0], hull(x[0])) = voronoi(B[0], x[i, 0], hull(x[0]))", SQUARE, "holds"),
    ("forall i: cell(B[0], x[i, 0], hull(x[0])) = voronoi(B[0], x[i, 0], hull(x[0]))", UNEVEN, "refuted"),
    ("exists i: cell(B[0], x[i, 0], hull(x[0])) != voronoi(B[0], x[i, 0], hull(x[0]))", UNEVEN, "holds"),
    ("forall i: cell(B[0], x[i, 0], hull(x[0])) subset cell(2*B[0], x[i, 0], hull(x[0]))", UNEVEN, "holds"),
    ("interior(hull(x[0])) subset interior(hull(x[0]))", SQUARE, "undecided"),
    ("forall i, j in lmo(x[i, 0], x[0]): <x[i, 0], x[j, 0]> = -support(-x[i, 0], hull(x[0]))", UNEVEN, "holds"),
    ("min_over(B[0], 0, hull(x[0])) = 0", SQUARE, "holds"), ("min_over(B[0], 0, hull(x[0])) > 0", SQUARE, "refuted"),
    ("min_over(-B[0], 0, hull(x[0])) <= 0", SQUARE, "undecided"),
    ("nearest(0, B[0], hull(x[0])) = 0", SQUARE, "holds"), ("nearest(0, 0, hull(x[0])) = 0", SQUARE, "undecided"),
    ("forall t: 0 in cell(B[t], 0, hull(x[t]))", SQUARE, "holds"),
])
def test_verdicts(formula: str, x: Any, kind: str) -> None:
    if kind == "error":
        with pytest.raises(InputError):
            certify.parse(HEAD + "assert " + formula)
        return
    assert decided(HEAD + "assert " + formula, x).kind == kind


R2 = """where Bs[t] = -B[t]; J[t](u) = 1/2*<Bs[t]*u, u>
  assume H1: forall t: psd(Bs[t]) H2: forall t: psd(Bs[t] - Bs[t + 1]) H3: forall t: g[t] = 2/(t + 2)
  assert forall t, i: J[t](x[i, t + 1]) - min_over(Bs[t], 0, hull(x[t + 1]))
           <= 2/(t + 1)*lambda_max(Bs[0])*diam(hull(x[0]))^2"""


@pytest.mark.parametrize("B", [[[-2, 0], [0, -1]], {"scale": "1/(t+1)", "matrix": [[-2, 0], [0, -1]]}])
def test_the_repair_with_a_minimum_over_the_hull_holds_for_ever(B: Any) -> None:
    """In a regime the minimum lies between those over the resting points and over the hull where the range begins."""
    result = decided(HEAD + R2, [[3, 1], [-1, 2], [0, -3], [1, 1]], B, "2/(t+2)")
    assert result.verdict["kind"] == "holds" and result.verdict["T"] == "forever"
    assert "program/1" in result.certificate["theories"]  # type: ignore[index]


def test_bounds_of_a_minimum_over_a_moving_hull_are_not_a_value() -> None:
    """What is known only between bounds is never equal to one of them."""
    moving = HEAD + "assert forall t: min_over(-B[t], 0, hull(x[t])) = 1/2"
    result = decided(moving, [[3], [1]], [[-1]], "1/2")
    assert result.kind in ("holds", "undecided")
    assert decided(HEAD + "assert forall t: min_over(-B[t], 0, hull(x[t])) >= 2", [[3], [1]], [[-1]]).kind == "refuted"


POINTS = [[0, 0], [1, 0], [0, 1], ["1/3", "1/3"], [1, 0]]


@pytest.mark.parametrize(("term", "value"), [
    ("vertices(P)", [0, 1, 2]), ("lmo(w, P)", [0]), ("lmo(-w, P)", [1, 2, 4]), ("support(w, hull(P))", "1"),
    ("diam(hull(P))", {"sqrt": "2"}), ("diam(hull(P))^2", "2"), ("nearest(2*w, I, hull(P))", ["1/2", "1/2"]),
    ("min_over(I, -w, hull(P))", "-3/4"), ("2*I", [["2", "0"], ["0", "2"]]), ("w", ["1", "1"]), ("7", "7"),
    ("sqrt(4)", "2"), ("card(vertices(P))", "3"), ("1/2", "1/2"),
])
def test_values(term: str, value: Any) -> None:
    text = f"claim mine/value system none given P: cloud; w: vector value {term}"
    result = decided(text, P=POINTS, w=[1, 1])
    assert result.verdict["kind"] == "value" and result.verdict["value"] == value
    assert result.ledger == [{"name": "assertion", "status": "true", "scope": "forever"}]
    assert certify.parse(certify.parse(text).text).tree == certify.parse(text).tree


def test_a_value_under_assumptions() -> None:
    text = "claim mine/value system none given a: scalar assume H: a > 0 value 1/a"
    assert decided(text, a=2).verdict["value"] == "1/2"
    assert decided(text, a=-2).verdict == {"kind": "vacuous", "line": "H", "evidence": "exact"}
    assert decided("claim mine/value system none given a: scalar value 1/a", a=0).kind == "undecided"
    assert decided("claim mine/value system none given a: scalar value sqrt(a) + 1", a=2).kind == "undecided"


def test_values_of_a_system() -> None:
    assert decided(HEAD + "value argmax j: <x[j, 1], x[j, 1]>", UNEVEN).verdict["value"] == [0]
    assert decided(HEAD + "value mean i: x[i, 1]", UNEVEN).kind == "value"
    tied = decided(HEAD + "value mean i: x[i, 1]", [[1, 0], [-1, 0], [0, 0]])
    assert tied.kind == "undecided"  # a token at 0 ties with every point


@pytest.mark.parametrize(("text", "message"), [
    ("claim a/b kind value system none assert 1 = 1", "ends with `value TERM`"),
    ("claim a/b system none given P: cloud value hull(P)", "a value is a scalar, vector, matrix, tokens"),
    ("claim a/b system none value 1 = 1", "unexpected '='"),
    ("claim a/b system none given P: cloud value P", "not a cloud"),
])
def test_what_is_not_a_value(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        certify.parse(text)


def test_a_changed_value_is_rejected() -> None:
    result = decided("claim mine/value system none given P: cloud value vertices(P)", P=POINTS)
    for change in ([0, 1], [0, 1, 2, 3], ["0", "1", "2"], "0", [0, 2, 1], [False, 1, 2]):
        broken = copy.deepcopy(result.certificate)
        assert broken is not None
        broken["verdict"]["value"] = change
        with pytest.raises(Reject):
            verify(broken)
    unexplained = copy.deepcopy(result.certificate)
    assert unexplained is not None
    unexplained["lemmas"] = {}
    with pytest.raises(Reject, match="a lemma on vertices is missing"):
        verify(unexplained)
