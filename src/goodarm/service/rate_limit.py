"""Rate limit: a token bucket for each caller."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Final

_MAX_BUCKETS: Final = 10_000
"""Maximum number of buckets; one that is dropped, the least recently used, starts full again."""


class RateLimit:
    """Rate limit of ``per_second`` requests for each name, with a burst of as many after a rest."""

    def __init__(self, per_second: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate, self._clock = per_second, clock
        self._burst = max(per_second, 1.0)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """requests left, and the time of that count"""
        self._lock = Lock()

    def wait(self, name: str) -> float:
        """Count a request; return 0 if it is allowed, or else the seconds until one is."""
        now = self._clock()
        with self._lock:
            left, since = self._buckets.pop(name, (self._burst, now))
            left = min(self._burst, left + (now - since) * self._rate)
            wait = 0.0 if left >= 1 else (1 - left) / self._rate
            self._buckets[name] = (left - 1 if left >= 1 else left, now)
            if len(self._buckets) > _MAX_BUCKETS:
                self._buckets.popitem(last=False)
            return wait
