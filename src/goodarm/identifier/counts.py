"""Each arm's numbers: those that decide its label, and those that decide who is asked next."""

import numpy as np

from goodarm.algorithm import IdentificationRule
from goodarm.identifier.ledger import Entry
from goodarm.kernels.choose import remove
from goodarm.kernels.codes import UNDECIDED, Setup
from goodarm.kernels.rules import index_line, is_tested


class Counts:
    """Arrays over arms, in unit rewards.

    For the tests: ``pulls``, ``sums`` and ``lost`` count what has entered, in the order asked, and
    freeze with the label. For the sampling rule: ``held`` counts pulls told and out, ``told`` and
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
        self.labels = np.zeros(num_arms, np.int8)
        self.labelled_at = np.zeros(num_arms, np.int64)
        self.held = np.zeros(num_arms, np.int64)
        self.total_held = 0
        self.told = np.zeros(num_arms, np.int64)
        self.told_sums = np.zeros(num_arms)
        self.means = np.full(num_arms, setup.threshold + unknown_gap)
        self.level = np.zeros(num_arms)
        self.slope = np.zeros(num_arms)
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
        """Bring the arm's index line up to date."""
        if self.held[arm] > 0:
            line = index_line(self.setup, self.held[arm], self.means[arm])
            self.level[arm], self.slope[arm] = line

    def enter(self, arm: int, entry: Entry) -> int:
        """Count an entry in the arm's test and return the label that it proves."""
        self.pulls[arm] += entry.size
        self.sums[arm] += entry.total
        self.lost[arm] += entry.lost
        n = self.pulls[arm]
        if not is_tested(self.setup, n):
            return UNDECIDED
        return self.rule.decide(self.setup, int(n), float(self.sums[arm]), float(self.lost[arm]))

    def close(self, arm: int, label: int, pulls: int) -> None:
        """Label the arm and take it out of play."""
        self.labels[arm] = label
        self.labelled_at[arm] = pulls
        self.alive_count = int(remove(self.alive, self.alive_count, arm))

    def restore(self) -> None:
        """Derive what follows from the rest, after the saved arrays were filled in."""
        self.total_held = int(self.held.sum())
        known = self.told > 0
        self.means[known] = self.told_sums[known] / self.told[known]
        for arm in range(self.setup.num_arms):
            self._redraw(arm)
        undecided = np.flatnonzero(self.labels == UNDECIDED)
        self.alive_count = len(undecided)
        self.alive[: self.alive_count] = undecided
