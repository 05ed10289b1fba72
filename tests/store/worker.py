"""Processes that use a store, for tests that start some at once.

    worker.py make URL GO
    worker.py fork URL NAME

It says ``ready``, waits for the file GO, and prints what it has found. Copies of a warm process
(``fork_server.py``) do the rest, and print JSON.
"""

import json
import multiprocessing
import os
import signal
import sys
import time
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import goodarm as ga
from goodarm.errors import Moved
from goodarm.store import JournalRow, committer, open_recorder
from goodarm.store.faults import Point, listen_to_points
from store import killable_processes


def say(*words):
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def wait_for(go):
    say("ready")
    deadline = time.monotonic() + 120
    while not Path(go).exists():
        if time.monotonic() > deadline:
            raise SystemExit("nobody said go")
        time.sleep(0.001)


def make(url, go):
    """Opens the store, whose tables are not there yet, and leaves a row."""
    import goodarm.store.sql  # noqa: F401 (before the race, not in it)

    wait_for(go)
    recorder = open_recorder(url)
    say(recorder.create("banners", "{}").id)
    recorder.close()


def fork(url, name):
    """Forks with an open recorder that was used; both processes go on with it."""
    recorder = open_recorder(url)
    head = recorder.create(name, "{}")
    recorder.append(head, [JournalRow(1, "before", None, None)])
    child = os.fork()
    for turn in range(20):
        while True:
            head = recorder.head(name)
            try:
                recorder.append(
                    head, [JournalRow(head.last + 1, f"{child == 0} {turn}", None, None)]
                )
            except Moved:
                continue
            break
    recorder.close()
    if child:
        assert os.waitpid(child, 0)[1] == 0
        say("done")


def tell():
    """Let two copies of this process tell every other pull that is out; if eager, as if alone."""
    _, url, eager = sys.argv
    if eager == "True":
        committer.MIN_TURNS_ALONE = committer.MAX_TURNS_ALONE = 0
    both_are_here = multiprocessing.Barrier(2)

    def tell_part(part):
        exp = ga.open_store(url).experiment("coins")
        mine = exp.waiting[part::2]
        both_are_here.wait(60)
        for pull in mine:
            exp.tell(pull, pull.number % 2)

    children = [killable_processes.fork(partial(tell_part, part)) for part in range(2)]
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
    say(json.dumps("done"))


def stop():
    """Stop in the middle of telling a reward, and say what came of it."""
    _, url, wait = sys.argv
    exp = ga.open_store(url, wait=float(wait)).experiment("coins")
    pull = exp.ask()

    def stop_in_turn(point):
        if point is Point.APPEND_WRITTEN:
            os.kill(os.getpid(), signal.SIGSTOP)

    try:
        with listen_to_points(stop_in_turn):
            exp.tell(pull, 1)
    except ga.errors.GoodArmError as error:
        exp.tell(pull, 1)
        say(json.dumps(type(error).__name__))
    else:
        say(json.dumps("told"))


if __name__ == "__main__":
    {"make": make, "fork": fork}[sys.argv[1]](*sys.argv[2:])
