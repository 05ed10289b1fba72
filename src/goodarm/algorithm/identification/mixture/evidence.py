"""Evidence of the mixture test, from the counts of an arm.

To call an arm good, "its mean is at most the bar" is tested by a mixture of likelihood ratios over
all means above the bar, weighted by a Beta prior that is cut off at the bar:

    E_good = B(s + a, n - s + b) P(Beta(s + a, n - s + b) > bar)
             / (B(a, b) P(Beta(a, b) > bar) bar^s (1 - bar)^(n - s))

E_bad is its mirror image: failures for successes, 1 - bar for the bar. The priors are centred at
the bar, Beta(q bar, q (1 - bar)) with q = weight / min(bar, 1 - bar); the evidence is the average
over several weights.

Validity: for rewards in [0, 1] whose mean, given all that came before, is at most the bar,
each likelihood ratio towards a larger mean p is the product of factors 1 + (p - bar) (x - bar) /
(bar (1 - bar)) or less, each of expectation at most 1: a supermartingale, whichever arms are pulled
and at any time. An average of supermartingales over a prior that is fixed beforehand is one
again. Without the cut it would contain means below the bar, whose ratios are no
supermartingales. By Ville's
inequality it ever reaches K / delta with probability at most delta / K, which sums to delta over K
arms.

The numerical part is compiled, in ``goodarm.kernels.numerics.mixture``.
"""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import ArrayLike, NDArray

from goodarm.algorithm.identification.mixture.weights import WEIGHTS
from goodarm.algorithm.threads import fill_in_threads
from goodarm.kernels.numerics.beta import fill_masses
from goodarm.kernels.numerics.mixture import fill_evidence

Floats = NDArray[np.float64]

MIN_SUM: Final = 1e-30
"""Smaller sums of rewards count as 0: their logs are useless."""
_MIN_PEAKED_WEIGHT: Final = 0.5
"""Priors of smaller weights have no peak; scipy computes their masses."""
_MIN_SMOOTH_WEIGHT: Final = 0.1
_MAX_POLYNOMIAL_ERROR: Final = 0.0025
"""Largest error of the polynomial for weights from 0.001 to 0.1; for larger ones it is 1e-11."""


def log_evidence(
    hits: ArrayLike,
    misses: ArrayLike,
    bar: ArrayLike,
    rest: ArrayLike,
    weights: tuple[float, ...] = WEIGHTS,
) -> Floats:
    """Return the log of the evidence that the rate of hits is above the bar.

    All arguments but ``weights`` may be arrays. ``rest`` is 1 - bar. With successes as hits it is
    the log of E_good; with failures as hits, and bar and rest exchanged, that of E_bad.

    >>> round(float(log_evidence(70, 30, 0.5, 0.5)), 3)
    6.443
    """
    parts = (hits, misses, bar, rest)
    numbers = np.empty((4, *np.broadcast(*parts).shape))
    for row, part in enumerate(parts):
        numbers[row] = part
    numbers[:2][numbers[:2] < MIN_SUM] = 0.0
    found = np.empty(numbers[0].size)
    settings = (_find_weights(weights), fit_prior_polynomials(weights))
    fill_in_threads(fill_evidence, len(found), *numbers.reshape(4, -1), *settings, found)
    return found.reshape(numbers.shape[1:])


@lru_cache(maxsize=64)
def _find_weights(weights: tuple[float, ...]) -> Floats:
    return np.array(weights)


@lru_cache(maxsize=64)
def fit_prior_polynomials(weights: tuple[float, ...]) -> Floats:
    """Fit the logs of the priors' masses above their bars by polynomials, for the kernels.

    For very small weights they are not smooth enough: the polynomials are then a little too large,
    never too small, so that the evidence is never too large.
    """
    terms = 16 if min(weights) >= _MIN_PEAKED_WEIGHT else 32
    places = np.cos(np.pi * (np.arange(terms) + 0.5) / terms)
    rows = []
    for weight in weights:
        for is_low in (True, False):
            values = _log_priors(weight, 0.25 * (1.0 + places), is_low)
            fitted = chebyshev.chebfit(places, values, terms - 1)
            row = chebyshev.cheb2poly(fitted)
            row[0] += _MAX_POLYNOMIAL_ERROR if weight < _MIN_SMOOTH_WEIGHT else 0.0
            rows.append(row)
    return np.array(rows, np.float64).reshape(len(weights), 2, terms)


def _log_priors(weight: float, rarer: Floats, is_low: bool) -> Floats:
    common, least = weight * (1.0 - rarer) / rarer, np.full(rarer.shape, weight)
    a, b = (least, common) if is_low else (common, least)
    bar, rest = (rarer, 1.0 - rarer) if is_low else (1.0 - rarer, rarer)
    found = np.empty(rarer.shape)
    if weight >= _MIN_PEAKED_WEIGHT:
        fill_masses(a, b, bar, rest, found)
    else:
        from scipy import special  # takes 1/6 second to load; for small weights only

        tail = np.log(special.betaincc(a, b, bar))
        found[:] = special.betaln(a, b) + tail - a * np.log(bar) - b * np.log(rest)
    return found
