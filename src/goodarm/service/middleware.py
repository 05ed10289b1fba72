"""Middleware: metrics, access log, limits and timeouts.

Pure ASGI, so that a full service answers without reading a body or starting a thread. Three things
are bounded: the number of requests, the bytes of their bodies, and the time for which a client may
leave an answer unread.
"""

import logging
import time
from asyncio import timeout
from collections.abc import Callable
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from goodarm.service.capacity import Capacity, RequestSlot
from goodarm.service.ofrep_errors import PREFIX, make_refusal_response
from goodarm.service.problems import Refusal, log_unexpected
from goodarm.service.settings import Settings

_HEALTH_PATH: Final = "/healthz"
"""Path that is answered however many requests wait."""
_API_PREFIXES: Final = ("/api/", f"{PREFIX}/", "/metrics", "/readyz")
"""Prefixes of paths that take tokens, but no sessions."""

_log = logging.getLogger("goodarm.service")


class _SendTimeout(Exception):
    """Timeout: the client does not read its answer."""


class LimitsMiddleware:
    """Outermost middleware: it admits requests within the limits, and lets no error out.

    Args:
        app: the application that answers.
        settings: the limits.
        capacity: the capacity for requests.
        is_known: returns whether a request comes from somebody who was authenticated before: with a
            token, or if the second argument is true, with a session.
    """

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        capacity: Capacity,
        is_known: Callable[[Scope, bool], bool],
    ) -> None:
        self._app, self._settings, self._capacity = app, settings, capacity
        self._is_known = is_known

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message.setdefault("headers", []).append((b"x-content-type-options", b"nosniff"))
            try:
                async with timeout(self._settings.send_seconds):
                    await send(message)
            except TimeoutError:
                raise _SendTimeout from None

        try:
            await self._call_within_limits(scope, receive, send_and_note)
        except _SendTimeout:
            _log.warning("A client did not read its answer. The connection is closed.")
        except Exception as error:
            refusal = error if isinstance(error, Refusal) else log_unexpected(error)
            if status:
                raise  # too late for another answer: the connection is cut
            await make_refusal_response(scope, refusal)(scope, receive, send_and_note)
        finally:
            self._record(scope, status, time.perf_counter() - began)

    async def _call_within_limits(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        capacity, is_page = self._capacity, not path.startswith(_API_PREFIXES)
        if path == _HEALTH_PATH or self._is_known(scope, is_page):
            limit = capacity.callers
        else:
            limit = capacity.visitors if is_page else capacity.strangers
        slot = RequestSlot(capacity, limit, self._find_expected_size(scope))
        with slot.hold(scope, is_sure=path == _HEALTH_PATH):
            await self._app(scope, receive, send)

    def _find_expected_size(self, scope: Scope) -> int:
        """Return the size of the body: as declared, or the maximum if it is sent in chunks."""
        headers: dict[bytes, bytes] = dict(scope["headers"])
        length = headers.get(b"content-length", b"")
        if length.isdigit():
            return min(int(length[:20]), self._settings.max_body)
        return self._settings.max_body if b"transfer-encoding" in headers else 0

    def _record(self, scope: Scope, status: int, seconds: float) -> None:
        """Count and log a request by its route and experiment, without query or headers."""
        path = get_route_path(scope)
        self._capacity.metrics.record(scope["method"], path, status, seconds)
        name = scope.get("path_params", {}).get("name", "-")
        _log.info("%s %s %s %d %.1f ms", scope["method"], path, name, status, 1000 * seconds)


def get_route_path(scope: Scope) -> str:
    """Return the path of the route, with the names of its parameters."""
    route: Any = scope.get("route")
    return getattr(route, "path_format", "other")
