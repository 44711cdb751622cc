"""One certificate as HTML: verdict, ledger, the moment of violation, witnesses, instance, pictures.

Everything that comes from a certificate passes through `escape`; numbers are text.
"""
from __future__ import annotations

import json
from html import escape
from typing import Any

from ..claims import Claim
from ..errors import CertifyError
from ..instances import Instance
from ..slack import slacks
from ..verifier import printer
from ..wording import scope
from .drawings import film_data, pictures
from .gathering import Case
from .hearing import OPPOSITE, Hearing
from .mathml import RELATIONS, breaking, math
from .numerals import grouped, short
from .starts import interval, is_box, random_start, undrawn_words
from .witnesses import refusals, sentences

ROWS, COLUMNS = 24, 8  # of a table of exact numbers
MOST_SENTENCES = 40
STEPS = 20  # over which slack is read: some hundred certificates must not take long
UNCHECKED = "not checked yet in this browser"
MOST_TEXT = 200_000  # characters of an instance that a page carries beside its certificate


def case_html(case: Case, hearing: Hearing, number: int, opened: bool) -> str:
    """The whole of one certificate, to be folded away."""
    parts = [_ledger(case, opened), _moment(hearing), _pictures(hearing, number), _instance(case, number),
             _witnesses(hearing), _files(case, number)]
    return (f'<details class="case" id="case-{number}"{" open" if opened else ""}><summary>'
            f'<span class="name">{escape(case.name)}</span> <span class="verdict {_shade(case)}">'
            f'{escape(case.sentence)}</span> <output class="answer" id="answer-{number}">{UNCHECKED}</output></summary>'
            f'<div class="inside">{"".join(parts)}</div></details>')


def _shade(case: Case) -> str:
    return {"refuted": "refuted", "holds": "holds", "exhibited": "holds"}.get(case.verdict["kind"], "other")


def slack_of(case: Case) -> dict[str, float | None]:
    """About how far each line is from its boundary; nothing where no floating-point reading exists."""
    claim = case.certificate["claim"]
    try:
        return slacks(Claim(claim["tree"], claim["system"]), Instance(case.certificate["instance"]), STEPS)
    except (CertifyError, ArithmeticError, ValueError, KeyError, TypeError):
        return {}


def slack_text(value: float | None) -> str:
    return "" if value is None else f"about {value + 0.0:.3g} over t = 0 to {STEPS}"


def _ledger(case: Case, stated: bool) -> str:
    """The lines; their statements only if `stated`, else the page copies them from the claim above."""
    slack = {name: slack_text(value) for name, value in slack_of(case).items() if value is not None}
    formulas = dict([*case.certificate["claim"]["tree"][7], ["assertion", case.certificate["claim"]["tree"][8]]])
    rows = []
    for line in case.certificate["ledger"]:
        name, status = line["name"], line["status"]
        formula = breaking(formulas[name]) if stated else ""
        rows.append(f'<tr><th scope="row">{escape(name)}</th><td class="formula">{formula}</td>'
                    f'<td><span class="{status}">{status}</span></td><td>{escape(scope(line, grouped))}</td>'
                    + (f"<td>{escape(slack.get(name, ''))}</td>" if slack else "") + "</tr>")
    head = "<th>slack (a float, for reading only)</th>" if slack else ""
    return ('<h4>Ledger</h4><div class="wide" tabindex="0"><table class="ledger"><thead><tr><th>line</th><th>statement'
            f"</th><th>status</th><th>scope in time</th>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
            "</div>")


