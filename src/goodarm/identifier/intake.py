"""Rewards on their way into the arms' tests, and what becomes of arms then."""

import numpy as np
from numpy.typing import NDArray

from goodarm.identifier.entered import Entered
from goodarm.identifier.ledger import Block, Ledger
from goodarm.identifier.standings import Standings
from goodarm.kernels import telling
from goodarm.kernels.codes import GOOD, UNDECIDED


class Intake:
    """Lets rewards in, in the order asked, and takes arms out of play that are labelled by them."""

    def __init__(self, standings: Standings, ledger: Ledger, entered: Entered) -> None:
        self._standings = standings
        self._ledger = ledger
        self._entered = entered
        self.good: list[int] = []
        """the good arms, in the order of their labels"""
        self.obeyed: dict[tuple[int, int], int] | None = None
        """labels that were written down, by arm and pulls; nothing else is a label then"""

    def tell(self, numbers: NDArray[np.int64], rewards: NDArray[np.float64]) -> None:
        """The rewards of pulls, which were checked."""
        done = 0
        while done < len(numbers):
            done = telling.tell(self._standings.live, numbers, rewards, done)
            self._settle()

    def forget(self, number: int, arm: int, state: int) -> None:
        """A pull of the arm is lost or dropped."""
        telling.forget(self._standings.live, number, state)
        self._go_on(arm)

    def observe(self, arm: int, block: Block) -> None:
        """A block of rewards; an arm that is out of play keeps it and has no test for it."""
        own = self._standings.arms[arm]
        if own["active"]:
            kept = block.rewards if self._standings.bets else ()
            self._ledger.put(arm, block._replace(rewards=kept), int(own["last"]))
        telling.observe(self._standings.live, arm, block.size, block.total)
        self._go_on(arm)

    def take_out(self, arm: int) -> None:
        """The arm is never asked again and keeps its numbers, and has no label."""
        self._standings.taken_out.add(arm)
        self._close(arm, UNDECIDED)

    def _go_on(self, arm: int) -> None:
        """Let what is known, in the order asked, into the arm's test."""
        telling.go_on(self._standings.live, arm)
        self._settle()

    def _settle(self) -> None:
        """See to what telling has stopped at, and go on with the same arm."""
        standings, progress = self._standings, self._standings.progress
        while event := standings.event:
            arm, label = int(progress["arm"]), int(progress["label"])
            if event == telling.BLOCK:
                label = self._take_block(arm)
            elif event == telling.UNKNOWN:
                label = standings.label(arm)
            if self.obeyed is not None:
                label = self.obeyed.get((arm, int(standings.pulls[arm])), UNDECIDED)
            if label == UNDECIDED and not standings.is_used_up(arm):
                telling.go_on(standings.live, arm)
                continue
            progress["event"] = telling.NOTHING
            self._close(arm, label)

    def _take_block(self, arm: int) -> int:
        """Let the next block into the arm's test, and return the label that it proves."""
        block = self._ledger.take_block(arm)
        if block is None:
            return UNDECIDED
        label = self._standings.enter(arm, *block)
        self._entered.observe(arm, block.rewards)
        return label

    def _close(self, arm: int, label: int) -> None:
        telling.close(self._standings.live, arm, label)
        self._ledger.drop(arm)
        if label == GOOD:
            self.good.append(arm)
