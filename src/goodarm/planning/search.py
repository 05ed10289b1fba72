"""Search for the smallest gap that a budget of pulls resolves."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from goodarm.algorithm import Algorithm
from goodarm.errors import SpecError, invalid_argument
from goodarm.planning.effort import MAX_SEARCH_WORK, predicted_stop
from goodarm.planning.family import Family, Floats
from goodarm.planning.forecast import Simulator, lower_bound
from goodarm.results import Runs
from goodarm.views.numbers import format_count, format_number
from goodarm.wording import phrase

GAP_PRECISION: Final = 1.01
"""Precision of the search: a gap this many times smaller than the one found is not resolved."""

_BUDGET_CAP: Final = 4
"""Multiple of the budget after which a run is given up."""

_AHEAD: Final = 1.004
_HALVINGS: Final = 60


def smallest_gap(
    simulator: Simulator,
    family: Family,
    algorithm: Algorithm,
    budget: int,
    runs: int | None,
    part: tuple[float, float],
) -> Runs:
    """Simulate at the smallest gap at which the plan's share of runs ends within the budget.

    All gaps see the same random numbers. Pulls go with 1 / gap^2, so each try predicts the next; it
    aims a little past the mark, so that a gap that fails and one that does soon lie close together.
    If the runs at the gap found are not precise enough, the search continues there with more runs.
    """
    is_free = runs is None
    gap = _predicted_gap(family, algorithm, budget)
    fails, does = 0.0, math.inf
    found: Runs | None = None
    (start, end), most = part, _BUDGET_CAP * budget
    for tries in range(_HALVINGS):
        ends = [start + (end - start) * (tries + more) / (tries + more + 2) for more in (0, 1)]
        ahead, means = (ends[0], ends[1]), family.at(gap)
        if runs is None:
            made = simulator.enough_runs(
                algorithm, means, ahead, most_work=MAX_SEARCH_WORK, max_pulls=most
            )
            runs = len(made)
        else:
            made = simulator.run(algorithm, means, runs, max_pulls=most, part=ahead)
        needed = simulator.needed(made.stop)
        if needed <= budget:
            does, found = gap, made
        elif gap < family.most:
            fails = gap
        else:
            raise _too_small(algorithm, budget, gap, needed)
        if found is not None and does <= GAP_PRECISION * fails:
            wanted = simulator.wanted_runs(algorithm, found, MAX_SEARCH_WORK) if is_free else runs
            if wanted <= runs:
                break
            runs, gap, fails, does = wanted, does, 0.0, math.inf
            continue
        gap = _next_gap(gap, needed / budget, fails, does, is_stuck=tries % 4 == 3)
        gap = min(gap, family.most)
    if found is None or found.stop.max() >= most:
        found = simulator.run(algorithm, family.at(does), runs or 1, part=(ends[1], end))
    simulator.tell(algorithm, part, 1.0, int(found.stop.sum()))
    return replace(found, problem=simulator.problem)


def _next_gap(gap: float, ratio: float, fails: float, does: float, is_stuck: bool) -> float:
    """Return the next gap to try: where 1 / gap^2 meets the budget, or between the known ends."""
    aimed = gap * math.sqrt(ratio) * (_AHEAD if ratio > 1.0 else 1.0 / _AHEAD)
    if math.isinf(does) or fails == 0.0:
        return aimed
    if is_stuck or not fails < aimed < does:
        return math.sqrt(fails * does)
    return aimed


def _predicted_gap(family: Family, algorithm: Algorithm, budget: int) -> float:
    """Predict about the gap at which a run takes the budget."""

    def is_within(means: Floats) -> bool:
        return predicted_stop(family.problem, algorithm, means) <= budget

    return _least(family, is_within) or family.most


def bound_gap(family: Family, budget: int) -> float | None:
    """Return the gap at which the lower bound is the budget; None where there is no bound."""

    def is_within(means: Floats) -> bool:
        bound = lower_bound(family.problem, means, family.problem.until)
        return bound is not None and bound <= budget

    return _least(family, is_within)


def _least(family: Family, is_within: Callable[[Floats], bool]) -> float | None:
    """Return the smallest gap whose means are within; None if not even the largest is."""
    high, low = family.most, family.most * 1e-12
    if not is_within(family.at(high)):
        return None
    for _ in range(_HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if is_within(family.at(middle)) else (middle, high)
    return high


def _too_small(algorithm: Algorithm, budget: int, gap: float, needed: float) -> SpecError:
    few = f"{algorithm.name} needs {format_count(needed)} or more"
    rule = f"be larger: at the largest distance, {format_number(gap)}, {few}"
    remedy = phrase(
        "Ask for a larger {budget}, a larger {delta}, a {margin}, or another {algorithm}."
    )
    return invalid_argument("budget", "plan", rule, budget, remedy)
