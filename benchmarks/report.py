"""The referee report of the whole audit: how long it takes to make, how large it is, how long a browser checks it.

The audit is produced afresh in a folder of its own. The report is then made several times from the certificates, in
every format, and its page is opened in Chromium, where "check all" is pressed; the seconds are those that the page
shows its reader. Node runs the same verifier on the same files, one after the other, to name the slowest. Seconds are
of the clock, for the page uses several threads: other work on the machine makes them larger.
"""
from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any

import certify
from certify.audit import audit
from certify.report.gathering import Report, gather
from certify.report.html import html_report
from certify.report.latex import latex_report
from certify.report.markdown import markdown_report

RUNS = 5
MOST_BYTES, MOST_SECONDS, MOST_CHECKING = 5_000_000, 10.0, 30.0
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
BROWSER = Path(certify.__file__).parent / "report" / "browser"
TIMING = """
import { readFileSync } from "node:fs";
import { verifySync } from %s;
console.log(JSON.stringify(process.argv.slice(1).map((file) => {
  const bytes = readFileSync(file);
  const start = performance.now();
  const { answer, claim } = verifySync(bytes);
  return [(performance.now() - start) / 1000, claim, answer];
})));
"""


def met(value: float, limit: float) -> str:
    return "met" if value < limit else "MISSED"


def seconds(make: Callable[[], Any]) -> float:
    """The median of several runs."""
    found = []
    for _ in range(RUNS):
        start = perf_counter()
        make()
        found.append(perf_counter() - start)
    return median(found)


def version(*command: str) -> str:
    if shutil.which(command[0]) is None:
        return f"no {command[0]}"
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def in_node(files: list[Path]) -> None:
    if shutil.which("node") is None:
        print("no node: the verifier was not run alone")
        return
    script = TIMING % json.dumps((BROWSER / "verify.js").as_uri())
    command = ["node", "--input-type=module", "-e", script, *map(str, files)]
    rows = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert all(answer == "accepted" for _, _, answer in rows)
    print(f"the page's verifier in node, one thread: {sum(row[0] for row in rows):.2f} s for {len(rows)} certificates")
    for took, claim, _ in sorted(rows, reverse=True)[:5]:
        print(f"  {took:.3f} s {claim}")


def in_chromium(page: Path, count: int) -> None:
    if shutil.which("chromium") is None or shutil.which("chromedriver") is None:
        print("no chromium: the page was not checked in a browser")
        return
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for flag in FLAGS:
        options.add_argument(flag)
    found = []
    for _ in range(RUNS):
        driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        try:
            driver.get(page.as_uri())
            while not driver.execute_script("return document.documentElement.dataset.ready"):
                sleep(0.1)
            driver.find_element("id", "check-all").click()
            while not driver.execute_script("return document.getElementById('status').dataset.done"):
                sleep(0.1)
            state = driver.execute_script("return {...document.getElementById('status').dataset}")
        finally:
            driver.quit()
        assert int(state["accepted"]) == count, state
        found.append(float(state["seconds"]))
    middle = median(found)
    print(f"check all {count} certificates in the page (median of {RUNS}): {middle:.1f} s, slowest {max(found):.1f} s "
          f"(target: under {MOST_CHECKING:.0f} s, {met(middle, MOST_CHECKING)})")


def main() -> None:
    print(f"Python {platform.python_version()}, certify {certify.__version__}, node {version('node', '--version')}, "
          f"{version('chromium', '--version') or 'Chromium'}, {platform.machine()}, {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory() as name:
        store = Path(name)
        start = perf_counter()
        audit(out=store)
        print(f"audit from scratch: {perf_counter() - start:.1f} s")
        report: Report = gather([store])
        print(f"{len(report.sections)} claims, {len(report.cases)} certificates, {len(report.rejected)} rejected")
        made = seconds(lambda: html_report(gather([store])))
        page = store / "report.html"
        page.write_text(html_report(report), "utf-8")
        size = page.stat().st_size
        print(f"HTML, gathered, verified and drawn (median of {RUNS}): {made:.2f} s "
              f"(target: under {MOST_SECONDS:.0f} s, {met(made, MOST_SECONDS)})")
        print(f"HTML page: {size:,} bytes (target: under {MOST_BYTES:,}, {met(size, MOST_BYTES)})")
        for word, write in (("Markdown", markdown_report), ("LaTeX", latex_report)):
            took = seconds(lambda write=write: write(report))
            print(f"{word}, from gathered certificates (median of {RUNS}): {took:.2f} s, "
                  f"{len(write(report).encode('utf-8')):,} bytes")
        in_node(sorted((store / "certificates").glob("*.json")))
        in_chromium(page, len(report.cases))


if __name__ == "__main__":
    main()
