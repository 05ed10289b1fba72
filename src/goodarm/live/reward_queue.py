"""Queues of rewards that wait to enter their arms' tests.

Rewards of an arm enter its test in the order in which they were asked, whatever the order in which
they are told. If a quick success were seen before the failures that were asked for earlier, the
tests would not be valid. In the log each pull names the next one of its arm; blocks stand between
them.
"""

from collections import defaultdict, deque
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from goodarm.kernels.codes import NEVER, UNDECIDED
from goodarm.kernels.live.records import DROPPED, TOLD
from goodarm.live.arm_state import ArmState


class Block(NamedTuple):
    """Rewards that nobody asked for. Their order is unknown, so they are tested once, together."""

    size: int
    total: float
    """sum of unit rewards"""
    rewards: tuple[float, ...] = ()
    """single rewards, for a rule that bets"""


class RewardQueue:
    """Queue of each arm: the pulls that wait, and the blocks behind them."""

    def __init__(self, arms: ArmState) -> None:
        self._arms = arms
        self._blocks: defaultdict[int, deque[tuple[int, Block]]] = defaultdict(deque)
        """blocks, each with the pull that it stands behind"""
        self._stops: dict[int, int] = {}
        """pull of each arm behind which its test stops, because the journal has a label there"""

    def put(self, arm: int, block: Block, behind: int) -> None:
        """Append a block behind this pull of the arm."""
        self._blocks[arm].append((behind, block))
        self._mark(arm)

    def stop_at(self, arm: int, pulls: int, dropped: frozenset[int]) -> None:
        """Stop the arm's test once it has this many pulls, unless a block makes them full.

        ``dropped`` are pulls that are given up meanwhile and count as never made.
        """
        count, states = int(self._arms.pulls[arm]), self._arms.log("state")
        for item in self.items(arm):
            if isinstance(item, Block):
                count += item.size
            elif item not in dropped and states[item - 1] != DROPPED:
                count += 1
                if count == pulls:
                    self._stops[arm] = item
                    self._mark(arm)
            if count >= pulls:
                break

    def take_block(self, arm: int) -> Block | None:
        """Remove the next block and return it; return None where the test only stops."""
        blocks, stop = self._blocks[arm], self._stops.get(arm)
        if stop is not None and (not blocks or stop <= blocks[0][0]):
            del self._stops[arm]
            self._mark(arm)
            return None
        _, block = blocks.popleft()
        self._mark(arm)
        return block

    def drop(self, arm: int) -> None:
        """Remove all that waits for an arm that is out of play."""
        self._blocks.pop(arm, None)
        self._stops.pop(arm, None)

    def blocks(self) -> Iterator[tuple[int, int, Block]]:
        """Yield all blocks that wait, each with its arm and the pull that it stands behind."""
        for arm, waiting in sorted(self._blocks.items()):
            for behind, block in waiting:
                yield arm, behind, block

    def _mark(self, arm: int) -> None:
        """Tell the kernels where the next block stands."""
        blocks = self._blocks[arm]
        behind = blocks[0][0] if blocks else NEVER
        self._arms.arms[arm]["block"] = min(behind, self._stops.get(arm, NEVER))

    def items(self, arm: int) -> Iterator[int | Block]:
        """Yield what waits, in order. Nothing waits for a labelled arm."""
        arm_record, log = self._arms.arms[arm], self._arms.live.log
        if arm_record["labels"] != UNDECIDED:
            return
        number, blocks = int(arm_record["first"]), list(self._blocks.get(arm, ()))
        while number or blocks:
            if blocks and (number == 0 or number > blocks[0][0]):
                yield blocks.pop(0)[1]
            else:
                yield number
                number = int(log[number - 1]["after"])

    def isolate(self, arm: int) -> tuple[ArmState, "RewardQueue"]:
        """Return copies that hold this arm alone, as arm 0, to try rewards on.

        Its pulls that wait are numbered 1, 2, 3, ... there.
        """
        numbers, blocks = list[int](), list[tuple[int, Block]]()
        for item in self.items(arm):
            if isinstance(item, Block):
                blocks.append((len(numbers), item))
            else:
                numbers.append(item)
        arms = self._arms.isolate(arm, np.array(numbers, np.int64))
        queue = RewardQueue(arms)
        for behind, block in blocks:
            queue.put(0, block, behind)
        return arms, queue

    def is_known_after(self, arm: int, number: int) -> bool:
        """Return whether anything behind this pull in the arm's queue has come in."""
        queue = iter(self.items(arm))
        if number not in queue:
            return False
        states = self._arms.log("state")
        return any(isinstance(item, Block) or states[item - 1] == TOLD for item in queue)

    def find_numbers(self, state: int) -> list[int]:
        """Return the numbers of the pulls in this state, in order."""
        found: list[int] = (np.flatnonzero(self._arms.log("state") == state) + 1).tolist()
        return found
