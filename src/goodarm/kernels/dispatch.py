"""Branches of the built-in rules, selected by their codes; no other module tells rules apart.

To add a rule, add its branches here and its code in ``codes``. Formulas are in ``formulas``,
betting in ``bets``; everything else that the engines need to know of a rule are its traits in
``Setup``.

The arm with the largest index is pulled, ties going to the lowest arm. An index is a function of
three numbers: ``level`` and ``width``, which depend on the arm's own counts, and the ``clock``,
which depends on all pulls so far and never lets an index fall. A linear index is
``level + width * clock``; for other indices the level is the mean and the width is 1 / n.
"""

import math
from typing import Final

from goodarm.kernels.clock import step_start
from goodarm.kernels.codes import (
    APGAI,
    APT_G,
    GAUSSIAN,
    GRID,
    HDOC,
    HOEFFDING,
    KELLY,
    KL_MOSS,
    KL_UCB,
    LIL,
    LUCB_G,
    MOSS,
    NO_CODE,
    POOL_BETS,
    ROUND_ROBIN,
    Setup,
)
from goodarm.kernels.compilation.jit import inlined, interpreted_first, kernel, merged, one_arm
from goodarm.kernels.numerics.bets import Wealth, bet_in_pool, bet_kelly, bet_on_grid
from goodarm.kernels.numerics.formulas import (
    MOSS_FACTOR,
    hoeffding_bound,
    kl_upper,
    lil_bound,
    root_count,
)

LEAD_ROUNDING: Final = 1e-13
"""Relative size below which a lead may be rounding error."""


@inlined
def has_index(setup: Setup) -> bool:
    """Return whether the kernels compute the rule's index; a rule in Python chooses by itself."""
    return setup.sampling != NO_CODE


@inlined
def index_parts(setup: Setup, n: int, mean: float) -> tuple[float, float]:
    """Return level and width of the arm's index after n pulls with this mean."""
    if setup.sampling == HDOC:
        return mean, math.sqrt(0.5 / n)
    if not setup.is_linear:
        return mean, 1.0 / n
    if setup.sampling == LUCB_G:
        # The upper end of the test's own interval (Kano et al. 2019), for all planned arms.
        return mean + hoeffding_bound(n, setup.arms_planned, setup.delta), 0.0
    if setup.sampling == APT_G:
        return -(math.sqrt(n) * abs(setup.threshold - mean)), 0.0
    if setup.sampling == APGAI:
        return math.sqrt(n) * (mean - setup.threshold), 0.0
    if setup.sampling == ROUND_ROBIN:
        return -float(n), 0.0
    return math.nan, math.nan


@inlined
def index_clock(setup: Setup, t: int) -> float:
    """Return the clock: sqrt(log t) for HDoC, log t for KL-UCB, t / K for MOSS and KL-MOSS.

    Under a stepped clock, as the KL rules have it, t is the start of its step.
    """
    if not setup.has_clock:
        return 0.0
    if setup.is_stepped:
        t = step_start(t)
    if setup.sampling == HDOC:
        return math.sqrt(math.log(t))
    if setup.sampling == KL_UCB:
        return math.log(t)
    return t / setup.num_arms


@kernel
def nonlinear_index(setup: Setup, mean: float, share: float, clock: float) -> float:
    """Return the index of rules whose index is not linear in the clock; ``share`` is 1 / n.

    MOSS-anytime: m + sqrt(.525 d); KL-UCB and KL-MOSS: the largest q with kl(m, q) <= d, where n d
    is log t for KL-UCB and max(0, log(t / (K n))) for the others. For Gaussian rewards, whose unit
    is two standard deviations, kl(m, q) = 2 (m - q)^2.
    """
    if mean == -math.inf:
        return mean
    if setup.sampling == KL_UCB:
        distance = share * clock
    else:
        distance = share * math.log(max(1.0, clock * share))
    if setup.sampling == MOSS:
        return mean + math.sqrt(MOSS_FACTOR * distance)
    if setup.sampling == KL_UCB or setup.sampling == KL_MOSS:
        if setup.rewards == GAUSSIAN:
            return mean + math.sqrt(0.5 * distance)
        return kl_upper(mean, distance)
    return math.nan


