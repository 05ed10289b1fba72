"""``goodarm experiments`` and ``show``, and what all commands about a store have in common."""

import csv
import io
import json
import re
import sqlite3

import pytest
from rich.cells import cell_len

import goodarm as ga
from cli.sample_store import ODD_NAME, parse_rows
from cli.shell import run, run_on_terminal
from goodarm.views import times

AGO = r"(just now|\d+ min ago)"
"""The store of all tests was made at the beginning, which may be a while ago."""


def test_experiments_are_listed_with_their_state(invoke, url):
    result = invoke(["experiments", url])
    assert result.exit_code == 0
    header, *rows = parse_rows(result.stdout)
    assert header == [
        *("name", "status", "good", "bad", "undecided", "pulls", "entries", "last change"),
    ]
    found = {row[0]: row[1:] for row in rows}
    assert {name: cells[0] for name, cells in found.items()} == {
        "banners": "running",
        "closed": "closed",
        "many": "paused",
        "new": "running",
        "pool": "done",
    }
    assert found["new"] == ["running", "0", "0", "3", "0", "0", "-"]
    with ga.open_store(url) as store:
        for name, cells in found.items():
            verdict = store.experiment(name).verdict
            counts = [len(verdict.good), len(verdict.bad), len(verdict.undecided), verdict.pulls]
            assert cells[1:5] == [f"{count:,}" for count in counts]


def test_experiments_as_json(invoke, url):
    result = invoke(["experiments", url, "--json"])
    document = json.loads(result.stdout)
    assert (document["kind"], document["format"]) == ("experiments", 1)
    banners, *_, new, pool = document["experiments"]
    assert banners["entries"] == 81
    assert banners["status"] == "running"
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", banners["changed_at"])
    assert new["changed_at"] is None
    assert (pool["good"], pool["bad"], pool["undecided"]) == (1, 1, 0)


def test_an_empty_store_says_so(invoke, tmp_path):
    url = f"sqlite:///{tmp_path / 'empty.db'}"
    ga.open_store(url).close()
    assert (
        "no experiments. Create one with goodarm run, or in Python with store.experiment(name"
        in invoke(["experiments", url]).stdout
    )
    assert json.loads(invoke(["experiments", url, "--json"]).stdout)["experiments"] == []
    result = invoke(["verify", url])
    assert (result.exit_code, result.stdout.strip()) == (
        0,
        "The store has no experiments, so there is nothing to verify.",
    )
    assert "There is no experiment 'x'; the store is empty." in invoke(["show", url, "x"]).stderr


@pytest.mark.parametrize("command", [["experiments"], ["verify"], ["show"]])
def test_what_is_not_there_is_not_made(invoke, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    name = ["x"] if command == ["show"] else []
    for url, said in (
        ("sqlite:///none.db", "URL must be that of an existing file; got 'none.db'"),
        ("sqlite:///no/none.db", "URL must be that of an existing file"),
        ("memory:", "only its own process can see what is in memory; got 'memory:'"),
        ("none.db", "A file begins with 'sqlite:///'"),
        ("postgres://ann:secret@host/x", "Begin with 'postgresql+psycopg://'"),
    ):
        result = invoke([*command, url, *name])
        assert result.exit_code == 2
        assert said in " ".join(result.stderr.split())
        assert "secret" not in result.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [["experiments"], ["verify"], ["show"]])
def test_a_database_of_others_is_left_as_it_is(invoke, tmp_path, command):
    path = tmp_path / "theirs.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    before = path.read_bytes()
    result = invoke([*command, f"sqlite:///{path}", *(["x"] if command == ["show"] else [])])
    assert result.exit_code == 2
    assert "There is no goodarm store in" in result.stderr
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["theirs.db"]


def test_a_server_that_is_down_is_an_error_without_its_password(invoke, monkeypatch):
    monkeypatch.setattr("goodarm.store.dialects.CONNECT_PAUSES", ())
    url = "postgresql+psycopg://ann:secret@127.0.0.1:1/x?connect_timeout=2"
    result = invoke(["experiments", url])
    assert result.exit_code == 2
    assert "cannot be reached" in result.stderr
    assert "secret" not in result.output


@pytest.mark.parametrize("command", ["show", "verify"])
def test_unknown_names(invoke, url, command):
    result = invoke([command, url, "baners"])
    assert result.exit_code == 2
    assert "NAME must be one of 'banners', 'closed'" in result.stderr
    assert "Did you mean 'banners'?" in result.stderr


