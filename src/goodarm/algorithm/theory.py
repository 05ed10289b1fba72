"""Theory of an instance: pulls that suffice for lil'HDoC, lower bounds for all algorithms.

All of it is for Bernoulli rewards without a margin. kl is the Kullback-Leibler divergence of
Bernoulli distributions.
"""

import math
from collections.abc import Sequence

from goodarm.algorithm.identification.lil import lil_parameters

_HALVINGS = 200


def compute_bernoulli_kl(p: float, q: float) -> float:
    """Return kl(p, q) = p log(p / q) + (1 - p) log((1 - p) / (1 - q)).

    >>> round(compute_bernoulli_kl(0.5, 0.25), 4)
    0.1438
    """

    def part(a: float, b: float) -> float:
        if a == 0.0:
            return 0.0
        return math.inf if b == 0.0 else a * math.log(a / b)

    return part(p, q) + part(1.0 - p, 1.0 - q)


def bound_lil_hdoc_pulls(gap: float, num_arms: int, delta: float) -> float:
    """Return the pulls of an arm with this gap that suffice by the theorem of lil'HDoC."""
    if gap == 0.0:
        return math.inf
    epsilon, c = (found := lil_parameters(num_arms, delta)).epsilon, found.c
    root = (1.0 + math.sqrt(epsilon)) ** 2
    inner = math.log(2.0 * c * num_arms * root * (1.0 + epsilon) ** 2 / (delta * gap**2))
    log = math.log(2.0 * c * num_arms * inner / delta)
    return 2.0 * (1.0 + epsilon) * root / gap**2 * log


def lower_bound_stop(means: Sequence[float], threshold: float, delta: float) -> float:
    """Return a lower bound, for any algorithm, on the expected pulls to label every arm."""
    return sum(_compute_information_bound(mean, threshold, delta) for mean in means)


def lower_bound_good(means: Sequence[float], threshold: float, delta: float, count: int) -> float:
    """Return a lower bound, for any algorithm, on the expected pulls to output ``count`` good arms.

    For one arm it is the best arm's term, for all good arms the sum of theirs, and in between the
    least of sum kl(p_i, delta) / kl(mu_i, xi) over output probabilities p_i that sum to at least
    count (1 - delta); never less than for one arm.

    One arm's term bounds the pulls of all arms together: if all good arms lay just below the
    threshold none could be output, and telling the two worlds apart takes
    sum n_i kl(mu_i, xi) >= kl(delta, 1 - delta), however the pulls n_i are shared.
    """
    weights = sorted(
        (compute_bernoulli_kl(mean, threshold) for mean in means if mean >= threshold), reverse=True
    )
    if count == 1 or count == len(weights):
        return sum(_compute_term(weight, delta) for weight in weights[:count])
    goal = count * (1.0 - delta)
    low, high = 0.0, 1.0 / min((w for w in weights if w > 0.0), default=1.0)

    def outputs(slope: float) -> list[float]:
        odds = math.log(delta / (1.0 - delta))
        return [1.0 / (1.0 + math.exp(-min(slope * w + odds, 700.0))) for w in weights]

    while sum(outputs(high)) < goal and high < 1e300:
        high *= 2.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if sum(outputs(middle)) < goal else (low, middle)
    pairs = zip(outputs(high), weights, strict=True)
    spread = sum(compute_bernoulli_kl(p, delta) / w for p, w in pairs if w > 0.0)
    return max(spread, _compute_term(weights[0], delta))


def _compute_information_bound(mean: float, threshold: float, delta: float) -> float:
    return _compute_term(compute_bernoulli_kl(mean, threshold), delta)


def _compute_term(divergence: float, delta: float) -> float:
    """Return kl(delta, 1 - delta) over the arm's divergence from the threshold."""
    return compute_bernoulli_kl(delta, 1.0 - delta) / divergence if divergence > 0.0 else math.inf
