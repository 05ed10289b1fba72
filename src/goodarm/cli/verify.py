"""``goodarm verify``: replay of journals, to check that their rewards prove their labels."""

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.output import print_json, print_table, say
from goodarm.cli.stores import TokenFile, Url, find_experiment, open_store_or_service
from goodarm.errors import SpecError
from goodarm.views.numbers import plural
from goodarm.views.text import TableLayout
from goodarm.wording import COMMAND_LINE

if TYPE_CHECKING:
    from goodarm.cli.stores import AnyStore
    from goodarm.store import ListedExperiment

EXIT_DIFFERS: Final = 1
_HEADER: Final = ("name", "outcome", "entries", "rewards", "labels", "last hash", "time")


class _VerifiedJournal(NamedTuple):
    """Outcome of one experiment. ``differs`` says what is wrong; None if all is verified."""

    name: str
    outcome: str
    entries: int
    rewards: int | None
    labels: int | None
    seconds: float
    differs: str | None
    head: str | None = None
    """hash of the last entry; empty if the journal is unchained"""
    kept_at: int | None = None
    """the entry whose hash was given, if more entries have followed since"""

    @property
    def cells(self) -> list[str]:
        counts = ["-" if n is None else f"{n:,}" for n in (self.entries, self.rewards, self.labels)]
        took = "< 1 s" if self.seconds < 1 else f"{self.seconds:,.0f} s"
        from goodarm.store import SHORT_DIGITS

        head = "-" if self.head is None else self.head[:SHORT_DIGITS] or "unchained"
        return [self.name, self.outcome, *counts, head, took]


def verify_journals(
    url: Url,
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="The experiment; all experiments if not given."),
    ] = None,
    head: Annotated[
        str | None,
        typer.Option(
            metavar="HASH",
            help="The last hash of the journal that you have noted elsewhere, or its first digits: "
            "an entry must have it.",
        ),
    ] = None,
    token_file: TokenFile = None,
    as_json: AsJson = False,
) -> None:
    """Check that the recorded rewards prove the recorded labels.

    Replays each journal and compares labels, evidence, hashes and snapshots.

    Exit code: 0 if all are verified; 1 if one differs; 2 for wrong use.
    """
    if head is not None and name is None:
        raise SpecError(
            "--head is the last hash of one experiment. Give the NAME of the experiment, too.",
            argument="--head",
            owner="verify",
            rule="come with a NAME",
            value=head,
        )
    with open_store_or_service(url, token_file) as store:
        found = _verify(store, name, head)
    is_verified = all(each.differs is None for each in found)
    if as_json:
        entries: list[dict[str, Any]] = [each._asdict() for each in found]
        document = {"kind": "verification", "format": 1, "verified": is_verified}
        print_json({**document, "experiments": entries})
    elif found:
        print_table("", _HEADER, [each.cells for each in found], TableLayout(left=2))
        for each in found:
            if each.differs is not None:
                say(f"{each.name}: {each.differs}")
            if each.kept_at is not None:
                after = plural(each.entries - each.kept_at, "entry follows", "entries follow")
                say(f"{each.name}: verified; your head is entry {each.kept_at:,}, and {after}.")
    else:
        say("The store has no experiments, so there is nothing to verify.")
    raise typer.Exit(0 if is_verified else EXIT_DIFFERS)


def _verify(store: "AnyStore", name: str | None, head: str | None) -> list[_VerifiedJournal]:
    from goodarm.cli.progress import show_entry_progress

    listed = _list_experiments(store, name)
    found, done = [], 0
    with show_entry_progress(sum(each.entries for each in listed)) as update:
        for each in listed:
            update(each.name, done)
            progress = partial(_update_progress, update, each.name, done)
            found.append(_verify_one(store, each, head, progress))
            done += each.entries
    return found


def _list_experiments(store: "AnyStore", name: str | None) -> "list[ListedExperiment]":
    """Return the experiments to verify, without listing all of a service's for a single one."""
    from goodarm.client import Client
    from goodarm.errors import StoreTampered
    from goodarm.store import ListedExperiment

    if name is not None and isinstance(store, Client):
        try:
            return [ListedExperiment(name, find_experiment(store, name, "verify").entries)]
        except StoreTampered:
            return [ListedExperiment(name, 0)]  # it exists; _verify_one finds what is wrong with it
    listed = [each for each in store.experiments() if name in (None, each.name)]
    if name is not None and not listed:
        find_experiment(store, name, "verify")  # raises an error that lists the names
    return listed


def _update_progress(
    update: Callable[[str, int], None], name: str, before: int, verified: int
) -> None:
    update(name, before + verified)


def _verify_one(
    store: "AnyStore",
    listed: "ListedExperiment",
    expected: str | None,
    progress: Callable[[int], None],
) -> _VerifiedJournal:
    """Verify one experiment. Raise if the store is down or busy: that is not a difference."""
    from goodarm.errors import ProtocolError, StoreTampered

    name, entries = listed
    began = time.perf_counter()
    outcome, rewards, labels, differs = "unreadable", None, None, None
    head = kept_at = None
    try:
        exp = store.experiment(name)
        outcome = "differs"
        verified = exp.verify(progress, head=expected)
        (entries, rewards, labels, head), kept_at = verified, verified.kept_at
        outcome = "verified"
    except (SpecError, ProtocolError, StoreTampered) as error:
        differs = COMMAND_LINE.sentence(error)
    seconds = time.perf_counter() - began
    return _VerifiedJournal(
        name, outcome, entries, rewards, labels, seconds, differs, head, kept_at
    )
