"""Requests to one experiment that are answered one after the other, for one commit."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from goodarm.errors import KEY_REUSED, GoodArmError, ProtocolError
from goodarm.live import Event, ExperimentState, Outcome, Verb, expire, perform
from goodarm.results import Pull
from goodarm.store.journal_replay import event_of
from goodarm.store.recorder import Row

_ENCODER: Final = json.JSONEncoder(allow_nan=False)


class Request:
    """A verb to be done, and what came of it.

    Args:
        verb, fields: an entry of the table of verbs, and what it is done with.
        key: under which the request may be made again.
        by: the person or token that makes it.
    """

    def __init__(
        self, verb: Verb, fields: Mapping[str, Any], key: str | None, by: str | None = None
    ) -> None:
        self.verb, self.fields, self.key, self.by = verb, fields, key, by
        self.digest = None if key is None else verb.digest(fields)
        self.answer: list[Pull] = []
        self.error: BaseException | None = None
        self.is_done = False

    def result(self) -> list[Pull]:
        """Return the answer, or raise the error."""
        if self.error is not None:
            raise self.error
        return self.answer


class Batch:
    """Rows for one commit. Each verb changes the state, though nothing is committed yet."""

    def __init__(
        self, state: ExperimentState, find: Callable[[str], Row | None], clock: Callable[[], float]
    ) -> None:
        self.state, self._find, self._clock = state, find, clock
        self.seen = state.last
        """the last event before them"""
        self.rows: list[Row] = []
        self._known: dict[str, tuple[str | None, Event]] = {}

    def answer(self, request: Request) -> None:
        """Do what is due by now, and then a request.

        A request that is refused leaves no row. An error in the middle of a change is raised: the
        state and the rows are then of no use.
        """
        now = self._clock()
        while (event := expire(self.state, now)) is not None:
            self._append(event)
        request.answer, request.error = [], None
        try:
            outcome = self._before(request) or self._perform(request, now)
            request.answer = outcome.pulls(self.state)
        except GoodArmError as error:
            if self.state.is_changing:
                raise
            request.error = error

    def _perform(self, request: Request, now: float) -> Outcome:
        key = request.key
        outcome = perform(
            self.state,
            request.verb,
            request.fields,
            now,
            by=request.by,
            is_recorded=key is not None,
        )
        if outcome.event is not None:
            self._append(outcome.event, key, request.digest)
        return outcome

    def _append(self, event: Event, key: str | None = None, digest: str | None = None) -> None:
        text = _ENCODER.encode(event.to_dict())
        self.rows.append(Row(self.state.last, text, key, digest))
        if key is not None:
            self._known[key] = digest, event

    def _before(self, request: Request) -> Outcome | None:
        """Return what came of the request if it was made before, under its key."""
        key = request.key
        if key is None:
            return None
        if key in self._known:
            digest, event = self._known[key]
        elif (row := self._find(key)) is not None:
            digest, event = row.digest, event_of(row)
        else:
            return None
        if digest != request.digest:
            raise ProtocolError(
                f"The key {key!r} was used for another request.",
                argument="key",
                owner=request.verb.name,
                rule="be new for each request",
                value=key,
                remedy="Take a new key for each request, and the same one only to make it again.",
                reason=KEY_REUSED,
            )
        return Outcome(event)
