"""Start of runs that go on from what arms have had before."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import GOOD, UNDECIDED
from goodarm.kernels.simulation.state import State


class Start(NamedTuple):
    """Counts and labels that the arms have when runs begin.

    Args:
        pulls: the pulls of each arm.
        sums: the sum of its rewards, in unit rewards.
        labels: 1 good, -1 bad, 0 undecided.
        wealth: each arm's row of logs of wealth, of a rule that bets.

    >>> start = Start(np.array([4, 9]), np.array([1.0, 9.0]), np.array([0, 1], np.int8))
    >>> start.total, start.num_good
    (13, 1)
    """

    pulls: NDArray[np.int64]
    sums: NDArray[np.float64]
    labels: NDArray[np.int8]
    wealth: NDArray[np.float64] | None = None

    @property
    def total(self) -> int:
        """Pulls of all arms together."""
        return int(self.pulls.sum())

    @property
    def num_good(self) -> int:
        """Number of arms that are labelled good."""
        return int((self.labels == GOOD).sum())

    def enter(self, state: State) -> None:
        """Put the counts and labels into the state of a run before its first pull.

        Args:
            state: the state, which is changed.
        """
        state.arms["pulls"], state.arms["sum"] = self.pulls, self.sums
        state.labels[:] = self.labels
        if self.wealth is not None:
            state.wealth[: len(self.pulls)] = self.wealth
        alive, progress = np.flatnonzero(self.labels == UNDECIDED), state.progress[0]
        state.alive[: len(alive)] = alive
        progress["alive"], progress["good"] = len(alive), self.num_good
        progress["pulls"] = self.total
