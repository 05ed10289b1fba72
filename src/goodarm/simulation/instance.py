"""The true means of a simulation: read, checked, and checked to let a run end."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.arguments import check_list, check_number
from goodarm.errors import Hint, SpecError, must
from goodarm.problem import Arm, Problem

Means = Sequence[float] | NDArray[Any] | Mapping[Arm, float]


def split_means(means: object, owner: str) -> tuple[int | list[Arm], list[object]]:
    """Arms and their means: from a mapping of labels, or from numbers alone."""
    if isinstance(means, Mapping):
        return list(means), list(means.values())
    values = check_list("means", owner, means, "numbers, or a mapping from arm to mean")
    if not values:
        raise must("means", owner, "hold at least one arm", values)
    return len(values), values


def check_means(problem: Problem, means: object, owner: str) -> NDArray[np.float64]:
    """The means as an array, one for each arm, each one that the rewards can have."""
    return fit_means(problem, *split_means(means, owner), owner)


def fit_means(
    problem: Problem, arms: int | list[Arm], values: list[object], owner: str
) -> NDArray[np.float64]:
    """Means that were split, in the order of the problem's arms and checked."""
    if len(values) != problem.num_arms:
        raise must("means", owner, f"have one mean for each of {problem.num_arms} arms", values)
    if isinstance(arms, list):
        named = dict(zip(map(str, arms), values, strict=True))
        for arm in problem.arms:
            if str(arm) not in named:
                remedy = f"Arm {arm!r} has no mean."
                raise must("means", owner, "name the arms of the problem", arms, remedy)
        values = [named[str(arm)] for arm in problem.arms]
    checked = [check_number("means", owner, value) for value in values]
    if problem.reward_range is not None:
        low, high = problem.reward_range
        for value in checked:
            if not low <= value <= high:
                raise must("means", owner, f"lie in [{low:g}, {high:g}], the rewards' range", value)
    return np.array(checked, np.float64)


def check_ends(problem: Problem, means: NDArray[np.float64], can_starve: bool) -> None:
    """Refuse a simulation that would never end because an arm sits on the threshold.

    A sampling rule that can starve arms may keep an ``until`` from ever being reached.
    """
    on_threshold = np.flatnonzero(means == problem.threshold)
    if problem.margin > 0 or problem.max_pulls is not None or len(on_threshold) == 0:
        return
    num_above = int((means > problem.threshold).sum())
    if problem.until is not None and problem.until <= num_above and not can_starve:
        return
    arm = problem.arms[on_threshold[0]]
    if can_starve:
        remedy = Hint(
            "Give a margin or a max_pulls: this sampling rule may never leave that arm.",
            "Give a --margin or a --max-pulls: this sampling rule may never leave that arm.",
        )
    elif num_above > 0:
        above = f"of at most {num_above}, the number of arms above the threshold."
        remedy = Hint(
            f"Give a margin, a max_pulls, or an until {above}",
            f"Give a --margin, a --max-pulls, or an --until {above}",
        )
    else:
        remedy = Hint("Give a margin or a max_pulls.", "Give a --margin or a --max-pulls.")
    endless = (
        f"The simulation would never end: arm {arm!r} has its mean on the threshold "
        f"{problem.threshold!r}, so no rule can label it."
    )
    raise SpecError(f"{endless} {remedy.python}", f"{endless} {remedy.option}")
