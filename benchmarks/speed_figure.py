"""One figure of speed, measured in a process of its own: ``python speed_figure.py CASE``.

It prints a number, the least of a few measurements in CPU time, and works with any version of
goodarm that has ``e-hdoc``: ``speed_comparison.py`` runs it with two of them in turns.
"""

import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import numpy as np

import goodarm as ga
from goodarm import datasets
from goodarm.papers.cho2025 import FOUR, TEN
from goodarm.simulation import engine

SMALL = {"four": FOUR, "ten": TEN}

# Earlier versions call them Run and Task.
SimulatedRun: Any = getattr(engine, "SimulatedRun", None) or vars(engine)["Run"]
SimulationTask: Any = getattr(engine, "SimulationTask", None) or vars(engine)["Task"]


class Here(Executor):
    """Does everything at once, in the one thread that is measured."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **keywords: Any) -> Future[Any]:
        """Return the result, or the error, as a future that is done already."""
        future: Future[Any] = Future()
        try:
            future.set_result(function(*args, **keywords))
        except BaseException as error:
            future.set_exception(error)
        return future


def least(function: Callable[[], float], times: int) -> float:
    """Return the least CPU time for each unit of the function's work, after a first call."""
    function()
    found = []
    for _ in range(times):
        start = time.process_time()
        done = function()
        found.append((time.process_time() - start) / done)
    return min(found)


def simulate(means: Any, threshold: float, runs: int, max_pulls: int, times: int) -> float:
    """Nanoseconds for a pull of e-hdoc on the fast engine."""

    def pulls() -> float:
        found = ga.simulate(
            means,
            threshold=threshold,
            delta=0.01,
            algorithm="e-hdoc",
            runs=runs,
            max_pulls=max_pulls,
            engine="fast",
            executor=Here(),
        )
        return float(found.stop.sum())

    return 1e9 * least(pulls, times)


def instance(name: str, runs: str, max_pulls: str) -> float:
    """On an instance of the papers."""
    found = SMALL.get(name) or datasets.load(name)
    return simulate(list(found.means), found.threshold, int(runs), int(float(max_pulls)), 3)


def line(num_arms: str, max_pulls: str) -> float:
    """On means from .3 to .7, with the threshold in the middle."""
    return simulate(np.linspace(0.3, 0.7, int(num_arms)), 0.5, 1, int(float(max_pulls)), 3)


def end(num_arms: str, max_pulls: str) -> float:
    """Return the cost of a budget's last tenth, in units of the mean of the two middle tenths."""
    arms, most = int(num_arms), int(float(max_pulls))
    means = np.linspace(0.3, 0.7, arms)
    problem = ga.Problem(arms, 0.5, 0.01, max_pulls=most)
    algorithm = ga.algorithms()["e-hdoc"].algorithm
    task = SimulationTask(
        algorithm.rule(problem), algorithm.setup(problem), means, 0, range(30), "fast"
    )
    seconds = np.zeros(11)
    for number in task.runs:
        run = SimulatedRun(task, number)
        while not run.is_over:
            tenth = 10 * run.pulls // most
            start = time.thread_time()
            run.step(4 * arms)
            seconds[tenth] += (time.thread_time() - start) if number else 0.0
    return float(seconds[9] / seconds[4:6].mean())


KINDS = (instance, line, end)
MEASURES = {function.__name__: function for function in KINDS}

if __name__ == "__main__":
    name, *arguments = sys.argv[1].split(":")
    sys.stdout.write(f"{MEASURES[name](*arguments)}\n")
