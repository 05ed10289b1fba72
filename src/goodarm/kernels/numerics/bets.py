"""Betting: the wealth of a gambler who bets on an arm being good, and of one who bets on bad.

A bet b multiplies the wealth by 1 + b (x - bar) at reward x. For good b is at least 0, for bad at
most 0, so under the null a fair gambler's wealth has expectation at most 1 at every moment.

A table of wealth has a row for each arm: the logs of what each gambler has made of 1, first of
those who bet on good, then of those who bet on bad. Two more rows are below the arms: the bets, if
they are fixed, and the logs of the gamblers' shares in the initial wealth of their side.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import Setup
from goodarm.kernels.compilation.jit import inlined, interpreted_first, merged, one_arm
from goodarm.kernels.numerics.formulas import MAX_KELLY, kelly_bet

Wealth = NDArray[np.float64]

CERTAIN_LOG_WEALTH: Final = 1e6
"""Log of the wealth of a gambler who has bet on a certainty: above any level."""

SHARE_ROUNDING: Final = 2.0**-50
"""Relative tolerance for rounding of a threshold that is a share of a pool's cases."""

MAX_LOG_PER_ROOT: Final = 0.736
"""Upper bound on log(k) / sqrt(k), whose maximum is 2 / e."""


def make_wealth(num_arms: int, gamblers: NDArray[np.float64]) -> Wealth:
    """Make the table before the first bet; the gamblers' bets and shares are its last rows."""
    wealth = np.zeros((num_arms + 2, gamblers.shape[1]))
    if gamblers.size:
        wealth[-2:] = gamblers
    return wealth


@merged
def bet_on_grid(setup: Setup, wealth: Wealth, arm: int, low: float, high: float) -> None:
    """Bet for gamblers with fixed bets, which are in the last row but one of the table.

    ``low`` and ``high`` are the reward, or the ends of its range if it was lost: the bets on good
    get the lower one, those on bad the higher one.
    """
    bet_row = wealth.shape[0] - 2
    half = wealth.shape[1] // 2
    for j in range(half):
        wealth[arm, j] += math.log1p(wealth[bet_row, j] * (low - setup.good_bar))
    for j in range(half, 2 * half):
        wealth[arm, j] += math.log1p(wealth[bet_row, j] * (high - setup.bad_bar))


@merged
def bet_kelly(
    setup: Setup, wealth: Wealth, arm: int, n: int, s: float, low: float, high: float
) -> None:
    """Bet for one gambler on each side, whose bet follows the mean of the rewards so far."""
    bar = setup.good_bar
    up = min(max(kelly_bet((s + bar) / (n + 1), bar), 0.0), MAX_KELLY / bar)
    wealth[arm, 0] += math.log1p(up * (low - bar))
    bar = setup.bad_bar
    down = max(min(kelly_bet((s + bar) / (n + 1), bar), 0.0), -MAX_KELLY / (1.0 - bar))
    wealth[arm, 1] += math.log1p(down * (high - bar))


@inlined
def compute_log_gain(part: float, reward: float, bar: float) -> float:
    """Return log(1 - c + c x / m), the log gain of betting a part c of the wealth on more than m.

    Nobody bets on the impossible, m >= 1. A bet on a certainty is won: m < 0, or m = 0 < x.
    """
    if bar >= 1.0:
        return 0.0
    if bar <= 0.0:
        return CERTAIN_LOG_WEALTH if bar < 0.0 or reward > 0.0 else 0.0
    return math.log1p(part * (reward / bar - 1.0))


@merged
def bet_in_pool(
    setup: Setup,
    wealth: Wealth,
    arm: int,
    size: int,
    n: int,
    s: float,
    lost: float,
    low: float,
    high: float,
) -> None:
    """Bet against the moving bar: the mean that the remaining cases must have under the null.

    Of the arm's ``size`` cases n had come before with sum s, and ``lost`` of them were lost; the
    reward is as in ``bet_on_grid``.
    """
    bet_row, half, left = wealth.shape[0] - 2, wealth.shape[1] // 2, size - n
    enough = size * setup.good_bar * (1.0 - SHARE_ROUNDING)
    bar = (enough - s) / left
    if bar <= 0.0:
        bar = -1.0  # the null is impossible, whatever comes: a certainty, as log gains have it
    for j in range(half):
        wealth[arm, j] += compute_log_gain(wealth[bet_row, j], low, bar)
    max_misses = size - size * setup.bad_bar * (1.0 - SHARE_ROUNDING)
    misses = n - s - lost
    bar = (max_misses - misses) / left
    for j in range(half, 2 * half):
        wealth[arm, j] += compute_log_gain(wealth[bet_row, j], 1.0 - high, bar)
    settle_pool(setup, wealth, arm, size, n + 1, s + low, lost + high - low)


@interpreted_first(one_arm)
def settle_pool(
    setup: Setup, wealth: Wealth, arm: int, size: int, n: int, s: float, lost: float
) -> None:
    """Set the wealth to certain where n cases with sum s settle the label of the whole pool."""
    if s >= size * setup.good_bar * (1.0 - SHARE_ROUNDING):
        wealth[arm, 0] = CERTAIN_LOG_WEALTH
    if n - s - lost > size - size * setup.bad_bar * (1.0 - SHARE_ROUNDING):
        wealth[arm, wealth.shape[1] // 2] = CERTAIN_LOG_WEALTH


@inlined
def copy_wealth(source: Wealth, row: int, target: Wealth, to: int) -> None:
    """Copy a row of wealth, which is empty for rules that do not bet."""
    for j in range(source.shape[1]):
        target[to, j] = source[row, j]


@inlined
def is_enough(
    wealth: NDArray[np.float64],
    shares: NDArray[np.float64],
    first: int,
    end: int,
    level: float,
    multiple: float,
) -> bool:
    """Return whether a side's wealth reaches a level; log gains count ``multiple`` times.

    Wealth and level are logs. The sum is not computed where even k times its largest term is too
    little. It uses that log k is at most ``MAX_LOG_PER_ROOT`` times the root of k: compiled code
    would move log k out of the caller's loop and compute it, as a log of 0, even at every walk of
    rules that do not bet.
    """
    largest = multiple * wealth[first] + shares[first]
    for j in range(first + 1, end):
        largest = max(largest, multiple * wealth[j] + shares[j])
    if largest + MAX_LOG_PER_ROOT * math.sqrt(end - first) < level:
        return False
    total = 0.0
    for j in range(first, end):
        total += math.exp(multiple * wealth[j] + shares[j] - largest)
    return largest + math.log(total) >= level


@interpreted_first(one_arm)
def have_bets_won(
    setup: Setup, wealth: NDArray[np.float64], shares: NDArray[np.float64]
) -> tuple[bool, bool]:
    """Return whether the bets on good have won enough for a label, and whether those on bad."""
    half = wealth.shape[0] // 2
    level = setup.level
    good = is_enough(wealth, shares, 0, half, level, 1.0)
    return good, is_enough(wealth, shares, half, 2 * half, level, 1.0)
