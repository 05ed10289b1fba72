import random
import threading
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import sync_playwright

import goodarm as ga
from browser.app_thread import here
from browser.chromium import ADVICE, find, is_ci
from browser.server import PATIENCE, store_url


def pytest_collection_modifyitems(items):
    for item in items:
        if "tests/browser/" in str(item.path).replace("\\", "/"):
            item.add_marker("browser")
            item.add_marker("slow")


QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)
"""What a browser would ask of hosts elsewhere is no part of a test."""


@pytest.fixture(scope="session")
def chromium():
    """Return the path of Chromium; without it tests are left out, in CI they fail."""
    found = find()
    if found is None:
        if is_ci():
            pytest.fail(f"no Chromium; install it by {ADVICE}")
        pytest.skip("no Chromium: see make browser")
    return found


@pytest.fixture(scope="module")
def browser(chromium):
    """One for each file: while it is there, an event loop runs, which other tests must not find."""
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=list(QUIET))
        yield found
        found.close()


@pytest.fixture
def visitor(browser):
    """Opens pages; what the browser complains of fails the test."""
    contexts, complaints = [], []

    def visit(width=1024, scheme="light", **options):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, **options
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if _is_ours(said) else None)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert complaints == []


def _is_ours(said):
    """Whether a page is to blame; that a server is away or refuses is no fault of it."""
    return said.type in ("error", "warning") and "Failed to load resource" not in said.text


@pytest.fixture
def url(tmp_path):
    return store_url(tmp_path)


@pytest.fixture
def store(url):
    with ga.open_store(url) as found:
        yield found


@pytest.fixture
def server(url, store):
    """A server of the store, in this process."""
    with here(url) as found:
        yield found


MEANS = {"sunrise": 0.95, "harbour": 0.9, "meadow": 0.97, "snowfall": 0.1, "market": 0.05}
PROBLEM = ga.Problem(list(MEANS), threshold=0.5, delta=0.05)


def pull(exp, count, seed=0):
    """Make some pulls."""
    rng = random.Random(seed)
    asked = exp.ask_many(count)
    exp.tell_many(asked, [float(rng.random() < MEANS[str(each.arm)]) for each in asked])


@contextmanager
def working(exp, every=0.1, count=2):
    """Pulls that somebody else makes meanwhile."""
    end = threading.Event()

    def work():
        seed = 0
        while not end.wait(every) and not exp.is_done:
            pull(exp, count, seed)
            seed += 1

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()


@pytest.fixture
def banners(store):
    """An experiment with a few labels, and pulls that are out."""
    exp = store.experiment("banners", PROBLEM, seed=1)
    for seed in range(6):
        pull(exp, 10, seed)
    exp.ask_many(3, worker="ann", lease=600)
    return exp


def path_of(page):
    return urlsplit(page.url).path
