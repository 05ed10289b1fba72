"""One floating-point expression for each sampling rule's index; all engines and ``ask`` use these.

The largest index is pulled, ties going to the lowest arm. An index is a function of three numbers:
``level`` and ``width``, which depend on the arm's own counts, and the ``clock``, which depends on
all pulls so far and never lets an index fall. Most are straight lines, ``level + width * clock``.
Notation: n pulls of the arm, s the sum of its unit rewards, m = s / n, t pulls of all arms, K arms.
"""

import math
from typing import Final

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

MOSS_FACTOR: Final = 0.525
"""The constant of MOSS-anytime as Cho et al. 2025 use it."""

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
    if m <= 0.0:
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
