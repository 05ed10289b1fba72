"""The betting test: uses the variance of rewards that are not 0 or 1.

What needs scipy is loaded when it is first needed.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from goodarm.algorithm.identification.counts import CountsRule
from goodarm.algorithm.identification.rule import Floats, IdentificationRule, Levels, Tally
from goodarm.algorithm.identification.wealth import WealthRule
from goodarm.arguments import check_between, check_count
from goodarm.kernels import codes
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem


@dataclass(frozen=True)
class Betting(CountsRule):
    """Good when gamblers who bet on it win K / delta on average, bad when those on bad do.

    Each gambler holds to one bet b, and reward x multiplies the wealth by 1 + b (x - bar). On good
    the bets are most / bar times 1, 1/2, 1/4, ...; on bad they are -most / (1 - bar) times these.
    With 0/1 rewards that is a function of counts.

    Args:
        gamblers: how many there are on each side.
        most: the largest bet, as a part of the one that could ruin.

    Guarantee: any wrong label with probability at most delta, for rewards in a known range whose
    mean, given all that came before, stays the same. On a mean of at most the bar each factor of a
    bet on good has expectation at most 1, so wealth, and the average of wealths, is a
    supermartingale under any sampling and at any time; Ville's inequality and the sum over K arms
    do the rest. Bets of the other sign would not be fair.

    Reference: Waudby-Smith, Ramdas 2024, Estimating means of bounded random variables by betting.

    >>> Betting(gamblers=8).to_dict()
    {'rule': 'betting', 'gamblers': 8, 'most': 0.95}
    """

    name: ClassVar[str] = "betting"
    formula: ClassVar[str] = "average over bets b of the product of 1 + b (x - bar)"
    has_e_values: ClassVar[bool] = True

    gamblers: int = 16
    most: float = 0.95

    def __post_init__(self) -> None:
        gamblers = check_count("gamblers", "Betting", self.gamblers, most=1000)
        object.__setattr__(self, "gamblers", gamblers)
        object.__setattr__(self, "most", check_between("most", "Betting", self.most, 0, 1))

    def on(self, problem: Problem) -> IdentificationRule:
        """With 0/1 rewards counts are enough; with others each arm's wealth is kept."""
        return self if problem.rewards == "bernoulli" else BettingOnEach(self)

    def stakes(self, bar: float) -> Floats:
        """The bets on good."""
        return np.asarray(self.most / bar * 0.5 ** np.arange(self.gamblers), float)

    def log_good(self, n: Any, s: Any, bar: Any) -> Floats:
        """The log of the mean wealth of bets on good after s successes in n pulls."""
        from scipy.special import logsumexp

        pulls, successes, bars = np.broadcast_arrays(
            *(np.asarray(part, float) for part in (n, s, bar))
        )
        bars = bars[..., None]
        stakes = self.most / bars * 0.5 ** np.arange(self.gamblers)
        won = np.log1p(stakes * (1.0 - bars))
        lost = np.log1p(-stakes * bars)
        logs = successes[..., None] * won + (pulls - successes)[..., None] * lost
        return np.asarray(logsumexp(logs, axis=-1) - math.log(self.gamblers))

    def log_bad(self, n: Any, s: Any, bar: Any) -> Floats:
        """The mirror image: failures for successes."""
        return self.log_good(n, np.asarray(n, float) - np.asarray(s, float), 1.0 - bar)

    def interval(self, setup: Setup, tally: Tally, levels: Levels) -> None:
        """None: another bar would want other bets."""


@dataclass(frozen=True)
class BettingOnEach(WealthRule):
    """The betting test where rewards are not 0 or 1: the kernels keep each gambler's wealth."""

    name: ClassVar[str] = "betting"
    code: ClassVar[int] = codes.GRID

    rule: Betting

    def bets(self, setup: Setup) -> Floats:
        """The bets on good and on bad."""
        good, bad = self.rule.stakes(setup.good_bar), self.rule.stakes(1.0 - setup.bad_bar)
        return np.array([good, -bad])
