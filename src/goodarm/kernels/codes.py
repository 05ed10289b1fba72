"""Integer codes of the rules and reward kinds, and what a kernel is told about a problem."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

HDOC: Final = 0
LUCB_G: Final = 1
APT_G: Final = 2
APGAI: Final = 3
ROUND_ROBIN: Final = 4
MOSS: Final = 5
"""From here on indices are no straight lines in the clock."""
KL_UCB: Final = 6
KL_MOSS: Final = 7

HOEFFDING: Final = 0
LIL: Final = 1
CURVES: Final = 2
"""Any rule on counts that is two curves: over successes for 0/1 rewards, else over pulls."""
GRID: Final = 3
"""Betting on a grid; from here on rules keep logs of wealth, and every pull is an event."""
KELLY: Final = 4
"""Betting the estimated Kelly fraction, Cho et al. 2025."""

BERNOULLI: Final = 0
BOUNDED: Final = 1
GAUSSIAN: Final = 2

GOOD: Final = 1
BAD: Final = -1
UNDECIDED: Final = 0

NEVER: Final = 1 << 62
"""A count that no run reaches: the pull of a success that never comes, a budget nobody set."""

Curves = NDArray[np.void]
"""Records of CURVE, by the number of successes for 0/1 rewards, by pulls for others."""

CURVE: Final = np.dtype(
    [
        ("good_until", np.int64),  # up to so many pulls the arm is good
        ("bad_from", np.int64),  # from so many pulls on it is bad
        ("good_sum", np.float64),  # from this sum of rewards on the arm is good
        ("bad_sum", np.float64),  # up to this sum it is bad
    ]
)


class Setup(NamedTuple):
    """A problem and an algorithm in numbers, in *unit* rewards: (reward - offset) / scale.

    Unit rewards are 1/2-sub-Gaussian, so one bound serves every kind of reward. ``good_bar`` and
    ``bad_bar`` are the threshold less and plus the margin.
    """

    sampling: int
    identification: int
    rewards: int
    num_arms: int
    delta: float
    threshold: float
    good_bar: float
    bad_bar: float
    offset: float
    scale: float
    low: float
    high: float
    sigma: float
    epsilon: float
    c: float
    warmup: int
    identify_during_warmup: bool
    until: int
    max_pulls: int
