"""The plain simulation: one pull at a time, exactly as the algorithms are written.

It is the reference that other engines must equal to the pull. Its one saving: a bound falls in n,
so the bound at a somewhat later count is a floor under it until then, and an arm whose mean does
not even clear the floor need not be tested.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.choose import largest_index, remove
from goodarm.kernels.codes import BERNOULLI, CURVES, GOOD, UNDECIDED, Curves, Setup
from goodarm.kernels.jit import inlined, kernel
from goodarm.kernels.rules import (
    bound,
    decide,
    decide_counts,
    index_clock,
    index_line,
    is_tested,
    reaches,
)
from goodarm.kernels.tape import Tape, next_reward

ROUNDING = 1e-9
"""The floor is lowered by this part, far above what rounding can do to a bound."""


class Progress(NamedTuple):
    """One run under way: what the next pull needs, and what a watcher wants. Arrays over arms."""

    alive: NDArray[np.int64]
    level: NDArray[np.float64]
    slope: NDArray[np.float64]
    pulls: NDArray[np.int64]
    sums: NDArray[np.float64]
    floor: NDArray[np.float64]
    floor_end: NDArray[np.int64]
    labels: NDArray[np.int8]
    tau: NDArray[np.float64]
    """pulls when the j-th good arm was output, by j"""
    counters: NDArray[np.int64]
    """total pulls, arms alive, good arms found, arms whose warm-up is over"""


@inlined
def floor_from(setup: Setup, n: int) -> tuple[int, float]:
    """A floor under the bound from n pulls on: the count up to which it holds, and its height."""
    end = n + (n >> 5) + 1
    return end, bound(setup, end) * (1.0 - ROUNDING)


@inlined
def may_be_decided(setup: Setup, mean: float, floor: float) -> bool:
    """Whether the mean clears the floor, so that the test must be made."""
    return mean - floor >= setup.good_bar or mean + floor <= setup.bad_bar


@kernel
def advance(
    setup: Setup,
    means: NDArray[np.float64],
    curves: Curves,
    tape: Tape,
    run: Progress,
    most: int,
) -> bool:
    """Go on for at most so many pulls, or as far as the curves go; true when the run is over."""
    alive, level, slope, pulls, sums, floor, floor_end, labels, tau, counters = run
    is_bernoulli = setup.rewards == BERNOULLI
    t, count, found, warmed = counters[0], counters[1], counters[2], counters[3]
    end = min(t + most, setup.max_pulls)
    while count > 0 and found < setup.until and t < end:
        if warmed < setup.num_arms:
            arm = warmed
        else:
            arm = largest_index(alive, count, level, slope, index_clock(setup, t))
        n, s = pulls[arm] + 1, sums[arm]
        if not reaches(setup, curves, s):
            break
        t += 1
        if not is_bernoulli or n >= tape[arm]["next_success"]:
            s += (next_reward(setup, means, tape, arm, n) - setup.offset) / setup.scale
            sums[arm] = s
        mean = s / n
        pulls[arm] = n
        level[arm], slope[arm] = index_line(setup, n, mean)
        label = UNDECIDED
        if not is_tested(setup, n):
            label = UNDECIDED
        elif setup.identification == CURVES:
            label = decide_counts(setup, curves, n, s)
        else:
            if n > floor_end[arm]:
                floor_end[arm], floor[arm] = floor_from(setup, n)
            if may_be_decided(setup, mean, floor[arm]):
                label = decide(setup, n, s, 0.0)
        if label != UNDECIDED:
            labels[arm] = label
            count = remove(alive, count, arm)
            if label == GOOD:
                tau[found] = t
                found += 1
        if arm == warmed and (label != UNDECIDED or pulls[arm] >= setup.warmup):
            warmed += 1
    counters[0], counters[1], counters[2], counters[3] = t, count, found, warmed
    return count == 0 or found >= setup.until or t >= setup.max_pulls
