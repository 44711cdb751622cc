"""Every word has an entry, and every example parses."""
from __future__ import annotations

import re
from importlib.resources import files

import pytest

import certify
from certify.statements.parse import COMPARISONS, parse_system
from certify.statements.parse import WORDS as CALLED
from certify.statements.words import WORDS, Word, signatures, written
from certify.verifier import printer
from certify.verifier.sorts import FOLDS, KINDS, RESERVED, SELECTIONS, SIGNATURES, TOKEN_SETS

GRAMMAR = files("certify.statements").joinpath("statement.lark").read_text("utf-8")
# names of the tree's own operators and sorts, reserved so that no print is ambiguous
INTERNAL = {"of", "to", "set", "var", "num", "at", "use", "least", "greatest"}


def operators_of(tree: object) -> set[str]:
    if not isinstance(tree, list):
        return set()
    own = {tree[0]} if tree and isinstance(tree[0], str) else set()
    return own.union(*map(operators_of, tree))


def parsed(word: Word) -> object:
    text = word.example_text
    return parse_system(text) if text.startswith("system ") else certify.parse(text).tree


@pytest.mark.parametrize("word", WORDS.values(), ids=lambda word: word.name)
def test_every_example_parses_and_uses_its_word(word: Word) -> None:
    parsed(word)
    if word.group not in ("sorts",):
        pieces = [piece for piece in word.name.split() if piece != ","]
        assert all(piece in word.example for piece in pieces)


@pytest.mark.parametrize("operator", sorted({*SIGNATURES, *FOLDS, *TOKEN_SETS}))
def test_every_operator_has_an_entry_with_its_signatures(operator: str) -> None:
    word = WORDS[written(operator)]
    assert set(signatures(operator)) <= set(word.signatures)
    assert operator in operators_of(parsed(word))


def test_no_entry_has_signatures_of_its_own_where_the_table_has_them() -> None:
    derived = {s for operator in (*SIGNATURES, *FOLDS, *TOKEN_SETS) for s in signatures(operator)}
    for operator in (*SIGNATURES, *FOLDS, *TOKEN_SETS):
        assert set(WORDS[written(operator)].signatures) <= derived


def test_every_word_of_the_grammar_has_an_entry() -> None:
    rules, terminals = GRAMMAR.split("\nHEADER:")
    found = set(re.findall(r'"([a-z][a-z-]*)"', GRAMMAR))
    for group in re.findall(r"^(?:FOLD|LIMIT)\.3: /\(([^)]*)\)", terminals, re.MULTILINE):
        found |= set(group.split("|"))
    assert {"forall", "subset", "average-points", "argmin", "bigO", "selection", "cloud"} <= found
    assert found - set(WORDS) == set()
    signs = set(re.findall(r'"(<=|>=|!=|=|<|>|\+|-|\*|/|\^|\.\.)"', rules))
    assert signs - set(WORDS) == set()


def test_every_name_with_a_meaning_has_an_entry() -> None:
    assert {*COMPARISONS, *CALLED, *printer.CONSTANTS.values(), *KINDS, *SELECTIONS} <= set(WORDS)
    assert set(WORDS) >= RESERVED - INTERNAL


def test_entries_are_short() -> None:
    for name, word in WORDS.items():
        assert word.name == name and word.meaning.endswith(".") and word.signatures
        assert len(word.meaning) <= 110 and "\n" not in word.example


def test_signatures_read_like_the_language() -> None:
    assert signatures("norm") == ("norm(vector) -> scalar",)
    assert signatures("inner") == ("<vector, vector> -> scalar",)
    assert signatures("set") == ("{j : truth} -> tokens",)
    assert signatures("identity") == ("I -> matrix",)
    assert WORDS["min"].signatures == ("min(scalar, scalar) -> scalar", "min j: scalar -> scalar")
