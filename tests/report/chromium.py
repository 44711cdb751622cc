"""Chromium from Debian's packages, driven over WebDriver: what it fetched, what it logged, what it shows."""
from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

HOW = "needs Chromium: apt-get install chromium chromium-driver, and pip install selenium"
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
         "--disable-dev-shm-usage", "--disable-component-update", "--disable-sync")
ARTEFACTS = Path(__file__).parents[2] / "build" / "screenshots"


def require() -> None:
    """Skip, and say what is missing, where there is no browser."""
    pytest.importorskip("selenium", reason=HOW)
    if shutil.which("chromium") is None or shutil.which("chromedriver") is None:
        pytest.skip(HOW)


@contextmanager
def browser(width: int = 1200, height: int = 900, dark: bool = False, medium: str = "") -> Iterator[Any]:
    """A browser of some width, in light or dark, on screen or paper."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height,
                                                                      "deviceScaleFactor": 1, "mobile": False})
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": medium, "features": scheme})
        yield driver
    finally:
        driver.quit()


def opened(driver: Any, page: Path) -> None:
    driver.get(page.resolve().as_uri())
    wait(driver, "return document.documentElement.dataset.ready", 30)


def complaints(driver: Any) -> list[str]:
    """Everything on the console."""
    return [entry["message"] for entry in driver.get_log("browser")]


def fetched(driver: Any) -> set[str]:
    """Addresses that the page asked for, apart from itself, its blobs and data."""
    found = set()
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            found.add(message["params"]["request"]["url"])
    return {url for url in found if not url.startswith(("file:", "blob:", "data:", "chrome:"))}


def wait(driver: Any, script: str, seconds: float = 120) -> Any:
    """The value of a script once it is truthy."""
    from selenium.webdriver.support.ui import WebDriverWait
    return WebDriverWait(driver, seconds, poll_frequency=0.1).until(lambda d: d.execute_script(script))


def keep(driver: Any, name: str) -> None:
    """Keep a screenshot as an artefact."""
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    driver.save_screenshot(str(ARTEFACTS / f"{name}.png"))


def checked(driver: Any, files: list[Path], seconds: float = 600) -> dict[str, str]:
    """What the drop zone's answers are for some files, by name."""
    before = int(driver.execute_script("return document.getElementById('dropped').children.length"))
    driver.find_element("id", "files").send_keys("\n".join(str(path.resolve()) for path in files))
    total = before + len(files)
    wait(driver, f"return document.getElementById('dropped').dataset.done === '{total}'", seconds)
    rows = driver.execute_script(
        "return [...document.getElementById('dropped').children].map((li) => "
        "[li.querySelector('strong').textContent.trim(), li.querySelector('.answer').dataset.answer])")
    return dict(rows[before:])
