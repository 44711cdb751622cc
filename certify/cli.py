"""The command line: results on standard output, everything else on standard error."""
from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import __version__
from .errors import CertifyError, InputError, UnableError

if TYPE_CHECKING:
    from .audit import Audit
    from .checking import Result
    from .claims import Claim
    from .instances import Instance

FLOAT_NOISE = 1e-12  # slack is a hint in floats; below this it is shown as 0
STYLES = {"true": "green", "false": "red", "undecided": "yellow", "holds": "green", "refuted": "red",
          "vacuous": "yellow", "exhibited": "green"}


class Commands(click.Group):
    """Turns our errors into one line and an exit code."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            code = super().main(*args, **{**kwargs, "standalone_mode": False})
            sys.stdout.flush()
            sys.exit(code if isinstance(code, int) else 0)  # click hands the code of an Exit back as a value
        except click.exceptions.Exit as stop:
            sys.exit(stop.exit_code)
        except click.ClickException as error:
            error.show()
            sys.exit(2)
        except (click.Abort, KeyboardInterrupt):
            click.echo("certify: interrupted", err=True)
            sys.exit(130)
        except BrokenPipeError:
            sys.exit(0)
        except OSError as error:  # standard output that cannot be written
            os.close(1)
            click.echo(f"certify: {error.strerror or 'the output cannot be written'}", err=True)
            sys.exit(2)
        except UnableError as error:
            click.echo(f"certify: {error}", err=True)
            sys.exit(3)
        except CertifyError as error:
            click.echo(f"certify: {error}", err=True)
            sys.exit(2)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="certify")
def main() -> None:
    """Exact, certified verdicts on theorems about attention dynamics."""


def _claim(name: str) -> Claim:
    from .claims import load
    return load(name)


def _standard_input() -> str:
    if sys.stdin is None:
        raise InputError("standard input is closed; give a file in place of -")
    return sys.stdin.read()


def _instance(claim: Claim, source: str, settings: tuple[str, ...]) -> Instance:
    from .claims import named_instance
    from .instances import load_instance
    changes = _settings(settings)
    if source == "-":
        return load_instance("-", _standard_input(), changes)
    if os.path.exists(source) or source.endswith((".json", ".npz")):
        if source.endswith(".npz"):
            changes = {"system": claim.tree[4][0], **changes}
        return load_instance(source, changes=changes)
    found = named_instance(claim, source)
    return found.with_fields(**changes) if changes else found


def _settings(settings: tuple[str, ...]) -> dict[str, Any]:
    from decimal import Decimal
    values: dict[str, Any] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or not key:
            raise InputError(f"--set {setting}: expected KEY=VALUE")
        try:
            values[key] = json.loads(value, parse_float=Decimal)
        except (ValueError, RecursionError):
            values[key] = value
    return values


@main.command()
@click.argument("claim_name", metavar="CLAIM")
@click.argument("instance_name", metavar="INSTANCE")
@click.option("--horizon", type=click.IntRange(0, 10**7), default=200, show_default=True,
              help="Simulate to this t; a regime found within it decides beyond it.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the certificate here.")
@click.option("--expect", metavar="KIND", help="Exit 1 unless the verdict is of this kind.")
@click.option("--set", "settings", multiple=True, metavar="K=V", help="Add or replace a key of the instance.")
@click.option("--seconds", type=click.FloatRange(min=0), help="Stop after this time.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def check(claim_name: str, instance_name: str, horizon: int, output: Path | None, expect: str | None,
          settings: tuple[str, ...], seconds: float | None, as_json: bool) -> None:
    """Decide a claim (an id or a .claim file) on an instance (a file, `-`, or a named instance)."""
    from .certificate import require_writable, write
    from .checking import check as decide
    if output is not None:
        require_writable(output)
    claim = _claim(claim_name)
    instance = _instance(claim, instance_name, settings)
    result = decide(claim, instance, horizon, seconds)
    written = None
    if output is not None and result.certificate is not None:
        write(result.certificate, output)
        written = str(output)
    if as_json:
        click.echo(json.dumps(result.as_json(written)))
    else:
        _show(result, written)
    if result.almost:
        missed = -(result.slack[result.almost] or 0)
        click.echo(f"certify: {result.almost} fails by about {missed:.1e}; if that is rounding, `certify snap` moves "
                   "the data to a nearby instance that meets it exactly", err=True)
    if expect is not None and result.kind != expect:
        click.echo(f"certify: expected {expect}, the verdict is {result.kind}", err=True)
        raise click.exceptions.Exit(1)


def _show(result: Result, written: str | None) -> None:
    """A verdict for a person."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"[bold]{result.claim.id}[/bold]  {escape(result.claim.title)}")
    if result.claim.reading:
        console.print(f"reading: {escape(result.claim.reading)}", style="dim")
    table = Table(box=None, pad_edge=False)
    for heading in ("line", "status", "scope", "slack"):
        table.add_column(heading)
    for line in result.ledger:
        status = line["status"]
        scope = f"at t = {line['t']}" if "t" in line else str(line.get("scope", ""))
        scope = f"to T = {scope}" if scope.isdigit() else scope
        slack = result.slack.get(line["name"])
        slack = 0.0 if slack is not None and abs(slack) < FLOAT_NOISE else slack
        about = f"about {slack:.3g} to t = 50" if slack is not None else ""
        table.add_row(line["name"], f"[{STYLES[status]}]{status}[/]", scope, about, style=None)
    console.print(table)
    style = STYLES.get(result.kind, "yellow")
    console.print(f"[bold {style}]{escape(result.sentence())}[/]  (evidence: {result.evidence})")
    if result.ties:
        places = ", ".join(f"(t={tie['t']}, i={tie['i']}: leaders {', '.join(map(str, leaders))})"
                           for tie, leaders in zip(result.ties, result.tie_sets, strict=True))
        console.print(f"ties met: {places}")
    if written:
        console.print(f"certificate: {escape(written)}\nid: {result.id}")
        console.print(f"re-check it: certify verify {escape(written)}")
    elif result.certificate is not None:
        console.print("no certificate was written; add -o FILE to keep it")