@merged
def lead_over_mark(
    setup: Setup, n: int, s: float, clock: float, mark: float, log: float, log_rest: float
) -> float:
    """Compare the index with a mark: above 0 if it is certainly above, below 0 if below, else 0.

    For the KL rules the index lies above the mark if and only if n kl(m, mark) < n d, which needs
    no root finding. It is 0 where rounding could decide, and for other rules.
    """
    if setup.sampling != KL_UCB and setup.sampling != KL_MOSS:
        return 0.0
    if setup.rewards == GAUSSIAN or not mark * n > s >= 0.0 or not mark < 1.0:
        return 0.0
    rest = n - s
    log_n = math.log(n)
    won = s * (math.log(s) - log_n - log) if s > 0.0 else 0.0
    lost = rest * (math.log(rest) - log_n - log_rest)
    allowed = clock if setup.sampling == KL_UCB else math.log(clock) - log_n
    lead = allowed - won - lost
    size = s * (log_n - log) + rest * (log_n - log_rest) + abs(allowed) + log_n + 1.0
    slope = (mark * n - s) / (1.0 - mark)
    is_certain = allowed > 0.0 and abs(lead) > LEAD_ROUNDING * (size + slope)
    return lead if is_certain else 0.0


@merged
def guess_crossing(setup: Setup, s: float, low: int, high: int, clock: float, mark: float) -> int:
    """Guess the count, strictly between two counts, at which failures bring the index to the mark.

    HDoC's is the root of a quadratic in 1 / sqrt(n), MOSS's nearly so; for the KL rules it is found
    by Newton steps from above. For other rules it is the middle: a bad guess costs only time.
    """
    guess = float(low + (high - low) // 2)
    if setup.sampling == HDOC and mark > 0.0:
        guess = root_count(s, clock * math.sqrt(0.5), mark)
    elif setup.sampling == MOSS and mark > 0.0:
        for _ in range(2):
            log = math.log(max(1.0, clock / guess))
            guess = min(max(root_count(s, math.sqrt(MOSS_FACTOR * log), mark), low), high)
    elif (setup.sampling == KL_UCB or setup.sampling == KL_MOSS) and 0.0 < mark < 1.0:
        guess = float(high)
        for _ in range(4):
            log = clock if setup.sampling == KL_UCB else math.log(max(1.0, clock / guess))
            fall = math.log((guess - s) / (guess * (1.0 - mark))) if guess > s else -1.0
            if fall <= 0.0:
                break
            divergence = (guess - s) * fall
            if s > 0.0:
                divergence += s * math.log(s / (guess * mark))
            guess = min(max(guess - (divergence - log) / fall, low), high)
    return int(min(max(guess, low + 1.0), high - 1.0))


@inlined
def bound(setup: Setup, n: int) -> float:
    """Return half the width of the arm's confidence interval after n pulls."""
    if setup.identification == HOEFFDING:
        return hoeffding_bound(n, setup.arms_planned, setup.delta)
    if setup.identification == LIL:
        epsilon, c = setup.constants
        return lil_bound(n, setup.arms_planned, setup.delta, epsilon, c)
    return math.nan


@interpreted_first(one_arm)
def bet(
    setup: Setup,
    wealth: Wealth,
    arm: int,
    size: int,
    n: int,
    s: float,
    lost: float,
    low: float,
    high: float,
) -> None:
    """Bet on a reward, in the arm's row of wealth; n pulls with sum s came before, some lost.

    ``size`` is that of the arm's pool, if there is one. ``low`` is the reward for the bets on good,
    ``high`` that for the bets on bad; they differ for a lost pull.
    """
    if setup.identification == GRID:
        bet_on_grid(setup, wealth, arm, low, high)
    elif setup.identification == KELLY:
        bet_kelly(setup, wealth, arm, n, s, low, high)
    elif setup.identification == POOL_BETS:
        bet_in_pool(setup, wealth, arm, size, n, s, lost, low, high)
