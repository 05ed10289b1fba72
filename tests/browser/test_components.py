"""Every component in every state on one page, which only tests have: axe finds nothing on it."""

import time
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from starlette.responses import Response
from starlette.routing import Route

import goodarm as ga
from browser.server import WIDTHS
from goodarm.service import create_app
from goodarm.service.pages.auth import make_visit
from goodarm.service.pages.html_responses import HTML, make_environment, make_headers
from goodarm.service.pages.pagination import get_page
from goodarm.service.pages.snapshots import NO_PULLS_LEFT, PullsLeft
from service.servers import in_thread

TEMPLATE = Path(__file__).with_name("components.html")


@pytest.fixture
def components():
    """The address of the page."""
    lefts = [
        PullsLeft(12, 90, True),
        PullsLeft(12, 90, False),
        PullsLeft(0, 0, False),
        NO_PULLS_LEFT,
    ]
    parts = [get_page(range(99), number, 10, "#{}".format) for number in (1, 5, 10)]

    def show(request):
        visit = make_visit(app.state.pages, request)
        template = make_environment().from_string(TEMPLATE.read_text("utf-8"))
        text = template.render(visit=visit, now=time.time(), lefts=lefts, parts=parts)
        return Response(text, 200, make_headers(), HTML)

    with ga.open_store("memory:") as store:
        app = create_app(store)
        app.router.routes.append(Route("/components", show))
        with in_thread(app) as url:
            yield f"{url}/components"


SEEN = [("light", WIDTHS[0]), ("dark", WIDTHS[1]), ("light", WIDTHS[2])]
"""Every width, and both schemes; each width in each scheme is seen by the large test."""


def check(page, scheme, width):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    found = Axe().run(page)
    assert found.violations_count == 0, f"{width} {scheme}\n{found.generate_report()}"
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{width} {scheme}: {wide} points too wide"


def test_axe_finds_nothing_in_any_state(components, visitor):
    page = visitor()
    page.goto(components)
    for scheme, width in SEEN:
        check(page, scheme, width)


@pytest.mark.large
def test_axe_finds_nothing_in_any_state_at_any_width(components, visitor):
    for scheme in ("light", "dark"):
        page = visitor(WIDTHS[0], scheme)
        page.goto(components)
        for width in WIDTHS:
            check(page, scheme, width)
