"""Pulls against gap: the means of a plan moved towards the threshold and away from it."""

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Final

import numpy as np

from goodarm.algorithm import Algorithm
from goodarm.errors import SpecError
from goodarm.planning.effort import MOST_WORK_OF_A_RUN, predicted_pulls, work_of
from goodarm.planning.family import Family, Floats, family_of
from goodarm.planning.forecast import Simulator, StageCallback, lower_bound
from goodarm.results.plan import Plan

RUNS: Final = 25
_STEPS: Final = 2.0 ** np.arange(-1.0, 2.1, 0.5)
"""The gaps of a picture, as parts of the plan's own."""


@dataclass(frozen=True, eq=False)
class GapCurve:
    """The mean and the quantile of the pulls at the end, for one algorithm at each gap."""

    algorithm: str
    gaps: Floats
    mean: Floats
    quantile: Floats


@dataclass(frozen=True, eq=False)
class GapCurves:
    """What a picture of a plan shows.

    ``bound`` is the lower bound at ``gaps``, nan where there is none.
    """

    caption: str
    quantile: float
    budget: int | None
    curves: tuple[GapCurve, ...]
    gaps: Floats
    bound: Floats


def pulls_by_gap(
    plan: Plan, executor: Executor | None = None, progress: StageCallback | None = None
) -> GapCurves:
    """Pulls at the end against the gap, from half a plan's gap to four times as much.

    All distances from the threshold grow and shrink together. At each gap there are 25 runs; a gap
    whose means do not fit the rewards' range, or whose runs would take too long, is left out.
    """
    family = family_of(plan.problem, np.array(plan.forecasts[0].means))
    if family is None:
        raise SpecError("The plan has no picture: all its means are on the threshold.")
    simulator = Simulator(plan.problem, plan.seed, plan.quantile, executor, progress)
    curves = [_curve(plan, family, simulator, position) for position in range(len(plan.forecasts))]
    every = np.concatenate([curve.gaps for curve in curves])
    gaps = np.geomspace(every.min(), every.max(), 50)
    bounds = [lower_bound(plan.problem, family.at(gap), plan.problem.until) for gap in gaps]
    bound = np.array([np.nan if value is None else value for value in bounds])
    return GapCurves(plan.caption, plan.quantile, plan.budget, tuple(curves), gaps, bound)


def _curve(plan: Plan, family: Family, simulator: Simulator, position: int) -> GapCurve:
    forecast, total = plan.forecasts[position], len(plan.forecasts)
    algorithm = Algorithm.from_dict(forecast.algorithm)
    gap = forecast.gap or family.most
    gaps = [gap * step for step in _STEPS if _is_drawn(family, algorithm, gap * step, step)]
    means, quantiles = [], []
    for number, one in enumerate(gaps):
        ends = (
            (position + number / len(gaps)) / total,
            (position + (number + 1) / len(gaps)) / total,
        )
        stop = simulator.run(algorithm, family.at(one), RUNS, part=ends).stop
        means.append(float(stop.mean()))
        quantiles.append(simulator.needed(stop))
    return GapCurve(forecast.name, np.array(gaps), np.array(means), np.array(quantiles))


def _is_drawn(family: Family, algorithm: Algorithm, gap: float, step: float) -> bool:
    """Whether the gap fits the rewards' range and its runs do not take long; the plan's own is."""
    if gap > family.most or step == 1.0:
        return step == 1.0
    means = family.at(gap)
    pulls = predicted_pulls(family.problem, algorithm, means)
    work = work_of(family.problem, algorithm, means, pulls)
    return bool(work * RUNS < MOST_WORK_OF_A_RUN)
