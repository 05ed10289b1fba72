"""Further pulls until an arm is labelled: quantiles under a uniform prior on its mean.

With that prior the expected mean of an arm with sum s of n rewards is M = (s + 1) / (n + 2), and it
is a martingale as pulls go on, since the prior averages over the unknown mean. With 0/1 rewards M
moves with variance M (1 - M) for each unit of the clock 1 / n - 1 / (n + t), so its angle
2 asin(sqrt(M)) is nearly a Brownian motion with a small drift. The arm is labelled when it leaves
the region between two boundaries. The density of leaving at t through one of them is that of
leaving through the tangent at t, less a correction for the curvature (Ferebee 1982); the sum over
both is the answer, since hardly any path that has proven one label would go on to prove the other.

Rewards come in steps, so a boundary is passed by a little: the boundaries are moved outwards by the
overshoot of a walk without drift (Siegmund 1985).
"""

import math
from typing import Final, NamedTuple

import numpy as np

from goodarm.kernels.compilation.jit import inlined, interpreted_first, kernel, merged

MEDIAN: Final = 0.5
LIKELY: Final = 0.9
RATIO: Final = 1.2
"""Ratio of successive numbers of pulls at which the probability is computed."""

_START: Final = 0.5
_FARTHEST: Final = 12.0
"""Standard deviations beyond which a boundary counts as out of reach."""
_LARGEST: Final = 500.0
_PEAK: Final = 1.0 / math.sqrt(2.0 * math.pi)


class BoundaryRows(NamedTuple):
    """Boundaries by the log of pulls, as (sum - bar n) / sqrt(n).

    There is one row for all arms, or one for each.
    """

    good: np.ndarray
    bad: np.ndarray
    first: np.ndarray
    """log of pulls at the start of each row"""
    step: float
    """difference between successive logs"""
    good_bar: float
    bad_bar: float
    over: float
    """overshoot of a sum above the boundary of good"""
    under: float
    """overshoot of a sum below the boundary of bad"""
    is_flat: bool
    """rewards may have any mean, and a variance of 1/4; else they lie between 0 and 1"""


class ArmStart(NamedTuple):
    """State of an arm before the further pulls."""

    pulls: float
    total: float
    lost: float
    spread: float
    """the standard deviation of its rewards, as a part of the largest that their mean allows"""
    prior: float
    """what the prior adds to the sum; it adds twice that to the pulls"""
    weight: float
    """pulls with a reward, plus those of the prior"""
    angle: float
    drift: float
    """drift of the angle for each unit of the clock"""
    told: float
    """the share of further pulls that give a reward; the others will be lost"""


class BoundaryDistances(NamedTuple):
    """Distances to the boundaries above and below an arm, and whether rewards can reach them."""

    clock: float
    up: float
    down: float
    is_up: bool
    is_down: bool


@inlined
def interpolate(row: np.ndarray, place: float) -> float:
    """Interpolate a boundary at a fractional place, by a cubic through four places."""
    k = min(max(int(place), 1), len(row) - 3)
    u = place - k
    outer = u * (u - 1.0) * ((2.0 - u) * row[k - 1] + (u + 1.0) * row[k + 2])
    inner = (u + 1.0) * (u - 2.0) * ((u - 1.0) * row[k] - u * row[k + 1])
    return outer / 6.0 + inner / 2.0


@inlined
def compute_angle(mean: float, is_flat: bool) -> float:
    """Transform an expected mean to the scale on which its variance is constant."""
    return 2.0 * mean if is_flat else 2.0 * math.asin(math.sqrt(min(max(mean, 0.0), 1.0)))


@merged
def _make_start(is_flat: bool, pulls: float, total: float, lost: float, part: float) -> ArmStart:
    """Make an arm whose rewards have this part of the largest variance, which is 1 if flat."""
    prior = 0.0 if is_flat else part
    weight = max(pulls - lost + 2.0 * prior, 1.0)
    mean = (total + prior) / weight
    drift = 0.0
    if not is_flat:
        drift = 0.25 * (2.0 * mean - 1.0) / math.sqrt(mean * (1.0 - mean))
    angle = compute_angle(mean, is_flat)
    told = 1.0 - lost / (pulls + 1.0)
    return ArmStart(pulls, total, lost, math.sqrt(part), prior, weight, angle, drift, told)


