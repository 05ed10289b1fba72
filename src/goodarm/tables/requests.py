"""Requests to a table, and the interface of the sink that receives its single rewards.

Pulls and sums are always computed. Anything else is computed by the caller from single rewards: a
``RewardSink`` receives them, and a ``RewardRequest`` says what an engine computes for it.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from goodarm.problem import Problem

LOW_MONEY_DIGITS: Final = 2**20
"""Sums of billionths of money are taken in two parts, of which floats hold each exactly."""
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class RewardSink(Protocol):
    """Receiver of single rewards. Arms are numbered in the order of appearance."""

    def add(self, arms: Ints, values: Floats, times: Floats, thresholds: Floats) -> None:
        """Add rewards in the user's unit with their counts; ``thresholds`` has all arms so far."""

    def add_moments(self, arms: Ints, rewards: Floats, means: Floats, squares: Floats) -> None:
        """Add an engine's result: number of rewards, mean, and squared deviations from it."""

    def add_bins(self, arms: Ints, bins: Floats, times: Floats) -> None:
        """Add unit rewards that an engine has counted in bins."""

    def add_logs(self, arms: Ints, logs: Floats) -> None:
        """Add the sums of the logs of ``LogFactors`` that an engine has computed."""

    def copy(self) -> "RewardSink":
        """Return a copy."""


class LogFactors(NamedTuple):
    """Factors 1 + slope (x - offset) of each unit reward x, the logs of which are summed."""

    slopes: Floats
    offsets: Floats


class ValueRequest(NamedTuple):
    """Request for the counts of values from an engine.

    Args:
        max_distinct: the largest number of distinct values of an arm that are counted one by one;
            beyond that they are counted in bins.
        num_bins: the number of bins of the rewards' range.
        factors_at: returns the factors at a threshold, for arms whose values are counted in bins.
    """

    max_distinct: int
    num_bins: int
    factors_at: Callable[[float], LogFactors]


class RewardRequest(NamedTuple):
    """Request for single rewards.

    Args:
        new_sink: creates the sink that receives them.
        values: the request for counts of values, if an engine must count them.
        has_moments: whether an engine must compute their spread.
        has_order: whether the order of rows matters; engines keep no order.
    """

    new_sink: Callable[[], RewardSink]
    values: ValueRequest | None = None
    has_moments: bool = False
    has_order: bool = False


class TableRequest(NamedTuple):
    """Request to a table.

    Args:
        problem: the kind of rewards and their range; its threshold is used only if arms do not have
            their own.
        threshold, pool: the number of all arms, a dict from each arm to its own, or None if there
            is none or a column has them.
        rewards: the request for single rewards; None for pulls and sums alone.
        has_arms: the problem names the arms, and the table may lack some.
    """

    problem: Problem
    threshold: float | Mapping[Any, Any] | None
    pool: int | Mapping[Any, Any] | None = None
    rewards: RewardRequest | None = None
    has_arms: bool = False
