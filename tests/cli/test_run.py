"""``goodarm run``: what it prints, writes and returns; and what it shows while it lasts."""

import json
import re
from dataclasses import replace

import pytest

import goodarm as ga
from cli.shell import run, run_on_terminal
from goodarm.cli.run_view import describe_progress, format_screen, show_progress
from goodarm.cli.show_view import ExperimentView
from goodarm.live import make_table_from_reports
from goodarm.live.remaining_pulls import forecast_pulls
from goodarm.results import ArmReport
from goodarm.runner.experiment_run import RunProgress
from runner.conftest import make_toml

REWARD = "command = 'test {arm} != bad'"


@pytest.fixture
def write(tmp_path):
    def write_file(arms=("fine", "bad"), reward=REWARD, **keys):
        path = tmp_path / "banners.toml"
        path.write_text(make_toml(arms, reward, **keys), encoding="utf-8")
        return path

    return write_file


def test_it_prints_the_table_of_check(invoke, write, tmp_path):
    result = invoke(["run", write()])
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0] == "2 arms at threshold 0.5: 1 good, 1 bad, 0 undecided."
    assert lines[2].split()[:4] == ["arm", "label", "pulls", "mean"]
    assert [line.split()[:2] for line in lines[4:6]] == [["bad", "bad"], ["fine", "good"]]
    (told,) = re.findall(
        r"^(\d+) pulls in all; in this run: \1 with a reward\.$", result.stdout, re.M
    )
    assert result.stderr == f"goodarm: 'banners' is kept in {tmp_path}/banners.db.\n"
    exp = ga.open_store(f"sqlite:///{tmp_path}/banners.db").experiment("banners")
    assert exp.pulls == int(told)
    assert sorted(path.name for path in tmp_path.iterdir() if "-" not in path.name) == [
        "banners.db",
        "banners.toml",
    ]


def test_a_run_that_is_done_is_shown_again(invoke, write, tmp_path):
    first, second = invoke(["run", write(), "-q"]), invoke(["run", write()])
    assert (first.exit_code, second.exit_code, first.stderr) == (1, 1, "")
    assert "; in this run: 0 with a reward." in second.stdout
    assert second.stderr == f"goodarm: 'banners', kept in {tmp_path}/banners.db, is done.\n"


def test_a_run_that_goes_on_says_so(invoke, write, tmp_path):
    exp = ga.open_store(f"sqlite:///{tmp_path}/banners.db").experiment(
        "banners", ga.Problem(["fine", "bad"], threshold=0.5, delta=0.05)
    )
    exp.tell(exp.ask(), 1)
    exp.tell(exp.ask(), 0)
    result = invoke(["run", write()])
    assert result.exit_code == 1
    place = f"{tmp_path}/banners.db"
    assert result.stderr == f"goodarm: continuing 'banners', kept in {place}, after 2 pulls.\n"


@pytest.mark.parametrize(
    ("arms", "keys", "options", "code"),
    [
        (["fine"], {}, [], 0),
        (["fine", "bad"], {}, [], 1),
        (["fine", "bad"], {}, ["--fail-on", "undecided"], 0),
        (["fine", "bad"], {"max_pulls": 2}, [], 3),
        (["fine", "bad"], {"max_pulls": 2}, ["--fail-on", "bad"], 0),
        (["fine", "bad"], {"max_pulls": 2}, ["--fail-on", "none"], 0),
    ],
)
def test_the_exit_code_is_a_gate(invoke, write, arms, keys, options, code):
    assert invoke(["run", write(arms, store="memory:", **keys), *options]).exit_code == code


def test_json_is_all_there_is(invoke, write):
    result = invoke(["run", write(seed=3, cases=20), "--json", "--quiet"])
    document = json.loads(result.stdout)
    assert result.stderr == ""
    assert (document["kind"], document["format"], document["name"]) == ("run", 1, "banners")
    assert (document["exit_code"], document["exit_reason"]) == (1, "1 of 2 arms is bad")
    assert document["this_run"] == {"told": document["pulls"], "lost": 0, "late": 0}
    assert [each["label"] for each in document["arms"]] == ["good", "bad"]
    assert (document["seed"], document["problem"]["pool"]) == (3, 20)
    assert (document["status"], document["out"]) == ("done", [])


