"""Pages stay current where the stream of events does not come through."""

import pytest
from playwright.sync_api import expect

from browser.app_thread import here
from browser.conftest import pull
from browser.server import PATIENCE

expect.set_options(timeout=PATIENCE)

SLOW = 5000
"""Milliseconds between two questions of a page, where no stream says what has changed."""
SILENT = """
window.EventSource = class extends EventTarget {
  static CLOSED = 2;
  constructor() {
    super();
    this.readyState = 1;
    setTimeout(() => this.onmessage({ data: document.getElementById("live").dataset.version }), 50);
  }
  close() { this.readyState = 2; }
};
"""
"""A stream that says where things stand, and then nothing any more."""


def check_follows(page, exp, *, is_hurried=False):
    """The page shows pulls that are made while it is open; if hurried, its clock goes ahead."""
    shown = page.locator(".tile .value").first
    live = page.locator("[data-live-text]")
    expect(shown).to_have_text(f"{exp.pulls:,}")
    expect(live).to_have_text("Live")
    pull(exp, 8, 99)
    if is_hurried:
        page.clock.fast_forward(SLOW)
    expect(shown).to_have_text(f"{exp.pulls:,}")
    expect(live).to_have_text("Live")


def test_a_stream_that_is_held_back(server, banners, visitor):
    """As by a proxy that waits for the end of an answer that has none."""
    page = visitor()
    page.clock.install()
    held = []
    page.route("**/events", lambda route: held.append(route))
    page.goto(f"{server.url}/experiments/banners")
    expect(page.locator("[data-live-text]")).to_have_text("Connecting")
    page.clock.fast_forward(SLOW)
    check_follows(page, banners, is_hurried=True)
    assert held


def test_a_stream_that_is_cut_off(server, banners, visitor):
    page = visitor()
    page.clock.install()
    page.route("**/events", lambda route: route.abort())
    page.goto(f"{server.url}/experiments/banners")
    check_follows(page, banners, is_hurried=True)


@pytest.mark.large
def test_a_stream_that_falls_silent(server, banners, visitor):
    page = visitor()
    page.add_init_script(SILENT)
    page.goto(f"{server.url}/experiments/banners")
    check_follows(page, banners)


@pytest.fixture
def calm(url, store):
    """A server that beats as a service does."""
    with here(url, is_hurried=False) as found:
        yield found


@pytest.mark.large
def test_a_quiet_stream_has_a_heartbeat(calm, banners, visitor):
    """While it is heard, nothing is asked; four beats take longer than a page waits for one."""
    page = visitor()
    asked = []
    page.on("request", lambda sent: asked.append(sent.url) if "part=1" in sent.url else None)
    page.goto(f"{calm.url}/experiments/banners")
    expect(page.locator("[data-live-text]")).to_have_text("Live")
    asked.clear()
    page.evaluate(
        """() => new Promise((done) => {
            const source = new EventSource(document.querySelector("[data-events]").dataset.events);
            let beats = 0;
            source.addEventListener("beat", () => {
                if (++beats === 4) { source.close(); done(); }
            });
        })"""
    )
    assert asked == []
    expect(page.locator("[data-live-text]")).to_have_text("Live")
