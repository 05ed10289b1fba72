"""Output of commands: tables, prose and JSON. Names are plain text, never markup."""

import json
import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from goodarm.views.text import Row, TableLayout


def print_json(document: object) -> None:
    """Print JSON and nothing else; the caller has replaced not-a-number by null."""
    typer.echo(json.dumps(document, indent=2, allow_nan=False))


def say(text: str, indent: str = "", *, err: bool = False) -> None:
    """Print a text, wrapped at words on a terminal and unwrapped elsewhere."""
    for line in wrap_text(text, find_terminal_width(err=err), indent):
        typer.echo(line, err=err)


def wrap_text(text: str, width: int | None, indent: str = "") -> list[str]:
    """Return the lines of a text, wrapped at words to a width; None means no limit."""
    from goodarm.views.names import visible
    from goodarm.views.text import fold

    lines = []
    for line in text.split("\n"):
        shown = visible(line)
        parts = [shown] if width is None else fold(shown, width - len(indent))
        lines += [indent + part for part in parts]
    return lines


def say_picture(path: object, *, is_data: bool) -> None:
    """Print which picture was written; on standard error if standard output holds data."""
    from goodarm.views.names import visible

    say(f"Picture: {visible(path)}", err=is_data)


def print_table(
    title: str, header: "Row", rows: "Sequence[Row]", shape: "TableLayout | None" = None
) -> None:
    """Print a title and a table, fitted to the terminal, or at full width if there is none.

    Cells may have several lines, except those of the key columns that name a row.
    """
    if title:
        say(title)
    print_lines(format_table_lines(header, rows, find_terminal_width(), shape), is_first=not title)


def format_table_lines(
    header: "Row", rows: "Sequence[Row]", width: int | None, shape: "TableLayout | None" = None
) -> list[str]:
    """Return the lines of a table that fits a width, with control characters escaped."""
    from goodarm.views.names import visible
    from goodarm.views.text import TableLayout, fit_table

    shape = shape or TableLayout()
    cells = [
        [*map(visible, row[: shape.keys]), *map(_escape_cell, row[shape.keys :])] for row in rows
    ]
    return fit_table([*map(visible, header)], cells, shape, width)


def print_lines(lines: Sequence[str], *, is_first: bool = False) -> None:
    """Print the lines of a table with an empty line after them and, unless first, before them."""
    typer.echo("\n".join([*([] if is_first else [""]), *lines, ""]))


def _escape_cell(cell: str) -> str:
    from goodarm.views.names import visible

    return "\n".join(map(visible, cell.split("\n")))


def print_csv(text: str) -> None:
    """Print CSV and nothing else, unchanged; on a terminal, escape its control characters."""
    if sys.stdout is None:
        return
    if sys.stdout.isatty():
        from goodarm.views.names import visible

        text = "\n".join(map(visible, text.split("\n")))
    sys.stdout.write(text)
    sys.stdout.flush()


def find_terminal_width(*, err: bool = False) -> int | None:
    """Return the columns of the terminal; None, for no limit, if there is no terminal."""
    stream = sys.stderr if err else sys.stdout
    if stream is None or not stream.isatty():
        return None
    return max(shutil.get_terminal_size().columns, 20)
