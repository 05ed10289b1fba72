"""Thread pools apart from the threads of asks and tells: for long reads, and for unknown callers.

A replay in Python takes the interpreter from all other threads. So long reads run one after the
other, in a thread of their own, and pause regularly while asks and tells are under way. Their queue
is bounded in length and in waiting time; when it is full, the client is told when to retry.
"""

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Literal, TypeVar

from goodarm.service.problems import RETRY_AFTER, SLOW_DOWN, Refusal

PoolName = Literal["replays", "downloads", "arms"]
"""Pool that answers: replays, long reads, or long reads if there are many arms."""
_Found = TypeVar("_Found")


class Pool:
    """Thread pool for one kind of requests.

    Args:
        what: the kind, as a refusal names it.
        max_waiting: maximum number of requests that wait, and of streams under way.
        max_seconds: timeout for a request in the queue.
        threads: number of threads. One is best for long reads: two would only share the
            interpreter.
        give_way: called in the thread before each request, and before each part of a stream.
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
        """Run a function in a thread of the pool, and return its result.

        Raises:
            Refusal: if the queue is full, or on a timeout in it; the function is not run then.
        """
        if self._waiting >= self._most:
            raise self._make_full_error()
        self._waiting += 1
        job = self._threads.submit(self._do, act)
        found = asyncio.wrap_future(job)
        try:
            await asyncio.wait({found}, timeout=self._max_seconds)
            if not found.done() and job.cancel():
                raise self._make_full_error()
            return await found
        finally:
            self._waiting -= 1
            job.cancel()  # if the client went away; a running job goes on

    def stream(self, parts: Iterator[bytes]) -> AsyncIterator[bytes]:
        """Compute parts one by one, each in a thread of the pool.

        A client that reads slowly holds no thread, so that others get their parts meanwhile.

        Raises:
            Refusal: if too many streams are under way.
        """
        if self._streams >= self._max_waiting:
            raise self._make_full_error()
        return self._stream_parts(parts)

    async def _stream_parts(self, parts: Iterator[bytes]) -> AsyncIterator[bytes]:
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

    def _make_full_error(self) -> Refusal:
        seconds = str(math.ceil(self._max_seconds))
        detail = f"The service is busy with other {self._what}. Try again soon."
        return Refusal(SLOW_DOWN, detail, {RETRY_AFTER: seconds})
