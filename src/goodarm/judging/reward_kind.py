"""Comparison of rewards with their declared kind: the remark that another kind fits them.

A remark changes no label and no number: to change the kind after looking would break the
guarantee. It is for the next experiment, or for someone who gave the wrong kind by mistake.
"""

from collections.abc import Sequence
from copy import copy
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goodarm.problem import Problem
from goodarm.views.names import printable
from goodarm.views.numbers import format_number, plural

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MIN_REWARDS: Final = 20
"""Fewest rewards that say something about their kind."""
MIN_END_SHARE: Final = 0.02
"""Least share of rewards at each end for which the ends look like limits: continuous rewards hardly
ever have the same largest value twice."""
MIN_AT_END: Final = 5
FAR: Final = 8.0
"""Distance from the arm's mean, in sigmas, that rewards with a sub-Gaussian spread reach with
probability below 3e-14 each."""


class RewardProfile:
    """Ends of the rewards seen, how often they came, and the reward farthest from its arm's mean.

    Rewards are added in portions; arms are numbered from 0.
    """

    def __init__(self) -> None:
        self._rewards = self._sums = self._lowest = self._highest = np.zeros(0)
        self._at_low = self._at_high = np.zeros(0)
        self._binary = 0.0
        self._is_whole = True

    def copy(self) -> "RewardProfile":
        """Return a copy."""
        return copy(self)  # arrays are replaced, never changed

    def add(self, arms: Ints, values: Floats, times: Floats, num_arms: int) -> None:
        """Add rewards with the number of times that each occurred."""
        came = times > 0
        arms, values, times = arms[came], values[came], times[came]
        self._grow(num_arms)
        self._rewards = self._rewards + np.bincount(arms, times, num_arms)
        self._sums = self._sums + np.bincount(arms, times * values, num_arms)
        self._binary += float(times[(values == 0.0) | (values == 1.0)].sum())
        self._lowest, self._at_low = _extend(
            self._lowest, self._at_low, np.minimum, arms, values, times
        )
        self._highest, self._at_high = _extend(
            self._highest, self._at_high, np.maximum, arms, values, times
        )

    def skip_some(self) -> None:
        """Note that some rewards are not seen one by one: nothing can be said then."""
        self._is_whole = False

    def _grow(self, num_arms: int) -> None:
        more = num_arms - len(self._rewards)
        none = np.zeros(more)
        self._rewards, self._sums = np.append(self._rewards, none), np.append(self._sums, none)
        self._lowest = np.append(self._lowest, none + np.inf)
        self._highest = np.append(self._highest, none - np.inf)
        self._at_low, self._at_high = np.append(self._at_low, none), np.append(self._at_high, none)

    def describe(self, problem: Problem, arms: Sequence[Any]) -> str:
        """Return the remark, or an empty text if the kind fits as far as rewards can show it.

        Args:
            problem: gives the declared kind, its range or sigma.
            arms: the names of the arms, in the order of their numbers.
        """
        count = self._rewards.sum()
        is_enough = self._is_whole and count >= MIN_REWARDS
        if problem.rewards == "bernoulli" or not is_enough:
            return ""
        if self._binary == count:
            return self._describe_binary(problem, count)
        if problem.rewards != "gaussian" or problem.sigma is None:
            return ""
        return self._describe_tail(problem.sigma, arms) or self._describe_ends(count)

    def _describe_binary(self, problem: Problem, count: float) -> str:
        if problem.rewards == "bounded" and problem.reward_range == (0.0, 1.0):
            gain = "is made for them"
        else:
            gain = "is exact for them and usually needs far fewer pulls"
        return (
            f"All {count:,.0f} rewards are 0 or 1. If others cannot come, the kind 'bernoulli' "
            f"{gain}. Choose it for the next experiment."
        )

    def _describe_tail(self, sigma: float, arms: Sequence[Any]) -> str:
        """Point out a reward that is too far from the mean of its arm's other rewards."""
        seen = self._rewards > 1
        if not seen.any():
            return ""
        rest = np.where(seen, self._rewards - 1.0, 1.0)
        far = np.zeros(len(rest))
        for end in (self._lowest, self._highest):
            value = np.where(seen, end, 0.0)
            apart = np.abs(value - (self._sums - value) / rest)
            # The others' mean varies, too.
            far = np.maximum(far, np.where(seen, apart / np.sqrt(1.0 + 1.0 / rest), 0.0))
        arm = int(far.argmax())
        if far[arm] < FAR * sigma:
            return ""
        return (
            f"A reward of arm {printable(arms[arm])} is {far[arm] / sigma:,.0f} sigma away from "
            "the mean of the others, which Gaussian rewards never are: labels are not "
            "reliable with such rewards. If rewards have known limits, choose the kind 'bounded' "
            "with low and high for the next experiment; otherwise, a sigma that covers them."
        )

    def _describe_ends(self, count: float) -> str:
        """Point out that both ends came so often that they look like limits."""
        low, high = float(self._lowest.min()), float(self._highest.max())
        at_low = self._at_low[self._lowest == low].sum()
        at_high = self._at_high[self._highest == high].sum()
        least = max(MIN_AT_END, MIN_END_SHARE * count)
        if low == high or min(at_low, at_high) < least:
            return ""
        return (
            f"The rewards look as if they had limits: {plural(int(at_low), 'reward')} of "
            f"{count:,.0f} are {format_number(low)}, the lowest, and {int(at_high):,} are "
            f"{format_number(high)}, the highest. If no others can come, choose the kind "
            f"'bounded' with low {format_number(low)} and high {format_number(high)} for the next "
            "experiment; it needs no sigma."
        )


def _extend(
    ends: Floats,
    times_at: Floats,
    extreme: np.ufunc,
    arms: Ints,
    values: Floats,
    times: Floats,
) -> tuple[Floats, Floats]:
    """Return each arm's lowest (or highest) reward, and how often it came, with these rewards."""
    found = ends.copy()
    extreme.at(found, arms, values)
    is_end = values == found[arms]
    kept = np.where(found == ends, times_at, 0.0)
    return found, kept + np.bincount(arms[is_end], times[is_end], len(ends))
