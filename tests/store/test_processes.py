"""Several processes on one store: they start at once, and fork."""

import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.large
def test_the_tables_are_made_once_by_those_who_start_together(start, opener, url, tmp_path):
    workers = [start("make", url, tmp_path / "go") for _ in range(5)]
    all_ready(workers)
    (tmp_path / "go").touch()
    answers = [worker.communicate(timeout=120)[0] for worker in workers]
    assert [worker.returncode for worker in workers] == [0] * 5
    assert len(set(answers)) == 1
    assert [head.id for head in opener(url).heads()] == [answers[0].strip()]


def test_a_recorder_may_be_used_on_both_sides_of_a_fork(start, opener, url):
    worker = start("fork", url, "banners")
    assert worker.communicate(timeout=120)[0] == "done\n"
    assert worker.returncode == 0
    recorder = opener(url)
    found = [row.text for row in recorder.read(recorder.head("banners").id, 0)]
    sides = {f"{side} {turn}" for side in (True, False) for turn in range(20)}
    assert (found[0], set(found[1:]), len(found)) == ("before", sides, 41)
