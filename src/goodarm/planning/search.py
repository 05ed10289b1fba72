"""Search for the smallest gap that a budget of pulls resolves."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from goodarm.algorithm import Algorithm
from goodarm.errors import SpecError, invalid_argument
from goodarm.planning.effort import MAX_SEARCH_WORK, predict_stop
from goodarm.planning.family import Family, Floats
from goodarm.planning.forecast import Simulator, lower_bound
from goodarm.results import Runs
from goodarm.views.numbers import format_count, format_number
from goodarm.wording import phrase

GAP_PRECISION: Final = 1.01
"""Precision of the search: a gap this many times smaller than the one found is not resolved."""

_BUDGET_CAP: Final = 4
"""Multiple of the budget after which a run is given up."""

_AIM_BEYOND: Final = 1.004
"""Factor by which a try aims beyond the gap that is predicted."""
_HALVINGS: Final = 60


def find_smallest_gap(
    simulator: Simulator,
    family: Family,
    algorithm: Algorithm,
    budget: int,
    runs: int | None,
    progress_part: tuple[float, float],
) -> Runs:
    """Simulate at the smallest gap at which the plan's share of runs ends within the budget.

    All gaps see the same random numbers. Pulls go with 1 / gap^2, so each try predicts the next; it
    aims a little past the mark, so that a gap that is resolved and one that is not soon lie close
    together.
    If the runs at the gap found are not precise enough, the search continues there with more runs.
    ``progress_part`` is the part of the progress bar that the search fills.
    """
    is_free = runs is None
    gap = _predict_gap(simulator, family, algorithm, budget)
    unresolved, resolved = 0.0, math.inf
    found: Runs | None = None
    (start, end), max_pulls = progress_part, _BUDGET_CAP * budget
    for tries in range(_HALVINGS):
        ends = [start + (end - start) * (tries + more) / (tries + more + 2) for more in (0, 1)]
        try_part, means = (ends[0], ends[1]), family.at(gap)
        if runs is None:
            simulated = simulator.simulate_enough_runs(
                algorithm, means, try_part, most_work=MAX_SEARCH_WORK, max_pulls=max_pulls
            )
            runs = len(simulated)
        else:
            simulated = simulator.run(algorithm, means, runs, max_pulls=max_pulls, part=try_part)
        needed = simulator.find_needed_pulls(simulated.stop)
        if needed <= budget:
            resolved, found = gap, simulated
        elif gap < family.most:
            unresolved = gap
        else:
            raise _make_budget_error(algorithm, budget, gap, needed)
        if found is not None and resolved <= GAP_PRECISION * unresolved:
            wanted = (
                simulator.find_wanted_runs(algorithm, found, MAX_SEARCH_WORK) if is_free else runs
            )
            if wanted <= runs:
                break
            runs, gap, unresolved, resolved = wanted, resolved, 0.0, math.inf
            continue
        gap = _choose_next_gap(
            gap, needed / budget, unresolved, resolved, is_halving=tries % 4 == 3
        )
        gap = min(gap, family.most)
    if found is None or found.stop.max() >= max_pulls:
        found = simulator.run(algorithm, family.at(resolved), runs or 1, part=(ends[1], end))
    simulator.report_progress(algorithm, progress_part, 1.0, int(found.stop.sum()))
    return replace(found, problem=simulator.problem)


def _choose_next_gap(
    gap: float, ratio: float, unresolved: float, resolved: float, is_halving: bool
) -> float:
    """Return the next gap to try: where 1 / gap^2 meets the budget, or between the known ends."""
    aimed = gap * math.sqrt(ratio) * (_AIM_BEYOND if ratio > 1.0 else 1.0 / _AIM_BEYOND)
    if math.isinf(resolved) or unresolved == 0.0:
        return aimed
    if is_halving or not unresolved < aimed < resolved:
        return math.sqrt(unresolved * resolved)
    return aimed


def _predict_gap(simulator: Simulator, family: Family, algorithm: Algorithm, budget: int) -> float:
    """Predict about the gap at which a run takes the budget."""

    def is_within(means: Floats) -> bool:
        is_even = simulator.is_even
        return predict_stop(family.problem, algorithm, means, is_even=is_even) <= budget

    return _find_least_gap(family, is_within) or family.most


def find_bound_gap(family: Family, budget: int) -> float | None:
    """Return the gap at which the lower bound is the budget; None where there is no bound."""

    def is_within(means: Floats) -> bool:
        bound = lower_bound(family.problem, means, family.problem.until)
        return bound is not None and bound <= budget

    return _find_least_gap(family, is_within)


def _find_least_gap(family: Family, is_within: Callable[[Floats], bool]) -> float | None:
    """Return the smallest gap whose means are within; None if not even the largest is."""
    high, low = family.most, family.most * 1e-12
    if not is_within(family.at(high)):
        return None
    for _ in range(_HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if is_within(family.at(middle)) else (middle, high)
    return high


def _make_budget_error(algorithm: Algorithm, budget: int, gap: float, needed: float) -> SpecError:
    enough = f"{algorithm.name} needs {format_count(needed)} or more"
    rule = f"be larger: at the largest distance, {format_number(gap)}, {enough}"
    remedy = phrase(
        "Ask for a larger {budget}, a larger {delta}, a {margin}, or another {algorithm}."
    )
    return invalid_argument("budget", "plan", rule, budget, remedy)
