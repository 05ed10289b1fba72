"""Committer: requests to one experiment, each answered after its event is committed.

Waiting threads share one commit: the first one writes for all that have queued. Each request is
done on the whole journal: a writer reads new entries in its turn. If a request or a commit fails in
the middle, the state in memory is dropped and read again.

A committer that was alone for some turns goes on without them: it does requests on the state in
memory and commits them, which the journal accepts only after the last entry that the state has.
If another writer was first, the state is read again, and the requests are done in a turn.
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
from goodarm.store.recorder import ExperimentHead, JournalRow, Recorder, make_gone_error

MAX_TRIES: Final = 100
"""Most times that requests are retried because another writer was first."""

MIN_TURNS_ALONE: Final = 8
"""Turns without an entry of another writer after which no turn is taken."""
MAX_TURNS_ALONE: Final = 1024
"""Upper limit of that number, which doubles whenever another writer was ahead of a commit: reading
a state again may cost as much as a thousand turns."""

_log = logging.getLogger("goodarm.store")


class Committer:
    """State of one experiment in this process, and the only way to change it."""

    def __init__(
        self,
        recorder: Recorder,
        head: ExperimentHead,
        settings: ExperimentSettings,
        clock: Callable[[], float],
    ) -> None:
        self._recorder, self._settings, self._clock = recorder, settings, clock
        self.head = head
        self._state: ExperimentState | None = None
        """writer's state, which may hold changes that are not committed yet"""
        self._read_state: ExperimentState | None = None
        """readers' state, which holds only what is committed; readers wait for no writer"""
        self._waiting: deque[Request] = deque()
        self._writing, self._reading = RLock(), RLock()
        self._together: tuple[int, Batch] | None = None
        """thread that is in a ``together`` block, and its batch so far"""
        self._saved = 0
        """entry of the last snapshot, as far as this process knows"""
        self._end = head
        """head after the last commit here, which is that of the writer's state"""
        self._turns_alone, self._turns_needed = 0, MIN_TURNS_ALONE

    def submit(self, request: Request) -> list[Pull]:
        """Do a request, and return its answer after its event is committed."""
        if (batch := self._get_thread_batch()) is not None:
            batch.answer(request)
            return request.result()
        self._waiting.append(request)
        with self._writing:
            if not request.is_done:  # nobody has written it while one waited
                self._write_all()
            due = self._take_snapshot_if_due()
        if due is not None:
            self._recorder.save_snapshot(self.head.id, *due)
        reach(Point.ANSWER_COMING)
        return request.result()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Commit all requests of a block at once; their answers are provisional until it ends."""
        if self._get_thread_batch() is not None:
            raise ProtocolError(
                "A block of together() is inside another one.",
                argument="together",
                owner="Experiment",
                rule="not be inside another one",
                remedy="All requests of the outer block are one commit: remove the inner block.",
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
            due = self._take_snapshot_if_due()
        if due is not None:
            self._recorder.save_snapshot(self.head.id, *due)

    @contextmanager
    def reading(
        self, *, is_long: bool | Callable[[ExperimentState], bool] = False
    ) -> Iterator[ExperimentState]:
        """Yield the state with all that is in the journal by now; do not change it.

        Readers never wait for a writer: they have a state of their own, without what a writer has
        not committed. Within a block of ``together()`` its own thread reads the block's state. A
        long read gets a copy; ``is_long`` may be a function of the state.
        """
        if (batch := self._get_thread_batch()) is not None:
            yield batch.state
            return
        with self._reading:
            state = self._update_readers_state()
            if not (is_long(state) if callable(is_long) else is_long):
                yield state
                return
            copied = copy_state(state)
        yield copied

    def rows(self, after: int = 0, most: int | None = None) -> Iterator[JournalRow]:
        """Yield the rows of the journal after an entry, at most ``most``."""
        return self._recorder.read(self.head.id, after, most)

    def find_current_head(self) -> ExperimentHead:
        """Return the head of the experiment as the store has it now."""
        found = self._recorder.head(self.head.name)
        if found is None or found.id != self.head.id:
            raise make_gone_error(self.head.name)
        return found

    def find(self, key: str) -> JournalRow | None:
        """Return the row with that request key, if any."""
        return self._recorder.find(self.head.id, key)

    def snapshot(self) -> ExperimentState | None:
        """Return the state of the last snapshot, if there is one that can be read."""
        found = self._recorder.load_snapshot(self.head.id)
        head = self._recorder.head(self.head.name)
        if found is None or head is None:
            return None
        number, data = found
        try:
            state = snapshots.restore_packed_state(self._settings, data)
        except Exception as error:
            _log.warning("Cannot read a snapshot. The journal is replayed instead: %s", error)
            return None
        if number > head.last or state is None or state.last != number:
            return None
        self._saved = max(self._saved, number)
        return state

    def _get_thread_batch(self) -> Batch | None:
        """Return the batch of this thread's ``together`` block, if it is in one."""
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
            "this request waited. Try again."
        )

    def _write_without_turn(self, requests: list[Request]) -> bool:
        """Do requests on the state in memory, and commit them if the journal has not moved.

        Return False if they must be done in a turn: if this committer is not alone, if a key must
        be looked up, if nothing is to be committed (only a commit shows whether the state is up to
        date), or if a request fails in the middle.
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

    def _update_readers_state(self) -> ExperimentState:
        """Return the readers' state, updated to the last event of the journal."""
        state, self._read_state = self._read_state, None  # if it cannot be replayed it is read anew
        if state is None:
            state = self._copy_of_writers() or self.snapshot() or ExperimentState(self._settings)
        replay_rows(state, self._recorder.read(self.head.id, state.last), self.head.name)
        self._read_state = state
        return state

    def _copy_of_writers(self) -> ExperimentState | None:
        """Return a copy of the writer's state; None if there is none or somebody is writing."""
        if not self._writing.acquire(blocking=False):
            return None
        try:
            is_whole = self._state is not None and self._together is None
            return copy_state(self._state) if is_whole and self._state is not None else None
        finally:
            self._writing.release()

    @contextmanager
    def _turn(self) -> Iterator[Batch]:
        """Take a turn at writing: yield a batch on the current journal, and commit it at the end.

        Slow work is done before the turn: reading a journal, and curves for the first rewards.
        """
        if self._state is None:
            self._update_writers_state(self._recorder.read).core.prepare()
        with self._recorder.turn(self.head) as turn:
            self._turns_alone = self._turns_alone + 1 if turn.head.last == self._end.last else 0
            state = self._update_writers_state(lambda _, after: turn.read(after))
            batch = Batch(state, turn.find, self._clock)
            yield batch
            if batch.rows:
                turn.append(batch.seen, batch.rows)
        self._end = turn.head

    def _update_writers_state(
        self, read: Callable[[str, int], Iterator[JournalRow]]
    ) -> ExperimentState:
        """Return the writer's state, updated to the last event of the journal."""
        state = self._state or self.snapshot() or ExperimentState(self._settings)
        self._state = None  # if an event cannot be replayed it is read anew
        replay_rows(state, read(self.head.id, state.last), self.head.name)
        self._state = state
        return state

    def _take_snapshot_if_due(self) -> tuple[int, bytes] | None:
        state = self._state
        if state is None or not snapshots.is_due(self._saved, state.last):
            return None
        self._saved = state.last
        return state.last, snapshots.serialize_state(state)
