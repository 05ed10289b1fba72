"""Distribution of runs over workers: threads, or any executor. Outcomes do not depend on it."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import Final

from goodarm.errors import invalid_argument
from goodarm.simulation.engine import Signals, SimulatedOutcome, SimulationTask, simulate_task

_PARTS_LEFT: Final = 128
"""A part has the runs left divided by this: more parts than workers, but few enough to send."""

_MAX_SAVED_RUNS_PER_PART: Final = 16
"""Most runs in a part if runs are kept on disk: a worker that dies loses its part."""

_POLL_SECONDS: Final = 0.1
_STOP_SECONDS: Final = 0.5
"""Time to wait for finished parts after threads are told to stop."""

ProgressCallback = Callable[[int, int, int], None]
"""Callback with the runs finished, the total runs and the pulls made so far."""

StageCallback = Callable[[str, float, int], None]
"""Callback with the name of the stage, the fraction of all work done, and the pulls made."""

KeepCallback = Callable[[Sequence[SimulatedOutcome]], None]
"""Callback with runs that have just finished."""


def check_workers(owner: str, executor: object, progress: object) -> None:
    """Reject an executor that is not one, and a progress callback that is not callable.

    Args:
        owner: the function that an error names.
        executor: a ``concurrent.futures.Executor``, or None.
        progress: a function, or None.

    Raises:
        SpecError: one of them is neither.

    >>> check_workers("simulate", None, print)
    """
    if executor is not None and not isinstance(executor, Executor):
        raise invalid_argument(
            "executor", owner, "be a concurrent.futures.Executor or None", executor
        )
    if progress is not None and not callable(progress):
        raise invalid_argument("progress", owner, "be a function or None", progress)


def run_all(
    task: SimulationTask,
    executor: Executor | None,
    *,
    finished: Sequence[SimulatedOutcome] = (),
    progress: ProgressCallback | None = None,
    keep: KeepCallback | None = None,
) -> list[SimulatedOutcome]:
    """Simulate the runs of a task; return all outcomes, with those finished before, by run."""
    with _open_workers(executor) as pool:
        gathering = _Collector(task, finished, progress, keep)
        try:
            for part in split_runs(
                task.runs, most=len(task.runs) if keep is None else _MAX_SAVED_RUNS_PER_PART
            ):
                gathering.hand_out(pool, part)
            while gathering.is_waiting:
                gathering.take(_POLL_SECONDS)
        except BaseException:
            gathering.give_up()
            raise
        gathering.tell()
    return sorted(gathering.outcomes, key=lambda outcome: outcome.run)


def split_runs(runs: Sequence[int], most: int) -> Iterator[Sequence[int]]:
    """Cut runs into parts that shrink down to a single run, so that all workers end together.

    However runs differ in length, at the end a worker has at most one run left. A million runs
    make about 1300 parts, or more if ``most`` is small.

    >>> sizes = [len(part) for part in split_runs(range(1000), most=1000)]
    >>> sizes[0], sizes[-1], sum(sizes)
    (7, 1, 1000)
    """
    start = 0
    while start < len(runs):
        size = min(most, max(1, (len(runs) - start) // _PARTS_LEFT))
        yield runs[start : start + size]
        start += size


class _Collector:
    """Parts handed out to workers, and the outcomes collected from them."""

    def __init__(
        self,
        task: SimulationTask,
        finished: Sequence[SimulatedOutcome],
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
        self._waiting: set[Future[list[SimulatedOutcome]]] = set()
        self._arrived: SimpleQueue[Future[list[SimulatedOutcome]]] = SimpleQueue()

    @property
    def is_waiting(self) -> bool:
        """True if workers still have parts."""
        return bool(self._waiting)

    def hand_out(self, pool: Executor, part: Sequence[int]) -> None:
        """Submit a part to the workers, and collect what they have finished meanwhile."""
        future = pool.submit(simulate_task, self._task._replace(runs=part), self._signals)
        self._waiting.add(future)
        future.add_done_callback(self._arrived.put)
        if not self._arrived.empty():
            self.take(0)

    def take(self, seconds: float) -> None:
        """Collect all finished parts; wait at most ``seconds`` for the first."""
        with suppress(Empty):
            self._collect(self._arrived.get(timeout=seconds))
            while True:
                self._collect(self._arrived.get_nowait())
        self.tell()

    def _collect(self, future: Future[list[SimulatedOutcome]]) -> None:
        self._waiting.discard(future)
        made = future.result()
        self.outcomes += made
        for outcome in made:
            self._pulls += outcome.stop
            self._signals.pulls.pop(outcome.run, None)
        if self._keep is not None:
            self._keep(made)

    def tell(self) -> None:
        """Report progress; pulls of unfinished runs count where threads report them."""
        if self._progress is not None:
            under_way = sum(self._signals.pulls.copy().values())
            self._progress(len(self.outcomes), self._total, self._pulls + under_way)

    def give_up(self) -> None:
        """Stop running parts that share the signals, keep finished ones, and cancel the rest."""
        self._signals.stop = True
        begun = [future for future in self._waiting if not future.cancel()]
        if self._keep is not None:
            for future in wait(begun, _STOP_SECONDS).done:
                if not future.cancelled() and future.exception() is None:
                    self._keep(future.result())


@contextmanager
def _open_workers(executor: Executor | None) -> Iterator[Executor]:
    """Yield the user's executor, which stays open, or a thread pool of our own."""
    if executor is not None:
        yield executor
        return
    with ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="goodarm") as pool:
        yield pool
