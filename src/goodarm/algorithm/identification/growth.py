"""Boundaries of rules that bet on each reward, from the expected growth of wealth.

Wealth depends on every reward, not on sums alone. So a boundary is an approximation here, and each
arm has its own: future rewards are assumed to be like past ones, up to a shift of their mean.
"""

import math
from typing import Final

import numpy as np

from goodarm.algorithm.identification.rule import Boundaries, Floats, Levels, Places, Tally
from goodarm.kernels.codes import Setup

_NEWTON_STEPS: Final = 4
"""Newton steps, which converge from one side."""
_HALVINGS: Final = 30
_MIN_PART: Final = 1e-6
_EXTRA_PLACES: Final = 4
"""Additional places that interpolation needs."""


def find_grid_boundaries(
    setup: Setup, bets: Floats, shares: Floats, tally: Tally, places: Places, levels: Levels
) -> Boundaries:
    """Compute boundaries for gamblers with fixed bets.

    So far each gambler's log wealth has grown by some amount per pull. If the sum exceeds its path
    by y, the log wealth exceeds its own by y times a slope. For 0/1 rewards the slope is that of
    the log between the two, log(1 + b (1 - bar)) - log(1 - b bar); for rewards that are all equal
    it is that at their mean, b / (1 + b (mean - bar)). Other rewards lie in between, as their
    variance does, which is estimated from the growth of the smallest bet. The boundary is where
    the wealth of all gamblers together is enough.

    Args:
        setup: the problem and the rule, for the kernels.
        bets: one row of bets on good, one of bets on bad.
        shares: the logs of the gamblers' initial shares.
        tally: the arms' tallies, as arrays.
        places: the numbers of pulls.
        levels: the logs of the evidence that proves good, and bad.
    """
    n, lost = np.asarray(tally.n, float), np.asarray(tally.lost, float)
    num_rewards = np.maximum(n - lost, 1.0)
    total, half = np.asarray(tally.total, float), bets.shape[1]
    mean, pulls = total / num_rewards, _place_pulls(tally, places)
    further = pulls - n[:, None]
    on_good, on_bad = tally.wealth[:, :half], tally.wealth[:, half:]
    gains = _compute_gains(bets[0], setup.good_bar, on_good, lost, num_rewards)
    losses = _compute_gains(-bets[1], 1.0 - setup.bad_bar, on_bad, lost, num_rewards)
    parts = _estimate_variance_parts(
        bets[0][-1], mean - setup.good_bar, gains[:, -1], mean, num_rewards
    )
    slopes = _compute_slopes(bets[0], setup.good_bar, mean, parts)
    above = _solve_distance(slopes, on_good + shares, gains, further, levels[0])
    slopes = _compute_slopes(-bets[1], 1.0 - setup.bad_bar, 1.0 - mean, parts)
    below = _solve_distance(slopes, on_bad + shares, losses, further, levels[1])
    path = total[:, None] + mean[:, None] * further
    return Boundaries(path + above, path + lost[:, None] - below, pulls, parts)


def _compute_gains(
    bets: Floats, bar: float, wealth: Floats, lost: Floats, num_rewards: Floats
) -> Floats:
    """Return each gambler's log growth per reward received; lost pulls counted as rewards of 0."""
    return np.asarray((wealth - lost[:, None] * np.log1p(-bets * bar)) / num_rewards[:, None])


def _compute_slopes(bets: Floats, bar: float, mean: Floats, parts: Floats) -> Floats:
    """Return how much a gambler's log wealth rises if the sum rises by 1."""
    apart = np.log1p(bets * (1.0 - bar)) - np.log1p(-bets * bar)
    at_the_mean = bets / (1.0 + bets * (mean - bar)[:, None])
    return np.asarray(at_the_mean + parts[:, None] * (apart - at_the_mean))


