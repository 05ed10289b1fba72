"""What commands about kept experiments share: the store's address, and names in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Final

import typer

from goodarm.errors import SpecError, must, must_be_one_of

if TYPE_CHECKING:
    from goodarm.store import Experiment, Store

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
