"""One worker after the other does all that can be done to a store, and dies at a named point.

    points.py URL [MOST]

After each death the store opens and verifies. Then the same requests are made again under the same
keys, and the store holds what it would hold if nobody had died.
"""

import json
import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import goodarm as ga
from goodarm.store import faults, open_recorder
from goodarm.store.faults import Point
from goodarm.store.tables import METADATA
from store.killable_processes import fork, killing, warm_up

PROBLEM = ga.Problem(["a", "b"], threshold=0.5, delta=0.05, arms_planned=3)


def live(url):
    """All that can be done; every request may be made again."""
    with ga.open_store(url) as store:
        exp = store.experiment("kept", PROBLEM, seed=1)
        pulls = exp.ask_many(4, "ann", 60, key="ask")
        exp.tell_many(pulls[:3], [1, 0, 1], key="tell")
        exp.forget(pulls[3], key="forget")
        exp.observe("a", [1] * 40, key="observe")
        exp.add_arm("c", key="add")
        head = store._recorder.create("other", "{}", is_chained=False)
        store._recorder.save_snapshot(head.id, 0, b"state")
        store.upgrade()
        store.delete("other")


def found(url):
    """What a store holds, apart from times."""
    with ga.open_store(url) as store:
        exp = store.experiment("kept")
        exp.verify()
        journal = [{**entry, "at": 0, "until": 0} for entry in exp.journal()]
        return journal, exp.table(), store.experiments()


def look(url):
    """The store as a crash has left it: what there is of it verifies."""
    with ga.open_store(url) as store:
        for kept in store.experiments():
            if kept.name == "kept":
                store.experiment("kept").verify()
            else:
                head = store._recorder.head(kept.name)
                assert store._recorder.load_snapshot(head.id) in (None, (0, b"state"))


def take_away(url):
    """The tables, so that the next one makes them anew."""
    recorder = open_recorder(url)
    METADATA.drop_all(recorder.database.writer)
    recorder.close()


def run(url, most=100):
    """How often a worker died at each point, at most so often, and what was wrong then."""
    live(url)
    expected = found(url)
    take_away(url)
    deaths, wrong = {}, []
    for point in Point:
        deaths[point.name] = 0
        while deaths[point.name] < most and _dies(url, point, deaths[point.name] + 1):
            deaths[point.name] += 1
            try:
                look(url)
                live(url)
                if found(url) != expected:
                    wrong.append(f"{point.name}: {found(url)[0]} is not {expected[0]}")
            except ga.errors.GoodArmError as error:
                wrong.append(f"{point.name}: {error}")
            take_away(url)
        take_away(url)
    return {"deaths": deaths, "wrong": wrong}


def _dies(url, point, nth):
    """Whether a worker reaches the point for the n-th time, and dies there."""

    def work():
        with faults.listen_to_points(killing(point, nth)):
            live(url)

    _, status = os.waitpid(fork(work), 0)
    if status and os.WTERMSIG(status) != signal.SIGKILL:
        raise SystemExit(f"A worker ended with {status} on its way to {point.name}.")
    return status != 0


def main():
    warm_up()
    sys.stdout.write(json.dumps(run(sys.argv[1], *map(int, sys.argv[2:]))) + "\n")


if __name__ == "__main__":
    main()