@main.command()
@click.argument("files", nargs=-1, required=True, metavar="CERT...")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
def verify(files: tuple[str, ...], as_json: bool) -> None:
    """Re-check certificates in a process that has only the standard library."""
    from .verification import verify_files
    from .verifier.command import sentence
    found = verify_files(files)
    if as_json:
        click.echo(json.dumps([item.report for item in found]))
    else:
        for item in found:
            click.echo(sentence(item.report))
    answers = {item.answer for item in found}
    raise click.exceptions.Exit(1 if "rejected" in answers else 2 if "unreadable" in answers else 0)


@main.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE.claim...")
def lint(files: tuple[str, ...]) -> None:
    """Check claim files: syntax, sorts, names; errors with line and column."""
    from .claims import read_claim
    failed = False
    for name in files:
        try:
            claim = read_claim(Path(name))
            click.echo(f"{name}: {claim.id} is well formed")
        except InputError as error:
            failed = True
            click.echo(str(error), err=True)
    if failed:
        raise click.exceptions.Exit(2)


@main.command()
@click.argument("claim_name", metavar="CLAIM")
@click.option("--latex", is_flag=True, help="As LaTeX.")
def explain(claim_name: str, latex: bool) -> None:
    """Show a claim, its reading, its source, and what decides it."""
    claim = _claim(claim_name)
    if latex:
        from .statements.latex import latex_claim
        click.echo(latex_claim(claim.tree, claim.system))
        return
    from .claims import instance_names, load, variants, withdrawn
    from .explanation import side_by_side, what_decides
    reason = withdrawn(claim)
    if reason:
        click.echo(f"withdrawn: {reason}\n")
    for note in claim.notes:
        click.echo(note)
    click.echo(("\n" if claim.notes else "") + claim.text)
    for other in variants(claim):
        click.echo(f"Another reading, {other}, where it differs")
        for line in side_by_side(claim, load(other)):
            click.echo(f"  {line}")
    click.echo("What decides it")
    for line in what_decides(claim):
        click.echo(f"  {line}")
    names = instance_names(claim)
    if names:
        click.echo(f"Named instances: {', '.join(names)}")


