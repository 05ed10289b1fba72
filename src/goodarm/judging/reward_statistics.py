"""Statistics of single rewards: the wealth of bets on them, the test of their sigma, their kind."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import ValueCounts
from goodarm.judging.bets import RuleBets
from goodarm.judging.case_order import OrderedRewards
from goodarm.judging.distinct_values import ValueCounter
from goodarm.judging.reward_kind import RewardProfile
from goodarm.judging.sigma_test import Spread
from goodarm.problem import Problem

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class RewardStatistics:
    """Sink for the rewards of a table, added chunk by chunk.

    Args:
        problem: gives the rewards' range, and whether arms have pools.
        bets: the bets on each reward; None if no rule bets.
        tests_sigma: whether the spread of rewards is compared with their sigma.
    """

    def __init__(self, problem: Problem, bets: RuleBets | None, *, tests_sigma: bool) -> None:
        self._problem = problem
        self._values: ValueCounter | OrderedRewards | None = None
        if bets is not None:
            self._values = ValueCounter(bets) if problem.pool is None else OrderedRewards(bets)
        self._spread = Spread() if tests_sigma else None
        self._profile = RewardProfile()

    def add(self, arms: Ints, values: Floats, times: Floats, thresholds: Floats) -> None:
        """Add rewards in the user's unit with their counts; ``thresholds`` has all arms so far."""
        if self._values is not None:
            is_present = times > 0
            units = np.clip(self._problem.to_unit(values[is_present]), 0.0, 1.0)
            self._values.add(arms[is_present], units, times[is_present], thresholds)
        if self._spread is not None:
            self._spread.add(arms, values, times, len(thresholds))
        self._profile.add(arms, values, times, len(thresholds))

    def add_moments(self, arms: Ints, rewards: Floats, means: Floats, squares: Floats) -> None:
        """Add an engine's result: number of rewards, mean, and squared deviations from it."""
        if self._spread is not None:
            self._spread.add_counted(arms, rewards, means, squares)

    def add_bins(self, arms: Ints, bins: Floats, times: Floats) -> None:
        """Add values that an engine has counted in bins."""
        self._profile.skip_some()
        if isinstance(self._values, ValueCounter):
            self._values.add_bins(arms, bins, times)

    def add_logs(self, arms: Ints, logs: Floats) -> None:
        """Add the logs of wealth that an engine has computed."""
        if isinstance(self._values, ValueCounter):
            self._values.add_wealth(arms, logs)

    def copy(self) -> "RewardStatistics":
        """Return a copy."""
        other = RewardStatistics(self._problem, None, tests_sigma=False)
        other._values = None if self._values is None else self._values.copy()
        other._spread = None if self._spread is None else self._spread.copy()
        other._profile = self._profile.copy()
        return other

    def check_sigma(self, sigma: float, arms: Sequence[Any]) -> None:
        """Raise an error if the rewards' spread shows that sigma is too small."""
        if self._spread is not None:
            self._spread.check_sigma(sigma, arms)

    def describe_kind(self, arms: Sequence[Any]) -> str:
        """Return the remark that another kind fits the rewards; empty if there is none."""
        return self._profile.describe(self._problem, arms)

    def counts(
        self, thresholds: Floats, pools: Floats | None
    ) -> tuple[ValueCounts | None, Floats | None]:
        """Return each arm's values and the logs of wealth; None for both if no rule bets."""
        return (None, None) if self._values is None else self._values.counts(thresholds, pools)
