"""Runs as the pulls to expect, beside the lower bound; as many runs as it takes to be sure."""

import math
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import Algorithm
from goodarm.algorithm.theory import lower_bound_good, lower_bound_stop
from goodarm.planning.effort import FORECAST_WORK, check_work, work_of
from goodarm.planning.family import Floats, gap_of
from goodarm.problem import Arm, Problem
from goodarm.results import Runs
from goodarm.results.plan import Expected, Forecast
from goodarm.results.quantity import STOP, tau
from goodarm.simulation.run import make_runs
from goodarm.simulation.workers import StageCallback

FIRST_RUNS: Final = 10
LEAST_RUNS: Final = 100
MOST_RUNS: Final = 2000
GOAL: Final = 0.02
"""The standard error of the mean at the end, as a part of it, that is aimed at."""

_TAUS_KEPT: Final = 12


@dataclass(frozen=True)
class Simulator:
    """What all simulations of a plan share."""

    problem: Problem
    seed: int
    quantile: float
    executor: Executor | None
    progress: StageCallback | None

    def run(
        self,
        algorithm: Algorithm,
        means: Floats,
        runs: int,
        *,
        max_pulls: int | None = None,
        part: tuple[float, float] = (0.0, 1.0),
    ) -> Runs:
        """Runs of the problem on these means, ended after so many pulls if given."""
        problem = self.problem
        if max_pulls is not None:
            problem = replace(problem, max_pulls=max_pulls)
        tell, (start, end) = self.progress, part

        def progress(finished: int, total: int, pulls: int) -> None:
            if tell is not None:
                tell(algorithm.name, start + (end - start) * finished / total, pulls)

        return make_runs(
            problem,
            algorithm,
            means,
            self.seed,
            runs,
            executor=self.executor,
            progress=progress,
            folder=None,
        )

    def needed(self, stop: NDArray[Any]) -> float:
        """The fewest pulls that the plan's share of runs stays within."""
        return float(np.quantile(stop, self.quantile, method="inverted_cdf"))

    def enough_runs(
        self, algorithm: Algorithm, means: Floats, part: tuple[float, float] = (0.0, 1.0)
    ) -> Runs:
        """Runs until the mean is sure, or would take too long."""
        check_work(self.problem, algorithm, means)
        start, end = part
        middle = start + 0.1 * (end - start)
        made = self.run(algorithm, means, FIRST_RUNS, part=(start, middle))
        while (wanted := _wanted_runs(algorithm, made)) > len(made):
            made = self.run(algorithm, means, wanted, part=(middle, end))
        return made

    def forecast(self, algorithm: Algorithm, runs: Runs) -> Forecast:
        """The runs as the pulls to expect."""
        problem, means = self.problem, runs.means
        bounds = _arm_bounds(problem, means)
        arms = [
            self._expect(arm, runs.pulls[:, position], bounds[position])
            for position, arm in enumerate(problem.arms)
        ]
        taus = []
        for count in _counts(problem, means):
            reached = runs.tau[:, count - 1]
            if not np.isnan(reached).all():
                bound = lower_bound(problem, means, count)
                taus.append(self._expect(str(tau(count)), reached, bound))
        bound = lower_bound(problem, means, problem.until)
        taus.append(self._expect(str(STOP), runs.stop, bound))
        return Forecast(
            algorithm=runs.algorithm,
            means=tuple(means.tolist()),
            gap=gap_of(problem, means),
            runs=len(runs),
            arms=tuple(arms),
            taus=tuple(taus),
        )

    def _expect(self, name: Arm, values: NDArray[Any], bound: float | None) -> Expected:
        pulls = values[~np.isnan(values)].astype(float)
        error = float(pulls.std(ddof=1)) / math.sqrt(pulls.size) if pulls.size > 1 else None
        return Expected(name, pulls.size, float(pulls.mean()), error, self.needed(pulls), bound)


def _wanted_runs(algorithm: Algorithm, made: Runs) -> int:
    """How many runs it takes to reach the goal, as far as those made can tell and work allows."""
    stop = made.stop.astype(float)
    spread = float(stop.std(ddof=1)) / float(stop.mean())
    if len(made) >= LEAST_RUNS and spread / math.sqrt(stop.size) <= GOAL:
        return len(made)
    needed = math.ceil(1.1 * (spread / GOAL) ** 2)
    work = work_of(made.problem, algorithm, made.means, made.pulls.mean(axis=0))
    affordable = min(MOST_RUNS, int(FORECAST_WORK / work))
    return min(max(LEAST_RUNS, needed), affordable)


def _counts(problem: Problem, means: Floats) -> list[int]:
    """The numbers of good arms to tell of: all, or where there are many some from first to last."""
    most = sum(not problem.is_wrong(mean, 1) for mean in means.tolist())
    if problem.until is not None:
        most = min(most, problem.until)
    if most <= _TAUS_KEPT:
        return list(range(1, most + 1))
    return sorted({round(count) for count in np.geomspace(1, most, _TAUS_KEPT)})


def _has_bound(problem: Problem) -> bool:
    """Theory's lower bound is for 0/1 rewards, labels without slack and runs that go to the end."""
    has_slack = problem.margin > 0.0 or problem.max_pulls is not None or problem.delta >= 0.5
    return problem.rewards == "bernoulli" and not has_slack


def _arm_bounds(problem: Problem, means: Floats) -> list[float | None]:
    """Pulls that each arm must have where all are to be labelled."""
    if not _has_bound(problem) or problem.until is not None:
        return [None] * problem.num_arms
    bounds = (lower_bound_stop([m], problem.threshold, problem.delta) for m in means.tolist())
    return [bound if math.isfinite(bound) else None for bound in bounds]


def lower_bound(problem: Problem, means: Floats, count: int | None) -> float | None:
    """Pulls that all algorithms must make for so many good arms, or to label all; None: unknown."""
    if not _has_bound(problem):
        return None
    values, threshold, delta = means.tolist(), problem.threshold, problem.delta
    if count is not None and count <= int((means >= threshold).sum()):
        bound = lower_bound_good(values, threshold, delta, count)
    else:
        bound = lower_bound_stop(values, threshold, delta)
    return bound if math.isfinite(bound) else None
