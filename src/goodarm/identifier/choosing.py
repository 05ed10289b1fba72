"""Which arms are asked next: the warm-up in order, then whatever the sampling rule says."""

from typing import Final

import numpy as np

from goodarm.algorithm import IndexRule, SamplingRule, View
from goodarm.algorithm.sampling.view import checked_choice
from goodarm.errors import ProtocolError
from goodarm.identifier.held_up import is_settled
from goodarm.identifier.parts import Parts
from goodarm.identifier.standings import Standings
from goodarm.kernels.asking import ask, ask_of, ask_these, largest_of_all, may_ask, take_back
from goodarm.kernels.codes import Setup

_NOTHING: Final = "There is nothing left to ask:"


class Chooser:
    """Chooses arms; each choice counts as a pull of its arm before the next one is made."""

    def __init__(
        self, setup: Setup, sampling: IndexRule | SamplingRule, standings: Standings, seed: int
    ) -> None:
        self._standings = standings
        self._rule = sampling if isinstance(sampling, SamplingRule) else None
        self._max_pulls = setup.max_pulls
        self._seed = seed
        self.add_arm(setup)

    def add_arm(self, setup: Setup) -> None:
        """Look at the arms as they are now."""
        standings = self._standings
        self._awake = standings.active.copy()
        self._view = View(setup, standings.held, standings.means, self._awake, self._seed)

    def choose(self, parts: Parts, count: int) -> tuple[int, list[int]]:
        """The number of the first of at most ``count`` pulls that can be asked, and their arms."""
        standings = self._standings
        start = standings.asked
        missing = min(count, self._max_pulls - start)
        while missing > 0:
            room = standings.make_room(missing)
            asked = ask(standings.live, room)
            missing -= asked
            if asked < room:
                if self._rule is not None or standings.asked > start or not self._at_rest(parts):
                    break
                missing -= 1  # with one more out others may be awake: their shares have grown
        if self._rule is not None and missing > 0 and not standings.is_final:
            self._in_python(parts, self._rule, start, missing)
        return start + 1, standings.log("arm")[start:].tolist()

    def nothing_left(self, is_done: bool) -> ProtocolError:
        """The error that says why nothing can be asked."""
        standings = self._standings
        if is_done:
            return ProtocolError(
                f"{_NOTHING} the run is over. Read 'verdict', and check 'is_done' before asking."
            )
        if standings.asked < self._max_pulls:
            if self._can_ask().any():
                return ProtocolError(
                    f"{_NOTHING} the undecided arms have all the rewards that they could need, and "
                    "wait for pulls that are not told. Tell or forget them."
                )
            return ProtocolError(
                f"{_NOTHING} all cases of the undecided arms are out. Tell or forget them."
            )
        return ProtocolError(
            f"{_NOTHING} all {self._max_pulls} pulls of max_pulls are made and "
            f"{standings.progress['out']} of them are not told yet. Tell or forget them."
        )

    def _at_rest(self, parts: Parts) -> bool:
        """Ask one pull though all arms are at rest, of the largest index that may need it.

        Returns whether there is one.
        """
        standings = self._standings
        if standings.is_final:
            return False
        is_left_out = np.zeros(standings.setup.num_arms, np.bool_)
        while (arm := largest_of_all(standings.live, is_left_out)) >= 0:
            if not is_settled(parts, arm):
                ask_these(standings.live, np.array([arm], np.int64))
                return True
            is_left_out[arm] = True
        return False

    def _can_ask(self) -> np.ndarray:
        """Return which undecided arms have cases left."""
        standings = self._standings
        arms, has_pool = standings.arms, standings.setup.has_pool
        return np.asarray(standings.active & ((arms["held"] < arms["cases"]) | (not has_pool)))

    def _in_python(self, parts: Parts, rule: SamplingRule, start: int, count: int) -> None:
        """Ask at most ``count`` pulls as the rule says, of arms that are not at rest.

        The first of a batch may be of any undecided arm that may need it. An error leaves all as it
        was before.
        """
        standings, view = self._standings, self._view
        try:
            for _ in range(count):
                if not may_ask(standings.live, self._awake):
                    if standings.asked > start:
                        break
                    self._awake[:] = self._can_ask()
                    for arm in np.flatnonzero(self._awake).tolist():
                        self._awake[arm] = not is_settled(parts, arm)
                    if not self._awake.any():
                        break
                standings.make_room(1)
                view.move_to(int(standings.progress["held"]), standings.asked)
                ask_of(standings.live, checked_choice(rule.choose(view), view, rule.name))
        except BaseException:
            take_back(standings.live, start)
            raise
