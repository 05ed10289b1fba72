"""Who watches which experiment, and what they are told.

For each experiment that is watched the store is asked about once a second, however many watch. At
the end of the service all streams end at once; browsers then come back by themselves.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Callable
from typing import Final

from starlette.concurrency import run_in_threadpool

from goodarm.service.problems import Refusal

EVERY: Final = 1.0
"""Seconds between two looks at the store."""
BEAT: Final = 5.0
"""Seconds after which a stream that has nothing to say says so, and looks who watches."""

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
        self, look: Callable[[str], str], most: int, every: float = EVERY, beat: float = BEAT
    ) -> None:
        self._look, self._most, self._every, self._beat = look, most, every, beat
        self._watched: dict[str, _Watched] = {}
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
                    await asyncio.wait_for(changed.wait(), self._beat)
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
