"""Which few arms can be pulled next: a pyramid of ever smaller sets, the smallest looked at.

``order`` lists the undecided arms so that its first ``sizes[k]`` entries are level k's set; the
last level holds them all. What is outside a level is kept in check by two lines in the clock, which
hold from the moment the level was made: the line of the *runner-up*, the best arm outside, and a
*ceiling* over all other arms outside, as steep as the steepest of them. An arm of the level that is
above both is the best of all; one whose counts equal the runner-up's goes first if it is the lower
arm. A level that is used up is made anew from the next larger one. That costs as much as there are
arms in the larger one and happens after about an eighth as many pulls: log K in all.
"""

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import Setup
from goodarm.kernels.jit import inlined, kernel
from goodarm.kernels.rules import index_clock

SMALLEST: Final = 8
RATIO: Final = 8
ROUNDING: Final = 8.0 * 2.220446049250313e-16


class Pyramid(NamedTuple):
    """The sets, and for each level the two lines over the arms outside."""

    order: NDArray[np.int64]
    sizes: NDArray[np.int64]
    runner_up: NDArray[np.int64]
    """(levels,): the lowest arm with the runner-up's line; -1 where nobody is outside"""
    runner_level: NDArray[np.float64]
    runner_slope: NDArray[np.float64]
    ceiling_level: NDArray[np.float64]
    ceiling_slope: NDArray[np.float64]
    indices: NDArray[np.float64]
    """(K,): scratch"""


@inlined
def clearly_above(a: float, b: float) -> bool:
    """Whether a exceeds b by more than rounding can do."""
    return b == -math.inf or a - b > ROUNDING * (abs(a) + abs(b))


@inlined
def best_of(
    order: NDArray[np.int64],
    size: int,
    level: NDArray[np.float64],
    slope: NDArray[np.float64],
    clock: float,
) -> int:
    """The arm with the largest index among the first ``size`` of ``order``, ties to the lowest."""
    best = order[0]
    best_index = level[best] + slope[best] * clock
    for position in range(1, size):
        arm = order[position]
        index = level[arm] + slope[arm] * clock
        if index > best_index or (index == best_index and arm < best):
            best_index = index
            best = arm
    return best


@inlined
def height(pyramid: Pyramid, k: int, clock: float) -> float:
    """The larger of the two lines over the arms outside level k."""
    if pyramid.runner_up[k] < 0:
        return -math.inf
    return max(
        pyramid.runner_level[k] + pyramid.runner_slope[k] * clock,
        pyramid.ceiling_level[k] + pyramid.ceiling_slope[k] * clock,
    )


@kernel
def is_decided(
    pyramid: Pyramid,
    level: NDArray[np.float64],
    slope: NDArray[np.float64],
    k: int,
    arm: int,
    clock: float,
) -> bool:
    """Whether the best arm of level k is certainly the best of all."""
    runner_up = pyramid.runner_up[k]
    if runner_up < 0:
        return True
    index = level[arm] + slope[arm] * clock
    if not clearly_above(index, pyramid.ceiling_level[k] + pyramid.ceiling_slope[k] * clock):
        return False
    runner_level, runner_slope = pyramid.runner_level[k], pyramid.runner_slope[k]
    if level[arm] == runner_level and slope[arm] == runner_slope:
        return arm < runner_up
    return clearly_above(index, runner_level + runner_slope * clock)


