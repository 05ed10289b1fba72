"""One run under a sampling rule in Python: the rule is asked before each pull, the kernels pull."""

from typing import Final

import numpy as np

from goodarm.algorithm import IdentificationRule, SamplingRule, View
from goodarm.algorithm.sampling.view import checked_choice
from goodarm.kernels.codes import CURVE, UNDECIDED, CurveRows, Setup
from goodarm.kernels.pull import is_over, pull, warm_up
from goodarm.kernels.state import State, new_scratch

_CHOICES: Final = 256
"""Pulls in one step."""


class RunInPython:
    """One run under way, as ``engine.Run``."""

    def __init__(
        self,
        setup: Setup,
        sampling: SamplingRule,
        rule: IdentificationRule,
        state: State,
        seed: int,
        number: int,
    ) -> None:
        self._setup = setup
        self._sampling = sampling
        self._growing = rule.curves(setup)
        self._curves: CurveRows = np.zeros(1, CURVE)
        self.state = state
        self._scratch = new_scratch(setup, self.state)
        self._means = np.zeros(setup.num_arms)
        self._active = np.ones(setup.num_arms, bool)
        pulls = self.state.arms["pulls"]
        self._view = View(setup, pulls, self._means, self._active, seed, number)
        self._is_warm = False

    @property
    def is_over(self) -> bool:
        """Whether the run is at its end."""
        return bool(is_over(self._setup, self.state.progress[0]))

    @property
    def pulls(self) -> int:
        """The pulls of all arms so far."""
        return int(self.state.progress["pulls"][0])

    def step(self) -> None:
        """Go on for a while: through the warm-up, or by some choices of the rule."""
        if not self._is_warm:
            self._warm_up()
            return
        for _ in range(_CHOICES):
            if self.is_over:
                return
            self._view.move_to(self.pulls, self.pulls)
            arm = checked_choice(self._sampling.choose(self._view), self._view, self._sampling.name)
            self._reach(arm)
            label = pull(self._setup, self._curves, self.state, self._scratch, arm)
            own = self.state.arms[arm]
            self._means[arm] = own["sum"] / own["pulls"]
            self._active[arm] = label == UNDECIDED

    def _warm_up(self) -> None:
        """Without questions; each step takes the curves farther."""
        arms = self.state.arms
        if self._growing is not None:
            self._curves = self._growing.reach(int(arms["pulls"].max()), float(arms["sum"].max()))
        warm_up(self._setup, self._curves, self.state, self._scratch, 1 << 20)
        self._is_warm = self.state.progress["warmed"][0] == self._setup.num_arms
        self._means[:] = arms["sum"] / np.maximum(arms["pulls"], 1)
        self._active[:] = self.state.labels == UNDECIDED

    def _reach(self, arm: int) -> None:
        """Let the curves reach the arm's next pull."""
        if self._growing is None:
            return
        pulls, total = int(self.state.arms["pulls"][arm]), float(self.state.arms["sum"][arm])
        if self._growing.needed(pulls, total) > len(self._curves):
            self._curves = self._growing.reach(pulls, total)
