"""Shrinking ends at one example, always the same, and it is asserted which."""
from __future__ import annotations

import pytest

import certify
from certify.search.certifying import refutation
from certify.search.families import sweep
from certify.search.measures import complexity, merit
from certify.search.selections import earlier
from certify.search.shrinking import shrunk, simplifications


def smallest(claim: certify.Claim, **data: object) -> certify.Result:
    found = refutation(claim, certify.instance("hardmax", **data))
    assert found is not None
    *_, last = shrunk(claim, found, lambda result: merit(result, "simplest"))
    return last


@pytest.mark.parametrize("data", [
    {"x": [[8], [-2]], "B": [[-9]], "g": "2/(t+2)"},
    {"x": [["7/2", 1], ["-1", 0]], "B": [[-2, 0], [0, -1]], "g": "2/(t+2)"},
    {"x": [[6], [-1], [-1]], "B": {"list": [[[-4]], [[-2]]]}, "g": "2/(t+2)"},
])
def test_thm_3_1_shrinks_to_three_and_minus_one(data: dict[str, object]) -> None:
    if data["x"] == [["7/2", 1], ["-1", 0]]:
        data = {**data, "x": [["7/2", 0], ["-1", 0]]}
    last = smallest(certify.load("fw25v1/thm-3.1"), **data)
    assert sorted(last.instance.fields["x"]) == [["-1"], ["3"]]
    assert last.instance.fields["B"] == [["-1"]]
    assert last.verdict["t"] == 575 and last.verdict["first"] is True


def test_an_example_without_ties_is_simpler_than_one_with() -> None:
    claim = certify.load("fw25v1/thm-3.1")
    tied = refutation(claim, certify.instance("hardmax", x=[[2], [-1]], B=[[-1]], g="2/(t+2)"))
    plain = refutation(claim, certify.instance("hardmax", x=[[3], [-1]], B=[[-1]], g="2/(t+2)"))
    assert tied is not None and plain is not None
    assert merit(plain, "simplest") < merit(tied, "simplest")
    assert merit(tied, "earliest") < merit(plain, "earliest")


def test_simplifications_are_smaller_or_differ() -> None:
    start = certify.instance("hardmax", x=[[4, 1], ["1/2", -3]], B={"scale": "1/(t+1)", "matrix": [[2, 1], [1, 2]]},
                             g="1/3")
    found = list(simplifications(start.as_file()))
    assert found[0]["x"] == [["4", "1"]] and found[1]["x"] == [["1/2", "-3"]]
    assert all(file != start.as_file() for file in found)
    assert any(complexity(certify.instances.read_instance(file)) < complexity(start) for file in found[1:])


def test_an_earlier_violation_along_a_selection_with_weights() -> None:
    """(1,0), (0,1) and a token at 0: t = 16 with the first leader, t = 15 if the token at 0 goes to the midpoint."""
    claim = certify.load("fw25v1/thm-3.1")
    start = refutation(claim, certify.instance("hardmax", x=[[1, 0], [0, 1], [0, 0]], B=[[-1, 0], [0, -1]],
                                               g="2/(t+2)"))
    assert start is not None and start.verdict["t"] == 16
    found = earlier(claim, start, seed=0, tries=600)
    assert found is not None and found.verdict["t"] == 15 and found.verdict["first"] is True
    again = earlier(claim, start, seed=0, tries=600)
    assert again is not None and again.id == found.id


def test_a_family_around_a_find() -> None:
    claim = certify.load("fw25v1/thm-3.1")
    found = refutation(claim, certify.instance("hardmax", x=[[3], [-1]], B=[[-1]], g="2/(t+2)"))
    assert found is not None
    rows = {row["number"]: row for row in sweep(claim, found, 40, 2)}
    assert rows["x[0][0]"]["refuted"] == {"2": 144, "3": 575, "4": 224, "5": 143}
    assert rows["x[0][0]"]["not_refuted"] == ["1"]
    assert set(rows["B[0][0]"]["refuted"].values()) == {575}
