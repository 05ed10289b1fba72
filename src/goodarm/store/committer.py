"""Committer: requests to one experiment, each answered after its event is committed.

Threads that wait share one commit: whoever comes first writes for all who have come since. Each
request is done on all that is in the journal: a writer reads on in its turn. If a request or a
commit fails in the middle, the state in memory is dropped and read again.

A committer that was alone for some turns goes on without them: it does requests on the state in
memory and commits them, which the journal accepts only behind the last entry that the state has.
If another writer was first the state is read again, and the requests are done in a turn.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock, get_ident
from typing import Final

from goodarm.errors import GoodArmError, Moved, ProtocolError, StoreLocked
from goodarm.live import ExperimentSettings, ExperimentState, copy_state
from goodarm.results import Pull
from goodarm.store import snapshots
from goodarm.store.batch import Batch, Request
from goodarm.store.faults import Point, reach
from goodarm.store.journal_replay import replay_rows
from goodarm.store.recorder import Head, Recorder, Row, gone

MAX_TRIES: Final = 100
"""Times that requests are done anew because another writer was first."""

MIN_TURNS_ALONE: Final = 8
"""Turns without an entry of another writer, after which no turn is taken."""
MAX_TURNS_ALONE: Final = 1024
"""The same after many commits that others were ahead of: each of them doubles the number. A state
that is read again may cost as much as a thousand turns."""

_log = logging.getLogger("goodarm.store")


class Committer:
    """State of one experiment in this process, and the one way to change it."""

    def __init__(
        self,
        recorder: Recorder,
        head: Head,
        settings: ExperimentSettings,
        clock: Callable[[], float],
    ) -> None:
        self._recorder, self._settings, self._clock = recorder, settings, clock
        self.head = head
        self._state: ExperimentState | None = None
        """for the writer: it may hold what is not committed yet"""
        self._read_state: ExperimentState | None = None
        """for readers, who wait for no writer: it holds what is committed"""
        self._waiting: deque[Request] = deque()
        self._writing, self._reading = RLock(), RLock()
        self._together: tuple[int, Batch] | None = None
        """a thread, and what its block has come to so far"""
        self._saved = 0
        """the entry that the last snapshot stands behind, as far as it is known here"""
        self._end = head
        """the head behind the last own commit, which the writer's state stands at"""
        self._turns_alone, self._turns_needed = 0, MIN_TURNS_ALONE

    def submit(self, request: Request) -> list[Pull]:
        """Do a request, and return its answer after its event is committed."""
        if (batch := self._own_batch()) is not None:
            batch.answer(request)
            return request.result()
        self._waiting.append(request)
        with self._writing:
            if not request.is_done:  # nobody has written it while one waited
                self._write_all()
            due = self._snapshot_if_due()
        if due is not None:
            self._recorder.save_snapshot(self.head.id, *due)
        reach(Point.ANSWER_COMING)
        return request.result()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Commit all requests of a block at once; their answers are provisional until it ends."""
        if self._own_batch() is not None:
            raise ProtocolError(
                "A block of together() stands in another one.",
                argument="together",
                owner="Experiment",
                rule="not stand in another one",
                remedy="Its requests are in one commit already: leave the inner one out.",
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
        if due is not None:
            self._recorder.save_snapshot(self.head.id, *due)

    @contextmanager
    def reading(
        self, *, is_long: bool | Callable[[ExperimentState], bool] = False
    ) -> Iterator[ExperimentState]:
        """Read the state with all that is in the journal by now; it must not be changed.

        Nobody waits for a writer here: readers have a state of their own, and what a writer has not
        committed is not in it. Within a block of ``together()`` its own thread reads the block's.
        What is long reads a copy; the state itself may tell whether it is.
        """
        if (batch := self._own_batch()) is not None:
            yield batch.state
            return
        with self._reading:
            state = self._current_for_readers()
            if not (is_long(state) if callable(is_long) else is_long):
                yield state
                return
            copied = copy_state(state)
        yield copied

    def rows(self, after: int = 0, most: int | None = None) -> Iterator[Row]:
        """Return the rows of the journal behind an entry, at most ``most``."""
        return self._recorder.read(self.head.id, after, most)

    def current_head(self) -> Head:
        """Return what the store knows of the experiment now."""
        found = self._recorder.head(self.head.name)
        if found is None or found.id != self.head.id:
            raise gone(self.head.name)
        return found

    def find(self, key: str) -> Row | None:
        """Return the row with that request key, if any."""
        return self._recorder.find(self.head.id, key)

    def snapshot(self) -> ExperimentState | None:
        """Return the state that the last snapshot holds, if there is one that can be read."""
        found = self._recorder.load_snapshot(self.head.id)
        head = self._recorder.head(self.head.name)
        if found is None or head is None:
            return None
        number, data = found
        try:
            state = snapshots.unpack(self._settings, data)
        except Exception as error:
            _log.warning("A snapshot cannot be read, which costs time only: %s", error)
            return None
        if number > head.last or state is None or state.last != number:
            return None
        self._saved = max(self._saved, number)
        return state

    def _own_batch(self) -> Batch | None:
        """Return what this thread's block has come to, if it is in one."""
        together = self._together
        return together[1] if together is not None and together[0] == get_ident() else None

    def _write_all(self) -> None:
        requests = []
        while self._waiting:
            requests.append(self._waiting.popleft())
        try:
            if not self._write_without_turn(requests):
                self._write(list(requests))
        except BaseException as error:
            self._state = None  # it holds what was not committed
            for request in requests:
                request.answer, request.error = [], error
            if not isinstance(error, GoodArmError):
                raise
        finally:
            for request in requests:
                request.is_done = True

    def _write(self, requests: list[Request]) -> None:
        tries = 0
        while tries < MAX_TRIES:
            current: Request | None = None
            try:
                with self._turn() as batch:
                    for current in requests:
                        batch.answer(current)
                    current = None
                return
            except Moved:
                self._state = None
                tries += 1
            except Exception as error:
                self._state = None
                if current is None:
                    raise
                # It failed in the middle: it alone has the error, and the others are done anew.
                current.answer, current.error = [], error
                requests.remove(current)
                if not requests:
                    return
        raise StoreLocked(
            f"The experiment {self.head.name!r} was changed by others {MAX_TRIES} times while "
            "this request waited. Try it again."
        )

    def _write_without_turn(self, requests: list[Request]) -> bool:
        """Do requests on the state in memory, and commit them if the journal has not moved.

        Return False if they must be done in a turn: if this committer is not alone, if a key is to
        be looked up, if there is nothing to commit, which would tell whether the state is that of
        the journal, or if a request fails in the middle.
        """
        state = self._state
        if state is None or self._turns_alone < self._turns_needed:
            return False
        batch = Batch(state, self.find, self._clock)
        if batch.seen != self._end.last:
            return False
        for request in requests:
            if request.key is not None:
                return False
        try:
            for request in requests:
                batch.answer(request)
        except Exception:
            self._state = None
            return False
        if not batch.rows:
            return False
        try:
            self._end = self._recorder.append(self._end, batch.rows)
        except Moved:
            self._state, self._turns_alone = None, 0
            self._turns_needed = min(2 * self._turns_needed, MAX_TURNS_ALONE)
            return False
        return True

    def _current_for_readers(self) -> ExperimentState:
        """Return the readers' state, brought up to the last event of the journal."""
        state, self._read_state = self._read_state, None  # if it cannot be replayed it is read anew
        if state is None:
            state = self._copy_of_writers() or self.snapshot() or ExperimentState(self._settings)
        replay_rows(state, self._recorder.read(self.head.id, state.last), self.head.name)
        self._read_state = state
        return state

    def _copy_of_writers(self) -> ExperimentState | None:
        """Return a copy of the writer's state if nobody is writing; None if there is none."""
        if not self._writing.acquire(blocking=False):
            return None
        try:
            is_whole = self._state is not None and self._together is None
            return copy_state(self._state) if is_whole and self._state is not None else None
        finally:
            self._writing.release()

    @contextmanager
    def _turn(self) -> Iterator[Batch]:
        """Take a turn at writing: a batch on all that is in the journal, committed at the end.

        What takes long is done before it: reading a journal, and curves for the first rewards.
        """
        if self._state is None:
            self._current(self._recorder.read).core.prepare()
        with self._recorder.turn(self.head) as turn:
            self._turns_alone = self._turns_alone + 1 if turn.head.last == self._end.last else 0
            state = self._current(lambda _, after: turn.read(after))
            batch = Batch(state, turn.find, self._clock)
            yield batch
            if batch.rows:
                turn.append(batch.seen, batch.rows)
        self._end = turn.head

    def _current(self, read: Callable[[str, int], Iterator[Row]]) -> ExperimentState:
        """Return the writer's state, brought up to the last event of the journal."""
        state = self._state or self.snapshot() or ExperimentState(self._settings)
        self._state = None  # if an event cannot be replayed it is read anew
        replay_rows(state, read(self.head.id, state.last), self.head.name)
        self._state = state
        return state

    def _snapshot_if_due(self) -> tuple[int, bytes] | None:
        state = self._state
        if state is None or not snapshots.is_due(self._saved, state.last):
            return None
        self._saved = state.last
        return state.last, snapshots.pack(state)