@main.command()
@click.argument("word", required=False)
def words(word: str | None) -> None:
    """List every word of the language, or explain one."""
    from difflib import get_close_matches

    from .statements.words import WORDS
    if word is None:
        for entry in WORDS.values():
            click.echo(f"{entry.name:<12} {entry.meaning}")
        return
    if word not in WORDS:
        near = get_close_matches(word, WORDS, 3)
        hint = f"did you mean {', '.join(near)}?" if near else "`certify words` lists all of them"
        raise InputError(f"unknown word {word!r}; {hint}")
    entry = WORDS[word]
    click.echo(f"{entry.name}: {entry.meaning}")
    for signature in entry.signatures:
        click.echo(f"  {signature}")
    click.echo(f"  example: {entry.example}")


@main.command()
@click.argument("system")
@click.option("--instance", "as_instance", is_flag=True, help="Print a matching instance file instead.")
def new(system: str, as_instance: bool) -> None:
    """Print a commented template of a claim about SYSTEM."""
    from .statements.templates import instance_template, template
    click.echo(instance_template(system) if as_instance else template(system), nl=False)


@main.command()
@click.argument("instance_name", metavar="INSTANCE")
@click.option("--steps", type=click.IntRange(0, 10**6), default=10, show_default=True)
@click.option("--at", type=click.IntRange(0), help="Only the state at this time; by the closed form, not step by step.")
@click.option("--selection", type=click.Choice(["first", "average-points", "average-indices"]), default="first",
              show_default=True, help="What to do at ties; `first` takes the first leader.")
@click.option("--set", "settings", multiple=True, metavar="K=V", help="Add or replace a key of the instance.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with exact states.")
@click.option("--plot", type=click.Path(path_type=Path), help="Draw the trajectory to a .png or .svg file.")
def simulate(instance_name: str, steps: int, at: int | None, selection: str, settings: tuple[str, ...], as_json: bool,
             plot: Path | None) -> None:
    """Print an exact trajectory. INSTANCE is a file, -, or a named instance such as fw25v1/square."""
    from .claims import find_instance
    from .instances import load_instance
    from .simulation import simulate as run
    from .simulation import state_at
    if plot is not None:
        from .certificate import require_writable
        require_writable(plot)
    if instance_name == "-":
        instance = load_instance("-", _standard_input())
    else:
        instance = find_instance(instance_name)
    if settings:
        instance = instance.with_fields(**_settings(settings))
    if at is not None:
        moment = state_at(instance, at, selection)
        click.echo(json.dumps(moment.as_json()) if as_json else moment.text())
        return
    path = run(instance, steps, selection)
    if plot is not None:
        from .report.figures import save_trajectory
        save_trajectory(path, plot)
    if as_json:
        click.echo(json.dumps(path.as_json()))
        return
    for t, state in enumerate(path.states):
        click.echo(f"t = {t}: " + "  ".join("(" + ", ".join(point) + ")" for point in state))
    if path.ties:
        click.echo("ties at " + ", ".join(f"(t={t}, i={i})" for t, i in path.ties))


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
def claims(as_json: bool) -> None:
    """List the catalogue."""
    from .certificate.store import Store, default_store
    from .claims import catalogue, instance_names
    from .verifier.load import address
    known = Store(default_store()).statuses()

    def status(claim: Claim) -> str:
        found = known.get(claim.id, {})
        return found["status"] if found.get("statement") == address([claim.tree, claim.system]) else "not audited"

    rows: list[dict[str, Any]] = [
        {"id": claim.id, "title": claim.title, "kind": claim.tree[2], "source": claim.source,
         "system": claim.tree[4][0], "status": status(claim), "instances": instance_names(claim)}
        for claim in catalogue()]
    if as_json:
        click.echo(json.dumps(rows))
        return
    width = max((len(row["id"]) for row in rows), default=0)
    for row in rows:
        click.echo(f"{row['id']:<{width}}  {row['status']:<12}  {row['title']}")


