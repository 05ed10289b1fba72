"""Who makes the runs, and in what parts, changes nothing; Ctrl-C reaches them all."""

import os
import signal
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

import goodarm as ga
from goodarm import datasets
from goodarm.simulation import workers
from goodarm.simulation.workers import split_runs

PROBLEM = {"threshold": 0.5, "delta": 0.05, "algorithm": "hdoc", "seed": 5}


def simulate(runs=300, **changes):
    return ga.simulate([0.7, 0.6, 0.3, 0.2], runs=runs, **{**PROBLEM, **changes})


@pytest.fixture(scope="module")
def expected():
    return simulate()


class InTheCaller(Executor):
    """Does the work when it is handed over."""

    def submit(self, function, /, *arguments):
        future = Future()
        future.set_result(function(*arguments))
        return future


class Backwards(Executor):
    """Does nothing until all is handed over, and then the last first."""

    def __init__(self, count):
        self._count, self._held = count, []

    def submit(self, function, /, *arguments):
        future = Future()
        self._held.append((future, function, arguments))
        if len(self._held) == self._count:
            threading.Thread(target=self._work).start()
        return future

    def _work(self):
        while self._held:
            future, function, arguments = self._held.pop()
            future.set_result(function(*arguments))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_number_of_threads_changes_nothing(expected, threads):
    with ThreadPoolExecutor(threads) as executor:
        assert simulate(executor=executor) == expected


def test_the_executor_changes_nothing(expected):
    parts = len(list(split_runs(range(300), most=300)))
    for executor in (ProcessPoolExecutor(2), InTheCaller(), Backwards(parts)):
        with executor:
            assert simulate(executor=executor) == expected


@pytest.mark.parametrize("shares", [1, 2, 10**6])
def test_the_size_of_the_parts_changes_nothing(expected, monkeypatch, shares):
    monkeypatch.setattr(workers, "_PARTS_LEFT", shares)
    assert simulate() == expected


@pytest.mark.parametrize("count", [1, 127, 128, 129, 1000, 10**6])
def test_parts_shrink_to_a_single_run(count):
    parts = list(split_runs(range(count), most=count))
    sizes = [len(part) for part in parts]
    assert [parts[0][0], parts[-1][-1], sum(sizes)] == [0, count - 1, count]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1
    assert sizes[0] <= max(1, count // 128)
    assert len(parts) < 1500


@pytest.mark.parametrize("num_workers", [2, 16, 60])
def test_no_worker_waits_long_for_the_last(num_workers):
    """Runs that differ tenfold in length, dealt part by part to whoever is free."""
    lengths = [1 + 9 * (run * 7919 % 101 == 0) for run in range(20_000)]
    free_at = [0] * num_workers
    for part in split_runs(range(20_000), most=20_000):
        soonest = free_at.index(min(free_at))
        free_at[soonest] += sum(lengths[run] for run in part)
    assert max(free_at) - min(free_at) <= 2 * max(lengths)


def test_runs_are_told_and_kept_as_they_arrive_from_an_executor_in_the_caller(tmp_path):
    seen = []
    simulate(runs=5, executor=InTheCaller(), keep=tmp_path, progress=lambda *t: seen.append(t[:2]))
    assert seen[:5] == [(done, 5) for done in range(1, 6)]


def movielens(**changes):
    instance = datasets.load("movielens")
    return ga.simulate(
        instance.means,
        threshold=instance.threshold,
        delta=0.01,
        algorithm="hdoc",
        until=instance.until,
        **changes,
    )


@pytest.fixture
def heard_ctrl_c():
    """Hear Ctrl-C also where this process was started in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.speed
def test_ctrl_c_stops_the_largest_instance_within_a_second(heard_ctrl_c):
    movielens(runs=1, max_pulls=10_000)
    sent = []

    def interrupt():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.7, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        movielens(runs=50)
    assert time.perf_counter() - sent[0] < 1.0
    timer.join()
