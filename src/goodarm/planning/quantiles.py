"""Quantiles of simulated runs, and how sure they are, whatever the distribution of the runs.

The number of runs below the true quantile is at most binomial, and the number up to it at least.
So some of the runs in order, whose ranks follow from the binomial distribution alone, lie on either
side of it with a known probability: exactly, with few runs and many, and where many are equal.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.planning.family import Floats
from goodarm.results import CONFIDENCE

STANDARD: Final = math.erf(1.0 / math.sqrt(2.0))
"""Probability of one standard error to either side: 68.3 %."""
_MAX_ALIKE: Final = 2
"""Most different numbers at which runs count as alike."""


def find_quantile(pulls: NDArray[np.number], quantile: float) -> float:
    """Return the smallest number that at least this share of runs stay within."""
    return float(np.quantile(pulls, quantile, method="inverted_cdf"))


def bound_quantile(pulls: Floats, quantile: float, confidence: float = CONFIDENCE) -> float | None:
    """Return an upper bound of a quantile that holds with this confidence for any distribution.

    The number of runs below the quantile is at most binomial, so the k-th smallest run is at least
    the quantile with probability P(B <= k - 1). None if not even the largest run is.
    """
    from scipy.special import bdtr  # it takes a while to load

    ranks = np.arange(1, pulls.size + 1)
    likely = bdtr(ranks - 1, pulls.size, quantile) >= confidence
    return float(np.sort(pulls)[np.argmax(likely)]) if likely.any() else None


def bound_quantile_below(
    pulls: Floats, quantile: float, confidence: float = CONFIDENCE
) -> float | None:
    """Return a lower bound of a quantile, as ``bound_quantile`` does."""
    upper = bound_quantile(-pulls, 1.0 - quantile, confidence)
    return None if upper is None else -upper


def estimate_quantile_error(pulls: Floats, quantile: float) -> float | None:
    """Return a standard error of the quantile: that far on either side it lies with 68 %.

    None where there are too few runs: the true quantile may then be above all of them.
    """
    confidence = 0.5 * (1.0 + STANDARD)
    lower = bound_quantile_below(pulls, quantile, confidence)
    upper = bound_quantile(pulls, quantile, confidence)
    if lower is None or upper is None:
        return None
    own = find_quantile(pulls, quantile)
    return max(upper - own, own - lower)


def find_least_runs(pulls: Floats, precision: float) -> int:
    """Return how many runs it takes at least before their spread is believed.

    Runs that all end alike hide an ending that none of them had: after n runs its probability may
    be 1 - (1 - 0.95)^(1 / n), which is to be no more than the precision.
    """
    if np.unique(pulls).size > _MAX_ALIKE:
        return 1
    return math.ceil(math.log(1.0 - CONFIDENCE) / math.log1p(-precision))
