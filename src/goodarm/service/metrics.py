"""Prometheus metrics of the service."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

_METHODS: Final = ("GET", "POST", "DELETE")
_BUCKET_SECONDS: Final = (
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    5.0,
    10.0,
)
"""Upper bounds of the histogram's buckets, in seconds."""

MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Request counts by route, never by name or path, so that the number of series is fixed."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._buckets: Counter[tuple[str, float]] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._count: Counter[str] = Counter()
        self.watchers = 0
        """browsers that watch a page"""
        self.waiting = 0
        """requests under way"""
        self.bytes = 0
        """bytes of bodies held or expected"""

    @contextmanager
    def count_watcher(self) -> Iterator[None]:
        """Count a browser that watches a page, while it does."""
        self.watchers += 1
        try:
            yield
        finally:
            self.watchers -= 1

    def record(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count an answered request."""
        verb = method if method in _METHODS else "other"
        with self._lock:
            self._requests[verb, path, status] += 1
            self._count[path] += 1
            self._seconds[path] += seconds
            for bound in _BUCKET_SECONDS:
                if seconds <= bound:
                    self._buckets[path, bound] += 1

    def render(self) -> str:
        """Return all metrics in the text format of Prometheus."""
        with self._lock:
            return "\n".join(self._format_lines()) + "\n"

    def _format_lines(self) -> Iterator[str]:
        yield "# HELP goodarm_requests_total Requests answered."
        yield "# TYPE goodarm_requests_total counter"
        for (method, path, status), count in sorted(self._requests.items()):
            labels = f'method="{method}",route="{path}",status="{status}"'
            yield f"goodarm_requests_total{{{labels}}} {count}"
        yield "# HELP goodarm_request_seconds Time from a request to the end of its answer."
        yield "# TYPE goodarm_request_seconds histogram"
        for path, count in sorted(self._count.items()):
            for bound in _BUCKET_SECONDS:
                labels = f'route="{path}",le="{bound:g}"'
                yield f"goodarm_request_seconds_bucket{{{labels}}} {self._buckets[path, bound]}"
            yield f'goodarm_request_seconds_bucket{{route="{path}",le="+Inf"}} {count}'
            yield f'goodarm_request_seconds_sum{{route="{path}"}} {self._seconds[path]:.6f}'
            yield f'goodarm_request_seconds_count{{route="{path}"}} {count}'
        yield "# HELP goodarm_requests_waiting Requests under way."
        yield "# TYPE goodarm_requests_waiting gauge"
        yield f"goodarm_requests_waiting {self.waiting}"
        yield "# HELP goodarm_watchers Browsers that watch a page."
        yield "# TYPE goodarm_watchers gauge"
        yield f"goodarm_watchers {self.watchers}"
        yield "# HELP goodarm_body_bytes Bytes of bodies that are held, or expected."
        yield "# TYPE goodarm_body_bytes gauge"
        yield f"goodarm_body_bytes {self.bytes}"