@kernel
def _compute_distances(ahead: BoundaryRows, row: int, arm: ArmStart, t: float) -> BoundaryDistances:
    """Return the distances to the boundaries after t further pulls."""
    told = arm.told * t
    n, weight, lost = arm.pulls + t, arm.weight + told, arm.lost + t - told
    clock = arm.spread * arm.spread * told / ((arm.weight + arm.prior) * weight)
    start = arm.angle + arm.drift * clock
    place, root = (math.log(n) - ahead.first[row]) / ahead.step, math.sqrt(n)
    top = ahead.good_bar * n + root * interpolate(ahead.good[row], place)
    low = ahead.bad_bar * n + root * interpolate(ahead.bad[row], place) - lost
    above = (top + ahead.over * arm.spread + arm.prior) / weight
    below = (low - ahead.under * arm.spread + arm.prior) / weight
    return BoundaryDistances(
        clock,
        compute_angle(above, ahead.is_flat) - start,
        start - compute_angle(below, ahead.is_flat),
        ahead.is_flat or top - arm.total <= told,
        ahead.is_flat or low >= arm.total,
    )


@kernel
def _compute_density(
    x0: float, x1: float, x2: float, clock0: float, clock1: float, clock2: float
) -> tuple[float, float]:
    """Return the density, over the log of the clock, of passing a boundary at the second height.

    Also return where the tangent at that height begins. The boundary is given by three heights.
    """
    root = math.sqrt(clock1)
    before, after = (x1 - x0) / (clock1 - clock0), (x2 - x1) / (clock2 - clock1)
    share = (clock1 - clock0) / (clock2 - clock0)
    start = max(x1 - (share * after + (1.0 - share) * before) * clock1, 0.0)
    if start <= 0.0 or x1 > _FARTHEST * root:
        return 0.0, start
    # The curvature of the boundary times a mean over paths that end at it, which is nearly this.
    reach = clock1 * clock1 / (start * start / clock1 + 3.0 - 2.0 / (1.0 + start / root)) / start
    bend = max(before - after, 0.0) / (clock2 - clock0) * reach
    normal = _PEAK * math.exp(-0.5 * x1 * x1 / clock1)
    return start / root * normal * max(1.0 - bend, 0.0), start


@inlined
def _compute_passed(x: float, start: float, clock: float) -> float:
    """Return the chance that a line from this start has been passed when its height is x."""
    root = math.sqrt(2.0 * clock)
    # Reflection principle; the exponential is large only where the other factor is small.
    grown = math.exp(min(2.0 * (start - x) * start / clock, _LARGEST))
    return min(0.5 * (math.erfc(x / root) + grown * math.erfc((2.0 * start - x) / root)), 1.0)


@merged
def find_needed_quantiles(
    ahead: BoundaryRows, row: int, arm: ArmStart, most: float
) -> tuple[float, float]:
    """Return the further pulls that are enough for a label with probability 1/2, and with 90 %.

    When a boundary first comes within reach, the chance of having passed its tangent is added.
    """
    step, t = math.log(RATIO), _START
    old, now = (
        _compute_distances(ahead, row, arm, t / RATIO),
        _compute_distances(ahead, row, arm, t),
    )
    was_up = was_down = False
    chance = last = up = down = 0.0
    median = likely = math.inf
    while chance < LIKELY and t <= most * RATIO:
        coming = _compute_distances(ahead, row, arm, t * RATIO)
        clocks = old.clock, now.clock, coming.clock
        slower = 0.5 * step * arm.weight / (arm.weight + arm.told * t)
        last = chance
        if now.is_up:
            density, start = _compute_density(old.up, now.up, coming.up, *clocks)
            chance += up + density * slower if was_up else _compute_passed(now.up, start, now.clock)
            up = density * slower
        if now.is_down:
            density, start = _compute_density(old.down, now.down, coming.down, *clocks)
            chance += (
                down + density * slower if was_down else _compute_passed(now.down, start, now.clock)
            )
            down = density * slower
        if now.up + now.down <= 0.0:
            # With a margin the boundaries cross: then any sum is beyond one of them.
            chance = max(chance, 1.0)
        if last < MEDIAN <= chance:
            median = t * RATIO ** ((MEDIAN - last) / (chance - last) - 1.0)
        if last < LIKELY <= chance:
            likely = t * RATIO ** ((LIKELY - last) / (chance - last) - 1.0)
        was_up, was_down = now.is_up, now.is_down
        old, now, t = now, coming, t * RATIO
    return median, likely


@interpreted_first(lambda ahead, pulls, *_: len(pulls))
def fill_needed(
    ahead: BoundaryRows,
    pulls: np.ndarray,
    totals: np.ndarray,
    lost: np.ndarray,
    parts: np.ndarray,
    most: np.ndarray,
    medians: np.ndarray,
    likely: np.ndarray,
) -> None:
    """Fill in ``find_needed_quantiles`` of each arm; infinity if that is more than ``most``."""
    for k in range(len(pulls)):
        arm = _make_start(ahead.is_flat, pulls[k], totals[k], lost[k], parts[k])
        medians[k], likely[k] = find_needed_quantiles(
            ahead, min(k, len(ahead.good) - 1), arm, most[k]
        )
