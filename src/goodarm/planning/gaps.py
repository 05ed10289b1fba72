"""Pulls against gap: the means of a plan moved towards the threshold and away from it."""

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Final

import numpy as np

from goodarm.algorithm import Algorithm
from goodarm.errors import SpecError
from goodarm.planning.effort import MAX_FORECAST_WORK, predict_work
from goodarm.planning.family import Family, Floats, find_gap, make_family
from goodarm.planning.forecast import Simulator, lower_bound
from goodarm.results import Plan
from goodarm.simulation import StageCallback
from goodarm.views.problem_text import describe_problem

RUNS: Final = 25
_STEPS: Final = 2.0 ** np.arange(-1.0, 2.1, 0.5)
"""Gaps of a figure, as multiples of the plan's own."""


@dataclass(frozen=True, eq=False)
class GapCurve:
    """Mean and quantile of the pulls at the end, for one algorithm at each gap."""

    algorithm: str
    gaps: Floats
    mean: Floats
    quantile: Floats


@dataclass(frozen=True, eq=False)
class GapCurves:
    """Data of a plan's figure.

    ``bound`` is the lower bound at ``gaps``, nan where there is none.
    """

    caption: str
    quantile: float
    budget: int | None
    curves: tuple[GapCurve, ...]
    gaps: Floats
    bound: Floats


def simulate_by_gap(
    plan: Plan, executor: Executor | None = None, progress: StageCallback | None = None
) -> GapCurves:
    """Simulate the pulls at the end against the gap, from half a plan's gap to four times it.

    All distances from the threshold grow and shrink together. The point at the plan's own gap has
    the plan's numbers, each other point those of 25 runs; a gap whose means do not fit the rewards'
    range, or whose runs would take too long, is left out.
    """
    if plan.distributions is not None:
        raise _make_picture_error("distributions and samples do not move towards the threshold")
    if plan.begun is not None:
        raise _make_picture_error("it goes on from counts, which do not move with the means")
    family = make_family(plan.problem, np.array(plan.forecasts[0].means))
    if family is None:
        raise _make_picture_error("all its means are on the threshold")
    is_even = plan.split == "even"
    simulator = Simulator(
        plan.problem, plan.seed, plan.quantile, executor, progress, is_even=is_even
    )
    curves = [
        _simulate_curve(plan, family, simulator, position)
        for position in range(len(plan.forecasts))
    ]
    every = np.concatenate([curve.gaps for curve in curves])
    gaps = np.geomspace(every.min(), every.max(), 50)
    bounds = [lower_bound(plan.problem, family.at(gap), plan.problem.until) for gap in gaps]
    bound = np.array([np.nan if value is None else value for value in bounds])
    return GapCurves(
        describe_problem(plan.problem), plan.quantile, plan.budget, tuple(curves), gaps, bound
    )


def _make_picture_error(why: str) -> SpecError:
    return SpecError(
        f"The plan has no picture: {why}.",
        argument="plan",
        owner="simulate_by_gap",
        rule="have means that move towards the threshold",
    )


def _simulate_curve(plan: Plan, family: Family, simulator: Simulator, position: int) -> GapCurve:
    forecast, total = plan.forecasts[position], len(plan.forecasts)
    algorithm = Algorithm.from_dict(forecast.algorithm)
    plan_distance = forecast.distance or family.most
    steps = [
        step
        for step in _STEPS
        if step == 1.0 or _is_drawn(simulator, family, algorithm, plan_distance * step)
    ]
    points = []
    for number, step in enumerate(steps):
        if step == 1.0:
            points.append((plan_distance, forecast.stop.mean, forecast.stop.quantile))
            continue
        ends = [(position + (number + more) / len(steps)) / total for more in (0, 1)]
        means = family.at(plan_distance * step)
        stop = simulator.run(algorithm, means, RUNS, part=(ends[0], ends[1])).stop
        gap = plan_distance * step
        if plan.problem.pools is not None:
            gap = find_gap(plan.problem, means) or gap
        points.append((gap, float(stop.mean()), simulator.find_needed_pulls(stop)))
    return GapCurve(forecast.name, *np.array(points).T)


def _is_drawn(simulator: Simulator, family: Family, algorithm: Algorithm, gap: float) -> bool:
    """Return whether the means fit the rewards' range and the runs do not take long."""
    if not family.fits(gap):
        return False
    is_even = simulator.is_even
    work = predict_work(family.problem, algorithm, family.at(gap), is_even=is_even)
    return bool(work * RUNS < MAX_FORECAST_WORK)
