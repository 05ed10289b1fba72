"""Simulation: the same runs whoever computes them, and arguments that are checked."""

import math
import os
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import goodarm as ga
from helpers import NAMED, run_compiled

MEANS = [0.7, 0.6, 0.3, 0.2]


def simulate(**changes):
    arguments = {"threshold": 0.5, "delta": 0.05, "algorithm": "hdoc", "runs": 12, "seed": 5}
    return ga.simulate(**{"means": MEANS, **arguments, **changes})


def test_runs_have_the_shapes_and_meanings_they_promise():
    runs = simulate()
    assert runs.tau.shape == runs.pulls.shape == runs.labels.shape == (12, 4)
    assert runs.stop.shape == runs.wrong.shape == (12,)
    assert runs.labels.dtype == np.int8
    assert (runs.stop == runs.pulls.sum(axis=1)).all()
    assert (runs.labels == [1, 1, -1, -1]).all()
    assert not runs.wrong.any()
    assert (np.isnan(runs.tau).sum(axis=1) == 2).all()
    assert (runs.tau[:, 0] < runs.tau[:, 1]).all()
    assert (runs.tau[:, 1] <= runs.stop).all()
    assert runs.engine == "fast"
    assert simulate(engine="reference").engine == "reference"
    assert simulate(rewards="bounded").engine == "fast"
    assert len(runs) == 12


@pytest.mark.parametrize("name", NAMED)
def test_each_run_is_the_run_of_the_loop(name):
    runs = simulate(algorithm=name, runs=3)
    algorithm = ga.algorithms()[name].algorithm
    for run in range(3):
        expected = run_compiled(runs.problem, algorithm, MEANS, seed=5, run=run)
        assert runs.stop[run] == len(expected.pulled)
        assert runs.labels[run].tolist() == expected.labels
        assert runs.pulls[run].tolist() == np.bincount(expected.pulled, minlength=4).tolist()
        assert runs.tau[run][~np.isnan(runs.tau[run])].tolist() == expected.tau


def test_fewer_runs_are_the_first_of_more():
    many, few = simulate(runs=40), simulate(runs=7)
    assert (many.stop[:7] == few.stop).all()
    assert (many.pulls[:7] == few.pulls).all()


def test_seeds_differ_and_none_is_recorded():
    assert simulate() == simulate()
    assert simulate(seed=6) != simulate()
    drawn = simulate(seed=None)
    assert simulate(seed=drawn.seed) == drawn


def test_a_run_does_not_depend_on_the_length_of_a_step(monkeypatch):
    expected = simulate(algorithm="lil-hdoc")
    monkeypatch.setattr("goodarm.simulation.engine._STEP_COST", 200)
    assert simulate(algorithm="lil-hdoc") == expected


def test_limits():
    assert (simulate(max_pulls=100).stop == 100).all()
    assert (simulate(max_pulls=20).labels == 0).all()
    until = simulate(until=1)
    assert ((until.labels == 1).sum(axis=1) == 1).all()
    assert (until.tau[:, 0] == until.stop).all()
    in_warmup = simulate(algorithm="lil-hdoc", max_pulls=1000)
    assert (in_warmup.stop == 1000).all()
    assert (in_warmup.pulls[:, 0] == 1000).all()


def test_progress_is_told():
    seen = []
    runs = simulate(progress=lambda *told: seen.append(told))
    assert seen[-1] == (12, 12, runs.stop.sum())
    finished = [told[0] for told in seen]
    assert finished == sorted(finished)


