"""Simulation of an algorithm on known means; results do not depend on the number of workers."""

import logging
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Final, Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import Algorithm, SamplingRule, make_algorithm_title, resolve_algorithm
from goodarm.arguments import check_count, check_seed
from goodarm.errors import invalid_choice
from goodarm.kernels.compilation.jit import STAMP
from goodarm.problem import Arm, Problem, ProblemOptions, add_problem_keywords, resolve_problem
from goodarm.results import Documents, Runs
from goodarm.simulation.arrivals import check_arrivals
from goodarm.simulation.engine import AUTO, ENGINES, SimulatedOutcome, SimulationTask, choose_engine
from goodarm.simulation.inputs import read_input
from goodarm.simulation.instance import Means, SimulatedArms, check_ends
from goodarm.simulation.laws import make_laws
from goodarm.simulation.run_files import FinishedRuns, check_folder, find_rule_sources
from goodarm.simulation.start import Start
from goodarm.simulation.workers import ProgressCallback, check_workers, run_all
from goodarm.version import __version__

Engine = Literal["auto", "reference", "fast"]


_log: Final = logging.getLogger("goodarm.simulation")


@add_problem_keywords(ProblemOptions)
def simulate(
    means: Means | None = None,
    *,
    threshold: float | None = None,
    delta: float | None = None,
    algorithm: str | Algorithm | None = None,
    runs: int = 100,
    seed: int | None = 0,
    problem: Problem | None = None,
    samples: object = None,
    arrivals: Mapping[Arm, int] | None = None,
    engine: Engine = "auto",
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
    keep: str | os.PathLike[str] | None = None,
    **options: Unpack[ProblemOptions],
) -> Runs:
    """Run an algorithm many times on arms whose means are known.

    Args:
        means: the arms' true means; a mapping from labels to means names the arms. Any
            mean may be a distribution instead: ``goodarm.rewards.Beta``, ``Uniform``, ``Discrete``.
            A mean alone stands for 0/1 rewards, for the widest uniform ones around it that fit the
            range, or for Gaussian ones, as ``rewards`` says. In a pool it is a share of the cases.
        threshold: as in ``Problem``.
        delta: as in ``Problem``, 0.05 unless given.
        margin, rewards, low, high, sigma, until, max_pulls, pool: as in ``Problem``.
        case_order, gap, arms_planned: as in ``Problem``.
        cost, max_cost: as in ``Problem``; ``max_cost`` only where all arms cost the same.
        problem: a Problem in place of all of them; the means are those of its arms.
        samples: in place of means: a dict from each arm to its observed rewards, or a table as
            ``check(raw=True)`` takes it. An arm's rewards are drawn from its sample with
            replacement, and the sample's mean is its true mean. In a pool they are its cases, each
            once.
        arrivals: a dict from arms that arrive later to the total pulls after which they do, or
            sooner if all arms that are there have labels; as if ``Identifier.add_arm`` added them,
            with delta shared by all arms from the start. Reference engine only.
        algorithm: a name from ``goodarm.algorithms()``, two rules such as ``kl-moss+betting``, or
            an ``Algorithm``; ``e-hdoc`` unless given, with the test that suits the rewards.
        runs: the number of runs.
        seed: run r depends only on the seed and r, not on the number of runs, the workers or their
            order; None draws a seed and records it.
        engine: ``"reference"`` simulates pull by pull; ``"fast"`` skips pulls and makes the same
            runs; ``"auto"`` chooses what suits the problem.
        executor: any ``concurrent.futures.Executor``; None uses a thread for each core.
        progress: called now and then with the runs finished, the total runs and the pulls made.
        keep: a folder in which runs are saved as they finish; another call with the same folder,
            problem, algorithm, seed and version makes only the missing ones.
        allow_large_delta: take a delta above 0.5 for what it is, and not for a confidence.

    Returns:
        The runs: the pulls until each good arm and until the end, the labels, and how many were
        wrong.

    Raises:
        SpecError: an argument is invalid, or a run would never end.

    >>> simulate([0.9, 0.1], threshold=0.5, algorithm="hdoc", runs=3).stop
    array([76, 83, 79])
    >>> simulate(samples={"a": [1] * 9 + [0], "b": [0] * 9 + [1]}, threshold=0.5,
    ...     algorithm="hdoc", runs=3).stop
    array([76, 83, 79])
    >>> problem = Problem(arms=["a", "b"], threshold=0.5)
    >>> simulate({"a": 0.9, "b": 0.1}, problem=problem, algorithm="hdoc", runs=3).stop
    array([76, 83, 79])
    """
    owner = "simulate"
    given = read_input(owner, means, samples, problem, threshold, delta, options)
    asked = resolve_problem(owner, given.arms, problem, threshold, delta, options)
    instance = given.fit(asked, owner)
    chosen = resolve_algorithm(algorithm, asked, owner)
    check_ends(asked, instance.means, chosen.sampling.can_starve, owner)
    runs = check_count("runs", owner, runs)
    seed = check_seed(owner, seed)
    if not isinstance(engine, str) or engine not in ENGINES:
        raise invalid_choice("engine", owner, ENGINES, engine)
    times = check_arrivals(arrivals, asked, owner)
    check_workers(owner, executor, progress)
    folder = None if keep is None else check_folder("keep", owner, keep)
    return make_runs(
        asked,
        chosen,
        instance,
        seed,
        runs,
        engine=engine,
        executor=executor,
        progress=progress,
        folder=folder,
        arrivals=times,
    )


