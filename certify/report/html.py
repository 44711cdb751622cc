"""The referee report as one HTML file: no network, no font or script from elsewhere, and a verifier inside.

The page's security policy allows the two scripts and the style sheet that stand in it, by their hashes, a worker made
of the verifier, and nothing else. Certificates are carried as data that is never executed.
"""
from __future__ import annotations

import base64
import gzip
import json
import re
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from .. import __version__
from ..verifier.catalogue import STATEMENTS
from ..verifier.load import address
from ..wording import STATUSES
from .bundle import fingerprint, verifier_script
from .case_html import UNCHECKED, case_film, case_html, instance_text
from .gathering import Case, Report, Section
from .hearing import Hearing
from .mathml import breaking, definition, given, step

PICTURE = re.compile(r"<svg [^>]*>.*?</svg>", re.S)
SVG = re.compile(r"(<svg [^>]*)>.*?</svg>", re.S)
MANY = 16  # certificates that are worth several processes
KINDS = {"exhibit": " · an exhibit", "statistic": " · a statistic"}


def html_report(report: Report, title: str = "Referee report") -> str:
    """The page."""
    verifier, behaviour, style = verifier_script(), _asset("page.js"), _asset("page.css")
    body, carried, films = _sections(report)
    policy = (f"default-src 'none'; script-src {_hash(verifier)} {_hash(behaviour)}; style-src {_hash(style)}; "
              "worker-src blob:; img-src data:; base-uri 'none'; form-action 'none'")
    data = {"cases": carried, "films": films, "catalogue": STATEMENTS}
    return "".join([
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
        '<meta name="color-scheme" content="light dark">\n<link rel="icon" href="data:,">\n',
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n",
        '<a class="skip" href="#claims">Skip to the claims</a>\n',
        _header(title, report), _panel(report, fingerprint(verifier)), _summary(report),
        f'<main id="claims">{body}</main>\n', _rejected(report), _not_stated(report), _footer(),
        f'<script type="application/gzip" id="data">{packed(data)}</script>\n',
        f'<script id="verifier">{verifier}</script>\n<script>{behaviour}</script>\n</body>\n</html>\n'])


def packed(value: Any) -> str:
    """JSON, compressed, in base64: the letters of it cannot end the element it stands in, whatever text it carries."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=True)
    return base64.b64encode(gzip.compress(text.encode("ascii"), mtime=0)).decode("ascii")


def _asset(name: str) -> str:
    return files("certify.report").joinpath("page", name).read_text("utf-8")


def _hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii") + "'"


def _header(title: str, report: Report) -> str:
    accepted = sum(case.accepted for case in report.cases)
    return (f"<header><h1>{escape(title)}</h1><p>{len(report.sections)} claims, {accepted} certificates accepted by "
            f"the verifier of certify {escape(__version__)} when this page was made"
            + (f", {len(report.rejected)} rejected" if report.rejected else "")
            + ". You need not believe that: the page carries every certificate and a second verifier, written "
            "separately, that re-checks them here in exact integer arithmetic. What is left to judge is whether each "
            "statement says what the paper meant.</p></header>\n")


def _panel(report: Report, digest: str) -> str:
    total = len(report.cases)
    return f"""<section class="panel" aria-labelledby="check-title"><h2 id="check-title">Check it yourself</h2>
