"""Betting: the wealth of a gambler who bets on an arm being good, and of one who bets on bad.

A bet b multiplies the wealth by 1 + b (x - bar) at reward x. For good b is at least 0, for bad at
most 0, so under the null a fair gambler's wealth has expectation at most 1 at every moment.

A table of wealth has a row of logs for each arm, those for good first, then those for bad; its last
row holds the bets themselves, if they are fixed.
"""

import math

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import Setup
from goodarm.kernels.formulas import MOST_KELLY, kelly_bet
from goodarm.kernels.jit import inlined, kernel, merged

Wealth = NDArray[np.float64]


@merged
def bet_on_grid(setup: Setup, wealth: Wealth, arm: int, low: float, high: float) -> None:
    """Every gambler holds to a bet of the table's last row."""
    bets = wealth.shape[0] - 1
    half = wealth.shape[1] // 2
    for j in range(half):
        wealth[arm, j] += math.log1p(wealth[bets, j] * (low - setup.good_bar))
    for j in range(half, 2 * half):
        wealth[arm, j] += math.log1p(wealth[bets, j] * (high - setup.bad_bar))


@merged
def bet_the_kelly(
    setup: Setup, wealth: Wealth, arm: int, n: int, s: float, low: float, high: float
) -> None:
    """One gambler on each side, whose bet follows the mean of the rewards before."""
    bar = setup.good_bar
    up = min(max(kelly_bet((s + bar) / (n + 1), bar), 0.0), MOST_KELLY / bar)
    wealth[arm, 0] += math.log1p(up * (low - bar))
    bar = setup.bad_bar
    down = max(min(kelly_bet((s + bar) / (n + 1), bar), 0.0), -MOST_KELLY / (1.0 - bar))
    wealth[arm, 1] += math.log1p(down * (high - bar))


@inlined
def copy_wealth(source: Wealth, row: int, target: Wealth, to: int) -> None:
    """Copy a row; nothing for rules that do not bet."""
    for j in range(source.shape[1]):
        target[to, j] = source[row, j]


@inlined
def is_enough(
    wealth: NDArray[np.float64], first: int, end: int, level: float, times: float
) -> bool:
    """Whether the mean of wealths, all grown so many times, reaches a level; all are logs."""
    most = times * wealth[first]
    for j in range(first + 1, end):
        most = max(most, times * wealth[j])
    if most < level:
        return False
    total = 0.0
    for j in range(first, end):
        total += math.exp(times * wealth[j] - most)
    return most + math.log(total / (end - first)) >= level


@kernel
def has_won(setup: Setup, wealth: NDArray[np.float64]) -> tuple[bool, bool]:
    """Whether the bets on good, and those on bad, have won on average what proves it."""
    half = wealth.shape[0] // 2
    level = setup.level
    good = is_enough(wealth, 0, half, level, 1.0)
    return good, is_enough(wealth, half, 2 * half, level, 1.0)
