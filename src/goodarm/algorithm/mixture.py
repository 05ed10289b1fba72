"""Evidence from counts: the mixture test of one arm, as numbers.

To call an arm good, "its mean is at most the bar" is tested by a mixture of likelihood ratios over
all means above the bar, weighted by a Beta prior that is cut off at the bar:

    E_good = B(s + a, n - s + b) P(Beta(s + a, n - s + b) > bar)
             / (B(a, b) P(Beta(a, b) > bar) bar^s (1 - bar)^(n - s))

E_bad is its mirror image: failures for successes, 1 - bar for the bar. The priors are centred at
the bar, Beta(q bar, q (1 - bar)) with q = weight / min(bar, 1 - bar); the evidence is the average
over several weights.

Why that is valid. For rewards in [0, 1] whose mean, given all that came before, is at most the bar,
each likelihood ratio towards a larger mean p is the product of factors 1 + (p - bar) (x - bar) /
(bar (1 - bar)) or less, each of expectation at most 1: a supermartingale, whichever arms are pulled
and whenever one looks. An average of supermartingales over a prior that is fixed beforehand is one
again. Without the cut it would contain means below the bar, whose ratios are none. By Ville's
inequality it ever reaches K / delta with probability at most delta / K, which sums to delta over K
arms.
"""

import math
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import ArrayLike, NDArray

from goodarm.algorithm.beta import log_mass
from goodarm.algorithm.identification.mixture import WEIGHTS

Floats = NDArray[np.float64]

_DEGREE: Final = 20
"""Of the polynomials for the priors' masses: exact to a rounding."""
_LEAST_SMOOTH: Final = 0.5


def log_evidence_good(
    n: ArrayLike, s: ArrayLike, bar: ArrayLike, weights: tuple[float, ...] = WEIGHTS
) -> Floats:
    """The log of E_good after n rewards with sum s; all three may be arrays.

    >>> round(float(log_evidence_good(100, 70, 0.5)), 3)
    6.443
    """
    pulls, sums, bars = _alike(n, s, bar)
    return _log_evidence(sums, pulls - sums, bars, 1.0 - bars, weights)


def log_evidence_bad(
    n: ArrayLike, s: ArrayLike, bar: ArrayLike, weights: tuple[float, ...] = WEIGHTS
) -> Floats:
    """The log of E_bad after n rewards with sum s; all three may be arrays."""
    pulls, sums, bars = _alike(n, s, bar)
    return _log_evidence(pulls - sums, sums, 1.0 - bars, bars, weights)


def _alike(*parts: ArrayLike) -> tuple[Floats, ...]:
    return np.broadcast_arrays(*(np.asarray(part, np.float64) for part in parts))


def _log_evidence(
    hits: Floats, misses: Floats, bar: Floats, rest: Floats, weights: tuple[float, ...]
) -> Floats:
    """The evidence that hits come more often than the bar; ``rest`` is 1 - bar."""
    rarer = np.minimum(bar, rest)
    logs = []
    for weight in weights:
        a, b = weight * bar / rarer, weight * rest / rarer
        logs.append(log_mass(hits + a, misses + b, bar, rest) - _log_prior(bar, rest, weight))
    largest = np.maximum.reduce(logs)
    total = sum(np.exp(log - largest) for log in logs)
    return np.asarray(largest + np.log(total) - math.log(len(weights)))


def _log_prior(bar: Floats, rest: Floats, weight: float) -> Floats:
    """The log of the prior's mass above the bar: a function of the bar alone, and a smooth one."""
    rarer = np.minimum(bar, rest)
    if weight < _LEAST_SMOOTH:
        return log_mass(weight * bar / rarer, weight * rest / rarer, bar, rest)
    low, high = _prior_polynomials(weight)
    place = 4.0 * rarer - 1.0
    is_low = bar <= rest
    if is_low.all():
        return np.asarray(chebyshev.chebval(place, low))
    if not is_low.any():
        return np.asarray(chebyshev.chebval(place, high))
    return np.where(is_low, chebyshev.chebval(place, low), chebyshev.chebval(place, high))


@lru_cache(maxsize=64)
def _prior_polynomials(weight: float) -> tuple[Floats, Floats]:
    """In 4 min(bar, rest) - 1: one for bars up to a half, one for those above."""

    def low(place: Floats) -> Floats:
        bar = 0.25 * (place + 1.0)
        return log_mass(weight, weight * (1.0 - bar) / bar, bar, 1.0 - bar)

    def high(place: Floats) -> Floats:
        rest = 0.25 * (place + 1.0)
        return log_mass(weight * (1.0 - rest) / rest, weight, 1.0 - rest, rest)

    found = (chebyshev.chebinterpolate(function, _DEGREE) for function in (low, high))
    lowest, highest = (np.asarray(coefficients, np.float64) for coefficients in found)
    return lowest, highest
