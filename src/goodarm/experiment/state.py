"""An experiment as its entries have made it."""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import NamedTuple

from goodarm.errors import ProtocolError
from goodarm.experiment.start import Start
from goodarm.results import ArmReport, ArmReports, Pull


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
        self.workers: dict[int, str] = {}
        """who asked for the pulls that are out, whether or not the lease has ended"""
        self.by_worker: defaultdict[str, dict[int, None]] = defaultdict(dict)
        """the pulls that a worker holds, in order"""
        self.asked_at: dict[int, float] = {}
        """when the pulls that are out were asked, oldest first"""
        self.ends: list[tuple[float, int]] = []
        """a heap of the ends of leases; those that ended otherwise come off in time"""
        self.again: dict[int, None] = {}
        """pulls of a pool whose leases ended: their cases are leased again, under their numbers"""

    def pull(self, number: int) -> Pull:
        """A pull that was asked; an error for one that was not."""
        parts = self.ident._parts()
        asked = parts.standings.asked
        if type(number) is not int or not 1 <= number <= asked:
            raise ProtocolError(f"Pull {number!r} was never asked; {asked} pulls were.")
        _, arm, _, case, _ = parts.standings.pull(number)
        has_pool = parts.problem.pool is not None
        return Pull(number, parts.problem.arms[arm], case if has_pool else None)

    def reports(self, arms: Sequence[int] | None = None) -> ArmReports:
        """The reports of the arms at these positions, or of all, with who holds up their tests."""
        chosen = range(self.ident.problem.num_arms) if arms is None else arms
        return ArmReports(map(self._with_worker, self.ident._reports(chosen)))

    def _with_worker(self, report: ArmReport) -> ArmReport:
        waits = report.waits
        if waits is None:
            return report
        worker, asked_at = self.workers.get(waits.pull), self.asked_at.get(waits.pull)
        lease = self.leases.get(waits.pull)
        # A pull that a worker asked for, and does not hold any more: its lease has ended.
        until = lease.until if lease is not None else asked_at if worker is not None else None
        waits = replace(waits, worker=worker, asked_at=asked_at, until=until)
        return replace(report, waits=waits)

    def silent_since(self, at: float) -> tuple[int, ...]:
        """The pulls that were asked by then and are still out."""
        by_then = takewhile(lambda each: each[1] <= at, self.asked_at.items())
        return tuple(number for number, _ in by_then)

    def lease(self, number: int, lease: Lease) -> None:
        """A pull is given to a worker, or for a time, or neither."""
        if lease.worker is None and lease.until is None:
            return
        self.leases[number] = lease
        if lease.until is not None:
            heapq.heappush(self.ends, (lease.until, number))
        if lease.worker is not None:
            self.by_worker[lease.worker][number] = None
            self.workers[number] = lease.worker

    def end_leases(self, numbers: Iterable[int]) -> None:
        """Pulls are nobody's any more."""
        for number in numbers:
            lease = self.leases.pop(number, None)
            if lease is not None and lease.worker is not None:
                held = self.by_worker[lease.worker]
                held.pop(number, None)
                if not held:
                    del self.by_worker[lease.worker]

    def take_in(self, numbers: Iterable[int]) -> None:
        """Pulls are not out any more."""
        for number in numbers:
            self.asked_at.pop(number, None)
            self.workers.pop(number, None)
            self.again.pop(number, None)
        self.end_leases(numbers)

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
