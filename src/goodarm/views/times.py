"""Moments and time spans, for people and for machines."""

import time
from datetime import UTC, datetime
from typing import Final

_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86400


def iso(at: float | None) -> str | None:
    """Format a moment for machines: ISO 8601, in UTC.

    >>> iso(0.5)
    '1970-01-01T00:00:00.500+00:00'
    """
    return (
        None if at is None else datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
    )


def ago(at: float | None, now: float | None = None) -> str:
    """Format a past moment for people; one in the future, by a clock that differs, is "just now".

    >>> ago(1000, 1030), ago(1000, 1200), ago(1000, 9000), ago(None)
    ('just now', '3 min ago', '2 h ago', '-')
    """
    if at is None:
        return "-"
    passed = (time.time() if now is None else now) - at
    if passed < _MINUTE:
        return "just now"
    if passed < _DAY:
        return f"{span(passed)} ago"
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M")


def ahead(at: float | None, now: float | None = None) -> str:
    """Format the end of a lease for people.

    >>> ahead(1000, 958), ahead(1000, 1001), ahead(None)
    ('in 42 s', 'ended', '-')
    """
    if at is None:
        return "-"
    left = at - (time.time() if now is None else now)
    return "ended" if left <= 0 else f"in {span(left)}"


def span(seconds: float) -> str:
    """Format seconds for people, rounded down.

    >>> span(59.9), span(3599), span(7300), span(200000)
    ('59 s', '59 min', '2 h', '2 days')
    """
    if seconds < _MINUTE:
        return f"{int(seconds)} s"
    if seconds < _HOUR:
        return f"{int(seconds // _MINUTE)} min"
    if seconds < 2 * _DAY:
        return f"{int(seconds // _HOUR)} h"
    return f"{int(seconds // _DAY):,} days"