def test_unknown_names_among_many(invoke, tmp_path):
    url = f"sqlite:///{tmp_path / 'many.db'}"
    with ga.open_store(url) as store:
        for number in range(21):
            store.experiment(f"e{number}", ga.Problem(1, 0.5, 0.05))
    result = invoke(["show", url, "x"])
    assert "NAME must be one of the store's 21 experiments; got 'x'." in result.stderr


def test_show_is_the_table_of_check(invoke, url):
    result = invoke(["show", url, "banners"])
    assert result.exit_code == 0
    first, second, third, *_ = result.stdout.split("\n")
    assert re.fullmatch(rf"banners: running, 200 pulls, 81 entries, last change {AGO}", first)
    assert second == "e-hdoc (kl-moss + mixture), delta 0.05"
    assert third.startswith("3 arms at threshold 0.5: 1 good, ")
    header, *rows = parse_rows(result.stdout)
    assert header[:6] == ["arm", "label", "pulls", "mean", "lower", "upper"]
    with ga.open_store(url) as store:
        reports = {report.arm: report for report in store.experiment("banners").table()}
    assert {row[0] for row in rows} == set(reports)
    for arm, label, pulls, mean, lower, upper, *_ in rows:
        report = reports[arm]
        assert (label, pulls) == (report.label, f"{report.pulls:,}")
        assert [mean, lower, upper] == [
            f"{v:.4g}" for v in (report.mean, report.lower, report.upper)
        ]
    assert "2 pulls in progress:" in result.stdout
    out = rf"^ 201 .*ann \[b\] +{AGO} +in [45]\d min$"
    assert re.search(out, result.stdout, re.MULTILINE)
    assert result.stdout.endswith("The chance that any of these labels is wrong is at most 5 %.\n")


def test_show_of_a_pool_with_an_arm_that_joined(invoke, url):
    result = invoke(["show", url, "pool"])
    assert "pool: done, " in result.stdout
    assert ", 3 arms planned\n" in result.stdout
    assert "2 arms at threshold 0.5, out of 50 to 200 cases: 1 good, 1 bad" in result.stdout
    assert "any of these labels is wrong is at most 5 %." in result.stdout
    assert "pull" in parse_rows(result.stdout)[0][2]
    assert {row[3] for row in parse_rows(result.stdout)[1:]} != set()


def test_show_as_json(invoke, url):
    document = json.loads(invoke(["show", url, "banners", "--json"]).stdout)
    with ga.open_store(url) as store:
        exp = store.experiment("banners")
        assert document["arms"] == [report.to_dict() for report in exp.table()]
        assert document["problem"] == exp.problem.to_dict()
        assert document["entries"] == exp.entries
    assert (document["kind"], document["format"], document["status"]) == ("show", 1, "running")
    assert [each["number"] for each in document["out"]] == [201, 202]
    assert {each["worker"] for each in document["out"]} == {"ann [b]"}
    numbers = json.loads(invoke(["show", url, "new", "--json"]).stdout)
    assert [arm["arm"] for arm in numbers["arms"]] == [0, 1, 2]
    assert numbers["changed_at"] is None


def test_show_as_csv(invoke, url):
    printed = invoke(["show", url, "many", "--csv", "--only", "good", "--sort", "pulls"]).stdout
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert rows
    assert {row["label"] for row in rows} == {"good"}
    pulls = [int(row["pulls"]) for row in rows]
    assert pulls == sorted(pulls, reverse=True)
    assert all(int(row["labelled_at"]) > 0 for row in rows)
    whole = list(csv.DictReader(io.StringIO(invoke(["show", url, "many", "--csv"]).stdout)))
    assert [row["arm"] for row in whole][-1] == ODD_NAME
    assert len(whole) == 41


def test_an_arm_that_was_taken_out_is_named(invoke, copy):
    _, url = copy
    with ga.open_store(url) as store:
        store.experiment("new").take_out(1)
    assert "No more pulls (taken out): 1." in invoke(["show", url, "new"]).stdout
    printed = invoke(["show", url, "new", "--csv"]).stdout
    assert [row["reason"] for row in csv.DictReader(io.StringIO(printed))] == ["", "taken out", ""]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--watch", "--json"], "--watch keeps a table up to date. Leave out --json."),
        (["--watch", "--plot", "x.png"], "--watch keeps a table up to date. Leave out --plot."),
        (["--every", "2"], "--every must be used with --watch only; got 2."),
        (["--watch", "--every", "0"], "--every must be a number of seconds above 0"),
        (["--arm", "red"], "--arm must be used with --history only; got 'red'."),
        (["--history", "x.txt"], "--history must end in .png, .svg or .pdf; got 'x.txt'."),
        (["--plot", "x.txt"], "--plot must end in .png, .svg or .pdf; got 'x.txt'."),
        (["--history", "h.svg", "--arm", "rad"], "--arm must be one of 'red', 'green', 'blue'"),
        (["--history", "h.svg", *(f"--arm={k}" for k in range(13))], "must name at most 12 arms"),
        (["--json", "--csv"], "--csv prints only CSV. Leave out --json, or --csv."),
        (["--json", "--only", "good"], "Leave out --only, or use --csv."),
    ],
)
def test_options_that_do_not_go_together(invoke, url, tmp_path, monkeypatch, options, said):
    monkeypatch.chdir(tmp_path)
    result = invoke(["show", url, "banners", *options])
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
    assert list(tmp_path.iterdir()) == []


