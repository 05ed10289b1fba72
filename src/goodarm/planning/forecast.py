"""Forecasts: pulls to expect, from as many simulated runs as the precision takes."""

import math
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import Algorithm, lower_bound_good, lower_bound_stop
from goodarm.planning.effort import check_work, compute_work, predict_stop, predict_work
from goodarm.planning.family import Floats, find_gap
from goodarm.planning.quantiles import (
    bound_quantile,
    estimate_quantile_error,
    find_least_runs,
    find_quantile,
)
from goodarm.problem import MONEY_UNITS, Arm, Problem
from goodarm.results import STOP, Expected, Forecast, Runs, estimate_share_error, tau
from goodarm.simulation import (
    Distributions,
    EvenTraffic,
    SimulatedArms,
    StageCallback,
    Start,
    make_runs,
)

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
_TAUS_KEPT: Final = 12
_ALMOST: Final = 0.99


@dataclass(frozen=True)
class Simulator:
    """Settings that all simulations of a plan share, and the simulations themselves.

    Args:
        problem, seed, quantile, executor, progress, precision, distributions: as in ``plan``.
        is_even: whether all arms get the same traffic to the end.
        per_day: the pulls of a day; None if days are not asked for.
        start: what the arms have had before; None if nothing.
        has_chances: whether the chance of each arm to be labelled is to be precise, too, where a
            cap may end runs before.
    """

    problem: Problem
    seed: int
    quantile: float
    executor: Executor | None
    progress: StageCallback | None
    precision: float = PRECISION
    distributions: Distributions | None = None
    is_even: bool = False
    per_day: float | None = None
    start: Start | None = None
    has_chances: bool = True

    @cached_property
    def spreads(self) -> Floats | None:
        """Standard deviation of each arm's rewards; nan where it follows from the mean."""
        if self.distributions is None:
            return None
        return np.array([math.nan if each is None else each.sd for each in self.distributions])

    @cached_property
    def _traffic(self) -> EvenTraffic:
        """Pulls of all arms after a number of rounds, under an even split."""
        if self.problem.pools is None:
            return EvenTraffic.endless(self.problem.num_arms)
        sizes = np.array(self.problem.pools, np.int64)
        return EvenTraffic(sizes if self.start is None else sizes - self.start.pulls)

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

        ``after`` has the first of them; they are not made again. All numbers are of further pulls:
        those of the start are not counted.
        """
        problem, start = self.problem, self.start
        if max_pulls is not None:
            problem = replace(problem, max_pulls=max_pulls)
        first, before = (0, 0) if after is None else (len(after), int(after.stop.sum()))
        each = before / max(first, 1)
        if after is None:
            each = predict_stop(problem, algorithm, means, self.spreads, is_even=self.is_even)
        expected = each * (runs - first)
        had = 0 if start is None else start.total

        def progress(finished: int, total: int, pulls: int) -> None:
            # Pulls of unfinished runs count: else a bar would stand still during long runs.
            pulls = max(pulls - had * finished, 0)
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
            is_even=self.is_even,
            start=start,
        )
        if start is not None:
            made = replace(
                made, stop=made.stop - had, tau=made.tau - had, pulls=made.pulls - start.pulls
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
        return find_quantile(stop, self.quantile)

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
        is_even, has_start = self.is_even, self.start is not None
        check_work(
            self.problem, algorithm, means, self.spreads, is_even=is_even, has_start=has_start
        )
        work = predict_work(self.problem, algorithm, means, self.spreads, is_even=is_even)
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
        """Return how many runs the precision takes, judged by those made, as far as work allows.

        The mean and the quantile of the pulls at the end are to be precise, and the chance of each
        arm to be labelled by then.
        """
        stop, count = made.stop.astype(float), len(made)
        reached = self._expect(str(STOP), stop, None).precision
        growth: float = _MAX_RUNS_GROWTH
        if reached is not None:
            shares = []
            if made.problem.max_pulls is not None and self.has_chances:
                labelled = (made.labels != 0).sum(axis=0)
                shares = [estimate_share_error(each, count) for each in set(labelled.tolist())]
            growth = _RUNS_MARGIN * (max(reached, *shares, 0.0) / self.precision) ** 2
            growth = growth if growth > _RUNS_MARGIN else 0.0
        needed = max(math.ceil(growth * count), find_least_runs(stop, self.precision))
        own = made.pulls.mean(axis=0)
        work = compute_work(made.problem, algorithm, made.means, own, is_even=self.is_even)
        most = min(_MAX_RUNS_GROWTH * count, MAX_RUNS, int(most_work / work))
        return max(min(needed, most), count)

    def forecast(self, algorithm: Algorithm, runs: Runs) -> Forecast:
        """Summarise the runs as the pulls to expect."""
        problem, means = self.problem, runs.means
        bounds = self._find_bounds_of_arms(means)
        labelled = (runs.labels != 0).mean(axis=0).tolist()
        arms = [
            self._expect(
                arm,
                runs.pulls[:, position],
                bounds[position],
                self._count_traffic(runs.pulls[:, position]),
                labelled[position],
                money=self._price(runs.pulls[:, position], [position]),
            )
            for position, arm in enumerate(problem.arms)
        ]
        taus = []
        for count in _choose_counts(problem, means):
            reached = runs.tau[:, count - 1]
            if not np.isnan(reached).all():
                bound = self._find_bound(means, count)
                money = self._price(reached[~np.isnan(reached)])
                taus.append(self._expect(str(tau(count)), reached, bound, money=money))
        bound = self._find_bound(means, problem.until)
        money = self._price_runs(runs)
        taus.append(self._expect(str(STOP), runs.stop, bound, money=money))
        return Forecast(
            algorithm=runs.algorithm,
            title=runs.title,
            means=tuple(means.tolist()),
            distance=find_gap(problem, means),
            runs=len(runs),
            arms=tuple(arms),
            taus=tuple(taus),
        )

    def _find_bound(self, means: Floats, count: int | None) -> float | None:
        return None if self.start is not None else lower_bound(self.problem, means, count)

    def _find_bounds_of_arms(self, means: Floats) -> list[float | None]:
        if self.start is not None:
            return [None] * self.problem.num_arms
        return _find_arm_bounds(self.problem, means)

    def _price(
        self, pulls: NDArray[Any], arms: Sequence[int] | None = None
    ) -> NDArray[np.float64] | None:
        """Return the money of pulls of these arms, of any if None; None if their costs differ."""
        costs = self.problem.cost_units
        if costs is None:
            return None
        prices = set(costs if arms is None else (costs[arm] for arm in arms))
        if len(prices) > 1:
            return None
        return np.asarray(pulls, float) * prices.pop() / MONEY_UNITS

    def _price_runs(self, runs: Runs) -> NDArray[np.float64] | None:
        """Return the money of each run up to its end.

        If traffic is split evenly and costs differ, it is that of equal numbers of pulls.
        """
        costs = self.problem.cost_units
        if costs is None or len(set(costs)) == 1:
            return self._price(runs.stop)
        if not self.is_even:
            return np.asarray(runs.pulls @ np.array(costs, float) / MONEY_UNITS)
        if self.problem.pools is not None:
            return None
        return np.asarray(runs.stop * (sum(costs) / len(costs) / MONEY_UNITS), np.float64)

    def _count_traffic(self, pulls: NDArray[np.int64]) -> NDArray[Any]:
        """Return the traffic by which an arm's days are counted: all of it if it is split evenly.

        Then the arm's label falls when all arms have as many pulls.
        """
        return self._traffic.pulls(pulls) if self.is_even else pulls

    def _expect(
        self,
        name: Arm,
        values: NDArray[Any],
        bound: float | None,
        traffic: NDArray[Any] | None = None,
        labelled: float | None = None,
        money: NDArray[np.float64] | None = None,
    ) -> Expected:
        pulls = values[~np.isnan(values)].astype(float)
        spent = pulls if traffic is None else traffic
        mean, runs, per_day = float(pulls.mean()), pulls.size, self.per_day
        has_error = runs > 1
        return Expected(
            name,
            runs,
            mean,
            float(pulls.std(ddof=1)) / math.sqrt(runs) if has_error else None,
            self.find_needed_pulls(pulls),
            bound,
            estimate_quantile_error(pulls, self.quantile) if has_error else None,
            bound_quantile(pulls, self.quantile),
            days=None if per_day is None else float(spent.mean()) / per_day,
            quantile_days=None if per_day is None else self.find_needed_pulls(spent) / per_day,
            labelled=labelled,
            cost=None if money is None else float(money.mean()),
            quantile_cost=None if money is None else self.find_needed_pulls(money),
        )


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
