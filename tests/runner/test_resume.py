"""A run that was interrupted or killed goes on: nothing that was told is lost, or counts twice."""

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from types import SimpleNamespace

import pytest

import goodarm as ga
from cli.shell import CommandProcess, make_environment
from runner.conftest import make_toml
from runner.test_command_source import read_numbers, wait_until_gone

pytestmark = pytest.mark.slow

# Each pull writes down that it was made, and its process, before it ends.
COMMAND = "echo {pull} >> made; echo $$ >> pids; {wait}test {arm} != bad"
FUNCTION = """
import os, time

def pull(arm):
    for name, text in (("made", os.environ["GOODARM_PULL"]), ("pids", os.getpid())):
        with open(name, "a") as file:
            file.write(f"{text}\\n")
    time.sleep(0.01)
    return arm != "bad"
"""


@pytest.fixture
def place(tmp_path):
    """A folder with an experiment, and what is known of it from outside."""
    text = {
        "command": f"command = {json.dumps(COMMAND.replace('{wait}', 'sleep 0.01; '))}",
        "function": "function = 'mine:pull'",
    }
    (tmp_path / "mine.py").write_text(FUNCTION, encoding="utf-8")

    def write(kind, reward=None):
        path, arms = tmp_path / "x.toml", ["good", "bad", "fair"]
        path.write_text(make_toml(arms, reward or text[kind], threshold=0.7), encoding="utf-8")

    def start(*options):
        return subprocess.Popen(
            [sys.executable, "-m", "goodarm", "run", "x.toml", *map(str, options)],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=make_environment(),
        )

    def start_copy(*options):
        """To be killed: that takes no signal that a copy could have heard."""
        return CommandProcess(["run", "x.toml", *options], tmp_path)

    def experiment():
        return ga.open_store(f"sqlite:///{tmp_path}/x.db").experiment("x")

    return SimpleNamespace(
        folder=tmp_path, write=write, start=start, start_copy=start_copy, experiment=experiment
    )


def list_made(place):
    path = place.folder / "made"
    return read_numbers(path) if path.exists() else []


def end_after(place, process, more, number):
    """Send a signal once ``more`` further pulls were begun."""
    goal, deadline = len(list_made(place)) + more, time.monotonic() + 100
    try:
        while len(list_made(place)) < goal and time.monotonic() < deadline:
            assert process.poll() is None, process.communicate()
            time.sleep(0.002)
        process.send_signal(number)
        output = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert len(list_made(place)) >= goal
    return output


def list_told(exp):
    """Each reward that the journal has, by its pull; none may be there twice."""
    pairs = [
        pair
        for each in exp.journal()
        if each["kind"] == "told"
        for pair in zip(each["pulls"], each["rewards"], strict=True)
    ]
    assert len(pairs) == len(dict(pairs))
    return dict(pairs)


@pytest.mark.parametrize(
    ("kind", "number"),
    [
        pytest.param("command", signal.SIGKILL, id="kill"),
        pytest.param("function", signal.SIGKILL, id="kill a function", marks=pytest.mark.large),
        pytest.param("command", signal.SIGINT, id="ctrl-c", marks=pytest.mark.large),
        pytest.param("function", signal.SIGINT, id="ctrl-c in a function", marks=pytest.mark.large),
    ],
)
def test_it_goes_on(place, kind, number):
    place.write(kind)
    start = place.start_copy if number == signal.SIGKILL else place.start
    before, redone = {}, 0
    for more, jobs in ((1, 3), (9, 4)):
        output, errors = end_after(place, start("--jobs", jobs, "-q"), more, number)
        assert output == ""
        exp = place.experiment()
        now = list_told(exp)
        assert before.items() <= now.items()
        before, redone = now, redone + jobs
        exp.verify()
        if number == signal.SIGINT:
            assert errors.startswith("goodarm: interrupted")
            assert errors.endswith(". The same command continues.\n")
            assert all(map(wait_until_gone, read_numbers(place.folder / "pids")))
        else:
            assert errors == ""
    process = start("--jobs", 1, "-q", "--json")
    output, errors = process.communicate(timeout=100)
    document = json.loads(output)
    assert (process.returncode, document["exit_code"], errors) == (1, 1, "")
    exp = place.experiment()
    now = list_told(exp)
    assert before.items() <= now.items()
    assert document["this_run"]["told"] == len(now) - len(before)
    assert {each["arm"]: each["label"] for each in document["arms"]} == {
        "good": "good",
        "bad": "bad",
        "fair": "good",
    }
    assert exp.verify().rewards == exp.pulls
    times = Counter(list_made(place))
    assert set(now) <= set(times)
    # What was made more than once was under way when the run ended: one pull of each job at most.
    again = sum(times.values()) - len(times)
    assert again <= redone
    left = {out.pull.number for out in exp.out}
    assert set(times) == set(now) | (left & set(times))
    for pull, reward in now.items():
        assert reward in (0.0, 1.0), pull


def test_ctrl_c_ends_what_is_under_way_and_says_what_was_kept(place):
    slow = "command = 'echo {pull} >> made; echo $$ >> pids; test {pull} -lt 4 || sleep 600'"
    place.write("command", slow)
    output, errors = end_after(place, place.start(), 4, signal.SIGINT)
    assert output == ""
    first, last = errors.splitlines()
    assert first == f"goodarm: 'x' is kept in {place.folder}/x.db."
    kept = f"3 pulls are kept in {place.folder}/x.db. The same command continues."
    assert last == f"goodarm: interrupted; {kept}"
    assert all(map(wait_until_gone, read_numbers(place.folder / "pids")))
    assert list(place.folder.glob("*.lock")) == []


def test_a_polite_request_to_end_leaves_nothing_behind_either(place):
    slow = "command = 'echo {pull} >> made; echo $$ >> pids; sleep 600'"
    place.write("command", slow)
    process = place.start("--jobs", 2, "-q")
    end_after(place, process, 2, signal.SIGTERM)
    assert process.returncode == 143
    assert all(map(wait_until_gone, read_numbers(place.folder / "pids")))
    assert place.experiment().pulls == 0


@pytest.mark.large
def test_a_second_run_beside_the_first(place):
    place.write("command", "command = 'echo {pull} >> made; sleep 600'")
    first = place.start("-q")
    try:
        deadline = time.monotonic() + 100
        while not list_made(place) and time.monotonic() < deadline:
            time.sleep(0.01)
        second = place.start("-q")
        _, errors = second.communicate(timeout=60)
        assert second.returncode == 2
        assert "is already being run by worker 'local'" in errors
        beside = place.start("--worker", "beside")
        _, errors = end_after(place, beside, 1, signal.SIGINT)
        assert "goodarm: waiting for 1 pull in progress with local." in errors
        assert len(set(list_made(place))) == 2
    finally:
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=60)
