"""Caps of batches: limits on the pulls of an arm whose rewards are not told yet.

Two kinds of pulls of a batch are wasted. The first are pulls of an arm that are out when it is
labelled. So an arm's counts are extrapolated along its mean until they would prove a label, and it
is given no more than half the pulls which that takes. The second are pulls of an arm that looks
better than it is, and that would have been passed over after a few failures. So an arm is given no
more than a fraction of the pulls it has had, unless that is less than a few fair shares of the
pulls that are out.

Why that is valid: the caps are one more rule about which arm is asked, and depend only on rewards
told before. The tests are valid under every choice that depends only on the past, and at every time
at which one may stop. The number of an arm's pulls that are out says nothing about their rewards.
"""

import math
from typing import Final

from goodarm.kernels.codes import BERNOULLI, Setup
from goodarm.kernels.compilation.jit import kernel
from goodarm.kernels.dispatch import bound
from goodarm.kernels.live.records import Live
from goodarm.kernels.numerics.bets import is_enough

NEEDED_SHARE: Final = 0.5
"""Fraction of the pulls an arm still needs that it is given: labels come early as often as late."""
PULLS_PER_HELD: Final = 32
"""Pulls an arm has had for each further pull it may have out, which is mostly the limit."""
FAIR_SHARES: Final = 8
"""Pulls that an arm may always have out, as a multiple of those out per undecided arm: with few
arms a batch is shared freely."""
EXTRAPOLATION: Final = 4
"""Multiple of the current pulls up to which counts are extrapolated, and curves computed."""
MIN_ROWS: Final = 256
MAX_ROWS: Final = 1 << 20
"""Fewest and most rows to which curves are extended."""


@kernel
def find_max_held(setup: Setup, live: Live, arm: int) -> int:
    """Return the pulls that an arm may hold in all, once some have entered its test."""
    n = live.arms[arm]["pulls"]
    needed = NEEDED_SHARE * predict_pulls_to_go(setup, live, arm)
    return n + max(n // PULLS_PER_HELD, math.ceil(needed))


@kernel
def predict_pulls_to_go(setup: Setup, live: Live, arm: int) -> int:
    """Return the further pulls until the arm has a label if its mean stays the same.

    They are found by doubling and then bisection, and are at most as many as are extrapolated.
    """
    arm_record = live.arms[arm]
    n, total, lost = arm_record["pulls"], arm_record["sums"], arm_record["lost"]
    end = max(EXTRAPOLATION * n, MIN_ROWS - 1)
    if setup.has_pool:
        end = arm_record["cases"]
    row = int(total + lost) if setup.rewards == BERNOULLI else n
    is_short = max(EXTRAPOLATION * row, MIN_ROWS - 1) >= live.curves.shape[0]
    if setup.has_curves and is_short and not setup.has_pool:
        return end - n
    low, high = total / n, (total + lost) / n
    above, below = low - setup.good_bar, setup.bad_bar - high
    is_good = above >= below
    mean = low if is_good else high
    before = n if setup.identify_during_warmup else max(n, setup.warmup)
    step = 1
    while max(above, below) > 0.0 and before < end:
        after = min(before + step, end)
        if is_proven(setup, live, arm, mean, after, is_good):
            while after - before > 1:
                middle = (before + after) // 2
                if is_proven(setup, live, arm, mean, middle, is_good):
                    after = middle
                else:
                    before = middle
            return after - n
        before = after
        step *= 2
    return max(end, before + 1) - n


@kernel
def is_proven(setup: Setup, live: Live, arm: int, mean: float, n: int, is_good: bool) -> bool:
    """Return whether n pulls with this mean prove the label; wealth is taken to grow as before."""
    if setup.keeps_wealth:
        half = live.wealth.shape[1] // 2
        first = 0 if is_good else half
        times, shares = n / live.arms[arm]["pulls"], live.wealth[live.wealth.shape[0] - 1]
        return is_enough(live.wealth[arm], shares, first, first + half, setup.level, times)
    if setup.has_curves:
        if setup.rewards != BERNOULLI:
            row = live.curves[n]
            return mean * n >= row["good_sum"] if is_good else mean * n <= row["bad_sum"]
        row = live.curves[live.arms[arm]["first_row"] + int(mean * n)]
        return n <= row["good_until"] if is_good else n >= row["bad_from"]
    width = bound(setup, n)
    return mean - width >= setup.good_bar if is_good else mean + width <= setup.bad_bar
