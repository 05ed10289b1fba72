"""Requests to one experiment, each answered after its entry is committed.

Threads that wait share one commit: whoever comes first writes for all who have come since. What is
decided is decided on all that is in the journal. If another process was first, the journal is read
on and all is decided again; if a commit fails, what was in memory is dropped and read again.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, RLock
from typing import Final

from goodarm.errors import Conflict, Gone, GoodArmError, ProtocolError, StoreLocked
from goodarm.experiment import (
    Ask,
    Decision,
    Entry,
    Request,
    Start,
    State,
    apply,
    decide,
    digest_of,
    due,
    entry_from_dict,
)
from goodarm.experiment.deciding import answer_of
from goodarm.experiment.entries import Asked
from goodarm.results import Pull
from goodarm.store.faults import Point, reach
from goodarm.store.recorder import Head, Recorder, Row

TRIES: Final = 1000
"""Times that one decides again because others were first."""


class _Job:
    """A request on its way, and what came of it."""

    def __init__(self, request: Request, key: str | None) -> None:
        self.request, self.key = request, key
        self.digest = None if key is None else digest_of(request)
        self.answer: list[Pull] = []
        self.error: BaseException | None = None
        self.is_done = False


class Committer:
    """One experiment of a recorder, as this process knows it."""

    def __init__(
        self, recorder: Recorder, head: Head, start: Start, clock: Callable[[], float]
    ) -> None:
        self._recorder, self._start, self._clock = recorder, start, clock
        self._head = head
        self._state: State | None = None
        self._jobs: list[_Job] = []
        self._queue, self._writing = Lock(), RLock()

    def submit(self, request: Request, key: str | None = None) -> list[Pull]:
        """Have a request written down, and its answer; under a key it may be made again."""
        job = _Job(request, key)
        with self._queue:
            self._jobs.append(job)
        with self._writing:
            if not job.is_done:  # nobody has written it while one waited
                self._write_all()
        if job.error is not None:
            raise job.error
        reach(Point.ANSWER_COMING)
        return job.answer

    @contextmanager
    def reading(self) -> Iterator[State]:
        """The state with all that is in the journal by now; it must not be changed."""
        with self._writing:
            yield self._current()

    def rows(self) -> Iterator[Row]:
        """The whole journal."""
        return self._recorder.read(self._head.id, 0)

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

    def _try_to_write(self, jobs: list[_Job]) -> None:
        for _ in range(TRIES):
            state = self._current()
            seen = self._head._replace(last=state.last)
            rows = self._decide_all(state, jobs)
            if not rows:
                return
            try:
                self._recorder.append(seen, rows)
            except Gone:
                raise
            except Conflict:
                self._state = None
            else:
                return
        raise StoreLocked(
            f"The experiment {self._head.name!r} was changed by others {TRIES} times while this "
            "request waited. Try it again."
        )

    def _decide_all(self, state: State, jobs: list[_Job]) -> list[Row]:
        """The rows of what is due and of all requests; the state is brought forward by them."""
        now, rows = self._clock(), list[Row]()
        known: dict[str, tuple[str | None, Entry]] = {}

        def write(entry: Entry, key: str | None = None, digest: str | None = None) -> None:
            apply(state, entry)
            text = json.dumps(entry.to_dict(), allow_nan=False)
            rows.append(Row(state.last, text, key, digest))
            if key is not None:
                known[key] = digest, entry

        while (entry := due(state, now)) is not None:
            write(entry)
        for job in jobs:
            job.answer, job.error = [], None
            try:
                before = None if job.key is None else self._before(job.key, known)
                if before is not None:
                    job.answer = self._again(state, job, *before)
                    continue
                decision = decide(state, job.request, now)
                if job.key is not None:
                    decision = _with_entry(state, job.request, decision, now)
                if decision.entry is not None:
                    write(decision.entry, job.key, job.digest)
                job.answer = answer_of(state, decision)
            except GoodArmError as error:
                job.error = error
        return rows

    def _before(
        self, key: str, known: dict[str, tuple[str | None, Entry]]
    ) -> tuple[str | None, Entry] | None:
        """The request under this key, if there was one: its hash and its entry."""
        if key in known:
            return known[key]
        row = self._recorder.find(self._head.id, key)
        return None if row is None else (row.digest, _entry(row))

    def _again(self, state: State, job: _Job, digest: str | None, entry: Entry) -> list[Pull]:
        if digest != job.digest:
            raise ProtocolError(
                f"The key {job.key!r} was used for another request. Take a new key for each "
                "request, and the same one only to make it again."
            )
        return answer_of(state, Decision(entry))

    def _current(self) -> State:
        """The state, brought up to the last entry of the journal."""
        state = State(self._start) if self._state is None else self._state
        self._state = None  # if an entry cannot be applied it is read anew
        for row in self._recorder.read(self._head.id, state.last):
            apply(state, _entry(row))
        self._state = state
        return state


def _entry(row: Row) -> Entry:
    return entry_from_dict(json.loads(row.text))


def _with_entry(state: State, request: Request, decision: Decision, now: float) -> Decision:
    """An answer that must be the same again is written down, though it changes nothing."""
    if decision.entry is not None or not isinstance(request, Ask):
        return decision
    first = state.ident._parts().standings.asked + 1
    at = max(now, state.at)
    until = None if request.lease is None else at + request.lease
    entry = Asked(at, first, again=decision.held, worker=request.worker, until=until)
    return Decision(entry)
