"""What people do with the pages, in a real browser."""

import re
import subprocess
import sys
import time

import pytest
from playwright.sync_api import expect

from browser.app_thread import here
from browser.conftest import MEANS, PROBLEM, pull, working
from browser.server import PATIENCE, Server

expect.set_options(timeout=PATIENCE)


def test_create_watch_labels_fall_and_reload(server, store, visitor):
    page = visitor()
    page.goto(server.url)
    page.get_by_role("link", name="Create an experiment").click()
    page.get_by_label("Name", exact=True).fill("banners")
    page.get_by_label("Arms", exact=True).fill("\n".join(MEANS))
    page.get_by_label("Threshold", exact=True).fill("0.5")
    page.get_by_role("button", name="Show the plan").click()
    expect(page.get_by_role("heading", name="Plan", exact=True)).to_be_visible()
    expect(page.get_by_text(re.compile("pulls until the experiment is done"))).to_be_visible()
    assert store.experiments() == []
    page.get_by_role("button", name="Create banners").click()
    expect(page.get_by_role("status").filter(has_text="The experiment is created")).to_be_visible()
    expect(page.get_by_text("No labels yet.")).to_be_visible()

    exp = store.experiment("banners")
    page.evaluate("window.stays = true")
    with working(exp, count=6):
        labels = page.locator("#decisions > li")
        expect(labels.first).to_be_visible()
        expect(labels.nth(2)).to_be_visible()
        expect(page.locator("[data-announced]")).not_to_be_empty()
    assert page.evaluate("window.stays") is True
    shown = page.locator(".tile").filter(has_text="Rewards received").locator(".value")
    expect(shown).to_have_text(f"{exp.pulls:,}")
    before = labels.all_inner_texts()
    page.reload()
    expect(labels).to_have_count(len(before))
    expect(shown).to_have_text(f"{exp.pulls:,}")


def test_log_in_out_and_a_token_that_is_revoked(server, store, banners, visitor):
    secret, _ = store.tokens.create("ann", "admin")
    other, _ = store.tokens.create("bob", "read")
    page, watcher = visitor(), visitor()
    for each, own in ((page, secret), (watcher, other)):
        each.goto(f"{server.url}/experiments/banners")
        expect(each.get_by_role("heading", name="Log in")).to_be_visible()
        each.get_by_label("Token").fill("ga_wrong")
        each.get_by_role("button", name="Log in").click()
        expect(each.get_by_role("alert")).to_contain_text("not valid")
        each.get_by_label("Token").fill(own)
        each.get_by_role("button", name="Log in").click()
        expect(each.get_by_role("heading", name="banners")).to_be_visible()
    cookie = page.context.cookies()[0]
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
    assert page.evaluate("document.cookie") == ""
    assert secret[3:] not in cookie["value"]
    expect(watcher.get_by_role("link", name="Pause")).to_have_count(0)

    page.get_by_role("link", name="Pause", exact=True).click()
    expect(page.get_by_text("The journal records this change under the name ann")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("status").filter(has_text="is paused")).to_be_visible()
    assert banners.journal()[-1]["by"] == "ann"
    expect(watcher.locator(".state", has_text="paused")).to_be_visible()

    page.get_by_role("link", name="Tokens").click()
    page.get_by_role("link", name="Revoke the token of bob").click()
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("status").filter(has_text="revoked")).to_be_visible()
    expect(watcher.locator("[data-live-text]", has_text="Your session has ended")).to_be_visible()
    watcher.reload()
    expect(watcher.get_by_role("heading", name="Log in")).to_be_visible()

    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    page.goto(f"{server.url}/experiments/banners")
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()


def test_a_server_that_restarts_while_one_watches(url, store, banners, visitor):
    """With a key of its own the session outlives it, too.

    The first is a process, whose end is the subject; the next one is there at once.
    """
    key = "k" * 40
    secret, _ = store.tokens.create("ann", "read")
    server = Server(url, env={"GOODARM_SESSION_KEY": key}).start()
    try:
        page = visitor()
        page.goto(f"{server.url}/experiments/banners")
        page.get_by_label("Token").fill(secret)
        page.get_by_role("button", name="Log in").click()
        expect(page.locator("[data-live-text]")).to_have_text("Live")
    finally:
        code, seconds = server.stop()
    assert code == 0
    assert seconds < 10  # who only watches does not hold it up
    expect(page.locator("[data-live-text]")).to_have_text("Reconnecting")
    pull(banners, 8, 99)
    with here(url, server.port, session_key=key):
        shown = page.locator(".tile").filter(has_text="Rewards received").locator(".value")
        expect(shown).to_have_text(f"{banners.pulls:,}")
        expect(page.locator("[data-live-text]")).to_have_text("Live")


