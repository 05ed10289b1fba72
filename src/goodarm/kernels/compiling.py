"""Say that kernels are being compiled, where it takes long enough to be wondered at."""

import functools
import logging
import threading
import time
from typing import Any, Final

from numba.core import event

PATIENCE: Final = 1.0
"""The seconds of compiling after which MESSAGE is logged."""

MESSAGE: Final = "goodarm is compiling, once: this may take some 15 seconds."


class _Listener(event.Listener):
    """Adds up what compiling takes; kernels that call each other are compiled inside each other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way = 0
        self._since = self._before = 0.0
        self._is_said = False

    def on_start(self, event: Any) -> None:
        """A kernel begins."""
        self._count(event, 1)

    def on_end(self, event: Any) -> None:
        """It is done."""
        self._count(event, -1)

    def _count(self, event: Any, change: int) -> None:
        if not event.data["dispatcher"].py_func.__module__.startswith("goodarm."):
            return
        with self._lock:
            now = time.perf_counter()
            if self._under_way > 0:
                self._before += now - self._since
            self._since = now
            self._under_way += change
            is_news = self._before >= PATIENCE and not self._is_said
            self._is_said = self._is_said or is_news
        if is_news:
            logging.getLogger("goodarm").warning(MESSAGE)


@functools.cache
def tell_of_compiling() -> None:
    """From now on a warning of the logger ``goodarm``, once in a process, if compiling takes long.

    Numba tells its listeners of what it compiles, not of what it finds in its cache: a process that
    finds everything there hears nothing and pays nothing.
    """
    event.register("numba:compile", _Listener())  # type: ignore[no-untyped-call]
