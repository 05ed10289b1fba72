"""Rewards by commands: exit codes, numbers, timeouts, and what is no reward at all."""

import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from goodarm.errors import RewardError

SLEEPS = "{python} -c 'import time; time.sleep(600)'"


def read_numbers(path):
    return [int(line) for line in path.read_text(encoding="utf-8").split()]


def is_running(pid):
    """Whether a process is there and no mere entry that its parent has not looked at."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until_gone(pid):
    deadline = time.monotonic() + 20
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not is_running(pid)


@pytest.mark.parametrize("command", ['"test {arm} = a"', '["test", "{arm}", "=", "a"]'])
def test_the_exit_code_is_the_reward(run, command):
    done = run(["a", "b"], f"command = {command}")
    assert (done.verdict.good, done.verdict.bad) == (["a"], ["b"])
    assert done.progress.told == done.verdict.pulls
    assert {each["kind"] for each in done.exp.journal()} == {"asked", "told"}


@pytest.mark.parametrize("code", [1, 2, 77, 126, 127, 139])
def test_any_other_code_of_a_program_is_0(run, code):
    """126 and 127 are the shell's; a program of a list may use them as it likes."""
    done = run(["a"], f'command = ["{sys.executable}", "-S", "-c", "exit({code})"]', max_pulls=2)
    assert done.exp.explain("a").mean == 0.0


def test_a_program_that_crashes_has_failed(run):
    done = run(["a"], "command = 'kill -SEGV $$'", max_pulls=2)
    assert done.exp.explain("a").mean == 0.0


def test_the_number_on_the_last_line(run):
    reward = "command = 'echo 3; echo; echo \" 7.5 \"; echo; echo 9 >&2'"
    done = run(["a"], reward, rewards="bounded", low=0, high=10, threshold=5, max_pulls=3)
    assert done.exp.explain("a").mean == 7.5


def test_what_a_command_finds_around_it(run, tmp_path):
    reward = """
        command = "env > seen; pwd > where; cat > input"
        env = {MINE = "x $y 'z'", PATH_OF = "nowhere"}
    """
    (tmp_path / "cases.txt").write_text("first case\n", encoding="utf-8")
    run(["a b"], reward, cases="cases.txt", max_pulls=1)
    seen = dict(
        line.split("=", 1) for line in (tmp_path / "seen").read_text().splitlines() if "=" in line
    )
    assert seen["MINE"] == "x $y 'z'"
    names = ("GOODARM_ARM", "GOODARM_CASE", "GOODARM_CASE_NUMBER", "GOODARM_PULL")
    assert [seen[name] for name in names] == ["a b", "first case", "0", "1"]
    assert seen["HOME"] == os.environ["HOME"]
    assert (tmp_path / "where").read_text().strip() == str(tmp_path)
    assert (tmp_path / "input").read_text() == ""


@pytest.mark.parametrize(
    ("reward", "message"),
    [
        ("command = 'no-such-program'", "a program of it was not found (exit code 127); it said:"),
        ("command = 'touch x; ./x'", "could not be run (exit code 126); it said:"),
        ("command = ['no-such-program']", "the command could not be started: [Errno 2] No such"),
        ("command = ['/']", "the command could not be started: [Errno 13] Permission denied"),
        ("command = 'kill -TERM $$'", "it was ended from outside, by SIGTERM"),
        ("command = 'sh -c \"kill -INT \\$\\$\"; exit $?'", "it was ended from outside, by SIGINT"),
        ("result = 'number'\ncommand = 'echo no >&2; exit 3'", "with exit code 3; it said: no"),
        ("result = 'number'\ncommand = 'kill -SEGV $$'", "it ended with SIGSEGV"),
        ("result = 'number'\ncommand = 'true'", "must be a number; got nothing"),
        ("result = 'number'\ncommand = 'echo fine'", "must be a number; got 'fine'"),
        ("result = 'number'\ncommand = 'echo nan'", "must be a number; got 'nan'"),
        ("result = 'number'\ncommand = 'echo 1_0'", "must be a number; got '1_0'"),
        ("result = 'number'\ncommand = 'echo .5'", "must be 0 or 1 for arm 'a'; got 0.5"),
    ],
)
def test_what_ends_a_run(run, reward, message, tmp_path):
    with pytest.raises(RewardError) as ended:
        run(["a"], reward, store="sqlite:///x.db", max_pulls=1)
    assert str(ended.value).startswith("Pull 1 of arm 'a' gave no reward: ")
    assert message in str(ended.value)
    assert str(ended.value).endswith("run the same command to continue.")
    done = run(["a"], "command = 'true'", store="sqlite:///x.db", max_pulls=1)
    assert [each["kind"] for each in done.exp.journal()] == ["asked", "told"]