def test_lost_and_late_pulls_are_told(invoke, write):
    reward = "command = 'sleep 600'\ntimeout = 0.02\non_timeout = 'lost'"
    result = invoke(["run", write(["a"], reward, max_pulls=3, store="memory:")])
    assert result.exit_code == 3
    assert (
        "3 pulls in all; in this run: 0 with a reward, 3 lost (3 of these timed out)."
        in result.stdout
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--jobs", "0"], "--jobs must be a whole number from 1 to 1000; got 0."),
        (["--worker", "a b"], "--worker must be 1 to 64 letters"),
        (["--fail-on", "x"], "--fail-on must be one of 'bad', 'undecided', 'none'"),
        (["--plot", "x.gif"], "must"),
    ],
)
def test_what_is_refused(invoke, write, tmp_path, options, message):
    result = invoke(["run", write(), *options])
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (tmp_path / "banners.db").exists()


def test_errors_of_the_file_and_of_rewards(invoke, write, tmp_path):
    result = invoke(["run", tmp_path / "no.toml"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "goodarm run --init" in result.stderr
    result = invoke(["run", write(delta=2)])
    assert result.exit_code == 2
    assert result.stderr.startswith("goodarm: banners.toml: The 'delta' must be a number")
    result = invoke(["run", write(reward="command = 'no-such-program'"), "-q"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("goodarm: Pull 1 of arm ")
    result = invoke(["run", write(), "-q"])
    assert result.exit_code == 1
    result = invoke(["run", write(threshold=0.6), "-q"])
    assert result.exit_code == 2
    assert "problem threshold 0.5, not 0.6" in result.stderr


def test_names_cannot_steer_the_terminal(invoke, write):
    result = invoke(["run", write(["\x1b[31mred\n", "[bold]x"], "command = 'exit 1'")])
    assert result.exit_code == 1
    assert "\x1b" not in result.output
    assert "\\x1b[31mred\\n" in result.stdout
    assert "[bold]x" in result.stdout


def test_a_picture(invoke, write, tmp_path):
    result = invoke(["run", write(), "-q", "--plot", tmp_path / "x.png"])
    assert result.stdout.endswith(f"Picture: {tmp_path}/x.png\n")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


def test_the_example_runs_as_it_is_written(invoke, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = invoke(["run", "--init"])
    assert result.stdout == "Wrote experiment.toml. Run it with: goodarm run experiment.toml\n"
    result = invoke(["run", "--jobs", "2"])
    assert result.exit_code in (1, 3)  # it throws real coins, and tin is bad
    assert "3 arms at threshold 0.6" in result.stdout
    again = invoke(["run", "--init"])
    assert again.exit_code == 2
    assert "already exists. It was not changed." in again.stderr


@pytest.mark.slow
def test_a_terminal_has_a_live_table(write):
    reward = "command = 'sleep 0.02; test {arm} != bad'"
    text, code = run_on_terminal(["run", write(["fine", "[x]", "bad"], reward)], 100, stderr=True)
    assert code == 1
    assert "Press Ctrl-C to stop; the same command continues." in text
    assert re.search(r"▸ (fine|\[x\]|bad)", text)
    assert "┃" in text
    last = text.rpartition("\x1b[2K")[2]
    assert "3 arms at threshold 0.5: 2 good, 1 bad, 0 undecided." in last
    assert "Ctrl-C" not in last


@pytest.mark.slow
def test_without_a_terminal_there_is_no_table(write, tmp_path):
    done = run(["run", write()])
    assert done.returncode == 1
    assert "\x1b" not in done.stdout + done.stderr
    assert done.stderr == f"goodarm: 'banners' is kept in {tmp_path}/banners.db.\n"


def report(arm, label="undecided", needed=None, mean=0.5, **more):
    return ArmReport(arm, 9, mean, 0.2, 0.8, 1.0, 1.0, label, None, needed, **more)


@pytest.mark.parametrize(
    ("reports", "keys", "expected"),
    [
        ([report("a", needed=5), report("b", needed=7)], {}, (12, True)),
        ([report("a", "good", 0), report("b", needed=7)], {}, (7, True)),
        ([report("a"), report("b", needed=7)], {}, (7, False)),
        ([report("a", needed=5), report("b", needed=9, reason="taken out")], {}, (5, True)),
        ([report("a", needed=5), report("b", needed=700)], {"max_pulls": 100}, (60, True)),
        ([report("a", needed=5), report("b")], {"max_pulls": 100}, (5, False)),
        ([report("a", needed=5, mean=0.6), report("b", needed=700)], {"until": 1}, (5, True)),
        ([report("a", needed=5, mean=0.1), report("b", needed=70, mean=0.1)], {"until": 1},
         (75, True)),
    ],
)  # fmt: skip
def test_the_pulls_still_expected(reports, keys, expected):
    problem = ga.Problem(["a", "b"], threshold=0.5, delta=0.05, **keys)
    table = make_table_from_reports(problem, ga.Identifier(problem).algorithm, reports)
    assert forecast_pulls(table, problem, 40) == expected


def read_view(count, pulls, **keys):
    problem = ga.Problem(count, threshold=0.5, delta=0.05, **keys)
    exp = ga.open_store("memory:").experiment("x", problem, seed=1)
    with exp.together():
        for _ in range(pulls):
            pull = exp.ask()
            exp.tell(pull, int(pull.arm) % 2)
    return exp, ExperimentView.of(exp)


@pytest.mark.parametrize("size", [(100, 30), (60, 12), (40, 6), (200, 60)])
def test_a_thousand_arms_fit_any_terminal(size):
    exp, seen = read_view(1000, 1200)
    pull = exp.ask()
    progress = RunProgress(1200, 0, 0, (pull,), 60.0, ())
    lines = format_screen(seen, progress, *size).plain.split("\n")
    assert len(lines) <= size[1]
    assert all(len(line) <= size[0] for line in lines)
    assert " ".join(lines).endswith("Press Ctrl-C to stop; the same command continues.")


def test_how_far_it_is_in_words():
    _, seen = read_view(2, 4)
    progress = RunProgress(4, 1, 2, (), 10.0, ())
    text = describe_progress(seen, progress)
    assert text.startswith("4 pulls; 0 good, 0 bad, 2 undecided; 2 timed out; 1 lost; ")
    assert re.search(r"; about \d+ more\.$", text)
    text = describe_progress(seen, progress._replace(told=100))
    assert re.search(r"; about \d+ more, \d s\.$", text)
    text = describe_progress(seen, progress._replace(waits_for=("other-1",)))
    assert text.endswith("; waiting for the pulls of other-1.")


def test_pulls_that_others_have_had_for_long():
    exp, _ = read_view(2, 4)
    pull = exp.ask(worker="gone-1")
    seen = ExperimentView.of(exp)
    progress = RunProgress(4, 0, 0, (), 10.0, ())
    assert "gone-1" not in describe_progress(seen, progress)
    (out,) = seen.out
    late = replace(seen, out=[out._replace(asked_at=out.asked_at - 200)])
    assert "; arms are waiting for 1 pull that gone-1 started 3 min ago;" in describe_progress(
        late, progress
    )
    assert "gone-1" not in describe_progress(late, progress._replace(under_way=(pull,)))


def test_lines_come_now_and_then(capsys):
    exp, _ = read_view(2, 4)
    with show_progress(exp, quiet=False) as watch:
        for seconds in (0, 5, 9, 11, 20, 40, 42, 75):
            watch(RunProgress(4, 0, 0, (), seconds, ()))
    assert len(capsys.readouterr().err.splitlines()) == 3
    with show_progress(exp, quiet=True) as watch:
        watch(RunProgress(4, 0, 0, (), 100, ()))
    assert capsys.readouterr().err == ""


def test_a_script_that_is_not_there_is_named(invoke, write):
    """Every pull fails then, which counts; but people want to know why."""
    reward = "command = ['{python}', 'nowhere.py', '{arm}']"
    result = invoke(["run", write(["a", "b"], reward), "-q"])
    assert result.exit_code == 1
    (said,) = result.stderr.splitlines()
    assert said.startswith("goodarm: The first 5 pulls of ")
    assert "all failed. The last one said: " in said
    assert "nowhere.py" in said


def test_a_failure_that_says_nothing_is_just_one(invoke, write):
    assert "all failed" not in invoke(["run", write()]).stderr