def test_means_may_name_the_arms():
    named = simulate(means={"x": 0.7, "y": 0.6, "z": 0.3, 9: 0.2})
    assert named.problem.arms == ("x", "y", "z", 9)
    assert (named.stop == simulate().stop).all()
    assert simulate(means=np.array(MEANS)) == simulate(means=tuple(MEANS))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"means": [0.5, 1.1]}, r"'means' of simulate must lie in \[0, 1\].*got 1.1"),
        ({"means": [-0.1, 0.5]}, r"'means' of simulate must lie in \[0, 1\]"),
        ({"means": [0.1, math.nan]}, "'means' of simulate must be a finite number"),
        ({"means": [0.1, "two"]}, "'means' of simulate must be a finite number"),
        ({"means": []}, "'means' of simulate must have at least one arm"),
        ({"means": {}}, "'means' of simulate must have at least one arm"),
        ({"means": "0.1"}, "'means' of simulate must be a list"),
        ({"means": 0.1}, "'means' of simulate must be a list"),
        ({"means": [6], "rewards": "bounded", "low": 0, "high": 5, "threshold": 2}, r"\[0, 5\]"),
        ({"delta": 0}, "'delta' of simulate"),
        ({"threshold": 1.2}, "'threshold' of simulate"),
        ({"algorithm": "hdocs"}, "'algorithm' of simulate must be one of.*mean 'hdoc'"),
        ({"algorithm": 7}, "'algorithm' of simulate must be one of"),
        ({"runs": 0}, "'runs' of simulate must be a whole number"),
        ({"seed": -1}, "'seed' of simulate must be a whole number"),
        ({"seed": 2**64}, "'seed' of simulate must be a whole number"),
        ({"engine": "fats"}, "'engine' of simulate must be one of"),
        ({"progress": 5}, "'progress' of simulate must be a function"),
        ({"means": {0.1, 0.2}}, "'means' of simulate must be a list"),
        ({"means": np.array(0.5)}, "'means' of simulate must be a list"),
        ({"means": [10**400]}, "'means' of simulate must be a finite number"),
        ({"executor": "threads"}, "'executor' of simulate must be a concurrent.futures.Executor"),
        ({"means": [0.3], "algorithm": "lil-hdoc"}, "single arm"),
    ],
)
def test_bad_arguments(changes, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        simulate(**changes)


def test_means_may_be_a_generator():
    assert simulate(means=(mean for mean in MEANS)) == simulate()


@pytest.mark.speed
def test_ctrl_c_while_tasks_are_handed_out_stops_the_runs(monkeypatch):
    submit = ThreadPoolExecutor.submit
    calls = []

    def interrupted(self, *arguments):
        calls.append(arguments)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return submit(self, *arguments)

    monkeypatch.setattr(ThreadPoolExecutor, "submit", interrupted)
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        simulate(means=[0.5001, 0.4999] * 20, runs=8, max_pulls=10**12)
    assert time.perf_counter() - start < 1.0


def test_a_simulation_that_would_never_end_is_refused():
    with pytest.raises(
        ga.errors.SpecError, match="never end: arm 1 has its mean on the threshold 0.5"
    ):
        simulate(means=[0.9, 0.5])
    with pytest.raises(ga.errors.SpecError, match="until of at most 1"):
        simulate(means=[0.9, 0.5], until=2)
    with pytest.raises(ga.errors.SpecError, match="Give a margin or a max_pulls.$"):
        simulate(means=[0.5, 0.5])
    with pytest.raises(ga.errors.SpecError, match="may never leave that arm"):
        simulate(means=[0.9, 0.5], until=1, algorithm="apt-g")
    for way_out in ({"margin": 0.1}, {"until": 1}, {"max_pulls": 500}):
        simulate(means=[0.9, 0.5], **way_out)


def test_an_error_in_a_worker_reaches_the_caller(monkeypatch):
    def broken(*_):
        raise ZeroDivisionError

    monkeypatch.setattr("goodarm.simulation.workers.simulate_task", broken)
    with pytest.raises(ZeroDivisionError):
        simulate()


@pytest.mark.speed
@pytest.mark.parametrize("num_arms", [6, 2000])
def test_ctrl_c_stops_within_a_second(num_arms):
    script = f"""
        import goodarm as ga
        means = [0.5001, 0.4999] * ({num_arms} // 2)
        ga.simulate(means, threshold=0.5, delta=0.01, algorithm="hdoc", runs=2, max_pulls=10)
        def progress(*_):
            print("going", flush=True)
        ga.simulate(means, threshold=0.5, delta=0.01, algorithm="hdoc", runs=8, progress=progress)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
    )
    try:
        assert process.stdout.readline() == "going\n"
        time.sleep(0.3)
        start = time.perf_counter()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        assert time.perf_counter() - start < 1.0
    finally:
        process.kill()
        process.communicate()
    assert process.returncode != 0
    assert "KeyboardInterrupt" in errors
