"""Accept or reject files, one line each; exit 1 if one is rejected, else 2 if one is unreadable, else 0."""
from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from .catalogue import status_of
from .exact import Reject
from .kernel import LEMMA_THEORIES, verify
from .load import MAX_BYTES, identity, parse

HERE = Path(__file__).parent
FILES = {name: theory.__name__.rsplit(".", 1)[-1] for name, theory in LEMMA_THEORIES.items()}


def check_file(path: str) -> dict[str, Any]:
    """What the verifier says about one file."""
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        return {"file": path, "answer": "unreadable", "reason": error.strerror or "cannot be read"}
    try:
        certificate = parse(data)
        report = verify(certificate)
    except Reject as reason:
        return {"file": path, "answer": "rejected", "reason": str(reason)}
    except Exception as error:  # in a verifier every exception is a rejection
        return {"file": path, "answer": "rejected", "reason": f"malformed ({type(error).__name__})"}
    claim = certificate["claim"]
    return {"file": path, "answer": "accepted", "id": identity(certificate), "claim": claim["id"],
            "catalogue": status_of(claim["tree"], claim["system"]), "lines": lines_believed(report["theories"]),
            **report}


def lines_believed(theories: list[str]) -> int:
    """Lines of code that this acceptance rests on: the kernel and the theories used."""
    files = [f for f in HERE.glob("*.py") if f.name not in ("command.py", "__main__.py", "catalogue.py")]
    files += [HERE / "theories" / (FILES.get(name, name.split("/")[0]) + ".py") for name in theories]
    total = 0
    for file in files:
        try:
            total += sum(1 for line in file.read_text("utf-8").splitlines() if line.strip())
        except OSError:
            return 0  # inside an archive the files cannot be counted
    return total


def sentence(report: dict[str, Any]) -> str:
    """One line for a person."""
    if report["answer"] != "accepted":
        return f"{report['answer']}: {report['file']}: {report['reason']}"
    verdict = report["verdict"]
    words = [f"{key} = {verdict[key]}" for key in ("T", "t", "i", "line", "true", "samples", "low", "high", "value")
             if key in verdict]
    words += ["the first violation" if verdict["first"] else "not shown to be the first"] if "first" in verdict else []
    return (f"accepted: {report['file']}: {report['claim']} {verdict['kind']}"
            f"{' with ' + ', '.join(words) if words else ''}; "
            f"the statement {report['catalogue']}; believed: {', '.join(['kernel', *report['theories']])}"
            + (f" ({report['lines']} lines)" if report["lines"] else ""))


def main(arguments: list[str]) -> int:
    paths = [a for a in arguments if a != "--json"]
    if not paths or any(a.startswith("-") for a in paths):
        print("usage: verifier [--json] CERTIFICATE...", file=sys.stderr)
        return 2
    reports = [check_file(path) for path in paths]
    if "--json" in arguments:
        print(json.dumps(reports if len(reports) > 1 else reports[0]))
    else:
        for report in reports:
            print(sentence(report))
    answers = {report["answer"] for report in reports}
    return 1 if "rejected" in answers else 2 if "unreadable" in answers else 0
