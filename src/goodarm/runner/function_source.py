"""Rewards from a Python function. Each job calls it in its own process, which can be ended.

The process is kept for the next pull, so that the function loads its data once for each job. After
a timeout a new process is started.
"""

import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from goodarm.runner.command_source import make_environment, make_template_values, read_last_line
from goodarm.runner.process import Process
from goodarm.runner.pull_outcome import (
    PullError,
    PullFailure,
    PullInterruption,
    PullOutcome,
    PullReward,
    PullTask,
    PullTimeout,
)
from goodarm.runner.reward_settings import RewardSettings


class FunctionSource:
    """Source of rewards that calls a function for each pull."""

    def __init__(self, reward: RewardSettings, folder: Path, *, has_cases: bool) -> None:
        self.reward, self.folder, self.has_cases = reward, folder, has_cases

    def maker(self) -> "FunctionMaker":
        """Create a maker, which calls the function in its own process."""
        return FunctionMaker(self)


class FunctionMaker:
    """Maker of pulls with a child process that calls the function."""

    def __init__(self, functions: FunctionSource) -> None:
        self._functions, self._reward = functions, functions.reward
        self._lock = Lock()
        self._process: Process | None = None
        self._is_ended = False
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed in close)

    def make(self, task: PullTask) -> PullOutcome:
        """Make a pull and wait for it; see `PullMaker.make`."""
        if self._process is None:
            trouble = self._start()
            if trouble is not None:
                return PullInterruption() if self._is_ended else trouble
        process = self._process
        assert process is not None
        self._errors.seek(0)  # the process shares the offset and writes from there
        self._errors.truncate()
        timer = None
        if self._reward.timeout is not None:
            timer = process.end_after(self._reward.timeout)
        variables = make_environment(make_template_values(task))
        answer = self._ask({"arm": task.arm, "case": task.case, "variables": variables})
        if timer is not None:
            timer.cancel()
        if answer is None or process.is_late:
            code = self._end_process()
            if self._is_ended:
                return PullInterruption()
            if process.is_late:
                return PullTimeout()
            message = read_last_line(self._errors)
            words = f"; it said: {message[:200]}" if message else ""
            return PullError(
                f"the function's process ended by itself, with exit code {code}{words}"
            )
        if "error" in answer:
            return PullError(answer["error"])
        cost = answer.get("cost")
        if self._reward.tells_cost and cost is None and "reward" in answer:
            return PullError("the function must return (reward, cost), as 'tells_cost' says")
        if cost is not None and not self._reward.tells_cost:
            return PullError("the function returned a cost: write tells_cost = true in [reward]")
        return PullReward(answer["reward"], cost) if "reward" in answer else PullFailure()

    def _start(self) -> PullOutcome | None:
        """Start a process that loads the function. Return None, or what went wrong."""
        functions = self._functions
        kind = "cases" if functions.has_cases else "arms"
        words = [
            sys.executable,
            "-P",
            "-m",
            "goodarm.runner.function_process",
            str(self._reward.function),
            kind,
        ]
        environment = {**os.environ, **self._reward.environment, "PYTHONIOENCODING": "utf-8"}
        environment["PYTHONPATH"] = os.pathsep.join(
            filter(None, [*_find_package_folder(), os.environ.get("PYTHONPATH", "")])
        )
        with self._lock:
            if self._is_ended:
                return PullInterruption()
            self._process = Process(
                words,
                functions.folder,
                environment,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                stdin=subprocess.PIPE,
            )
        answer = self._read()
        if answer is not None and "ready" in answer:
            return None
        self._end_process()
        if answer is None:
            return PullError(
                f"the function's process did not start: {read_last_line(self._errors)}"
            )
        return PullError(answer["error"], is_final=True)

    def _ask(self, question: dict[str, Any]) -> dict[str, Any] | None:
        """Send a task to the process and return its answer; None if the process has ended."""
        assert self._process is not None
        pipe = self._process.popen.stdin
        assert pipe is not None
        try:
            pipe.write(json.dumps(question).encode() + b"\n")
            pipe.flush()
        except OSError:
            return None
        return self._read()

    def _read(self) -> dict[str, Any] | None:
        assert self._process is not None
        pipe = self._process.popen.stdout
        assert pipe is not None
        line = pipe.readline()
        if not line.endswith(b"\n"):
            return None
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _end_process(self) -> int:
        """End the process, wait for it and drop it. Return its exit code."""
        with self._lock:
            process, self._process = self._process, None
        assert process is not None
        process.end()
        code = process.wait()
        for pipe in (process.popen.stdin, process.popen.stdout):
            if pipe is not None:
                with suppress(OSError):  # what could not be written is not needed
                    pipe.close()
        return code

    def end(self, *, at_once: bool = False) -> None:
        """End the current pull and make no more; see `PullMaker.end`."""
        with self._lock:
            self._is_ended = True
            if self._process is not None:
                self._process.end(at_once=at_once)

    def close(self) -> None:
        """Release what is left; see `PullMaker.close`."""
        self.end()
        if self._process is not None:
            self._end_process()
        self._errors.close()


def _find_package_folder() -> list[str]:
    """Return the folder of goodarm, unless a new process finds it by itself."""
    folder = str(Path(__file__).parents[2])
    return [] if folder in sysconfig.get_paths().values() else [folder]
