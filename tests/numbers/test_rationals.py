"""Reading and writing exact numbers; invalid input first."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq, fmpz
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.errors import CertifyError, InputError
from certify.numbers import fraction, matrix, rational, text, vector

exactly = settings(deadline=None, derandomize=True, max_examples=200)

REFUSED_TEXT = [
    "", " ", "+", "-", ".", "e5", "1e", "1e+", "--1", "+-1", "1/0", "0/0", "-3/000", "1//2", "1/2/3", "/2", "1/",
    "1/-2", "1/+2", "1.5/2", "1/2e3", "1 2", "1 /2", "1/ 2", "1_000", "0x10", "0b1", "1j", "nan", "NaN", "inf",
    "-Infinity", "1,5", "1.2.3", "1\n2", "\x00", "1\x00", "\u0661", "\uff11", "\u00bd", "__import__('os').getcwd()",
    "fmpq(1)", "2**3", "1;2",
]  # fmt: skip


@pytest.mark.parametrize("written", REFUSED_TEXT)
def test_malformed_text_is_refused_in_one_line(written: str) -> None:
    with pytest.raises(InputError) as caught:
        rational(written, "x[0][1]")
    message = str(caught.value)
    assert message.startswith("x[0][1]: ") and "; accepted: " in message and "\n" not in message


@pytest.mark.parametrize(
    "value",
    [
        True, False, np.True_, None, b"1", 1j, np.complex128(1), [1], (1,), {1}, {}, object(), int, np.array([1]),
        Fraction, float("nan"), float("inf"), -float("inf"), np.float32("nan"), np.float64("inf"), np.longdouble("nan"),
        np.longdouble("-inf"), Decimal("nan"), Decimal("snan"), Decimal("-inf"), np.datetime64("2020-01-01"),
    ],
)  # fmt: skip
def test_other_values_are_refused(value: object) -> None:
    with pytest.raises(InputError, match="accepted") as caught:
        rational(value)
    assert isinstance(caught.value, CertifyError)


@pytest.mark.parametrize("written", ["1e20001", "-1e-20001", "0.1E+99999999999999999999999", "0e20001"])
def test_large_exponents_are_refused(written: str) -> None:
    with pytest.raises(InputError, match="exponents of at most 20000"):
        rational(written)
    with pytest.raises(InputError, match="accepted"):
        rational(Decimal("1e30000"))


@pytest.mark.parametrize(
    "value",
    [
        "9" * 20001, "-" + "9" * 20001, "0." + "3" * 20001, "1/" + "7" * 20001, "1" + "0" * 10**6, "1e20000",
        "1.5e-20000", 10**20000, -(10**20000), fmpz(10) ** 20000, fmpq(1, 10**20000), Fraction(1, 10**20000),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_long_numbers_are_refused(value: object) -> None:
    with pytest.raises(InputError, match=r"g: a number of more than 20000 digits; .* at most 20000 digits") as caught:
        rational(value, "g")
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "value",
    ["9" * 20000, "-" + "9" * 20000, "+" + "9" * 20000, "1/" + "9" * 20000, "1e19999", "1e-19999", 10**20000 - 1],
    ids=lambda value: type(value).__name__,
)
def test_the_longest_numbers_are_read(value: object) -> None:
    exact = rational(value)
    assert rational(text(exact)) == exact
    assert max(len(str(abs(exact.p))), len(str(exact.q))) == 20000


def test_beyond_the_digits_that_python_reads() -> None:
    digits = "7" * 10_000
    assert rational(digits) == fmpq(fmpz(7) * (fmpz(10) ** 10_000 - 1) / 9)
    assert text(rational(digits)) == digits
    assert fraction(rational(digits)) == Fraction(7 * (10**10_000 - 1), 9)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("3", "3"), ("+3", "3"), (" -3 ", "-3"), ("007", "7"), ("-0", "0"), ("4/6", "2/3"), ("-4/6", "-2/3"),
        ("6/3", "2"), ("0/7", "0"), ("0.1", "1/10"), ("-1.25", "-5/4"), (".5", "1/2"), ("5.", "5"), ("1e-3", "1/1000"),
        ("1E3", "1000"),
        ("-2.50e+1", "-25"), ("0e0", "0"), ("1e-0005", "1/100000"), ("\t1/2\n", "1/2"), (0.5, "1/2"), (-0.0, "0"),
        (0.1, "3602879701896397/36028797018963968"), (5, "5"), (fmpz(-5), "-5"), (fmpq(1, 3), "1/3"),
        (10**30, "1" + "0" * 30),
        (Fraction(2, -4), "-1/2"), (Decimal("0.10"), "1/10"), (Decimal("1E+2"), "100"), (Decimal("-0"), "0"),
        (np.int8(-7), "-7"), (np.uint64(2**64 - 1), "18446744073709551615"), (np.float64(0.25), "1/4"),
        (np.float32(0.1), "13421773/134217728"), (np.float16(0.5), "1/2"), (np.longdouble(0.75), "3/4"),
        (np.str_("1/3"), "1/3"), (np.array(2), "2"), (2.0**1000, str(2**1000)), (5e-324, f"1/{2**1074}"),
    ],
)  # fmt: skip
def test_numbers_are_read_exactly(value: object, expected: str) -> None:
    assert text(rational(value)) == expected


def test_extended_precision_is_not_rounded() -> None:
    third = np.longdouble(1) / np.longdouble(3)
    numerator, denominator = third.as_integer_ratio()
    assert fraction(rational(third)) == Fraction(int(numerator), int(denominator))


@exactly
@given(st.fractions())
def test_text_and_fraction_go_there_and_back(value: Fraction) -> None:
    exact = rational(value)
    assert fraction(exact) == value
    assert text(exact) == str(value)
    assert rational(text(exact)) == exact == rational(exact)


@exactly
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_the_dyadic_it_is(value: float) -> None:
    assert fraction(rational(value)) == Fraction(value)
    assert fraction(rational(repr(value))) == Fraction(repr(value))


@exactly
@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_a_decimal_is_what_is_written(value: Decimal) -> None:
    assert fraction(rational(value)) == Fraction(value) == fraction(rational(str(value)))


@exactly
@given(st.text(alphabet="0123456789+-./eE_ nai", max_size=8))
def test_text_agrees_with_fractions_or_is_refused(written: str) -> None:
    try:
        expected: Fraction | None = Fraction(written)
    except (ValueError, ZeroDivisionError):
        expected = None
    if expected is None or "_" in written:
        with pytest.raises(InputError):
            rational(written)
    elif len(written.strip().lower().split("e")[-1]) < 6:
        assert fraction(rational(written)) == expected


def test_vectors() -> None:
    assert vector([1, "1/2", 0.25, np.float32(2)]) == [fmpq(1), fmpq(1, 2), fmpq(1, 4), fmpq(2)]
    assert vector(np.array([0.1, 1])) == [rational(0.1), fmpq(1)]
    assert vector(np.array([0.1, 1], dtype=np.longdouble)) == [rational(np.longdouble(0.1)), fmpq(1)]
    assert vector((fmpq(1, 3),)) == [fmpq(1, 3)]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "w: nothing is in the list"),
        (np.zeros(0), "w: nothing is in the list"),
        ("12", "w: a value of type str is not a list"),
        (3, "w: a value of type int is not a list"),
        (np.float64(3), "w: a value of type float is not a list"),
        ({1, 2}, "w: a value of type set is not a list"),
        ({"a": 1}, "w: a value of type dict is not a list"),
        ([1, True], r"w\[1\]: a truth value"),
        ([1, "x"], r"w\[1\]: 'x' is not a number"),
        ([[1]], r"w\[0\]: a value of type list is not a number"),
        (np.eye(2), r"w\[0\]: a value of type list is not a number"),
        (np.array([1.0, np.nan]), r"w\[1\]: nan is not a finite number"),
    ],
)
def test_vectors_refused(values: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        vector(values, "w")


def test_matrices() -> None:
    assert matrix([[1, 2], ["1/2", 0.5]]) == [[fmpq(1), fmpq(2)], [fmpq(1, 2), fmpq(1, 2)]]
    assert matrix(np.eye(2, dtype=int)) == [[fmpq(1), fmpq(0)], [fmpq(0), fmpq(1)]]
    assert matrix([np.array([0.5]), (2,)]) == [[fmpq(1, 2)], [fmpq(2)]]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "B: nothing is in the list"),
        ([[]], r"B\[0\]: nothing is in the list"),
        ([[1, 2], []], r"B\[1\]: nothing is in the list"),
        ([[1, 2], [3]], r"B\[1\]: a row of length 1 where the first has 2"),
        ([[1], [2], [3, 4]], r"B\[2\]: a row of length 2 where the first has 1"),
        ([1, 2], r"B\[0\]: a value of type int is not a list"),
        (["12", "34"], r"B\[0\]: a value of type str is not a list"),
        ([[1, 2], [3, None]], r"B\[1\]\[1\]: a value of type NoneType"),
        (np.zeros((2, 0)), r"B\[0\]: nothing is in the list"),
        (np.zeros((2, 2, 2)), r"B\[0\]\[0\]: a value of type list is not a number"),
    ],
)
def test_matrices_refused(rows: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        matrix(rows, "B")
