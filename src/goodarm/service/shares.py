"""Capacity for requests, in shares: one kind of caller takes nothing from another.

A request whose caller is not known yet counts in a share of strangers. It moves to the share of
callers when it is let in, and a large body is read only then.
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
"""Maximum size of a form that anybody may send, such as the login."""
_PLACE: Final = "goodarm.place"
"""Key of a request's place in its ASGI scope."""


class Share:
    """Limit on the requests of one kind, and on the bytes of their bodies."""

    def __init__(self, what: str, max_requests: int, max_bytes: int) -> None:
        self._what, self._max_requests, self._max_bytes = what, max_requests, max_bytes
        self.requests = self.bytes = 0

    def check(self, size: int) -> None:
        """Refuse one more request with a body of this size if it exceeds the limits."""
        if self.requests >= self._max_requests:
            detail = f"There are {self._max_requests:,} {self._what} waiting. Try again soon."
        elif size and self.bytes + size > self._max_bytes:
            detail = "Too many bytes of other requests are waiting. Try again soon."
        else:
            return
        raise Refusal(SLOW_DOWN, detail, {"Connection": "close"} if size else None)


class Shares:
    """All shares of a service."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        most, doors = settings.max_waiting, settings.max_strangers
        self.metrics = metrics
        self.long_reads = 0
        """long reads among the callers' requests"""
        self.callers = Share("requests", most, settings.max_bytes)
        """requests of callers who are let in, or were a while ago"""
        self.strangers = Share("requests without a known token", doors, doors * settings.max_body)
        """requests of the API until their token is looked up; no body is read before that"""
        self.visitors = Share("visits without a login", doors, doors * MAX_FORM_BYTES)
        """requests of pages until their session is looked up; only a small form is read before"""

    @property
    def is_busy(self) -> bool:
        """Whether a request other than a long read is under way."""
        return self.callers.requests > self.long_reads


class Place:
    """Place of a request in a share: the request counts there."""

    def __init__(self, shares: Shares, share: Share, size: int) -> None:
        self._shares, self._share, self._size = shares, share, size
        self._counted = size
        """bytes of the body that may be read in this share"""
        if self.is_stranger:
            self._counted = min(size, MAX_FORM_BYTES) if share is shares.visitors else 0
        self._is_long = False

    @contextmanager
    def held(self, scope: Scope, *, is_sure: bool) -> Iterator[None]:
        """Count a request while it is under way; unless ``is_sure``, refuse it above the limits."""
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
        """Whether it is a long read, which gives way to other requests."""
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
        """Move the request to the share of callers; refuse it above that share's limits."""
        callers = self._shares.callers
        if self.is_stranger:
            callers.check(self._size)
            self._count(-1)
            self._share, self._counted = callers, self._size
            self._count(1)

    @contextmanager
    def left(self) -> Iterator[None]:
        """Stop counting a request while it only watches."""
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
    """Return the place of a request."""
    found: Any = request.scope[_PLACE]
    return found  # type: ignore[no-any-return]
