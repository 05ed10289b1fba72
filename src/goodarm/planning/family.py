"""Families of means that move towards the threshold together: one shape, any gap."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goodarm.problem import Problem

Floats = NDArray[np.float64]

_MAX_SCALES = 1e6
"""Largest distance of Gaussian means from the threshold, in units of reward."""


@dataclass(frozen=True, eq=False)
class Family:
    """Instances with means threshold + gap * directions; in a pool, the next shares of its cases.

    The nearest arms have direction 1 or -1, arms on the threshold 0.
    """

    problem: Problem
    directions: Floats

    def at(self, gap: float) -> Floats:
        """Return the means with this gap, clipped to the rewards' range against rounding."""
        means = self.problem.threshold + gap * self.directions
        if self.problem.reward_range is not None:
            means = np.clip(means, *self.problem.reward_range)
        if self.problem.pools is not None:
            means = self._find_shares(means, np.array(self.problem.pools))
        return np.asarray(means)

    def _find_shares(self, means: Floats, sizes: NDArray[np.int64]) -> Floats:
        """Return the nearest shares of the arms' cases that are no nearer to the threshold."""
        cases, hair = means * sizes, 1e-9 * sizes
        up, down = np.ceil(cases - hair), np.floor(cases + hair)
        whole = np.where(self.directions > 0, up, np.where(self.directions < 0, down, cases))
        return np.asarray(np.rint(whole) / sizes)

    @property
    def most(self) -> float:
        """Largest gap that leaves all means in the rewards' range."""
        if self.problem.reward_range is None:
            return _MAX_SCALES * self.problem.scale
        low, high = self.problem.reward_range
        above, below = self.directions.max(), -self.directions.min()
        gaps = [
            room / farthest
            for room, farthest in (
                (high - self.problem.threshold, above),
                (self.problem.threshold - low, below),
            )
            if farthest > 0
        ]
        return min(gaps, default=math.inf)

    def fits(self, gap: float) -> bool:
        """Return whether the means with this gap are in the rewards' range, up to rounding."""
        return 0.0 < gap <= self.most * (1.0 + 1e-12)


def find_gap(problem: Problem, means: Floats) -> float | None:
    """Return the smallest distance of a mean from the threshold; None if all are on it."""
    distances = np.abs(means - problem.threshold)
    off = distances[distances > 0]
    return float(off.min()) if off.size else None


def make_family(problem: Problem, means: Floats) -> Family | None:
    """Return the family that these means belong to; None if all are on the threshold."""
    gap = find_gap(problem, means)
    return None if gap is None else Family(problem, (means - problem.threshold) / gap)
