"""Rewards from a command: its exit code, or the number on the last line that it prints."""

import math
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from threading import Lock
from typing import IO, Final

from goodarm.runner.command_template import VARIABLES, fill_shell_text, fill_word
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

_MAX_TAIL_BYTES: Final = 1 << 16
"""Number of bytes read from the end of an output."""
_SHELL_ERRORS: Final = {126: "could not be run", 127: "was not found"}
_OUTSIDE_SIGNALS: Final = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM")
"""Signals by which a user or the system ends a process: they say nothing about the arm."""


class CommandSource:
    """Source of rewards that starts a command for each pull."""

    def __init__(self, reward: RewardSettings, folder: Path, known: frozenset[str]) -> None:
        self.reward, self.folder = reward, folder
        command = reward.command
        self.text = fill_shell_text(command, known) if isinstance(command, str) else None

    def maker(self) -> "CommandMaker":
        """Create a maker, which runs one command at a time."""
        return CommandMaker(self)

    def make_words(self, values: dict[str, str]) -> list[str]:
        """Return the command line: ``sh -c`` with a text free of values, or the words filled in."""
        if self.text is not None:
            return ["sh", "-c", self.text]
        assert self.reward.command is not None
        return [fill_word(word, values) for word in self.reward.command]


class CommandMaker:
    """Maker of pulls that runs one command at a time."""

    def __init__(self, commands: CommandSource) -> None:
        self._commands, self._reward = commands, commands.reward
        self._lock = Lock()
        self._process: Process | None = None
        self._is_ended = False

    def make(self, task: PullTask) -> PullOutcome:
        """Make a pull and wait for it; see `PullMaker.make`."""
        values = make_template_values(task)
        wants_number = self._reward.result == "number" or self._reward.tells_cost
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            try:
                process = self._start(values, output if wants_number else None, errors)
            except (OSError, ValueError) as error:
                return PullError(f"the command could not be started: {error}", is_final=True)
            if process is None:
                return PullInterruption()
            if self._reward.timeout is not None:
                process.end_after(self._reward.timeout)
            code = process.wait()
            if self._is_ended:
                return PullInterruption()
            if process.is_late:
                return PullTimeout()
            return self._make_outcome(code, output, errors)

    def _start(
        self, values: dict[str, str], output: IO[bytes] | None, errors: IO[bytes]
    ) -> Process | None:
        environment = {**os.environ, **self._reward.environment, **make_environment(values)}
        words = self._commands.make_words(values)
        with self._lock:
            if self._is_ended:
                return None
            stdout = subprocess.DEVNULL if output is None else output
            self._process = Process(words, self._commands.folder, environment, stdout, errors)
            return self._process

    def _make_outcome(self, code: int, output: IO[bytes], errors: IO[bytes]) -> PullOutcome:
        if self._commands.text is not None and code in _SHELL_ERRORS:
            what = f"the shell says that a program of it {_SHELL_ERRORS[code]} (exit code {code})"
            return PullError(f"{what}{_find_last_error_line(errors)}", is_final=True)
        name = _find_signal_name(code)
        if name in _OUTSIDE_SIGNALS:
            return PullError(f"it was ended from outside, by {name}{_find_last_error_line(errors)}")
        if self._reward.result == "exit":
            return self._make_exit_outcome(code, output, errors)
        if code != 0:
            how = f"exit code {code}" if name is None else name
            return PullError(f"it ended with {how}{_find_last_error_line(errors)}")
        line = read_last_line(output)
        words = line.split() if self._reward.tells_cost else [line]
        numbers = [_parse_number(word) for word in words]
        if len(numbers) == 1 + self._reward.tells_cost and None not in numbers:
            reward, *cost = [number for number in numbers if number is not None]
            return PullReward(reward, *cost)
        wanted = "a reward and a cost" if self._reward.tells_cost else "a number"
        return PullError(f"the last line that it printed must be {wanted}; got {_shorten(line)}")

    def _make_exit_outcome(self, code: int, output: IO[bytes], errors: IO[bytes]) -> PullOutcome:
        """Return the outcome that the exit code says, with the cost that was printed."""
        cost = None
        if self._reward.tells_cost:
            line = read_last_line(output)
            cost = _parse_number(line)
            if cost is None:
                return PullError(
                    f"the last line that it printed must be a cost; got {_shorten(line)}"
                )
        if code == 0:
            return PullReward(1.0, cost)
        return PullFailure(read_last_line(errors)[:200], cost)

    def end(self, *, at_once: bool = False) -> None:
        """End the current pull and make no more; see `PullMaker.end`."""
        with self._lock:
            self._is_ended = True
            if self._process is not None:
                self._process.end(at_once=at_once)

    def close(self) -> None:
        """Release what is left; see `PullMaker.close`."""
        self.end()


def make_template_values(task: PullTask) -> dict[str, str]:
    """Return the values of a pull for the names in braces, such as ``{arm}``."""
    values = {"arm": str(task.arm), "pull": str(task.pull), "python": sys.executable}
    if task.case_number is not None:
        values |= {"case": str(task.case), "case_number": str(task.case_number)}
    return values


def make_environment(values: dict[str, str]) -> dict[str, str]:
    """Return the values of a pull as environment variables."""
    return {VARIABLES[name]: value for name, value in values.items()}


def _find_signal_name(code: int) -> str | None:
    """Return the signal's name if one ended the process, or a child of its shell (code 128 + n)."""
    number = -code if code < 0 else code - 128
    if number <= 0:
        return None
    try:
        return signal.Signals(number).name
    except ValueError:
        return None


def _shorten(line: str) -> str:
    return repr(line[:80]) if line else "nothing"


def _parse_number(line: str) -> float | None:
    try:
        number = float(line)
    except ValueError:
        return None
    return number if math.isfinite(number) and "_" not in line else None


def read_last_line(file: IO[bytes]) -> str:
    """Return the last line that is not blank, stripped; empty if there is none."""
    file.seek(0, os.SEEK_END)
    file.seek(max(file.tell() - _MAX_TAIL_BYTES, 0))
    lines = file.read().decode("utf-8", "replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _find_last_error_line(errors: IO[bytes]) -> str:
    line = read_last_line(errors)
    return f"; it said: {line[:200]}" if line else ""
