"""Forecasts: pulls to expect, from as many simulated runs as the precision takes."""

import math
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import Algorithm, lower_bound_good, lower_bound_stop
from goodarm.planning.effort import (
    check_work,
    compute_work,
    predict_stop,
    predict_work,
)
from goodarm.planning.family import Floats, find_gap
from goodarm.problem import Arm, Problem
from goodarm.results import CONFIDENCE, STOP, Expected, Forecast, Runs, tau
from goodarm.simulation import Distributions, SimulatedArms, StageCallback, make_runs

FIRST_RUNS: Final = 40
"""Number of runs made before their spread is known."""
MIN_RUNS: Final = 5
"""Smallest number of runs, used where runs are long."""
MAX_RUNS: Final = 10_000
PRECISION: Final = 0.02
"""Default target for the standard errors of ``tau_stop``, as parts of the numbers themselves."""

_RUNS_MARGIN: Final = 1.1
"""Multiple of the runs that would just do: the error is itself uncertain."""
_MAX_RUNS_GROWTH: Final = 2
"""Largest growth of the number of runs in one step: few runs give a rough error only."""
_MANY: Final = 10
_TAUS_KEPT: Final = 12
_ALMOST: Final = 0.99


@dataclass(frozen=True)
class Simulator:
    """Settings that all simulations of a plan share, and the simulations themselves."""

    problem: Problem
    seed: int
    quantile: float
    executor: Executor | None
    progress: StageCallback | None
    precision: float = PRECISION
    distributions: Distributions | None = None

    @cached_property
    def spreads(self) -> Floats | None:
        """Standard deviation of each arm's rewards; nan where it follows from the mean."""
        if self.distributions is None:
            return None
        return np.array([math.nan if each is None else each.sd for each in self.distributions])

    def run(
        self,
        algorithm: Algorithm,
        means: Floats,
        runs: int,
        *,
        after: Runs | None = None,
        max_pulls: int | None = None,
        part: tuple[float, float] = (0.0, 1.0),
    ) -> Runs:
        """Simulate runs of the problem on these means, ended after ``max_pulls`` if given.

        ``after`` has the first of them; they are not made again.
        """
        problem = self.problem
        if max_pulls is not None:
            problem = replace(problem, max_pulls=max_pulls)
        first, before = (0, 0) if after is None else (len(after), int(after.stop.sum()))
        each = before / max(first, 1)
        if after is None:
            each = predict_stop(problem, algorithm, means, self.spreads)
        expected = each * (runs - first)

        def progress(finished: int, total: int, pulls: int) -> None:
            # Pulls of unfinished runs count: else a bar would stand still during long runs.
            done = 1.0 if finished == total else min(pulls / expected, _ALMOST)
            self.report_progress(algorithm, part, max(done, finished / total), before + pulls)

        made = make_runs(
            problem,
            algorithm,
            SimulatedArms(means, self.distributions),
            self.seed,
            runs,
            executor=self.executor,
            progress=progress,
            folder=None,
            first=first,
        )
        return made if after is None else _join_runs(after, made)

    def report_progress(
        self, algorithm: Algorithm, part: tuple[float, float], done: float, pulls: int
    ) -> None:
        """Report how much of a part of the whole is done."""
        if self.progress is not None:
            self.progress(algorithm.name, part[0] + (part[1] - part[0]) * done, pulls)

    def find_needed_pulls(self, stop: NDArray[Any]) -> float:
        """Return the fewest pulls that the plan's share of runs stays within."""
        return float(np.quantile(stop, self.quantile, method="inverted_cdf"))

    def simulate_enough_runs(
        self,
        algorithm: Algorithm,
        means: Floats,
        part: tuple[float, float] = (0.0, 1.0),
        *,
        most_work: float,
        max_pulls: int | None = None,
    ) -> Runs:
        """Simulate until mean and quantile of ``tau_stop`` are precise enough, or take too long."""
        check_work(self.problem, algorithm, means, self.spreads)
        work = predict_work(self.problem, algorithm, means, self.spreads)
        likely = most_work / max(work, 1.0)
        first = round(min(max(likely, MIN_RUNS), FIRST_RUNS))
        at, end = part
        # Where work allows only the first runs, their progress is the whole progress.
        here = at + (end - at) * first / min(max(likely, first), 2.0 * first)
        made = self.run(algorithm, means, first, max_pulls=max_pulls, part=(at, here))
        while (wanted := self.find_wanted_runs(algorithm, made, most_work)) > len(made):
            at, here = here, here + _ALMOST * (end - here)
            made = self.run(
                algorithm, means, wanted, after=made, max_pulls=max_pulls, part=(at, here)
            )
        self.report_progress(algorithm, part, 1.0, int(made.stop.sum()))
        return made

    def find_wanted_runs(self, algorithm: Algorithm, made: Runs, most_work: float) -> int:
        """Return how many runs the precision takes, judged by those made, as far as work allows."""
        reached = self._expect(str(STOP), made.stop, None).precision
        if reached is None or reached <= self.precision:
            return len(made)
        needed = math.ceil(_RUNS_MARGIN * len(made) * (reached / self.precision) ** 2)
        work = compute_work(made.problem, algorithm, made.means, made.pulls.mean(axis=0))
        return min(needed, _MAX_RUNS_GROWTH * len(made), MAX_RUNS, int(most_work / work))

    def forecast(self, algorithm: Algorithm, runs: Runs) -> Forecast:
        """Summarise the runs as the pulls to expect."""
        problem, means = self.problem, runs.means
        bounds = _find_arm_bounds(problem, means)
        arms = [
            self._expect(arm, runs.pulls[:, position], bounds[position])
            for position, arm in enumerate(problem.arms)
        ]
        taus = []
        for count in _choose_counts(problem, means):
            reached = runs.tau[:, count - 1]
            if not np.isnan(reached).all():
                bound = lower_bound(problem, means, count)
                taus.append(self._expect(str(tau(count)), reached, bound))
        bound = lower_bound(problem, means, problem.until)
        taus.append(self._expect(str(STOP), runs.stop, bound))
        return Forecast(
            algorithm=runs.algorithm,
            title=runs.title,
            means=tuple(means.tolist()),
            distance=find_gap(problem, means),
            runs=len(runs),
            arms=tuple(arms),
            taus=tuple(taus),
        )

    def _expect(self, name: Arm, values: NDArray[Any], bound: float | None) -> Expected:
        pulls = values[~np.isnan(values)].astype(float)
        mean, needed, runs = float(pulls.mean()), self.find_needed_pulls(pulls), pulls.size
        upper = bound_quantile(pulls, self.quantile)
        if runs == 1:
            return Expected(name, runs, mean, None, needed, bound, None, upper)
        error = float(pulls.std(ddof=1)) / math.sqrt(runs)
        return Expected(
            name, runs, mean, error, needed, bound, self._estimate_quantile_error(pulls), upper
        )

    def _estimate_quantile_error(self, pulls: Floats) -> float:
        """Return half the distance of the quantiles one standard error of the share to either side.

        Short runs end after few different numbers of pulls. Where many runs lie between the two and
        all on one or two numbers, more runs would not narrow it: then the error is 0.
        """
        share = math.sqrt(self.quantile * (1.0 - self.quantile) / pulls.size)
        sides = (max(self.quantile - share, 0.0), min(self.quantile + share, 1.0))
        low, high = np.quantile(pulls, sides, method="inverted_cdf")
        between = pulls[(low <= pulls) & (pulls <= high)]
        if between.size > _MANY and np.unique(between).size <= 2:
            return 0.0
        return float(high - low) / 2.0


