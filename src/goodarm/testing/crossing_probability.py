"""Probability that an arm is ever labelled wrongly, computed rather than sampled.

With rewards of a few values the sum after n pulls is a Markov chain, so a dynamic programme over
counts gives the probability of ever entering the region where a label is given.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.testing.report import ROUNDING, expect

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

CLOSENESS: Final = (1.0, 0.9, 0.5, 0.1)
"""Means that are tried, as parts of the way from the far end to the bar."""

CROSSING: Final = "a wrong label is ever proven with probability at most delta / K"


def make_null_means(bar: float, sign: int) -> Floats:
    """Return means at which good (sign 1) or bad (-1) would be wrong, from the bar on."""
    parts = np.array(CLOSENESS)
    return bar * parts if sign > 0 else 1.0 - (1.0 - bar) * parts


def make_chances(means: Floats, parts: int) -> Floats:
    """Return rewards with these means, a row each: the chances of 0, 1 / parts, ..., 1.

    For 0/1 rewards there is one row for each mean. For fractions there are also rewards next to the
    mean, and half of either.
    """
    ends = np.zeros((len(means), parts + 1))
    ends[:, 0], ends[:, -1] = 1.0 - means, means
    if parts == 1:
        return ends
    close = np.zeros_like(ends)
    lower = np.minimum(np.floor(means * parts).astype(int), parts - 1)
    rows = np.arange(len(means))
    close[rows, lower + 1] = means * parts - lower
    close[rows, lower] = 1.0 - close[rows, lower + 1]
    return np.concatenate([ends, close, 0.5 * (ends + close)])


def compute_crossing_probabilities(is_over: Bools, chances: Floats) -> Floats:
    """Return the probability of ever entering each region, for each distribution of rewards.

    Args:
        is_over: regions by [region, n, parts * s].
        chances: of rewards 0, 1 / parts, ..., 1, a row for each distribution.
    """
    regions, pulls, width = is_over.shape
    alive = np.zeros((regions, len(chances), width))
    alive[:, :, 0] = 1.0
    crossed = np.zeros((regions, len(chances)))
    for n in range(1, pulls):
        after = chances[:, :1] * alive
        for j in range(1, chances.shape[1]):
            after[:, :, j:] += chances[:, j : j + 1] * alive[:, :, :-j]
        hit = is_over[:, n][:, None, :]
        crossed += np.where(hit, after, 0.0).sum(axis=-1)
        alive = np.where(hit, 0.0, after)
    return crossed


def check_crossing(
    what: str, where: str, is_over: Bools, limits: Floats, bar: float, sign: int, parts: int = 1
) -> None:
    """Check that each region is entered with at most its probability, for all means of the null."""
    means = make_null_means(bar, sign)
    found = compute_crossing_probabilities(is_over, make_chances(means, parts))
    is_more = found > limits[:, None] * (1.0 + ROUNDING)
    if is_more.any():
        region, row = np.argwhere(is_more)[0]
        expect(
            False,
            f"{what} is proven too often; {where}, within {is_over.shape[1] - 1} pulls of an arm "
            f"with mean {means[row % len(means)]:g} the probability is {found[region, row]:.6g}, "
            f"where {limits[region]:.6g} is allowed.",
        )
