"""Base class of rules that bet on each reward: labels and e-values from each arm's wealth.

Compiled code is loaded on first use.
"""

import math
from abc import abstractmethod
from typing import ClassVar

import numpy as np

from goodarm.algorithm.identification.bound import make_unknown_code_error
from goodarm.algorithm.identification.growth import find_grid_boundaries
from goodarm.algorithm.identification.log_sums import log_of_sum
from goodarm.algorithm.identification.ranges import check_range
from goodarm.algorithm.identification.rule import (
    Bools,
    Boundaries,
    Floats,
    IdentificationRule,
    IdentificationTraits,
    Levels,
    Places,
    Tally,
)
from goodarm.kernels import codes
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem


class WealthRule(IdentificationRule):
    """Identification rule whose bets are a branch of ``kernels.dispatch``."""

    code: ClassVar[int]
    factor: ClassVar[float] = 1.0
    """the multiple of K / delta that its gamblers must win"""
    reads_counts_only: ClassVar[bool] = False
    has_e_values: ClassVar[bool] = True

    def check_problem(self, problem: Problem) -> None:
        """Raise an error unless rewards have a known range and the bars are not at its ends."""
        check_range(problem, self.name)

    def traits(self, problem: Problem, arms_planned: int) -> IdentificationTraits:
        """Return the traits of rules that keep wealth, with the level factor K / delta."""
        self.check_problem(problem)
        if self.code not in codes.BETS:
            raise make_unknown_code_error(self, codes.BETS)
        level = math.log(self.factor * arms_planned / problem.delta)
        return IdentificationTraits(self.code, keeps_wealth=True, level=level)

    @abstractmethod
    def bets(self, setup: Setup) -> Floats:
        """Return the bets on good and on bad, one row each; zeros if bets depend on rewards."""

    def log_shares(self, count: int) -> Floats:
        """Return the logs of the initial shares of the gamblers of a side; equal by default.

        Args:
            count: the number of gamblers of a side.
        """
        return np.full(count, -math.log(count))

    def bet_rows(self, setup: Setup) -> Floats:
        """Return the bets on good, then on bad, and below them the logs of their shares."""
        bets = self.bets(setup)
        return np.stack([bets.ravel(), np.tile(self.log_shares(bets.shape[1]), 2)])

    def decide(self, setup: Setup, tally: Tally) -> int:
        """Return the label that one arm's wealth proves."""
        from goodarm.kernels.numerics.bets import have_bets_won

        good, bad = have_bets_won(setup, tally.wealth, self.bet_rows(setup)[1])
        return codes.label_of(setup, good, bad, tally.total / max(tally.n - tally.lost, 1.0))

    def proven(self, setup: Setup, tally: Tally) -> tuple[Bools, Bools]:
        """Return which arms have enough wealth on good, and which on bad."""
        from goodarm.kernels.numerics.bets import have_bets_won

        rows, shares = np.atleast_2d(tally.wealth), self.bet_rows(setup)[1]
        found = np.array([have_bets_won(setup, row, shares) for row in rows], bool).reshape(-1, 2)
        return found[:, 0], found[:, 1]

    def evidence(self, setup: Setup, tally: Tally) -> tuple[Floats, Floats]:
        """Return the logs of the wealth of both sides, minus the log of the factor."""
        half = tally.wealth.shape[-1] // 2
        logs = tally.wealth + np.tile(self.log_shares(half), 2)
        good, bad = (
            log_of_sum(side) - math.log(self.factor)
            for side in (logs[..., :half], logs[..., half:])
        )
        return good, bad

    def boundaries(
        self, setup: Setup, tally: Tally, places: Places, levels: Levels
    ) -> Boundaries | None:
        """Return boundaries for fixed bets, from the growth of wealth so far."""
        bets = self.bets(setup)
        shares = self.log_shares(bets.shape[1])
        return find_grid_boundaries(setup, bets, shares, tally, places, levels)
