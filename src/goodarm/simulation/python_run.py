"""Run under a sampling rule written in Python: the rule chooses each arm, the kernels pull it."""

from typing import Final

import numpy as np

from goodarm.algorithm import IdentificationRule, SamplingRule, View, check_choice
from goodarm.kernels.codes import CURVE, UNDECIDED, CurveRows
from goodarm.kernels.simulation.pull import is_over, pull, warm_up
from goodarm.kernels.simulation.state import State, make_scratch
from goodarm.simulation.arrivals import Arrivals

_CHOICES_PER_STEP: Final = 256
"""Number of pulls in one step."""


class PythonRun:
    """Run in progress, with the interface of ``engine.SimulatedRun``."""

    def __init__(
        self,
        arrivals: Arrivals,
        sampling: SamplingRule,
        rule: IdentificationRule,
        state: State,
        seed: int,
        number: int,
    ) -> None:
        self._arrivals = arrivals
        self._sampling = sampling
        self._growing = rule.curves(arrivals.setup)
        self._curves: CurveRows = np.zeros(1, CURVE)
        self.state = state
        self._scratch = make_scratch(arrivals.setup, self.state)
        self._means = np.zeros(len(state.arms))
        self._active = np.ones(len(state.arms), bool)
        self._draws = seed, number
        self._look()

    def _look(self) -> None:
        """Show the rule the arms that are there; arms that have just arrived need their warm-up."""
        setup, pulls = self._arrivals.setup, self.state.arms["pulls"]
        count = setup.num_arms
        means, active = self._means[:count], self._active[:count]
        self._view = View(setup, pulls[:count], means, active, *self._draws)
        self._is_warm = False

    @property
    def is_over(self) -> bool:
        """True if the run has ended."""
        return bool(is_over(self._arrivals.setup, self.state.progress[0]))

    @property
    def pulls(self) -> int:
        """Pulls of all arms so far."""
        return int(self.state.progress["pulls"][0])

    def step(self) -> None:
        """Advance the run: through the warm-up, or by some choices of the rule."""
        if self._is_warm:
            self._choose()
        else:
            self._warm_up()
        if self._arrivals.admit(self._scratch):
            self._look()

    def _choose(self) -> None:
        setup = self._arrivals.setup
        for _ in range(self._arrivals.limit(_CHOICES_PER_STEP)):
            if self.is_over:
                return
            self._view.move_to(self.pulls, self.pulls)
            arm = check_choice(self._sampling.choose(self._view), self._view, self._sampling.name)
            self._reach(arm)
            label = pull(setup, self._curves, self.state, self._scratch, arm)
            view = self.state.arms[arm]
            self._means[arm] = view["sum"] / view["pulls"]
            self._active[arm] = label == UNDECIDED

    def _warm_up(self) -> None:
        """Pull for the warm-up, without asking the rule; each step extends the curves."""
        arms, setup = self.state.arms, self._arrivals.setup
        if self._growing is not None:
            self._curves = self._growing.reach(int(arms["pulls"].max()), float(arms["sum"].max()))
        most = self._arrivals.limit(1 << 20)
        warm_up(setup, self._curves, self.state, self._scratch, most)
        self._is_warm = self.state.progress["warmed"][0] == setup.num_arms
        self._means[:] = arms["sum"] / np.maximum(arms["pulls"], 1)
        self._active[:] = self.state.labels == UNDECIDED

    def _reach(self, arm: int) -> None:
        """Extend the curves to the arm's next pull if they do not reach it."""
        if self._growing is None:
            return
        pulls, total = int(self.state.arms["pulls"][arm]), float(self.state.arms["sum"][arm])
        if self._growing.needed(pulls, total) > len(self._curves):
            self._curves = self._growing.reach(pulls, total)