def bound_quantile(pulls: Floats, quantile: float) -> float | None:
    """Return an upper bound of a quantile that holds with ``CONFIDENCE`` for any distribution.

    The number of runs that stay below the quantile is at most binomial, so the k-th smallest run is
    at least the quantile with probability P(B <= k - 1). None if not even the largest run is.
    """
    from scipy.special import bdtr  # it takes a while to load

    ranks = np.arange(1, pulls.size + 1)
    likely = bdtr(ranks - 1, pulls.size, quantile) >= CONFIDENCE
    return float(np.sort(pulls)[np.argmax(likely)]) if likely.any() else None


def _join_runs(first: Runs, rest: Runs) -> Runs:
    """Join runs as if they had been made at once."""
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(first, name), getattr(rest, name)])
        for name in ("tau", "stop", "pulls", "labels", "wrong")
    }
    return replace(first, **arrays)


def _choose_counts(problem: Problem, means: Floats) -> list[int]:
    """Return the numbers of good arms to report: all, or a selection if there are many."""
    sizes = problem.pools or (None,) * problem.num_arms
    pairs = zip(means.tolist(), sizes, strict=True)
    most = sum(not problem.is_wrong(mean, 1, size) for mean, size in pairs)
    if problem.until is not None:
        most = min(most, problem.until)
    if most <= _TAUS_KEPT:
        return list(range(1, most + 1))
    return sorted({round(count) for count in np.geomspace(1, most, _TAUS_KEPT)})


def _has_bound(problem: Problem) -> bool:
    """Return whether the lower bound applies: 0/1 rewards, no slack, and runs that go to the end.

    It is for rewards that are drawn without end: a pool can be known altogether.
    """
    has_slack = problem.margin > 0.0 or problem.max_pulls is not None or problem.delta >= 0.5
    return problem.rewards == "bernoulli" and problem.pools is None and not has_slack


def _find_arm_bounds(problem: Problem, means: Floats) -> list[float | None]:
    """Return the pulls that each arm must have where all are to be labelled."""
    if not _has_bound(problem) or problem.until is not None:
        return [None] * problem.num_arms
    bounds = (lower_bound_stop([m], problem.threshold, problem.delta) for m in means.tolist())
    return [bound if math.isfinite(bound) else None for bound in bounds]


def lower_bound(problem: Problem, means: Floats, count: int | None) -> float | None:
    """Return the pulls any algorithm must make for ``count`` good arms, or to label all.

    None where no bound is known.
    """
    if not _has_bound(problem):
        return None
    values, threshold, delta = means.tolist(), problem.threshold, problem.delta
    if count is not None and count <= int((means >= threshold).sum()):
        bound = lower_bound_good(values, threshold, delta, count)
    else:
        bound = lower_bound_stop(values, threshold, delta)
    return bound if math.isfinite(bound) else None
