"""Choice of the arms that are asked next: the warm-up in order, then by the sampling rule."""

from typing import Final

import numpy as np

from goodarm.algorithm import IndexRule, SamplingRule, View, check_choice
from goodarm.errors import NOTHING_LEFT, ProtocolError
from goodarm.kernels.codes import Setup
from goodarm.kernels.live.next_pulls import (
    ask_arm,
    ask_arms,
    ask_pulls,
    find_largest_of_all,
    mark_askable,
    withdraw_pulls,
)
from goodarm.live.arm_tests import ArmTests
from goodarm.wording import EdgeText, Text, phrase

_TELL: Final = "Tell their rewards, or forget them."


def make_no_pulls_error(why: Text, remedy: Text) -> ProtocolError:
    """Return the error for an ask that has no pulls."""
    return ProtocolError(
        phrase("There is nothing left to ask: {why}", why=why),
        argument="count",
        owner="ask",
        rule="have pulls left to ask",
        remedy=remedy,
        reason=NOTHING_LEFT,
    )


class ArmSelector:
    """Chooser of arms. Each choice counts as a pull of its arm before the next one is made."""

    def __init__(
        self, setup: Setup, sampling: IndexRule | SamplingRule, tests: ArmTests, seed: int
    ) -> None:
        self._arms, self._tests = tests.arms, tests
        self._rule = sampling if isinstance(sampling, SamplingRule) else None
        self._max_pulls = setup.max_pulls
        self._seed = seed
        self.add_arm(setup)

    def add_arm(self, setup: Setup) -> None:
        """Take over the arms as they are now."""
        arms = self._arms
        self._awake = arms.active.copy()
        self._view = View(setup, arms.held, arms.means, self._awake, self._seed)

    def choose(self, count: int) -> tuple[int, list[int]]:
        """Ask at most ``count`` pulls; return the number of the first, and their arms."""
        arms = self._arms
        start = arms.asked
        missing = min(count, self._max_pulls - start)
        while missing > 0:
            room = arms.make_room(missing)
            asked = ask_pulls(arms.live, room)
            missing -= asked
            if asked < room:
                if self._rule is not None or arms.asked > start or not self._ask_resting_arm():
                    break
                missing -= 1  # with one more out others may be awake: their shares have grown
        if self._rule is not None and missing > 0 and not arms.is_final:
            self._ask_in_python(self._rule, start, missing)
        return start + 1, arms.log("arm")[start:].tolist()

    def make_nothing_left_error(self, is_done: bool) -> ProtocolError:
        """Return the error that says why nothing can be asked."""
        arms = self._arms
        if is_done:
            read = EdgeText("python", "Read 'verdict', and check 'is_done' before asking.")
            return make_no_pulls_error("the run is over.", phrase("{read}", read=read))
        if arms.asked < self._max_pulls:
            if self._can_ask().any():
                return make_no_pulls_error(
                    "enough pulls of the undecided arms are in progress, and their rewards are "
                    "missing.",
                    _TELL,
                )
            return make_no_pulls_error("all cases of the undecided arms are in progress.", _TELL)
        made = (
            f"all {self._max_pulls} allowed pulls are made, and {arms.progress['out']} of their "
            "rewards are missing."
        )
        return make_no_pulls_error(made, _TELL)

    def _ask_resting_arm(self) -> bool:
        """Ask a pull of the resting arm with the largest index that may still need one.

        Return whether there is such an arm.
        """
        arms = self._arms
        if arms.is_final:
            return False
        is_left_out = np.zeros(arms.setup.num_arms, np.bool_)
        while (arm := find_largest_of_all(arms.live, is_left_out)) >= 0:
            if not self._tests.is_certain(arm):
                ask_arms(arms.live, np.array([arm], np.int64))
                return True
            is_left_out[arm] = True
        return False

    def _can_ask(self) -> np.ndarray:
        """Return which undecided arms have cases left."""
        arms = self._arms
        arm_records, has_pool = arms.arms, arms.setup.has_pool
        return np.asarray(
            arms.active & ((arm_records["held"] < arm_records["cases"]) | (not has_pool))
        )

    def _ask_in_python(self, rule: SamplingRule, start: int, count: int) -> None:
        """Ask at most ``count`` pulls as the rule says, of arms that are not at rest.

        The first of a batch may be of any undecided arm that may need it. An error leaves all as it
        was before.
        """
        arms, view = self._arms, self._view
        try:
            for _ in range(count):
                if not mark_askable(arms.live, self._awake):
                    if arms.asked > start:
                        break
                    self._awake[:] = self._can_ask()
                    for arm in np.flatnonzero(self._awake).tolist():
                        self._awake[arm] = not self._tests.is_certain(arm)
                    if not self._awake.any():
                        break
                arms.make_room(1)
                view.move_to(int(arms.progress["held"]), arms.asked)
                ask_arm(arms.live, check_choice(rule.choose(view), view, rule.name))
        except BaseException:
            withdraw_pulls(arms.live, start)
            raise
