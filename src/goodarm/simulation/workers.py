"""Share runs over workers: threads, or any executor. The outcomes do not depend on it."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager

from goodarm.simulation.engine import Outcome, Signals, Task, work

_TASKS_PER_WORKER = 16
_POLL_SECONDS = 0.1

ProgressCallback = Callable[[int, int, int], None]
"""Called with the runs finished, the runs in all and the pulls made so far."""


def run_all(
    task: Task,
    executor: Executor | None,
    *,
    progress: ProgressCallback | None = None,
    keep: Callable[[Outcome], None] | None = None,
) -> list[Outcome]:
    """The outcomes of all runs of a task, in order; ``keep`` is called as each one arrives."""
    signals = Signals()
    outcomes: list[Outcome] = []
    with _workers(executor) as pool:
        waiting: set[Future[list[Outcome]]] = set()
        try:
            for part in _parts(task):
                waiting.add(pool.submit(work, part, signals))
            while waiting:
                done, waiting = wait(waiting, _POLL_SECONDS, FIRST_COMPLETED)
                for future in done:
                    arrived = future.result()
                    outcomes += arrived
                    if keep is not None:
                        for outcome in arrived:
                            keep(outcome)
                if progress is not None:
                    progress(len(outcomes), len(task.runs), _pulls_so_far(outcomes, signals))
        except BaseException:
            signals.stop = True
            for future in waiting:
                future.cancel()
            raise
    return sorted(outcomes, key=lambda outcome: outcome.run)


def _parts(task: Task) -> list[Task]:
    """The runs cut into parts, several for each worker so that none is idle for long."""
    runs = task.runs
    size = max(1, len(runs) // (_TASKS_PER_WORKER * (os.cpu_count() or 1)))
    return [task._replace(runs=runs[start : start + size]) for start in range(0, len(runs), size)]


def _pulls_so_far(outcomes: list[Outcome], signals: Signals) -> int:
    """Pulls of finished runs, and of unfinished ones where threads report them."""
    pulls = dict(signals.pulls) | {outcome.run: outcome.stop for outcome in outcomes}
    return sum(pulls.values())


@contextmanager
def _workers(executor: Executor | None) -> Iterator[Executor]:
    """The user's executor, left open, or threads of our own."""
    if executor is not None:
        yield executor
        return
    with ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="goodarm") as pool:
        yield pool
