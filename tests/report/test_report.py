"""The report in every format: wording, numbers, safety of text from certificates, what is refused."""
from __future__ import annotations

import base64
import gzip
import json
import re
import subprocess
import sys
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from report_certificates import ATTACK, results, write_all

import certify
from certify.errors import InputError
from certify.instances import load_instance
from certify.report.gathering import Report, gather
from certify.report.html import html_report, packed
from certify.report.latex import latex_report
from certify.report.markdown import markdown_report, plain, write_logbook
from certify.verifier.load import canonical
from certify.wording import sentence

HOME = Path(certify.__file__).parent / "claims" / "fw25v1" / "instances"
PLAIN = ("html head meta link title style body a header main footer section aside div span p h1 h2 h3 h4 h5 br button "
         "progress label input output ol ul li dl dt dd details summary noscript code pre strong sup table caption "
         "thead tbody tr th td figure figcaption script")
DRAWN = "svg title rect line polyline polygon circle path text use"
TYPESET = "math mrow mo mi mn mtext msub msup msubsup mfrac msqrt munder munderover mspace"
ALLOWED = {tag for tags in (PLAIN, DRAWN, TYPESET) for tag in tags.split()}


class Tags(HTMLParser):
    """Every element and attribute of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("certificates")
    write_all(found)
    return found


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    return gather([folder])


@pytest.fixture(scope="module")
def page(report: Report) -> str:
    return html_report(report)


def test_a_path_that_is_nothing_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "absent", tmp_path):
        with pytest.raises(InputError):
            gather([path])


def test_sections_are_sorted_by_status(report: Report) -> None:
    statuses = [section.status for section in report.sections]
    assert statuses == sorted(statuses, key=["refuted", "exhibited", "value", "open", "withdrawn"].index)
    assert len(report.cases) == len(results()) and not report.rejected


def test_the_page_says_what_was_certified(page: str) -> None:
    assert "refuted at t = 575, token 0 (the first violation)" in page
    assert "the value is 7/3" in page
    assert "vacuous: H4 is false on this instance" in page
    assert "191794801/3451807872" in page and "about 0.0555636" in page and "about 0.0555556" in page
    assert "instances that hold never prove a claim" in page
    assert "is a user&#x27;s claim" in page and "Not drawn" not in page
    assert "Projection of dimension 3 to the first two coordinates" in page


def test_nothing_beyond_T_is_claimed() -> None:
    assert sentence({"kind": "holds", "T": 500}) == "holds on this instance to T = 500; nothing is said beyond"
    assert "not shown to be the first" in sentence({"kind": "refuted", "t": 3, "first": False})


def test_the_page_is_alone_and_its_policy_is_strict(page: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None and "default-src 'none'" in policy[1] and "unsafe" not in policy[1]
    assert not re.search(r'(?:src|href)="(?!#|data:,")', page)
    tags = Tags()
    tags.feed(page)
    assert not any(name == "style" or name.startswith("on") for _, attributes in tags.found for name in attributes)


def test_text_from_a_certificate_stays_text(page: str) -> None:
    tags = Tags()
    tags.feed(page)
    assert {tag for tag, _ in tags.found} <= ALLOWED
    assert sum(tag == "script" for tag, _ in tags.found) == 3
    assert escape(ATTACK) in page and ATTACK not in page


def test_packed_data_cannot_end_its_element() -> None:
    value = {"a": "</script><!-- &lt; \u2028"}
    text = packed(value)
    assert json.loads(gzip.decompress(base64.b64decode(text))) == value and re.fullmatch("[A-Za-z0-9+/=]+", text)
    assert packed(value) == text


def test_a_tampered_certificate_is_shown_as_rejected(folder: Path, tmp_path: Path) -> None:
    text = (folder / "line.json").read_text()
    (tmp_path / "<b>bad.json").write_text(text.replace('"t":575', '"t":574'))
    (tmp_path / "noise.json").write_bytes(b"\xff\x00<script>")
    found = gather([tmp_path])
    assert not found.sections and len(found.rejected) == 2
    page = html_report(found)
    assert "Rejected files" in page and "<b>" not in page and "&lt;b&gt;bad.json" in page
    assert "Rejected files" in markdown_report(found)


def test_every_format_carries_the_verdicts(report: Report, tmp_path: Path) -> None:
    for text in (markdown_report(report), latex_report(report)):
        assert "575" in text and "191794801/3451807872" in text
    pages = write_logbook(report, tmp_path / "log")
    assert len(pages) == len(report.sections)
    whole = (tmp_path / "log" / "fw25v1-thm-3.1.md").read_text()
    assert "certify verify certificates/" in whole and "--expect refuted" in whole
    for case in report.cases:
        assert (tmp_path / "log" / "certificates" / f"{case.id}.json").read_bytes() == case.raw


def test_markdown_shows_text_as_it_is() -> None:
    assert plain("<img src=x>|`a`") == r"\<img src=x\>\|\`a\`"


def test_latex_is_balanced(report: Report) -> None:
    text = latex_report(report)
    for name in ("itemize", "tabular", "longtable", "document", "align*", "description"):
        assert text.count(rf"\begin{{{name}}}") == text.count(rf"\end{{{name}}}")
    assert text.isascii() or all(ord(c) < 0x250 for c in text)


def test_command_writes_and_names_the_file(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    command = [sys.executable, "-m", "certify.cli", "report", str(folder / "line.json"), "-o", str(target)]
    found = subprocess.run(command, capture_output=True, text=True)
    assert found.returncode == 0 and found.stdout.strip() == str(target), found.stderr
    assert target.read_text("utf-8").startswith("<!DOCTYPE html>")
    command[-1] = str(tmp_path / "nowhere" / "report.html")
    assert subprocess.run(command, capture_output=True).returncode == 2


def test_the_same_certificates_give_the_same_page(report: Report, page: str) -> None:
    assert html_report(report) == page


@pytest.mark.parametrize(("claim", "instance", "words"), [
    ("fw25v1/single-leader-proof", "box-merging-plane",
     ["decided for every start of the box", "[0, 1/8]", "No trajectory is drawn", "At every start of the box"]),
    ("fw25v1/own-cell-gaussian", "gaussian-5",
     ["measured: true on 39 of 100 random starts", "29.40%", "No trajectory is drawn", "seed", "Changed here"]),
    ("fw25v1/own-cell-gaussian", "gaussian-200", ["200 by 200", "Download the instance"]),
])
def test_boxes_and_random_starts_are_shown(tmp_path: Path, claim: str, instance: str, words: list[str]) -> None:
    result = certify.check(certify.load(claim), load_instance(HOME / f"{instance}.json"))
    file = tmp_path / "one.json"
    file.write_text(canonical(result.certificate), "utf-8")
    report = gather([file])
    page = html_report(report)
    assert "Not drawn" not in page and len(page) < 600_000
    for text in words:
        assert text in page
    for other in (markdown_report(report), latex_report(report)):
        assert "No trajectory is drawn" in other
        assert ("decided for every start" in other) == ("box" in instance)
        assert len(other) < 20_000
