"""An experiment as its entries have made it."""

import heapq
from collections import defaultdict, deque
from dataclasses import dataclass
from typing import NamedTuple

from goodarm.experiment.start import Start
from goodarm.kernels.live import OUT
from goodarm.results import Pull


class Lease(NamedTuple):
    """Who has a pull, and until when; nobody or for ever if None."""

    worker: str | None
    until: float | None


@dataclass
class Status:
    """Whether it runs."""

    is_paused: bool = False
    is_closed: bool = False


class State:
    """What is known: the identifier, the leases, the time of the last entry.

    Only ``apply`` changes it. Two states are the same if the same entries made them.
    """

    def __init__(self, start: Start) -> None:
        self.start = start
        self.ident = start.identifier()
        self.last = 0
        """the number of the last entry"""
        self.at = 0.0
        """its time"""
        self.status = Status()
        self.leases: dict[int, Lease] = {}
        """of pulls that are out, and were given to somebody"""
        self.by_worker: defaultdict[str, dict[int, None]] = defaultdict(dict)
        """the pulls that a worker holds, in order"""
        self.asked_at: deque[tuple[float, int]] = deque()
        """when pulls were asked, oldest first; those that are not out any more come off in time"""
        self.ends: list[tuple[float, int]] = []
        """a heap of the ends of leases; those that ended otherwise come off in time"""
        self.again: dict[int, None] = {}
        """pulls of a pool whose leases ended: their cases are leased again, under their numbers"""

    def pull(self, number: int) -> Pull:
        """A pull that was asked."""
        parts = self.ident._parts()
        _, arm, _, case, _ = parts.standings.pull(number)
        has_pool = parts.problem.pool is not None
        return Pull(number, parts.problem.arms[arm], case if has_pool else None)

    def is_out(self, number: int) -> bool:
        """Whether a pull is neither told nor forgotten."""
        return bool(self.ident._parts().standings.pull(number)[4] == OUT)

    def silent_since(self, at: float) -> tuple[int, ...]:
        """The pulls that were asked by then and are still out."""
        while self.asked_at and not self.is_out(self.asked_at[0][1]):
            self.asked_at.popleft()
        found = []
        for asked, number in self.asked_at:
            if asked > at:
                break
            if self.is_out(number):
                found.append(number)
        return tuple(found)

    def leases_ended(self, at: float) -> tuple[int, ...]:
        """The pulls whose leases have ended by then."""
        found = []
        while self.ends and self.ends[0][0] <= at:
            until, number = heapq.heappop(self.ends)
            lease = self.leases.get(number)
            if lease is not None and lease.until == until:
                found.append((until, number))
        for each in found:  # they have not been written down yet
            heapq.heappush(self.ends, each)
        return tuple(sorted({number for _, number in found}))

    @property
    def has_pool(self) -> bool:
        """Whether pulls are made on cases."""
        return self.start.problem.pool is not None
