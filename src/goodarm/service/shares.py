"""Shares of the room for requests: what one kind of caller holds takes nothing from another.

A request whose caller is not known yet stands in a share of strangers. It moves to the share of
callers when it is let in, and only then may a large body of it be read.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from starlette.requests import Request
from starlette.types import Scope

from goodarm.service.metrics import Metrics
from goodarm.service.problems import SLOW_DOWN, Refusal
from goodarm.service.settings import Settings

MAX_FORM_BYTES: Final = 20_000
"""Bytes of a form that anybody may send, as that of the login."""
_PLACE: Final = "goodarm.place"
"""Where a request's place stands in its scope."""


class Share:
    """Room for requests of one kind, and for the bytes of their bodies."""

    def __init__(self, what: str, max_requests: int, max_bytes: int) -> None:
        self._what, self._max_requests, self._max_bytes = what, max_requests, max_bytes
        self.requests = self.bytes = 0

    def check(self, size: int) -> None:
        """Refuse one more request with a body of this size if there is no room for it."""
        if self.requests >= self._max_requests:
            detail = f"There are {self._max_requests:,} {self._what} waiting. Come again soon."
        elif size and self.bytes + size > self._max_bytes:
            detail = "Too many bytes of other requests are waiting. Come again soon."
        else:
            return
        raise Refusal(SLOW_DOWN, detail, {"Connection": "close"} if size else None)


class Shares:
    """All room of a service."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        most, doors = settings.max_waiting, settings.max_strangers
        self.metrics = metrics
        self.long_reads = 0
        """of the callers' requests"""
        self.callers = Share("requests", most, settings.max_bytes)
        """of callers who were let in, now or a while ago"""
        self.strangers = Share("requests without a known token", doors, doors * settings.max_body)
        """of the API, until the token was looked up: no body is read before that"""
        self.visitors = Share("visits without a login", doors, doors * MAX_FORM_BYTES)
        """of the pages, until the session was looked up: a small form at most is read before"""

    @property
    def is_busy(self) -> bool:
        """Whether a request is under way that is no long read."""
        return self.callers.requests > self.long_reads


class Place:
    """A request's place in a share; within it the request counts."""

    def __init__(self, shares: Shares, share: Share, size: int) -> None:
        self._shares, self._share, self._size = shares, share, size
        self._counted = size
        """bytes of the body that may be read in this share"""
        if self.is_stranger:
            self._counted = min(size, MAX_FORM_BYTES) if share is shares.visitors else 0
        self._is_long = False

    @contextmanager
    def held(self, scope: Scope, *, is_sure: bool) -> Iterator[None]:
        """Take the place while a request is under way; refuse if there is none, unless sure."""
        if not is_sure:
            self._share.check(self._counted)
        scope[_PLACE] = self
        self._count(1)
        try:
            yield
        finally:
            self._count(-1)
            self.is_long = False

    @property
    def is_long(self) -> bool:
        """Whether it is a long read, which others need not wait for."""
        return self._is_long

    @is_long.setter
    def is_long(self, value: bool) -> None:
        self._shares.long_reads += value - self._is_long
        self._is_long = value

    @property
    def is_stranger(self) -> bool:
        """Whether the caller is not let in yet, and was not before."""
        return self._share is not self._shares.callers

    def let_in(self) -> None:
        """Move to the share of callers; refuse if that has no room."""
        callers = self._shares.callers
        if self.is_stranger:
            callers.check(self._size)
            self._count(-1)
            self._share, self._counted = callers, self._size
            self._count(1)

    @contextmanager
    def left(self) -> Iterator[None]:
        """Leave the place to others while a request only watches."""
        self._count(-1)
        try:
            with self._shares.metrics.watching():
                yield
        finally:
            self._count(1)

    def _count(self, times: int) -> None:
        size, metrics = times * self._counted, self._shares.metrics
        self._share.requests += times
        self._share.bytes += size
        metrics.waiting += times
        metrics.bytes += size


def place_of(request: Request) -> Place:
    """Return the place that a request has taken."""
    found: Any = request.scope[_PLACE]
    return found  # type: ignore[no-any-return]