def _moment(hearing: Hearing) -> str:
    failure = hearing.failure
    if failure is None:
        return ""
    place = ", ".join(f"{name} = {grouped(value) if name[0] in 'rst' else value}"
                      for name, value in failure.where.items())
    head = "The moment of violation" if failure.line == "assertion" else f"Where {failure.line} fails"
    text = f"<h4>{escape(head)}{escape(': ' + place if place else '')}</h4>"
    text += f'<div class="wide" tabindex="0"><p>False: {breaking(failure.atom)}</p></div>'
    if failure.left is None or failure.right is None:
        against = refusals(hearing, failure)
        return text + "".join(f"<p>{escape(words)}</p>" for words in against)
    here = "At every start of the box" if is_box(hearing.certificate["instance"]) else "So here"
    sign = RELATIONS[OPPOSITE_NAMES[failure.atom[0]]]
    rows = "".join(
        f'<tr><th scope="row">{name}</th><td class="exact">{escape(side.exact)}</td><td>about {escape(side.about)}</td>'
        "</tr>" for name, side in (("left side", failure.left), ("right side", failure.right)))
    return text + (f'<div class="wide" tabindex="0"><table class="sides"><thead><tr><th></th><th>exact</th><th>decimal'
                   f"</th></tr></thead><tbody>{rows}</tbody></table></div>"
                   f"<p>{here} the left side is <strong>{escape(sign)}</strong> the right side.</p>")


OPPOSITE_NAMES = {"le": "gt", "lt": "ge", "ge": "lt", "gt": "le", "eq": "ne", "ne": "eq"}
assert set(OPPOSITE_NAMES) == set(OPPOSITE)


def _pictures(hearing: Hearing, number: int) -> str:
    found = pictures(hearing)
    if not found:
        words = undrawn_words(hearing.certificate["instance"])
        return f'<h4>Pictures</h4><p class="remark">{escape(words)}</p>' if words else ""
    frames = hearing.film
    violated = hearing.failure.where.get("t") if hearing.failure is not None else None
    figures = []
    for k, (caption, svg) in enumerate(found):
        slider = ""
        if k == 0 and frames is not None and len(frames.frames) > 1:
            shown = violated is not None and 0 < violated < len(frames.frames)
            jump = (f' <button type="button" data-time="{number}" data-at="{violated}">Go to t = {violated}, where it '
                    "fails</button>") if shown else ""
            slider = (f'<div class="slider" data-case="{number}"><label for="time-{number}">Time t = '
                      f'<output id="now-{number}">0</output></label>{jump}<input type="range" id="time-{number}" '
                      f'min="0" max="{len(frames.frames) - 1}" value="0" step="1"><div class="wide" '
                      f'tabindex="0"><table class="state" id="state-{number}" aria-live="polite"></table></div></div>')
        opening = '<figure class="film">' if slider else "<figure>"
        figures.append(f"{opening}{svg}{slider}<figcaption>{escape(caption)}</figcaption></figure>")
    return f'<h4>Pictures</h4><div class="figures">{"".join(figures)}</div>'


def case_film(hearing: Hearing) -> str:
    """The slider's data."""
    frames = hearing.film
    return film_data(frames) if frames is not None and len(frames.frames) > 1 else ""


def _witnesses(hearing: Hearing) -> str:
    found = list(sentences(hearing))
    items = "".join(f"<li>{escape(text)}</li>" for text in found[:MOST_SENTENCES])
    if len(found) > MOST_SENTENCES:
        items += f"<li>... and {len(found) - MOST_SENTENCES} more facts, in the certificate.</li>"
    return f'<h4>The witness in words</h4><ul class="witness">{items}</ul>'


def instance_text(case: Case) -> str:
    """The instance file of a certificate, or nothing if it is too long to be carried twice."""
    fields = Instance(case.certificate["instance"]).as_file()
    texts = (json.dumps(fields, indent=1), json.dumps(fields, separators=(",", ":")))  # large matrices on one line
    return next((found for found in texts if len(found) <= MOST_TEXT), "")


def _instance(case: Case, number: int) -> str:
    fields = case.certificate["instance"]
    parts = []
    for key, value in fields.items():
        if key != "system":
            parts.append(f'<div class="datum"><h5><math><mi>{escape(key)}</mi></math></h5>{_datum(key, value)}</div>')
    buttons = "" if not instance_text(case) else (
        f'<p class="buttons"><button type="button" data-copy="{number}">Copy the instance</button> '
        f'<button type="button" data-download="{number}" data-what="instance">Download the instance</button></p>')
    system = f"<p>System: <code>{escape(str(fields['system']))}</code></p>"
    if is_box(fields):
        system += "<p>A box of starts: a coordinate in brackets is any number between its ends.</p>"
    return f'<h4>Instance, exact</h4>{system}<div class="data">{"".join(parts)}</div>{buttons}'


