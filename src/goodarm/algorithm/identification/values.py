"""Counts of values: all that bets need of rewards if their order does not matter.

Up to 64 distinct values of an arm are kept exactly, more in 256 bins of the range: then a value is
known to lie between the two ends of its bin. Lower bounds on the mean use the lower end and upper
bounds the upper end, so intervals are never too narrow.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MAX_DISTINCT_VALUES: Final = 64
BINS: Final = 256


class ValueCounts(NamedTuple):
    """Values of several arms in unit rewards, arm after arm.

    Those of arm k are at ``starts[k]`` to ``starts[k + 1]``. Each lies between ``low`` and
    ``high``, which are equal if the value is known exactly.
    """

    starts: NDArray[np.intp]
    low: Floats
    high: Floats
    times: Floats
    """how often it came"""

    def of(self, arms: NDArray[np.intp]) -> "ValueCounts":
        """Return the values of these arms, in this order."""
        sizes = np.diff(self.starts)[arms]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp)
        within = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)
        found = np.repeat(self.starts[arms], sizes) + within
        return ValueCounts(starts, self.low[found], self.high[found], self.times[found])

    def add_up(self, numbers: Floats) -> Floats:
        """Sum numbers, one for each value, over the values of every arm."""
        totals = np.zeros((len(self.starts) - 1, *numbers.shape[1:]))
        seen = np.diff(self.starts) > 0
        if seen.any():
            totals[seen] = np.add.reduceat(numbers, self.starts[:-1][seen], axis=0)
        return totals


NO_VALUES: Final = ValueCounts(np.zeros(1, np.intp), np.zeros(0), np.zeros(0), np.zeros(0))
"""Values of no arm."""


def count_values(
    arms: NDArray[np.intp], values: Floats, counts: Floats, num_arms: int
) -> ValueCounts:
    """Count the values of each arm, from rows of an arm, a value in unit rewards and a count.

    >>> found = count_values(np.array([1, 0, 1]), np.array([0.5, 1.0, 0.5]), np.ones(3), 2)
    >>> found.starts.tolist(), found.low.tolist(), found.times.tolist()
    ([0, 1, 2], [1.0, 0.5], [1.0, 2.0])
    """
    low, high = values, values
    distinct = np.bincount(np.unique(np.stack([arms, values]), axis=1)[0].astype(np.intp))
    is_many = np.flatnonzero(distinct > MAX_DISTINCT_VALUES)
    if len(is_many):
        binned = np.isin(arms, is_many)
        low = np.where(binned, np.floor(values * BINS) / BINS, values)
        high = np.where(binned, np.ceil(values * BINS) / BINS, values)
    rows, back = np.unique(np.stack([arms, low, high]), axis=1, return_inverse=True)
    starts = np.searchsorted(rows[0], np.arange(num_arms + 1)).astype(np.intp)
    times = np.bincount(back.ravel(), counts, rows.shape[1]).astype(np.float64)
    return ValueCounts(starts, rows[1], rows[2], times)
