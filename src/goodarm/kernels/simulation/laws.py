"""Laws: distributions of rewards, for arms with more than a mean.

Each is a tape: the k-th reward depends only on (seed, run, arm, k). To go back on a tape is to
reset the number of words drawn, so a reward that may use words of several blocks begins with a new
block.
"""

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import NEVER
from goodarm.kernels.compilation.jit import kernel, merged
from goodarm.kernels.numerics.philox import multiply_high
from goodarm.kernels.simulation.place import Place, draw_uniform, draw_word

PLAIN: Final = 0
"""Law given by the mean alone, which depends on the kind of rewards."""

POOL: Final = 1
"""Law of 0/1 rewards without replacement: ``size`` cases, ``left`` successes still to come."""

LISTED: Final = 2
"""Law without replacement: ``size`` values, in the order in which they come."""

DISCRETE: Final = 3
"""Law on ``size`` values; after them come their cumulative shares, the last of which is 1."""

UNIFORM: Final = 4
"""Uniform law, given by its two ends."""

BETA: Final = 5
"""Beta law: see ``draw_beta``."""

Numbers = NDArray[np.float64]
"""Numbers of the laws of all arms, one law after the other."""

LAW: Final = np.dtype(
    [("law", np.int32), ("first", np.int32), ("size", np.int32), ("left", np.int32)]
)

_LOG_4: Final = math.log(4.0)


class Laws(NamedTuple):
    """Laws of an instance: records of LAW over arms, and the numbers they refer to."""

    arms: NDArray[np.void]
    numbers: Numbers


@merged
def draw_beta(place: Place, numbers: Numbers, arm: int) -> float:
    """Draw from Beta(a, b) by Algorithm BA of Cheng 1978.

    The value is w / (b + w) with w = a e^v and v log-logistic. The numbers are a / (a + b),
    b / (a + b), the paper's alpha, beta and gamma, and both ends of the range. In the paper's
    condition alpha log(alpha / (b + w)) is written so that nothing overflows, and cancellation for
    large a and b is negligible.
    """
    first = place["first"]
    share, rest, alpha = numbers[first], numbers[first + 1], numbers[first + 2]
    beta, gamma = numbers[first + 3], numbers[first + 4]
    low, high = numbers[first + 5], numbers[first + 6]
    place["drawn"] = (place["drawn"] + 3) & -4
    while True:
        u = draw_uniform(place, arm)
        z = u * u * draw_uniform(place, arm)
        if u == 1.0:
            continue
        v = beta * math.log(u / (1.0 - u))
        if v > 0.0:
            fall = alpha * (v + math.log1p(rest * math.expm1(-v)))
        else:
            fall = alpha * math.log1p(share * math.expm1(v))
        if gamma * v - fall - _LOG_4 >= math.log(z):
            break
    odds = math.exp(-abs(v))
    x = share / (share + rest * odds) if v > 0.0 else share * odds / (share * odds + rest)
    return min(max(low + (high - low) * x, low), high)


@kernel
def draw(place: Place, numbers: Numbers, arm: int, n: int) -> float:
    """Draw the n-th reward of an arm whose law is not plain."""
    law, first, size = place["law"], place["first"], place["size"]
    if law == LISTED:
        return numbers[first + min(n, size) - 1]
    if law == BETA:
        return draw_beta(place, numbers, arm)
    u = draw_uniform(place, arm)
    if law == UNIFORM:
        low, high = numbers[first], numbers[first + 1]
        return min(max(low + (high - low) * u, low), high)
    below, above = -1, size - 1
    while above - below > 1:
        middle = (below + above) >> 1
        if numbers[first + size + middle] < u:
            below = middle
        else:
            above = middle
    return numbers[first + above]


@kernel
def draw_next_hit(place: Place, arm: int, start: int) -> int:
    """Draw the first case after ``start`` that succeeds, in a pool; NEVER after the last success.

    Case k succeeds with probability (successes left) / (N - k + 1); each case takes one word.
    """
    left, cases = place["left"], place["size"] - start
    while left > 0:
        is_hit = multiply_high(draw_word(place, arm), np.uint64(cases)) < np.uint64(left)
        start, cases = start + 1, cases - 1
        if is_hit:
            place["left"] = left - 1
            return start
    return NEVER


@kernel
def shuffle(place: Place, numbers: Numbers, arm: int) -> None:
    """Shuffle the values of a list into the order in which the arm draws them (Fisher-Yates)."""
    first, size = place["first"], place["size"]
    for k in range(size - 1):
        j = k + np.int64(multiply_high(draw_word(place, arm), np.uint64(size - k)))
        numbers[first + k], numbers[first + j] = numbers[first + j], numbers[first + k]
