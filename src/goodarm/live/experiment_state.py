"""State of an experiment: an identifier, its leases, and whether it runs."""

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from goodarm.kernels.live.records import DROPPED, LOST
from goodarm.live.events import (
    Event,
    ExperimentClosed,
    ExperimentPaused,
    ExperimentResumed,
    LeasesExpired,
    PullsAsked,
    PullsForgotten,
    RewardsTold,
)
from goodarm.live.identifier import Identifier
from goodarm.live.settings import ExperimentSettings
from goodarm.live.validation import make_unasked_error
from goodarm.results import ArmTable, Pull, Waiting

Status = Literal["running", "paused", "done", "closed"]


class Lease(NamedTuple):
    """Worker who holds a pull, and the end of the lease; None for nobody, or for no end."""

    worker: str | None
    until: float | None


class PullInProgress(NamedTuple):
    """Pull that was asked and neither told nor forgotten.

    Times are in seconds since 1970. ``until`` is the end of its lease.
    """

    pull: Pull
    worker: str | None
    asked_at: float
    until: float | None


class ExperimentState:
    """State of an experiment after some events.

    Only verbs and ``replay`` change it, and only while ``is_changing``. If an error leaves
    ``is_changing`` set, the state is neither that before the event nor that after it: drop it.
    Two states are equal if the same events made them.
    """

    def __init__(self, settings: ExperimentSettings) -> None:
        self.settings = settings
        self.ident = Identifier(settings.problem, settings.algorithm, settings.seed)
        self.core = self.ident.core
        self.last = 0
        """number of the last event"""
        self.at = 0.0
        """time of the last event"""
        self.is_paused = False
        self.is_closed = False
        self.is_changing = False
        self.leases: dict[int, Lease] = {}
        """leases of pulls in progress that have a worker or an end"""
        self.workers: dict[int, str] = {}
        """workers who asked for the pulls in progress, whether or not the lease has ended"""
        self.by_worker: defaultdict[str, dict[int, None]] = defaultdict(dict)
        """pulls that each worker holds, in order"""
        self.asked_at: dict[int, float] = {}
        """times at which the pulls in progress were asked, oldest first"""
        self.ends: list[tuple[float, int]] = []
        """heap of the ends of leases; those that ended otherwise come off in time"""
        self.again: dict[int, None] = {}
        """pulls of a pool whose leases ended: their cases are leased again, under their numbers"""

    @property
    def status(self) -> Status:
        """Status: running, paused, done or closed."""
        if self.is_closed:
            return "closed"
        if self.ident.is_done:
            return "done"
        return "paused" if self.is_paused else "running"

    def pull(self, number: int) -> Pull:
        """Return a pull that was asked; raise an error for one that was not."""
        asked = self.core.arms.asked
        if type(number) is not int or not 1 <= number <= asked:
            raise make_unasked_error(number, asked, "pull")
        return self.core.pull(number)

    @property
    def num_asked(self) -> int:
        """Number of pulls that were asked."""
        return self.core.arms.asked

    @property
    def num_given_up(self) -> int:
        """Number of pulls that were given up, for whatever reason."""
        states = self.core.arms.log("state")
        return int(np.count_nonzero((states == LOST) | (states == DROPPED)))

    def list_arm_positions(self) -> list[int]:
        """Return the arm of each pull that was asked, by position."""
        found: list[int] = self.core.arms.log("arm").tolist()
        return found

    def table(self, arms: Sequence[int] | None = None) -> ArmTable:
        """Return the table of the arms at these positions, or of all, with who holds them up."""
        found = self.ident.table_at(arms)
        if not found.waits:
            return found
        return replace(found, waits={k: self._add_worker(w) for k, w in found.waits.items()})

    def _add_worker(self, waits: Waiting) -> Waiting:
        worker, asked_at = self.workers.get(waits.pull), self.asked_at.get(waits.pull)
        lease = self.leases.get(waits.pull)
        # A pull that a worker asked for, and does not hold any more: its lease has ended.
        until = lease.until if lease is not None else asked_at if worker is not None else None
        return replace(waits, worker=worker, asked_at=asked_at, until=until)

    def list_in_progress(self) -> list[PullInProgress]:
        """Return the pulls in progress, oldest first."""
        nobody = Lease(None, None)
        return [
            PullInProgress(self.pull(number), lease.worker, asked_at, lease.until)
            for number, asked_at in self.asked_at.items()
            for lease in (self.leases.get(number, nobody),)
        ]

    def find_asked_before(self, at: float) -> tuple[int, ...]:
        """Return the pulls in progress that were asked at or before a time."""
        by_then = takewhile(lambda each: each[1] <= at, self.asked_at.items())
        return tuple(number for number, _ in by_then)

    def find_ended_leases(self, at: float) -> tuple[int, ...]:
        """Return the pulls whose leases have ended by a time."""
        if not self.ends or self.ends[0][0] > at:
            return ()
        found = []
        while self.ends and self.ends[0][0] <= at:
            until, number = heapq.heappop(self.ends)
            lease = self.leases.get(number)
            if lease is not None and lease.until == until:
                found.append((until, number))
        for each in found:  # they are in no event yet
            heapq.heappush(self.ends, each)
        return tuple(sorted({number for _, number in found}))

    @property
    def has_pool(self) -> bool:
        """True if pulls are made on cases."""
        return self.settings.problem.pool is not None

    def finish(self, event: Event) -> None:
        """Update leases and times for an event whose rewards and labels the core already has."""
        update = _UPDATES.get(type(event))
        if update is not None:
            update(self, event)
        self.last += 1
        self.at = event.at
        self.is_changing = False

    def _update_after_ask(self, event: PullsAsked) -> None:
        numbers = range(event.first, event.first + len(event.arms))
        self.asked_at.update(dict.fromkeys(numbers, event.at))
        # Pulls that the worker holds stay as they were; those that waited for a worker are leased.
        anew = [number for number in event.again if number in self.again]
        for number in anew:
            del self.again[number]
        lease = Lease(event.worker, event.until)
        for number in (*anew, *numbers):
            self.lease(number, lease)

    def _update_after_reward(self, event: RewardsTold | PullsForgotten) -> None:
        for number in event.pulls:
            self.asked_at.pop(number, None)
            self.workers.pop(number, None)
            self.again.pop(number, None)
        if self.leases:
            self._end_leases(event.pulls)

    def _update_after_expiry(self, event: LeasesExpired) -> None:
        self._end_leases(event.pulls)
        if self.has_pool:
            self.again.update(dict.fromkeys(event.pulls))

    def _update_after_switch(self, event: Event) -> None:
        if isinstance(event, ExperimentClosed):
            self.is_closed = True
        else:
            self.is_paused = isinstance(event, ExperimentPaused)

    def lease(self, number: int, lease: Lease) -> None:
        """Lease a pull: to a worker, until a time, both or neither."""
        if lease.worker is None and lease.until is None:
            return
        self.leases[number] = lease
        if lease.until is not None:
            heapq.heappush(self.ends, (lease.until, number))
        if lease.worker is not None:
            self.by_worker[lease.worker][number] = None
            self.workers[number] = lease.worker

    def _end_leases(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            lease = self.leases.pop(number, None)
            if lease is not None and lease.worker is not None:
                held = self.by_worker[lease.worker]
                held.pop(number, None)
                if not held:
                    del self.by_worker[lease.worker]


_UPDATES: Final[dict[type[Event], Callable[[ExperimentState, Any], None]]] = {
    PullsAsked: ExperimentState._update_after_ask,
    RewardsTold: ExperimentState._update_after_reward,
    PullsForgotten: ExperimentState._update_after_reward,
    LeasesExpired: ExperimentState._update_after_expiry,
    ExperimentPaused: ExperimentState._update_after_switch,
    ExperimentResumed: ExperimentState._update_after_switch,
    ExperimentClosed: ExperimentState._update_after_switch,
}
