"""What has changed, as it happens: server-sent events with the number of the last entry.

For each experiment that is watched the store is asked about once a second, however many watch. At
the end of the service all streams end at once; browsers then come back by themselves.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from goodarm.service.pages.rendering import headers_of
from goodarm.service.pages.visit import Page, Visit
from goodarm.service.problems import SLOW_DOWN, Refusal

if TYPE_CHECKING:
    from goodarm.service.metrics import Metrics

EVERY: Final = 1.0
"""Seconds between two looks at the store."""
BEAT: Final = 10.0
"""Seconds after which a stream that has nothing to say says so, and looks who watches."""
_AGAIN: Final = 2000
"""Milliseconds after which a browser that was cut off comes back."""

_log = logging.getLogger("goodarm.service")


class _Watched:
    """An experiment that somebody watches: its version, and who waits for the next."""

    def __init__(self, version: str) -> None:
        self.version, self.watchers = version, 0
        self.changed = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def tell(self, version: str) -> None:
        """Wake all who wait."""
        self.version = version
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()


class Watchers:
    """All who watch, in this process. Everything of it happens in the event loop."""

    def __init__(
        self, look: Callable[[str], str], metrics: "Metrics", most: int, every: float = EVERY
    ) -> None:
        self._look, self._metrics, self._most, self._every = look, metrics, most, every
        self._watched: dict[str, _Watched] = {}
        self._ended: asyncio.Event | None = None
        self._has_ended = False

    @property
    def count(self) -> int:
        """How many watch."""
        return sum(each.watchers for each in self._watched.values())

    @property
    def is_full(self) -> bool:
        """Whether there is no room for one more."""
        return self.count >= self._most

    def end(self) -> None:
        """End all streams, and take no more."""
        self._has_ended = True
        for each in list(self._watched.values()):
            each.tell(each.version)

    async def versions(
        self, name: str, version: str, may_stay: Callable[[], bool]
    ) -> AsyncGenerator[str | None]:
        """The version of an experiment, now and whenever it changes; None now and then.

        ``may_stay`` is asked, in a thread, before anything is said.
        """
        watched = self._watched.setdefault(name, _Watched(version))
        watched.watchers += 1
        if watched.task is None:
            watched.task = asyncio.create_task(self._follow(name, watched))
        last = ""
        try:
            while not self._has_ended:
                changed = watched.changed
                if watched.version != last:
                    last = watched.version
                    yield last
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), BEAT)
                if self._has_ended or watched.version == "":
                    return
                if not await run_in_threadpool(may_stay):
                    return
                if watched.version == last:
                    yield None
        finally:
            watched.watchers -= 1
            if watched.watchers == 0:
                self._watched.pop(name, None)
                watched.task.cancel()

    async def _follow(self, name: str, watched: _Watched) -> None:
        """Look at the store until nobody watches any more."""
        while True:
            await asyncio.sleep(self._every)
            try:
                found = await run_in_threadpool(self._look, name)
            except Refusal:
                found = ""  # it was deleted
            except Exception as error:
                _log.warning("Whether %s has changed cannot be seen: %s", name, error)
                continue
            if found != watched.version:
                watched.tell(found)
            if not found:
                return


def show_events(visit: Visit) -> Response:
    """A stream of numbers; whoever finds no room asks now and then instead."""
    watchers = visit.pages.watchers
    if watchers.is_full:
        raise Refusal(SLOW_DOWN, "Too many watch already. The page asks now and then instead.")
    version = visit.pages.looks.version(visit.name)

    def may_stay() -> bool:
        """A session ends with its token, and a stream with its session."""
        if not visit.service.access.needs_token:
            return True
        token = visit.pages.sessions.token(visit.session)
        return token is not None and token.sees(visit.name)

    async def stream() -> AsyncIterator[str]:
        with visit.service.metrics.watching():
            yield f"retry: {_AGAIN}\n\n"
            async with contextlib.aclosing(
                watchers.versions(visit.name, version, may_stay)
            ) as versions:
                async for found in versions:
                    yield ": \n\n" if found is None else f"data: {found}\n\n"

    headers: dict[str, Any] = {**headers_of(), "X-Accel-Buffering": "no"}
    return StreamingResponse(stream(), headers=headers, media_type="text/event-stream")


PAGES: Final = (Page("GET", "/experiments/{name:experiment}/events", "read", show_events),)
