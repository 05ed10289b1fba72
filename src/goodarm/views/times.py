"""Moments and time spans, for people and for machines."""

import time
from datetime import UTC, datetime
from typing import Final

_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86400


def format_iso(at: float | None) -> str | None:
    """Format a moment for machines: ISO 8601, in UTC.

    >>> format_iso(0.5)
    '1970-01-01T00:00:00.500+00:00'
    """
    return (
        None if at is None else datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
    )


def format_past(at: float | None, now: float | None = None) -> str:
    """Format a past moment for people; one in the future, by a clock that differs, is "just now".

    >>> format_past(1000, 1030), format_past(1000, 1200), format_past(1000, 9000), format_past(None)
    ('just now', '3 min ago', '2 h ago', '-')
    """
    if at is None:
        return "-"
    passed = (time.time() if now is None else now) - at
    if passed < _MINUTE:
        return "just now"
    if passed < _DAY:
        return f"{format_span(passed)} ago"
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M")


def format_future(at: float | None, now: float | None = None) -> str:
    """Format the end of a lease for people.

    >>> format_future(1000, 958), format_future(1000, 1001), format_future(None)
    ('in 42 s', 'ended', '-')
    """
    if at is None:
        return "-"
    left = at - (time.time() if now is None else now)
    return "ended" if left <= 0 else f"in {format_span(left)}"


def format_span(seconds: float) -> str:
    """Format seconds for people, rounded down.

    >>> format_span(59.9), format_span(3599), format_span(7300), format_span(200000)
    ('59 s', '59 min', '2 h', '2 days')
    """
    if seconds < _MINUTE:
        return f"{int(seconds)} s"
    if seconds < _HOUR:
        return f"{int(seconds // _MINUTE)} min"
    if seconds < 2 * _DAY:
        return f"{int(seconds // _HOUR)} h"
    return f"{int(seconds // _DAY):,} days"
