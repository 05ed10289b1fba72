"""Log message that kernels are being compiled, if that takes long enough to be noticed."""

import functools
import logging
import threading
import time
from pathlib import Path
from typing import Any, Final

from numba.core import event

NOTICE_SECONDS: Final = 1.0
"""Seconds of compiling after which MESSAGE is logged."""

MESSAGE: Final = (
    "goodarm is compiling. This happens once and takes about 10 seconds. "
    "To compile everything now, run 'goodarm compile'."
)


class _Listener(event.Listener):
    """Listener that adds up compile time; one kernel may be compiled within another."""

    def __init__(self, kernels_hash: str) -> None:
        self._kernels_hash = kernels_hash
        self._lock = threading.Lock()
        self._under_way = 0
        self._seconds = 0.0  # spent compiling, up to the last event
        self._last_event_at = 0.0
        self._is_logged = False

    def on_start(self, event: Any) -> None:
        """Note that a kernel begins to compile."""
        self._count(event, 1)

    def on_end(self, event: Any) -> None:
        """Note that a kernel is compiled."""
        self._count(event, -1)

    def _count(self, event: Any, change: int) -> None:
        module = event.data["dispatcher"].py_func.__module__  # None if made by exec
        if not (module or "").startswith("goodarm."):
            return
        with self._lock:
            now = time.perf_counter()
            if self._under_way > 0:
                self._seconds += now - self._last_event_at
            self._last_event_at = now
            self._under_way += change
            is_due = self._seconds >= NOTICE_SECONDS and not self._is_logged
            self._is_logged = self._is_logged or is_due
        if is_due and claim_notice(event.data["dispatcher"], self._kernels_hash):
            logging.getLogger("goodarm").warning(MESSAGE)


def claim_notice(dispatcher: Any, kernels_hash: str) -> bool:
    """Claim the message for this process; return whether no process with this cache did before."""
    folder = dispatcher._cache.cache_path
    if folder is None:
        return True
    try:
        (Path(folder) / f"logged-{kernels_hash}").touch(exist_ok=False)
    except FileExistsError:
        return False
    except OSError:  # a folder that cannot be written holds no kernels: all processes compile
        return True
    return True


@functools.cache
def register_notice(kernels_hash: str) -> None:
    """Log a warning of the logger ``goodarm`` if compiling takes long from now on.

    Numba tells when it begins and ends to compile a kernel, so the message comes with one of these.

    It is logged once for all processes that share a cache, and again when the kernels, and so their
    hash, have changed. Numba notifies listeners of what it compiles, not of what it finds in its
    cache: a process that finds everything there logs nothing and has no cost.
    """
    event.register("numba:compile", _Listener(kernels_hash))  # type: ignore[no-untyped-call]
