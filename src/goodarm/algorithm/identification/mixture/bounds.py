"""Interval of the mixture test, for many arms at once.

The lower bound is the largest bar that the counts prove the mean to be above, with the priors
centred at each bar in turn; the upper bound is its mirror image. Both are rounded to the proven
side. Arms with equal counts are solved once.
"""

import numpy as np
from numpy.typing import ArrayLike

from goodarm.algorithm.identification.mixture.evidence import (
    MIN_SUM,
    Floats,
    fit_prior_polynomials,
)
from goodarm.algorithm.identification.mixture.weights import WEIGHTS
from goodarm.algorithm.threads import fill_in_threads
from goodarm.kernels.numerics.mixture import fill_bars


def lower_bounds(
    n: ArrayLike, s: ArrayLike, level: float, weights: tuple[float, ...] = WEIGHTS
) -> Floats:
    """Solve for the largest bars with log E_good of at least the level, for n rewards with sum s.

    Each n must be at least 1. A bound is 0 if no bar is proven.

    >>> lower_bounds([100, 100], [70, 0], level=4.1).round(4).tolist()
    [0.5362, 0.0]
    """
    bars, _ = _solve(s, np.subtract(n, s), level, weights)
    return np.maximum(bars - 2.0 * np.spacing(bars), 0.0)


def find_upper_bounds(
    n: ArrayLike, s: ArrayLike, level: float, weights: tuple[float, ...] = WEIGHTS
) -> Floats:
    """Solve for the smallest bars with log E_bad of at least the level; 1 if no bar is proven."""
    _, rests = _solve(np.subtract(n, s), s, level, weights)
    return np.minimum(rests + 2.0 * np.spacing(rests), 1.0)


def _solve(
    hits: ArrayLike, misses: ArrayLike, level: float, weights: tuple[float, ...]
) -> tuple[Floats, Floats]:
    """Return the bars proven, and one minus each; equal counts are solved once."""
    counts = np.array(np.broadcast_arrays(hits, misses), np.float64)
    counts[counts < MIN_SUM] = 0.0
    shape = counts.shape[1:]
    pairs, back = np.unique(counts[0].ravel() + 1j * counts[1].ravel(), return_inverse=True)
    bars, rests = np.empty(len(pairs)), np.empty(len(pairs))
    each, settings = (pairs.real.copy(), pairs.imag.copy()), (level, np.array(weights))
    polynomials = fit_prior_polynomials(weights)
    fill_in_threads(fill_bars, len(pairs), *each, *settings, polynomials, bars, rests)
    return bars[back].reshape(shape), rests[back].reshape(shape)
