"""The rewards that have entered each arm's test, one by one, where an interval is made of them.

Those that were asked for stand in the log, in the order in which they entered; those of blocks are
kept here.
"""

from collections import Counter, defaultdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm.identification.values import ValueCounts, value_counts
from goodarm.identifier.standings import Standings
from goodarm.kernels.live import DROPPED, LOST


class Entered:
    """What has entered, by arm."""

    def __init__(self, standings: Standings) -> None:
        self._standings = standings
        self.observed: defaultdict[int, Counter[float]] = defaultdict(Counter)
        """unit rewards of blocks, and how often each came"""

    def observe(self, arm: int, rewards: tuple[float, ...]) -> None:
        """A block has entered the arm's test."""
        self.observed[arm].update(rewards)

    def document(self, arm: int) -> list[list[float]]:
        """The rewards of the arm's blocks, as JSON: each with how often it came."""
        return [[value, times] for value, times in sorted(self.observed[arm].items())]

    def restore(self, arm: int, document: Any) -> None:
        """What ``document`` wrote down."""
        self.observed[arm] = Counter({float(value): int(times) for value, times in document})

    def values(self, arms: NDArray[np.intp]) -> ValueCounts:
        """How often each reward came of these arms; in order, if the rule minds the order.

        A lost pull is then a reward between 0 and 1; without order it is left to the rule.
        """
        standings = self._standings
        if standings.rule.minds_order:
            parts = [self._asked(arm) for arm in arms.tolist()]
            starts = np.cumsum([0, *(len(low) for low, _ in parts)]).astype(np.intp)
            low, high = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
            return ValueCounts(starts, low, high, np.ones(len(low)))
        rows: list[NDArray[Any]] = []
        for place, arm in enumerate(arms.tolist()):
            low, high = self._asked(arm)
            came = low[low == high]
            rows.append(np.stack([np.full(len(came), place), came, np.ones(len(came))]))
            if blocks := self.observed.get(arm):
                seen = np.array(list(blocks.items()), float).T
                rows.append(np.stack([np.full(len(blocks), place), *seen]))
        of, values, times = np.concatenate(rows, axis=1)
        return value_counts(of.astype(np.intp), values, times, len(arms))

    def _asked(self, arm: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The arm's asked rewards that have entered, in order; 0 and 1 for one that was lost."""
        standings = self._standings
        setup, log = standings.setup, standings.live.log
        entered = int(standings.pulls[arm]) - sum(self.observed[arm].values())
        numbers = np.flatnonzero(standings.log("arm") == arm)
        numbers = numbers[log["state"][numbers] != DROPPED][:entered]
        units = (log["reward"][numbers] - setup.offset) / setup.scale
        is_lost = log["state"][numbers] == LOST
        return np.where(is_lost, 0.0, units), np.where(is_lost, 1.0, units)
