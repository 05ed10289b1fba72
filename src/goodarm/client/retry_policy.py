"""Retry policy: what may be repeated, and after which pause. Nothing here waits or draws.

Every request of this client may be repeated: reads change nothing, and changes are sent with a key
or are no-ops the second time. So it only matters whether another attempt may help.
"""

from typing import Final

FIRST_PAUSE_SECONDS: Final = 0.05
"""Longest first pause, in seconds."""
MAX_PAUSE_SECONDS: Final = 5.0
"""Longest pause, in seconds, unless the service asks for more."""
_BUSY_STATUSES: Final = (408, 429, 502, 503, 504)
"""Statuses of a service or proxy that is busy for a while."""
_LASTING_PROBLEMS: Final = ("read-only",)
"""Problems with status 503 that do not go away within a minute."""


def should_retry(status: int, slug: str = "") -> bool:
    """Return whether a retry may get another answer soon.

    >>> should_retry(503, "locked"), should_retry(503, "read-only"), should_retry(409, "refused")
    (True, False, False)
    """
    return status in _BUSY_STATUSES and slug not in _LASTING_PROBLEMS


def compute_pause(attempt: int, retry_after: float | None, chance: float) -> float:
    """Return the seconds to wait before the next attempt, after ``attempt`` attempts.

    Pauses grow with each attempt; ``chance``, from 0 to 1, spreads the clients. A pause that the
    service asks for takes precedence.

    >>> [compute_pause(attempt, None, 1.0) for attempt in (1, 2, 3, 20)]
    [0.05, 0.1, 0.2, 5.0]
    >>> compute_pause(1, 2.0, 0.5)
    2.25
    """
    if retry_after is not None:
        return retry_after * (1 + chance / 4)
    most = min(MAX_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2.0 ** min(attempt - 1, 30))
    return most * (0.5 + chance / 2)


def parse_retry_after(retry_after: str | None) -> float | None:
    """Parse the header Retry-After as seconds; ignore a date, which depends on two clocks.

    >>> parse_retry_after("2"), parse_retry_after("Wed, 21 Oct 2015 07:28:00 GMT")
    (2.0, None)
    >>> parse_retry_after(None) is None
    True
    """
    if retry_after is None or not retry_after.strip().isdecimal() or len(retry_after) > 10:
        return None
    return float(retry_after)
