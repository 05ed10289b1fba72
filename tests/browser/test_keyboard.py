"""From the login to the logout by keyboard alone: nothing is clicked or given the focus."""

import re

import pytest
from playwright.sync_api import expect

from browser.conftest import PROBLEM, working
from browser.server import PATIENCE

expect.set_options(timeout=PATIENCE)

MOST = 80
"""Presses of a key after which something counts as out of reach."""


def press_tab_until(page, wanted):
    """Press Tab until something has the focus; what has it on the way can be seen."""
    for _ in range(MOST):
        page.keyboard.press("Tab")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", page.evaluate("document.activeElement.outerHTML")
        if wanted.evaluate("each => each === document.activeElement"):
            return
    raise AssertionError(f"not reached: {wanted}")


def enter(page, wanted):
    press_tab_until(page, wanted)
    page.keyboard.press("Enter")


@pytest.mark.large
def test_by_keyboard_alone(server, store, visitor):
    secret, _ = store.tokens.create("ann", "admin")
    page = visitor()
    keys = page.keyboard
    page.goto(server.url)
    expect(page.get_by_label("Token")).to_be_focused()
    keys.type("ga_wrong")
    keys.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("not valid")
    expect(page.get_by_label("Token")).to_be_focused()
    keys.type(secret)
    keys.press("Enter")

    expect(page.get_by_role("heading", name="Experiments", exact=True)).to_be_visible()
    keys.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    keys.press("Enter")
    enter(page, page.get_by_role("link", name="New experiment"))
    expect(page.get_by_role("heading", name="New experiment")).to_be_visible()
    press_tab_until(page, page.get_by_label("Name", exact=True))
    keys.type("banners")
    press_tab_until(page, page.get_by_label("Arms", exact=True))
    for arm in PROBLEM.arms:
        keys.type(arm)
        keys.press("Enter")
    press_tab_until(page, page.get_by_label("Threshold", exact=True))
    keys.type("5")
    enter(page, page.get_by_role("button", name="Show the plan"))
    expect(page.get_by_label("Threshold", exact=True)).to_be_focused()  # it is wrong
    expect(page.get_by_label("Threshold", exact=True)).to_have_attribute("aria-invalid", "true")
    keys.press("Control+a")
    keys.type("0.5")
    enter(page, page.get_by_role("button", name="Show the plan"))
    expect(page.get_by_text(re.compile("pulls until the experiment is done"))).to_be_visible()
    enter(page, page.get_by_role("button", name="Create banners"))
    expect(page.get_by_role("status").filter(has_text="The experiment is created")).to_be_visible()

    exp = store.experiment("banners")
    assert exp.problem.arms == PROBLEM.arms
    pause = page.get_by_role("link", name="Pause", exact=True)
    press_tab_until(page, pause)
    with working(exp):  # what is focused stays so while the page changes
        expect(page.locator("#decisions > li").nth(1)).to_be_visible()
        expect(pause).to_be_focused()
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Pause banners?")).to_be_visible()
    enter(page, page.get_by_role("button", name="Pause"))
    expect(page.get_by_role("status").filter(has_text="is paused")).to_be_visible()
    assert exp.status == "paused"
    assert exp.journal()[-1]["by"] == "ann"
    enter(page, page.get_by_role("button", name="Log out"))
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
