"""What commands about kept experiments share: where they are, names there, times in words."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from goodarm.errors import SpecError, must, must_be_one_of

if TYPE_CHECKING:
    from goodarm.client import Client, RemoteExperiment
    from goodarm.store import Experiment, Store

    AnyStore: TypeAlias = Store | Client
    AnyExperiment: TypeAlias = Experiment | RemoteExperiment

_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86400
_MOST_LISTED: Final = 20
"""Names that an error lists."""
TOKEN: Final = "GOODARM_TOKEN"
"""The variable that holds a token: in a command's options, all on the machine could read it."""

Url = Annotated[
    str,
    typer.Argument(
        metavar="URL",
        help="The store: sqlite:///goodarm.db, or postgresql+psycopg://user@host/database; "
        "or a service: https://host.",
    ),
]
TokenFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help=f"With a service: a file that holds the token alone; else {TOKEN} may hold it.",
    ),
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The experiment.")]


@contextmanager
def opened(url: str) -> Iterator["Store"]:
    """The store at an address. One that is not there is an error: who looks makes nothing."""
    from goodarm.store import open_store

    with open_store(url, must_exist=True) as store:
        yield store


@contextmanager
def reached(
    url: str, token_file: Path | None = None, *, must_exist: bool = True
) -> Iterator["AnyStore"]:
    """The service at an address, or the store: one that is not there may be made if so said."""
    from goodarm.client.address import is_service

    store: AnyStore
    if is_service(url):
        from goodarm.client import Client

        store = Client(url, read_token(token_file))
    elif token_file is not None:
        raise SpecError("The '--token-file' goes with a service: an address such as https://host.")
    else:
        from goodarm.store import open_store

        store = open_store(url, must_exist=must_exist)
    with store:
        yield store


def read_token(file: Path | None) -> str | None:
    """The token of a file, or of the environment; errors do not show it."""
    if file is None:
        return os.environ.get(TOKEN, "").strip() or None
    try:
        with file.open(encoding="utf-8") as opened_file:
            token = opened_file.read(10_000).strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise SpecError(f"The token's file {str(file)!r} cannot be read: {why}.") from None
    if not token or len(token.split()) > 1:
        raise SpecError(f"The token's file {str(file)!r} must hold a token and nothing else.")
    return token


def find(store: "AnyStore", name: str, owner: str) -> "AnyExperiment":
    """The experiment of that name; the error for an unknown one lists what there is."""
    try:
        return store.experiment(name)
    except SpecError:
        names = [kept.name for kept in store.experiments()]
        if name in names:
            raise
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
