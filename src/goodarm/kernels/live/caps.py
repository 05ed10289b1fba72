"""How many pulls of an arm may wait to be told: the caps of batches.

Two things waste pulls of a batch. Those of an arm that are out when it is labelled: so an arm's
counts are followed along the straight path of its mean until they would prove a label, and it is
given no more than half the pulls which that takes. And those of an arm that looks better than it
is, which had been passed over after a few failures: so an arm is given no more than a part of the
pulls it has had, unless that is less than some fair shares of what is out.

Why that is valid. It is one more rule about who is asked, made from rewards that were told before,
and the tests are valid under every choice that looks at the past alone, and at every time one may
stop. How many pulls of an arm are out says nothing about their rewards.
"""

import math
from typing import Final

from goodarm.kernels.codes import BERNOULLI, Setup
from goodarm.kernels.compilation.jit import kernel
from goodarm.kernels.dispatch import bound
from goodarm.kernels.live.records import Live
from goodarm.kernels.numerics.bets import is_enough

PART: Final = 0.5
"""The part of what an arm still needs that it is given: labels come early as often as late."""
GROWTH: Final = 32
"""One further pull for every GROWTH that an arm has had is always allowed, and mostly no more."""
FAIR: Final = 8
"""The pulls that an arm may have out, as a multiple of those out for each undecided arm: few arms
share a batch freely."""
AHEAD: Final = 4
"""A path is followed to this multiple of the pulls at its start, and curves are known as far."""
LEAST_ROWS: Final = 256
MOST_ROWS: Final = 1 << 20
"""The fewest and the most rows to which curves are known."""


@kernel
def most_held(setup: Setup, live: Live, arm: int) -> int:
    """The pulls that an arm, some of whose pulls have entered its test, may hold in all."""
    n = live.arms[arm]["pulls"]
    needed = PART * pulls_to_go(setup, live, arm)
    return n + max(n // GROWTH, math.ceil(needed))


@kernel
def pulls_to_go(setup: Setup, live: Live, arm: int) -> int:
    """Further pulls until the arm has a label if its mean stays, by doubling and then halving.

    At most as many as the path is followed.
    """
    own = live.arms[arm]
    n, total, lost = own["pulls"], own["sums"], own["lost"]
    end = max(AHEAD * n, LEAST_ROWS - 1)
    if setup.has_pool:
        end = own["cases"]
    row = int(total + lost) if setup.rewards == BERNOULLI else n
    is_short = max(AHEAD * row, LEAST_ROWS - 1) >= live.curves.shape[0]
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
    """Whether n pulls with this mean prove the label; wealth goes on growing as it did."""
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
