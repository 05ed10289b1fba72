"""Runs side by side: they count in the order in which they were begun, whichever ends first."""

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import goodarm as ga

DEADLINE = 60


class Race:
    """Runs with outcomes in a fixed order, of which those with one outcome take longer."""

    def __init__(self, outcomes, slow=None):
        self.outcomes, self.slow = outcomes, slow
        self.begun, self.ended = 0, []

    async def __call__(self):
        number, self.begun = self.begun, self.begun + 1
        outcome = self.outcomes[number]
        if outcome is self.slow:
            for _ in range(20):  # rounds of the event loop, in which the quick ones end
                await asyncio.sleep(0)
        self.ended.append(number)
        if outcome is None:
            raise OSError("down")
        return outcome


@pytest.mark.parametrize("slow", [True, False])
@pytest.mark.parametrize("jobs", [2, 5, 16])
@pytest.mark.parametrize("rate", [0.97, 0.8, 0.6])
def test_slow_runs_change_nothing(rate, jobs, slow):
    """Counted as they end, quick failures would come first, or quick passes."""
    is_mixed = []
    for seed in range(4):
        outcomes = (np.random.default_rng(seed).random(400) < rate).tolist()
        race = Race(outcomes, slow)
        result = ga.prove(race, threshold=0.9, jobs=jobs)
        assert result == ga.prove(Race(outcomes), threshold=0.9)
        assert result.pulls <= race.begun < result.pulls + 3 * jobs
        is_mixed.append(race.ended != sorted(race.ended))
    assert any(is_mixed)


def test_no_more_than_so_many_at_once():
    now = most = 0

    async def run_once():
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0)
        now -= 1
        return True

    for jobs in (1, 2, 7):
        most = 0
        ga.prove(run_once, threshold=0.9, jobs=jobs)
        assert most == jobs


def test_threads_run_side_by_side():
    """Two runs that wait for each other can both end only if they are under way together."""
    barrier = threading.Barrier(2, timeout=DEADLINE)

    def run_once():
        barrier.wait()
        return True

    result = ga.prove(run_once, threshold=0.5, jobs=2, max_runs=10)
    assert (result.pulls, result.passes) == (9, 9)


@pytest.mark.parametrize("jobs", [1, 2, 3, 8])
def test_limits_hold_with_jobs(jobs):
    calls = []
    result = ga.prove(lambda: bool(calls.append(1)), threshold=0.1, jobs=jobs, max_runs=7)
    assert (result.pulls, len(calls), result.label) == (7, 7, "undecided")


@pytest.mark.parametrize("jobs", [2, 4])
def test_an_error_is_raised_when_those_beside_it_have_ended(jobs):
    outcomes = [True] * 9 + [None] + [True] * 90
    race = Race(outcomes, True)
    with pytest.raises(OSError, match="down") as raised:
        ga.prove(race, threshold=0.9, jobs=jobs)
    so_far = raised.value.so_far
    assert so_far.lost == 1
    assert so_far.pulls == race.begun == len(race.ended)
    assert so_far.passes == so_far.pulls - 1


def test_of_several_errors_the_first_that_was_begun_is_raised():
    begun = iter(range(100))

    async def run_once():
        number = next(begun)
        for _ in range(20 - 5 * number):
            await asyncio.sleep(0)
        if number in (1, 2):
            raise ValueError(f"run {number}")
        return True

    with pytest.raises(ValueError, match="run 1") as raised:
        ga.prove(run_once, threshold=0.9, jobs=4)
    assert raised.value.so_far.lost == 2


def test_an_error_after_the_label_is_none():
    """In turn that run would never have been begun."""
    outcomes = [False] * 5 + [None] * 50
    in_turn = ga.prove(Race(outcomes), threshold=0.9)
    assert in_turn.label == "bad"
    assert ga.prove(Race(outcomes, False), threshold=0.9, jobs=8) == in_turn


@pytest.mark.parametrize("jobs", [2, 3])
def test_an_iterator_that_ends_comes_out_as_it_is(jobs):
    throws = iter([True] * 5)
    with pytest.raises(StopIteration) as raised:
        ga.prove(lambda: next(throws), threshold=0.9, jobs=jobs)
    assert raised.value.so_far.passes == 5


def test_a_task_that_was_cancelled_is_an_error():
    async def run_once():
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError) as raised:
        ga.prove(run_once, threshold=0.9, jobs=2)
    assert raised.value.so_far.passes == 0


def test_progress_grows():
    seen = []
    race = Race((np.random.default_rng(1).random(400) < 0.8).tolist(), True)
    result = ga.prove(
        race, threshold=0.9, jobs=4, progress=lambda runs, passes, most: seen.append((runs, passes))
    )
    assert seen == sorted(set(seen))
    assert seen[-1] == (result.pulls, result.passes)


INTERRUPTED = """
    import asyncio, os, signal
    import goodarm as ga

    def stop():
        global calls
        calls += 1
        if calls == 8:
            os.kill(os.getpid(), signal.SIGINT)

    def function():
        stop()
        return True

    async def coroutine():
        stop()
        await asyncio.sleep(0)
        return True

    for each in (function, coroutine):
        for jobs in (1, 3):
            calls = 0
            try:
                ga.prove(each, threshold=0.9999, max_runs=None, jobs=jobs)
            except KeyboardInterrupt as error:
                so_far = error.so_far
                assert so_far.failures == 0
                assert so_far.pulls - so_far.passes == so_far.lost <= jobs
                print(each.__name__, jobs, so_far.pulls >= 7)
"""


@pytest.mark.slow
def test_ctrl_c_has_what_was_counted():
    """Of functions and coroutines, one by one and side by side, in one process."""
    script = textwrap.dedent(INTERRUPTED)
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=False
    )
    stopped = [f"{each} {jobs} True" for each in ("function", "coroutine") for jobs in (1, 3)]
    assert ended.stdout.splitlines() == stopped, ended.stderr


def test_ctrl_c_in_a_notebook_makes_no_more_runs():
    """The loop that runs is not ours, and the one that makes the runs has a thread of its own."""
    calls = 0

    async def run_once():
        nonlocal calls
        calls += 1
        if calls == 8:
            os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0)
        return True

    async def notebook():
        signal.signal(signal.SIGINT, signal.default_int_handler)  # as a kernel has it
        with pytest.raises(KeyboardInterrupt) as raised:
            ga.prove(run_once, threshold=0.9999, max_runs=None, jobs=2)
        return raised.value.so_far

    before = signal.getsignal(signal.SIGINT)
    try:
        so_far = asyncio.run(notebook())
    finally:
        signal.signal(signal.SIGINT, before)
    assert so_far.passes >= 6
    assert so_far.label == "undecided"  # it would be good in the end
    assert calls <= so_far.pulls