def _datum(key: str, value: Any) -> str:
    drawn = random_start({key: value})
    if drawn is not None:
        rows = "".join(f'<tr><th scope="row">{name}</th><td>{escape(str(drawn[name]))}</td></tr>'
                       for name in ("tokens", "dimension", "samples", "seed"))
        return ('<div class="wide" tabindex="0"><table class="numbers"><caption>random starts: independent standard '
                f"Gaussians on a grid of step 2^-16</caption><tbody>{rows}</tbody></table></div>")
    if isinstance(value, str):
        return f'<p class="exact">{escape(short(value))}</p>'
    if isinstance(value, dict) and "scale" in value:
        return f'<p class="exact">{escape(printer.term(value["scale"]))} times</p>{_rows(value["matrix"], False)}'
    if isinstance(value, dict):
        kind, entries = next(iter(value.items()))
        words = "one after the other, the last for ever" if kind == "list" else "again and again in this order"
        inner = "".join(f"<li>{_datum(key, entry)}</li>" for entry in entries[:COLUMNS])
        more = f"<li>... {len(entries)} entries</li>" if len(entries) > COLUMNS else ""
        return f'<p>{words}:</p><ol start="0">{inner}{more}</ol>'
    if value and isinstance(value[0], list) and key not in ("g",):
        return _rows(value, key == "x")
    if value and isinstance(value[0], str) and any(isinstance(part, list) for part in value):
        return math(value)
    if value and value[0] in ("var", "num"):
        return math(value)
    return _rows([value], False)


def _entry(entry: str | list[str]) -> str:
    return interval([short(end, 30) for end in entry]) if isinstance(entry, list) else short(entry, 30)


def _is_identity(rows: list[list[Any]]) -> bool:
    return all(entry == ("1" if i == j else "0") for i, row in enumerate(rows) for j, entry in enumerate(row))


def _rows(rows: list[list[Any]], named: bool) -> str:
    """A table; a large one is folded away and shows a corner, for the instance can be downloaded."""
    table = _table(rows, named)
    if len(rows) <= ROWS and len(rows[0]) <= 2 * COLUMNS:
        return table
    what = "the identity" if not named and len(rows) == len(rows[0]) and _is_identity(rows) else "first entries"
    return f"<details><summary>{len(rows)} by {len(rows[0])}, {what}</summary>{table}</details>"


def _table(rows: list[list[Any]], named: bool) -> str:
    lines = []
    for i, row in enumerate(rows[:ROWS]):
        cells = "".join(f"<td>{escape(_entry(entry))}</td>" for entry in row[:COLUMNS])
        cells += f"<td>... {len(row)} columns</td>" if len(row) > COLUMNS else ""
        lines.append(f"<tr>{f'<th scope=row>{i}</th>' if named else ''}{cells}</tr>")
    if len(rows) > ROWS:
        lines.append(f'<tr><td colspan="{COLUMNS + 1}">... {len(rows)} rows in all</td></tr>')
    head = '<caption>token: coordinates</caption>' if named else ""
    return f'<div class="wide" tabindex="0"><table class="numbers">{head}<tbody>{"".join(lines)}</tbody></table></div>'


def _files(case: Case, number: int) -> str:
    return (f'<h4>Certificate</h4><p>id <code class="id">{escape(case.id)}</code>; rests on '
            f'{escape(", ".join(["the kernel", *case.certificate["theories"]]))}.</p><p class="buttons">'
            f'<button type="button" data-check="{number}">Check this certificate here</button> '
            f'<button type="button" data-download="{number}" data-what="certificate">Download the certificate</button>'
            "</p>")
