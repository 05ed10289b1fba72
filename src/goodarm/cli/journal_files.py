"""``goodarm export`` and ``goodarm import``: journals as files, to move between stores."""

from pathlib import Path
from typing import Annotated

import typer

from goodarm.cli.output import say
from goodarm.cli.stores import Name, Url, find_experiment, open_existing_store

_FILE = "A file of JSON lines."


def export_journal(
    url: Url,
    name: Name,
    file: Annotated[Path, typer.Argument(metavar="FILE", help=_FILE)],
) -> None:
    """Write an experiment's whole journal into a file, as JSON lines.

    Others may go on with the experiment meanwhile: the file ends with the last entry at that
    moment.
    """
    with open_existing_store(url) as store:
        find_experiment(store, name, "export")
        store.export(name, file)
    say(f"Written: {file}")


def import_journal(
    url: Url,
    file: Annotated[Path, typer.Argument(metavar="FILE", help=_FILE)],
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="Another name than it had."),
    ] = None,
) -> None:
    """Put the journal of a file into a store, whole or not at all.

    Its labels and their evidence are computed again from the rewards first: a journal that says
    something else is refused. An experiment that is there is never changed.
    """
    from goodarm.store import open_store

    with open_store(url) as store:
        exp = store.import_(file, name)
        say(f"{exp.name}: {exp.entries:,} entries, {exp.pulls:,} pulls, {exp.status}.")
