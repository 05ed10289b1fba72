"""Bets of a rule at each arm's threshold, and their wealth after an arm's rewards.

A bet b against a bar multiplies its wealth by 1 + b (x - bar) at reward x. So the log of wealth is
a sum over rewards, in any order, computed here or inside an engine.
"""

from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import IdentificationRule, ValueCounts, make_setup
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem

Floats = NDArray[np.float64]

_REWARDS_PER_BLOCK: Final = 1 << 14
"""Rewards that are bet on together: few enough for the processor's cache."""


_ARMS_PER_BLOCK: Final = 256
"""Arms whose values are bet on together: each has a few hundred values at most."""
_FACTORS_PER_LOG: Final = 8
"""Number of factors that are multiplied before the logarithm is taken."""


class Bets(NamedTuple):
    """Bets at one threshold, those on good first, and the bar of each, in unit rewards."""

    bets: Floats
    bars: Floats


class RuleBets:
    """Bets of a rule on arms, each with its threshold."""

    def __init__(self, problem: Problem, rule: IdentificationRule) -> None:
        self._problem, self._rule = problem, rule
        self._known: dict[float, Bets] = {}

    def width(self, thresholds: Floats) -> int:
        """Return the largest number of bets against any of these thresholds."""
        return max((len(self.at(bar).bets) for bar in np.unique(thresholds).tolist()), default=0)

    def at(self, threshold: float) -> Bets:
        """Return the bets against one threshold; their number depends on it."""
        if threshold not in self._known:
            self._known[threshold] = self._make_bets(replace(self._problem, threshold=threshold))
        return self._known[threshold]

    def _make_bets(self, problem: Problem) -> Bets:
        rule = self._rule.for_problem(problem)
        setup = make_setup(problem, rule, arms_planned=1)
        bets = rule.bet_rows(setup)[0]
        return Bets(bets, np.repeat([setup.good_bar, setup.bad_bar], len(bets) // 2))

    def in_pool(self, threshold: float, size: int) -> tuple[Setup, Floats]:
        """Return the setup of an arm with ``size`` cases, and its bets with the logs of shares."""
        problem = replace(self._problem.without_costs(), arms=(0,), threshold=threshold, pool=size)
        rule = self._rule.for_problem(problem)
        setup = make_setup(problem, rule, arms_planned=1)
        return setup, rule.bet_rows(setup)

    def by_arm(self, thresholds: Floats) -> Bets:
        """Return the bets of each arm, a row each, padded with zeros."""
        bars, back = np.unique(thresholds, return_inverse=True)
        rows = np.zeros((2, len(bars), self.width(bars)))
        for place, bar in enumerate(bars.tolist()):
            found = self.at(bar)
            rows[:, place, : len(found.bets)] = found
        return Bets(rows[0][back], rows[1][back])

    def wealth_of_rows(
        self, arms: NDArray[np.int64], thresholds: Floats, values: Floats, times: Floats
    ) -> tuple[NDArray[np.int64], list[Floats]]:
        """Return the arms that occur in rows sorted by arm, and the logs of wealth of each.

        Args:
            arms: the arm of each row.
            thresholds: the threshold of each arm.
            values: the reward of each row, in unit rewards.
            times: the number of times that it occurred.
        """
        present, firsts = np.unique(arms, return_index=True)
        arm_bets = self.by_arm(thresholds[present])
        wealth = np.zeros(arm_bets.bets.shape)
        places = np.repeat(np.arange(len(present)), np.diff(np.append(firsts, len(arms))))
        for start in range(0, len(arms), _REWARDS_PER_BLOCK):
            rows = slice(start, start + _REWARDS_PER_BLOCK)
            here, begin = np.unique(places[rows], return_index=True)
            of = here if len(here) == 1 else places[rows]
            gains = arm_bets.bets[of].T * (values[rows] - arm_bets.bars[of].T)
            wealth[here] += _log_products(gains, times[rows], begin).T
        widths = [len(self.at(bar).bets) for bar in thresholds[present].tolist()]
        return present, [row[:width] for row, width in zip(wealth, widths, strict=True)]

    def wealth_of_counts(self, counts: ValueCounts, thresholds: Floats) -> Floats:
        """Return the logs of wealth of arms whose values are all known, a row for each arm.

        The result does not depend on an arm's position, to the last digit.
        """
        wealth = np.zeros((len(thresholds), self.width(thresholds)))
        for start in range(0, len(thresholds), _ARMS_PER_BLOCK):
            some = np.arange(start, min(start + _ARMS_PER_BLOCK, len(thresholds)))
            part, arm_bets = counts.of(some), self.by_arm(thresholds[some])
            of = np.repeat(np.arange(len(some)), np.diff(part.starts))
            logs = np.log1p(arm_bets.bets[of] * (part.low[:, None] - arm_bets.bars[of]))
            wealth[some, : logs.shape[1]] = part.add_up(logs * part.times[:, None])
        return wealth


def _log_products(gains: Floats, times: Floats, begin: NDArray[np.intp]) -> Floats:
    """Sum log(1 + gain), weighted by ``times``, from each index in ``begin`` to the next.

    If all weights are 1, a few factors are multiplied before the logarithm is taken: each lies
    between the share that is not bet and one over the bar, so that no product overflows.
    """
    if (times != 1.0).any():
        return np.asarray(np.add.reduceat(np.log1p(gains) * times, begin, axis=1))
    gains += 1.0
    bounds = np.union1d(begin, np.arange(0, gains.shape[1], _FACTORS_PER_LOG))
    logs = np.log(np.multiply.reduceat(gains, bounds, axis=1))
    return np.asarray(np.add.reduceat(logs, np.searchsorted(bounds, begin), axis=1))
