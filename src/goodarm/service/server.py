"""Server process: the address it listens on, who may reach it, and its shutdown.

An answer is sent after its commit, so what was acknowledged is kept however the process ends. On a
shutdown it takes no more requests and finishes those under way, within a timeout.
"""

import asyncio
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import current_thread, main_thread
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from goodarm.arguments import check_count
from goodarm.compilation import compile_in_background
from goodarm.errors import SpecError, invalid_argument
from goodarm.service.access import is_loopback
from goodarm.service.app import create_app
from goodarm.service.settings import OWNER, Settings
from goodarm.store import Store

_MAX_BACKLOG: Final = 512
_KEEP_ALIVE_SECONDS: Final = 60
"""Seconds that an idle connection is kept: longer than clients keep theirs, so that no client sends
into one that is being closed."""
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)

_log = logging.getLogger("goodarm.service")


def check_address(host: str, store: Store, settings: Settings) -> None:
    """Refuse an address that others can reach, unless there are tokens and a proxy with TLS."""
    if is_loopback(host):
        return
    if not store.tokens.list():
        raise SpecError(
            f"The address {host!r} can be reached from other machines, and the store has no token: "
            "anybody could change its experiments.",
            argument="--host",
            owner="serve",
            rule="be this machine's own, unless the store has a token",
            value=host,
            remedy="Create one with 'goodarm token create', or listen on 127.0.0.1.",
        )
    if not settings.behind_proxy:
        raise SpecError(
            f"The address {host!r} can be reached from other machines, and tokens would cross the "
            "network unencrypted.",
            argument="--host",
            owner="serve",
            rule="be this machine's own, unless a proxy with TLS stands before it",
            value=host,
            remedy="Put a proxy with TLS in front of the service and set --behind-proxy, or listen "
            "on 127.0.0.1.",
        )


def open_socket(host: str, port: int) -> socket.socket:
    """Open a listening socket; port 0 takes any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small answers at once (TCP_NODELAY) only if the protocol is given as TCP.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(_MAX_BACKLOG)
    except OSError as error:
        listening.close()
        rule = f"be an address to listen on, with a free port ({error})"
        raise invalid_argument("host", OWNER, rule, f"{host}:{port}") from None
    return listening


def serve(
    store: Store,
    settings: Settings | None = None,
    host: str = "127.0.0.1",
    port: int = 8642,
    *,
    ready: Callable[[str], None] | None = None,
    notice: Callable[[], str] | None = None,
) -> None:
    """Serve a store until the process is asked to end.

    ``ready`` is called with the address as soon as requests are taken. The text that ``notice``
    returns is shown above all pages, if any. Another process compiles kernels meanwhile.
    """
    settings = Settings() if settings is None else settings
    check_count("port", OWNER, port, least=0, most=65535)
    check_address(host, store, settings)
    with open_socket(host, port) as listening, _ignore_signals(), compile_in_background():
        app = create_app(store, settings)
        if notice is not None:
            app.state.pages.notice = notice
        config = uvicorn.Config(app, **make_options(settings))

        def say() -> None:
            if ready is not None:
                ready(_make_url(listening))

        server = _Server(config, say, app.state.pages.watchers.end)
        server.run(sockets=[listening])
    _log.info("The service has stopped.")


class _Server(uvicorn.Server):
    """Uvicorn server that reports when it is ready, and ends watchers' streams on shutdown."""

    def __init__(
        self,
        config: uvicorn.Config,
        ready: Callable[[], object],
        ending: Callable[[], object],
    ) -> None:
        super().__init__(config)
        self._ready, self._ending = ready, ending

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start as uvicorn does, and report the address once started."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams of watchers, then shut down as uvicorn does."""
        self._ending()
        await super().shutdown(sockets)


class _Protocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """HTTP connection with a timeout for the line and headers of each request.

    Uvicorn itself waits for them without limit; it closes only a connection that sends nothing
    between two requests. Bytes of a body that is no longer read count as the beginning of the next
    request, so that they must end in time, too.
    """

    def __init__(self, *given: Any, head_seconds: float, **named: Any) -> None:
        super().__init__(*given, **named)
        self._head_seconds = head_seconds
        self._head: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._expect_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def _expect_head(self) -> None:
        """Run the timer while no request is being answered, without ever restarting it."""
        if self._is_answering():
            self._stop()
        elif self._head is None:
            self._head = self.loop.call_later(self._head_seconds, self._end)

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _stop(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _end(self) -> None:
        self._head = None
        if not self._is_answering():
            self.transport.close()


def make_options(settings: Settings) -> dict[str, Any]:
    """Return uvicorn's options. Its access log is off, since it would show queries."""
    return {
        "http": partial(_Protocol, head_seconds=settings.head_seconds),
        "log_config": None,
        "access_log": False,
        "lifespan": "on",
        "server_header": False,
        "timeout_keep_alive": _KEEP_ALIVE_SECONDS,
        "proxy_headers": settings.behind_proxy,
        "timeout_graceful_shutdown": max(1, round(settings.shutdown_seconds)),
        "ws": "none",
    }


def _make_url(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@contextmanager
def _ignore_signals() -> Iterator[None]:
    """Ignore the signal that uvicorn raises again after a clean shutdown, which is no failure."""
    is_main = current_thread() is main_thread()
    before = {each: signal.signal(each, lambda *_: None) for each in _SIGNALS if is_main}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
