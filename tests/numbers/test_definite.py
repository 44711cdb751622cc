"""Witnesses of definiteness and of the largest eigenvalue, checked here with fractions and nothing of the library."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from flint import fmpq, fmpz, fmpz_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.errors import InputError
from certify.numbers import inertia, lambda_max_witness, pd_witness, psd_witness
from certify.numbers.eigenvalues import kernel_if_largest
from certify.numbers.factors import eliminate, reproduces

Rows = list[list[Fraction]]
exactly = settings(deadline=None, derandomize=True, max_examples=150)
small = st.integers(-3, 3)


# ---- an independent checker


def exact(rows: Any) -> Rows:
    return [[Fraction(entry) for entry in row] for row in rows]


def flints(rows: Rows) -> list[list[fmpq]]:
    return [[fmpq(entry.numerator, entry.denominator) for entry in row] for row in rows]


def form(m: Rows, v: list[int]) -> Fraction:
    return sum((v[i] * m[i][j] * v[j] for i in range(len(m)) for j in range(len(m))), Fraction(0))


def number(written: str) -> Fraction:
    """A rational in canonical text, and no other."""
    assert isinstance(written, str)
    value = Fraction(written)
    assert str(value) == written
    return value


def shows(m: Rows, answer: bool, witness: dict[str, Any], strict: bool) -> bool:
    size = len(m)
    if answer:
        assert set(witness) == {"factor", "weights"} and len(witness["factor"]) == size
        weights = [number(w) for w in witness["weights"]]
        assert all(w > 0 for w in weights) and all(len(row) <= len(weights) for row in witness["factor"])
        factor = [
            [number(entry) for entry in row] + [Fraction(0)] * (len(weights) - len(row)) for row in witness["factor"]
        ]
        assert all(entry.denominator == 1 for row in factor for entry in row)
        for i in range(size):
            rest = [
                m[i][j] - sum(w * a * b for w, a, b in zip(weights, factor[i], factor[j], strict=True))
                for j in range(size)
            ]
            others = sum(abs(entry) for j, entry in enumerate(rest) if j != i)
            if rest[i] < others or (strict and rest[i] == others) or any(m[i][j] != m[j][i] for j in range(size)):
                return False
        return True
    if "asymmetric" in witness:
        i, j = witness["asymmetric"]
        return set(witness) == {"asymmetric"} and m[i][j] != m[j][i]
    assert set(witness) == {"vector"} and len(witness["vector"]) == size
    vector = [int(number(entry)) for entry in witness["vector"]]
    value = form(m, vector)
    return value < 0 or (strict and value == 0 and any(vector))


def determinant(m: Rows) -> Fraction:
    if not m:
        return Fraction(1)
    return sum(
        ((-1) ** j * m[0][j] * determinant([row[:j] + row[j + 1 :] for row in m[1:]]) for j in range(len(m))),
        Fraction(0),
    )


def minors(m: Rows) -> list[Fraction]:
    """All principal minors."""
    return [
        determinant([[m[i][j] for j in chosen] for i in chosen])
        for size in range(1, len(m) + 1)
        for chosen in combinations(range(len(m)), size)
    ]


def settled(m: Rows) -> tuple[bool, bool]:
    """Whether M is PSD and whether it is PD, both with witnesses that were checked."""
    answers = []
    for strict, decide in ((False, psd_witness), (True, pd_witness)):
        answer, witness = decide(flints(m))
        assert shows(m, answer, witness, strict), (m, answer, witness)
        answers.append(answer)
    assert answers[0] or not answers[1]
    return answers[0], answers[1]


def enclosed(m: Rows, bits: int) -> tuple[Fraction, Fraction]:
    """The bounds of a checked enclosure."""
    witness = lambda_max_witness(flints(m), bits)
    assert set(witness) == {"lo", "hi", "vector", "upper"}
    lo, hi = number(witness["lo"]), number(witness["hi"])
    vector = [int(number(entry)) for entry in witness["vector"]]
    assert any(vector) and form(m, vector) >= lo * sum(entry * entry for entry in vector)
    assert lo <= hi and (hi - lo) * 2**bits <= max(1, abs(hi))
    above = [[hi * (i == j) - entry for j, entry in enumerate(row)] for i, row in enumerate(m)]
    assert shows(above, True, witness["upper"], strict=False)
    if lo == hi:
        assert all(sum(a * v for a, v in zip(row, vector, strict=True)) == 0 for row in above)
    return lo, hi


def gram(rows: Rows) -> Rows:
    return [[sum((a * b for a, b in zip(p, q, strict=True)), Fraction(0)) for q in rows] for p in rows]


def plus(m: Rows, shift: Fraction) -> Rows:
    return [[entry + shift * (i == j) for j, entry in enumerate(row)] for i, row in enumerate(m)]


def random_rows(seed: int, height: int, width: int) -> Rows:
    return exact(np.random.default_rng(seed).normal(size=(height, width)).tolist())


@st.composite
def symmetric(draw: st.DrawFn, largest: int = 4, entries: st.SearchStrategy[Any] = small) -> Rows:
    size = draw(st.integers(1, largest))
    m = [[Fraction(0)] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            m[i][j] = m[j][i] = Fraction(draw(entries))
    return m


@st.composite
def grams(draw: st.DrawFn) -> Rows:
    """PSD matrices of every rank, often singular, often with equal or zero rows."""
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    return gram(
        [[Fraction(draw(st.integers(-3, 3)), draw(st.integers(1, 3))) for _ in range(width)] for _ in range(height)]
    )


# ---- invalid input


@pytest.mark.parametrize("decide", [psd_witness, pd_witness, inertia, lambda m: lambda_max_witness(m, 10)])
@pytest.mark.parametrize("m", [[], [[]], [[1, 2]], [[1], [2]], [[1, 2], [2]], [[1, 2], [2, 1], [0, 0]]])
def test_matrices_that_are_not_square_are_refused(decide: Any, m: list[list[int]]) -> None:
    with pytest.raises(InputError, match="accepted: a square matrix"):
        decide([[fmpq(entry) for entry in row] for row in m])


def test_asymmetry() -> None:
    m = exact([[1, 2, 3], [2, 1, 4], [3, 5, 1]])
    for decide in (psd_witness, pd_witness):
        assert decide(flints(m)) == (False, {"asymmetric": [1, 2]})
    with pytest.raises(InputError, match="symmetric"):
        inertia(flints(m))
    with pytest.raises(InputError, match="symmetric"):
        lambda_max_witness(flints(m), 10)


@pytest.mark.parametrize("bits", [-1, 1.5, "10", None, True])
def test_bits_that_are_not_a_precision(bits: Any) -> None:
    with pytest.raises(InputError, match=r"bits: .* accepted: a nonnegative integer"):
        lambda_max_witness([[fmpq(1)]], bits)


# ---- known answers


@pytest.mark.parametrize(
    ("rows", "psd", "pd"),
    [
        ([[0]], True, False),
        ([[3]], True, True),
        ([["-1/1000000"]], False, False),
        ([[0, 0], [0, 0]], True, False),
        ([[0, 1], [1, 0]], False, False),
        ([[0, 1], [1, 5]], False, False),
        ([[5, 1], [1, 0]], False, False),
        ([[1, 1], [1, 1]], True, False),
        ([[1, -1, 0], [-1, 1, 0], [0, 0, 0]], True, False),
        ([[1, 2, 3], [2, 4, 6], [3, 6, 9]], True, False),
        ([[1, 2, 3], [2, 4, 6], [3, 6, 8]], False, False),
        ([[2, 3, 0], [3, 5, 0], [0, 0, 0]], True, False),
        ([[0, 0, 0], [0, 2, 3], [0, 3, 4]], False, False),
        ([[2, 3], [3, 5]], True, True),
        ([[0, 0, 1], [0, 1, 0], [1, 0, 0]], False, False),
        ([[4, 2, 2, 2], [2, 4, 2, 2], [2, 2, 4, 2], [2, 2, 2, 4]], True, True),
    ],
)
def test_known_answers(rows: Any, psd: bool, pd: bool) -> None:
    assert settled(exact(rows)) == (psd, pd)


def test_the_plain_witnesses() -> None:
    assert psd_witness(flints(exact([[0] * 3] * 3))) == (True, {"factor": [[], [], []], "weights": []})
    assert psd_witness(flints(exact([[1, 1], [1, -1]]))) == (False, {"vector": ["0", "1"]})
    assert psd_witness(flints(exact([[1, 2], [2, 1]]))) == (False, {"vector": ["-1", "1"]})
    assert psd_witness(flints(exact([[1, 0, 0], [0, 0, -7], [0, -7, 0]]))) == (False, {"vector": ["0", "1", "1"]})


def test_no_entry_of_one_or_two_tells() -> None:
    # Every principal minor of order two is positive, the determinant is negative.
    m = exact([[10, -6, -6], [-6, 10, -6], [-6, -6, 10]])
    assert settled(m) == (False, False)
    # Singular, PSD, and every principal minor of order two is positive.
    assert settled(exact([[2, -1, -1], [-1, 2, -1], [-1, -1, 2]])) == (True, False)
    assert settled(exact([[14, -7, -7], [-7, 5, 2], [-7, 2, 5]])) == (True, False)


# ---- agreement with brute force


@exactly
@given(symmetric())
def test_agreement_with_the_principal_minors(m: Rows) -> None:
    signs = minors(m)
    leading = [determinant([row[:k] for row in m[:k]]) for k in range(1, len(m) + 1)]
    assert settled(m) == (all(minor >= 0 for minor in signs), all(minor > 0 for minor in leading))


@exactly
@given(symmetric(entries=st.fractions(-1, 1, max_denominator=10**9)))
def test_agreement_with_the_principal_minors_on_rationals(m: Rows) -> None:
    assert settled(m)[0] == all(minor >= 0 for minor in minors(m))


@exactly
@given(symmetric(entries=st.floats(allow_nan=False, allow_infinity=False)))
def test_floats_of_any_size(m: Rows) -> None:
    assert settled(m)[0] == all(minor >= 0 for minor in minors(m))


@exactly
@given(grams(), st.fractions(0, 1, max_denominator=10**12))
def test_gram_matrices_and_their_neighbours(m: Rows, shift: Fraction) -> None:
    psd, pd = settled(m)
    assert psd and pd == (determinant(m) != 0)
    if shift > 0:
        assert settled(plus(m, shift)) == (True, True)
        if not pd:
            assert settled(plus(m, -shift)) == (False, False)


@exactly
@given(symmetric(largest=5, entries=st.integers(-2, 2)))
def test_inertia_agrees_with_itself_and_with_the_witnesses(m: Rows) -> None:
    positive, zero, negative = inertia(flints(m))
    assert positive + zero + negative == len(m)
    assert inertia(flints([[-entry for entry in row] for row in m])) == (negative, zero, positive)
    assert settled(m) == (negative == 0, zero == negative == 0)


@pytest.mark.parametrize(
    ("eigenvalues", "expected"), [((3, 1, 0, 0, -2), (2, 2, 1)), ((0, 0, 0), (0, 3, 0)), ((-1,), (0, 0, 1))]
)
def test_inertia_is_kept_by_congruence(eigenvalues: tuple[int, ...], expected: tuple[int, int, int]) -> None:
    size = len(eigenvalues)
    frame = random_rows(5, size, size)
    m = [
        [sum((a * b * e for a, b, e in zip(p, q, eigenvalues, strict=True)), Fraction(0)) for q in frame] for p in frame
    ]
    assert inertia(flints(m)) == expected


# ---- hard cases


@pytest.mark.parametrize("shift", [Fraction(1, 10**30), Fraction(1, 10**300), Fraction(1, 10**1500)])
def test_a_hair_from_singular(shift: Fraction) -> None:
    m = gram(exact([[1, 2, 0], [3, -1, 2], [4, 1, 2], [0, 5, 1]]))
    assert settled(m) == (True, False)
    assert settled(plus(m, shift)) == (True, True)
    assert settled(plus(m, -shift)) == (False, False)


@pytest.mark.parametrize("size", [3, 12, 25])
def test_hilbert_matrices(size: int) -> None:
    m = [[Fraction(1, i + j + 1) for j in range(size)] for i in range(size)]
    assert settled(m) == (True, True)
    assert inertia(flints(m)) == (size, 0, 0)


@pytest.mark.parametrize("spread", [6, 12, 150])
def test_mixed_scales(spread: int) -> None:
    size = 12
    scales = [Fraction(10) ** ((37 * i) % (2 * spread + 1) - spread) for i in range(size)]
    m = plus(gram(random_rows(1, size, size)), Fraction(1))
    mixed = [[scales[i] * scales[j] * entry for j, entry in enumerate(row)] for i, row in enumerate(m)]
    assert settled(mixed) == (True, True)
    # The entries of F span the scales of M, and little more.
    longest = max(len(entry) for row in pd_witness(flints(mixed))[1]["factor"] for entry in row)
    assert longest <= 2 * spread + 6
    mixed[3][3] -= 2 * mixed[3][3]
    assert settled(mixed) == (False, False)


@pytest.mark.parametrize("exponent", [-1000, -60, 60, 1000])
def test_huge_and_tiny_scales(exponent: int) -> None:
    m = plus(gram(random_rows(2, 6, 6)), Fraction(1))
    answer, witness = pd_witness(flints([[entry * Fraction(2) ** exponent for entry in row] for row in m]))
    assert answer and max(abs(int(entry)) for row in witness["factor"] for entry in row) < 2**16
    assert settled([[entry * Fraction(2) ** exponent for entry in row] for row in m]) == (True, True)


def test_numbers_of_thousands_of_bits() -> None:
    rows = [[Fraction(7 ** (500 + 3 * i + j), 3 ** (800 + 5 * i * j)) for j in range(3)] for i in range(4)]
    assert settled(gram(rows)) == (True, False)
    assert settled(gram(rows[:3])) == (True, True)


def test_singular_with_float_entries_and_zero_rows() -> None:
    m = gram(random_rows(3, 9, 8))
    assert settled(m) == (True, False)
    definite = gram(random_rows(4, 6, 6))
    padded = [[Fraction(0)] * 8] + [[Fraction(0), *row, Fraction(0)] for row in definite] + [[Fraction(0)] * 8]
    assert settled(padded) == (True, False)
    # The zero rows do not cost the short factor.
    assert max(len(entry) for row in psd_witness(flints(padded))[1]["factor"] for entry in row) < 20


def test_a_large_matrix_has_a_short_witness() -> None:
    size = 100
    sample = np.random.default_rng(0).normal(size=(size, size))
    m = exact((sample @ sample.T + np.eye(size)).tolist())
    m = [[m[max(i, j)][min(i, j)] for j in range(size)] for i in range(size)]
    answer, witness = pd_witness(flints(m))
    assert answer and len(set(witness["weights"])) == 1
    factor = [[int(entry) for entry in row] for row in witness["factor"]]
    assert max(abs(entry).bit_length() for row in factor for entry in row) <= 30
    weight = Fraction(witness["weights"][0])
    scale = 2**80
    assert weight.numerator == 1 and scale % weight.denominator == 0
    for i in range(size):
        rest = [
            m[i][j] * scale
            - (scale // weight.denominator) * sum(a * b for a, b in zip(factor[i], factor[j], strict=False))
            for j in range(size)
        ]
        assert 2 * rest[i] > sum(abs(entry) for entry in rest)


def test_a_witness_is_the_same_every_time() -> None:
    m = flints(plus(gram(random_rows(6, 10, 10)), Fraction(1)))
    assert pd_witness(m) == pd_witness(m)
    assert lambda_max_witness(m, 40) == lambda_max_witness(m, 40)


def test_the_check_of_an_elimination_can_fail() -> None:
    m = fmpz_mat([[1, 2, 3], [2, 4, 6], [3, 6, 9]])
    assert reproduces(m, eliminate(m))
    assert not reproduces(m + m, eliminate(m))
    assert not reproduces(m, eliminate(fmpz_mat([[1, 0, 0], [0, 4, 6], [0, 6, 10]])))


# ---- the largest eigenvalue


@pytest.mark.parametrize(
    ("rows", "largest"),
    [
        ([["7/3"]], "7/3"),
        ([[0]], "0"),
        ([[0, 0], [0, 0]], "0"),
        ([[-2, 0], [0, "-1/3"]], "-1/3"),
        ([[1, 1], [1, 1]], "2"),
        ([[0, 1], [1, 0]], "1"),
        ([[1, 2, 3], [2, 4, 6], [3, 6, 9]], "14"),
        ([["1/2", 0, 0], [0, "1/2", 0], [0, 0, "-9/7"]], "1/2"),
        ([[-2, 1, 1], [1, -2, 1], [1, 1, -2]], "0"),
        ([[5, 4, 0, 0], [4, 5, 0, 0], [0, 0, 8, 2], [0, 0, 2, 5]], "9"),
        # 2 is an eigenvalue, but an irrational one is a little larger.
        ([[2, 0, 0], [0, 1, "9/10"], [0, "9/10", "6/5"]], None),
        ([["1e-40", 0], [0, "-1e40"]], "1e-40"),
        ([["1e40", 0], [0, "1e-40"]], "1e40"),
    ],
)
@pytest.mark.parametrize("bits", [0, 1, 20, 200])
def test_rational_eigenvalues_are_exact(rows: Any, largest: str | None, bits: int) -> None:
    lo, hi = enclosed(exact(rows), bits)
    if largest is not None:
        assert lo == hi == Fraction(largest)
    else:
        assert lo < hi


@pytest.mark.parametrize("bits", [0, 10, 60, 333, 1000])
def test_the_golden_ratio(bits: int) -> None:
    lo, hi = enclosed(exact([[1, 1], [1, 0]]), bits)
    assert lo < hi and lo * lo - lo - 1 <= 0 <= hi * hi - hi - 1


@pytest.mark.parametrize(("rational", "is_largest"), [("577/408", True), ("1393/985", False)])
def test_a_rational_eigenvalue_just_above_or_just_below_an_irrational_one(rational: str, is_largest: bool) -> None:
    # The other eigenvalues are +-sqrt(2); the rational one is a convergent of it.
    lo, hi = enclosed(exact([[1, 1, 0], [1, -1, 0], [0, 0, rational]]), 8)
    assert (lo == hi == Fraction(rational)) is is_largest


@pytest.mark.parametrize("bits", [53, 1000])
def test_twenty_dimensions(bits: int) -> None:
    sample = random_rows(7, 20, 20)
    m = [[sample[i][j] + sample[j][i] for j in range(20)] for i in range(20)]
    lo, hi = enclosed(m, bits)
    assert abs(float(hi) - np.linalg.eigvalsh(np.array(m, dtype=float))[-1]) < 1e-9 and lo < hi


def test_a_rational_eigenvalue_among_float_entries() -> None:
    rows = random_rows(8, 7, 6)
    m = [[-entry for entry in row] for row in gram(rows)]
    assert enclosed(m, 20) == (Fraction(0), Fraction(0))
    assert enclosed(plus(m, Fraction(1, 3)), 20) == (Fraction(1, 3), Fraction(1, 3))


def test_an_eigenvalue_that_is_not_the_largest_has_no_say() -> None:
    m = fmpz_mat([[2, 0, 0], [0, 3, 0], [0, 0, -1]])
    assert kernel_if_largest(m, fmpz(3)) == [fmpz(0), fmpz(1), fmpz(0)]
    assert kernel_if_largest(m, fmpz(2)) is None
    assert kernel_if_largest(m, fmpz(4)) is None


def test_eigenvalues_in_a_cluster() -> None:
    hair = Fraction(1, 10**50)
    m = exact([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    m[0][1] = m[1][0] = hair
    m[2][2] += hair / 2
    assert enclosed(m, 10) == (1 + hair, 1 + hair)
    m[1][1] += hair
    lo, hi = enclosed(m, 400)
    assert lo < hi and 1 + hair < lo and hi < 1 + 2 * hair


def test_an_invariant_subspace_does_not_hide_the_largest() -> None:
    m = exact([[0] * 6 for _ in range(6)])
    m[0][0], m[1][1] = Fraction(10), Fraction(-10)
    m[4][5] = m[5][4] = Fraction(11)
    m[4][4] = Fraction(1, 7)
    lo, hi = enclosed(m, 100)
    assert 11 < lo < hi < 12


@exactly
@given(symmetric(entries=st.fractions(-5, 5, max_denominator=50)), st.sampled_from([0, 3, 17, 64, 150]))
def test_enclosures(m: Rows, bits: int) -> None:
    lo, hi = enclosed(m, bits)
    largest = np.linalg.eigvalsh(np.array(m, dtype=float))[-1]
    assert float(lo) - 1e-9 <= largest <= float(hi) + 1e-9
    # A rational eigenvalue that is the largest is always found: lo = hi is then an exact root.
    if lo == hi:
        assert determinant(plus([[-entry for entry in row] for row in m], lo)) == 0


@exactly
@given(st.lists(st.fractions(-3, 3, max_denominator=20), min_size=2, max_size=4), st.integers(0, 100))
def test_rational_spectra(eigenvalues: list[Fraction], seed: int) -> None:
    # A reflection I - 2 v v' / v'v keeps the eigenvalues and everything rational.
    size = len(eigenvalues)
    v = [1 + (seed * (i + 1)) % 7 for i in range(size)]
    norm = sum(entry * entry for entry in v)
    frame = [[Fraction(i == j) - Fraction(2 * v[i] * v[j], norm) for j in range(size)] for i in range(size)]
    m = [
        [sum((frame[i][k] * eigenvalues[k] * frame[j][k] for k in range(size)), Fraction(0)) for j in range(size)]
        for i in range(size)
    ]
    assert enclosed(m, 5) == (max(eigenvalues), max(eigenvalues))
    positive, negative = sum(e > 0 for e in eigenvalues), sum(e < 0 for e in eigenvalues)
    assert inertia(flints(m)) == (positive, size - positive - negative, negative)
