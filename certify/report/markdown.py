"""The report as Markdown, and as a logbook: one page a claim, certificates attached, the command that recomputes it."""
from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from ..certificate import write_bytes
from ..errors import InputError
from ..verifier import printer
from ..wording import STATUSES, scope
from .case_html import instance_text, slack_of, slack_text
from .gathering import Case, Report, Section
from .hearing import Hearing
from .numerals import grouped
from .starts import undrawn_words
from .witnesses import moment, sentences

MOST_SENTENCES = 40


def markdown_report(report: Report) -> str:
    """One Markdown document."""
    lines = ["# Referee report", ""]
    lines += [f"{len(report.sections)} claims, {len(report.cases)} certificates, {len(report.rejected)} rejected."]
    lines += ["", "| claim | status | on the instances here |", "|---|---|---|"]
    lines += [f"| {_cell(s.id)} | {s.status} | {_cell(s.note)} |" for s in report.sections]
    lines += [f"| {_cell(name)} | not stated | {_cell(reason)} |" for name, reason in report.not_stated]
    present = {section.status for section in report.sections}
    lines += ["", *(f"- {words}" for status, words in STATUSES.items() if status in present), ""]
    for section in report.sections:
        lines += _section(section)
    if report.rejected:
        lines += ["## Rejected files", "", *(f"- {plain(c.name)}: {plain(c.reason)}" for c in report.rejected), ""]
    return "\n".join(lines)


def write_logbook(report: Report, folder: Path) -> list[Path]:
    """One page a claim and its certificates beside it; returns the pages."""
    pages: list[Path] = []
    try:
        (folder / "certificates").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror or 'cannot be created'}; give a folder that is writable") from None
    taken: set[str] = set()
    for section in report.sections:
        name = re.sub(r"[^A-Za-z0-9.-]+", "-", section.id).strip("-.") or "claim"
        name = name if name not in taken else f"{name}-{section.anchor[-6:]}"
        taken.add(name)
        for case in section.cases:
            write_bytes(case.raw, folder / "certificates" / f"{case.id}.json")
        page = folder / f"{name}.md"
        write_bytes("\n".join(_section(section, True)).encode("utf-8"), page)
        pages.append(page)
    index = ["# Logbook", "", *(f"- [{plain(s.id)}]({p.name}): {s.status}; {plain(s.note)}"
                                for s, p in zip(report.sections, pages, strict=True))]
    index += [f"- {plain(name)}: not stated; {plain(reason)}" for name, reason in report.not_stated]
    write_bytes(("\n".join(index) + "\n").encode("utf-8"), folder / "README.md")
    return pages


def plain(text: str) -> str:
    """Text that Markdown shows as it is: a certificate may come from anyone, and Markdown lets HTML through."""
    return re.sub(r"([\\`*_\[\]<>|#&~!])", r"\\\1", text.replace("\n", " "))


def fenced(text: str, language: str = "") -> str:
    """A block of code with a fence longer than any inside."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _cell(text: str) -> str:
    return plain(text)


def _section(section: Section, attached: bool = False) -> list[str]:
    _, name, _, (title, source, reading), *_ = section.tree
    lines = [f"## {plain(title or name)}", "", f"`{name}`: **{section.status}**. {plain(section.note)}.", ""]
    lines += [f"Source: {plain(source)}", ""] if source else []
    lines += [f"Reading: {plain(reading)}", ""] if reading else []
    lines += [part for words in section.notes for part in (plain(words), "")]
    lines += [f"This statement {section.whose}.", "", fenced(printer.whole(section.tree, section.system), "claim"), ""]
    for case in section.cases:
        lines += _case(case, section, attached)
    lines += [f"- {plain(name)}: {plain(words)} (no certificate)" for name, words in section.without]
    return [*lines, ""]


def _case(case: Case, section: Section, attached: bool) -> Iterator[str]:
    slack = slack_of(case)
    yield f"### {plain(case.name)}: {plain(case.sentence)}"
    yield ""
    yield "| line | status | scope | slack |"
    yield "|---|---|---|---|"
    for line in case.certificate["ledger"]:
        reach, distance = scope(line, grouped), slack_text(slack.get(line["name"]))
        yield f"| {_cell(line['name'])} | {line['status']} | {reach} | {distance} |"
    yield ""
    hearing = Hearing(case.certificate)
    failure = hearing.failure
    if failure is not None:
        yield f"False: {plain(moment(failure))}."
        if failure.left is not None and failure.right is not None:
            yield f"Left side {plain(failure.left.exact)}, about {failure.left.about};"
            yield f"right side {plain(failure.right.exact)}, about {failure.right.about}."
        yield ""
    yield from (f"- {plain(text)}" for _, text in zip(range(MOST_SENTENCES), sentences(hearing), strict=False))
    yield ""
    words = undrawn_words(case.certificate["instance"])
    yield from [words, ""] if words else []
    instance = instance_text(case)
    if instance and len(instance) < 4000:
        yield fenced(instance, "json")
        yield ""
    else:
        yield "The instance is too large to be printed; it is in the certificate."
        yield ""
    if attached:
        yield f"Certificate: [certificates/{case.id}.json](certificates/{case.id}.json). Re-check and recompute:"
        yield ""
        yield fenced("\n".join(commands(case, section)), "console")
    else:
        yield f"Certificate id {case.id}."
    yield ""


def commands(case: Case, section: Section) -> Iterator[str]:
    """What a reader types to check a certificate, and to find its verdict again."""
    yield f"certify verify certificates/{case.id}.json"
    if section.whose == "is the catalogue's" and "/" in case.name and " " not in case.name:
        kind = shlex.quote(case.verdict["kind"])
        yield f"certify check {shlex.quote(section.id)} {shlex.quote(case.name)} --expect {kind}"
        return
    part = f"import json; c = json.load(open('certificates/{case.id}.json')); "
    yield f"python -c \"{part}print(c['claim']['text'].split(chr(10) * 2)[0])\" > claim.claim"
    part += "from certify.instances import Instance; "
    yield f"python -c \"{part}print(json.dumps(Instance(c['instance']).as_file()))\" > instance.json"
    yield "certify check claim.claim instance.json"
