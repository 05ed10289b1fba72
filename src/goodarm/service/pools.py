"""Threads apart from those of asks and tells: for long reads, and for callers not known yet.

A replay in Python takes the interpreter from all other threads. So long reads come one after the
other, in a thread of their own, and pause now and then while asks and tells are under way. Their
queue has a size, and a longest wait: whoever finds no room is told when to come again.
"""

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Literal, TypeVar

from goodarm.service.problems import RETRY_AFTER, SLOW_DOWN, Refusal

PoolName = Literal["replays", "downloads", "arms"]
"""Which threads answer: of replays, of long reads, or of long reads if there are many arms."""
_Found = TypeVar("_Found")


class Pool:
    """Threads for one kind of requests.

    Args:
        what: the kind, as a refusal names it.
        threads: how many are worked on at once. One is best for long reads: two would only share
            the interpreter.
        max_waiting: how many may wait for a turn, and how many may be sent part by part.
        max_seconds: how long one waits for its turn.
        give_way: called in the thread before anything is done there, and before each part.
    """

    def __init__(
        self,
        what: str,
        max_waiting: int,
        max_seconds: float,
        *,
        threads: int = 1,
        give_way: Callable[[], None] = lambda: None,
    ) -> None:
        self._give_way = give_way
        self._what, self._max_waiting, self._max_seconds = what, max_waiting, max_seconds
        self._most = threads + max_waiting
        self._threads = ThreadPoolExecutor(threads, f"goodarm {what}")
        self._waiting = self._streams = 0

    async def run(self, act: Callable[[], _Found]) -> _Found:
        """Do something in a thread of the pool, and return what it returns.

        Raises:
            Refusal: too many wait, or the turn did not come in time; nothing was done then.
        """
        if self._waiting >= self._most:
            raise self._full()
        self._waiting += 1
        job = self._threads.submit(self._do, act)
        found = asyncio.wrap_future(job)
        try:
            await asyncio.wait({found}, timeout=self._max_seconds)
            if not found.done() and job.cancel():
                raise self._full()
            return await found
        finally:
            self._waiting -= 1
            job.cancel()  # if whoever waited went away; what has begun goes on

    def stream(self, parts: Iterator[bytes]) -> AsyncIterator[bytes]:
        """Make parts one by one, each in a thread of the pool.

        Raises:
            Refusal: too many are sent already.

        A client that reads slowly holds no thread, so that others get their parts meanwhile.
        """
        if self._streams >= self._max_waiting:
            raise self._full()
        return self._stream(parts)

    async def _stream(self, parts: Iterator[bytes]) -> AsyncIterator[bytes]:
        following = partial(next, parts, b"")
        self._streams += 1
        try:
            while part := await asyncio.wrap_future(self._threads.submit(self._do, following)):
                yield part
        finally:
            self._streams -= 1

    def _do(self, act: Callable[[], _Found]) -> _Found:
        self._give_way()
        return act()

    def _full(self) -> Refusal:
        seconds = str(math.ceil(self._max_seconds))
        detail = f"Other {self._what} are under way. Come again soon."
        return Refusal(SLOW_DOWN, detail, {RETRY_AFTER: seconds})
