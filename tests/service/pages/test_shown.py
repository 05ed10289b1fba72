"""The list, the journal, the report, the files to take away, and what changes meanwhile."""

import asyncio
import io
import json
import re
from contextlib import chdir
from importlib.resources import files

import pytest
from PIL import Image
from typer.testing import CliRunner

import goodarm as ga
from goodarm.cli.command_group import app
from goodarm.live.events import EVENT_TYPES
from goodarm.service.pages.html_responses import hash_style, make_environment, read_static_file
from goodarm.service.pages.journal import describe_entry
from goodarm.service.pages.watchers import Watchers
from goodarm.service.problems import NO_EXPERIMENT, Refusal
from goodarm.views.bars import COLOURS
from service.pages.site import run, site_of

PROBLEM = ga.Problem(["red", "green"], threshold=0.5, delta=0.05)


def test_the_colours_are_those_of_all_pictures():
    style = read_static_file("page.css").decode()
    for label, colour in COLOURS.items():
        assert f"--{label}: {colour};" in style.partition("@media")[0]


def test_every_template_is_known_to_the_package():
    names = {each.name for each in (files("goodarm.service.pages") / "templates").iterdir()}
    assert names == set(make_environment().list_templates())
    for name in names:
        text = (files("goodarm.service.pages") / "templates" / name).read_text()
        assert "|safe" not in text or name == "report.html"
        assert " style=" not in text
        make_environment().get_template(name)


@pytest.fixture
def several(site):
    for number in range(30):
        exp = site.store.experiment(f"exp-{number:02}", PROBLEM, seed=1)
        exp.observe("red", [1.0] * number if number else [])
    site.store.experiment("exp-03").pause()
    site.store.experiment("exp-04").close()
    return site


def names(site, path):
    return re.findall(r'<tr id="row-([^"]+)">', site.get(path).text)


def test_the_list_is_searched_filtered_sorted_and_cut_into_pages(several):
    every = [f"exp-{number:02}" for number in range(30)]
    assert names(several, "/") == every[:25]
    assert names(several, "/?page=2") == every[25:]
    assert names(several, "/?page=999") == every[25:]
    assert names(several, "/?q=P-1") == every[10:20]
    assert names(several, "/?state=paused") == ["exp-03"]
    assert names(several, "/?state=closed") == ["exp-04"]
    assert names(several, "/?sort=pulls")[0] == "exp-29"
    assert names(several, "/?sort=pulls&page=2")[-1] == "exp-00"
    assert names(several, "/?sort=nonsense&state=nonsense") == every[:25]
    assert "No experiments match" in several.page("/?q=none").text


def test_a_list_follows_what_changes(several):
    one = several.store.experiment("exp-05")
    before = several.get("/?part=1")
    tag = {"If-None-Match": before.headers["etag"]}
    assert several.get("/?part=1", headers=tag).status_code == 304
    one.observe("green", [0.0] * 3)
    after = several.get("/?part=1", headers=tag)
    assert after.status_code == 200
    assert "<html" not in after.text
    several.store.delete("exp-05")
    assert "exp-05" not in several.get("/").text


def test_a_token_sees_its_own():
    with site_of() as site:
        for name in ("team-a", "other"):
            site.store.experiment(name, PROBLEM)
        secret, _ = site.store.tokens.create("ann", "read", pattern="team-*")
        site.log_in(secret)
        assert names(site, "/") == ["team-a"]


def test_a_damaged_experiment_is_listed_and_the_others_too(site):
    run(site.store.experiment("fine", PROBLEM), 10)
    exp = run(site.store.experiment("odd", PROBLEM), 10)
    rows = site.store._recorder._names["odd"].rows
    rows[0] = rows[0]._replace(text='{"kind": "nothing", "format": 1}')
    assert exp
    shown = site.page("/").text
    assert "unreadable" in shown
    assert names(site, "/") == ["fine", "odd"]


