"""Rewards on their way into the arms' tests, and the labels that they prove."""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import BAD, GOOD, UNDECIDED
from goodarm.kernels.live import rewards as live_rewards
from goodarm.kernels.live.records import DROPPED, LOST, OUT, TOLD
from goodarm.live.arm_state import ArmState
from goodarm.live.observations import Observations
from goodarm.live.reward_queue import Block, RewardQueue

_MAX_LOG_EVIDENCE: Final = 1e6
"""Cap of the log evidence, which is infinite once the last cases of a pool settle an arm."""
_MISSING_GAUSSIAN_DISTANCE: Final = 2.0
"""Assumed distance of a missing Gaussian reward, which has no worst case, from the arm's mean, in
unit rewards, whose standard deviation is 1/2."""


class LabelRecord(NamedTuple):
    """Label as it is in the journal: the arm's position, the label, and the pulls in its test."""

    arm: int
    label: int
    pulls: int
    evidence: float | None
    """log of the e-value that proves the label; None for rules without e-values"""


class ArmTests:
    """Tests of all arms: rewards enter them in the order asked, and labels follow.

    Each act returns the arms that it has labelled, in order. ``written`` are the labels that a
    journal has for the act: with them no label is computed, and just these are given, each when its
    arm has the pulls that were written down. So a journal gives the same state on any machine and
    under any later version, though arithmetic may differ in its last digit there.

    A rule written in Python may raise an error in the middle of an act. What was counted by then
    stays counted, and the next act goes on with the test that was left.
    """

    def __init__(self, arms: ArmState, queue: RewardQueue, observations: Observations) -> None:
        self.arms, self.queue, self.observations = arms, queue, observations
        self.good: list[int] = []
        """the good arms, in the order of their labels"""
        self._written: dict[tuple[int, int], int] | None = None
        """labels of the journal, by arm and pulls"""
        self._labelled: list[int] = []
        self._is_settled = True

    def tell(
        self,
        numbers: NDArray[np.int64],
        rewards: NDArray[np.float64],
        written: Collection[LabelRecord] | None = None,
    ) -> list[int]:
        """Count the rewards of pulls, which were checked."""
        self._begin(written)
        try:
            done = 0
            while done < len(numbers):
                done = live_rewards.tell(self.arms.live, numbers, rewards, done)
                if self.arms.event:
                    self._settle()
        finally:
            self._written = None
        return self._labelled

    def forget(
        self,
        numbers: Sequence[int],
        is_independent: bool,
        written: Collection[LabelRecord] | None = None,
    ) -> list[int]:
        """Count pulls as lost, or as never made if their loss is independent of their rewards."""
        state = DROPPED if is_independent else LOST
        self._begin(written, frozenset(numbers if is_independent else ()))
        try:
            for number in numbers:
                arm = self.arms.pull(number)[1]
                live_rewards.forget(self.arms.live, number, state)
                self._test_next(arm)
        finally:
            self._written = None
        return self._labelled

    def observe(
        self, arm: int, block: Block, written: Collection[LabelRecord] | None = None
    ) -> list[int]:
        """Append a block of rewards to the arm's queue; one that is out of play has no test."""
        self._begin(written)
        try:
            arm_record = self.arms.arms[arm]
            if arm_record["active"]:
                kept_rewards = block.rewards if self.arms.bets else ()
                self.queue.put(arm, block._replace(rewards=kept_rewards), int(arm_record["last"]))
            live_rewards.observe(self.arms.live, arm, block.size, block.total)
            self._test_next(arm)
        finally:
            self._written = None
        return self._labelled

    def take_out(self, arm: int) -> None:
        """Take an arm out of play; it keeps its numbers and gets no label."""
        self.arms.taken_out.add(arm)
        self._close(arm, UNDECIDED)

    def record_of(self, arm: int) -> LabelRecord:
        """Return a labelled arm's label as a journal has it."""
        arms = self.arms
        label, rows = int(arms.labels[arm]), np.array([arm], np.intp)
        evidence = arms.rule.evidence(arms.setup, arms.tallies(rows))
        log = None
        if evidence is not None:
            log = min(float(evidence[0 if label > 0 else 1][0]), _MAX_LOG_EVIDENCE)
        return LabelRecord(arm, label, int(arms.pulls[arm]), log)

    def num_waiting(self, arm: int) -> int:
        """Return how many rewards of an arm wait to enter its test, behind a missing one."""
        arm_record = self.arms.arms[arm]
        if not arm_record["active"] or self.arms.is_final:
            return 0
        return int(arm_record["told"] - arm_record["pulls"] + arm_record["lost"])

    def count_waiting(self, arms: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return how many rewards of several arms wait to enter their tests, as an array."""
        if self.arms.is_final:
            return np.zeros(len(arms), np.int64)
        arm_records = self.arms.arms
        counts = arm_records["told"] - arm_records["pulls"] + arm_records["lost"]
        return np.asarray(np.where(arm_records["active"], counts, 0)[arms])

    def has_waiting(self) -> bool:
        """Return whether rewards of any arm wait to enter its test."""
        arm_records = self.arms.arms
        waits = arm_records["active"] & (
            arm_records["told"] - arm_records["pulls"] + arm_records["lost"] > 0
        )
        return not self.arms.is_final and bool(waits.any())

    def is_certain(self, arm: int) -> bool:
        """Return whether waiting rewards of the arm prove its label whatever the missing ones are.

        Such an arm need not be asked again. Why that is valid: it only says who is asked, by
        rewards that were told before. A missing reward keeps its place in the test, no other pull
        takes it, and no label is given before it is told or given up. The tests are valid under
        every choice of arms that looks at the past alone, and at every time one may stop.
        """
        if self.num_waiting(arm) == 0:
            return False
        setup, arm_record = self.arms.setup, self.arms.arms[arm]
        if self.arms.has_worst_case:
            return self._label_if(arm, LOST, 0.0) is not None
        low, high = (
            setup.offset + setup.scale * (arm_record["means"] + side * _MISSING_GAUSSIAN_DISTANCE)
            for side in (-1, 1)
        )
        return self._label_if(arm, TOLD, low) == GOOD or self._label_if(arm, TOLD, high) == BAD

    def _label_if(self, arm: int, state: int, reward: float) -> int | None:
        """Return the arm's label if all its missing pulls were in this state; None if in play.

        That is tried on a copy of the arm.
        """
        arms, queue = self.queue.isolate(arm)
        observations = Observations(arms)
        observations.observed[0] = self.observations.observed[arm].copy()
        log, arm_record = arms.live.log, arms.arms
        is_missing = log["state"] == OUT
        log["state"][is_missing], log["reward"][is_missing] = state, reward
        ArmTests(arms, queue, observations)._test_next(0)
        return None if arm_record["active"][0] else int(arm_record["labels"][0])

    def _begin(
        self,
        written: Collection[LabelRecord] | None,
        dropped: frozenset[int] = frozenset(),
    ) -> None:
        self._labelled = []
        if not self._is_settled:
            self._settle()
        if written is not None:
            for label in written:
                self.queue.stop_at(label.arm, label.pulls, dropped)
            self._written = {(each.arm, each.pulls): each.label for each in written}

    def _test_next(self, arm: int) -> None:
        """Let what is known, in the order asked, into the arm's test."""
        live_rewards.enter_known(self.arms.live, arm)
        self._settle()

    def _settle(self) -> None:
        """Handle what telling has stopped at, and go on with the same arm."""
        arms, progress = self.arms, self.arms.progress
        self._is_settled = False
        while event := arms.event:
            arm, label = int(progress["arm"]), int(progress["label"])
            if event == live_rewards.BLOCK:
                self._enter_block(arm)
                # The block has entered, even if the rule raises.
                progress["event"] = live_rewards.UNKNOWN
            if self._written is not None:
                arms.extend_curves(arm)
                label = self._written.get((arm, int(arms.pulls[arm])), UNDECIDED)
            elif event in (live_rewards.BLOCK, live_rewards.UNKNOWN):
                label = arms.label(arm)
            if label == UNDECIDED and not arms.is_used_up(arm):
                live_rewards.enter_known(arms.live, arm)
                continue
            progress["event"] = live_rewards.NOTHING
            self._close(arm, label)
        self._is_settled = True

    def _enter_block(self, arm: int) -> None:
        """Let the next block into the arm's test, unless a written label stops it here."""
        block = self.queue.take_block(arm)
        if block is not None:
            self.arms.enter_block(arm, *block)
            self.observations.observe(arm, block.rewards)

    def _close(self, arm: int, label: int) -> None:
        live_rewards.close_arm(self.arms.live, arm, label)
        self.queue.drop(arm)
        if label == GOOD:
            self.good.append(arm)
        if label != UNDECIDED:
            self._labelled.append(arm)
