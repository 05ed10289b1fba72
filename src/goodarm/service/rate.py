"""How often somebody may come: a bucket that fills again with time."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Final

_MOST: Final = 10_000
"""Buckets that are kept; who was away for longest has a full one again."""


class Rate:
    """At most ``per_second`` requests a second for each name, and as many at once after a rest."""

    def __init__(self, per_second: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate, self._clock = per_second, clock
        self._burst = max(per_second, 1.0)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """what is left, and when that was"""
        self._lock = Lock()

    def wait(self, name: str) -> float:
        """Take one; 0 if there was one, else the seconds until there is."""
        now = self._clock()
        with self._lock:
            left, since = self._buckets.pop(name, (self._burst, now))
            left = min(self._burst, left + (now - since) * self._rate)
            wait = 0.0 if left >= 1 else (1 - left) / self._rate
            self._buckets[name] = (left - 1 if left >= 1 else left, now)
            if len(self._buckets) > _MOST:
                self._buckets.popitem(last=False)
            return wait
