"""docs/LANGUAGE.md says what the code does: claims parse, examples give their verdicts, tables are current."""
from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import certify
from certify.errors import InputError
from certify.instances import read_instance
from certify.statements.words import CONTEXT, WORDS

PAGE = (Path(__file__).parents[2] / "docs" / "LANGUAGE.md").read_text("utf-8")
FENCES: list[tuple[str, str]] = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
CLAIMS = [body for kind, body in FENCES if kind == "claim"]
FORMULAS = [line for kind, body in FENCES if kind == "formula" for line in body.splitlines()]
EXAMPLES = [(FENCES[k][1], FENCES[k + 1][1], FENCES[k + 2][1].strip()) for k in range(len(FENCES) - 2)
            if [kind for kind, _ in FENCES[k:k + 3]] == ["claim", "json", "verdict"]]
PLAIN = {"system": "hardmax", "x": [["3"], ["-1"]], "B": [["-1"]], "g": "2/(t+2)"}


def section(title: str) -> str:
    return PAGE.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


def rows(text: str) -> list[list[str]]:
    """Cells of the tables in a text, without their heads."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    found = [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    rules = [k for k, cells in enumerate(found) if set("".join(cells)) == {"-"}]
    return [cells for k, cells in enumerate(found) if k not in rules and k + 1 not in rules]


def test_the_page_has_what_it_promises() -> None:
    assert {kind for kind, _ in FENCES} == {"claim", "json", "verdict", "formula"}
    assert len(EXAMPLES) == sum(kind == "verdict" for kind, _ in FENCES) >= 4
    assert {verdict.split()[0].strip(":") for *_, verdict in EXAMPLES} >= {"holds", "refuted", "exhibited"}
    assert all(len(line) <= 120 for line in PAGE.splitlines())


@pytest.mark.parametrize("text", CLAIMS, ids=lambda text: re.findall(r"claim (\S+)", text)[0])
def test_every_claim_parses(text: str) -> None:
    assert certify.parse(text).id.startswith("mine/")


@pytest.mark.parametrize("text", FORMULAS)
def test_every_formula_parses(text: str) -> None:
    certify.parse(CONTEXT + text)


def test_the_two_lines_on_folds_are_the_same() -> None:
    bare, grouped = next(body for kind, body in FENCES if kind == "formula").splitlines()
    assert certify.parse(CONTEXT + bare).tree == certify.parse(CONTEXT + grouped).tree


@pytest.mark.parametrize(("text", "data", "verdict"), EXAMPLES, ids=lambda text: text.split("\n")[0][:30])
def test_examples_give_the_verdict_that_the_page_says(text: str, data: str, verdict: str) -> None:
    result = certify.check(certify.parse(text), read_instance(json.loads(data)))
    assert result.sentence() == verdict
    assert result.certificate is not None


def test_the_tables_of_words_are_current() -> None:
    wanted = []
    for word in WORDS.values():
        wanted.append([f"`{word.name}`", f"`{word.signatures[0]}`", word.meaning])
        wanted += [["", f"`{signature}`", ""] for signature in word.signatures[1:]]
    assert rows(section("Every word")) == wanted


ERRORS = [cells for cells in rows(section("Common errors")) if not cells[0].startswith('`"')]
INSTANCE_ERRORS = [cells for cells in rows(section("Common errors")) if cells[0].startswith('`"')]


@pytest.mark.parametrize(("written", "message"), ERRORS)
def test_errors_are_those_of_the_page(written: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        certify.parse(CONTEXT + written.strip("`"))
    assert str(caught.value).split(": ", 1)[1] == message.strip("`")


@pytest.mark.parametrize(("written", "message"), INSTANCE_ERRORS)
def test_errors_of_instances_are_those_of_the_page(written: str, message: str) -> None:
    data = {**PLAIN, **json.loads("{" + written.strip("`") + "}")}
    data = data if data["system"] != "none" else {"system": "none"}
    with pytest.raises(InputError) as caught:
        certify.check(certify.parse("claim mine/first system hardmax assert forall t: g[t] <= 1"), read_instance(data))
    assert str(caught.value) == message.strip("`")


MATRIX = [["1"]]


@pytest.mark.parametrize("change", [
    {"B": MATRIX}, {"B": {"scale": "1/(t+1)", "matrix": MATRIX}}, {"B": {"list": [MATRIX, MATRIX]}},
    {"B": {"cycle": [MATRIX, [["-1"]]]}}, {"g": "1/2"}, {"g": ["1", "1/2"]}, {"g": {"list": ["1", "1/2"]}},
    {"g": {"cycle": ["1/2", "1/3"]}}, {"g": "(1/2)^t"}, {"g": "1/2 + (-1)^t/4"}, {"g": 0.5}, {"g": "5e-1"}],
    ids=json.dumps)
def test_every_form_of_the_data_is_read(change: dict[str, object]) -> None:
    data = read_instance({**PLAIN, **change})
    result = certify.check(certify.parse("claim mine/first system hardmax assert forall t: 0 <= g[t] <= 1"), data)
    assert result.sentence() == "holds on this instance for ever"