@main.command()
@click.argument("data", metavar="DATA")
@click.option("--claim", "claim_name", required=True, metavar="CLAIM")
@click.option("--within", required=True, metavar="EPS", help="How far any number may move.")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The new instance file.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def snap(data: str, claim_name: str, within: str, output: Path, as_json: bool) -> None:
    """Move data to the nearest simple rational instance that meets a claim's assumptions exactly."""
    from .certificate import require_writable, write_bytes
    from .snapping import snap as move
    require_writable(output)
    claim = _claim(claim_name)
    found = move(claim, _instance(claim, data, ()), within)
    write_bytes((json.dumps(found.instance.as_file(), indent=1) + "\n").encode(), output)
    if as_json:
        click.echo(json.dumps({"instance": str(output), "distance": str(found.distance),
                               "moved": {key: str(value) for key, value in found.moved.items()}}))
        return
    for key, value in found.moved.items():
        click.echo(f"{key}: moved by about {float(value):.3g}")
    click.echo(f"written to {output}; the assumptions of {claim.id} hold exactly there")


@main.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--paper", "only", metavar="NAME", help="Only this paper, such as fw25v1.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the store (default: CERTIFY_STORE or audit).")
@click.option("--quick", is_flag=True, help="A shorter horizon.")
@click.option("--fresh", is_flag=True, help="Do again what the store already holds.")
@click.option("--workers", type=click.IntRange(1), help="Processes (default: one a core).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def audit(folder: Path | None, only: str | None, out: Path | None, quick: bool, fresh: bool, workers: int | None,
          as_json: bool) -> None:
    """Check a whole catalogue (ours, or a FOLDER with papers), store and verify every certificate."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from .audit import audit as run
    from .certificate.store import default_store
    from .claims import CATALOGUE
    columns = (TextColumn("auditing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
               TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        found = run(folder or CATALOGUE, only, out or default_store(), quick, fresh, workers,
                    lambda done, total, name: bar.update(task, completed=done, total=total, description=name))
    if as_json:
        click.echo(json.dumps(found.as_json()))
    else:
        _show_audit(found)
    if any(row.certificate and not row.verified for standing in found.standings for row in standing.rows):
        click.echo("certify: a certificate was rejected by the verifier", err=True)
        raise click.exceptions.Exit(1)


def _show_audit(found: Audit) -> None:
    """The table of an audit."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table
    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False)
    for heading in ("claim / instance", "status / verdict", "verified"):
        table.add_column(heading, overflow="fold")
    for standing in found.standings:
        style = {"refuted": "red", "open": "cyan", "exhibited": "green"}.get(standing.status, "yellow")
        table.add_row(f"[bold]{escape(standing.claim)}[/]  {escape(standing.title)}",
                      f"[bold {style}]{standing.status}[/]  {escape(standing.note)}", "")
        for other in standing.variants:
            table.add_row(f"  another reading: {escape(other)}", "", "")
        for row in standing.rows:
            sign = "yes" if row.verified else "no certificate" if row.certificate is None else "[red]REJECTED[/]"
            table.add_row(f"  {escape(row.instance)}", escape(row.sentence), sign)
    console.print(table)
    total = sum(len(standing.rows) for standing in found.standings)
    console.print(f"{total} checks ({found.recalled} recalled from the store), certificates in "
                  f"{escape(str(found.store / 'certificates'))}")


