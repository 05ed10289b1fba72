"""Simulate an algorithm on known means, many runs at once, the same on any number of workers."""

import os
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import Algorithm, as_algorithm
from goodarm.checks import check_count
from goodarm.errors import must, must_be_one_of
from goodarm.problem import Problem, Rewards
from goodarm.results import Runs
from goodarm.simulation.engine import REFERENCE, Outcome, Signals, Task, work
from goodarm.simulation.instance import Means, check_ends, check_means, split_means
from goodarm.simulation.tape import MAX_SEED

ENGINES: Final = ("auto", REFERENCE)

_TASKS_PER_WORKER = 16
_POLL_SECONDS = 0.1

ProgressCallback = Callable[[int, int, int], None]
"""Called with the runs finished, the runs in all and the pulls made so far."""


def simulate(
    means: Means,
    threshold: float,
    delta: float,
    algorithm: str | Algorithm,
    runs: int = 100,
    seed: int | None = 0,
    *,
    margin: float = 0.0,
    rewards: Rewards = "bernoulli",
    low: float | None = None,
    high: float | None = None,
    sigma: float | None = None,
    until: int | None = None,
    max_pulls: int | None = None,
    engine: str = "auto",
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
) -> Runs:
    """Run an algorithm many times on arms whose means are known.

    Args:
        means: the arms' true means; a mapping from labels to means names the arms.
        threshold, delta, margin, rewards, low, high, sigma, until, max_pulls: as in ``Problem``.
        algorithm: a name from ``goodarm.algorithms()`` or an ``Algorithm``.
        runs: how many runs.
        seed: run r depends on the seed and r alone, not on how many runs there are, nor on
            workers or their order; None draws a seed and records it.
        engine: ``"auto"`` or ``"reference"``, the plain loop, pull by pull.
        executor: any ``concurrent.futures.Executor``; None uses a thread for each core.
        progress: called now and then with the runs finished, the runs in all and the pulls made.

    >>> simulate([0.9, 0.1], threshold=0.5, delta=0.05, algorithm="hdoc", runs=3).stop
    array([76, 83, 79])
    """
    owner = "simulate"
    arms, _ = split_means(means, owner)
    problem = Problem(
        arms,
        threshold,
        delta,
        margin=margin,
        rewards=rewards,
        low=low,
        high=high,
        sigma=sigma,
        until=until,
        max_pulls=max_pulls,
    )
    checked = check_means(problem, means, owner)
    check_ends(problem, checked)
    chosen = as_algorithm(algorithm, owner)
    runs = check_count("runs", owner, runs)
    seed = secrets.randbits(63) if seed is None else seed
    seed = check_count("seed", owner, seed, least=0, most=MAX_SEED)
    if engine not in ENGINES:
        raise must_be_one_of("engine", owner, ENGINES, engine)
    if executor is not None and not isinstance(executor, Executor):
        raise must("executor", owner, "be a concurrent.futures.Executor or None", executor)

    setup = chosen.setup(problem)
    tasks = [Task(setup, checked, seed, part) for part in _parts(runs)]
    outcomes = _run_all(tasks, runs, executor, progress)
    labels = np.array([outcome.labels for outcome in outcomes])
    return Runs(
        problem=problem,
        algorithm=chosen.describe(problem),
        seed=seed,
        engine=REFERENCE,
        means=checked,
        tau=np.array([outcome.tau for outcome in outcomes]),
        stop=np.array([outcome.stop for outcome in outcomes], np.int64),
        pulls=np.array([outcome.pulls for outcome in outcomes]),
        labels=labels,
        wrong=_wrong(problem, checked, labels),
    )


def _wrong(
    problem: Problem, means: NDArray[np.float64], labels: NDArray[np.int8]
) -> NDArray[np.bool_]:
    """Which runs have a label that breaks its promise."""
    wrong_if_good = np.array([problem.is_wrong(mean, 1) for mean in means])
    wrong_if_bad = np.array([problem.is_wrong(mean, -1) for mean in means])
    wrong = ((labels == 1) & wrong_if_good) | ((labels == -1) & wrong_if_bad)
    return np.asarray(wrong.any(axis=1))


def _parts(runs: int) -> list[range]:
    """The runs cut into ranges, several for each worker so that none is idle for long."""
    size = max(1, runs // (_TASKS_PER_WORKER * (os.cpu_count() or 1)))
    return [range(start, min(start + size, runs)) for start in range(0, runs, size)]


def _run_all(
    tasks: list[Task], runs: int, executor: Executor | None, progress: ProgressCallback | None
) -> list[Outcome]:
    """The outcomes of all tasks, in order of runs."""
    signals = Signals()
    outcomes: list[Outcome] = []
    with _workers(executor) as pool:
        waiting: set[Future[list[Outcome]]] = {pool.submit(work, task, signals) for task in tasks}
        try:
            while waiting:
                done, waiting = wait(waiting, _POLL_SECONDS, FIRST_COMPLETED)
                for future in done:
                    outcomes += future.result()
                if progress is not None:
                    progress(len(outcomes), runs, _pulls_so_far(outcomes, signals))
        except BaseException:
            signals.stop = True
            for future in waiting:
                future.cancel()
            raise
    return sorted(outcomes, key=lambda outcome: outcome.run)


def _pulls_so_far(outcomes: list[Outcome], signals: Signals) -> int:
    """Pulls of finished runs, and of unfinished ones where threads report them."""
    pulls = dict(signals.pulls) | {outcome.run: outcome.stop for outcome in outcomes}
    return sum(pulls.values())


@contextmanager
def _workers(executor: Executor | None) -> Iterator[Executor]:
    """The user's executor, left open, or threads of our own."""
    if executor is not None:
        yield executor
        return
    with ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="goodarm") as pool:
        yield pool
