"""Pulls that the mixture test still needs to label an arm, if its true mean is what it looks like.

The expected number is that at which the evidence reaches its level along the straight path of the
mean. About it the counts wander: their distance from the boundary they must cross is a walk with a
drift, and the pulls it takes have nearly the inverse Gaussian distribution, whose quantile gives
the number that suffices with a probability of 90 %.
"""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm.identification.mixture.bounds import same_once
from goodarm.algorithm.identification.mixture.evidence import Floats, prior_polynomials
from goodarm.algorithm.identification.mixture.weights import WEIGHTS
from goodarm.kernels.mixture import fill_needed

LIKELY: Final = 0.9
_MOST: Final = 2.0**53


def pulls_needed(
    n: Floats,
    s: Floats,
    bars: tuple[float, float],
    levels: tuple[float, float],
    weights: tuple[float, ...] = WEIGHTS,
) -> tuple[Floats, Floats]:
    """Further pulls after n rewards with sum s: expected, and enough in 90 % of all cases.

    The second is an approximation, rounded up to three digits.

    Args:
        n, s: counts of arms that are not labelled, each n at least 1.
        bars: those of good and of bad; different ones with a margin.
        levels: the logs of the evidence that proves good, and bad.

    Infinite where no number of pulls would do. The label that is expected sooner counts.

    >>> expected, likely = pulls_needed(np.array([100.0]), np.array([85.0]), (0.8, 0.8), (4.1, 4.1))
    >>> expected.tolist(), likely.tolist()
    ([558.0], [1010.0])
    """
    if not len(n):
        return np.empty(0), np.empty(0)
    sides = (
        _one_side(n, s, n - s, bars[0], 1.0 - bars[0], levels[0], weights),
        _one_side(n, n - s, s, 1.0 - bars[1], bars[1], levels[1], weights),
    )
    is_good = sides[0][0] <= sides[1][0]
    return (
        np.where(is_good, sides[0][0], sides[1][0]),
        np.where(is_good, sides[0][1], sides[1][1]),
    )


def _one_side(
    n: Floats,
    hits: Floats,
    misses: Floats,
    bar: float,
    rest: float,
    level: float,
    weights: tuple[float, ...],
) -> tuple[Floats, Floats]:
    first, second, back = same_once(hits, misses)
    totals, drifts = np.empty(len(first)), np.empty(len(first))
    settings = (bar, rest, level, np.array(weights), prior_polynomials(weights))
    fill_needed(first, second, *settings, totals, drifts)
    further = np.maximum(totals[back] - n, 1e-3)
    further[totals[back] > _MOST] = np.inf
    known = np.isfinite(further)
    likely = np.full_like(further, np.inf)
    likely[known] = further[known] * _stretch(further[known] * drifts[back][known])
    expected = np.ceil(further)
    return expected, np.maximum(_rounded_up(likely), expected)


def _rounded_up(values: Floats) -> Floats:
    """To three digits: an approximation has no more."""
    known = np.isfinite(values)
    unit = np.ones_like(values)
    unit[known] = 10.0 ** np.maximum(np.floor(np.log10(values[known])) - 2.0, 0.0)
    return np.ceil(values / unit) * unit


def _stretch(shape: Floats) -> Floats:
    """The 90 % quantile of an inverse Gaussian time with mean 1, by its shape."""
    from scipy import special  # a sixth of a second, where an arm is undecided only

    shapes, quantiles = _quantiles()
    large = 1.0 + special.ndtri(LIKELY) / np.sqrt(np.maximum(shape, shapes[-1]))
    inside = np.interp(np.log(np.clip(shape, shapes[0], shapes[-1])), np.log(shapes), quantiles)
    return np.where(shape > shapes[-1], large, inside)


@lru_cache(maxsize=1)
def _quantiles() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """By bisection, on a grid of shapes."""
    shapes = np.geomspace(1e-6, 1e6, 2000)
    low, high = np.zeros_like(shapes), np.full_like(shapes, 100.0)
    for _ in range(60):
        middle = 0.5 * (low + high)
        is_below = _chance(middle, shapes) < LIKELY
        low, high = np.where(is_below, middle, low), np.where(is_below, high, middle)
    return shapes, high


def _chance(time: Floats, shape: Floats) -> Floats:
    """The probability that an inverse Gaussian time with mean 1 is over."""
    from scipy import special

    root = np.sqrt(shape / time)
    late = 0.5 * special.erfcx(root * (time + 1.0) / np.sqrt(2.0))
    before = root * (time - 1.0)
    return np.asarray(special.ndtr(before) + late * np.exp(-0.5 * before * before))
