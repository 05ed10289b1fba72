"""Requests: what a caller wants of a table, and who takes its single rewards.

Pulls and sums are always added up. What else is made of single rewards is the caller's business: a
``RewardSink`` takes them, and a ``RewardRequest`` says what an engine is to work out for it.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from goodarm.problem import Problem

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class RewardSink(Protocol):
    """Receiver of single rewards. Arms are numbered in the order in which they were first seen."""

    def add(self, arms: Ints, values: Floats, times: Floats, thresholds: Floats) -> None:
        """Take rewards in the user's unit, and how often each came; all arms' thresholds so far."""

    def add_moments(self, arms: Ints, rewards: Floats, means: Floats, squares: Floats) -> None:
        """Take what an engine found: rewards, their mean, squared distances from it."""

    def add_bins(self, arms: Ints, bins: Floats, times: Floats) -> None:
        """Take bins of unit rewards that an engine counted."""

    def add_logs(self, arms: Ints, logs: Floats) -> None:
        """Take the sums of the logs of ``LogFactors`` that an engine worked out."""

    def copy(self) -> "RewardSink":
        """Return another sink with the same content."""


class LogFactors(NamedTuple):
    """Factors 1 + slope (x - offset) of each unit reward x; the sums of their logs are wanted."""

    slopes: Floats
    offsets: Floats


class ValueRequest(NamedTuple):
    """How an engine counts values.

    Args:
        max_distinct: how many different values of an arm are counted one by one; beyond that they
            are counted in bins.
        num_bins: the bins of the rewards' range.
        factors_at: the factors at a threshold, for arms whose values are counted in bins.
    """

    max_distinct: int
    num_bins: int
    factors_at: Callable[[float], LogFactors]


class RewardRequest(NamedTuple):
    """What is wanted of single rewards.

    Args:
        new_sink: makes what takes them.
        values: how often each value came, if that is wanted of an engine.
        has_moments: whether their spread is wanted of an engine.
        has_order: whether the order of rows matters; engines keep none.
    """

    new_sink: Callable[[], RewardSink]
    values: ValueRequest | None = None
    has_moments: bool = False
    has_order: bool = False


class TableRequest(NamedTuple):
    """What is asked of a table.

    Args:
        problem: the kind of rewards and their range; its threshold counts only where arms have no
            own.
        threshold, pool: the number of all arms, a dict from each arm to its own, or None where
            there is none, or a column has them.
        rewards: what is wanted of single rewards; None for pulls and sums alone.
        has_arms: the problem names the arms, of which the table may lack some.
    """

    problem: Problem
    threshold: float | Mapping[Any, Any] | None
    pool: int | Mapping[Any, Any] | None = None
    rewards: RewardRequest | None = None
    has_arms: bool = False
