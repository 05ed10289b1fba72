"""CSV in chunks: UTF-8, commas, a header; every line is accounted for."""

import csv
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import IO, Any

from goodarm.checking.chunk import ROWS, Chunk, Names, check_columns, empty_table
from goodarm.errors import SpecError, must


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
        while rows := [(row, reader.line_num) for row in islice(reader, ROWS)]:
            yield _chunk(rows, source, names, header, places)
    except csv.Error as error:
        remedy = "Save the table as CSV: UTF-8 text, columns separated by commas."
        owner = f"{source}, line {reader.line_num}"
        raise SpecError(f"The text of {owner} must be CSV; {error}. {remedy}") from error


def _decoded(stream: Iterable[Any], source: str) -> Iterator[str]:
    """The lines as text; a mark of byte order at the start is left out."""
    for number, line in enumerate(stream, start=1):
        if isinstance(line, str):
            yield line
            continue
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            remedy = "Save the table as CSV in UTF-8."
            bad = line[error.start : error.start + 8]
            raise must("text", f"{source}, line {number}", "be UTF-8", bad, remedy) from error


def _chunk(
    rows: list[tuple[list[str], int]],
    source: str,
    names: Names,
    header: list[str],
    places: list[int],
) -> Chunk:
    """Rows with their line numbers, turned into columns; empty lines are left out."""
    if any(len(row) != len(header) for row, _ in rows):
        rows = [pair for pair in rows if pair[0]]
        for row, line in rows:
            if len(row) != len(header):
                rule = f"hold {len(header)} cells, as the header does"
                raise must("row", f"{source}, line {line}", rule, row)
    columns = list(zip(*(row for row, _ in rows), strict=True)) or [()] * len(header)
    arms, *numbers = (columns[place] for place in places)
    return Chunk(
        source=source,
        arms=arms,
        numbers=dict(zip(names.numbers, numbers, strict=True)),
        place=lambda row: f"line {rows[row][1]}",
        is_text=True,
    )
