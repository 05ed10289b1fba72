"""Betting as Cho, Meier, Gan and Kallus do: one gambler on each side, with the Kelly bet."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm.identification.evidence import check_range, decide_by_wealth
from goodarm.algorithm.identification.rule import Parameters, Tally
from goodarm.kernels import codes
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem


@dataclass(frozen=True)
class Kelly:
    """Good when the gambler on good has won 2 K / delta, bad when the one on bad has.

    Before each reward the bet is (m - bar) / (bar (1 - bar)) with m = (s + bar) / (n + 1) of the
    rewards before it, cut to [0, .98 / bar] on good and to [-.98 / (1 - bar), 0] on bad. Reward x
    multiplies the wealth by 1 + b (x - bar).

    Guarantee: any wrong label with probability at most delta, for rewards in a known range whose
    mean, given all that came before, stays the same: a bet is fixed before its reward is seen, so
    wealth is a supermartingale under its null. A block of rewards whose order is unknown is bet on
    with the bet that stood before it. A pull cannot be given up, as the worst case, once a later
    one of its arm is told: the bet on that one would depend on a choice made after seeing it.

    Reference: Cho, Meier, Gan, Kallus 2025, AISTATS, Algorithm 2. K / delta would be enough, for
    only one side can be wrong; the paper's test is kept as it is.

    >>> Kelly().to_dict()
    {'rule': 'kelly'}
    """

    name: ClassVar[str] = "kelly"
    minds_order: ClassVar[bool] = True
    formula: ClassVar[str] = "product of 1 + b (x - bar), b = (m - bar) / (bar (1 - bar)), cut"

    def parameters(self, problem: Problem) -> Parameters:
        """None; the rewards must lie in a known range."""
        check_range(problem, self.name)
        return Parameters(codes.KELLY)

    def paper_warmup(self, problem: Problem) -> int:
        """One pull of each arm."""
        return 1

    def bets(self, setup: Setup) -> NDArray[np.float64]:
        """One on each side, made as rewards come in."""
        return np.zeros((2, 1))

    def curves(self, setup: Setup) -> None:
        """None: wealth depends on the order of rewards."""

    def evidence(self, setup: Setup, tally: Tally) -> tuple[float, float]:
        """The logs of both wealths, less log 2: K / delta proves, as with the other rules."""
        good, bad = (float(value) - math.log(2.0) for value in tally.wealth)
        return good, bad

    def decide(self, setup: Setup, tally: Tally) -> int:
        """The label that is proven."""
        return decide_by_wealth(setup, tally)

    def remaining(self, setup: Setup, tally: Tally) -> None:
        """None: the wealth is followed."""

    def interval(self, setup: Setup, tally: Tally) -> None:
        """None."""

    def to_dict(self) -> dict[str, Any]:
        """The rule as JSON."""
        return {"rule": self.name}
