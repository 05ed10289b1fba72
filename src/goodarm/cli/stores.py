"""Stores and services of commands: their addresses, tokens and experiment names."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from goodarm.errors import SpecError, invalid_argument, invalid_choice

if TYPE_CHECKING:
    from goodarm.client import Client, RemoteExperiment
    from goodarm.store import Store, StoredExperiment

    AnyStore: TypeAlias = Store | Client
    AnyExperiment: TypeAlias = StoredExperiment | RemoteExperiment

_MAX_NAMES_LISTED: Final = 20
"""Most names that an error lists."""
TOKEN_VARIABLE: Final = "GOODARM_TOKEN"
"""Environment variable of the token: all users of the machine could read an option."""

Url = Annotated[
    str,
    typer.Argument(
        metavar="URL",
        help="A store (sqlite:///goodarm.db or postgresql+psycopg://user@host/database) or a "
        "service (https://host).",
    ),
]
StoreUrl = Annotated[
    str,
    typer.Argument(
        metavar="URL",
        help="The store: sqlite:///goodarm.db or postgresql+psycopg://user@host/database.",
    ),
]
TokenFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="With a service: the file that contains your token. You can also set the environment "
        f"variable {TOKEN_VARIABLE}.",
    ),
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of the experiment.")]


@contextmanager
def open_existing_store(url: str) -> Iterator["Store"]:
    """Open the store at an address; raise an error if it does not exist, and never create it."""
    from goodarm.store import open_store

    with open_store(url, must_exist=True) as store:
        yield store


@contextmanager
def open_store_or_service(
    url: str, token_file: Path | None = None, *, must_exist: bool = True
) -> Iterator["AnyStore"]:
    """Open the service or the store at an address; create the store only if not ``must_exist``."""
    from goodarm.client import is_service

    store: AnyStore
    if is_service(url):
        from goodarm.client import Client

        store = Client(url, read_token(token_file))
    elif token_file is not None:
        raise SpecError(
            "--token-file needs the address of a service, such as https://host.",
            argument="--token-file",
            owner="show",
            rule="come with the address of a service",
            value=str(token_file),
        )
    else:
        from goodarm.store import open_store

        store = open_store(url, must_exist=must_exist)
    with store:
        yield store


def read_token(file: Path | None) -> str | None:
    """Read the token from a file, or from the environment; errors do not show it."""
    if file is None:
        return os.environ.get(TOKEN_VARIABLE, "").strip() or None
    try:
        with file.open(encoding="utf-8") as opened_file:
            token = opened_file.read(10_000).strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not text"
        raise _make_token_error(file, f"cannot be read: {why}.") from None
    if not token or len(token.split()) > 1:
        raise _make_token_error(file, "must contain a token and nothing else.")
    return token


def _make_token_error(file: Path, what: str) -> SpecError:
    return SpecError(
        f"The file {str(file)!r} of --token-file {what}",
        argument="--token-file",
        owner="show",
        rule="hold a token and nothing else",
        value=str(file),
    )


def find_experiment(store: "AnyStore", name: str, owner: str) -> "AnyExperiment":
    """Return the experiment of that name; the error for an unknown one lists those that exist."""
    try:
        return store.experiment(name)
    except SpecError:
        names = [kept.name for kept in store.experiments()]
        if name in names:
            raise
    if not names:
        raise SpecError(
            f"There is no experiment {name!r}; the store is empty.",
            argument="NAME",
            owner=owner,
            rule="be that of an experiment",
            value=name,
        )
    if len(names) > _MAX_NAMES_LISTED:
        rule = f"be one of the store's {len(names):,} experiments"
        raise invalid_argument("NAME", owner, rule, name, "List them with: goodarm experiments")
    raise invalid_choice("NAME", owner, names, name)
