"""Processes that compile for this one, so that it goes on meanwhile."""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_POLL_SECONDS: Final = 0.05
_processes: Final[list["subprocess.Popen[bytes]"]] = []


@contextmanager
def compiled_by(process: "subprocess.Popen[bytes]") -> Iterator[None]:
    """Within this block, leave compiling to a process for as long as it runs."""
    _processes.append(process)
    try:
        yield
    finally:
        _processes.remove(process)


def is_compiling() -> bool:
    """Whether such a process is at work."""
    return any(process.poll() is None for process in list(_processes))


def wait_for(is_ready: Callable[[], bool]) -> None:
    """Wait until something is compiled, or nobody is at it."""
    while is_compiling() and not is_ready():
        time.sleep(_POLL_SECONDS)
