"""Each arm's numbers: those that decide its label, and those that decide who is asked next."""

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import IdentificationRule, Tally
from goodarm.identifier.ledger import Entry
from goodarm.kernels.choose import remove
from goodarm.kernels.codes import UNDECIDED, Setup, is_tested
from goodarm.kernels.dispatch import bet, index_parts


class Standings:
    """Arrays over arms, in unit rewards.

    For the tests: ``pulls``, ``sums`` and ``lost`` count what has entered, in the order asked, and
    freeze with the label; ``wealth`` has the logs of wealth of a rule that bets. For the sampling
    rule: ``active`` arms have no label yet, ``held`` counts pulls told and out, ``told`` and
    ``told_sums`` the rewards that came in, waiting ones too. An arm of which nothing was told yet
    has a mean that stands ``unknown_gap`` above the threshold.
    """

    def __init__(self, setup: Setup, rule: IdentificationRule, unknown_gap: float) -> None:
        num_arms = setup.num_arms
        self.rule = rule
        self.setup = setup
        self.pulls = np.zeros(num_arms, np.int64)
        self.sums = np.zeros(num_arms)
        self.lost = np.zeros(num_arms, np.int64)
        bets = rule.bets(setup).ravel()
        self.bets = bets.size > 0
        self._table = np.vstack([np.zeros((num_arms, bets.size)), bets])
        self.wealth = self._table[:num_arms]
        self.labels = np.zeros(num_arms, np.int8)
        self.labelled_at = np.zeros(num_arms, np.int64)
        self.held = np.zeros(num_arms, np.int64)
        self.total_held = 0
        self.told = np.zeros(num_arms, np.int64)
        self.told_sums = np.zeros(num_arms)
        self.means = np.full(num_arms, setup.threshold + unknown_gap)
        self.level = np.zeros(num_arms)
        self.width = np.zeros(num_arms)
        self.active = np.ones(num_arms, bool)
        self.alive = np.arange(num_arms)
        self.alive_count = num_arms

    def hold(self, arm: int, count: int) -> None:
        """So many more pulls of the arm are out, or fewer if negative."""
        self.held[arm] += count
        self.total_held += count
        self._redraw(arm)

    def tell(self, arm: int, count: int, total: float) -> None:
        """Rewards of the arm came in."""
        self.told[arm] += count
        self.told_sums[arm] += total
        self.means[arm] = self.told_sums[arm] / self.told[arm]
        self._redraw(arm)

    def _redraw(self, arm: int) -> None:
        """Bring the arm's index up to date."""
        if self.held[arm] > 0:
            parts = index_parts(self.setup, self.held[arm], self.means[arm])
            self.level[arm], self.width[arm] = parts

    def enter(self, arm: int, entry: Entry) -> int:
        """Count an entry in the arm's test and return the label that it proves."""
        if self.bets:
            self._bet(arm, entry)
        self.pulls[arm] += entry.size
        self.sums[arm] += entry.total
        self.lost[arm] += entry.lost
        if not is_tested(self.setup, self.pulls[arm]):
            return UNDECIDED
        return self.rule.decide(self.setup, self.tally(arm))

    def _bet(self, arm: int, entry: Entry) -> None:
        """Bet on each reward; those of a block all with the bets that stood before it."""
        n, s = self.pulls[arm], self.sums[arm]
        for reward in entry.rewards:
            bet(self.setup, self._table, arm, n, s, reward, reward)
        for _ in range(entry.lost):
            bet(self.setup, self._table, arm, n, s, 0.0, 1.0)

    def tally(self, arm: int) -> Tally:
        """What the arm's test is told."""
        n, total, lost = int(self.pulls[arm]), float(self.sums[arm]), float(self.lost[arm])
        return Tally(n, total, lost, self.wealth[arm])

    def tallies(self, arms: NDArray[np.intp]) -> Tally:
        """The same of several arms, as arrays."""
        n, total = self.pulls[arms], self.sums[arms]
        return Tally(n, total, self.lost[arms].astype(float), self.wealth[arms])

    def close(self, arm: int, label: int, pulls: int) -> None:
        """Label the arm and take it out of play."""
        self.labels[arm] = label
        self.labelled_at[arm] = pulls
        self.active[arm] = False
        self.alive_count = int(remove(self.alive, self.alive_count, arm))

    def restore(self) -> None:
        """Derive what follows from the rest, after the saved arrays were filled in."""
        self.total_held = int(self.held.sum())
        known = self.told > 0
        self.means[known] = self.told_sums[known] / self.told[known]
        for arm in range(self.setup.num_arms):
            self._redraw(arm)
        self.active[:] = self.labels == UNDECIDED
        undecided = np.flatnonzero(self.active)
        self.alive_count = len(undecided)
        self.alive[: self.alive_count] = undecided
