"""The page in a real browser: it checks, agrees with Python, stays quiet and offline, and cannot be broken into."""
from __future__ import annotations

import json
import os
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from chromium import ARTEFACTS, browser, checked, complaints, fetched, keep, opened, require, wait
from report_certificates import ATTACK, corruptions, results, write_all

from certify.report.gathering import gather
from certify.report.html import html_report
from certify.simulation import simulate
from certify.verification import verify_files
from certify.verifier.load import canonical

pytestmark = pytest.mark.slow
CONFORMANCE = Path(__file__).parents[1] / "conformance"
STATUS = "return document.getElementById('status').dataset.done"


@pytest.fixture(scope="module", autouse=True)
def _needed() -> None:
    require()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on a few certificates, one of them hostile."""
    folder = tmp_path_factory.mktemp("small")
    page = folder / "report.html"
    page.write_text(html_report(gather(write_all(folder))), "utf-8")
    return page


@pytest.fixture
def driver() -> Iterator[Any]:
    with browser() as found:
        yield found


def test_check_all_accepts_the_whole_audit(store: Path, driver: Any) -> None:
    start = os.times()
    report = gather([store])
    page = store / "report.html"
    text = html_report(report)
    made = sum(os.times()[:4]) - sum(start[:4])
    page.write_text(text, "utf-8")
    assert "Not drawn" not in text
    assert len(text.encode("utf-8")) < 5_000_000
    assert made < 30, made  # of two processors: half of it on the clock if nothing else runs
    opened(driver, page)
    driver.find_element("id", "check-all").click()
    wait(driver, STATUS, 300)
    answers = driver.execute_script("return [...document.querySelectorAll('details.case .answer')]"
                                    ".map((a) => [a.dataset.answer, a.dataset.reason])")
    assert len(answers) == len(report.cases) and {answer for answer, _ in answers} == {"accepted"}, [
        (case.name, answer) for case, answer in zip(report.cases, answers, strict=True) if answer[0] != "accepted"]
    keep(driver, "audit-checked")
    seconds = float(driver.execute_script("return document.getElementById('status').dataset.seconds"))
    assert complaints(driver) == [] and fetched(driver) == set()
    assert seconds < 30, seconds


def test_text_from_certificates_does_nothing(small: Path, driver: Any, tmp_path: Path) -> None:
    opened(driver, small)
    certificate = results()["hostile"].certificate
    assert certificate is not None
    name = "<img src=x onerror=document.title=1>.json"
    (tmp_path / name).write_bytes((small.parent / "hostile.json").read_bytes())
    assert set(checked(driver, [tmp_path / name]).values()) == {"accepted"}
    assert driver.title == "Referee report"
    assert driver.execute_script("return document.images.length") == 0
    assert ATTACK.split(" ")[0] in driver.find_element("tag name", "body").text
    assert complaints(driver) == [] and fetched(driver) == set()


def test_the_policy_forbids_network_and_foreign_scripts(small: Path, driver: Any) -> None:
    opened(driver, small)
    blocked = driver.execute_async_script(
        "const done = arguments[0]; fetch('https://example.org/').then(() => done('fetched'), () => done('blocked'))")
    assert blocked == "blocked"
    driver.execute_script("const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
                          "document.body.append(s); const i = new Image(); i.src = 'https://example.org/x.png'")
    assert driver.execute_script("return window.ran") is None
    assert not any("Failed to load resource" in text for text in complaints(driver))


def _same_answers(driver: Any, files: list[Path]) -> None:
    """Accepted by both or by neither; what names a theory unknown here is "not checked here" in the browser."""
    python = {Path(v.file).name: v for v in verify_files(files)}
    found = checked(driver, files)
    assert len(found) == len(files)
    different = {name: (python[name].report, found[name]) for name in python
                 if python[name].accepted is not (found[name] == "accepted")
                 or (found[name] == "not checked here" and "theory" not in python[name].reason)}
    assert not different, different


def test_conformance_files_get_the_same_answer(small: Path, driver: Any) -> None:
    if not (CONFORMANCE / "index.json").is_file():
        pytest.skip("there are no conformance files yet")
    opened(driver, small)
    _same_answers(driver, sorted(p for p in CONFORMANCE.rglob("*.json") if p.name != "index.json"))


def test_500_corruptions_get_the_same_answer(store: Path, small: Path, driver: Any, tmp_path: Path) -> None:
    certificates = [json.loads(path.read_bytes()) for path in sorted((store / "certificates").glob("*.json"))
                    if path.stat().st_size < 20_000]
    files = []
    for k, raw in enumerate(corruptions(certificates, 500, seed=7)):
        files.append(tmp_path / f"{k:03}.json")
        files[-1].write_bytes(raw)
    opened(driver, small)
    _same_answers(driver, files)
    assert complaints(driver) == [] and fetched(driver) == set()


def test_slider_moves_by_keyboard_and_shows_exact_positions(small: Path, driver: Any) -> None:
    from selenium.webdriver.common.keys import Keys
    opened(driver, small)
    driver.execute_script("document.getElementById('open-all').click()")
    slider = driver.find_element("css selector", ".slider input")
    before = driver.execute_script("return document.querySelector('figure.film svg').innerHTML")
    slider.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert driver.find_element("css selector", ".slider label output").text == "2"
    figure = driver.find_element("css selector", "figure.film svg")
    assert "at t = 2" in figure.get_attribute("aria-label")
    assert driver.execute_script("return document.querySelector('figure.film svg').innerHTML") != before
    shown = driver.find_element("css selector", ".state").text
    for point in simulate(results()["plane"].instance, 2).states[2]:
        assert f"({', '.join(point)})" in shown
    driver.execute_script("document.querySelector('figure.film').scrollIntoView()")
    keep(driver, "slider")


def test_every_control_is_reached_by_keyboard(small: Path, driver: Any) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    opened(driver, small)
    reached = set()
    for _ in range(60):
        ActionChains(driver).send_keys(Keys.TAB).perform()
        reached.add(driver.execute_script("return document.activeElement.id || document.activeElement.tagName"))
    assert {"check-all", "files", "open-all", "SUMMARY"} <= reached
    driver.execute_script("document.getElementById('check-all').focus()")
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    wait(driver, STATUS)


def endless(small: Path, folder: Path) -> Path:
    """States of many thousand digits, one by one: minutes of work."""
    certificate = json.loads((small.parent / "space.json").read_bytes())
    certificate["plans"] = {"lines": {key: [{"by": "each", "from": 0, "to": 1_000_000}]
                                      for key in ("H1", "assertion")}}
    digits = "3" * 9_000
    certificate["instance"]["g"] = f"1/{digits}"
    certificate["instance"]["x"] = [[f"1/{digits[:-1]}7", "0", "0"], ["0", "1/2", "0"], ["0", "0", f"1/{digits[:-1]}1"]]
    certificate["claim"]["tree"][7][0][1][2] = ["le", ["at", "g", ["var", "t"]], ["num", "1"]]
    certificate["claim"]["text"] = certificate["claim"]["text"].replace("g[t] = 1/2", "g[t] <= 1")
    path = folder / "long.json"
    path.write_bytes(canonical(certificate).encode("ascii"))
    return path


@pytest.mark.parametrize("workers", [True, False], ids=["workers", "slices"])
def test_a_long_check_can_be_stopped_and_the_page_stays_alive(small: Path, driver: Any, tmp_path: Path,
                                                              workers: bool) -> None:
    """In a worker, and in slices on the page's own thread where a browser allows no workers."""
    if not workers:
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": "delete window.Worker"})
    path = endless(small, tmp_path)
    opened(driver, small)
    driver.find_element("id", "files").send_keys(str(path))
    wait(driver, "return document.querySelector('#dropped .answer')?.textContent.startsWith('checking:')", 20)
    start = monotonic()
    assert driver.execute_script("return 1 + 1") == 2
    assert monotonic() - start < 2
    assert not driver.execute_script("return document.getElementById('stop').disabled")
    keep(driver, f"stop-{'worker' if workers else 'slices'}")
    driver.execute_script("document.getElementById('stop').click()")
    wait(driver, "return document.getElementById('dropped').dataset.done === '1'", 10)
    assert driver.execute_script("return document.querySelector('#dropped .answer').dataset.reason") == "stopped"
    driver.find_element("id", "check-all").click()
    wait(driver, STATUS)
    assert driver.execute_script("return Number(document.getElementById('status').dataset.accepted)") == len(results())


