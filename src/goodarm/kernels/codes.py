"""Integer codes of the rules and reward kinds, and what a kernel is told about a problem.

A rule's code says which branch of ``dispatch`` is its own, and nothing else: codes have no order.
What the engines may assume of a rule are traits, which the rule declares and ``Setup`` carries.
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
"""Sampling rules whose index has a branch in ``dispatch``."""

HOEFFDING: Final = 0
LIL: Final = 1
BOUNDS: Final = (HOEFFDING, LIL)
"""Identification rules whose bound on the mean has a branch in ``dispatch``."""

GRID: Final = 2
KELLY: Final = 3
POOL_BETS: Final = 4
BETS: Final = (GRID, KELLY, POOL_BETS)
"""Identification rules whose bets have a branch in ``dispatch``."""

NO_CODE: Final = -1
"""A rule that the kernels need not know: its labels are looked up, or its choices made outside."""

BERNOULLI: Final = 0
BOUNDED: Final = 1
GAUSSIAN: Final = 2

GOOD: Final = 1
BAD: Final = -1
UNDECIDED: Final = 0

NEVER: Final = 1 << 62
"""A count that no run reaches: the pull of a success that never comes, a budget nobody set."""

CurveRows = NDArray[np.void]
"""Records of CURVE, by the number of successes for 0/1 rewards, by pulls for others."""

CURVE: Final = np.dtype(
    [
        ("good_until", np.int64),  # up to this number of pulls the arm is good
        ("bad_from", np.int64),  # from this number of pulls on it is bad
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
    is_line: bool
    """the index is level + width * clock, with a width that may be 0"""
    has_clock: bool
    """the index rises while other arms are pulled"""
    is_stepped: bool
    """it does so in steps: see ``clock``"""
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
    """two numbers of a bound's own"""
    rewards: int
    num_arms: int
    """those that are there, labelled ones too: what sampling rules know"""
    arms_planned: int
    """those that delta is shared by: what tests use"""
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
    """Whether an arm is tested after its n-th pull: past the warm-up, or during it if so asked."""
    return setup.identify_during_warmup or n > setup.warmup


def label_of(setup: Setup, good: bool, bad: bool, mean: float) -> int:
    """The label, from what is proven; where a margin makes both true the mean decides."""
    if good and (not bad or mean >= setup.threshold):
        return GOOD
    return BAD if bad else UNDECIDED
