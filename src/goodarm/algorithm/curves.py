"""A rule on counts as two integer curves: by the successes s, good up to n pulls, bad from n on.

With 0/1 rewards a rule whose evidence for good falls in n, and whose evidence for bad rises in n,
while s stays, is nothing else. The curves are computed once for a problem, by the rule's own
vectorised functions, and grow as a run needs them; the kernels look them up.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import CURVE, Curves

_LEAST_ROWS: Final = 256
_MOST_PULLS: Final = 1 << 50

Counts = NDArray[np.int64]
Test = Callable[[Counts, Counts], NDArray[np.bool_]]
"""From pulls and successes to whether the label is proven."""


class GrowingCurves:
    """The curves of one rule on one problem, as far as they were needed."""

    def __init__(self, is_good: Test, is_bad: Test) -> None:
        self._is_good = is_good
        self._is_bad = is_bad
        self.rows: Curves = np.zeros(0, CURVE)

    def reach(self, rows: int) -> Curves:
        """The curves with at least so many rows."""
        known = self.rows
        if rows > len(known):
            end = max(rows, 2 * len(known), _LEAST_ROWS)
            successes = np.arange(len(known), end)
            new = np.zeros(len(successes), CURVE)
            new["bad_from"] = _first(self._is_bad, successes)
            new["good_until"] = _first(lambda n, s: ~self._is_good(n, s), successes) - 1
            # Threads may do this at the same time: each adds to what it knows itself.
            known = self.rows = np.concatenate([known, new])
        return known


def _first(test: Test, successes: Counts) -> Counts:
    """The fewest pulls at which a test is passed that stays passed, for each number of successes.

    At least as many as the successes, and one.
    """
    low = np.maximum(successes, 1) - 1
    step = np.ones_like(low)
    high = low + step
    waiting = ~test(high, successes)
    while waiting.any():
        low = np.where(waiting, high, low)
        step = np.where(waiting, 2 * step, step)
        high = np.where(waiting, low + step, high)
        is_open = waiting & (high < _MOST_PULLS)
        waiting = np.zeros_like(waiting)
        waiting[is_open] = ~test(high[is_open], successes[is_open])
    while (is_wide := high - low > 1).any():
        middle = (low + high) // 2
        passed = np.zeros_like(is_wide)
        passed[is_wide] = test(middle[is_wide], successes[is_wide])
        high = np.where(is_wide & passed, middle, high)
        low = np.where(is_wide & ~passed, middle, low)
    return np.asarray(high)
