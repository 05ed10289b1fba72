"""Notes on what a table does not say by itself: which way is good, and what was not tested."""

from collections.abc import Mapping
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.problem import Problem
from goodarm.tables import is_cost_name, is_failure_name
from goodarm.views.names import printable
from goodarm.views.numbers import format_setting

_REWARDS: Final = ("reward", "value", "sum")
SUMS_ONLY: Final = (
    "Sums only: sigma could not be tested. A table of single rewards, or of how often each value "
    "came, tests it."
)


def describe_direction(
    columns: Mapping[str, str],
    problem: Problem,
    thresholds: NDArray[np.float64],
    *,
    is_percent: bool = False,
) -> str:
    """Return the note that more counts as better, where the column's name suggests the opposite.

    Args:
        columns: the columns that were read, by meaning.
        problem: the kind of rewards and their range.
        thresholds: each arm's threshold.
        is_percent: whether thresholds are shown in percent.
    """
    is_one = bool(len(thresholds)) and bool((thresholds == thresholds[0]).all())
    bar = float(thresholds[0]) if is_one else None
    shown = partial(format_setting, percent=is_percent)
    least = "the arm's threshold" if bar is None else shown(bar)
    if problem.rewards == "bernoulli":
        return _describe_failures(columns, least, "" if bar is None else shown(1.0 - bar))
    name = next((columns[meaning] for meaning in _REWARDS if meaning in columns), "")
    if not is_cost_name(name):
        return ""
    given = ["thresholds with a minus sign" if bar is None else f"threshold {shown(0.0 - bar)}"]
    if problem.reward_range is not None:
        low, high = problem.reward_range
        given += [f"low {format_setting(0.0 - high)}", f"high {format_setting(0.0 - low)}"]
    return (
        f"Good means a mean of {printable(name)} of at least {least}. If lower is better, put a "
        f"minus sign before each {'sum' if 'sum' in columns else 'number'} of that column, and "
        f"give {', '.join(given)}."
    )


def _describe_failures(columns: Mapping[str, str], least: str, most: str) -> str:
    if "failed" in columns and "successes" not in columns and "rate" not in columns:
        failing = most and f", so that at most {most} fail"
        return f"Good means that a share of at least {least} succeeds{failing}."
    for meaning in ("successes", "rate", "reward", "value"):
        if is_failure_name(name := columns.get(meaning, "")):
            remedy = "write 1 for a success and 0 for a failure"
            if meaning == "successes":
                remedy = f"read the column as failed: failed={printable(name)}"
            elif meaning == "rate":
                remedy = "give the share of successes"
            return (
                f"Good means a mean of {printable(name)} of at least {least}. If it says what "
                f"failed, {remedy}."
            )
    return ""
