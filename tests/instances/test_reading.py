"""Instances: every way to write a number and a datum, and every way to get it wrong."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import certify
from certify.instances import load_instance

PLAIN: dict[str, Any] = {"x": [["3"], ["-1"]], "B": [["-1"]], "g": "2/(t+2)"}
exactly = settings(deadline=None, derandomize=True, max_examples=60)


def read(**changes: Any) -> certify.Instance:
    return certify.instance("hardmax", **{**PLAIN, **changes})


def from_json(tmp_path: Path, text: str) -> certify.Instance:
    path = tmp_path / "data.json"
    path.write_text(text, "utf-8")
    return load_instance(path)


# ---- numbers

NUMBERS: list[tuple[Any, str]] = [
    (3, "3"),
    (-3, "-3"),
    (0, "0"),
    ("3", "3"),
    ("+3", "3"),
    ("-0", "0"),
    ("007", "7"),
    (" 3 ", "3"),
    ("6/4", "3/2"),
    ("-6/4", "-3/2"),
    ("0/5", "0"),
    ("0.1", "1/10"),
    ("-1.25", "-5/4"),
    ("1e-3", "1/1000"),
    ("2.5E2", "250"),
    (".5", "1/2"),
    ("5.", "5"),
    ("1e3", "1000"),
    (0.5, "1/2"),
    (0.1, "3602879701896397/36028797018963968"),
    (-0.0, "0"),
    (1e300, str(int(1e300))),
    (Fraction(2, 6), "1/3"),
    (Decimal("0.10"), "1/10"),
    (np.float64(0.25), "1/4"),
    (np.float32(0.1), "13421773/134217728"),
    (np.int8(-3), "-3"),
    (10**30, str(10**30)),
    ("1" * 5000, "1" * 5000),
    (5e-324, f"1/{2**1074}"),
]


@pytest.mark.parametrize(("value", "text"), NUMBERS, ids=[repr(v)[:30] for v, _ in NUMBERS])
def test_numbers_are_exact(value: Any, text: str) -> None:
    assert read(x=[[value], ["1"]]).fields["x"][0] == [text]
    assert read(B=[[value]]).fields["B"] == [[text]]
    assert read(w=value).fields["w"] == text
    assert read(w=[value, 1]).fields["w"] == [text, "1"]
    assert read(B={"cycle": [[[value]], [["1"]]]}).fields["B"]["cycle"][0] == [[text]]


@pytest.mark.parametrize(
    ("value", "text"),
    [n for n in NUMBERS if n[1] in ("0", "1/2", "1/10", "1/4", "1/1000", "1/3")],
    ids=lambda v: repr(v)[:30],
)
def test_a_step_size_is_read_as_any_number(value: Any, text: str) -> None:
    assert read(g=value).fields["g"] == text
    assert read(g=[value, "1"]).fields["g"] == {"list": [text, "1"]}
    assert read(g={"cycle": [value]}).fields["g"] == {"cycle": [text]}


@exactly
@given(st.fractions())
def test_a_fraction_as_text_is_itself(value: Fraction) -> None:
    assert Fraction(read(w=str(value)).fields["w"]) == value
    assert read(w=value).fields["w"] == str(value)


@exactly
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_the_dyadic_number_that_it_is(value: float) -> None:
    assert Fraction(read(w=value).fields["w"]) == Fraction(value)
    assert read(w=np.float64(value)).fields["w"] == read(w=value).fields["w"]


@exactly
@given(st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-(10**6), max_value=10**6))
def test_a_number_in_a_file_is_the_decimal_that_is_written(value: Decimal) -> None:
    text = json.dumps({"system": "none"})[:-1] + f', "w": {value}' + "}"
    found = certify.instances.read_instance(certify.instances._json(text, "here"))
    assert Fraction(found.fields["w"]) == Fraction(value)


def test_a_plain_number_in_a_file_is_not_a_float(tmp_path: Path) -> None:
    found = from_json(tmp_path, '{"system": "hardmax", "x": [[0.1], [1e-3], [-0]], "B": [[1]], "g": 0.5, "w": 1E400}')
    assert found.fields["x"] == [["1/10"], ["1/1000"], ["0"]]
    assert found.fields["g"] == "1/2"
    assert found.fields["w"] == str(10**400)


BAD_NUMBERS: list[tuple[Any, str]] = [
    (True, "truth value"),
    (None, "NoneType"),
    ("", "not a number"),
    ("a", "not a number"),
    ("1/0", "divides by zero"),
    ("1/-2", "not a number"),
    ("1//2", "not a number"),
    ("1.2/3", "not a number"),
    ("0x10", "not a number"),
    ("1_000", "not a number"),
    ("١", "not a number"),
    ("1 2", "not a number"),
    ("nan", "not a number"),
    ("inf", "not a number"),
    (float("nan"), "not a finite number"),
    (float("inf"), "not a finite number"),
    (1j, "complex"),
    ({"a": 1}, "dict"),
    ("1e99999", "exponent"),
    ("9" * 20001, "digits"),
    (np.bool_(True), "truth value"),
    (b"1", "bytes"),
    ([], "list"),
]


@pytest.mark.parametrize(("value", "message"), BAD_NUMBERS, ids=[repr(v)[:20] for v, _ in BAD_NUMBERS])
def test_what_is_not_a_number_is_named_with_its_place(value: Any, message: str) -> None:
    with pytest.raises(certify.InputError) as error:
        read(x=[["1"], [value]])
    assert message in str(error.value)
    assert str(error.value).startswith("x[1][0]: ")
    assert "accepted" in str(error.value)
    with pytest.raises(certify.InputError, match=r"^B\[0\]\[0\]: "):
        read(B=[[value]])


# ---- shapes

SHAPES: list[tuple[dict[str, Any], str]] = [
    ({"x": []}, "x: nothing is in the list"),
    ({"x": [[]]}, "x[0]: nothing is in the list"),
    ({"x": [["1"], ["1", "2"]]}, "x[1]: a row of length 2 where the first has 1"),
    ({"x": ["1", "2"]}, "x[0]: a value of type str is not a list"),
    ({"x": "12"}, "x: a value of type str is not a list"),
    ({"x": {"a": 1}}, "x: not a list of tokens and not random starts"),
    ({"x": None}, "x: a value of type NoneType is not a list"),
    ({"x": np.array([1.0, 2.0])}, "x[0]: a value of type float is not a list"),
    ({"B": [["1", "2"]]}, "B: 1 by 2, but the tokens have dimension 1"),
    ({"B": [["1", "2"], ["3", "4"]]}, "B: 2 by 2, but the tokens have dimension 1"),
    ({"B": "1"}, "B: a value of type str is not a list"),
    ({"B": 5}, "B: a value of type int is not a list"),
    ({"B": {}}, "B: accepted: a matrix"),
    ({"B": {"scale": "1"}}, "B: accepted: a matrix"),
    ({"B": {"list": []}}, "B.list: expected a list of matrices"),
    ({"B": {"cycle": {}}}, "B.cycle: expected a list of matrices"),
    ({"B": {"list": [[["1"]]], "cycle": [[["1"]]]}}, "B: accepted: a matrix"),
    ({"B": {"list": [[["1"]], [["1", "2"]]]}}, "B.list[1]: 1 by 2"),
    ({"B": {"scale": "1/(t+1)", "matrix": [["1", "2"]]}}, "B.matrix: 1 by 2"),
    ({"B": {"scale": "1/(t+", "matrix": [["1"]]}}, "B.scale: "),
    ({"B": {"scale": None, "matrix": [["1"]]}}, "B.scale: a value of type NoneType"),
    ({"g": []}, "g: nothing is in the list"),
    ({"g": {"list": []}}, "g: nothing is in the list"),
    ({"g": {"scale": "1", "matrix": [["1"]]}}, "g: accepted: an expression in t"),
    ({"g": {"list": ["1/2"], "cycle": ["1/2"]}}, "g: accepted: an expression in t"),
    ({"g": None}, "g: a value of type NoneType"),
    ({"w": {}}, "w: a value of type dict"),
    ({"w": []}, "w: nothing is in the list"),
    ({"w": [["1"], ["1", "2"]]}, "w[1]: a row of length 2"),
    ({"w": ["1", ["2"]]}, "w[1]: a value of type list"),
]


@pytest.mark.parametrize(("changes", "message"), SHAPES, ids=[m[:40] for _, m in SHAPES])
def test_shapes_that_do_not_fit(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(certify.InputError) as error:
        read(**changes)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("key", ["x", "B", "g"])
def test_a_missing_key_is_named(key: str) -> None:
    rest = {name: value for name, value in PLAIN.items() if name != key}
    with pytest.raises(certify.InputError, match=f"key '{key}' is missing"):
        certify.instance("hardmax", **rest)


@pytest.mark.parametrize("system", ["nosuch", "", "Hardmax", "../hardmax", "hardmax.system"])
def test_an_unknown_system_is_refused(system: str) -> None:
    with pytest.raises(certify.InputError, match="hardmax"):
        certify.instance(system, **PLAIN)


@pytest.mark.parametrize("data", [[], "x", 5, None, {"x": [["1"]]}, {"system": 5}])
def test_what_is_not_an_object_with_a_system(data: Any) -> None:
    with pytest.raises(certify.InputError):
        certify.instances.read_instance(data)


# ---- expressions in t

EXPRESSIONS: list[tuple[str, Any]] = [
    ("2/(t+2)", lambda t: Fraction(2, t + 2)),
    ("1/2", lambda t: Fraction(1, 2)),
    ("1 - 1/2", lambda t: Fraction(1, 2)),
    ("(1/2)^t", lambda t: Fraction(1, 2**t)),
    ("1/2^t", lambda t: Fraction(1, 2**t)),
    ("0.25 + (-1/2)^(2*t + 1)/4", lambda t: Fraction(1, 4) + Fraction(-1, 2) ** (2 * t + 1) / 4),
    ("t/(t+1)", lambda t: Fraction(t, t + 1)),
    ("(t^2 + 1)/(t^2 + t + 1)", lambda t: Fraction(t * t + 1, t * t + t + 1)),
    ("-(-1/3)", lambda t: Fraction(1, 3)),
    (" 1 / ( t + 3 ) ", lambda t: Fraction(1, t + 3)),
    ("1/(1+(t-1000)^2)", lambda t: Fraction(1, 1 + (t - 1000) ** 2)),
]


@pytest.mark.parametrize(("text", "meaning"), EXPRESSIONS, ids=[t for t, _ in EXPRESSIONS])
def test_expressions_mean_what_they_say(text: str, meaning: Any) -> None:
    """B = -1: the token at 1/2 rests, the one at 1 keeps the product of 1 - g of its distance: each step shows g."""
    data = certify.instance("hardmax", x=[["1"], ["1/2"]], B=[["-1"]], g=text)
    assert data.with_fields().fields == data.fields  # printed and read again
    value = Fraction(1)
    from certify.simulation import simulate

    states = simulate(data, 6).states
    for t in range(6):
        assert Fraction(states[t][0][0]) == Fraction(1, 2) + value / 2
        value *= 1 - meaning(t)


BAD_EXPRESSIONS = [
    "",
    " ",
    "t+",
    "+t",
    "2 t",
    "2t",
    "t t",
    "(t",
    "t)",
    "1e-3*t",
    "x",
    "T",
    "t^",
    "t^^2",
    "1/",
    "sin(t)",
    "t!",
    "t[0]",
    "t.real",
    "__import__('os').system('x')",
    "lambda: 0",
    "exec('x')",
    "t if t else t",
    "1;2",
    "t\x00",
    "{t}",
    "[t]",
    "g",
    "t**2",
    "1,2",
    "forall t: 1 = 1",
    "min(t, 1)",
    "sqrt(t)",
    "#",
    "1 # comment\n+",
]


@pytest.mark.parametrize("text", BAD_EXPRESSIONS)
def test_what_is_not_an_expression_is_refused(text: str) -> None:
    for changes in ({"g": text}, {"B": {"scale": text, "matrix": [["1"]]}}):
        with pytest.raises(certify.InputError) as error:
            read(**changes)
        assert str(error.value).startswith(("g: ", "B.scale: "))
        assert "accepted" in str(error.value)


@pytest.mark.parametrize("text", ["1/0", "1/(2-2)", "0^(0-1)", "2^(1/2)", "9^999999999"])
def test_constants_that_are_undefined_are_refused(text: str) -> None:
    with pytest.raises(certify.InputError, match=r"^g: "):
        read(g=text)


def test_long_and_deep_expressions_are_refused_not_crashed_on() -> None:
    for text in (
        "(" * 4000 + "t" + ")" * 4000,
        "-" * 3000 + "t",
        "+".join(["1/(t+9)"] * 400),
        "t+" * 6000 + "t",
        "(" * 800 + "t",
        "^".join(["2"] * 500),
    ):
        with pytest.raises(certify.InputError):
            certify.check(certify.load("fw25v1/hull-shrinks"), read(g=text))


@pytest.mark.parametrize(
    ("g", "fine"),
    [
        ("0", True),
        ("1", True),
        ("2/(t+2)", True),
        ("1/(1+(t-1000)^2)", True),
        ({"cycle": ["0", "1"]}, True),
        ("t/(t+1)", True),
        ("1 - (1/2)^t", True),
        ("1/2 + (-1)^t/2", True),
        (["1", "0"], True),
        ("(t-3)^2/((t-3)^2+1)", True),
        ("-1/10", False),
        ("11/10", False),
        ("t/1000", False),
        ("1/2 + 1/(1+(t-1000)^2)", False),
        ("1 - (t-1000)^2/10^7", False),
        ("2/(t+1)", False),
        ("1/t", False),
        ("1/(t-7)", False),
        ("(t-3)/(t+1)", False),
        ({"cycle": ["1/2", "3/2"]}, False),
        (["1/2"] * 99 + ["2"], False),
        ("(-1/2)^t", False),
        ("2^t", False),
        ("1 + (1/2)^t", False),
        ("1/2 + (-1)^t", False),
    ],
)
def test_step_sizes_must_lie_in_the_unit_interval_at_every_time(g: Any, fine: bool) -> None:
    claim = certify.parse("claim mine/any system hardmax, selection every assert 1 = 1")
    if fine:
        assert certify.check(claim, read(g=g), horizon=2).kind == "holds"
        return
    with pytest.raises(certify.InputError, match="g"):
        certify.check(claim, read(g=g), horizon=2)


@pytest.mark.parametrize("scale", ["1/t", "1/(t-5)", "1/(t^2-49)", "1/(2-2^t)"])
def test_a_scale_must_be_defined_at_every_time(scale: str) -> None:
    claim = certify.parse("claim mine/any system hardmax, selection every assert 1 = 1")
    with pytest.raises(certify.InputError, match="B"):
        certify.check(claim, read(B={"scale": scale, "matrix": [["-1"]]}), horizon=2)


# ---- numpy, files, changes


def test_arrays_are_read() -> None:
    found = certify.instance(
        "hardmax",
        x=np.array([[3, 1], [-1, 0]]),
        B=np.eye(2),
        g=np.array([0.5, 0.25]),
        w=np.array([1.5, 2.0]),
        M=np.array([[1, 2], [3, 4]], dtype=np.int16),
        c=np.array(0.5),
    )
    assert found.fields == {
        "system": "hardmax",
        "x": [["3", "1"], ["-1", "0"]],
        "B": [["1", "0"], ["0", "1"]],
        "g": {"list": ["1/2", "1/4"]},
        "w": ["3/2", "2"],
        "M": [["1", "2"], ["3", "4"]],
        "c": "1/2",
    }
    assert read(B={"list": [np.eye(1), [["2"]]]}).fields["B"] == {"list": [[["1"]], [["2"]]]}
    assert read(x=[np.array([3.0]), [1]]).fields["x"] == [["3"], ["1"]]


@pytest.mark.parametrize("value", [np.float64(0.5), np.float32(0.5), np.array(0.5)])
def test_a_numpy_scalar_is_a_step_size(value: Any) -> None:
    assert read(g=value).fields["g"] == "1/2"
    assert read(B={"scale": value, "matrix": [["1"]]}).fields["B"]["matrix"] == [["1"]]


def test_npz_archives_are_read(tmp_path: Path) -> None:
    path = tmp_path / "data.npz"
    np.savez(path, system="hardmax", x=np.array([[3.0], [-1.0]]), B=np.array([[-1]]), g="2/(t+2)", w=np.array([0.5]))
    assert load_instance(path).fields == read(w=["1/2"]).fields
    np.savez(path, system="hardmax", x=np.array([["1/3"], ["-1"]]), B=np.array([[-1]]), g=np.float64(0.5))
    assert load_instance(path).fields == read(x=[["1/3"], ["-1"]], g="1/2").fields


def damaged(tmp_path: Path, name: str) -> Path:
    path = tmp_path / "bad.npz"
    if name == "object":
        np.savez(path, system="hardmax", x=np.array([[1, None]], dtype=object), allow_pickle=True)
    elif name == "an array alone":
        np.save(tmp_path / "one.npy", np.zeros(3))
        path.write_bytes((tmp_path / "one.npy").read_bytes())
    elif name == "truncated":
        np.savez(path, system="hardmax", x=np.zeros((50, 50)))
        path.write_bytes(path.read_bytes()[:300])
    else:
        path.write_bytes({"empty": b"", "text": b"hello", "a zip header": b"PK\x03\x04garbage"}[name])
    return path


@pytest.mark.parametrize("name", ["empty", "text", "a zip header", "an array alone", "object", "truncated"])
def test_a_damaged_archive_is_an_input_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(certify.InputError, match="npz"):
        load_instance(damaged(tmp_path, name))


BAD_FILES: list[tuple[bytes, str]] = [
    (b"", "not JSON"),
    (b"{", "not JSON"),
    (b"[1, 2]", "JSON object"),
    (b"\xff\xfe", "UTF-8"),
    (b'{"system": "hardmax"', "not JSON"),
    (b'{"system": "hardmax", "x": [["1"]], "x": [["2"]]}', "twice"),
    (b"[" * 100000, "nested too deeply"),
    (b'{"a":' * 3000, "nested too deeply"),
    (b'{"system": "none", "w": NaN}', "not a finite number"),
    (b'{"system": "none", "w": -Infinity}', "not a finite number"),
    (b"null", "JSON object"),
    (b'{"system": "none", "w": 01}', "JSON"),
    (b'{"system": "none", "w": 1e99999}', "exponent"),
    (b"{'system': 'none'}", "not JSON"),
]


@pytest.mark.parametrize(("content", "message"), BAD_FILES, ids=[repr(c[:30]) for c, _ in BAD_FILES])
def test_files_that_are_not_instances(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(certify.InputError) as error:
        load_instance(path)
    assert message in str(error.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "nosuch.json", tmp_path, tmp_path / "no" / "such.npz", tmp_path / ("a" * 300 + ".json")):
        with pytest.raises(certify.InputError):
            load_instance(path)


def test_changes_replace_and_add(tmp_path: Path) -> None:
    found = read().with_fields(g="1/2", w=["1", "2"])
    assert found.fields == read(g="1/2", w=["1", "2"]).fields
    assert (
        read(B={"scale": "1/(t+1)", "matrix": [["-1"]]}).with_fields(g="0").fields["B"]
        == read(B={"scale": "1/(t + 1)", "matrix": [["-1"]]}).fields["B"]
    )
    again = from_json(tmp_path, json.dumps(found.as_file()))
    assert again.fields == found.fields


def test_value_matrices() -> None:
    """P = (I + V)^-1 V; V = 1 gives 1/2, V = 3 gives 3/4; V = -1 is refused; both together are refused."""
    base = {"x": [["1"], ["2"]], "B": [["1"]]}
    one = certify.instance("hardmax-matrix", **base, V=[["1"]])
    assert one.fields["P"] == [["1/2"]]
    assert "V" not in one.fields
    assert certify.instance("hardmax", **base, V=[["1"]]).fields == one.fields
    two = certify.instance("hardmax-matrix", x=[["1", "0"]], B=[["1", "0"], ["0", "1"]], V=[["1", "1"], ["0", "1"]])
    assert two.fields["P"] == [["1/2", "1/4"], ["0", "1/2"]]
    with pytest.raises(certify.InputError, match="not invertible"):
        certify.instance("hardmax-matrix", **base, V=[["-1"]])
    with pytest.raises(certify.InputError, match="P"):
        certify.instance("hardmax-matrix", **base, V=[["1"]], P=[["1/2"]])
    assert one.with_fields(V=[["3"]]).fields["P"] == [["3/4"]]
    with pytest.raises(certify.InputError, match="may not depend on time"):
        certify.instance("hardmax-matrix", **base, P={"list": [[["1"]]]})


def test_givens_are_asked_for_and_nothing_else_is_taken() -> None:
    claim = certify.parse("claim mine/given system none given a: scalar >= 0; w: vector; M: matrix assert a >= 0")
    data = {"a": "1", "w": ["1", "2"], "M": [["1", "0"], ["0", "1"]]}
    assert certify.check(claim, certify.instance("none", **data)).kind == "holds"
    for key in data:
        with pytest.raises(certify.InputError, match=f"key '{key}' is missing"):
            certify.check(claim, certify.instance("none", **{k: v for k, v in data.items() if k != key}))
    for changes in (
        {"b": "1"},
        {"a": "-1"},
        {"a": ["1"]},
        {"w": "1"},
        {"w": ["1"]},
        {"M": [["1", "2"]]},
        {"x": [["1"]]},
    ):
        with pytest.raises(certify.InputError):
            certify.check(claim, certify.instance("none", **{**data, **changes}))
    with pytest.raises(certify.InputError, match="system"):
        certify.check(claim, read())
