"""Several processes on one store: they start, write and die at once."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from goodarm.store import Row

WORKER = Path(__file__).parent / "worker.py"

pytestmark = pytest.mark.slow


@pytest.fixture
def start():
    """Starts a worker, to be read line by line; ends those that are left."""
    running = []

    def start_one(*words):
        command = [sys.executable, str(WORKER), *map(str, words)]
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        return running[-1]

    yield start_one
    for worker in running:
        with worker:
            worker.kill()


def all_ready(workers):
    for worker in workers:
        assert worker.stdout.readline() == "ready\n"


def test_the_tables_are_made_once_by_those_who_start_together(start, opener, url, tmp_path):
    workers = [start("make", url, tmp_path / "go") for _ in range(8)]
    all_ready(workers)
    (tmp_path / "go").touch()
    answers = [worker.communicate(timeout=120)[0] for worker in workers]
    assert [worker.returncode for worker in workers] == [0] * 8
    assert len(set(answers)) == 1
    assert [head.id for head in opener(url).heads()] == [answers[0].strip()]


def test_eight_writers_leave_no_gap_and_no_double(start, opener, url, tmp_path):
    recorder = opener(url)
    head = recorder.create("banners", "{}")
    workers = [start("append", url, "banners", 200, 1, tmp_path / "go") for _ in range(8)]
    all_ready(workers)
    (tmp_path / "go").touch()
    answers = [worker.communicate(timeout=300)[0] for worker in workers]
    assert [worker.returncode for worker in workers] == [0] * 8
    found = list(recorder.read(head.id, 0))
    assert [row.number for row in found] == list(range(1, 1601))
    acknowledged = [tuple(line.split()) for answer in answers for line in answer.splitlines()]
    assert sorted(acknowledged) == sorted((row.text, str(row.number)) for row in found)
    assert len({row.key for row in found}) == 1600


def test_who_is_killed_leaves_whole_groups_and_all_that_was_acknowledged(
    start, opener, url, tmp_path
):
    recorder = opener(url)
    head = recorder.create("banners", "{}")
    (tmp_path / "go").touch()
    acknowledged = []
    for victim in range(4):
        workers = [start("append", url, "banners", 1_000_000, 5, tmp_path / "go") for _ in "ab"]
        all_ready(workers)
        for _ in range(3 + 5 * victim):
            acknowledged += [worker.stdout.readline().split() for worker in workers]
        for worker in workers:
            worker.send_signal(signal.SIGKILL)
        for worker in workers:
            # A line that was cut was not heard; what was heard must be there.
            heard = worker.stdout.read().splitlines(keepends=True)
            acknowledged += [line.split() for line in heard if line.endswith("\n")]
    found = list(recorder.read(head.id, 0))
    assert [row.number for row in found] == list(range(1, len(found) + 1))
    assert len(found) % 5 == 0
    for first in range(0, len(found), 5):
        group = found[first : first + 5]
        assert [row.key for row in group] == [f"{group[0].text}/{k}" for k in range(5)]
    kept = {row.text: str(row.number) for row in found}
    assert {mine: kept.get(mine) for mine, _ in acknowledged} == dict(acknowledged)
    assert len(kept) <= len(acknowledged) + 8  # at most one of each was under way
    recorder.append(head._replace(last=len(found)), [Row(len(found) + 1, "after", None, None)])


def test_a_recorder_may_be_used_on_both_sides_of_a_fork(start, opener, url):
    worker = start("fork", url, "banners")
    assert worker.communicate(timeout=120)[0] == "done\n"
    assert worker.returncode == 0
    recorder = opener(url)
    found = [row.text for row in recorder.read(recorder.head("banners").id, 0)]
    sides = {f"{side} {turn}" for side in (True, False) for turn in range(20)}
    assert (found[0], set(found[1:]), len(found)) == ("before", sides, 41)
