"""Integer vectors: quadratic forms, and short vectors that still do what a long one does."""

from collections.abc import Callable, Sequence

from flint import fmpz, fmpz_mat

# How many bits `short_vector` tries, in this order; after that the vector stays as it is.
_FEW_BITS = (1, 2, 3, 4, 6, 8, 11, 15, 20, 27, 36, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)


def primitive(vector: Sequence[fmpz]) -> list[fmpz]:
    """The vector divided by the greatest common divisor of its entries.

    Examples
    --------
    >>> primitive([fmpz(4), fmpz(-6)])
    [2, -3]
    """
    content = fmpz(0)
    for entry in vector:
        content = content.gcd(entry)
    return [entry // content for entry in vector] if content > 1 else list(vector)


def short_vector(vector: Sequence[fmpz], accepts: Callable[[list[fmpz]], bool]) -> list[fmpz] | None:
    """The vector rounded to as few bits as `accepts` allows; None if even the vector itself is not accepted.

    Examples
    --------
    >>> short_vector([fmpz(1001), fmpz(2999)], lambda v: v[1] > 2 * v[0] > 0)
    [1, 3]
    """
    longest = max((abs(entry).bit_length() for entry in vector), default=0)
    for bits in _FEW_BITS:
        if bits >= longest:
            break
        drop = longest - bits
        rounded = [((entry >> (drop - 1)) + 1) >> 1 for entry in vector]
        if any(rounded) and accepts(rounded):
            return primitive(rounded)
    whole = primitive(vector)
    return whole if any(whole) and accepts(whole) else None


def quadratic(numerators: fmpz_mat, vector: Sequence[fmpz]) -> fmpz:
    """The exact value v'Av.

    Examples
    --------
    >>> quadratic(fmpz_mat([[1, 2], [2, 3]]), [fmpz(-2), fmpz(1)])
    -1
    """
    row = fmpz_mat(1, len(vector), vector)
    return (row * numerators * row.transpose())[0, 0]


def descends(numerators: fmpz_mat, vector: Sequence[fmpz], strict: bool) -> bool:
    """Whether v'Av < 0, or v'Av <= 0 for the strict question: v shows that A is not definite."""
    value = quadratic(numerators, vector)
    return value < 0 or (strict and value == 0)


def plain_descent(numerators: fmpz_mat, strict: bool) -> list[fmpz] | None:
    """A vector with one or two entries that shows the matrix is not definite, if there is one."""
    dimension, entries = numerators.nrows(), numerators.tolist()

    def spread(pairs: dict[int, fmpz]) -> list[fmpz]:
        return [pairs.get(i, fmpz(0)) for i in range(dimension)]

    for i in range(dimension):
        if entries[i][i] < 0 or (strict and entries[i][i] == 0):
            return spread({i: fmpz(1)})
    for i in range(dimension):
        a = entries[i][i]
        for j in range(i + 1, dimension):
            b, c = entries[i][j], entries[j][j]
            if a * c < b * b or (strict and a * c == b * b):
                pair = [-b, a] if a else [c, -b] if c else [fmpz(1), fmpz(-1 if b > 0 else 1)]
                minor = fmpz_mat([[a, b], [b, c]])
                short = short_vector(pair, lambda v, minor=minor: descends(minor, v, strict))  # type: ignore[misc]
                return spread(dict(zip((i, j), short or pair, strict=True)))
    return None
