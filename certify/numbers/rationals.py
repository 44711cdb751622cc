"""Reading what a user wrote as exact rationals, and writing rationals in one canonical form.

A float is the dyadic rational it is; the text "0.1" is 1/10. Text is parsed by flint, because Python's own `int`
refuses text of more than 4300 digits and its limit is global to the process.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from flint import fmpq, fmpz

from certify.errors import InputError

MAX_DIGITS = 20_000
MAX_EXPONENT = 20_000

_ACCEPTED = "an integer, a fraction 'p/q', a decimal such as '-1.25' or '1e-3', or a finite float"
_QUOTIENT = re.compile(r"([+-]?[0-9]+)(?:/([0-9]+))?")
_DECIMAL = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?)([0-9]+))?")
# An integer of fewer bits has at most MAX_DIGITS digits: 10^MAX_DIGITS has 66439 bits.
_SAFE_BITS = 66_438


def rational(value: object, where: str = "") -> fmpq:
    """The exact rational that a value stands for.

    Parameters
    ----------
    value
        int, fmpz, fmpq, Fraction, Decimal, float, a numpy integer or floating scalar, or text: "p", "p/q", "-1.25",
        "1e-3". Numerator and denominator have at most 20000 digits each.
    where
        the place of the value in the input, for the message of an error.

    Raises
    ------
    InputError
        for anything else: booleans, nan and infinities, malformed text, numbers that are too long.

    Examples
    --------
    >>> rational("0.1"), rational(0.5), rational(" -3/6 ")
    (1/10, 1/2, -1/2)
    >>> rational("1/0", "g[2]")
    Traceback (most recent call last):
    certify.errors.InputError: g[2]: '1/0' divides by zero; accepted: a nonzero denominator
    """
    if isinstance(value, str):
        return _short(_from_text(value, where), where)
    if isinstance(value, bool):
        raise _refusal("a truth value is not a number", where)
    if isinstance(value, fmpq):
        return _short(value, where)
    if isinstance(value, int | fmpz):
        return _short(fmpq(value), where)
    if isinstance(value, Fraction):
        return _short(fmpq(value.numerator, value.denominator), where)
    if isinstance(value, Decimal):
        return rational(str(value), where)
    if isinstance(value, float):
        return _from_float(value, where)
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        return _from_numpy(value, where)
    raise _refusal(f"a value of type {type(value).__name__} is not a number", where)


def text(q: fmpq) -> str:
    """The canonical text of a rational: "p" or "p/q" in lowest terms with q > 1, no plus sign.

    Examples
    --------
    >>> text(fmpq(6, -4)), text(fmpq(4, 2))
    ('-3/2', '2')
    """
    return str(q.p) if q.q == 1 else f"{q.p}/{q.q}"


def fraction(q: fmpq) -> Fraction:
    """The same number as a `fractions.Fraction`.

    Examples
    --------
    >>> fraction(fmpq(6, -4))
    Fraction(-3, 2)
    """
    return Fraction(int(q.p), int(q.q))


def vector(values: object, where: str = "") -> list[fmpq]:
    """The exact entries of a vector: a nonempty sequence, or a numpy array of one dimension.

    Examples
    --------
    >>> vector([1, "1/3", 0.25])
    [1, 1/3, 1/4]
    >>> vector([1, True], "w")
    Traceback (most recent call last):
    certify.errors.InputError: w[1]: a truth value is not a number; accepted: an integer, a fraction 'p/q', a decimal \
