"""Exact numbers as people read them: exact if short, and decimals that say "about"."""
from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from ..verifier.exact import Rat, Undecided, text_from_int

LONGEST = 60  # characters of an exact number that a page shows whole
DIGITS = 6


def about(value: Fraction | Rat, digits: int = DIGITS) -> str:
    """A decimal near an exact number, of any size: floats would overflow.

    Examples
    --------
    >>> about(Fraction(1, 3)), about(Fraction(10**400, 7)), about(Fraction(5, 2))
    ('0.333333', '1.42857e+399', '2.5')
    """
    top, bottom = (value.n, value.d) if isinstance(value, Rat) else (value.numerator, value.denominator)
    if top == 0:
        return "0"
    sign, top = ("-", -top) if top < 0 else ("", top)
    # a power of ten that leaves the digits wanted and a few more
    shift = digits + 3 - (top.bit_length() - bottom.bit_length()) * 30103 // 100000
    scaled = top * 10**shift // bottom if shift >= 0 else top // (bottom * 10**-shift)
    with localcontext() as context:
        context.prec = digits
        short = +Decimal(scaled)
        shown = short.scaleb(-shift)
        exponent = shown.adjusted()
        if -5 <= exponent < 9:
            text = format(shown, "f")
            return sign + (text.rstrip("0").rstrip(".") if "." in text else text)
        mantissa = format(shown.scaleb(-exponent), "f")
        mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return f"{sign}{mantissa}e{'+' if exponent > 0 else '-'}{abs(exponent)}"


def short(text: str, longest: int = LONGEST) -> str:
    """An exact number, its middle left out (and said so) if it is long.

    Examples
    --------
    >>> short("12/35"), short("1" * 100)
    ('12/35', '11111111 ... (100 digits)')
    """
    if len(text) <= longest:
        return text
    top, slash, bottom = text.partition("/")
    if not slash:
        return f"{top[:8]} ... ({len(top.lstrip('-'))} digits)"
    return f"{top[:8]} .../{bottom[:8]} ... ({len(top.lstrip('-'))} over {len(bottom)} digits)"


def exact(value: Rat) -> str:
    """An exact number of a size that a page can carry."""
    try:
        return short(value.text())
    except Undecided:
        return f"a quotient of integers of {value.n.bit_length()} and {value.d.bit_length()} bits"


def grouped(time: Any) -> str:
    """A time as digits, in groups of three from five digits on."""
    digits = text_from_int(int(time)) if not isinstance(time, str) else time
    if len(digits) < 5 or not digits.isdigit():
        return short(digits)
    if len(digits) > LONGEST:
        return short(digits)
    head = len(digits) % 3 or 3
    return " ".join([digits[:head], *(digits[k:k + 3] for k in range(head, len(digits), 3))])


def as_float(value: Rat | Fraction) -> float:
    """The nearest float, infinite where it overflows: for drawing only."""
    top, bottom = (value.n, value.d) if isinstance(value, Rat) else (value.numerator, value.denominator)
    try:
        return top / bottom
    except OverflowError:
        return float("inf") if top > 0 else float("-inf")
