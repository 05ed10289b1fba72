"""Requests to one experiment, each answered after its entry is committed.

Threads that wait share one commit: whoever comes first writes for all who have come since. What is
decided is decided on all that is in the journal: a writer reads on in its turn. If a commit fails,
what was in memory is dropped and read again.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, RLock, get_ident
from typing import Final

from goodarm.errors import GoodArmError, Moved, ProtocolError, StoreLocked
from goodarm.experiment import Request, Start, State
from goodarm.results import Pull
from goodarm.store import snapshots
from goodarm.store.batch import Batch, Job
from goodarm.store.faults import Point, reach
from goodarm.store.recorder import Head, Recorder, Row
from goodarm.store.replaying import replay

TRIES: Final = 100
"""Times that one decides again because others were first, though it was one's turn."""

_log = logging.getLogger("goodarm.store")


class Committer:
    """One experiment of a recorder, as this process knows it."""

    def __init__(
        self, recorder: Recorder, head: Head, start: Start, clock: Callable[[], float]
    ) -> None:
        self._recorder, self._start, self._clock = recorder, start, clock
        self._head = head
        self._state: State | None = None
        self._jobs: list[Job] = []
        self._queue, self._writing = Lock(), RLock()
        self._together: tuple[int, Batch] | None = None
        """a thread, and what its block has come to so far"""
        self._saved = 0
        """the entry that the last snapshot stands behind, as far as it is known here"""

    def submit(self, request: Request, key: str | None = None, by: str | None = None) -> list[Pull]:
        """Have a request written down, and its answer; under a key it may be made again."""
        job = Job(request, key, by)
        if (batch := self._own_batch()) is not None:
            batch.answer(job)
            return job.result()
        with self._queue:
            self._jobs.append(job)
        with self._writing:
            if not job.is_done:  # nobody has written it while one waited
                self._write_all()
            due = self._snapshot_if_due()
        self._save(due)
        reach(Point.ANSWER_COMING)
        return job.result()

    @contextmanager
    def together(self) -> Iterator[None]:
        """One commit for all requests of a block, whose answers are provisional until it ends."""
        if self._own_batch() is not None:
            raise ProtocolError(
                "A block of together() stands in another one. Its requests are in one commit "
                "already: leave the inner one out."
            )
        with self._writing:
            try:
                with self._turn() as batch:
                    self._together = get_ident(), batch
                    yield
            except BaseException:
                self._state = None  # it holds what was not committed
                raise
            finally:
                self._together = None
            due = self._snapshot_if_due()
        self._save(due)

    @contextmanager
    def reading(self) -> Iterator[State]:
        """The state with all that is in the journal by now; it must not be changed."""
        with self._writing:
            batch = self._own_batch()
            yield self._current(self._recorder.read) if batch is None else batch.state

    def rows(self, after: int = 0) -> Iterator[Row]:
        """The journal behind an entry."""
        return self._recorder.read(self._head.id, after)

    def snapshot(self) -> State | None:
        """The state that the last snapshot holds, if there is one that can be read."""
        found = self._recorder.load_snapshot(self._head.id)
        head = self._recorder.head(self._head.name)
        if found is None or head is None:
            return None
        number, data = found
        try:
            state = snapshots.unpack(self._start, data)
        except Exception as error:
            _log.warning("A snapshot cannot be read, which costs time only: %s", error)
            return None
        if number > head.last or state is None or state.last != number:
            return None
        self._saved = max(self._saved, number)
        return state

    def _own_batch(self) -> Batch | None:
        """What this thread's block has come to, if it is in one."""
        together = self._together
        return together[1] if together is not None and together[0] == get_ident() else None

    def _write_all(self) -> None:
        with self._queue:
            jobs, self._jobs = self._jobs, []
        try:
            self._try_to_write(jobs)
        except BaseException as error:
            self._state = None  # it holds what was not committed
            for job in jobs:
                job.answer, job.error = [], error
            if not isinstance(error, GoodArmError):
                raise
        finally:
            for job in jobs:
                job.is_done = True

    def _try_to_write(self, jobs: list[Job]) -> None:
        for _ in range(TRIES):
            try:
                with self._turn() as batch:
                    for job in jobs:
                        batch.answer(job)
                return
            except Moved:
                self._state = None
        raise StoreLocked(
            f"The experiment {self._head.name!r} was changed by others {TRIES} times while this "
            "request waited. Try it again."
        )

    @contextmanager
    def _turn(self) -> Iterator[Batch]:
        """Requests to be decided on all that is in the journal; committed at the end."""
        with self._recorder.turn(self._head) as turn:
            state = self._current(lambda _, after: turn.read(after))
            batch = Batch(state, turn.find, self._clock)
            yield batch
            if batch.rows:
                turn.append(batch.seen, batch.rows)

    def _current(self, read: Callable[[str, int], Iterator[Row]]) -> State:
        """The state, brought up to the last entry of the journal."""
        state = self._state or self.snapshot() or State(self._start)
        self._state = None  # if an entry cannot be applied it is read anew
        replay(state, read(self._head.id, state.last), self._head.name)
        self._state = state
        return state

    def _snapshot_if_due(self) -> tuple[int, bytes] | None:
        state = self._state
        if state is None or not snapshots.is_due(self._saved, state.last):
            return None
        self._saved = state.last
        return state.last, snapshots.pack(state)

    def _save(self, snapshot: tuple[int, bytes] | None) -> None:
        if snapshot is not None:
            self._recorder.save_snapshot(self._head.id, *snapshot)
