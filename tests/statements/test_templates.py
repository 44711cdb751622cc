"""Templates are well formed as they stand, and their instances decide them."""
from __future__ import annotations

import json

import pytest

import certify
from certify.errors import InputError
from certify.instances import read_instance
from certify.statements.templates import instance_template, template
from certify.systems import system_names
from certify.verifier import printer

SYSTEMS = [*system_names(), "none"]
VERDICTS = {"hardmax": ("holds", "forever"), "hardmax-matrix": ("holds", 200), "none": ("holds", "forever")}


def test_an_unknown_system_is_refused_with_the_known_ones() -> None:
    for make in (template, instance_template):
        with pytest.raises(InputError, match="no template for system 'softmax'; there is one for hardmax, "):
            make("softmax")


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_template_parses_and_has_every_part(system: str) -> None:
    text = template(system)
    claim = certify.parse(text)
    _, _, kind, prose, choice, givens, wheres, assumptions, _ = claim.tree
    assert kind == "theorem" and all(prose) and choice[0] == system
    assert givens and wheres and len(assumptions) == 2
    assert certify.parse(printer.claim(claim.tree)).tree == claim.tree


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_template_says_how_to_check_it(system: str) -> None:
    text = template(system)
    for command in ("certify lint FILE", "certify check FILE INSTANCE.json -o CERT", "certify verify CERT"):
        assert command in text
    assert all(len(line) <= 120 for line in text.splitlines()) and text.endswith("\n")


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_template_is_decided_on_its_instance(system: str) -> None:
    data = json.loads(instance_template(system))
    result = certify.check(certify.parse(template(system)), read_instance(data))
    assert (result.kind, result.verdict["T"]) == VERDICTS[system]
    assert all(line["status"] == "true" for line in result.ledger)
    assert result.certificate is not None
