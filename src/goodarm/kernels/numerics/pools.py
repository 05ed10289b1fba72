"""Mixture test in a finite pool: evidence from n of N cases, s of them successes.

The pool has S successes in all, and b are enough. With S0 = b - 1, the most that is not enough,
each likelihood ratio of an S >= b against S0 rises with every success, so it is a supermartingale
for every S <= S0, and so is their mean over a prior on S that is truncated below b. The prior is an
average of truncated beta-binomial ones with their centre at (b - 1/2) / N.

    E_good = sum over S of prior(S) (S)_s (N - S)_f / ((S0)_s (N - S0)_f),   f = n - s,

where (x)_k is the falling factorial. It is infinite once s >= b, and 0 once f > N - b.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import NEVER, CurveRows
from goodarm.kernels.compilation.jit import interpreted_first, kernel
from goodarm.kernels.numerics.gamma import log_gamma

Floats = NDArray[np.float64]

_NEGLIGIBLE: Final = 45.0
"""Difference in logs to the largest term beyond which terms are left out."""
_HUGE: Final = 1e250


@interpreted_first(lambda logs: len(logs) // 64)
def fill_factorials(logs: Floats) -> None:
    """Fill in the logs of 0!, 1!, 2!, ..."""
    for k in range(logs.shape[0]):
        logs[k] = log_gamma(k + 1.0)


@interpreted_first(lambda least, weights, priors: len(priors) // 8)
def fill_prior(least: int, weights: Floats, priors: Floats) -> None:
    """Fill in the log of: the prior of each S, divided by the ways to choose S of N cases.

    It is minus infinity below ``least``. Terms come from ratios of neighbours, so nothing cancels.
    """
    size = priors.shape[0] - 1
    centre = (least - 0.5) / size
    rarer = min(centre, 1.0 - centre)
    for total in range(size + 1):
        priors[total] = -math.inf
    for weight in weights:
        a, b = weight * centre / rarer, weight * (1.0 - centre) / rarer
        term, mass, scale = 1.0, 1.0, 0.0
        for total in range(least, size):
            term *= (a + total) / (b + size - total - 1.0) * (size - total) / (total + 1.0)
            mass += term
            if mass > _HUGE:
                term, mass, scale = term / _HUGE, mass / _HUGE, scale + math.log(_HUGE)
        # The mass is in units of the first term, C(N, S) B(a + S, b + N - S) at S = least.
        chosen = log_gamma(size + 1.0) - log_gamma(least + 1.0)
        chosen -= log_gamma(size - least + 1.0)
        log = -(math.log(mass) + scale) - chosen - math.log(weights.shape[0])
        for total in range(least, size + 1):
            high, low = max(priors[total], log), min(priors[total], log)
            priors[total] = high + math.log1p(math.exp(low - high))
            if total < size:
                log += math.log((a + total) / (b + size - total - 1.0))


@kernel
def log_evidence(n: int, s: int, least: int, priors: Floats, factorials: Floats) -> float:
    """Return the log of E_good after n cases with s successes."""
    size = priors.shape[0] - 1
    misses = n - s
    if s >= least:
        return math.inf
    if misses > size - least:
        return -math.inf
    left, end = size - n, size - misses
    total = min(max(least, size * s // max(n, 1)), end)
    best = log_term(total, s, left, priors, factorials)
    while total < end:
        above = log_term(total + 1, s, left, priors, factorials)
        if above <= best:
            break
        total, best = total + 1, above
    while total > least:
        below = log_term(total - 1, s, left, priors, factorials)
        if below <= best:
            break
        total, best = total - 1, below
    found = 1.0
    for other in range(total + 1, end + 1):
        less = log_term(other, s, left, priors, factorials) - best
        found += math.exp(less)
        if less < -_NEGLIGIBLE:
            break
    for other in range(total - 1, least - 1, -1):
        less = log_term(other, s, left, priors, factorials) - best
        found += math.exp(less)
        if less < -_NEGLIGIBLE:
            break
    most = least - 1
    under = factorials[most] - factorials[most - s]
    under += factorials[size - most] - factorials[size - most - misses]
    under -= factorials[size] - factorials[left]
    return best + math.log(found) + factorials[left] - under


@kernel
def log_term(total: int, s: int, left: int, priors: Floats, factorials: Floats) -> float:
    """Return the log of: the prior of S times the ways to choose its other successes / left!."""
    return priors[total] - factorials[total - s] - factorials[left - (total - s)]


@interpreted_first(lambda n, s, least, priors, *_: len(n) * (1 + len(priors) // 256))
def fill_evidence(
    n: NDArray[np.int64],
    s: NDArray[np.int64],
    least: int,
    priors: Floats,
    factorials: Floats,
    logs: Floats,
) -> None:
    """Fill in the log of E_good of many arms with pools of one size."""
    for k in range(n.shape[0]):
        logs[k] = log_evidence(n[k], s[k], least, priors, factorials)


@interpreted_first(lambda least, priors, *_: len(priors) ** 2 // 640)
def fill_good_rows(
    least: int, priors: Floats, factorials: Floats, level: float, rows: CurveRows
) -> None:
    """Fill in, by successes, the most pulls with which an arm is good: it rises with successes."""
    until = 0
    for s in range(rows.shape[0]):
        if s >= least:
            rows[s]["good_until"] = NEVER
            continue
        until = max(until + 1, s, 1)
        if log_evidence(until, s, least, priors, factorials) < level:
            until -= 1
            rows[s]["good_until"] = until
            continue
        while log_evidence(until + 1, s, least, priors, factorials) >= level:
            until += 1
        rows[s]["good_until"] = until


@interpreted_first(lambda least, priors, *_: len(priors) ** 2 // 640)
def fill_bad_rows(
    least: int, priors: Floats, factorials: Floats, level: float, rows: CurveRows
) -> None:
    """Fill in, by successes, the pulls from which on an arm is bad: the evidence counts failures.

    ``least`` is the number of failures that makes the pool bad; more successes need more failures.
    """
    size = rows.shape[0] - 1
    misses = 0
    for s in range(size + 1):
        if s > size - least:
            rows[s]["bad_from"] = NEVER
            continue
        misses = max(misses, 1 if s == 0 else 0)
        while log_evidence(s + misses, misses, least, priors, factorials) < level:
            misses += 1
        rows[s]["bad_from"] = s + misses
