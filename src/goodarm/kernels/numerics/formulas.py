"""Formulas of the papers, one floating-point expression each, for all engines and ``ask``.

Notation: n pulls of the arm, s the sum of its unit rewards, m = s / n, t pulls of all arms, K arms.
"""

import math
from typing import Final

from goodarm.kernels.compilation.jit import inlined, kernel

MOSS_FACTOR: Final = 0.525
"""Constant of MOSS-anytime, as in Cho et al. 2025."""

MAX_KELLY: Final = 0.98
"""Largest bet of Cho et al. 2025, as a part of the largest bet that cannot ruin."""

_LAST_STEP: Final = 5e-6
"""Size of the last Halley step, relative to the distance to the nearer end; its cube is about
the error."""

_SERIES_DISTANCE: Final = 0.5
"""Distance, relative to the variance, below which two terms of the series are a better start."""


@inlined
def hoeffding_bound(n: int, num_arms: int, delta: float) -> float:
    """Return U(n) = sqrt(log(4 K n^2 / delta) / (2 n)), Kano et al. 2019."""
    pulls = float(n)
    return math.sqrt(math.log(4.0 * num_arms * pulls * pulls / delta) / (2.0 * pulls))


@inlined
def lil_bound(n: int, num_arms: int, delta: float, epsilon: float, c: float) -> float:
    """Return the bound of lil'HDoC.

    U(n) = (1 + sqrt eps) sqrt((1 + eps) / (2 n) log(c K log((1 + eps) n) / delta))
    """
    spread = 1.0 + epsilon
    iterated = math.log(c * num_arms * math.log(spread * n) / delta)
    return (1.0 + math.sqrt(epsilon)) * math.sqrt(spread / (2.0 * n) * iterated)


@kernel
def kl_upper(m: float, distance: float) -> float:
    """Return the largest q with m log(m / q) + (1 - m) log((1 - m) / (1 - q)) <= distance.

    It uses Halley steps in u = q - m, from an upper bound or, where m and q are near, from the
    series u = sqrt(2 m (1 - m) d) + 2/3 (1 - 2 m) d + ... Cancellation in u is negligible: q is
    exact to a few units in the last place.
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
    variance = m * rest
    if distance < _SERIES_DISTANCE * variance:
        u = min(u, math.sqrt(2.0 * variance * distance) + (1.0 - 2.0 * m) * distance / 1.5)
    for _ in range(50):
        share = u / rest
        if share >= 1.0:  # q is 1, if only by rounding
            return 1.0
        excess = -m * math.log1p(u / m) - rest * math.log1p(-share) - distance
        step = excess * (m + u) * (rest - u) / u
        bend = 1.0 - 0.5 * excess * (1.0 + variance / (u * u))
        if bend > 0.25:
            step /= bend
        u -= step
        if abs(step) <= _LAST_STEP * min(u, rest - u):
            break
    return m + u


@inlined
def kelly_bet(mean: float, bar: float) -> float:
    """Return the bet (m - bar) / (bar (1 - bar)), before it is limited to its side of 0."""
    return (mean - bar) / (bar * (1.0 - bar))


@inlined
def root_count(s: float, a: float, mark: float) -> float:
    """Return the n with s / n + a / sqrt(n) = mark."""
    if s == 0.0 and a == 0.0:
        return 0.0
    y = 2.0 * mark / (a + math.sqrt(a * a + 4.0 * s * mark))
    return 1.0 / (y * y)