def test_large_and_strange_files_are_refused_at_once(small: Path, driver: Any, tmp_path: Path) -> None:
    """A file beyond the limit, one of a million brackets, one long number, one that is not text."""
    contents = {"large": b" " * 33_554_433, "brackets": b"[" * 1_000_000, "number": b"9" * 1_000_000,
                "markup": b"\xff<img src=x onerror=document.title=1>", "empty": b""}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    opened(driver, small)
    start = monotonic()
    found = checked(driver, [tmp_path / name for name in contents])
    assert found == dict.fromkeys(contents, "rejected")
    assert monotonic() - start < 20
    assert driver.title == "Referee report" and complaints(driver) == []


def test_a_dropped_file_is_checked(small: Path, driver: Any) -> None:
    opened(driver, small)
    text = (small.parent / "line.json").read_text()
    driver.execute_script(
        "const carried = new DataTransfer(); carried.items.add(new File([arguments[0]], 'dropped.json'));"
        "document.getElementById('drop').dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true,"
        " dataTransfer: carried}))", text)
    wait(driver, "return document.querySelector('#dropped .answer')?.dataset.answer === 'accepted'")
    shown = driver.find_element("id", "dropped").text
    assert "refuted at t = 575" in shown and "is the catalogue's" in shown
    wrong = text.replace('"t":575', '"t":574')
    driver.execute_script(
        "const carried = new DataTransfer(); carried.items.add(new File([arguments[0]], 'wrong.json'));"
        "document.getElementById('drop').dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true,"
        " dataTransfer: carried}))", wrong)
    wait(driver, "return document.querySelector('#dropped li:nth-child(2) .answer')?.dataset.answer === 'rejected'")
    keep(driver, "dropped")