@kernel
def select_top(order: NDArray[np.int64], size: int, index: NDArray[np.float64], top: int) -> None:
    """Bring the ``top`` arms with the largest index, ties to the lowest, to the front."""
    low, high = 0, size - 1
    while low < high:
        pivot = order[(low + high) // 2]
        value = index[pivot]
        left, right = low, high
        while left <= right:
            arm = order[left]
            while index[arm] > value or (index[arm] == value and arm < pivot):
                left += 1
                arm = order[left]
            arm = order[right]
            while index[arm] < value or (index[arm] == value and arm > pivot):
                right -= 1
                arm = order[right]
            if left <= right:
                order[left], order[right] = order[right], order[left]
                left += 1
                right -= 1
        if top - 1 <= right:
            high = right
        elif top - 1 >= left:
            low = left
        else:
            return


@kernel
def rebuild(
    pyramid: Pyramid,
    level: NDArray[np.float64],
    slope: NDArray[np.float64],
    k: int,
    clock: float,
) -> None:
    """Make level k anew from level k + 1, which must hold."""
    order, sizes, index = pyramid.order, pyramid.sizes, pyramid.indices
    size, outer = sizes[k], sizes[k + 1]
    for position in range(outer):
        arm = order[position]
        index[arm] = level[arm] + slope[arm] * clock
    if size >= outer:
        pyramid.runner_up[k] = pyramid.runner_up[k + 1]
        pyramid.runner_level[k], pyramid.runner_slope[k] = (
            pyramid.runner_level[k + 1],
            pyramid.runner_slope[k + 1],
        )
        pyramid.ceiling_level[k], pyramid.ceiling_slope[k] = (
            pyramid.ceiling_level[k + 1],
            pyramid.ceiling_slope[k + 1],
        )
        return
    select_top(order, outer, index, size)
    runner_up = order[size]
    for position in range(size + 1, outer):
        arm = order[position]
        if index[arm] > index[runner_up] or (index[arm] == index[runner_up] and arm < runner_up):
            runner_up = arm
    runner_level, runner_slope = level[runner_up], slope[runner_up]
    top, steepest = -math.inf, 0.0
    for position in range(size, outer):
        arm = order[position]
        if level[arm] != runner_level or slope[arm] != runner_slope:
            top = max(top, index[arm])
            steepest = max(steepest, slope[arm])
    beyond = pyramid.runner_up[k + 1]
    if beyond >= 0:
        beyond_level, beyond_slope = pyramid.runner_level[k + 1], pyramid.runner_slope[k + 1]
        if beyond_level == runner_level and beyond_slope == runner_slope:
            runner_up = min(runner_up, beyond)
        else:
            top = max(top, beyond_level + beyond_slope * clock)
            steepest = max(steepest, beyond_slope)
        top = max(top, pyramid.ceiling_level[k + 1] + pyramid.ceiling_slope[k + 1] * clock)
        steepest = max(steepest, pyramid.ceiling_slope[k + 1])
    pyramid.runner_up[k] = runner_up
    pyramid.runner_level[k], pyramid.runner_slope[k] = runner_level, runner_slope
    pyramid.ceiling_slope[k] = steepest
    pyramid.ceiling_level[k] = top - steepest * clock


@kernel
def refresh(
    setup: Setup,
    pyramid: Pyramid,
    level: NDArray[np.float64],
    slope: NDArray[np.float64],
    t: int,
) -> int:
    """Make the levels anew that are used up; returns the best arm of all."""
    clock = index_clock(setup, t)
    last = pyramid.sizes.shape[0] - 1
    k = 1
    best = best_of(pyramid.order, pyramid.sizes[k], level, slope, clock)
    while k < last and not is_decided(pyramid, level, slope, k, best, clock):
        k += 1
        best = best_of(pyramid.order, pyramid.sizes[k], level, slope, clock)
    while k > 0:
        k -= 1
        rebuild(pyramid, level, slope, k, clock)
    return best


@kernel
def take_out(pyramid: Pyramid, arm: int) -> None:
    """Remove an arm that was labelled; every level that holds it shrinks by one."""
    order, sizes = pyramid.order, pyramid.sizes
    hole = 0
    while order[hole] != arm:
        hole += 1
    for k in range(sizes.shape[0]):
        if hole < sizes[k]:
            last = sizes[k] - 1
            order[hole] = order[last]
            hole = last
            sizes[k] = last


@kernel
def fill(
    pyramid: Pyramid, level: NDArray[np.float64], slope: NDArray[np.float64], clock: float
) -> None:
    """Bring all levels to their sizes and make them anew, after an arm was taken out."""
    sizes = pyramid.sizes
    last = sizes.shape[0] - 1
    size = SMALLEST
    for k in range(last):
        sizes[k] = min(size, sizes[last])
        size *= RATIO
    pyramid.runner_up[last] = -1
    for k in range(last - 1, -1, -1):
        rebuild(pyramid, level, slope, k, clock)
