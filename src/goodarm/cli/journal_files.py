"""``goodarm export`` and ``goodarm import``: journals as files, to move between stores."""

from pathlib import Path
from typing import Annotated

import typer

from goodarm.cli.output import say
from goodarm.cli.stores import Name, StoreUrl, find_experiment, open_existing_store
from goodarm.errors import invalid_argument

_FILE = "The journal file, in JSON lines."


def export_journal(
    url: StoreUrl,
    name: Name,
    file: Annotated[Path, typer.Argument(metavar="FILE", help=_FILE)],
    force: Annotated[
        bool, typer.Option("--force", help="Replace the file if there is one already.")
    ] = False,
) -> None:
    """Write the journal of an experiment to a file.

    The experiment can go on meanwhile; the file has the entries up to now.
    """
    if not force and file.exists():
        rule = "be a file that is not there yet"
        raise invalid_argument("FILE", "export", rule, str(file), "To replace it, use --force.")
    with open_existing_store(url) as store:
        find_experiment(store, name, "export")
        store.export(name, file)
    say(f"Wrote {file}.")


def import_journal(
    url: StoreUrl,
    file: Annotated[Path, typer.Argument(metavar="FILE", help=_FILE)],
    name: Annotated[
        str | None,
        typer.Option(
            "--name",
            metavar="NAME",
            help="A new name for the experiment; its old one if not given.",
        ),
    ] = None,
) -> None:
    """Read an experiment from a journal file into a store.

    All labels are computed again from the rewards first. If one differs, nothing is imported. An
    existing experiment is never changed.
    """
    from goodarm.store import open_store

    with open_store(url) as store:
        exp = store.import_(file, name)
        say(f"{exp.name}: {exp.entries:,} entries, {exp.pulls:,} pulls, {exp.status}.")
