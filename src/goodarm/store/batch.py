"""Requests that are decided one after the other, for one commit."""

import json
from collections.abc import Callable
from dataclasses import replace

from goodarm.errors import GoodArmError, ProtocolError
from goodarm.experiment import (
    Ask,
    Decision,
    Entry,
    Request,
    State,
    answer_of,
    apply,
    decide,
    digest_of,
    due,
)
from goodarm.experiment.entries import Asked, Noted
from goodarm.results import Pull
from goodarm.store.recorder import Row
from goodarm.store.replaying import entry_of


class Job:
    """A request on its way, and what came of it."""

    def __init__(self, request: Request, key: str | None, by: str | None = None) -> None:
        self.request, self.key, self.by = request, key, by
        self.digest = None if key is None else digest_of(request)
        self.answer: list[Pull] = []
        self.error: BaseException | None = None
        self.is_done = False

    def result(self) -> list[Pull]:
        """The answer, or the error."""
        if self.error is not None:
            raise self.error
        return self.answer


class Batch:
    """Rows for one commit. The state is brought forward by each, though none is committed yet."""

    def __init__(
        self, state: State, find: Callable[[str], Row | None], clock: Callable[[], float]
    ) -> None:
        self.state, self._find, self._clock = state, find, clock
        self.seen = state.last
        """the last entry before them"""
        self.rows: list[Row] = []
        self._known: dict[str, tuple[str | None, Entry]] = {}

    def answer(self, job: Job) -> None:
        """Decide what is due by now, and then a request; what is refused leaves no row."""
        now = self._clock()
        while (entry := due(self.state, now)) is not None:
            self._write(entry)
        job.answer, job.error = [], None
        try:
            job.answer = self._answer(job, now)
        except GoodArmError as error:
            job.error = error

    def _answer(self, job: Job, now: float) -> list[Pull]:
        before = None if job.key is None else self._before(job.key)
        if before is not None:
            digest, entry = before
            if digest != job.digest:
                raise ProtocolError(
                    f"The key {job.key!r} was used for another request. Take a new key for each "
                    "request, and the same one only to make it again."
                )
            return answer_of(self.state, Decision(entry))
        decision = decide(self.state, job.request, now)
        if job.key is not None:
            decision = _with_entry(self.state, job.request, decision, now)
        if decision.entry is not None:
            entry = decision.entry if job.by is None else replace(decision.entry, by=job.by)
            self._write(entry, job.key, job.digest)
        return answer_of(self.state, decision)

    def _write(self, entry: Entry, key: str | None = None, digest: str | None = None) -> None:
        apply(self.state, entry)
        text = json.dumps(entry.to_dict(), allow_nan=False)
        self.rows.append(Row(self.state.last, text, key, digest))
        if key is not None:
            self._known[key] = digest, entry

    def _before(self, key: str) -> tuple[str | None, Entry] | None:
        """The request under this key, if there was one: its hash and its entry."""
        if key in self._known:
            return self._known[key]
        row = self._find(key)
        return None if row is None else (row.digest, entry_of(row))


def _with_entry(state: State, request: Request, decision: Decision, now: float) -> Decision:
    """What came under a key is written down, though it changes nothing: the key is used then."""
    if decision.entry is not None:
        return decision
    at = max(now, state.at)
    if isinstance(request, Ask):
        first = state.ident._parts().standings.asked + 1
        return Decision(Asked(at, first, again=decision.held, worker=request.worker))
    return Decision(Noted(at))
