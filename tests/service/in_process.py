"""The app in this process, behind an ordinary httpx.Client: no socket, no server."""

from contextlib import contextmanager

import httpx
from anyio.from_thread import start_blocking_portal

API = "/api/v1/experiments"


class InProcess(httpx.BaseTransport):
    """Hands requests to an ASGI app, which runs in an event loop of its own thread."""

    def __init__(self, app, portal):
        self._inner = httpx.ASGITransport(app, raise_app_exceptions=False)
        self._portal = portal

    def handle_request(self, request):
        async def answer():
            sent = httpx.Request(
                request.method, request.url, headers=request.headers, content=request.read()
            )
            response = await self._inner.handle_async_request(sent)
            return response.status_code, response.headers.raw, await response.aread()

        status, headers, content = self._portal.call(answer)
        return httpx.Response(status, headers=headers, content=content)


@contextmanager
def client_of(app, **options):
    """A client of the app; threads may share it."""
    with (
        start_blocking_portal() as portal,
        httpx.Client(
            transport=InProcess(app, portal), base_url="http://127.0.0.1", **options
        ) as client,
    ):
        yield client
