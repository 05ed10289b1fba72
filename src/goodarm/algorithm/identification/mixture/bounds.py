"""The interval of the mixture test, for many arms at once.

The lower bound is the largest bar that the counts prove the mean to be above, with the priors
centred at each bar in turn; the upper bound is its mirror image. Both end on the proven side, with
a rounding to spare. Arms with the same counts are done once.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goodarm.algorithm.identification.mixture.evidence import (
    Floats,
    prior_polynomials,
    without_dust,
)
from goodarm.algorithm.identification.mixture.weights import WEIGHTS
from goodarm.algorithm.threads import fill_in_threads
from goodarm.kernels.numerics.mixture import fill_bars


def lower_bounds(
    n: ArrayLike, s: ArrayLike, level: float, weights: tuple[float, ...] = WEIGHTS
) -> Floats:
    """The largest bars with log E_good of at least the level after n rewards with sum s.

    Each n is at least 1; 0 where no bar is proven.

    >>> lower_bounds([100, 100], [70, 0], level=4.1).round(4).tolist()
    [0.5362, 0.0]
    """
    pulls, sums = _counts(n, s)
    bars, _ = _solve(sums, pulls - sums, level, weights)
    return np.maximum(bars - 2.0 * np.spacing(bars), 0.0)


def upper_bounds(
    n: ArrayLike, s: ArrayLike, level: float, weights: tuple[float, ...] = WEIGHTS
) -> Floats:
    """The smallest bars with log E_bad of at least the level; 1 where no bar is proven."""
    pulls, sums = _counts(n, s)
    _, rests = _solve(pulls - sums, sums, level, weights)
    return np.minimum(rests + 2.0 * np.spacing(rests), 1.0)


def _counts(n: ArrayLike, s: ArrayLike) -> tuple[Floats, Floats]:
    pulls, sums = np.broadcast_arrays(np.asarray(n, np.float64), np.asarray(s, np.float64))
    return pulls, sums


def _solve(
    hits: Floats, misses: Floats, level: float, weights: tuple[float, ...]
) -> tuple[Floats, Floats]:
    """The bars proven, and one minus each."""
    first, second, back = same_once(hits, misses)
    bars, rests = np.empty(len(first)), np.empty(len(first))
    settings = (level, np.array(weights), prior_polynomials(weights))
    fill_in_threads(fill_bars, first, second, *settings, bars, rests)
    return bars[back].reshape(hits.shape), rests[back].reshape(hits.shape)


def same_once(first: Floats, second: Floats) -> tuple[Floats, Floats, NDArray[np.intp]]:
    """Each pair of numbers once, and where it is needed."""
    left, right = without_dust(np.ravel(first)), without_dust(np.ravel(second))
    pairs, back = np.unique(left + 1j * right, return_inverse=True)
    return pairs.real.copy(), pairs.imag.copy(), back