def test_what_does_not_if_the_file_says_so(run):
    number = "result = 'number'\ncommand = 'exit 3'\n"
    done = run(["a"], f"{number}on_error = 'failure'", max_pulls=3)
    assert (done.exp.explain("a").mean, done.progress.told) == (0.0, 3)
    done = run(["a"], f"{number}on_error = 'lost'", max_pulls=3)
    assert (done.exp.explain("a").mean, done.progress.lost) == (None, 3)
    assert [each["kind"] for each in done.exp.journal()] == ["asked", "forgotten"] * 3
    rewards = {"rewards": "bounded", "low": -4, "high": 4}
    done = run(["a"], "command = 'exit 3'\non_error = 'failure'", max_pulls=3, **rewards)
    assert done.exp.explain("a").mean == -4.0


@pytest.mark.parametrize("setting", ["failure", "lost"])
def test_a_program_that_is_not_there_ends_it_whatever_the_file_says(run, setting):
    with pytest.raises(RewardError, match="was not found"):
        run(["a"], f"command = 'no-such-program'\non_error = '{setting}'", max_pulls=3)


@pytest.mark.parametrize(
    ("setting", "kinds"), [("failure", ["asked", "told"]), ("lost", ["asked", "forgotten"])]
)
def test_a_timeout_ends_the_command_and_all_that_it_has_started(run, tmp_path, setting, kinds):
    (tmp_path / "sleeps.py").write_text(
        "import os, time, signal\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "open('pids', 'a').write(f'{os.getpid()}\\n')\n"
        "time.sleep(600)\n",
        encoding="utf-8",
    )
    command = json.dumps("echo $$ >> pids; {python} -S sleeps.py & {python} -S sleeps.py")
    reward = f"command = {command}\ntimeout = 2\non_timeout = '{setting}'"
    done = run(["a"], reward, max_pulls=1)
    assert [each["kind"] for each in done.exp.journal()] == kinds
    assert done.progress.late == 1
    pids = read_numbers(tmp_path / "pids")
    assert len(pids) == 3
    assert all(map(wait_until_gone, pids))


def test_what_a_command_leaves_running_is_ended_with_it(run, tmp_path):
    """Nor does anybody wait for it, though it holds the output open."""
    number = "result = 'number'\ncommand = 'sleep 600 & echo $! > pid; echo 1'"
    start = time.monotonic()
    done = run(["a"], number, max_pulls=1)
    assert time.monotonic() - start < 300
    assert done.exp.explain("a").mean == 1.0
    assert wait_until_gone(*read_numbers(tmp_path / "pid"))


def test_a_timeout_that_is_not_reached_changes_nothing(run):
    done = run(["a"], "command = 'true'\ntimeout = 100", max_pulls=5)
    assert (done.exp.explain("a").mean, done.progress.late) == (1.0, 0)


def test_too_many_lost_pulls_end_a_run(run):
    reward = "result = 'number'\ncommand = 'exit 1'\non_error = 'lost'\nloss_is_independent = true"
    with pytest.raises(RewardError, match="The last 100 pulls were all lost"):
        run(["a"], reward)


def test_the_signals_that_mean_an_end_from_outside_exist():
    from goodarm.runner.command_source import _OUTSIDE_SIGNALS

    assert all(hasattr(signal, name) for name in _OUTSIDE_SIGNALS)