def test_instance_and_certificate_can_be_taken_along(small: Path, driver: Any, tmp_path: Path) -> None:
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    opened(driver, small)
    driver.execute_script("document.getElementById('open-all').click()")
    button = driver.find_element("css selector", "[data-copy]")
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
    button.click()
    wait(driver, "return document.querySelector('[data-copy]').textContent === 'Copied'", 5)
    for what in ("instance", "certificate"):
        driver.execute_script(f"document.querySelector('[data-what={what}]').click()")
    start = monotonic()
    while sum(path.stat().st_size > 0 for path in tmp_path.glob("*.json")) < 2 and monotonic() - start < 20:
        sleep(0.2)  # a download appears before it is written
    sleep(0.5)
    found = sorted(tmp_path.glob("*.json"), key=lambda path: path.stat().st_size)
    assert json.loads(found[0].read_text())["system"] == "hardmax"
    assert found[1].read_bytes() in [path.read_bytes() for path in small.parent.glob("*.json")]


@pytest.mark.parametrize(("name", "width", "dark", "medium"), [
    ("wide", 1200, False, ""), ("narrow", 360, False, ""), ("dark", 1200, True, ""), ("paper", 794, False, "print")])
def test_readable_at_every_width(small: Path, name: str, width: int, dark: bool, medium: str) -> None:
    with browser(width, 900, dark, medium) as driver:
        opened(driver, small)
        assert driver.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")
        keep(driver, f"{name}-top")
        driver.execute_script("document.querySelector('.claim').scrollIntoView()")
        keep(driver, f"{name}-claim")
        driver.execute_script("document.querySelector('.figures').scrollIntoView()")
        keep(driver, f"{name}-figures")
        if medium == "print":
            pdf = driver.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})
            (ARTEFACTS / "report.pdf").write_bytes(b64decode(pdf["data"]))
        assert complaints(driver) == []
