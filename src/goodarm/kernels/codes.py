"""Integer codes of the rules and reward kinds, and ``Setup``: a problem as the kernels see it.

A rule's code selects its branch of ``dispatch`` and means nothing else: codes have no order. What
the engines may assume of a rule are traits, which the rule declares and ``Setup`` carries.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

HDOC: Final = 0
LUCB_G: Final = 1
APT_G: Final = 2
APGAI: Final = 3
ROUND_ROBIN: Final = 4
MOSS: Final = 5
KL_UCB: Final = 6
KL_MOSS: Final = 7
INDICES: Final = (HDOC, LUCB_G, APT_G, APGAI, ROUND_ROBIN, MOSS, KL_UCB, KL_MOSS)
"""Codes of sampling rules whose index has a branch in ``dispatch``."""

HOEFFDING: Final = 0
LIL: Final = 1
BOUNDS: Final = (HOEFFDING, LIL)
"""Codes of identification rules whose bound on the mean has a branch in ``dispatch``."""

GRID: Final = 2
KELLY: Final = 3
POOL_BETS: Final = 4
BETS: Final = (GRID, KELLY, POOL_BETS)
"""Codes of identification rules whose bets have a branch in ``dispatch``."""

NO_CODE: Final = -1
"""Code of a rule without branches: its labels are looked up, or its choices made in Python."""

BERNOULLI: Final = 0
BOUNDED: Final = 1
GAUSSIAN: Final = 2

GOOD: Final = 1
BAD: Final = -1
UNDECIDED: Final = 0

NEVER: Final = 1 << 62
"""Count that no run reaches: the pull of a success that never comes, or no budget."""

CurveRows = NDArray[np.void]
"""Records of CURVE, indexed by successes for 0/1 rewards, by pulls for others."""

CURVE: Final = np.dtype(
    [
        ("good_until", np.int64),  # up to this number of pulls the arm is good
        ("bad_from", np.int64),  # from this number of pulls on it is bad
        ("good_sum", np.float64),  # from this sum of rewards on the arm is good
        ("bad_sum", np.float64),  # up to this sum it is bad
    ]
)


class Setup(NamedTuple):
    """Problem and algorithm in numbers, in *unit* rewards: (reward - offset) / scale.

    Unit rewards are 1/2-sub-Gaussian, so one bound serves every kind of reward. ``good_bar`` and
    ``bad_bar`` are the threshold minus and plus the margin.
    """

    sampling: int
    is_linear: bool
    """the index is level + width * clock, with a width that may be 0"""
    has_clock: bool
    """the index rises while other arms are pulled"""
    is_stepped: bool
    """the index rises in steps: see ``clock``"""
    falls_on_failure: bool
    """under failures the index falls or, if it is a line, rises and then falls"""
    identification: int
    has_curves: bool
    """labels are looked up in curves of counts"""
    keeps_wealth: bool
    """each reward is bet on, so that every pull is an event"""
    has_pool: bool
    """each arm has a fixed number of cases; curves are known whole"""
    level: float
    """the log of the evidence, or wealth, that proves a label"""
    constants: tuple[float, float]
    """two constants of the bound"""
    rewards: int
    num_arms: int
    """arms that are there, with labelled ones, as sampling rules use it"""
    arms_planned: int
    """arms that share delta, as tests use it"""
    delta: float
    threshold: float
    good_bar: float
    bad_bar: float
    offset: float
    scale: float
    low: float
    high: float
    sigma: float
    warmup: int
    identify_during_warmup: bool
    until: int
    max_pulls: int


def is_tested(setup: Setup, n: int) -> bool:
    """Return whether an arm is tested after its n-th pull: after the warm-up, or always if set."""
    return setup.identify_during_warmup or n > setup.warmup


def label_of(setup: Setup, good: bool, bad: bool, mean: float) -> int:
    """Return the label from what is proven; if a margin lets both be proven, the mean decides."""
    if good and (not bad or mean >= setup.threshold):
        return GOOD
    return BAD if bad else UNDECIDED
