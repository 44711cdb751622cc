"""The report as a LaTeX document: the statements as `explain --latex` writes them, verdicts and ledgers beside."""
from __future__ import annotations

import re
from collections.abc import Iterator

from ..statements.latex import escaped, latex_claim, latex_term
from ..wording import scope
from .case_html import slack_of, slack_text
from .gathering import Case, Report, Section
from .hearing import Hearing
from .numerals import grouped
from .starts import undrawn_words
from .witnesses import sentences

PREAMBLE = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,amssymb,longtable,textcomp}
\usepackage[margin=2.5cm]{geometry}
\setlength{\emergencystretch}{3em}
\newenvironment{reasons}{\begin{itemize}\raggedright\setlength{\itemsep}{0pt}\setlength{\parskip}{0pt}}{\end{itemize}}
\begin{document}
"""
UNICODE = {"·": r"$\cdot$", "√": r"$\surd$", "≤": r"$\le$", "≥": r"$\ge$"}
MOST_SENTENCES = 20
DISPLAY = re.compile(r"\\\[\n  (.*)\n\\\]")
LONGEST_DISPLAY = 240


def latex_report(report: Report) -> str:
    """A document that compiles on its own."""
    lines = [PREAMBLE, r"\section*{Referee report}",
             f"{len(report.sections)} claims, {len(report.cases)} certificates, {len(report.rejected)} rejected.", "",
             r"\begin{longtable}{p{0.28\linewidth}p{0.14\linewidth}p{0.5\linewidth}}",
             r"claim & status & on the instances here \\ \hline"]
    lines += [rf"\texttt{{{_breaking(s.id)}}} & {s.status} & {text(s.note)} \\" for s in report.sections]
    lines += [rf"\texttt{{{_breaking(name)}}} & not stated & {text(reason)} \\" for name, reason in report.not_stated]
    lines += [r"\end{longtable}"]
    for section in report.sections:
        lines += _section(section)
    if report.rejected:
        lines += [r"\section*{Rejected files}", r"\begin{itemize}",
                  *(rf"\item \texttt{{{_breaking(c.name)}}}: {text(c.reason)}" for c in report.rejected),
                  r"\end{itemize}"]
    return "\n".join([*lines, r"\end{document}", ""])


def text(words: str) -> str:
    """Prose for LaTeX."""
    return _signs(escaped(plain(words)))


def _signs(words: str) -> str:
    for character, replacement in UNICODE.items():
        words = words.replace(character, replacement)
    return words


def plain(words: str) -> str:
    """Prose on one line; characters that the fonts may lack are replaced."""
    known = (c if c.isascii() or c in UNICODE or (c.isalpha() and ord(c) < 0x250) else "?" for c in words)
    return " ".join("".join(known).split())


def _breaking(words: str) -> str:
    """Long names may break at slashes and hyphens."""
    return text(words).replace("/", r"/\allowbreak{}").replace("-", r"-\allowbreak{}")


def _section(section: Section) -> Iterator[str]:
    yield rf"\section*{{{text(section.tree[3][0] or section.id)}}}"
    yield (rf"\noindent\texttt{{{_breaking(section.id)}}}. \textbf{{{section.status}}}: {text(section.note)}. "
           rf"This statement {text(section.whose)}.")
    yield ""
    for words in section.notes:
        yield rf"\noindent {text(words)}"
        yield ""
    yield _statement(section)
    for case in section.cases:
        yield from _case(case)
    if section.without:
        yield r"\begin{itemize}"
        yield from (rf"\item {text(name)}: {text(words)} (no certificate)" for name, words in section.without)
        yield r"\end{itemize}"


def _statement(section: Section) -> str:
    """The claim under the section's own heading, with displays that are too long for a line set so that they break."""
    _, name, kind, (_, source, reading), *rest = section.tree
    tree = ["claim", name, kind, ["", plain(source), plain(reading)], *rest]
    _, _, body = latex_claim(tree, section.system).partition("\n\n")

    def broken(match: re.Match[str]) -> str:
        if len(match[1]) <= LONGEST_DISPLAY:
            return match[0]
        return rf"\begin{{quote}}\raggedright ${match[1]}$\end{{quote}}"

    head = {"exhibit": "\\emph{An exhibit.}\n\n", "statistic": "\\emph{A statistic.}\n\n"}.get(kind, "")
    return head + DISPLAY.sub(broken, _signs(body))  # formulas have no such signs, prose may


def _case(case: Case) -> Iterator[str]:
    slack = slack_of(case)
    yield rf"\paragraph{{{text(case.name)}}} {text(case.sentence)}."
    yield ""
    yield r"\noindent\begin{tabular}{llll}"
    yield r"line & status & scope & slack \\ \hline"
    for line in case.certificate["ledger"]:
        row = (line["name"], line["status"], scope(line, grouped), slack_text(slack.get(line["name"])))
        yield " & ".join(map(text, row)) + r" \\"
    yield r"\end{tabular}"
    yield ""
    hearing = Hearing(case.certificate)
    failure = hearing.failure
    if failure is not None:
        place = ", ".join(f"${name} = {value}$" for name, value in failure.where.items() if len(str(value)) < 60)
        yield rf"{{\raggedright\noindent False{' at ' + place if place else ''}: ${latex_term(failure.atom)}$."
        if failure.left is not None and failure.right is not None:
            yield (rf"Left side {text(failure.left.exact)}, about {text(failure.left.about)}; right side "
                   rf"{text(failure.right.exact)}, about {text(failure.right.about)}.")
        yield r"\par}"
    reasons = [rf"\item {text(words)}" for _, words in zip(range(MOST_SENTENCES), sentences(hearing), strict=False)]
    words = undrawn_words(case.certificate["instance"])
    reasons += [rf"\item {text(words)}"] if words else []
    if reasons:  # LaTeX refuses an empty list
        yield from (r"\begin{reasons}", *reasons, r"\end{reasons}")
    yield rf"Certificate {{\ttfamily\footnotesize {case.id}}}."
    yield ""
