"""Every pull that was asked, in order, and what became of it.

Rewards of an arm enter its test in the order in which they were asked, whatever the order in which
they are told: a success that is quick to arrive must not be seen before the failures that were
asked for earlier, or the tests would no longer be valid. The ledger keeps that order.
"""

from array import array
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

OUT: Final = 0
TOLD: Final = 1
LOST: Final = 2
"""Given up; counts as the worst case in both tests."""
DROPPED: Final = 3
"""Given up for a reason that has nothing to do with its reward; counts as never made."""


class Block(NamedTuple):
    """Rewards that nobody asked for; their order is unknown, so they are tested once, together."""

    size: int
    total: float
    """sum of unit rewards"""
    rewards: tuple[float, ...] = ()
    """one by one, for a rule that bets"""


class Entry(NamedTuple):
    """What enters a test in one step."""

    size: int
    total: float
    lost: int
    rewards: tuple[float, ...]


class Ledger:
    """Pulls by number, and for each arm the queue of what has not entered its test yet."""

    def __init__(self, to_unit: Callable[[float], float]) -> None:
        self.arms = array("q")
        self.states = bytearray()
        self.rewards = array("d")
        self.queues: defaultdict[int, deque[int | Block]] = defaultdict(deque)
        self.out = 0
        self.to_unit = to_unit

    def __len__(self) -> int:
        """How many pulls were asked."""
        return len(self.arms)

    def ask(self, arm: int) -> int:
        """Write down a new pull and return its number."""
        self.arms.append(arm)
        self.states.append(OUT)
        self.rewards.append(0.0)
        self.queues[arm].append(len(self.arms))
        self.out += 1
        return len(self.arms)

    def record(self, number: int, state: int, reward: float = 0.0) -> None:
        """Write down what became of a pull that is out."""
        self.states[number - 1] = state
        self.rewards[number - 1] = reward
        self.out -= 1

    def ready(self, arm: int) -> Iterator[Entry]:
        """Take from the arm's queue, in order, all that is known up to the first gap."""
        queue = self.queues[arm]
        while queue:
            head = queue[0]
            if isinstance(head, Block):
                queue.popleft()
                yield Entry(head.size, head.total, 0, head.rewards)
                continue
            state = self.states[head - 1]
            if state == OUT:
                return
            queue.popleft()
            if state == TOLD:
                reward = self.to_unit(self.rewards[head - 1])
                yield Entry(1, reward, 0, (reward,))
            elif state == LOST:
                yield Entry(1, 0.0, 1, ())

    def is_known_after(self, arm: int, number: int) -> bool:
        """Whether anything behind this pull in the arm's queue has come in.

        A labelled arm has no queue: nothing depends on its pulls any more.
        """
        queue = list(self.queues.get(arm, ()))
        if number not in queue:
            return False
        return any(
            isinstance(item, Block) or self.states[item - 1] == TOLD
            for item in queue[queue.index(number) + 1 :]
        )

    def numbers_in(self, state: int) -> list[int]:
        """The numbers of the pulls in this state, in order."""
        return [number for number, found in enumerate(self.states, start=1) if found == state]