def test_every_kind_of_entry_has_words(site):
    problem = ga.Problem(["red", "green"], threshold=0.5, delta=0.05, arms_planned=4)
    exp = site.store.experiment("all", problem, seed=1)
    pulls = exp.ask_many(6, worker="ann", lease=60)
    exp.tell_many(pulls[:3], [1, 0, 1])
    exp.forget(pulls[3])
    exp.forget(pulls[4], loss_is_independent=True)
    exp.tell(pulls[5], 0)
    exp.observe("green", [0.0] * 80)
    exp.add_arm("blue")
    exp.take_out("blue")
    exp.note("The camera was moved.", "red")
    exp.pause()
    exp.pause(key="again")
    exp.resume()
    exp.close()
    kinds = {entry["kind"] for entry in exp.journal()}
    assert kinds >= set(EVENT_TYPES) - {"expired"}
    text = site.page("/experiments/all/journal").text
    for words in (
        "for ann",
        "Rewards of 3 pulls: ",
        "Reward of pull 6: ",
        "without a pull: 0 (80 times)",
        "as the worst case",
        "as never made",
        "80 rewards of green without a pull",
        "green is bad, after",
        "blue joined",
        "blue is never asked again",
        "On red: The camera was moved.",
        "Nothing is asked until it is resumed",
        "changed nothing",
        "Asking goes on",
        "Nothing is asked or told any more",
    ):
        assert words in text, words
    for kind in EVENT_TYPES:
        count = sum(entry["kind"] == kind for entry in exp.journal())
        shown = site.get(f"/experiments/all/journal?kind={kind}").text
        assert shown.count('<th scope="row"') == count
    labels = site.get("/experiments/all/journal?kind=labels").text
    assert labels.count("<strong>") == sum(len(e.get("labels", ())) for e in exp.journal())
    assert site.get("/experiments/all/journal?q=blue").text.count('<th scope="row"') == 2


def test_a_long_journal_comes_in_pages(site):
    exp = site.store.experiment("long", PROBLEM, seed=1)
    with exp.together():
        for _ in range(130):
            exp.pause()
            exp.resume()
    first = site.get("/experiments/long/journal")
    numbers = [int(n) for n in re.findall(r'class="n">([\d,]+)</th>', first.text)]
    assert numbers == list(range(260, 160, -1))
    older = re.search(r'rel="next" href="([^"]+)"', first.text).group(1)
    numbers = re.findall(r'class="n">([\d,]+)</th>', site.get(older.replace("&amp;", "&")).text)
    assert [int(n) for n in numbers] == list(range(160, 60, -1))


def test_files_to_take_away(site, banners):
    answer = site.get("/experiments/banners/arms.csv")
    assert answer.text == site.get("/api/v1/experiments/banners/export.csv").text
    assert answer.headers["content-disposition"] == 'attachment; filename="banners.csv"'
    answer = site.get("/experiments/banners/journal.jsonl")
    lines = answer.text.splitlines()
    assert len(lines) == banners.entries + 1
    assert json.loads(lines[0])["kind"]
    picture = Image.open(io.BytesIO(site.get("/experiments/banners/picture.png").content))
    assert picture.width > 600
    assert site.get("/experiments/banners/picture.svg").text.startswith("<?xml")