def test_pictures(invoke, url, tmp_path):
    plot, history = tmp_path / "arms.svg", tmp_path / "history.svg"
    options = ["--plot", plot, "--history", history, "--arm", "green", "--arm", "red"]
    result = invoke(["show", url, "banners", *options])
    assert result.exit_code == 0
    assert f"Picture: {plot}\nPicture: {history}\n" in result.stdout
    drawn = history.read_text(encoding="utf-8")
    assert drawn.index(">green<") < drawn.index(">red<")
    assert ">blue<" not in drawn
    with ga.open_store(url) as store:
        red = store.experiment("banners").explain("red")
    assert f">good at {red.pulls} pulls<" in drawn
    assert "3 arms at threshold 0.5" in plot.read_text(encoding="utf-8")
    quiet = invoke(["show", url, "banners", "--json", "--history", history])
    assert json.loads(quiet.stdout)["name"] == "banners"
    assert f"Picture: {history}" in quiet.stderr


def test_the_history_of_many_arms_is_that_of_the_most_pulled(invoke, url, tmp_path):
    path = tmp_path / "history.svg"
    result = invoke(["show", url, "many", "--history", path])
    assert "drawing the 12 arms with the most pulls, of 4" in result.stderr
    assert "Choose others with --arm NAME." in result.stderr
    drawn = path.read_text(encoding="utf-8")
    assert len(re.findall(r">(?:good at|bad at|undecided after) ", drawn)) == 12
    result = invoke(["show", url, "new", "--history", path])
    assert result.exit_code == 2
    assert (
        "The experiment 'new' has no rewards yet, so there is no history to draw." in result.stderr
    )


def test_times_in_words():
    now = 1_000_000.0
    assert times.format_past(now + 500, now) == "just now"
    assert times.format_past(now - 3 * 3600, now) == "3 h ago"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", times.format_past(now - 90_000, now))
    assert [times.format_future(now + s, now) for s in (0, 59.5, 61, 7201, 200_000)] == [
        *("ended", "in 59 s", "in 1 min", "in 2 h", "in 2 days"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("command", [["experiments"], ["verify"], ["show", "many"]])
def test_on_a_terminal_all_fits_and_names_are_text(url, width, command):
    name, *rest = command
    text, code = run_on_terminal([name, url, *rest], width)
    assert code == 0
    assert max(map(cell_len, text.split("\n"))) <= width
    assert "\x1b" not in text
    if rest == ["many"]:
        assert "up\\x1b[31m[red]:smile:" in text or "Left out" in text


@pytest.mark.slow
def test_names_that_steer_are_written_out(url):
    text = run(["show", url, "many"]).stdout
    assert any(line.strip().startswith("up\\x1b[31m[red]:smile: ") for line in text.split("\n"))
    assert "\x1b" not in text


def test_a_pull_that_will_not_come_is_given_up(invoke, tmp_path):
    url = f"sqlite:///{tmp_path / 'forget.db'}"
    with ga.open_store(url) as store:
        exp = store.experiment("coins", ga.Problem(["a"], threshold=0.5), seed=1)
        first, second = exp.ask_many(2)
        exp.tell(second, 1)
        assert exp.explain("a").waits.pull == first.number
    result = invoke(["forget", url, "coins", "1"])
    assert (result.exit_code, result.stdout) == (0, "1 pull of coins given up.\n")
    with ga.open_store(url) as store:
        report = store.experiment("coins").explain("a")
        assert (report.waits, report.pulls, report.lost) == (None, 2, 1)
    again = invoke(["forget", url, "coins", "1"])
    assert again.exit_code == 2
    assert "must be the number of a pull in progress; got 1" in again.stderr
    assert "1 pull lost, counted as the worst case" in invoke(["show", url, "coins"]).stdout
