"""Process that is ended together with its children: by SIGTERM first, then by SIGKILL.

On POSIX it leads a process group of its own, which Ctrl-C at the terminal does not reach, and what
is left in the group when it ends is killed. On other systems only the process itself is ended.
"""

import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock, Timer
from typing import IO, Final

GRACE_SECONDS: Final = 1.0
"""Seconds between SIGTERM and SIGKILL."""


class Process:
    """Process that was started, with its process group."""

    def __init__(
        self,
        words: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        stdout: int | IO[bytes],
        stderr: int | IO[bytes] | None,
        stdin: int = subprocess.DEVNULL,
    ) -> None:
        self.popen = subprocess.Popen(
            words,
            cwd=folder,
            env=dict(environment),
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
        self._lock = Lock()
        self._is_over = False
        self.is_late = False
        """whether it was ended by its timeout"""
        self._timers: list[Timer] = []

    def wait(self) -> int:
        """Wait for its end, kill what is left in its group, and return the exit code."""
        if hasattr(os, "waitid"):  # keeps its PID reserved until its group is killed
            os.waitid(os.P_PID, self.popen.pid, os.WEXITED | os.WNOWAIT)
        else:
            self.popen.wait()
        with self._lock:
            self._send("SIGKILL")
            self._is_over = True
        for timer in self._timers:
            timer.cancel()
        return self.popen.wait()

    def end(self, *, at_once: bool = False) -> None:
        """Send SIGTERM to the group, and SIGKILL after ``GRACE_SECONDS``; ``wait`` waits."""
        with self._lock:
            if not self._is_over and at_once:
                self._send("SIGKILL")
            elif not self._is_over:
                self._end()

    def end_after(self, seconds: float) -> Timer:
        """End it after some seconds, if it still runs. Return the timer, which can be cancelled."""
        with self._lock:
            return self._start(seconds, self._end_late)

    def _end_late(self) -> None:
        with self._lock:
            if not self._is_over:
                self.is_late = True
                self._end()

    def _end(self) -> None:
        self._send("SIGTERM")
        self._start(GRACE_SECONDS, self._kill)

    def _kill(self) -> None:
        with self._lock:
            if not self._is_over:
                self._send("SIGKILL")

    def _start(self, seconds: float, act: Callable[[], None]) -> Timer:
        timer = Timer(seconds, act)
        timer.daemon = True
        timer.start()
        self._timers = [*(each for each in self._timers if each.is_alive()), timer]
        return timer

    def _send(self, name: str) -> None:
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self.popen.pid, getattr(signal, name))
            else:
                self.popen.kill()
