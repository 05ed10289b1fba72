"""Betting test of Cho, Meier, Gan and Kallus: one gambler on each side, with the Kelly bet."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from goodarm.algorithm.identification.growth import find_kelly_boundaries
from goodarm.algorithm.identification.rule import Boundaries, Floats, Levels, Places, Tally
from goodarm.algorithm.identification.wealth import WealthRule
from goodarm.kernels import codes
from goodarm.kernels.codes import Setup


@dataclass(frozen=True)
class Kelly(WealthRule):
    """Kelly test: good when the gambler on good wins 2 K / delta, bad when the one on bad does.

    K is the number of arms, and bar the threshold in unit rewards. After n rewards of an arm with
    sum s, the bet b on the next is (m - bar) / (bar (1 - bar)) with m = (s + bar) / (n + 1),
    clipped to [0, .98 / bar] on good and to [-.98 / (1 - bar), 0] on bad. Reward x multiplies the
    wealth by 1 + b (x - bar).

    Guarantee: any wrong label with probability at most delta, for rewards in a known range whose
    mean, given all that came before, stays the same: a bet is fixed before its reward is seen, so
    wealth is a supermartingale under its null. On a block of rewards whose order is unknown the
    bet stays as it was before the block. A pull that was lost counts as the worst case. It must be
    given up before a later reward of its arm is known: the worst case changes the bet on that
    reward, and a bet must be fixed before its reward is seen.

    Reference: Cho, Meier, Gan, Kallus 2025, AISTATS, Algorithm 2. K / delta would be enough,
    because only one side can be wrong; the paper's test is kept unchanged.

    >>> Kelly().to_dict()
    {'rule': 'kelly'}
    """

    name: ClassVar[str] = "kelly"
    code: ClassVar[int] = codes.KELLY
    factor: ClassVar[float] = 2.0
    depends_on_order: ClassVar[bool] = True
    formula: ClassVar[str] = "product of 1 + b (x - bar), b = (m - bar) / (bar (1 - bar)), clipped"

    def bets(self, setup: Setup) -> Floats:
        """Return a zero for each side: bets are made as rewards come in.

        Args:
            setup: problem and algorithm as numbers.
        """
        return np.zeros((2, 1))

    def boundaries(self, setup: Setup, tally: Tally, places: Places, levels: Levels) -> Boundaries:
        """Return boundaries from the growth of wealth under 0/1 rewards."""
        return find_kelly_boundaries(setup, tally, places, levels)
