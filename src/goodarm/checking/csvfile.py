"""CSV in chunks: UTF-8, commas, a header; every line is accounted for."""

import codecs
import csv
from collections.abc import Iterator
from itertools import islice
from typing import IO, Any, Final

from goodarm.checking.chunk import ROWS, Chunk, Names, check_columns, empty_table
from goodarm.errors import SpecError, must

_BYTES: Final = 1 << 20


def read_csv(stream: IO[Any], source: str, names: Names) -> Iterator[Chunk]:
    """The rows of a CSV stream, some at a time."""
    reader = csv.reader(_decoded(stream, source), strict=True)
    try:
        header = next((row for row in reader if row), None)
        if header is None:
            raise empty_table(source)
        header = [name.strip() for name in header]
        check_columns(source, names, header)
        places = [header.index(name) for name in names.all]
        start = line = reader.line_num
        while rows := list(islice(reader, ROWS)):
            yield _chunk(rows, line, source, names, header, places)
            line = reader.line_num
        if line == start:
            raise empty_table(source)
    except csv.Error as error:
        remedy = "Save the table as CSV: UTF-8 text, columns separated by commas."
        owner = f"{source}, line {reader.line_num}"
        raise SpecError(f"The text of {owner} must be CSV; {error}. {remedy}") from error


def _decoded(stream: IO[Any], source: str) -> Iterator[str]:
    """The lines as text; a mark of byte order at the start is left out."""
    before = 0
    while lines := stream.readlines(_BYTES):
        if isinstance(lines[0], str):
            yield from lines
            continue
        if before == 0:
            lines[0] = lines[0].removeprefix(codecs.BOM_UTF8)
        try:
            texts = [line.decode() for line in lines]
        except UnicodeDecodeError:
            raise _not_text(lines, source, before) from None
        yield from texts
        before += len(lines)


def _not_text(lines: list[bytes], source: str, before: int) -> SpecError:
    """The error for the first line that is not UTF-8."""
    for number, line in enumerate(lines, start=before + 1):
        try:
            line.decode()
        except UnicodeDecodeError as error:
            bad = line[error.start : error.start + 8]
            remedy = "Save the table as CSV in UTF-8."
            return must("text", f"{source}, line {number}", "be UTF-8", bad, remedy)
    raise AssertionError("one of the lines is not UTF-8")


def _chunk(
    rows: list[list[str]],
    before: int,
    source: str,
    names: Names,
    header: list[str],
    places: list[int],
) -> Chunk:
    """Rows turned into columns; empty lines are left out."""
    width = len(header)
    cells = rows
    if set(map(len, rows)) != {width}:
        for row, found in enumerate(rows):
            if found and len(found) != width:
                rule = f"hold {width} cells, as the header does"
                raise must("row", f"{source}, line {_line(rows, row, before)}", rule, found)
        cells = [row for row in rows if row]

    def place(row: int) -> str:
        filled = [position for position, found in enumerate(rows) if found]
        return f"line {_line(rows, filled[row], before)}"

    columns = list(zip(*cells, strict=True)) or [()] * width
    arms, *numbers = (columns[position] for position in places)
    return Chunk(
        source=source,
        arms=arms,
        numbers=dict(zip(names.numbers, numbers, strict=True)),
        place=place,
        is_text=True,
    )


def _line(rows: list[list[str]], row: int, before: int) -> int:
    """The line on which a row starts; cells may hold line breaks."""
    breaks = sum(cell.count("\n") for found in rows[:row] for cell in found)
    return before + row + 1 + breaks
