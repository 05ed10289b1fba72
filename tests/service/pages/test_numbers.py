"""What is shown is what decides: the library's numbers, from the same call."""

import html
import random
import re

import pytest

import goodarm as ga
from goodarm.live.remaining_pulls import forecast_pulls
from goodarm.views.arms import HEADER
from goodarm.views.numbers import format_needed, format_number
from service.pages.site import HOST, cells, run, site_of

PROBLEMS = [
    ga.Problem(["a", "b", "c"], threshold=0.5, delta=0.05),
    ga.Problem(7, threshold=0.3, delta=0.1, margin=0.05, until=2),
    ga.Problem(5, threshold=0.5, delta=0.05, pool=40, max_pulls=150),
    ga.Problem(["x", "y"], threshold=3, delta=0.05, rewards="bounded", low=1, high=5),
    ga.Problem(4, threshold=0.1, delta=0.05, rewards="gaussian", sigma=0.7, arms_planned=6),
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: f"{problem.rewards}")
@pytest.mark.parametrize("pulls", [0, 3, 120])
def test_the_table_is_the_librarys(problem, pulls):
    with site_of() as site:
        exp = run(site.store.experiment("one", problem, seed=pulls), pulls, seed=pulls)
        text = site.get("/experiments/one").text
        table = exp.table()
        for position, report in enumerate(table):
            expected = dict(zip(HEADER, table.cells(position), strict=True))
            shown = cells(text, f"arm-{position}")
            assert shown == {name: expected[name] for name in shown}
            evidence = {"e good", "e bad"} if "e good" in shown or report.e_good else set()
            needed = set() if exp.is_done else {"pulls needed", "needed (9 of 10)"}
            assert set(shown) == {"pulls", "mean", "lower", "upper"} | evidence | needed
        told = site.get("/api/v1/experiments/one").json()
        counts = f"{told['good']} good, {told['undecided']} undecided, {told['bad']} bad"
        assert f'aria-label="{counts}"' in text
        assert f'<p class="value">{told["pulls"]:,}</p>' in text


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: f"{problem.rewards}")
def test_the_list_counts_what_the_api_counts(problem):
    with site_of() as site:
        exp = run(site.store.experiment("one", problem, seed=2), 90)
        shown = site.page("/").text
        told = site.get("/api/v1/experiments").json()["experiments"][0]
        counts = f"{told['good']} good, {told['undecided']} undecided, {told['bad']} bad"
        assert f"{counts} {told['pulls']:,} " in shown
        expected, is_whole = forecast_pulls(exp.table(), exp.problem, exp.pulls)
        if exp.is_done:
            expected, is_whole = 0, True
        words = (
            f"{expected:,}" if is_whole else (f"more than {expected:,}" if expected else "unclear")
        )
        assert f"{counts} {told['pulls']:,} {words} " in shown


def test_large_numbers_are_written_out(site):
    """Beside an axis that says 1,000,000 nobody wants to read 1.002e+06."""
    problem = ga.Problem(
        ["north"], threshold=1e6, delta=0.05, rewards="gaussian", sigma=25_000, margin=2000
    )
    exp = site.store.experiment("sales", problem, seed=1)
    exp.observe("north", [990_000.0 + 7919 * (k % 11) for k in range(60)])
    report = exp.table()[0]
    text = site.get("/experiments/sales").text
    assert "at least 1,000,000, give or take 2,000?" in text
    shown = cells(text, "arm-0")
    for name in ("mean", "lower", "upper"):
        assert shown[name] == f"{getattr(report, name):,.0f}"
    for path in ("", "/arms/0", "/report"):
        shown = site.get(f"/experiments/sales{path}").text
        assert f"{report.lower:,.0f}" in shown
        assert not re.search(r"\de\+0[1-8]\b", shown)


def test_the_guarantee_and_that_you_may_look(site):
    """Also where a note on the arms planned comes between the two; the report has all three."""
    problem = ga.Problem(["red"], threshold=0.5, delta=0.05, arms_planned=4)
    table = site.store.experiment("growing", problem, seed=1).table()
    assert table.notes[:3] == (
        table.promise,
        "This is for all 4 arms that you planned.",
        table.looking,
    )
    shown = site.get("/experiments/growing").text
    assert f'<p class="hint">{table.promise}</p>' in shown
    assert f'<p class="callout">{table.looking}</p>' in shown
    report = html.unescape(site.get("/experiments/growing/report").text)
    assert all(f"<li>{note}</li>" in report for note in table.notes)


def test_arms_are_shown_by_label(site, banners):
    """Beside the table: how many arms each label has, and where they are."""
    shown = site.page("/experiments/banners?q=e&sort=mean")
    found = [str(report.arm) for report in banners.table() if "e" in str(report.arm)]
    verdict = banners.verdict
    labels = {"good": verdict.good, "undecided": verdict.undecided, "bad": verdict.bad}
    counts = {label: len(set(found) & {*map(str, arms)}) for label, arms in labels.items()}
    words = " ".join(f"{label} {count}" for label, count in counts.items())
    assert f"all {len(found)} {words} Largest mean first." in shown.text
    address = "/experiments/banners?sort=mean&label=good&q=e#arms"
    assert shown.all("a", href=address)
    assert not shown.all("a", href=address)[0].get("aria-current")
    good = site.page(address.partition("#")[0])
    assert good.all("a", href=address)[0]["aria-current"] == "true"
    arms = [each["id"] for each in good.all("tr") if each.get("id", "").startswith("arm-")]
    assert len(arms) == counts["good"]


