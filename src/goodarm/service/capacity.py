"""Limits on the requests under way, with a separate limit for each kind of caller.

A request counts against the limit for strangers until its caller is authenticated. It then moves to
the limit for callers, and a large body is read only then.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from starlette.requests import Request
from starlette.types import Scope

from goodarm.service.metrics import Metrics
from goodarm.service.problems import SLOW_DOWN, Refusal
from goodarm.service.settings import Settings

MAX_FORM_BYTES: Final = 20_000
"""Maximum size of a form that anybody may send, such as the login."""
_SLOT_KEY: Final = "goodarm.slot"
"""Key of a request's slot in its ASGI scope."""


class RequestLimit:
    """Limit on the requests of one kind, and on the bytes of their bodies."""

    def __init__(self, what: str, max_requests: int, max_bytes: int) -> None:
        self._what, self._max_requests, self._max_bytes = what, max_requests, max_bytes
        self.requests = self.bytes = 0

    def check(self, size: int) -> None:
        """Refuse one more request with a body of this size if it exceeds the limits."""
        if self.requests >= self._max_requests:
            detail = f"{self._max_requests:,} {self._what} are waiting. Try again soon."
        elif size and self.bytes + size > self._max_bytes:
            detail = "Too many bytes of other requests are waiting. Try again soon."
        else:
            return
        raise Refusal(SLOW_DOWN, detail, {"Connection": "close"} if size else None)


class Capacity:
    """All limits of a service on requests under way."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        most, doors = settings.max_waiting, settings.max_strangers
        self.metrics = metrics
        self.long_reads = 0
        """long reads among the callers' requests"""
        self.callers = RequestLimit("requests", most, settings.max_bytes)
        """requests of callers who are authenticated, or were a while ago"""
        self.strangers = RequestLimit(
            "requests without a known token", doors, doors * settings.max_body
        )
        """requests of the API until their token is looked up; no body is read before that"""
        self.visitors = RequestLimit("visits without a login", doors, doors * MAX_FORM_BYTES)
        """requests of pages until their session is looked up; only a small form is read before"""

    @property
    def is_busy(self) -> bool:
        """True if a request other than a long read is under way."""
        return self.callers.requests > self.long_reads


class RequestSlot:
    """Slot of a request: the limit that it counts against."""

    def __init__(self, capacity: Capacity, limit: RequestLimit, size: int) -> None:
        self._capacity, self._limit, self._size = capacity, limit, size
        self._counted = size
        """bytes of the body that may be read under this limit"""
        if self.is_stranger:
            self._counted = min(size, MAX_FORM_BYTES) if limit is capacity.visitors else 0
        self._is_long = False

    @contextmanager
    def hold(self, scope: Scope, *, is_sure: bool) -> Iterator[None]:
        """Count a request while it is under way; unless ``is_sure``, refuse it above the limits."""
        if not is_sure:
            self._limit.check(self._counted)
        scope[_SLOT_KEY] = self
        self._count(1)
        try:
            yield
        finally:
            self._count(-1)
            self.is_long = False

    @property
    def is_long(self) -> bool:
        """True if it is a long read, which gives way to other requests."""
        return self._is_long

    @is_long.setter
    def is_long(self, value: bool) -> None:
        self._capacity.long_reads += value - self._is_long
        self._is_long = value

    @property
    def is_stranger(self) -> bool:
        """True if the caller is not authenticated yet, and was not before."""
        return self._limit is not self._capacity.callers

    def admit(self) -> None:
        """Move the request to the limit for callers; refuse it if that is reached."""
        callers = self._capacity.callers
        if self.is_stranger:
            callers.check(self._size)
            self._count(-1)
            self._limit, self._counted = callers, self._size
            self._count(1)

    @contextmanager
    def pause_counting(self) -> Iterator[None]:
        """Stop counting a request while it only watches."""
        self._count(-1)
        try:
            with self._capacity.metrics.count_watcher():
                yield
        finally:
            self._count(1)

    def _count(self, times: int) -> None:
        size, metrics = times * self._counted, self._capacity.metrics
        self._limit.requests += times
        self._limit.bytes += size
        metrics.waiting += times
        metrics.bytes += size


def get_slot(request: Request) -> RequestSlot:
    """Return the slot of a request."""
    slot: RequestSlot = request.scope[_SLOT_KEY]
    return slot
