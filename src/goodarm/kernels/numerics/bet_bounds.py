"""Bounds on the mean from bets: the bar at which the wealth on good would be just enough.

For fixed rewards the wealth on good falls in the bar, so there is one such bar. The wealth on bad
is the mirror image: one minus each reward, one minus the bar.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.compilation.jit import interpreted_first, kernel
from goodarm.kernels.numerics.bets import CERTAIN_LOG_WEALTH, SHARE_ROUNDING, compute_log_gain

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_MAX_STEPS: Final = 200
_PRECISION: Final = 1e-13
"""Relative precision of a bound, which lies on the proven side."""


@kernel
def log_wealth(
    values: Floats,
    times: Floats,
    first: int,
    end: int,
    lost: float,
    parts: Floats,
    shares: Floats,
    bar: float,
) -> tuple[float, float]:
    """Return the log of the wealth on good at a bar, and its slope in the log of the bar.

    Each gambler bets a part c of the largest bet that cannot ruin: a reward x multiplies its wealth
    by 1 - c + c x / bar, a lost one by 1 - c.
    """
    most, total, slope = -math.inf, 0.0, 0.0
    for j in range(parts.shape[0]):
        part = parts[j]
        log, fall = shares[j] + lost * math.log1p(-part), 0.0
        for k in range(first, end):
            won = part * values[k] / bar
            log += times[k] * math.log1p(won - part)
            fall -= times[k] * won / (1.0 + won - part)
        if log > most:
            scale = math.exp(most - log)
            total, slope, most = total * scale, slope * scale, log
        weight = math.exp(log - most)
        total += weight
        slope += weight * fall
    return most + math.log(total), slope / total


@interpreted_first(lambda starts, values, *_: len(values))
def fill_bars(
    starts: NDArray[np.intp],
    values: Floats,
    times: Floats,
    lost: Floats,
    parts: Floats,
    shares: Floats,
    level: float,
    bars: Floats,
) -> None:
    """Find the largest bar of each arm at which the wealth on good reaches the level; 0 if none.

    It uses Newton steps in the log of the bar, kept within a bracket.
    """
    for arm in range(bars.shape[0]):
        first, end = starts[arm], starts[arm + 1]
        largest = 0.0
        for k in range(first, end):
            largest = max(largest, values[k])
        if largest <= 0.0:
            continue
        # At the largest reward, or 1, nobody has won; far enough below the mean all have.
        high, low = math.log(largest), math.log(largest) - 1.0
        rule = (values, times, first, end, lost[arm], parts, shares)
        while low > -690.0 and log_wealth(*rule, math.exp(low))[0] < level:
            high, low = low, 2.0 * low - 1.0
        if low <= -690.0:
            continue
        log = low
        for _ in range(_MAX_STEPS):
            found, slope = log_wealth(*rule, math.exp(log))
            if found >= level:
                low = log
            else:
                high = log
            if high - low <= _PRECISION:
                break
            log -= (found - level) / slope
            if not low < log < high:
                log = 0.5 * (low + high)
            elif abs(log - low) < 0.25 * _PRECISION or abs(high - log) < 0.25 * _PRECISION:
                log = min(max(log, low + 0.25 * _PRECISION), high - 0.25 * _PRECISION)
        bars[arm] = math.exp(low)


@kernel
def compute_pool_wealth(
    values: Floats, first: int, end: int, size: int, enough: float, parts: Floats, shares: Floats
) -> float:
    """Return the log of the wealth on good after these rewards of a pool with sum ``enough``."""
    most, total = -math.inf, 0.0
    for j in range(parts.shape[0]):
        log, s = shares[j], 0.0
        for k in range(first, end):
            bar = (enough - s) / (size - (k - first))
            if bar <= 0.0:
                return CERTAIN_LOG_WEALTH
            log += compute_log_gain(parts[j], values[k], bar)
            s += values[k]
        if s >= enough:
            return CERTAIN_LOG_WEALTH
        if log > most:
            total, most = total * math.exp(most - log), log
        total += math.exp(log - most)
    return most + math.log(total)


@interpreted_first(lambda starts, values, *_: 2 * len(values))
def fill_pool_bars(
    starts: NDArray[np.intp],
    values: Floats,
    sizes: Ints,
    parts: Floats,
    shares: Floats,
    level: float,
    bars: Floats,
) -> None:
    """Find the bars like ``fill_bars``, in pools: values are in the order they were bet on."""
    for arm in range(bars.shape[0]):
        first, end, size = starts[arm], starts[arm + 1], sizes[arm]
        low, high = 0.0, 1.0
        while high - low > _PRECISION:
            middle = 0.5 * (low + high)
            enough = size * middle * (1.0 - SHARE_ROUNDING)
            if compute_pool_wealth(values, first, end, size, enough, parts, shares) >= level:
                low = middle
            else:
                high = middle
        bars[arm] = low