def make_runs(
    problem: Problem,
    algorithm: Algorithm,
    instance: SimulatedArms | NDArray[np.float64],
    seed: int,
    runs: int,
    *,
    engine: str = AUTO,
    executor: Executor | None,
    progress: ProgressCallback | None,
    folder: Path | None,
    first: int = 0,
    arrivals: tuple[int, ...] | None = None,
    is_even: bool = False,
    start: Start | None = None,
) -> Runs:
    """Make runs ``first`` to ``runs`` - 1 of validated arguments; read those that the folder has.

    The instance may be an array of means.

    Args:
        problem: the problem to be simulated.
        algorithm: the algorithm to run.
        instance: means and distributions of the arms, or an array of means.
        seed: the seed of all runs.
        runs: the number after the last run.
        engine: ``"auto"``, ``"fast"`` or ``"reference"``.
        executor: makes the runs; threads if None.
        progress: called with the runs done, all runs and the pulls made.
        folder: keeps finished runs; None for none.
        first: the number of the first run.
        arrivals: pulls of all arms after which each arm arrives; None if all are there.
        is_even: give all arms the same traffic to the end: ``pulls`` are then those of each arm up
            to its label, and ``stop`` and ``tau`` count all traffic.
        start: counts that arms have had before, which all numbers of the runs include.

    Returns:
        The runs, with those that the folder had.

    >>> from goodarm.algorithm import algorithms
    >>> hdoc = algorithms()["hdoc"].for_rewards("bernoulli")
    >>> means = np.array([0.9, 0.1])
    >>> problem = Problem(2, threshold=0.5)
    >>> runs = make_runs(problem, hdoc, means, 0, 3, executor=None, progress=None, folder=None)
    >>> runs.stop.tolist()
    [76, 83, 79]
    """
    if not isinstance(instance, SimulatedArms):
        instance = SimulatedArms(instance)
    setup = algorithm.setup(problem)
    cap = problem.find_max_pulls("simulate")
    if cap is not None:
        setup = setup._replace(max_pulls=cap)
    rule = algorithm.rule(problem)
    asked = algorithm.sampling if isinstance(algorithm.sampling, SamplingRule) else None
    laws = make_laws(problem, instance, "simulate")
    if laws is not None and start is not None and problem.pools is not None:
        laws.arms["left"] -= start.sums.astype(np.int64)
    task = SimulationTask(
        rule,
        setup,
        instance.means,
        seed,
        range(first, runs),
        choose_engine(setup, engine, has_arrivals=arrivals is not None),
        asked,
        laws,
        arrivals,
        may_begin_plain=engine == AUTO,
        is_even=is_even,
        start=start,
    )
    documents = instance.documents
    if folder is None:
        outcomes = run_all(task, executor, progress=progress)
    else:
        key = {
            "version": __version__,
            "kernels": STAMP,
            "problem": problem.to_dict(),
            "algorithm": algorithm.describe(problem),
            "means": instance.means.tolist(),
            "seed": seed,
            "engine": task.engine,
            **({} if documents is None else {"distributions": documents}),
            **({} if arrivals is None else {"arrivals": arrivals}),
            **find_rule_sources(algorithm.sampling, algorithm.identification),
        }
        finished = FinishedRuns(folder, key)
        found = finished.load()
        if num_found := sum(run in found for run in task.runs):
            _log.info("%d of %d runs taken from %s", num_found, len(task.runs), folder)
        outcomes = run_all(
            task._replace(runs=[run for run in task.runs if run not in found]),
            executor,
            finished=[found[run] for run in task.runs if run in found],
            progress=progress,
            keep=finished.keep,
        )
    return _collect(problem, algorithm, task, outcomes, documents)


def _collect(
    problem: Problem,
    algorithm: Algorithm,
    task: SimulationTask,
    outcomes: Sequence[SimulatedOutcome],
    documents: Documents | None,
) -> Runs:
    """Collect the outcomes of a task, in order of runs, into Runs."""
    labels = np.array([outcome.labels for outcome in outcomes], np.int8)
    described = algorithm.describe(problem)
    return Runs(
        problem=problem,
        algorithm=described,
        title=make_algorithm_title(described),
        seed=task.seed,
        engine=task.engine,
        means=task.means,
        tau=np.array([outcome.tau for outcome in outcomes]),
        stop=np.array([outcome.stop for outcome in outcomes], np.int64),
        pulls=np.array([outcome.pulls for outcome in outcomes]),
        labels=labels,
        wrong=_find_wrong(problem, task.means, labels),
        distributions=documents,
        arrivals=task.arrivals,
    )


def _find_wrong(
    problem: Problem, means: NDArray[np.float64], labels: NDArray[np.int8]
) -> NDArray[np.bool_]:
    """Mark the runs that have a wrong label."""
    sizes = problem.pools or (None,) * problem.num_arms
    pairs = list(zip(means.tolist(), sizes, strict=True))
    wrong_if_good = np.array([problem.is_wrong(mean, 1, size) for mean, size in pairs])
    wrong_if_bad = np.array([problem.is_wrong(mean, -1, size) for mean, size in pairs])
    wrong = ((labels == 1) & wrong_if_good) | ((labels == -1) & wrong_if_bad)
    return np.asarray(wrong.any(axis=1))
