"""The betting test: uses the variance of rewards that are not 0 or 1.

What needs scipy is loaded when it is first needed.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from goodarm.algorithm.curves import Curves
from goodarm.algorithm.identification.evidence import (
    EvidenceRule,
    Floats,
    check_range,
    decide_by_wealth,
)
from goodarm.algorithm.identification.rule import NO_BETS, Parameters, Tally
from goodarm.checks import check_between, check_count
from goodarm.kernels import codes
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem


@dataclass(frozen=True)
class Betting(EvidenceRule):
    """Good when gamblers who bet on it win K / delta on average, bad when those on bad do.

    Each gambler holds to one bet b, and reward x multiplies the wealth by 1 + b (x - bar). On good
    the bets are most / bar times 1, 1/2, 1/4, ...; on bad they are -most / (1 - bar) times these.

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

    gamblers: int = 16
    most: float = 0.95

    def __post_init__(self) -> None:
        gamblers = check_count("gamblers", "Betting", self.gamblers, most=1000)
        object.__setattr__(self, "gamblers", gamblers)
        object.__setattr__(self, "most", check_between("most", "Betting", self.most, 0, 1))

    def to_dict(self) -> dict[str, Any]:
        """The rule as JSON."""
        return {"rule": self.name, "gamblers": self.gamblers, "most": self.most}

    def parameters(self, problem: Problem) -> Parameters:
        """With 0/1 rewards counts are enough; with others the kernels keep each arm's wealth."""
        check_range(problem, self.name)
        return Parameters(codes.CURVES if problem.rewards == "bernoulli" else codes.GRID)

    def bets(self, setup: Setup) -> Floats:
        """The bets on good and on bad."""
        if setup.identification != codes.GRID:
            return NO_BETS
        good, bad = self._stakes(setup.good_bar), self._stakes(1.0 - setup.bad_bar)
        return np.array([good, -bad])

    def _stakes(self, bar: float) -> Floats:
        return np.asarray(self.most / bar * 0.5 ** np.arange(self.gamblers), float)

    def curves(self, setup: Setup) -> Curves | None:
        """The curves of 0/1 rewards."""
        return None if setup.identification == codes.GRID else super().curves(setup)

    def log_good(self, n: Any, s: Any, bar: float) -> Floats:
        """The log of the mean wealth of bets on good after s successes in n pulls."""
        from scipy.special import logsumexp

        pulls, successes = np.broadcast_arrays(np.asarray(n, float), np.asarray(s, float))
        stakes = self._stakes(bar)
        won = np.log1p(stakes * (1.0 - bar))
        lost = np.log1p(-stakes * bar)
        logs = successes[..., None] * won + (pulls - successes)[..., None] * lost
        return np.asarray(logsumexp(logs, axis=-1) - math.log(self.gamblers))

    def log_bad(self, n: Any, s: Any, bar: float) -> Floats:
        """The mirror image: failures for successes."""
        return self.log_good(n, np.asarray(n, float) - np.asarray(s, float), 1.0 - bar)

    def evidence(self, setup: Setup, tally: Tally) -> tuple[float, float]:
        """The logs of the mean wealth of both sides."""
        from scipy.special import logsumexp

        if setup.identification != codes.GRID:
            return super().evidence(setup, tally)
        half = len(tally.wealth) // 2
        sides = (tally.wealth[:half], tally.wealth[half:])
        good, bad = (float(logsumexp(side) - math.log(half)) for side in sides)
        return good, bad

    def decide(self, setup: Setup, tally: Tally) -> int:
        """The label that is proven."""
        if setup.identification != codes.GRID:
            return super().decide(setup, tally)
        return decide_by_wealth(setup, tally)

    def remaining(self, setup: Setup, tally: Tally) -> None:
        """None: the wealth is followed."""

    def interval(self, setup: Setup, tally: Tally) -> None:
        """None: another bar would want other bets."""