def _place_pulls(tally: Tally, places: Places) -> Floats:
    """Return a row of places for each arm, from just before its pulls on; every second place."""
    step = 2.0 * places.step
    first = np.floor(np.log(np.asarray(tally.n, float)) / step) - 1.0
    return np.asarray(
        np.exp(step * (first[:, None] + np.arange(places.ahead // 2 + _EXTRA_PLACES)))
    )


def _solve_distance(
    slopes: Floats, wealth: Floats, gains: Floats, further: Floats, goal: float
) -> Floats:
    """Solve for the distance of sums beyond their path at which the wealth is enough.

    The log of the total wealth is a convex, rising function of the distance, so Newton's method
    converges; it starts at the distance that the best gambler would need alone, which is larger.
    """
    slopes = slopes[:, None, :]
    logs = wealth[:, None, :] + further[..., None] * gains[:, None, :]
    distance: Floats = np.min((goal - logs) / slopes, axis=-1)
    for _ in range(_NEWTON_STEPS):
        grown = logs + slopes * distance[..., None]
        most = grown.max(axis=-1)
        shares = np.exp(grown - most[..., None])
        whole = shares.sum(axis=-1)
        distance -= (most + np.log(whole) - goal) * whole / (shares * slopes).sum(axis=-1)
    return distance


def _estimate_variance_parts(
    bet: float, gap: Floats, growth: Floats, mean: Floats, num_rewards: Floats
) -> Floats:
    """Estimate the variance of rewards, as a fraction of that of 0/1 rewards.

    The log wealth of a small bet grows by b gap - b^2 / 2 times the mean square of x - bar. A few
    rewards may be equal by chance, so a term is added that vanishes as more come in.
    """
    largest = np.maximum(mean * (1.0 - mean), 1e-12)
    variance = 2.0 * (bet * gap - growth) / (bet * bet) - gap * gap
    likely = (
        np.maximum(variance, 0.0) * (num_rewards + 1.0) / num_rewards
        + largest / (num_rewards + 1.0) ** 2
    )
    return np.clip(likely / largest, _MIN_PART, 1.0)


def find_kelly_boundaries(setup: Setup, tally: Tally, places: Places, levels: Levels) -> Boundaries:
    """Compute boundaries for one gambler on each side whose bet follows the mean.

    With 0/1 rewards whose mean is on the right side, the log of the wealth is close to n kl(m, bar)
    - log(n) / 2 plus a constant from the first rewards, which the present wealth determines. For
    other rewards the wealth grows faster, so the boundaries are too far there.
    """
    n, lost = np.asarray(tally.n, float)[:, None], np.asarray(tally.lost, float)[:, None]
    total, pulls = np.asarray(tally.total, float)[:, None], _place_pulls(tally, places)
    ends = (
        (total, setup.good_bar, levels[0], tally.wealth[:, :1]),
        (n - total - lost, 1.0 - setup.bad_bar, levels[1], tally.wealth[:, 1:]),
    )
    good, failures = (
        _solve_kelly_sum(pulls, bar, level - wealth + _compute_log_wealth(n, hits, bar))
        for hits, bar, level, wealth in ends
    )
    return Boundaries(good, pulls - failures, pulls)


def _compute_log_wealth(n: Floats, hits: Floats, bar: float) -> Floats:
    """Return the log of wealth after ``n`` pulls with ``hits``, without the constant."""
    mean = np.clip(hits / n, bar, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        high = np.where(mean < 1.0, (1.0 - mean) * np.log((1.0 - mean) / (1.0 - bar)), 0.0)
    return np.asarray(n * (mean * np.log(mean / bar) + high) - 0.5 * np.log(n))


def _solve_kelly_sum(n: Floats, bar: float, goal: Floats) -> Floats:
    """Solve for the hits in n pulls at which the wealth reaches its goal; infinite if none do."""
    low, high = n * bar, n.copy()
    found = _compute_log_wealth(n, high, bar) >= goal
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        is_held = _compute_log_wealth(n, middle, bar) >= goal
        low, high = np.where(is_held, low, middle), np.where(is_held, middle, high)
    return np.where(found, high, math.inf)
