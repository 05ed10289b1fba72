"""Bets on scores from a pool, in the order of their cases: each case drawn moves the bar.

Compiled code is imported when it is first needed.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import ValueCounts
from goodarm.judging.bets import RuleBets

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class OrderedRewards:
    """Rewards of a table's arms in their order; a pool is small enough to keep them all."""

    def __init__(self, bets: RuleBets) -> None:
        self._bets = bets
        self._arms: list[Ints] = []
        self._units: list[Floats] = []

    def copy(self) -> "OrderedRewards":
        """Return a copy."""
        other = OrderedRewards(self._bets)
        other._arms, other._units = list(self._arms), list(self._units)
        return other

    def add(self, arms: Ints, units: Floats, times: Floats, thresholds: Floats) -> None:
        """Add rows of arms and their rewards in unit rewards, one row per case."""
        self._arms.append(arms)
        self._units.append(units)

    def counts(self, thresholds: Floats, pools: Floats | None) -> tuple[ValueCounts, Floats]:
        """Return all rewards in their order, and the logs of wealth, a row for each arm."""
        arms = np.concatenate([np.zeros(0, np.int64), *self._arms])
        order = np.argsort(arms, kind="stable")
        units = np.concatenate([np.zeros(0), *self._units])[order]
        starts = np.searchsorted(arms[order], np.arange(len(thresholds) + 1)).astype(np.intp)
        wealth = np.zeros((len(thresholds), self._bets.width(thresholds)))
        sizes = np.zeros(len(thresholds)) if pools is None else pools
        for arm, (threshold, size) in enumerate(zip(thresholds, sizes, strict=True)):
            rewards = units[starts[arm] : starts[arm + 1]].tolist()
            if rewards:
                made = self._bet_in_order(float(threshold), int(size), rewards)
                wealth[arm, : len(made)] = made
        return ValueCounts(starts, units, units, np.ones(len(units))), wealth

    def _bet_in_order(self, threshold: float, size: int, rewards: list[float]) -> Any:
        """Bet on each reward in turn, and return the log wealth of each bet."""
        from goodarm.kernels.dispatch import bet
        from goodarm.kernels.numerics.bets import make_wealth

        setup, rows = self._bets.in_pool(threshold, size)
        wealth, total = make_wealth(1, rows), 0.0
        for n, reward in enumerate(rewards):
            bet(setup, wealth, 0, size, n, total, 0.0, reward, reward)
            total += reward
        return wealth[0]