<p class="buttons"><button type="button" id="check-all" class="main">Check all {total} certificates</button>
<button type="button" id="stop" disabled>Stop</button></p>
<progress id="progress" max="{max(1, total)}" value="0" aria-label="certificates checked"></progress>
<p id="status" role="status">Nothing has been checked in this browser yet.</p>
<div id="drop" class="drop"><label for="files">Check any certificate: drop files here, or choose them</label>
<input type="file" id="files" multiple></div>
<ol id="dropped" class="dropped" aria-live="polite"></ol>
<details><summary>What this button does</summary><p>It runs the verifier in this page on the bytes of each certificate:
canonical form, types, print, every plan, every lemma, ledger and verdict. Nothing leaves this computer; the page's
security policy forbids it any network access. The verifier's script has sha256 <code class="id">{digest}</code>.
A theory that it does not have is shown as "not checked here", never as accepted.</p></details>
<noscript><p>Without JavaScript the page can be read but not checked; <code>certify verify</code> checks the
files.</p></noscript></section>
"""


def _summary(report: Report) -> str:
    rows: list[tuple[str, str, str]] = []
    for section in report.sections:
        name = f'<a href="#{section.anchor}">{escape(section.id)}</a><br>{escape(section.tree[3][0])}'
        rows.append((name, section.status, section.note))
    rows += [(escape(name), "not stated", reason) for name, reason in report.not_stated]
    lines = "".join(f'<tr><td>{name}</td><td><span class="status {status.replace(" ", "-")}">{status}</span></td>'
                    f"<td>{escape(note)}</td></tr>" for name, status, note in rows)
    present = [s for s in STATUSES if any(section.status == s for section in report.sections)
               or (s == "not stated" and report.not_stated)]
    words = "".join(f"<li>{escape(STATUSES[s])}</li>" for s in present)
    return ('<section aria-labelledby="summary-title"><h2 id="summary-title">Summary</h2>'
            '<div class="wide" tabindex="0"><table class="summary"><thead><tr><th>claim</th><th>status</th>'
            "<th>on the instances here</th></tr></thead>"
            f"<tbody>{lines}</tbody></table></div><ul>{words}</ul>"
            '<p class="buttons"><button type="button" id="open-all">Open every certificate</button> '
            '<button type="button" id="close-all">Close all</button></p></section>\n')


def _sections(report: Report) -> tuple[str, list[dict[str, Any]], list[Any]]:
    """The sections of all claims, the data of all certificates in the same order, and the films they share."""
    texts: list[str] = []
    carried: list[dict[str, Any]] = []
    films: dict[str, int] = {}
    made = iter(_drawn([(case, k == 0) for section in report.sections for k, case in enumerate(section.cases)]))
    for section in report.sections:
        cases = []
        for case in section.cases:
            text, film = next(made)
            cases.append(text)
            carried.append(_carried(case))
            if film:
                carried[-1]["film"] = films.setdefault(film, len(films))
        without = "".join(f"<li>{escape(name)}: {escape(words)} (no certificate)</li>"
                          for name, words in section.without)
        texts.append(f'<section class="claim" aria-labelledby="{section.anchor}">{_statement(section)}'
                     f"<h3>On {len(section.cases)} instance{'s' if len(section.cases) != 1 else ''}</h3>"
                     + "".join(cases) + (f"<ul>{without}</ul>" if without else "") + "</section>\n")
    carried += [_carried(case) for case in report.rejected]
    return _drawn_once("".join(texts)), carried, [json.loads(film) for film in films]


def _drawn_once(text: str) -> str:
    """Pictures that several certificates share are drawn once and shown again by reference."""
    seen: dict[str, str] = {}
    repeated = {picture for picture, count in Counter(PICTURE.findall(text)).items() if count > 1}

    def shown(match: re.Match[str]) -> str:
        opening, picture = match[1], match[0]
        if picture not in repeated:
            return picture
        if picture in seen:
            return f'{opening}><use href="#{seen[picture]}"/></svg>'
        seen[picture] = f"picture-{len(seen)}"
        return f'{opening} id="{seen[picture]}">{picture[len(opening) + 1:]}'

    return SVG.sub(shown, text)


def _drawn(cases: list[tuple[Case, bool]]) -> list[tuple[str, str]]:
    """HTML and film of every certificate; many are drawn by several processes, those of one instance by one of them."""
    jobs = [(case, number, opened) for number, (case, opened) in enumerate(cases)]
    if len(jobs) < MANY:
        return [_case(*job) for job in jobs]
    alike: dict[str, list[tuple[Case, int, bool]]] = {}
    for job in jobs:
        alike.setdefault(address(job[0].certificate["instance"]), []).append(job)
    made: list[tuple[str, str]] = [("", "")] * len(jobs)
    with ProcessPoolExecutor() as pool:
        for group in pool.map(_group, alike.values(), chunksize=4):
            for number, drawn in group:
                made[number] = drawn
    return made


def _group(jobs: list[tuple[Case, int, bool]]) -> list[tuple[int, tuple[str, str]]]:
    return [(number, _case(case, number, opened)) for case, number, opened in jobs]


def _case(case: Case, number: int, opened: bool) -> tuple[str, str]:
    try:
        hearing = Hearing(case.certificate)
        return case_html(case, hearing, number, opened), case_film(hearing)
    except Exception as reason:  # accepted, but too large or too strange to be drawn: its verdict still counts
        words = f"{type(reason).__name__} {reason}"[:200]
        return (f'<details class="case" id="case-{number}"><summary><span class="name">{escape(case.name)}</span> '
                f'<span class="verdict">{escape(case.sentence)}</span> <output class="answer" id="answer-{number}">'
                f'{UNCHECKED}</output></summary><p class="undrawn">Not drawn: {escape(words)}</p>'
                "</details>"), ""


def _carried(case: Case) -> dict[str, Any]:
    found: dict[str, Any] = {"name": case.name, "file": case.file, "bytes": case.raw.decode("latin-1")}
    if case.accepted:
        found["instance"] = instance_text(case)
    return found


def _statement(section: Section) -> str:
    _, name, kind, (title, source, reading), (system, selection), givens, wheres, assumptions, assertion = section.tree
    lines = []
    if section.system is not None:
        dynamics = step(section.system)
        lines.append(("system", f"<code>{escape(system)}</code>, selection {escape(selection)}: {dynamics}"))
    lines += [("given" if k == 0 else "", given(entry)) for k, entry in enumerate(givens)]
    formulas: set[str] = set()
    lines += [("where" if k == 0 else "", definition(entry, formulas)) for k, entry in enumerate(wheres)]
    lines += [(f"assume {label}", breaking(formula)) for label, formula in assumptions]
    lines.append(("value" if kind == "value" else "assert", breaking(assertion)))
    listed = "".join(f"<dt>{escape(term)}</dt><dd>{text}</dd>" for term, text in lines)
    from ..verifier import printer
    beside = [f"<p><strong>Source</strong> {escape(source)}</p>" if source else "",
              f"<p><strong>Reading</strong> {escape(reading)}</p>" if reading else
              "<p><strong>Reading</strong> none is recorded</p>",
              "".join(f"<p>{_note(words)}</p>" for words in section.notes),
              f"<p>This statement {escape(section.whose)}.</p>" if "user" in section.whose else
              f"<p>This statement {escape(section.whose)} under this id.</p>",
              "".join(f"<p>Another reading: {escape(other)}</p>" for other in section.readings)]
    return (f'<h2 id="{section.anchor}">{escape(title or name)}</h2><p class="under"><code>{escape(name)}</code> '
            f'<span class="status {section.status}">{section.status}</span> {escape(section.note)}'
            f'{KINDS.get(kind, "")}</p>'
            f'<div class="beside"><div class="wide statement" tabindex="0"><dl>{listed}</dl></div>'
            f'<aside class="reading">{"".join(beside)}</aside></div><details><summary>As text, exactly as certified'
            f'</summary><pre tabindex="0">{escape(printer.whole(section.tree, section.system))}</pre></details>')


def _note(words: str) -> str:
    """A comment of the claim's file, its first words in bold: "The source: ...", "Changed here: ..."."""
    head, colon, rest = words.partition(":")
    return f"<strong>{escape(head)}</strong>{escape(rest)}" if colon else escape(words)


def _rejected(report: Report) -> str:
    if not report.rejected:
        return ""
    first = len(report.cases) - len(report.rejected)
    items = "".join(f'<li><code>{escape(case.name)}</code>: {escape(case.reason)} <output class="answer" '
                    f'id="answer-{first + k}">{UNCHECKED}</output></li>'
                    for k, case in enumerate(report.rejected))
    return ('<section aria-labelledby="rejected-title"><h2 id="rejected-title">Rejected files</h2><p>The verifier does '
            f"not accept these files; nothing in them counts above.</p><ul>{items}</ul></section>\n")


def _not_stated(report: Report) -> str:
    if not report.not_stated:
        return ""
    items = "".join(f"<li><code>{escape(name)}</code>: {escape(reason)}</li>" for name, reason in report.not_stated)
    return (f'<section aria-labelledby="unstated"><h2 id="unstated">Not stated</h2><ul>{items}</ul></section>\n')


def _footer() -> str:
    return (f"<footer><p>Made by certify {escape(__version__)}. A verdict is about the statement printed with it and "
            "the instance shown; numbers are exact unless they say about.</p></footer>\n")
