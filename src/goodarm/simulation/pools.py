"""Pools in a simulation: numbers of cases with each reward, which must be whole."""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import SpecError, invalid_argument
from goodarm.problem import Arm, Problem
from goodarm.rewards import Discrete, Distribution

_CASE_ROUNDING: Final = 1e-9
"""Relative tolerance for a share times the number of cases to count as a whole number."""


def count_successes(arm: Arm, size: int, mean: float, owner: str, argument: str) -> int:
    """Return how many of an arm's cases succeed, for 0/1 rewards.

    >>> count_successes("a", 200, 0.805, "simulate", "means")
    161
    """
    cases = mean * size
    whole = round(cases)
    if abs(cases - whole) > _CASE_ROUNDING * max(whole, 1):
        below = int(cases // 1)
        rule = f"be a share of the {size} cases of arm {arm!r}"
        remedy = f"The nearest are {below / size:.12g} and {(below + 1) / size:.12g}."
        raise invalid_argument(argument, owner, rule, mean, remedy)
    return whole


def count_cases(
    arm: Arm, size: int, value: Distribution, owner: str, argument: str
) -> NDArray[np.int64]:
    """Return how many of an arm's cases have each value of a Discrete, for scores."""
    if not isinstance(value, Discrete):
        rule = f"give arm {arm!r} a Discrete, since it has a pool of {size} cases"
        raise invalid_argument(argument, owner, rule, value)
    counts = value.shares * size
    whole = np.rint(counts)
    wrong = np.flatnonzero(np.abs(counts - whole) > _CASE_ROUNDING * np.maximum(whole, 1.0))
    if wrong.size:
        score, count = value.values[wrong[0]], float(counts[wrong[0]])
        rule = (
            f"have weights that are shares of the {size} cases of arm {arm!r}; "
            f"{score!r} would be that of {count:.6g}"
        )
        remedy = f"Give the number of cases as weights, {size} in all."
        raise invalid_argument(argument, owner, rule, value, remedy)
    return whole.astype(np.int64)


def check_cases(problem: Problem, sizes: Mapping[Arm, int], owner: str) -> None:
    """Check that samples of pools have as many rewards as the pools have cases."""
    named = {str(arm): size for arm, size in sizes.items()}
    for arm, cases in zip(problem.arms, problem.pools or (), strict=problem.pools is not None):
        size = named.get(str(arm), cases)
        if size != cases:
            rule = f"hold the {cases} rewards of the pool of arm {arm!r}, each once"
            raise invalid_argument("samples", owner, rule, f"{size} rewards")


def make_too_many_cases_error(cases: int, most: int) -> SpecError:
    """Return the error for pools of scores that are too large to be shuffled for each run."""
    return SpecError(
        f"The pools of scores must have at most {most:,} cases in all to be simulated; "
        f"they have {cases:,}.",
        argument="pool",
        owner="simulate",
        rule=f"have at most {most:,} cases in all",
        value=cases,
        remedy="Simulate fewer arms, or a smaller pool with the same shares.",
    )
