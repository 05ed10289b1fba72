"""``goodarm export`` and ``goodarm import``: journals as files, to move between stores."""

from pathlib import Path
from typing import Annotated

import typer

from goodarm.cli.options import FILE
from goodarm.cli.output import say
from goodarm.cli.stores import Name, StoreUrl, find_experiment, open_existing_store
from goodarm.errors import invalid_argument

_FILE = "The journal file, in JSON lines."


def export_journal(
    url: StoreUrl,
    name: Name,
    file: Annotated[Path | None, typer.Argument(metavar="FILE", hidden=True)] = None,
    out: Annotated[Path | None, typer.Option(metavar=FILE, help=_FILE)] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the file if there is one already.")
    ] = False,
) -> None:
    """Write the journal of an experiment to a file.

    The experiment can go on meanwhile; the file has the entries up to now.
    """
    target = out or file  # FILE without --out is how earlier versions had it
    if target is None or (out and file):
        rule = "be given" if target is None else "be the only file"
        raise invalid_argument("--out", "export", rule, None if target is None else str(file))
    if not force and target.exists():
        rule = "be a file that is not there yet"
        raise invalid_argument("--out", "export", rule, str(target), "To replace it, use --force.")
    with open_existing_store(url) as store:
        find_experiment(store, name, "export")
        store.export(name, target)
    say(f"Wrote {target}.")


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
