"""Parts of the report: MathML, geometry of the plane, numbers, the bundle of the browser's verifier, figures."""
from __future__ import annotations

from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_certificates import results

from certify.claims import catalogue
from certify.errors import InputError, UnableError
from certify.report.bundle import bundled, verifier_script
from certify.report.figures import draw_distances, draw_energy, draw_margins, draw_plane, draw_trajectory
from certify.report.hearing import Hearing
from certify.report.mathml import breaking, definition, math, step
from certify.report.numerals import about
from certify.report.plane import cells, hull
from certify.report.series import sample, sides
from certify.report.witnesses import sentences
from certify.simulation import simulate
from certify.verifier.systems import leaders

small = st.integers(-6, 6)


def test_every_statement_of_the_catalogue_is_well_formed_mathml() -> None:
    for claim in catalogue():
        formulas: set[str] = set()
        parts = [math(formula) for _, formula in claim.tree[7]] + [math(claim.tree[8])]
        parts += [definition(where, formulas) for where in claim.tree[6]]
        parts += [step(claim.system)] if claim.system is not None else []
        for part in parts:
            assert ElementTree.fromstring(part).tag == "math"


def test_a_formula_that_may_break_says_the_same() -> None:
    def said(text: str) -> str:
        return "".join(ElementTree.fromstring(f"<p>{text}</p>").itertext()).replace(" ", "")

    for claim in catalogue():
        for formula in [*(formula for _, formula in claim.tree[7]), claim.tree[8]]:
            assert said(breaking(formula)) == said(math(formula))
    assert breaking(["iff", ["forall", [["t"]], ["le", ["var", "t"], ["num", "1" * 30]]],
                     ["lt", ["num", "1"], ["num", "2"]]]).count("<math>") == 4


def test_a_name_cannot_bring_markup() -> None:
    assert "<b>" not in math(["var", "<b>"]) and "<b>" not in math(["num", "<b>"])


@given(st.lists(st.tuples(small, small), min_size=1, max_size=7), st.tuples(small, small, small, small),
       st.tuples(small, small))
def test_cells_are_where_their_token_leads(points: list[tuple[int, int]], entries: tuple[int, int, int, int],
                                           spot: tuple[int, int]) -> None:
    """A point inside a drawn cell is led by its token, alone unless two tie everywhere; a point outside is not."""
    matrix = [list(entries[:2]), list(entries[2:])]
    rows = [list(point) for point in points]
    view = tuple(map(Fraction, (-10, -10, 10, 10)))
    whole = cells(dict(enumerate(rows)), matrix, view)
    corners = hull([(Fraction(a), Fraction(b)) for a, b in points])
    found = dict(cells({k: rows[k] for k in sorted(corners)}, matrix, view))
    assert {frozenset(polygon) for _, polygon in whole} == {frozenset(polygon) for polygon in found.values()}
    image = [sum(matrix[k][c] * spot[c] for c in range(2)) for k in range(2)]
    scores = [sum(a * b for a, b in zip(image, row, strict=True)) for row in rows]
    lead = {tuple(rows[j]) for j, score in enumerate(scores) if score == max(scores)}
    for token, polygon in found.items():
        sides = [_turn(polygon[k - 1], polygon[k], spot) for k in range(len(polygon))]
        if all(side > 0 for side in sides):
            assert tuple(rows[token]) in lead
            gaps = [[a - b for a, b in zip(rows[token], other, strict=True)] for other in lead]
            assert not any(sum(matrix[k][c] * gap[k] for k in range(2)) for gap in gaps for c in range(2))
        elif any(side < 0 for side in sides):
            assert tuple(rows[token]) not in lead


def _turn(a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction], c: tuple[int, int]) -> Fraction:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


@given(st.lists(st.tuples(small, small), min_size=1, max_size=9))
def test_hull_holds_every_point(points: list[tuple[int, int]]) -> None:
    exact = [(Fraction(a), Fraction(b)) for a, b in points]
    corners = [exact[k] for k in hull(exact)]
    if len(corners) > 2:
        assert all(_turn(corners[k - 1], corners[k], p) >= 0 for k in range(len(corners)) for p in points)


@given(st.fractions(max_denominator=10**6).filter(bool), st.integers(-400, 400))
def test_about_is_near(value: Fraction, power: int) -> None:
    scaled = value * Fraction(10) ** power
    assert abs(Fraction(about(scaled)) - scaled) <= abs(scaled) / 10**5


def test_sample_has_the_moment() -> None:
    assert sample(10, None) == list(range(11))
    times = sample(10**15, 64_000_064_000_016)
    assert {0, 10**15, 64_000_064_000_015, 64_000_064_000_016} <= set(times) and len(times) < 100


def test_sides_cross_at_the_violation() -> None:
    curves = sides(Hearing(results()["line"].certificate or {}))
    assert curves is not None and curves.mark == 575
    before, at = (curves.times.index(t) for t in (574, 575))
    left, right = curves.left["token 0"], curves.right
    assert left[before] <= right[before] and left[at] > right[at]  # type: ignore[operator]


def test_witnesses_name_the_fact() -> None:
    text = " ".join(sentences(Hearing(results()["outside"].certificate or {})))
    assert "lies outside the hull" in text and "symmetric and diagonally dominant" in text


def test_bundle_is_one_script() -> None:
    script = verifier_script()
    assert "certifyVerifier" in script and "\nimport " not in script and "\nexport " not in script


def test_bundle_refuses_what_it_does_not_understand() -> None:
    for texts in ({"a.js": "export default 1;"}, {"a.js": 'import b from "./b.js";', "b.js": ""},
                  {"a.js": 'import { b } from "./b.js";'}, {"a.js": 'const s = "</script>";'},
                  {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}):
        with pytest.raises(UnableError):
            bundled(texts, "a.js")


def test_figures_return_their_axes() -> None:
    plane, line, space = (results()[name] for name in ("plane", "line", "space"))
    assert len(draw_plane(plane, 1).patches) >= 3
    assert draw_energy(line).get_yscale() == "log" and "575" in draw_energy(line).get_title()
    assert draw_margins(line).lines and draw_distances(line).lines
    assert "projection" in draw_trajectory(simulate(space.instance, 3)).get_title()
    with pytest.raises(InputError):
        draw_plane(space)
    with pytest.raises(InputError):
        draw_energy(results()["hostile"])


def test_film_has_exact_points_and_true_leaders() -> None:
    hearing = Hearing(results()["plane"].certificate or {})
    assert hearing.film is not None and len(hearing.film.frames) > 10
    first = hearing.film.frames[0]
    assert first.points[0] == (3, 1)
    assert first.leaders == leaders([[3, 1], [-1, -1], [-1, 2]], [[-2, -1], [-1, -3]])
