"""Runners that repeat a function: one call after the other, or several in parallel.

Errors are raised by plain code, never inside a coroutine: a StopIteration cannot leave one, and
asyncio raises a KeyboardInterrupt of its own in place of the coroutine's error.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from threading import Event, Thread
from typing import Final

from goodarm.gate.function_under_test import CallOutcome, FunctionUnderTest
from goodarm.gate.gate import Gate

MAX_AHEAD_PER_JOB: Final = 2
"""Repeats per job that may have begun without counting yet."""


def run_sequentially(gate: Gate, caller: FunctionUnderTest, note: Callable[[], None]) -> None:
    """Call the function in this thread, one repeat after the other."""
    while gate.is_open:
        number = gate.begin()
        outcome = caller.call()
        if outcome.error is not None:
            raise outcome.error
        gate.tell(number, outcome.passed)
        note()


def run_in_parallel(
    gate: Gate, caller: FunctionUnderTest, jobs: int, note: Callable[[], None]
) -> None:
    """Call the function in threads, or as tasks if it is async, on a new event loop."""
    running = _RepeatRunner(gate, caller, jobs, note)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        error = asyncio.run(running.go())
    else:
        error = _run_in_new_loop(running)
    if error is not None:
        raise error


def _run_in_new_loop(running: "_RepeatRunner") -> BaseException | None:
    """Run on an event loop in a new thread, for callers whose own loop is running (notebooks)."""
    errors: list[BaseException | None] = []
    has_ended = Event()  # not join: Ctrl-C in it makes Python 3.11 take the thread for ended

    def go() -> None:
        try:
            errors.append(asyncio.run(running.go()))
        except BaseException as error:
            errors.append(error)
        finally:
            has_ended.set()

    thread = Thread(target=copy_context().run, args=(go,), name="goodarm-prove")
    try:
        thread.start()  # which waits, too, until the first runs may have been made
        has_ended.wait()
    except BaseException:  # Ctrl-C: nobody waits for an answer, so no more runs are made
        running.stop()
        if thread.ident is not None:
            has_ended.wait()
        raise
    return errors[0]


class _RepeatRunner:
    """Runner that keeps a number of repeats in progress until the gate is done."""

    def __init__(
        self, gate: Gate, caller: FunctionUnderTest, jobs: int, note: Callable[[], None]
    ) -> None:
        self._gate, self._caller, self._jobs, self._note = gate, caller, jobs, note
        self._tasks: dict[asyncio.Task[CallOutcome], int] = {}
        self._errors: dict[int, BaseException] = {}
        self._main: tuple[asyncio.AbstractEventLoop, asyncio.Task[object]] | None = None
        self._is_stopped = False

    async def go(self) -> BaseException | None:
        """Run until the gate is done or an error is no failure; return the first error."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        self._main = None if task is None else (loop, task)
        with ThreadPoolExecutor(self._jobs, thread_name_prefix="goodarm-prove") as threads:
            try:
                await self._go(threads)
            finally:
                threads.shutdown(wait=False, cancel_futures=True)
                for each in self._tasks:
                    each.cancel()
                await asyncio.gather(*self._tasks, return_exceptions=True)
        counted = [number for number in self._errors if number <= self._gate.pulls]
        return self._errors[min(counted)] if counted else None

    def stop(self) -> None:
        """Stop making runs; called from another thread, perhaps before the first run."""
        self._is_stopped = True
        if self._main is not None:
            loop, task = self._main
            with suppress(RuntimeError):  # it has ended in this very moment
                loop.call_soon_threadsafe(task.cancel)

    async def _go(self, threads: ThreadPoolExecutor) -> None:
        gate, loop = self._gate, asyncio.get_running_loop()
        while True:
            while self._can_begin():
                number = gate.begin()
                if self._caller.is_async:
                    task = loop.create_task(self._caller.call_async())
                else:
                    task = loop.create_task(_call_in_thread(loop, threads, self._caller))
                self._tasks[task] = number
            if not self._tasks or gate.is_done:
                return
            done, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in sorted(done, key=self._tasks.__getitem__):
                self._end(self._tasks.pop(task), task.result())

    def _can_begin(self) -> bool:
        gate = self._gate
        has_room = (
            len(self._tasks) < self._jobs and gate.num_in_progress < MAX_AHEAD_PER_JOB * self._jobs
        )
        return gate.is_open and has_room and not (self._errors or self._is_stopped)

    def _end(self, number: int, outcome: CallOutcome) -> None:
        gate, before = self._gate, self._gate.pulls
        if outcome.error is None:
            gate.tell(number, outcome.passed)
        else:
            gate.lose(number)
            self._errors[number] = outcome.error
        if gate.pulls > before:
            self._note()


async def _call_in_thread(
    loop: asyncio.AbstractEventLoop, threads: ThreadPoolExecutor, caller: FunctionUnderTest
) -> CallOutcome:
    # Context variables, such as numpy's errstate, are in a thread what they are in turn.
    return await loop.run_in_executor(threads, copy_context().run, caller.call)


def attach_result(error: BaseException, gate: Gate) -> None:
    """Attach the result so far to an error as ``so_far``; repeats in progress count as lost."""
    gate.lose_all()
    so_far = gate.result()
    error.add_note(f"goodarm, so far: {so_far.sentence}")
    vars(error)["so_far"] = so_far
