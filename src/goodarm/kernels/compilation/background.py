"""Background processes that compile kernels while this process goes on."""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_POLL_SECONDS: Final = 0.05
_processes: Final[list["subprocess.Popen[bytes]"]] = []


@contextmanager
def leave_compiling_to(process: "subprocess.Popen[bytes]") -> Iterator[None]:
    """Leave compiling to a process, within this block, for as long as the process runs."""
    _processes.append(process)
    try:
        yield
    finally:
        _processes.remove(process)


def is_compiling() -> bool:
    """Return whether a background process is compiling."""
    return any(process.poll() is None for process in list(_processes))


def wait_for(is_ready: Callable[[], bool]) -> None:
    """Wait until a kernel is compiled, or until no background process is compiling."""
    while is_compiling() and not is_ready():
        time.sleep(_POLL_SECONDS)
