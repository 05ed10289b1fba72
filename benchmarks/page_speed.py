"""What it costs to look: the page of an experiment in a real browser, with few arms and with many.

The first paint counts from the request. An update is what follows one entry of the journal: the
part that the server makes, and what the browser does with it.
"""

import random
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

import httpx
from goals import Goal
from playwright.sync_api import Page, sync_playwright

import goodarm as ga
from goodarm.cli.output import print_table
from goodarm.store import Store, StoredExperiment

TESTS: Final = Path(__file__).parents[1] / "tests"
sys.path.append(str(TESTS))

from browser.chromium import find  # noqa: E402
from browser.server import Server, store_url  # noqa: E402

ARMS: Final = (10, 10_000)
TURNS: Final = 7
PAINT: Final = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
PATIENCE: Final = 60_000


def start(store: Store, arms: int) -> StoredExperiment:
    """Start an experiment whose arms have five pulls each, at least."""
    names = [f"arm {number}" for number in range(arms)]
    exp = store.experiment(f"arms-{arms}", ga.Problem(names, threshold=0.5, delta=0.05), seed=1)
    rng = random.Random(0)
    with exp.together():
        for name in names:
            mean = rng.random()
            exp.observe(name, [float(rng.random() < mean) for _ in range(rng.randint(5, 60))])
    return exp


def paint(page: Page, url: str) -> float:
    """Milliseconds to the first paint with content."""
    page.goto(url)
    while (found := page.evaluate(PAINT)) is None:
        page.wait_for_timeout(10)
    return float(found)


def timed(act: Callable[[], Any]) -> float:
    """Milliseconds that something takes."""
    began = time.perf_counter()
    act()
    return 1000 * (time.perf_counter() - began)


def measure(page: Page, server: Server, exp: StoredExperiment) -> dict[str, Any]:
    """One experiment: how soon it is seen, and what an entry more costs."""
    url = f"{server.url}/experiments/{exp.name}"
    paints = [paint(page, url) for _ in range(TURNS)]
    size = len(httpx.get(url).content)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable")

    def busy() -> float:
        found = devtools.send("Performance.getMetrics")["metrics"]
        return 1000 * next(each["value"] for each in found if each["name"] == "TaskDuration")

    parts, seen, works = [], [], []
    for turn in range(TURNS):
        page.wait_for_timeout(1000)  # the browser rests, so that updates are counted one by one
        before = busy()
        exp.observe(f"arm {turn}", [1.0])
        shown = page.locator(f"#live[data-version$='-{exp.entries}']")
        seen.append(timed(partial(shown.wait_for, state="attached", timeout=PATIENCE)))
        works.append(busy() - before)
        exp.observe(f"arm {turn}", [0.0])
        parts.append(timed(lambda: httpx.get(url, timeout=60)))  # a look at all arms, and the page
    return {
        "arms": exp.problem.num_arms,
        "first paint, ms": median(paints),
        "page, kB": size / 1000,
        "new look in the server, ms": median(parts),
        "update in the browser, ms": median(works),
        "entry to screen, ms": median(seen),
    }


def main() -> list[dict[str, Any]]:
    """Measure and print."""
    found: list[dict[str, Any]] = []
    path = find()  # before Playwright runs: it asks Playwright too, which cannot run twice
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        url = store_url(Path(folder))
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        with ga.open_store(url) as store:
            experiments = [start(store, arms) for arms in ARMS]
            server = Server(url).start()
            try:
                found = [measure(browser.new_page(), server, exp) for exp in experiments]
            finally:
                server.stop()
                browser.close()
    names = list(found[0])
    rows = [[f"{row[name]:,.0f}" for name in names] for row in found]
    print_table("An experiment's page in Chromium", names, rows)
    return found


def goals(found: list[dict[str, Any]]) -> list[Goal]:
    """None was set."""
    return []


if __name__ == "__main__":
    main()
