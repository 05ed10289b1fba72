"""``goodarm verify``: whether journals hold what their rewards prove."""

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import typer

from goodarm.cli.layout import Shape
from goodarm.cli.options import AsJson
from goodarm.cli.output import print_json, print_table, say
from goodarm.cli.stores import TokenFile, Url, find, reached

if TYPE_CHECKING:
    from goodarm.cli.stores import AnyStore
    from goodarm.store import Kept

EXIT_DIFFERS: Final = 1
_HEADER: Final = ("name", "outcome", "entries", "rewards", "labels", "time")


class _Outcome(NamedTuple):
    """Of one experiment. ``differs`` says what is wrong; None if all is verified."""

    name: str
    outcome: str
    entries: int
    rewards: int | None
    labels: int | None
    seconds: float
    differs: str | None

    @property
    def cells(self) -> list[str]:
        counts = ["-" if n is None else f"{n:,}" for n in (self.entries, self.rewards, self.labels)]
        took = "< 1 s" if self.seconds < 1 else f"{self.seconds:,.0f} s"
        return [self.name, self.outcome, *counts, took]


def verify_journals(
    url: Url,
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="One experiment; all if not given.")
    ] = None,
    token_file: TokenFile = None,
    as_json: AsJson = False,
) -> None:
    """Replay journals, and compare labels, counts, e-values and snapshots.

    Exits with 0 where all are verified, 1 where one differs, 2 for wrong use.
    """
    with reached(url, token_file) as store:
        found = _verify(store, name)
    is_verified = all(each.differs is None for each in found)
    if as_json:
        entries: list[dict[str, Any]] = [each._asdict() for each in found]
        document = {"kind": "verification", "format": 1, "verified": is_verified}
        print_json({**document, "experiments": entries})
    elif found:
        print_table("", _HEADER, [each.cells for each in found], Shape(left=2))
        for each in found:
            if each.differs is not None:
                say(f"{each.name}: {each.differs}")
    else:
        say("The store has no experiments: there is nothing to verify.")
    raise typer.Exit(0 if is_verified else EXIT_DIFFERS)


def _verify(store: "AnyStore", name: str | None) -> list[_Outcome]:
    from goodarm.cli.progress import entries_bar

    kept = _kept(store, name)
    found, done = [], 0
    with entries_bar(sum(each.entries for each in kept)) as update:
        for each in kept:
            update(each.name, done)
            found.append(_verify_one(store, each, partial(_tell, update, each.name, done)))
            done += each.entries
    return found


def _kept(store: "AnyStore", name: str | None) -> "list[Kept]":
    """What is to be verified; a service is not asked for all of it because of one."""
    from goodarm.client import Client
    from goodarm.errors import StoreTampered
    from goodarm.store import Kept

    if name is not None and isinstance(store, Client):
        try:
            return [Kept(name, find(store, name, "verify").entries)]
        except StoreTampered:
            return [Kept(name, 0)]  # it is there; what is wrong with it is found below
    kept = [each for each in store.experiments() if name in (None, each.name)]
    if name is not None and not kept:
        find(store, name, "verify")  # it says what there is
    return kept


def _tell(update: Callable[[str, int], None], name: str, before: int, verified: int) -> None:
    update(name, before + verified)


def _verify_one(store: "AnyStore", kept: "Kept", progress: Callable[[int], None]) -> _Outcome:
    """What became of one; that the store is down or busy is no difference, and is raised."""
    from goodarm.errors import ProtocolError, SpecError, StoreTampered

    name, entries = kept
    began = time.perf_counter()
    outcome, rewards, labels, differs = "unreadable", None, None, None
    try:
        exp = store.experiment(name)
        outcome = "differs"
        entries, rewards, labels, _ = exp.verify(progress)
        outcome = "verified"
    except (SpecError, ProtocolError, StoreTampered) as error:
        differs = str(error)
    seconds = time.perf_counter() - began
    return _Outcome(name, outcome, entries, rewards, labels, seconds, differs)