def test_an_arm_has_its_report_and_history(site, banners):
    history = banners.history(["green"])[0]
    report = banners.explain("green")
    text = site.get("/experiments/banners/arms/1").text
    assert f"{report.lower:.4g} to {report.upper:.4g}" in text
    assert text.count("<tr><td") == len(history.moments)
    for moment in history.moments:
        assert f'<td class="n">{moment.pulls:,}</td><td class="n">{moment.total:,}</td>' in text


def test_labels_fall_with_moment_and_evidence(site, banners):
    entries = banners.journal()
    fell = [(n, each) for n, entry in enumerate(entries, 1) for each in entry.get("labels", ())]
    assert fell
    text = site.get("/experiments/banners").text
    for number, each in fell:
        assert f'id="decisions-{number}-{each["arm"]}"' in text
    assert "e-value" in text
    assert "You may look as often as you like" in text


def test_a_page_that_is_opened_is_never_behind(site, banners):
    """Who watches may see the last look again; who opens or changes a page sees what is."""
    snapshots = site.app.state.pages.snapshots
    for _ in range(3):
        run(banners, 5, seed=3)
        assert snapshots.get("banners").entries == banners.entries
    snapshot = snapshots.get("banners")
    held = snapshots._cached["banners"]
    snapshots._cached["banners"] = held._replace(cost=1e9)
    run(banners, 5, seed=4)
    assert snapshots.get("banners", is_watched=True) is snapshot
    assert snapshots.get("banners").entries == banners.entries


def test_pulls_that_are_out(site, banners):
    text = site.page("/experiments/banners").text
    assert len(banners.out) == 3
    for out in banners.out:
        assert f"Give up pull {out.pull.number}" in text


def test_many_arms_come_in_pages(site):
    arms = [f"arm {number}" for number in range(1000)]
    exp = site.store.experiment("many", ga.Problem(arms, threshold=0.5, delta=0.05), seed=1)
    pulls = exp.ask_many(1000)
    exp.tell_many(pulls, [float(int(str(p.arm).split()[1]) % 2) for p in pulls])
    exp.observe("arm 7", [1.0] * 40)
    first = site.get("/experiments/many")
    assert first.text.count('<tr id="arm-') == 50
    assert "1 to 50 of 1,000, page 1 of 20" in site.page("/experiments/many").text
    assert len(first.content) < 150_000
    last = site.page("/experiments/many?sort=arm&page=20")
    assert [each["id"] for each in last.all("tr") if "id" in each][-1] == "arm-999"
    found = site.page("/experiments/many?q=arm+77&sort=arm")
    assert [each["id"] for each in found.all("tr") if "id" in each] == [
        f"arm-{n}" for n in (77, *range(770, 780))
    ]
    good = site.page("/experiments/many?label=good")
    assert [each["id"] for each in good.all("tr") if "id" in each] == ["arm-7"]
    assert "No arms match" in site.page("/experiments/many?label=bad").text
    drawn = [each["id"] for each in site.page("/experiments/many").all("li") if "id" in each]
    assert "drawn-7" in drawn
    assert "the table below has all." in site.page("/experiments/many").text
    assert len([each for each in drawn if each.startswith("drawn-")]) == 13


@pytest.mark.parametrize("seed", range(4))
def test_numbers_are_those_of_a_client(seed):
    """Random experiments, as whoever looks by the library sees them through the same service."""
    rng = random.Random(seed)
    with site_of() as site:
        problem = ga.Problem(
            [f"arm {number}" for number in range(rng.randint(1, 12))],
            threshold=rng.choice([0.2, 0.5, 0.8]),
            delta=rng.choice([0.01, 0.1]),
            margin=rng.choice([0.0, 0.05]),
        )
        exp = run(site.store.experiment("one", problem, seed=seed), rng.randint(0, 400), seed)
        text = site.get("/experiments/one").text
        with ga.Client(HOST, http=site.client) as client:
            remote = client.experiment("one")
            reports, verdict, out = remote.table(), remote.verdict, remote.out
        for position, report in enumerate(reports):
            shown = cells(text, f"arm-{position}")
            for name in ("pulls", "mean", "lower", "upper"):
                value = getattr(report, name)
                expected = f"{value:,}" if name == "pulls" else format_number(value)
                assert shown[name] == expected
            if remote.is_done:
                assert "pulls needed" not in shown
            else:
                assert shown["pulls needed"] == format_needed(report.pulls_needed, report.pulls)
        good, bad, undecided = map(len, (verdict.good, verdict.bad, verdict.undecided))
        counts = f"{good} good, {undecided} undecided, {bad} bad"
        assert f'aria-label="{counts}"' in text
        assert f'<p class="value">{verdict.pulls:,}</p>' in text
        assert len(out) == len(exp.out)
        labelled = verdict.good + verdict.bad
        decisions = site.get("/experiments/one/journal?kind=labels").text
        assert all(f"{name} is " in decisions for name in labelled)