def test_the_report_stands_alone(site, banners, tmp_path):
    answer = site.get("/experiments/banners/report?save=1")
    text = answer.text
    assert 'filename="banners-report.html"' in answer.headers["content-disposition"]
    assert not re.search(r'(?:href|src)="', text)
    assert "<script" not in text
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL).group(1)
    assert f"style-src {hash_style(style)}" in answer.headers["content-security-policy"]
    assert "@media print" in style
    assert "The chance that any of these labels is wrong is at most 5 %" in text
    assert "Test:" not in text
    for arm in banners.verdict.good:
        assert f"<strong>{arm}</strong>" in text
    (tmp_path / "banners.jsonl").write_text(site.get("/experiments/banners/journal.jsonl").text)
    commands = re.findall(r"^(?:<pre[^>]*><code>)?goodarm (.*?)(?:</code>.*)?$", text, re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        with chdir(tmp_path):
            found = CliRunner().invoke(app, command.split())
        assert found.exit_code == 0, found.output
    assert "verified" in found.output


def test_what_is_not_drawn_is_said(site):
    exp = site.store.experiment("many", ga.Problem(100, threshold=0.5, delta=0.05), seed=1)
    for arm in range(99):
        exp.observe(arm, [1.0, 0.0])
    words = site.page("/experiments/many").text
    assert "; the table below has all. 1 arm without pulls is not shown." in words


def test_the_report_is_plain_about_gaussian_rewards(site):
    problem = ga.Problem(2, threshold=0.0, delta=0.05, rewards="gaussian", sigma=1.0)
    exp = run(site.store.experiment("one", problem, seed=1), 20)
    notes = exp.table().notes
    text = site.page("/experiments/one/report").text
    shown = [note for note in notes if note in text]
    assert [note for note in notes if note not in shown] == ["Test: half-normal."]


def test_what_an_experiment_was_created_with(site):
    problem = ga.Problem(2, threshold=0.5, delta=0.05, pool=40)
    site.store.experiment("one", problem, seed=1)
    assert "Pool 40 cases of each arm" in site.page("/experiments/one").text
    problem = ga.Problem(2, threshold=0.5, delta=0.05, pool=[40, 60])
    site.store.experiment("two", problem, seed=1)
    assert "Pool 40 to 60 cases of each arm" in site.page("/experiments/two").text


def test_what_is_live_changes_with_the_journal(site, banners):
    for path in ("/experiments/banners", "/experiments/banners/arms/0"):
        first = site.get(f"{path}?part=1")
        tag = {"If-None-Match": first.headers["etag"]}
        assert site.get(f"{path}?part=1", headers=tag).status_code == 304
        site.app.state.pages.snapshots._cached.clear()
        banners.observe("green", [0.0])
        assert site.get(f"{path}?part=1", headers=tag).status_code == 200


class Watching:
    """A store whose versions a test sets."""

    def __init__(self):
        self.version, self.snapshots = "a-1", 0

    def look(self, name):
        self.snapshots += 1
        if self.version is None:
            raise Refusal(NO_EXPERIMENT, "gone")
        return self.version


def watch(work, most=10, may_stay=lambda: True, beat=60.0):
    """What a stream says while a coroutine is at work."""
    store = Watching()

    async def main():
        watchers = Watchers(store.look, most, every=0.01, beat=beat)
        said = asyncio.Queue()

        async def listen():
            async for version in watchers.versions("one", "a-1", may_stay):
                said.put_nowait(version)
            said.put_nowait("end")

        listeners = [asyncio.create_task(listen()) for _ in range(2)]
        await asyncio.wait_for(work(store, watchers, said), 30)
        for each in listeners:
            each.cancel()
        await asyncio.gather(*listeners, return_exceptions=True)
        await asyncio.sleep(0)
        return watchers

    watchers = asyncio.run(main())
    assert watchers.count == 0
    assert watchers._watched == {}


def test_all_who_watch_are_told_by_one_look():
    async def work(store, watchers, said):
        assert [await said.get() for _ in range(2)] == ["a-1", "a-1"]
        assert watchers.count == 2
        assert len(watchers._watched) == 1
        store.version = "a-2"
        assert [await said.get() for _ in range(2)] == ["a-2", "a-2"]

    watch(work)


def test_streams_end_with_the_service_and_with_the_experiment():
    async def service(store, watchers, said):
        await said.get()
        await said.get()
        watchers.end()
        assert [await said.get() for _ in range(2)] == ["end", "end"]

    async def experiment(store, watchers, said):
        await said.get()
        await said.get()
        store.version = None
        assert [await said.get() for _ in range(2)] == ["end", "end"]

    watch(service)
    watch(experiment)


def test_a_stream_ends_with_its_session_and_has_a_heartbeat():
    async def quiet(store, watchers, said):
        assert [await said.get() for _ in range(4)] == ["a-1", "a-1", None, None]

    async def revoked(store, watchers, said):
        assert [await said.get() for _ in range(4)] == ["a-1", "a-1", "end", "end"]

    watch(quiet, beat=0.01)
    watch(revoked, beat=0.01, may_stay=lambda: False)


def test_there_is_room_for_so_many():
    with site_of(max_watchers=1) as site:
        run(site.store.experiment("one", PROBLEM), 10)
        watchers = site.app.state.pages.watchers
        watchers._most = 0
        assert watchers.is_full
        assert site.get("/experiments/one/events").status_code == 429


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"first": 3, "arms": [0]}, "Pull 3 of red"),
        ({"first": 3, "arms": [0, 1, 0]}, "Pulls 3 to 5 of red, green"),
        ({"first": 3, "arms": [], "again": [1, 2]}, "Pulls 1, 2 again"),
        (
            {"first": 3, "arms": [1], "again": [2], "worker": "w"},
            "Pull 3 of green and pull 2 again, for w",
        ),
        ({"first": 3, "arms": []}, "No pulls"),
    ],
)
def test_an_entry_of_asking_is_a_sentence(fields, text):
    entry = {"kind": "asked", "at": 0.0, **fields}
    assert describe_entry(1, entry, PROBLEM.arms, []).text == text
