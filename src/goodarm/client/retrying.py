"""What may be made again, and after which pause. Nothing here waits, and no chance is drawn.

Every request of this client may be made again: reads change nothing, changes are sent under a key
or are no-ops the second time. So what decides is only whether another try may help.
"""

from typing import Final

FIRST: Final = 0.05
"""Seconds of the first pause, at most."""
LONGEST: Final = 5.0
"""Seconds of any pause, unless the service asks for more."""
_BUSY: Final = (408, 429, 502, 503, 504)
"""What a service or a proxy answers for a while."""
_FOR_LONG: Final = ("read-only",)
"""Problems that do not go away in a minute, though their status is 503."""


def should_retry(status: int, slug: str = "") -> bool:
    """Whether an answer may be another one soon.

    >>> should_retry(503, "locked"), should_retry(503, "read-only"), should_retry(409, "refused")
    (True, False, False)
    """
    return status in _BUSY and slug not in _FOR_LONG


def pause(attempt: int, retry_after: float | None, chance: float) -> float:
    """Seconds before the next try, after ``attempt`` tries.

    Pauses grow from try to try; ``chance``, from 0 to 1, keeps clients apart. What the service asks
    for comes first.

    >>> [pause(attempt, None, 1.0) for attempt in (1, 2, 3, 20)]
    [0.05, 0.1, 0.2, 5.0]
    >>> pause(1, 2.0, 0.5)
    2.25
    """
    if retry_after is not None:
        return retry_after * (1 + chance / 4)
    most = min(LONGEST, FIRST * 2.0 ** min(attempt - 1, 30))
    return most * (0.5 + chance / 2)


def seconds_of(retry_after: str | None) -> float | None:
    """The header Retry-After in seconds; a date, which depends on two clocks, is not used.

    >>> seconds_of("2"), seconds_of("Wed, 21 Oct 2015 07:28:00 GMT"), seconds_of(None)
    (2.0, None, None)
    """
    if retry_after is None or not retry_after.strip().isdecimal() or len(retry_after) > 10:
        return None
    return float(retry_after)
