"""``goodarm datasets``: list of the instances, and how to rebuild them from raw files."""

from pathlib import Path
from typing import Annotated, Any

import typer

from goodarm.cli.choices import RAW_DATA_SETS, make_completer
from goodarm.cli.options import AsJson
from goodarm.cli.output import print_json, print_table, say
from goodarm.cli.usage import Command
from goodarm.views.text import TableLayout

EXIT_DIFFERS = 1

app = typer.Typer(
    help="List the datasets for simulations, or rebuild one from raw files.",
    no_args_is_help=False,
    add_completion=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def list_datasets(ctx: typer.Context, as_json: AsJson = False) -> None:
    """List the instances: arms, threshold, good arms, smallest gap, hardness, citation."""
    if ctx.invoked_subcommand is not None:
        return
    from goodarm import datasets

    instances = [datasets.load(name) for name in datasets.list_names()]
    if as_json:
        entries: list[dict[str, Any]] = [instance.to_dict() for instance in instances]
        print_json({"kind": "datasets", "format": 1, "datasets": entries})
        return
    rows = [
        (
            instance.name,
            str(instance.num_arms),
            f"{instance.threshold:.6g}",
            str(instance.num_good),
            f"{instance.smallest_gap:.3g}",
            f"{instance.hardness:.3g}",
        )
        for instance in instances
    ]
    header = ("instance", "arms", "threshold", "good arms", "smallest gap", "hardness")
    print_table("", header, rows)
    say("Hardness: the sum of 1/gap^2 over the arms that are not on the threshold.\n")
    for instance in instances:
        say(f"{instance.name}: {instance.about}.")
        say(f"{instance.citation}. Terms: {instance.terms}.", indent="    ")


@app.command("rebuild", cls=Command)
def rebuild_dataset(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="covertype, jester or movielens.",
            autocompletion=make_completer(RAW_DATA_SETS),
        ),
    ],
    more: Annotated[
        list[Path] | None, typer.Argument(metavar="FILES", help="More raw files.")
    ] = None,
    source: Annotated[
        list[Path] | None,
        typer.Option("--from", metavar="FILE", help="A raw file as you downloaded it."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Rebuild a dataset from raw files, and compare.

    Computes the numbers again and compares them with those that goodarm comes with.

    MovieLens: u.data. Jester: the three tables saved as CSV. Covertype: covtype.data or its .gz.
    Exit code: 0 if they agree; 1 if something differs.
    """
    from goodarm import datasets

    found = datasets.rebuild(name, [*(source or ()), *(more or ())])
    if as_json:
        print_json(found.to_dict())
    else:
        rows = [
            (check.what, check.found, check.expected, "ok" if check.holds else "differs")
            for check in found.checks
        ]
        print_table(
            f"{name}, rebuilt", ("check", "found", "expected", ""), rows, TableLayout(prose=0)
        )
    if not found.agrees:
        raise typer.Exit(EXIT_DIFFERS)
