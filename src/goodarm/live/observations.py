"""Rewards that have entered each arm's test, one by one, for rules whose interval needs them.

Those that were asked for stand in the log, in the order in which they entered; those of blocks are
kept here.
"""

from collections import Counter, defaultdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import ValueCounts, count_values
from goodarm.kernels.live.records import DROPPED, LOST
from goodarm.live.arm_state import ArmState


class Observations:
    """Rewards that have entered the tests, by arm."""

    def __init__(self, arms: ArmState) -> None:
        self._state = arms
        self.observed: defaultdict[int, Counter[float]] = defaultdict(Counter)
        """unit rewards of blocks, and how often each came"""

    def observe(self, arm: int, rewards: tuple[float, ...]) -> None:
        """Keep the rewards of a block that has entered the arm's test."""
        self.observed[arm].update(rewards)

    def document(self, arm: int) -> list[list[float]]:
        """Return the rewards of the arm's blocks as JSON: each with how often it came."""
        return [[value, times] for value, times in sorted(self.observed[arm].items())]

    def restore(self, arm: int, document: Any) -> None:
        """Restore the rewards that ``document`` wrote."""
        self.observed[arm] = Counter({float(value): int(times) for value, times in document})

    def values(self, arms: NDArray[np.intp]) -> ValueCounts:
        """Return how often each reward of these arms came; in order if the rule needs the order.

        A lost pull is then a reward between 0 and 1; without order it is left to the rule.
        """
        state = self._state
        if state.rule.depends_on_order:
            parts = [self._find_asked_rewards(arm) for arm in arms.tolist()]
            starts = np.cumsum([0, *(len(low) for low, _ in parts)]).astype(np.intp)
            low, high = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
            return ValueCounts(starts, low, high, np.ones(len(low)))
        rows: list[NDArray[Any]] = []
        for place, arm in enumerate(arms.tolist()):
            low, high = self._find_asked_rewards(arm)
            known = low[low == high]
            rows.append(np.stack([np.full(len(known), place), known, np.ones(len(known))]))
            if blocks := self.observed.get(arm):
                seen = np.array(list(blocks.items()), float).T
                rows.append(np.stack([np.full(len(blocks), place), *seen]))
        of, values, times = np.concatenate(rows, axis=1)
        return count_values(of.astype(np.intp), values, times, len(arms))

    def _find_asked_rewards(self, arm: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the arm's asked rewards that have entered; 0 and 1 for one that was lost."""
        state = self._state
        setup, log = state.setup, state.live.log
        entered = int(state.pulls[arm]) - sum(self.observed[arm].values())
        numbers = np.flatnonzero(state.log("arm") == arm)
        numbers = numbers[log["state"][numbers] != DROPPED][:entered]
        units = (log["reward"][numbers] - setup.offset) / setup.scale
        is_lost = log["state"][numbers] == LOST
        return np.where(is_lost, 0.0, units), np.where(is_lost, 1.0, units)
