"""One floating-point expression for each sampling rule's index; all engines and ``ask`` use these.

The largest index is pulled, ties going to the lowest arm. An index is a function of three numbers:
``level`` and ``width``, which depend on the arm's own counts, and the ``clock``, which depends on
all pulls so far and never lets an index fall. Most are straight lines, ``level + width * clock``.
Notation: n pulls of the arm, s the sum of its unit rewards, m = s / n, t pulls of all arms, K arms.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import (
    APGAI,
    APT_G,
    GAUSSIAN,
    HDOC,
    KL_UCB,
    LUCB_G,
    MOSS,
    ROUND_ROBIN,
    Setup,
)
from goodarm.kernels.jit import inlined, kernel
from goodarm.kernels.rules import hoeffding_bound
from goodarm.kernels.run import Arms

MOSS_FACTOR: Final = 0.525
"""The constant of MOSS-anytime as Cho et al. 2025 use it."""

CLOSE: Final = 8.0 * 2.220446049250313e-16
"""Two indices that differ by less than this part of their size are not told apart."""

_CLOSE_ENOUGH: Final = 1e-9
"""Newton's last step, as a part of the distance; the error is then half its square."""


@inlined
def index_parts(setup: Setup, n: int, mean: float) -> tuple[float, float]:
    """Level and width of the arm's index after n pulls with this mean."""
    if setup.sampling == HDOC:
        return mean, math.sqrt(0.5 / n)
    if setup.sampling >= MOSS:
        return mean, 1.0 / n
    if setup.sampling == LUCB_G:
        return mean + hoeffding_bound(n, setup.num_arms, setup.delta), 0.0
    if setup.sampling == APT_G:
        return -(math.sqrt(n) * abs(setup.threshold - mean)), 0.0
    if setup.sampling == APGAI:
        return math.sqrt(n) * (mean - setup.threshold), 0.0
    return -float(n), 0.0


@inlined
def index_clock(setup: Setup, t: int) -> float:
    """What all arms share: sqrt(log t) for HDoC, log t for KL-UCB, t / K for MOSS and KL-MOSS."""
    if setup.sampling == HDOC:
        return math.sqrt(math.log(t))
    if setup.sampling == KL_UCB:
        return math.log(t)
    if setup.sampling >= MOSS:
        return t / setup.num_arms
    return 0.0


@inlined
def moves_on(setup: Setup) -> bool:
    """Whether indices rise while other arms are pulled."""
    return setup.sampling == HDOC or setup.sampling > ROUND_ROBIN


@inlined
def index_of(setup: Setup, level: float, width: float, clock: float) -> float:
    """The index itself."""
    if setup.sampling < MOSS:
        return level + width * clock
    return bent_index(setup, level, width, clock)


@kernel
def bent_index(setup: Setup, mean: float, share: float, clock: float) -> float:
    """The index of the rules that are no lines; ``share`` is 1 / n.

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
    if setup.rewards == GAUSSIAN:
        return mean + math.sqrt(0.5 * distance)
    return kl_upper(mean, distance)


@kernel
def kl_upper(m: float, distance: float) -> float:
    """The largest q with m log(m / q) + (1 - m) log((1 - m) / (1 - q)) <= distance.

    Newton's steps in u = q - m from a bound above: the divergence is convex, so they come down to
    the root and never pass it. In u nothing cancels that matters: q is exact to a few last places.
    """
    if distance <= 0.0 or m >= 1.0:
        return m
    if m < 1e-300:
        return -math.expm1(-distance)
    rest = 1.0 - m
    # kl(m, q) is at least 2 u^2, u^2 / (2 q), and m log m + (1 - m) log((1 - m) / (1 - q)).
    u = min(math.sqrt(0.5 * distance), distance + math.sqrt(distance * (distance + 2.0 * m)))
    if u > 0.5 * rest:
        u = min(u, -rest * math.expm1(-(distance - m * math.log(m)) / rest))
    if u >= rest:
        return 1.0
    for _ in range(50):
        excess = -m * math.log1p(u / m) - rest * math.log1p(-u / rest) - distance
        step = excess * (m + u) * (rest - u) / u
        u -= step
        if step <= _CLOSE_ENOUGH * u:
            break
    return m + u


@inlined
def index_at(setup: Setup, n: int, mean: float, clock: float) -> float:
    """The index after n pulls with this mean."""
    level, width = index_parts(setup, n, mean)
    return index_of(setup, level, width, clock)


@inlined
def clearly_above(a: float, b: float) -> bool:
    """Whether a exceeds b by more than rounding can do."""
    return b == -math.inf or a - b > CLOSE * (abs(a) + abs(b))


@inlined
def index_or_less(
    setup: Setup,
    arms: Arms,
    level: NDArray[np.float64],
    width: NDArray[np.float64],
    arm: int,
    t: int,
    clock: float,
    floor: float,
) -> float:
    """The arm's index; or, where that is known to lie clearly below the floor, a number that does.

    An index that is no line costs a few logarithms. Its value at a somewhat later clock is a
    ceiling over it until then, and arms far below the best are told by their ceilings.
    """
    if setup.sampling < MOSS:
        return level[arm] + width[arm] * clock
    own = arms[arm]
    if own["ceiling_end"] >= t and clearly_above(floor, own["ceiling"]):
        return own["ceiling"]
    index = bent_index(setup, level[arm], width[arm], clock)
    if clearly_above(floor, index):
        raise_ceiling(setup, arms, level[arm], width[arm], arm, t, floor)
    return index


@kernel
def raise_ceiling(
    setup: Setup, arms: Arms, level: float, width: float, arm: int, t: int, floor: float
) -> None:
    """A ceiling over the index for a while; for a short one, if only that keeps below the floor."""
    own = arms[arm]
    for shift in (6, 12):
        end = t + (t >> shift) + 1
        ceiling = bent_index(setup, level, width, index_clock(setup, end))
        own["ceiling_end"], own["ceiling"] = end, ceiling
        if clearly_above(floor, ceiling):
            break