def test_two_tabs_see_the_same(server, store, banners, visitor):
    first, second = visitor(), visitor(width=390)
    for page in (first, second):
        page.goto(f"{server.url}/experiments/banners")
    second.get_by_role("button", name="Pause updates").click()
    held = second.locator("#tiles").inner_text()
    with working(banners):
        expect(first.locator("#decisions > li").nth(2)).to_be_visible()
    total = f"{banners.pulls:,}"
    expect(first.locator(".tile .value").first).to_have_text(total)
    assert second.locator("#tiles").inner_text() == held
    second.get_by_role("button", name="Pause updates").click()
    expect(second.locator(".tile .value").first).to_have_text(total)


@pytest.mark.large
def test_ten_thousand_arms(server, store, visitor):
    arms = [f"arm {number}" for number in range(10_000)]
    problem = type(PROBLEM)(arms, threshold=0.5, delta=0.05)
    exp = store.experiment("many", problem, seed=1)
    with exp.together():
        for arm in range(100):
            exp.observe(f"arm {arm}", [float(arm % 2)] * (40 + arm))
    page = visitor()
    page.goto(f"{server.url}/experiments/many")
    rows = page.locator("tr[id^=arm-]")
    expect(rows).to_have_count(50)
    assert page.locator("li[id^=drawn-]").count() <= 39
    page.get_by_label("Name contains").fill("arm 999")
    page.get_by_role("button", name="Apply", exact=True).click()
    expect(rows).to_have_count(11)
    page.get_by_role("link", name="arm 9990").click()
    expect(page.get_by_role("heading", name="arm 9990")).to_be_visible()
    page.goto(f"{server.url}/experiments/many")
    exp.observe("arm 200", [1.0] * 200)
    expect(page.locator("#decisions").get_by_role("link", name="arm 200")).to_be_visible()


def test_without_script(server, store, banners, visitor):
    page = visitor(java_script_enabled=False)
    page.goto(f"{server.url}/experiments/banners")
    expect(page.get_by_role("button", name="Pause updates")).to_be_hidden()
    page.get_by_label("Label", exact=True).select_option("good")
    page.get_by_role("button", name="Apply", exact=True).click()
    expect(page.locator("tr[id^=arm-]")).to_have_count(len(banners.verdict.good))
    page.get_by_role("link", name="Close for good").click()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_text("The experiment is closed.")).to_be_visible()
    assert banners.status == "closed"


@pytest.mark.large
def test_it_asks_now_and_then_where_streams_are_refused(url, banners, visitor):
    server = Server(url, options=("--max-watchers", "1")).start()
    try:
        first, second = visitor(), visitor()
        for page in (first, second):
            page.goto(f"{server.url}/experiments/banners")
            expect(page.locator("[data-live-text]")).to_have_text("Live")
        pull(banners, 4, 50)
        for page in (first, second):
            expect(page.locator(".tile .value").first).to_have_text(f"{banners.pulls:,}")
    finally:
        server.stop()


@pytest.mark.large
def test_a_demo_is_seen_within_ten_seconds_of_its_start(tmp_path, visitor):
    """Counted from when it says that it is there; starting Python takes what it takes."""
    command = [sys.executable, "-m", "goodarm", "demo", "--no-browser"]
    demo = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        url = re.search(r"http://\S+(?=;)", demo.stdout.readline()).group(0)
        began = time.monotonic()
        page = visitor()
        page.goto(url)
        for name in ("banners", "prompts", "recipes"):
            expect(page.get_by_role("link", name=name)).to_be_visible()
        assert time.monotonic() - began < 10
        page.get_by_role("link", name="recipes").click()
        expect(page.locator("li[id^=drawn-]").first).to_be_visible()
    finally:
        demo.terminate()
        assert demo.wait(60) == 0
        demo.stdout.close()
