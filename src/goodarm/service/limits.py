"""What stands around every request: counted, timed, logged, and refused before it is read.

Pure ASGI, so that a service that is full answers without reading a body or starting a thread. What
is held is bounded: the number of requests, and the bytes of their bodies.
"""

import logging
import time
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from goodarm.service.metrics import Metrics
from goodarm.service.ofrep_errors import refusal_response
from goodarm.service.problems import SLOW_DOWN, Refusal, unexpected
from goodarm.service.settings import Settings

_ALWAYS: Final = "/healthz"
"""It is answered however many wait."""

_log = logging.getLogger("goodarm.service")


class Limits:
    """The outermost layer: lets in what there is room for, and never lets an error out."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self._app, self._settings, self._metrics = app, settings, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message.setdefault("headers", []).append((b"x-content-type-options", b"nosniff"))
            await send(message)

        try:
            await self._within_limits(scope, receive, noting)
        except Exception as error:
            refusal = unexpected(error)
            if status:
                raise  # it is too late for another answer: the connection is cut
            await refusal_response(scope, refusal)(scope, receive, noting)
        finally:
            self._note(scope, status, time.perf_counter() - began)

    async def _within_limits(self, scope: Scope, receive: Receive, send: Send) -> None:
        metrics, size = self._metrics, self._expected(scope)
        if scope["path"].removeprefix(scope.get("root_path", "")) != _ALWAYS:
            full = self._full(size)
            if full is not None:
                await refusal_response(scope, full)(scope, receive, send)
                return
        metrics.waiting += 1
        metrics.bytes += size
        try:
            await self._app(scope, receive, send)
        finally:
            metrics.waiting -= 1
            metrics.bytes -= size

    def _expected(self, scope: Scope) -> int:
        """The bytes of the body: as many as are announced, or as there may be."""
        headers: dict[bytes, bytes] = dict(scope["headers"])
        length = headers.get(b"content-length", b"")
        if length.isdigit():
            return min(int(length[:20]), self._settings.max_body)
        return self._settings.max_body if b"transfer-encoding" in headers else 0

    def _full(self, size: int) -> Refusal | None:
        settings, metrics = self._settings, self._metrics
        if metrics.waiting >= settings.max_waiting:
            detail = f"There are {settings.max_waiting:,} requests waiting. Come again soon."
        elif size and metrics.bytes + size > settings.max_bytes:
            detail = "Too many bytes of other requests are waiting. Come again soon."
        else:
            return None
        return Refusal(SLOW_DOWN, detail, {"Connection": "close"} if size else None)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        """Count the request, and log it: its route and experiment, no query and no header."""
        path = path_of(scope)
        self._metrics.done(scope["method"], path, status, seconds)
        name = scope.get("path_params", {}).get("name", "-")
        _log.info("%s %s %s %d %.1f ms", scope["method"], path, name, status, 1000 * seconds)


def path_of(scope: Scope) -> str:
    """The route's own path, with names of parameters in their places."""
    route: Any = scope.get("route")
    return getattr(route, "path_format", "other")
