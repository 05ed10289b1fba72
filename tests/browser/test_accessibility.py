"""axe finds nothing on any page, in light and dark; nothing is cut off at any width."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from browser.server import WIDTHS
from goodarm.service.pages import list_pages

PATHS = [
    re.sub(r"\{arm[^}]*\}", "0", each.path.replace("{name:experiment}", "banners"))
    for each in list_pages()
    if each.method == "GET"
    and not each.path.endswith(("events", "csv", "jsonl", "ico"))
    and not re.search(r"\{kind|\{file", each.path)
]


def check(page, server, path, name):
    page.goto(server.url + path)
    found = Axe().run(page)
    assert found.violations_count == 0, f"{name} {path}\n{found.generate_report()}"
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{name} {path} is {wide} points too wide"


def paths_of(store, banners):
    out = banners.out[0].pull.number
    token = store.tokens.list()[0].id
    filled = [re.sub(r"\{number[^}]*\}", str(out), path) for path in PATHS]
    return [*(re.sub(r"\{token[^}]*\}", token, path) for path in filled), "/nothing"]


@pytest.fixture
def secret(store):
    return store.tokens.create("ann", "admin")[0]


def enter(page, server, secret, width, scheme):
    check(page, server, "/login", f"{width} {scheme}")
    page.get_by_label("Token").fill(secret)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"{server.url}/")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(server, store, banners, secret, visitor, scheme):
    page = visitor(390 if scheme == "dark" else 1024, scheme)
    enter(page, server, secret, 1024, scheme)
    paths = ["/", "/new", "/experiments/banners", "/experiments/banners/arms/0"]
    paths += ["/experiments/banners/report", "/experiments/banners/journal"]
    for path in paths:
        check(page, server, path, scheme)


@pytest.mark.large
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_anywhere(server, store, banners, secret, visitor, scheme, width):
    page = visitor(width, scheme)
    enter(page, server, secret, width, scheme)
    for path in paths_of(store, banners):
        check(page, server, path, f"{width} {scheme}")


def test_phones_and_the_dark(server, store, banners, visitor):
    """Names and intervals stay beside each other, and the dark is dark."""
    page = visitor(390, "dark", has_touch=True, is_mobile=True)
    page.goto(f"{server.url}/experiments/banners")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    row = page.locator("li[id^=drawn-]").first
    name, bar = row.locator(".name").bounding_box(), row.locator("svg").first.bounding_box()
    assert abs(name["y"] + name["height"] / 2 - bar["y"] - bar["height"] / 2) < 4
    assert bar["width"] > 180
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert all(int(part) < 40 for part in re.findall(r"\d+", paper)[:3])


@pytest.mark.large
def test_narrow_intervals_can_be_seen(server, store, banners, visitor):
    banners.observe("sunrise", [1.0, 0.0] * 40_000)
    page = visitor()
    page.goto(f"{server.url}/experiments/banners")
    for box in page.locator("li[id^=drawn-] .reach").all():
        assert box.bounding_box()["width"] >= 1.5


@pytest.mark.large
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_what_forms_say(server, store, banners, visitor, scheme):
    page = visitor(390, scheme)
    page.goto(f"{server.url}/new")
    page.get_by_label("Name", exact=True).fill("banners")
    page.get_by_label("Arms", exact=True).fill("red\ngreen")
    page.get_by_label("Threshold", exact=True).fill("0.5")
    for name, shown in (("banners", page.get_by_role("alert")), ("colours", page.locator("#plan"))):
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_role("button", name="Show the plan").click()
        shown.wait_for()
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
