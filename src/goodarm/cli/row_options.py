"""Options of commands that print a table of arms: its rows, their order and their format."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from goodarm.cli import usage
from goodarm.cli.choices import format_choices, make_completer, make_list_completer, validate_choice
from goodarm.cli.gate import EXIT_CODES, FAIL_ON_NONE, parse_words
from goodarm.cli.options import FILE
from goodarm.errors import SpecError

if TYPE_CHECKING:
    from goodarm.results import ArmTable

LABELS: Final = ("good", "bad", "undecided")
_SORT_ORDERS: Final = ("label", "arm", "pulls", "mean", "needed", "table")

ShowAll = Annotated[
    bool,
    typer.Option(
        "--all", help="Show every row, not only 12 of each label.", rich_help_panel=usage.OUTPUT
    ),
]
Only = Annotated[
    str | None,
    typer.Option(
        metavar="LABELS",
        help="Show only rows with these labels: good, bad, undecided, separated by commas.",
        autocompletion=make_list_completer(LABELS),
        rich_help_panel=usage.OUTPUT,
    ),
]
Sort = Annotated[
    str,
    typer.Option(
        metavar=format_choices(_SORT_ORDERS),
        help="Order of the rows. pulls and mean: largest first. needed: fewest first. table: as "
        "given.",
        autocompletion=make_completer(_SORT_ORDERS),
        rich_help_panel=usage.OUTPUT,
    ),
]
DEFAULT_SORT: Final = _SORT_ORDERS[0]
Plot = Annotated[
    Path | None,
    typer.Option(
        metavar=FILE,
        help="Draw the arms into a .png, .svg or .pdf file.",
        rich_help_panel=usage.OUTPUT,
    ),
]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print only CSV.", rich_help_panel=usage.OUTPUT)]
FailOn = Annotated[
    str,
    typer.Option(
        metavar="LABELS",
        help="Exit with an error code if an arm has one of these labels: bad, undecided, separated "
        "by commas, or none.",
        autocompletion=make_list_completer(EXIT_CODES, [FAIL_ON_NONE]),
        rich_help_panel=usage.OUTPUT,
    ),
]


def choose_labels(
    owner: str, only: str | None, sort: str, *, as_json: bool, as_csv: bool
) -> list[str]:
    """Return the labels to show, none for all; raise an error if options exclude each other."""
    labels = [] if only is None else parse_words("--only", only, LABELS)
    validate_choice("--sort", owner, _SORT_ORDERS, sort)
    if as_json and as_csv:
        raise SpecError(
            "--csv prints only CSV. Leave out --json, or --csv.",
            argument="--csv",
            owner=owner,
            rule="come without --json",
            value=True,
        )
    if as_json and (labels or sort != DEFAULT_SORT):
        option = "--only" if labels else "--sort"
        raise SpecError(
            f"--json prints the whole table in its own order. Leave out {option}, or use --csv.",
            argument="--json",
            owner=owner,
            rule=f"come without {option}",
            value=True,
        )
    return labels


def print_rows_as_csv(table: "ArmTable", only: list[str], sort: str) -> None:
    """Print the table as CSV, in its own order unless ``sort`` says another."""
    from goodarm.cli.output import print_csv
    from goodarm.views.choice import choose_rows

    order = "table" if sort == DEFAULT_SORT else sort
    print_csv("".join(table.csv_lines(choose_rows(table, only, order, most=None).positions)))


def choose_max_rows(width: int | None, *, show_all: bool) -> int | None:
    """Return the most arms of each label to show; None for all, as in a file or a pipe."""
    from goodarm.views.choice import MAX_ROWS_PER_LABEL

    return None if show_all or width is None else MAX_ROWS_PER_LABEL
