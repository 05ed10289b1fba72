"""``goodarm check``: a table of counts in, labels out; the exit code is a gate."""

import csv
import io
import sys
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from goodarm.cli.options import AsJson, High, Low, Margin, Threshold
from goodarm.cli.output import print_json, print_table
from goodarm.errors import SpecError, must
from goodarm.results import CheckTable

EXIT_BAD: Final = 1
EXIT_UNDECIDED: Final = 3
_STDIN: Final = "-"


def check_counts(
    counts: Annotated[str, typer.Argument(help="CSV or Parquet file; - for CSV on stdin.")],
    threshold: Threshold,
    delta: Annotated[float, typer.Option(help="The error rate allowed.")],
    control: Annotated[str, typer.Option(help="What delta limits: fwer, fdr or per-arm.")] = "fwer",
    margin: Margin = 0.0,
    rewards: Annotated[str, typer.Option(help="bernoulli or bounded.")] = "bernoulli",
    low: Low = None,
    high: High = None,
    raw: Annotated[bool, typer.Option("--raw", help="One row a reward: arm, reward.")] = False,
    column: Annotated[
        list[str] | None, typer.Option(help="pulls=NAME: the table's name of a column; repeat it.")
    ] = None,
    arms_planned: Annotated[
        int | None, typer.Option(help="Arms to be judged, if the table shows fewer.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Picture to write: .png, .svg or .pdf.")] = None,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV and nothing else.")] = False,
) -> None:
    """Label the arms of a table of counts: arm, pulls, successes.

    Exits with 0 where all arms are good, 1 where some are bad, 3 where some are undecided and none
    is bad, 2 for wrong use.
    """
    from goodarm.checking import check  # it loads compiled kernels: not for every command

    if as_json and as_csv:
        raise SpecError("The '--csv' of check prints CSV alone; leave --json out.")
    if plot is not None:
        from goodarm.report.pictures import check_picture

        check_picture(plot, "check")
    table = check(
        sys.stdin.buffer if counts == _STDIN else counts,
        threshold,
        delta,
        control=control,  # type: ignore[arg-type]
        margin=margin,
        rewards=rewards,  # type: ignore[arg-type]
        low=low,
        high=high,
        raw=raw,
        columns=_parse_columns(column or []),
        arms_planned=arms_planned,
    )
    if plot is not None:
        from goodarm.report.arms import save_arms

        save_arms(table, plot)
    if as_json:
        print_json(table.to_dict())
    elif as_csv:
        typer.echo(to_csv(table), nl=False)
    else:
        print_table(table.summary, table.header, table.rows(), left=2)
        typer.echo("\n".join(table.notes))
    raise typer.Exit(exit_code(table))


def exit_code(table: CheckTable) -> int:
    """0 all good, 1 some bad, 3 some undecided and none bad."""
    if (table.labels < 0).any():
        return EXIT_BAD
    return EXIT_UNDECIDED if (table.labels == 0).any() else 0


def to_csv(table: CheckTable) -> str:
    """All reports, in the table's order; empty cells where there is no number."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    entries: list[dict[str, Any]] = table.to_dict()["arms"]
    names = [name for name in entries[0] if name != "labelled_at"]
    writer.writerow(names)
    writer.writerows([entry[name] for name in names] for entry in entries)
    return text.getvalue()


def _parse_columns(pairs: list[str]) -> dict[str, str]:
    columns: dict[str, str] = {}
    for pair in pairs:
        meaning, equals, name = pair.partition("=")
        if not equals or not name.strip():
            raise must("--column", "check", "be written as pulls=NAME", pair)
        columns[meaning.strip()] = name.strip()
    return columns