@main.command()
@click.argument("claim_name", metavar="CLAIM")
@click.option("--seconds", type=click.FloatRange(min=1), help="Search this long (default 60, without --candidates).")
@click.option("--candidates", type=click.IntRange(1), help="Propose this many: the same find each time.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True)
@click.option("--tokens", default="1..6", show_default=True, metavar="A..B", help="How many tokens.")
@click.option("--dim", "dimensions", default="1..3", show_default=True, metavar="A..B", help="Dimensions.")
@click.option("--horizon", type=click.IntRange(1, 10**5), default=200, show_default=True,
              help="Simulate candidates to this t; regimes are followed beyond it.")
@click.option("--objective", type=click.Choice(["earliest", "simplest", "tightest"]), default="simplest",
              show_default=True)
@click.option("--without", metavar="LINE", help="Drop this assumption: is it used?")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@click.option("--dask", metavar="ADDRESS", help="Run on a Dask cluster.")
@click.option("--family", is_flag=True, help="Sweep the numbers of the find and say where the violation persists.")
@click.option("--fresh", is_flag=True, help="Do not start from what earlier searches left in the store.")
@click.option("--store", "root", type=click.Path(path_type=Path), help="Folder (default: CERTIFY_STORE or audit).")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the certificate here.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def refute(claim_name: str, tokens: str, dimensions: str, workers: int, dask: str | None, root: Path | None,
           output: Path | None, as_json: bool, **options: Any) -> None:
    """Search for a counterexample; a find is certified and verified before it is printed."""
    from .certificate import require_writable, write
    from .certificate.store import default_store
    from .search.console import show, watching
    from .search.engine import refute as search
    from .search.executors import executor_for
    if output is not None:
        require_writable(output)
    claim = _claim(claim_name)
    options |= {"tokens": _span(tokens, "--tokens"), "dimensions": _span(dimensions, "--dim")}
    with executor_for(workers, dask) as executor, watching() as progress:
        found = search(claim, executor=executor, store=root or default_store(), progress=progress, **options)
    written = None
    if output is not None and found.result is not None and found.result.certificate is not None:
        write(found.result.certificate, output)
        written = str(output)
    if as_json:
        click.echo(json.dumps(found.as_json(written)))
    else:
        if found.result is not None:
            _show(found.result, written)
        show(found)
    for warning in found.warnings:
        click.echo(f"certify: warning: {warning}", err=True)


def _span(text: str, option: str) -> tuple[int, int]:
    low, dots, high = text.partition("..")
    if not low.isdigit() or (dots and not high.isdigit()):
        raise InputError(f"{option} {text}: expected A..B, such as 1..4")
    return int(low), int(high) if dots else int(low)


@main.command()
@click.argument("claim_name", metavar="CLAIM")
@click.option("-n", "count", type=click.IntRange(1, 100_000), default=10, show_default=True, help="How many.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True)
@click.option("--tokens", default="1..6", show_default=True, metavar="A..B", help="How many tokens.")
@click.option("--dim", "dimensions", default="1..3", show_default=True, metavar="A..B", help="Dimensions.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list instead of one instance a line.")
def sample(claim_name: str, count: int, seed: int, tokens: str, dimensions: str, as_json: bool) -> None:
    """Print instances that meet every assumption of a claim, each certified to do so."""
    from .search.sampling import sample as draw
    found = draw(_claim(claim_name), count, seed, _span(tokens, "--tokens"), _span(dimensions, "--dim"))
    files = [instance.as_file() for instance in found.instances]
    click.echo(json.dumps(files) if as_json else "\n".join(map(json.dumps, files)))
    click.echo(f"certify: {found.sentence()}", err=True)
    if len(files) < count:
        raise UnableError(f"only {len(files)} of {count} instances were found")


@main.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH...")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True,
              help="The file to write; with --format logbook a folder.")
@click.option("--format", "form", type=click.Choice(["html", "markdown", "latex", "logbook"]), default="html",
              show_default=True)
@click.option("--title", default="Referee report", show_default=True, help="Heading of the HTML page.")
def report(paths: tuple[Path, ...], output: Path, form: str, title: str) -> None:
    """Write the referee report on certificates, folders of them, or the store of an audit.

    The HTML page is one file that needs no network and re-checks every certificate in the reader's browser.
    """
    from .certificate import require_writable, write_bytes
    from .report.gathering import gather
    if form != "logbook":
        require_writable(output)
    found = gather(paths)
    if form == "logbook":
        from .report.markdown import write_logbook
        write_logbook(found, output)
    elif form == "markdown":
        from .report.markdown import markdown_report
        write_bytes(markdown_report(found).encode("utf-8"), output)
    elif form == "latex":
        from .report.latex import latex_report
        write_bytes(latex_report(found).encode("utf-8"), output)
    else:
        from .report.html import html_report
        write_bytes(html_report(found, title).encode("utf-8"), output)
    counts = f"{len(found.sections)} claims, {len(found.cases)} certificates, {len(found.rejected)} rejected"
    click.echo(counts, err=True)
    click.echo(str(output))
    if found.rejected:
        raise click.exceptions.Exit(1)


@main.command()
@click.argument("action", type=click.Choice(["where", "size", "clean"]), default="where")
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the store (default: CERTIFY_STORE or audit).")
@click.option("--all", "everything", is_flag=True, help="With clean: remove certificates and records too.")
def store(action: str, out: Path | None, everything: bool) -> None:
    """Where the store is, how large, and cleaning it."""
    from .certificate.store import Store, default_store
    found = Store(out or default_store())
    if action == "clean":
        click.echo(f"removed {found.clean(everything)} files from {found.root}")
        return
    count, size = found.size()
    click.echo(f"{found.root.absolute()}" if action == "where" else f"{count} files, {size} bytes in {found.root}")


def _answer(result: Result, output: Path | None, as_json: bool, **fields: Any) -> None:
    """Print what a geometric command found, after writing its certificate if that was asked for."""
    from .certificate import write
    if output is not None and result.certificate is not None:
        write(result.certificate, output)
    if as_json:
        click.echo(json.dumps({**fields, "certificate": str(output) if output is not None else None,
                               "id": result.id}))
        return
    for name, found in fields.items():
        click.echo(f"{name}: {' '.join(map(str, found)) if isinstance(found, list) else found}")
    if output is not None:
        click.echo(f"certificate: {output}\nid: {result.id}")


@main.command()
@click.argument("points", metavar="POINTS")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the certificate here.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def vertices(points: str, output: Path | None, as_json: bool) -> None:
    """Find the vertices of the hull of POINTS (a JSON list of points, .csv or .npy), each point with a certificate."""
    from .certificate import require_writable
    from .geometry import hull_vertices, read_points
    if output is not None:
        require_writable(output)
    result = hull_vertices(read_points(points))
    _answer(result, output, as_json, vertices=result.verdict["value"])


@main.command()
@click.argument("points", metavar="POINTS")
@click.option("--direction", required=True, metavar="V", help="A JSON list, or numbers separated by commas.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the certificate here.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def lmo(points: str, direction: str, output: Path | None, as_json: bool) -> None:
    """Minimise <V, .> over the hull of POINTS: all optimal points, and the least value."""
    from .certificate import require_writable
    from .geometry import linear_oracle, read_direction, read_points
    if output is not None:
        require_writable(output)
    result, value = linear_oracle(read_points(points), read_direction(direction))
    _answer(result, output, as_json, argmin=result.verdict["value"], value=value)


@main.command()
@click.argument("what", type=click.Choice(["instance", "certificate"]))
def schema(what: str) -> None:
    """Print the JSON Schema of instances or certificates."""
    from importlib.resources import files
    click.echo(files("certify.certificate").joinpath(f"schemas/{what}.json").read_text("utf-8"), nl=False)

if __name__ == "__main__":
    main()
