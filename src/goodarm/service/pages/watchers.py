"""Watchers: browsers that are told when an experiment changes.

The store is read about once a second for each experiment that is watched, however many watch. When
the service ends, all streams end at once; browsers then reconnect by themselves.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Callable
from typing import Final

from starlette.concurrency import run_in_threadpool

from goodarm.service.problems import Refusal

POLL_SECONDS: Final = 1.0
"""Seconds between two reads of the store."""
HEARTBEAT_SECONDS: Final = 5.0
"""Seconds after which an idle stream sends a sign of life, and checks the visitor's permission."""

_log = logging.getLogger("goodarm.service")


class _WatchedExperiment:
    """Experiment that is watched: its version, and the event of its next change."""

    def __init__(self, version: str) -> None:
        self.version, self.watchers = version, 0
        self.changed = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def tell(self, version: str) -> None:
        """Wake all watchers."""
        self.version = version
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()


class Watchers:
    """All watchers in this process. Everything runs in the event loop."""

    def __init__(
        self,
        look: Callable[[str], str],
        most: int,
        every: float = POLL_SECONDS,
        beat: float = HEARTBEAT_SECONDS,
    ) -> None:
        self._read_version, self._most, self._every, self._beat = look, most, every, beat
        self._watched: dict[str, _WatchedExperiment] = {}
        self._has_ended = False

    @property
    def count(self) -> int:
        """Number of watchers."""
        return sum(each.watchers for each in self._watched.values())

    @property
    def is_full(self) -> bool:
        """True if the maximum number of watchers is reached."""
        return self.count >= self._most

    def end(self) -> None:
        """End all streams, and accept no more."""
        self._has_ended = True
        for each in list(self._watched.values()):
            each.tell(each.version)

    async def versions(
        self, name: str, version: str, may_stay: Callable[[], bool]
    ) -> AsyncGenerator[str | None]:
        """Yield the version of an experiment, now and at each change; None as a sign of life.

        ``may_stay`` is called, in a thread, before anything is sent after the first version.
        """
        watched = self._watched.setdefault(name, _WatchedExperiment(version))
        watched.watchers += 1
        if watched.task is None:
            watched.task = asyncio.create_task(self._poll(name, watched))
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

    async def _poll(self, name: str, watched: _WatchedExperiment) -> None:
        """Poll the store until the last watcher is gone."""
        while True:
            await asyncio.sleep(self._every)
            try:
                found = await run_in_threadpool(self._read_version, name)
            except Refusal:
                found = ""  # it was deleted
            except Exception as error:
                _log.warning("Cannot check %s for changes: %s", name, error)
                continue
            if found != watched.version:
                watched.tell(found)
            if not found:
                return
