"""One figure of speed, measured in a process of its own: ``python figure.py CASE``.

It prints a number, the least of a few measurements in CPU time, and works with any version of
goodarm that has ``e-hdoc``: ``sides.py`` runs it with two of them in turns.
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
from goodarm.simulation.engine import Run, Task

SMALL = {"four": FOUR, "ten": TEN}


class Here(Executor):
    """Does everything at once, in the one thread that is measured."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **keywords: Any) -> Future[Any]:
        """The result, or the error, as a future that is there already."""
        future: Future[Any] = Future()
        try:
            future.set_result(function(*args, **keywords))
        except BaseException as error:
            future.set_exception(error)
        return future


def least(function: Callable[[], float], times: int) -> float:
    """The least CPU time for each of what the function has done, after a first call."""
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
            threshold,
            0.01,
            "e-hdoc",
            runs,
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
    """What the last tenth of a budget costs, in what the two tenths in the middle do on average."""
    arms, most = int(num_arms), int(float(max_pulls))
    means = np.linspace(0.3, 0.7, arms)
    problem = ga.Problem(arms, 0.5, 0.01, max_pulls=most)
    algorithm = ga.algorithms()["e-hdoc"].algorithm
    task = Task(algorithm.rule(problem), algorithm.setup(problem), means, 0, range(30), "fast")
    seconds = np.zeros(11)
    for number in task.runs:
        run = Run(task, number)
        while not run.is_over:
            tenth = 10 * run.pulls // most
            start = time.thread_time()
            run.step(4 * arms)
            seconds[tenth] += (time.thread_time() - start) if number else 0.0
    return float(seconds[9] / seconds[4:6].mean())


def prepared(num_arms: int) -> tuple[ga.Identifier, ga.Tape]:
    """An identifier of e-hdoc after its warm-up, with rewards."""
    problem = ga.Problem(num_arms, 0.5, 0.01)
    ident = ga.Identifier(problem, seed=0)
    tape = ga.Tape(problem, np.linspace(0.3, 0.7, num_arms), seed=0)
    pulls = ident.ask_many(num_arms)
    ident.tell_many(pulls, [tape.next_reward(pull.arm) for pull in pulls])
    return ident, tape


def pairs(num_arms: str, batch: str) -> float:
    """Microseconds for a pull that is asked and told, in batches; 10,000 after the warm-up."""
    size, arms, seconds = int(batch), int(num_arms), 0.0
    prepared(2)
    ident, tape = prepared(arms)
    for _ in range(10_000 // size):
        if ident.is_done:
            ident, tape = prepared(arms)
        start = time.process_time()
        asked = ident.ask_many(size) if size > 1 else [ident.ask()]
        seconds += time.process_time() - start
        rewards = [tape.next_reward(pull.arm) for pull in asked]
        start = time.process_time()
        if size > 1:
            ident.tell_many(asked, rewards)
        else:
            ident.tell(asked[0], rewards[0])
        seconds += time.process_time() - start
    return 1e6 * seconds / 10_000


def reports(num_arms: str) -> float:
    """Seconds for the reports of all arms."""
    ident, _ = prepared(int(num_arms))

    def once() -> float:
        ident.reports()
        return 1.0

    return least(once, 1)


def document(direction: str, pulls: str) -> float:
    """Seconds to write a state of ``pulls`` pulls, or to read it."""
    algorithm = ga.Algorithm(sampling="round-robin", identification="hoeffding")
    ident = ga.Identifier(ga.Problem(100, 0.5, 0.01), algorithm, seed=0)
    tape = ga.Tape(ident.problem, np.linspace(0.49, 0.51, 100), seed=0)
    while ident.pulls < int(float(pulls)):
        asked = ident.ask_many(100_000)
        ident.tell_many(asked, [tape.next_reward(pull.arm) for pull in asked])
    written = ident.to_dict()
    once = ident.to_dict if direction == "write" else lambda: ga.Identifier.from_dict(written)

    def timed() -> float:
        once()
        return 1.0

    return least(timed, 1)


def first(what: str) -> float:
    """Seconds of CPU time for a first use; to be run with an empty cache of compiled kernels."""
    start = time.process_time()
    if what == "plan":
        ga.plan([0.7, 0.6, 0.4, 0.2], threshold=0.5, delta=0.05)
    else:
        ga.simulate([0.6, 0.4], 0.5, 0.05)
    return time.process_time() - start


def plan(num_arms: str, what: str, value: str) -> float:
    """Seconds (of the clock, on all cores) for a plan of e-hdoc with a gap or a budget."""
    ga.plan([0.7, 0.4], threshold=0.5, delta=0.05)
    wanted: dict[str, Any] = {what: float(value) if what == "gap" else int(float(value))}
    start = time.perf_counter()
    ga.plan(num_arms=int(num_arms), threshold=0.5, delta=0.05, **wanted)
    return time.perf_counter() - start


KINDS = (instance, line, end, pairs, reports, document, first, plan)
MEASURES = {function.__name__: function for function in KINDS}

if __name__ == "__main__":
    name, *arguments = sys.argv[1].split(":")
    sys.stdout.write(f"{MEASURES[name](*arguments)}\n")
