"""Run in which all arms get the same traffic to the end, labelled ones too."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import SAMPLING_RULES, IdentificationRule
from goodarm.kernels.codes import CURVE, GOOD, NEVER, UNDECIDED, Setup
from goodarm.kernels.simulation.even_loop import advance_evenly
from goodarm.kernels.simulation.state import State, make_scratch

_FIRST_ROUNDS: Final = 64
_STEP_PULLS: Final = 1_000_000
"""Most pulls of one step, which takes about 20 to 50 ms."""
_UNLIMITED: Final = 1 << 40
"""Cases in place of those of an arm without a pool; so many rounds are never made."""


class EvenTraffic:
    """Pulls of all arms after a number of rounds; a round pulls every arm that has a case left.

    Args:
        left: the cases that each arm has left.

    >>> EvenTraffic(np.array([10, 2])).pulls(np.array([1, 2, 5]))
    array([2, 4, 7])
    """

    def __init__(self, left: NDArray[np.int64]) -> None:
        self._left = np.minimum(np.sort(left), _UNLIMITED)
        self._sums = np.concatenate([[0], np.cumsum(self._left)])

    @classmethod
    def endless(cls, num_arms: int) -> "EvenTraffic":
        """Return the traffic of arms without pools.

        Args:
            num_arms: the number of arms.

        >>> EvenTraffic.endless(3).pulls_after(10)
        30
        """
        return cls(np.full(num_arms, _UNLIMITED))

    def pulls(self, rounds: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the pulls of all arms after each number of rounds.

        Args:
            rounds: numbers of rounds.
        """
        used_up = np.searchsorted(self._left, rounds, side="right")
        return np.asarray(self._sums[used_up] + rounds * (len(self._left) - used_up))

    def pulls_after(self, rounds: int) -> int:
        """Return the pulls of all arms after this number of rounds.

        Args:
            rounds: the number of rounds.
        """
        return int(self.pulls(np.array([rounds]))[0])

    def rounds(self, pulls: int) -> int:
        """Return the whole rounds that this number of pulls makes, at most those with a case.

        Args:
            pulls: the pulls of all arms.

        >>> EvenTraffic(np.array([10, 2])).rounds(6)
        4
        """
        low, high = 0, int(self._left[-1])
        while low < high:
            middle = (low + high + 1) // 2
            fits = self.pulls_after(middle) <= pulls
            low, high = (middle, high) if fits else (low, middle - 1)
        return low


class EvenRun:
    """Run in progress, with the interface of ``engine.SimulatedRun``.

    Rounds are whole: the run ends after the one in which the last label falls, or the last good arm
    that ``until`` asks for. Only ``max_pulls`` may cut a round short. At the end the state has what
    such a run had: each arm's pulls up to its label, and all the traffic until then in ``tau``.
    """

    def __init__(self, setup: Setup, rule: IdentificationRule, state: State) -> None:
        traits = SAMPLING_RULES["round-robin"].traits._asdict()
        self._setup = setup._replace(until=NEVER, max_pulls=NEVER, **traits)
        self._until = setup.until
        self._growing = rule.curves(setup)
        self.state = state
        self._scratch = make_scratch(self._setup, state)
        self._begun, self._before = state.arms["pulls"].copy(), int(state.progress["pulls"][0])
        self._open = state.labels == UNDECIDED
        self._num_good = int((state.labels == GOOD).sum())
        self._traffic = EvenTraffic.endless(len(self._begun))
        if setup.has_pool:
            self._traffic = EvenTraffic(state.arms["cases"] - self._begun)
        self._room, self._last = setup.max_pulls - self._before, _UNLIMITED
        if setup.max_pulls < NEVER:
            self._last = self._traffic.rounds(self._room) + 1
        self._rounds = 0
        self.is_over = False
        self.pulls = self._before

    def step(self) -> None:
        """Go on for some more rounds, or to the end of the curves."""
        state, curves = self.state, np.zeros(1, CURVE)
        arms, progress = state.arms, state.progress[0]
        if self._growing is not None:
            curves = self._growing.reach(int(arms["pulls"].max()), float(arms["sum"].max()))
        more = min(self._rounds // 2, _STEP_PULLS // max(int(progress["alive"]), 1))
        rounds = min(self._rounds + max(more, _FIRST_ROUNDS), self._last)
        if not advance_evenly(self._setup, curves, state, self._scratch, self._begun, rounds):
            return
        self._rounds = rounds
        self.pulls = self._before + min(self._traffic.pulls_after(rounds), self._room)
        num_good = int((state.labels == GOOD).sum())
        if progress["alive"] == 0 or num_good >= self._until or rounds == self._last:
            self._finish()
            self.is_over = True

    def _finish(self) -> None:
        """Cut the run at its end, which all arms share."""
        state = self.state
        own = state.arms["pulls"] - self._begun
        end = self._end(own)
        limits = np.full(len(own), end)
        pulls = self._traffic.pulls_after(end)
        if pulls > self._room:
            whole = self._traffic.rounds(self._room)
            limits[:] = whole
            going_on = np.flatnonzero(self._has_case(whole))
            limits[going_on[: self._room - self._traffic.pulls_after(whole)]] += 1
            pulls = self._room
        state.labels[self._open & (own > limits)] = UNDECIDED
        state.arms["pulls"] = self._begun + np.minimum(own, limits)
        found = np.sort(own[self._open & (state.labels == GOOD)])
        state.tau[:] = np.nan
        moments = np.minimum(self._traffic.pulls(found), self._room)
        state.tau[self._num_good : self._num_good + len(found)] = self._before + moments
        self.pulls = self._before + pulls

    def _end(self, own: NDArray[np.int64]) -> int:
        """Return the round that ends the run, unless ``max_pulls`` cuts it short before."""
        labels = self.state.labels
        found = np.sort(own[self._open & (labels == GOOD)])
        missing = self._until - self._num_good
        if missing <= len(found):
            return int(found[missing - 1])
        if (labels != UNDECIDED).all():
            return int(own[self._open].max())
        return self._last

    def _has_case(self, rounds: int) -> NDArray[np.bool_]:
        """Mark the arms that can be pulled after this number of rounds."""
        if not self._setup.has_pool:
            return np.ones(len(self._begun), bool)
        return np.asarray(self.state.arms["cases"] - self._begun > rounds)
