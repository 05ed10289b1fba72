"""How commands speak: tables, prose and JSON. Names are text: nothing in them is markup."""

import json
import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from goodarm.views.text import Row, Shape


def print_json(document: object) -> None:
    """JSON and nothing else; not-a-number becomes null before it comes here."""
    typer.echo(json.dumps(document, indent=2, allow_nan=False))


def say(text: str, indent: str = "", *, err: bool = False) -> None:
    """A text: broken at words where it meets the edge of a terminal, in one piece elsewhere."""
    for line in folded(text, width_of(err=err), indent):
        typer.echo(line, err=err)


def folded(text: str, width: int | None, indent: str = "") -> list[str]:
    """The lines of a text, broken at words where they are wider than a terminal."""
    from goodarm.views.names import visible
    from goodarm.views.text import fold

    lines = []
    for line in text.split("\n"):
        shown = visible(line)
        parts = [shown] if width is None else fold(shown, width - len(indent))
        lines += [indent + part for part in parts]
    return lines


def say_picture(path: object, *, is_data: bool) -> None:
    """Which picture was written; on standard error where standard output is data."""
    from goodarm.views.names import visible

    say(f"Picture: {visible(path)}", err=is_data)


def print_table(
    title: str, header: "Row", rows: "Sequence[Row]", shape: "Shape | None" = None
) -> None:
    """A table below its title, fitted to the terminal; as wide as it is where there is none.

    Cells may have lines, but for those that say what a row is.
    """
    if title:
        say(title)
    print_lines(table_lines(header, rows, width_of(), shape), is_first=not title)


def table_lines(
    header: "Row", rows: "Sequence[Row]", width: int | None, shape: "Shape | None" = None
) -> list[str]:
    """The lines of a table that fits a terminal; signs that would steer it are written out."""
    from goodarm.views.names import visible
    from goodarm.views.text import Shape, fit

    shape = shape or Shape()
    cells = [
        [*map(visible, row[: shape.keys]), *map(_visible_lines, row[shape.keys :])] for row in rows
    ]
    return fit([*map(visible, header)], cells, shape, width)


def print_lines(lines: Sequence[str], *, is_first: bool = False) -> None:
    """Lines of a table, with an empty one after and, unless they come first, before."""
    typer.echo("\n".join([*([] if is_first else [""]), *lines, ""]))


def _visible_lines(cell: str) -> str:
    from goodarm.views.names import visible

    return "\n".join(map(visible, cell.split("\n")))


def print_csv(text: str) -> None:
    """CSV and nothing else, as it is; on a terminal what would steer it is written out."""
    if sys.stdout is None:
        return
    if sys.stdout.isatty():
        from goodarm.views.names import visible

        text = "\n".join(map(visible, text.split("\n")))
    sys.stdout.write(text)
    sys.stdout.flush()


def width_of(*, err: bool = False) -> int | None:
    """The columns of the terminal; None where there is none, and so no limit."""
    stream = sys.stderr if err else sys.stdout
    if stream is None or not stream.isatty():
        return None
    return max(shutil.get_terminal_size().columns, 20)
