"""What commands about kept experiments share: the store's address, names in it, times in words."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Final

import typer

from goodarm.errors import SpecError, must, must_be_one_of

if TYPE_CHECKING:
    from goodarm.store import Experiment, Store

_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86400
_MOST_LISTED: Final = 20
"""Names that an error lists."""

Url = Annotated[
    str,
    typer.Argument(
        metavar="URL",
        help="The store: sqlite:///goodarm.db, or postgresql+psycopg://user@host/database.",
    ),
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The experiment.")]


@contextmanager
def opened(url: str) -> Iterator["Store"]:
    """The store at an address. One that is not there is an error: who looks makes nothing."""
    from goodarm.store import open_store

    with open_store(url, must_exist=True) as store:
        yield store


def find(store: "Store", name: str, owner: str) -> "Experiment":
    """The experiment of that name; the error for an unknown one lists what there is."""
    names = [kept.name for kept in store.experiments()]
    if name in names:
        return store.experiment(name)
    if not names:
        raise SpecError(f"There is no experiment {name!r}: the store is empty.")
    if len(names) > _MOST_LISTED:
        rule = f"be one of the store's {len(names):,} experiments"
        raise must("NAME", owner, rule, name, "goodarm experiments lists them.")
    raise must_be_one_of("NAME", owner, names, name)


def iso(at: float | None) -> str | None:
    """A moment for machines: ISO 8601, in UTC.

    >>> iso(0.5)
    '1970-01-01T00:00:00.500+00:00'
    """
    return (
        None if at is None else datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
    )


def ago(at: float | None, now: float | None = None) -> str:
    """A moment of the past for people; a clock that is ahead has seen it just now.

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
    """The end of a lease for people.

    >>> ahead(1000, 958), ahead(1000, 1001), ahead(None)
    ('in 42 s', 'ended', '-')
    """
    if at is None:
        return "-"
    left = at - (time.time() if now is None else now)
    return "ended" if left <= 0 else f"in {span(left)}"


def span(seconds: float) -> str:
    """Seconds for people, never more than there are.

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
