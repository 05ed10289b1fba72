"""What waits to enter each arm's test.

Rewards of an arm enter its test in the order in which they were asked, whatever the order in which
they are told: a success that is quick to arrive must not be seen before the failures that were
asked for earlier, or the tests would no longer be valid. In the log each pull names the next one of
its arm; blocks stand between them.
"""

from collections import defaultdict, deque
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from goodarm.identifier.standings import Standings
from goodarm.kernels.codes import NEVER, UNDECIDED
from goodarm.kernels.live import TOLD


class Block(NamedTuple):
    """Rewards that nobody asked for; their order is unknown, so they are tested once, together."""

    size: int
    total: float
    """sum of unit rewards"""
    rewards: tuple[float, ...] = ()
    """one by one, for a rule that bets"""


class Ledger:
    """Each arm's queue: the pulls that wait, and the blocks behind them."""

    def __init__(self, standings: Standings) -> None:
        self._standings = standings
        self._blocks: defaultdict[int, deque[tuple[int, Block]]] = defaultdict(deque)
        """with the pull that each stands behind"""
        self._stops: dict[int, int] = {}
        """arms that stop behind this pull, because a label was written down there"""

    def put(self, arm: int, block: Block, behind: int) -> None:
        """A block takes its place behind this pull of the arm."""
        self._blocks[arm].append((behind, block))
        self._mark(arm)

    def stop(self, arm: int, behind: int) -> None:
        """Let the arm's test stop behind this pull."""
        self._stops[arm] = behind
        self._mark(arm)

    def take_block(self, arm: int) -> Block | None:
        """The block that is to enter the arm's test next; None where it only stops."""
        blocks, stop = self._blocks[arm], self._stops.get(arm)
        if stop is not None and (not blocks or stop <= blocks[0][0]):
            del self._stops[arm]
            self._mark(arm)
            return None
        _, block = blocks.popleft()
        self._mark(arm)
        return block

    def drop(self, arm: int) -> None:
        """Forget what waits for an arm that is labelled now."""
        self._blocks.pop(arm, None)
        self._stops.pop(arm, None)

    def blocks(self) -> Iterator[tuple[int, int, Block]]:
        """All blocks that wait, each with its arm and the pull that it stands behind."""
        for arm, waiting in sorted(self._blocks.items()):
            for behind, block in waiting:
                yield arm, behind, block

    def copy(self, arm: int) -> deque[tuple[int, Block]] | None:
        """The blocks that wait for an arm, to be put back later; None without any."""
        return deque(self._blocks[arm]) if arm in self._blocks else None

    def put_back(self, arm: int, blocks: deque[tuple[int, Block]] | None) -> None:
        """What ``copy`` gave."""
        self._stops.pop(arm, None)
        self._blocks.pop(arm, None)
        if blocks is not None:
            self._blocks[arm] = blocks

    def _mark(self, arm: int) -> None:
        """Let the kernels know where the next block stands."""
        blocks = self._blocks[arm]
        behind = blocks[0][0] if blocks else NEVER
        self._standings.arms[arm]["block"] = min(behind, self._stops.get(arm, NEVER))

    def queue(self, arm: int) -> Iterator[int | Block]:
        """What waits, in order; a labelled arm has no queue, for nothing depends on it any more."""
        own, log = self._standings.arms[arm], self._standings.live.log
        if own["labels"] != UNDECIDED:
            return
        number, blocks = int(own["first"]), list(self._blocks.get(arm, ()))
        while number or blocks:
            if blocks and (number == 0 or number > blocks[0][0]):
                yield blocks.pop(0)[1]
            else:
                yield number
                number = int(log[number - 1]["after"])

    def is_known_after(self, arm: int, number: int) -> bool:
        """Whether anything behind this pull in the arm's queue has come in."""
        queue = iter(self.queue(arm))
        if number not in queue:
            return False
        states = self._standings.log("state")
        return any(isinstance(item, Block) or states[item - 1] == TOLD for item in queue)

    def numbers_in(self, state: int) -> list[int]:
        """The numbers of the pulls in this state, in order."""
        found: list[int] = (np.flatnonzero(self._standings.log("state") == state) + 1).tolist()
        return found
