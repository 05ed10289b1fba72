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

Nothing cancels: log B is split into a deviance, n times a divergence, and corrections that are
small; tails that underflow are taken from a continued fraction or a saddle point instead.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from goodarm.algorithm.identification.mixture import WEIGHTS

Floats = NDArray[np.float64]

_LEAST_TAIL: Final = 1e-280
_MANY: Final = 1e6
"""From so many of both outcomes on, the saddle point is exact to a millionth."""
_MOST_TERMS: Final = 3000
_HALF_LOG_TWO_PI: Final = 0.5 * math.log(2.0 * math.pi)


def log_evidence_good(
    n: ArrayLike, s: ArrayLike, bar: float, weights: tuple[float, ...] = WEIGHTS
) -> Floats:
    """The log of E_good after n rewards with sum s.

    >>> round(float(log_evidence_good(100, 70, 0.5)), 3)
    6.443
    """
    pulls, sums = np.broadcast_arrays(np.asarray(n, float), np.asarray(s, float))
    return _log_evidence(sums, pulls - sums, bar, 1.0 - bar, weights)


def log_evidence_bad(
    n: ArrayLike, s: ArrayLike, bar: float, weights: tuple[float, ...] = WEIGHTS
) -> Floats:
    """The log of E_bad after n rewards with sum s."""
    pulls, sums = np.broadcast_arrays(np.asarray(n, float), np.asarray(s, float))
    return _log_evidence(pulls - sums, sums, 1.0 - bar, bar, weights)


def _log_evidence(
    hits: Floats, misses: Floats, bar: float, rest: float, weights: tuple[float, ...]
) -> Floats:
    """The evidence that hits come more often than the bar; ``rest`` is 1 - bar."""
    logs = []
    for weight in weights:
        size = weight / min(bar, rest)
        a, b = size * bar, size * rest
        prior = _log_mass(np.array(a), np.array(b), bar, rest)
        logs.append(_log_mass(hits + a, misses + b, bar, rest) - prior)
    return np.asarray(special.logsumexp(logs, axis=0) - math.log(len(weights)))


def _log_mass(a: Floats, b: Floats, bar: float, rest: float) -> Floats:
    """Log of B(a, b) P(Beta(a, b) > bar) / (bar^a rest^b)."""
    total = a + b
    deviance = _deviance(a, total * bar) + _deviance(b, total * rest)
    spread = 0.5 * np.log(total / a / b)
    with np.errstate(divide="ignore", invalid="ignore"):
        tail = special.betaincc(a, b, bar)
        corrections = _stirling(a) + _stirling(b) - _stirling(total)
        plain = deviance + _HALF_LOG_TWO_PI + spread + corrections + np.log(tail)
    is_deep = (tail < _LEAST_TAIL) & (a < total * bar)
    if not is_deep.any():
        return np.asarray(plain)
    deep = np.where(
        np.minimum(a, b) < _MANY,
        np.log(_fraction(b, a, rest)) - np.log(b),
        _log_saddle(a, b, bar, deviance),
    )
    return np.where(is_deep, deep, plain)


def _deviance(count: Floats, expected: Floats) -> Floats:
    """Count log(count / expected) + expected - count, without cancellation."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (count - expected) / expected
        series = expected * _excess(ratio)
        direct = special.xlogy(count, count / expected) + expected - count
    return np.where(np.abs(ratio) < 0.1, series, direct)


def _excess(u: Floats) -> Floats:
    """(1 + u) log(1 + u) - u for small u: the sum of (-u)^k / (k (k - 1)) from k = 2."""
    u = np.clip(u, -0.1, 0.1)
    terms = np.zeros_like(u)
    for k in range(18, 1, -1):
        terms = 1.0 / (k * (k - 1)) - u * terms
    return u * u * terms


def _stirling(x: Floats) -> Floats:
    """Log Gamma(x) less Stirling's main terms."""
    y = 1.0 / np.maximum(x, 10.0)
    z = y * y
    series = y * (
        1 / 12 - z * (1 / 360 - z * (1 / 1260 - z * (1 / 1680 - z * (1 / 1188 - z * 691 / 360360))))
    )
    few = np.minimum(x, 10.0)
    direct = special.gammaln(few) - (few - 0.5) * np.log(few) + few - _HALF_LOG_TWO_PI
    return np.where(x < 10.0, direct, series)


def _fraction(a: Floats, b: Floats, x: float) -> Floats:
    """The continued fraction F of I_x(a, b) = x^a (1 - x)^b F / (a B(a, b)), for small I only."""
    tiny = 1e-300
    c = np.ones_like(a)
    d = 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / np.where(np.abs(d) < tiny, tiny, d)
    value = d.copy()
    for m in range(1, _MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        step = np.ones_like(a)
        for term in (even, odd):
            d = 1.0 + term * d
            d = 1.0 / np.where(np.abs(d) < tiny, tiny, d)
            c = 1.0 + term / c
            c = np.where(np.abs(c) < tiny, tiny, c)
            step *= d * c
        value *= step
        if np.all(np.abs(step - 1.0) < 1e-15):
            break
    return np.maximum(value, tiny)


def _log_saddle(a: Floats, b: Floats, bar: float, deviance: Floats) -> Floats:
    """Log of the mass far below the bar, by the saddle point of Lugannani and Rice."""
    total = a + b
    scale = np.sqrt(a / total * b)
    root = np.sqrt(2.0 * deviance)
    with np.errstate(divide="ignore", invalid="ignore"):
        # Mills' ratio less 1 / root, by its asymptotic series: root is above 35 here.
        z = 1.0 / (root * root)
        mills = -z / root * (1.0 - 3.0 * z * (1.0 - 5.0 * z * (1.0 - 7.0 * z)))
        return np.log(scale / (total * bar - a) + mills) - np.log(scale)
