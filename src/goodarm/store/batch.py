"""Batch of requests to one experiment, answered in order and written in one commit."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from goodarm.errors import KEY_REUSED, GoodArmError, ProtocolError
from goodarm.live import Event, ExperimentState, Verb, VerbResult, expire, perform
from goodarm.results import Pull
from goodarm.store.journal_replay import read_event
from goodarm.store.recorder import JournalRow


class NamedPulls(NamedTuple):
    """Pulls by their numbers, with what the client knows of their arms and cases.

    The rest is looked up in the state that the request is done on, so that no earlier read is
    needed.

    Args:
        numbers: the pulls' numbers.
        known: for each, a mapping that may have ``arm`` and ``case``.

    >>> from goodarm import Problem, open_store
    >>> exp = open_store("memory:").experiment("banners", Problem(["red"], threshold=0.5))
    >>> pull = exp.ask()
    >>> with exp.reading() as state:
    ...     NamedPulls([1], [{"arm": "red"}]).resolve(state)
    [Pull(number=1, arm='red')]
    """

    numbers: Sequence[int]
    known: Sequence[Mapping[str, Any]]

    def resolve(self, state: ExperimentState) -> list[Pull]:
        """Look up the pulls; raise an error for one that was not asked.

        Args:
            state: the experiment's state.

        Returns:
            The pulls as they were asked.

        Raises:
            ProtocolError: a pull was not asked, or of another arm or case.
        """
        pairs = zip(self.numbers, self.known, strict=True)
        return [state.pull(number)._replace(**known) for number, known in pairs]


class Request:
    """Request to do a verb, and its outcome.

    Args:
        verb, fields: an entry of the table of verbs, and what it is done with. Its pulls may be
            `NamedPulls`.
        key: under which the request may be made again.
        by: the person or token that makes it.
    """

    def __init__(
        self, verb: Verb, fields: Mapping[str, Any], key: str | None, by: str | None = None
    ) -> None:
        self.verb, self.fields, self.key, self.by = verb, fields, key, by
        self.digest: str | None = None
        """hash of the request; None without a key, and until its pulls are looked up"""
        if key is not None and not isinstance(fields.get("pulls"), NamedPulls):
            self.digest = verb.digest(fields)
        self.answer: list[Pull] = []
        self.error: BaseException | None = None
        self.is_done = False

    def result(self) -> list[Pull]:
        """Return the answer, or raise the error."""
        if self.error is not None:
            raise self.error
        return self.answer


class Batch:
    """Rows for one commit. Each verb changes the state before anything is committed."""

    def __init__(
        self,
        state: ExperimentState,
        find: Callable[[str], JournalRow | None],
        clock: Callable[[], float],
    ) -> None:
        self.state, self._find, self._clock = state, find, clock
        self.seen = state.last
        """number of the last event before the batch"""
        self.rows: list[JournalRow] = []
        self._known: dict[str, tuple[str | None, Event]] = {}

    def answer(self, request: Request) -> None:
        """Do what is due by now, and then the request.

        A request that is refused leaves no row. An error in the middle of a change is raised: the
        state and the rows are then of no use.
        """
        now = self._clock()
        while (event := expire(self.state, now)) is not None:
            self._append(event)
        request.answer, request.error = [], None
        try:
            request.answer = self._perform(request, now).pulls(self.state)
        except GoodArmError as error:
            if self.state.is_changing:
                raise
            request.error = error

    def _perform(self, request: Request, now: float) -> VerbResult:
        """Do a request, or return its earlier outcome if its key was used before."""
        state, verb, fields, key = self.state, request.verb, request.fields, request.key
        named, digest = fields.get("pulls"), None
        if isinstance(named, NamedPulls):
            fields = {**fields, "pulls": named.resolve(state)}
        if key is not None:
            digest = request.digest or verb.digest(fields)
            before = self._find_earlier(verb, key, digest)
            if before is not None:
                return before
        outcome = perform(state, verb, fields, now, by=request.by, is_recorded=key is not None)
        if outcome.event is not None:
            self._append(outcome.event, key, digest)
        return outcome

    def _append(self, event: Event, key: str | None = None, digest: str | None = None) -> None:
        self.rows.append(JournalRow(self.state.last, event.to_json(), key, digest))
        if key is not None:
            self._known[key] = digest, event

    def _find_earlier(self, verb: Verb, key: str, digest: str) -> VerbResult | None:
        """Return the outcome of the earlier request with this key, if any."""
        if key in self._known:
            found, event = self._known[key]
        elif (row := self._find(key)) is not None:
            found, event = row.digest, read_event(row)
        else:
            return None
        if found != digest:
            raise ProtocolError(
                f"The key {key!r} was used for another request.",
                argument="key",
                owner=verb.name,
                rule="be new for each request",
                value=key,
                remedy="Use a new key for each request; use the same key only to repeat a request.",
                reason=KEY_REUSED,
            )
        return VerbResult(event)