such as '-1.25' or '1e-3', or a finite float
    """
    entries = _sequence(values, where, "a nonempty list of numbers")
    return [rational(entry, f"{where}[{i}]") for i, entry in enumerate(entries)]


def matrix(rows: object, where: str = "") -> list[list[fmpq]]:
    """The exact entries of a matrix, row by row: nonempty rows of one length, or a numpy array of two dimensions.

    Examples
    --------
    >>> matrix([[1, 2], ["1/2", "0.1"]])
    [[1, 2], [1/2, 1/10]]
    >>> matrix([[1, 2], [3]], "B")
    Traceback (most recent call last):
    certify.errors.InputError: B[1]: a row of length 1 where the first has 2; accepted: rows of one length
    """
    exact = [
        vector(row, f"{where}[{i}]") for i, row in enumerate(_sequence(rows, where, "a nonempty list of nonempty rows"))
    ]
    for i, row in enumerate(exact):
        if len(row) != len(exact[0]):
            raise _refusal(
                f"a row of length {len(row)} where the first has {len(exact[0])}", f"{where}[{i}]", "rows of one length"
            )
    return exact


def _refusal(wrong: str, where: str, accepted: str = _ACCEPTED) -> InputError:
    return InputError(f"{where + ': ' if where else ''}{wrong}; accepted: {accepted}")


def _short(q: fmpq, where: str) -> fmpq:
    if q.height_bits() > _SAFE_BITS and max(abs(q.p), q.q) >= fmpz(10) ** MAX_DIGITS:
        raise _too_long(where)
    return q


def _too_long(where: str) -> InputError:
    return _refusal(
        f"a number of more than {MAX_DIGITS} digits",
        where,
        f"numerator and denominator of at most {MAX_DIGITS} digits each",
    )


def _from_text(value: str, where: str) -> fmpq:
    written = value.strip()
    shown = repr(written if len(written) <= 40 else written[:37] + "...")
    if quotient := _QUOTIENT.fullmatch(written):
        numerator, denominator = quotient[1], quotient[2] or "1"
        if max(len(numerator), len(denominator)) > MAX_DIGITS + 1:
            raise _too_long(where)
        # flint takes a minus sign but no plus sign
        bottom = fmpz(denominator)
        if bottom == 0:
            raise _refusal(f"{shown} divides by zero", where, "a nonzero denominator")
        return fmpq(fmpz(numerator.removeprefix("+")), bottom)
    decimal = _DECIMAL.fullmatch(written)
    if decimal is None or not (decimal[2] or decimal[3]):
        raise _refusal(f"{shown} is not a number", where)
    sign, whole, decimals, exponent_sign, exponent = (part or "" for part in decimal.groups())
    if len(whole) + len(decimals) > MAX_DIGITS:
        raise _too_long(where)
    exponent = exponent.lstrip("0") or "0"
    if len(exponent) > len(str(MAX_EXPONENT)) or int(exponent) > MAX_EXPONENT:
        raise _refusal(f"{shown} has an exponent that is too large", where, f"exponents of at most {MAX_EXPONENT}")
    power = int(exponent_sign + exponent) - len(decimals)
    digits = fmpz(whole + decimals)
    if sign == "-":
        digits = -digits
    return fmpq(digits * fmpz(10) ** power) if power >= 0 else fmpq(digits, fmpz(10) ** -power)


def _from_float(value: float, where: str) -> fmpq:
    try:
        numerator, denominator = value.as_integer_ratio()
    except (ValueError, OverflowError):
        raise _refusal(f"{value} is not a finite number", where) from None
    return fmpq(numerator, denominator)


def _from_numpy(scalar: object, where: str) -> fmpq:
    # By duck typing, so that reading a number does not import numpy.
    plain = scalar.item()  # type: ignore[attr-defined]
    if type(plain).__module__ != "numpy":
        return rational(plain, where)
    if not hasattr(plain, "as_integer_ratio"):
        raise _refusal(f"a value of type {type(plain).__name__} is not a number", where)
    # Extended precision has no Python equivalent: it stays a numpy scalar, with the same exact ratio as a float.
    return _from_float(plain, where)


def _sequence(values: object, where: str, accepted: str) -> Sequence[object]:
    if hasattr(values, "tolist"):
        values = values.tolist()
    if isinstance(values, str | bytes) or not isinstance(values, Sequence):
        raise _refusal(f"a value of type {type(values).__name__} is not a list", where, accepted)
    if not values:
        raise _refusal("nothing is in the list", where, accepted)
    return values
