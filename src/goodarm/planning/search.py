"""The reverse question: the smallest gap that a budget of pulls resolves."""

import math
from collections.abc import Callable
from typing import Final

from goodarm.algorithm import Algorithm
from goodarm.errors import Hint, SpecError, must
from goodarm.planning.effort import (
    SEARCH_WORK,
    check_work,
    predicted_pulls,
    predicted_stop,
    work_of,
)
from goodarm.planning.family import Family, Floats
from goodarm.planning.forecast import LEAST_RUNS, Simulator, lower_bound
from goodarm.problem import Problem
from goodarm.results.table import format_count, format_number

FINEST: Final = 1.01
"""A gap this many times smaller than the one found is not resolved."""

_CAP: Final = 4
"""A run is given up at so many times the budget."""

_FEWEST_RUNS: Final = 20
_AHEAD: Final = 1.004
_HALVINGS: Final = 60


def smallest_gap(
    simulator: Simulator,
    family: Family,
    algorithm: Algorithm,
    budget: int,
    runs: int | None,
    part: tuple[float, float],
) -> tuple[float, int]:
    """The smallest gap at which the plan's share of runs ends within the budget; and the runs.

    All gaps see the same random numbers. Pulls go with 1 / gap^2, so each try tells the next; it
    aims a little past the mark, so that a gap that fails and one that does soon lie close together.
    """
    gap = _predicted_gap(family, algorithm, budget)
    if runs is None:
        runs = _runs_to_make(family.problem, algorithm, family.at(gap), budget)
    fails, does = 0.0, math.inf
    start, end = part
    for tries in range(_HALVINGS):
        at = start + (end - start) * tries / (tries + 4)
        made = simulator.run(
            algorithm, family.at(gap), runs, max_pulls=_CAP * budget, part=(at, at)
        )
        needed = simulator.needed(made.stop)
        if needed <= budget:
            does = gap
        elif gap < family.most:
            fails = gap
        else:
            raise _too_small(algorithm, budget, gap, needed)
        if does <= FINEST * fails:
            break
        gap = _next_gap(gap, needed / budget, fails, does, is_stuck=tries % 4 == 3)
        gap = min(gap, family.most)
    return does, runs


def _next_gap(gap: float, ratio: float, fails: float, does: float, is_stuck: bool) -> float:
    """The gap to try: where 1 / gap^2 says the budget is met, or between the ends known."""
    aimed = gap * math.sqrt(ratio) * (_AHEAD if ratio > 1.0 else 1.0 / _AHEAD)
    if math.isinf(does) or fails == 0.0:
        return aimed
    if is_stuck or not fails < aimed < does:
        return math.sqrt(fails * does)
    return aimed


def _predicted_gap(family: Family, algorithm: Algorithm, budget: int) -> float:
    """About the gap at which a run takes the budget."""

    def is_within(means: Floats) -> bool:
        return predicted_stop(family.problem, algorithm, means) <= budget

    return _least(family, is_within) or family.most


def bound_gap(family: Family, budget: int) -> float | None:
    """The gap at which the lower bound is the budget; None where there is none."""

    def is_within(means: Floats) -> bool:
        bound = lower_bound(family.problem, means, family.problem.until)
        return bound is not None and bound <= budget

    return _least(family, is_within)


def _least(family: Family, is_within: Callable[[Floats], bool]) -> float | None:
    """The smallest gap whose means are within; None if not even the largest is."""
    high, low = family.most, family.most * 1e-12
    if not is_within(family.at(high)):
        return None
    for _ in range(_HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if is_within(family.at(middle)) else (middle, high)
    return high


def _runs_to_make(problem: Problem, algorithm: Algorithm, means: Floats, budget: int) -> int:
    """As many as a forecast has at least, or fewer where the budget is large."""
    check_work(problem, algorithm, means)
    each = predicted_pulls(problem, algorithm, means)
    work = work_of(problem, algorithm, means, each * (budget / each.sum()))
    return max(_FEWEST_RUNS, min(LEAST_RUNS, int(SEARCH_WORK / work)))


def _too_small(algorithm: Algorithm, budget: int, gap: float, needed: float) -> SpecError:
    few = f"{algorithm.name} needs {format_count(needed)} or more"
    rule = f"be larger: at the largest gap, {format_number(gap)}, {few}"
    remedy = Hint(
        "Ask for a larger budget, a larger delta, a margin, or another algorithm.",
        "Ask for a larger --budget, a larger --delta, a --margin, or another --algorithm.",
    )
    return must("budget", "plan", rule, budget, remedy)
