"""Share runs over workers: threads, or any executor. The outcomes do not depend on it."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import Final

from goodarm.errors import invalid_argument
from goodarm.simulation.engine import Outcome, Signals, Task, work

_SHARES: Final = 128
"""A part is the runs left divided by this: more parts than workers, few enough to send."""

_MOST_KEPT_AT_ONCE: Final = 16
"""Where runs are kept on disk, a part has no more: it is what a worker that dies takes with it."""

_POLL_SECONDS: Final = 0.1
_STOP_SECONDS: Final = 0.5
"""How long to wait for what threads have finished when they are told to stop."""

ProgressCallback = Callable[[int, int, int], None]
"""Called with the runs finished, the runs in all and the pulls made so far."""

StageCallback = Callable[[str, float, int], None]
"""Called with what is being run, the part of the whole that is done, and the pulls made."""

KeepCallback = Callable[[Sequence[Outcome]], None]
"""Called with runs that have just been finished."""


def check_workers(owner: str, executor: object, progress: object) -> None:
    """Refuse what is no executor, and a callback that cannot be called."""
    if executor is not None and not isinstance(executor, Executor):
        raise invalid_argument(
            "executor", owner, "be a concurrent.futures.Executor or None", executor
        )
    if progress is not None and not callable(progress):
        raise invalid_argument("progress", owner, "be a function or None", progress)


def run_all(
    task: Task,
    executor: Executor | None,
    *,
    finished: Sequence[Outcome] = (),
    progress: ProgressCallback | None = None,
    keep: KeepCallback | None = None,
) -> list[Outcome]:
    """The outcomes of a task, and those finished before, in order of runs."""
    with _workers(executor) as pool:
        gathering = _Gathering(task, finished, progress, keep)
        try:
            for part in cut(task.runs, most=len(task.runs) if keep is None else _MOST_KEPT_AT_ONCE):
                gathering.hand_out(pool, part)
            while gathering.is_waiting:
                gathering.take(_POLL_SECONDS)
        except BaseException:
            gathering.give_up()
            raise
        gathering.tell()
    return sorted(gathering.outcomes, key=lambda outcome: outcome.run)


def cut(runs: Sequence[int], most: int) -> Iterator[Sequence[int]]:
    """Runs in parts that shrink down to a single run, so that all workers end together.

    However runs differ in length, at the end a worker has one run left at most. A million runs
    make some 1300 parts, unless parts may have few runs at most.

    >>> sizes = [len(part) for part in cut(range(1000), most=1000)]
    >>> sizes[0], sizes[-1], sum(sizes)
    (7, 1, 1000)
    """
    start = 0
    while start < len(runs):
        size = min(most, max(1, (len(runs) - start) // _SHARES))
        yield runs[start : start + size]
        start += size


class _Gathering:
    """The parts that are handed out, and what has come of them."""

    def __init__(
        self,
        task: Task,
        finished: Sequence[Outcome],
        progress: ProgressCallback | None,
        keep: KeepCallback | None,
    ) -> None:
        self.outcomes = list(finished)
        self._task = task
        self._total = len(finished) + len(task.runs)
        self._pulls = sum(outcome.stop for outcome in finished)
        self._progress = progress
        self._keep = keep
        self._signals = Signals()
        self._waiting: set[Future[list[Outcome]]] = set()
        self._arrived: SimpleQueue[Future[list[Outcome]]] = SimpleQueue()

    @property
    def is_waiting(self) -> bool:
        """Whether parts are still out."""
        return bool(self._waiting)

    def hand_out(self, pool: Executor, part: Sequence[int]) -> None:
        """Give a part to the workers, and take what they have finished meanwhile."""
        future = pool.submit(work, self._task._replace(runs=part), self._signals)
        self._waiting.add(future)
        future.add_done_callback(self._arrived.put)
        if not self._arrived.empty():
            self.take(0)

    def take(self, seconds: float) -> None:
        """Collect all parts that are there, waiting so long for the first."""
        with suppress(Empty):
            self._collect(self._arrived.get(timeout=seconds))
            while True:
                self._collect(self._arrived.get_nowait())
        self.tell()

    def _collect(self, future: Future[list[Outcome]]) -> None:
        self._waiting.discard(future)
        made = future.result()
        self.outcomes += made
        for outcome in made:
            self._pulls += outcome.stop
            self._signals.pulls.pop(outcome.run, None)
        if self._keep is not None:
            self._keep(made)

    def tell(self) -> None:
        """Say how far it is; unfinished runs count where threads report them."""
        if self._progress is not None:
            under_way = sum(self._signals.pulls.copy().values())
            self._progress(len(self.outcomes), self._total, self._pulls + under_way)

    def give_up(self) -> None:
        """Stop what has begun, where it can hear, keep what is finished, and forget the rest."""
        self._signals.stop = True
        begun = [future for future in self._waiting if not future.cancel()]
        if self._keep is not None:
            for future in wait(begun, _STOP_SECONDS).done:
                if not future.cancelled() and future.exception() is None:
                    self._keep(future.result())


@contextmanager
def _workers(executor: Executor | None) -> Iterator[Executor]:
    """The user's executor, left open, or threads of our own."""
    if executor is not None:
        yield executor
        return
    with ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="goodarm") as pool:
        yield pool
