"""CSV reader, in chunks: it detects the separator and accounts for every line."""

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

import numpy as np

from goodarm.errors import SpecError, invalid_argument
from goodarm.tables.chunks import CHUNK_ROWS, Chunk, empty_table
from goodarm.tables.headers import ColumnMatch, Header
from goodarm.tables.read_options import SEPARATORS, Reading, ReadOptions
from goodarm.tables.table_errors import Fault
from goodarm.tables.text_reader import FirstLine, LineReader
from goodarm.wording import Arg, ErrorPlace, Text, join, phrase

_MAX_HEADER_LINES: Final = 50
_BREAK: Final = re.compile("\r\n|\r|\n")
_FRAME: Final = re.compile(r"[-+=|: ─┼│]*[-=─][-+=|: ─┼│]*|\(\d+ rows?\)")
"""Pattern of the rules and footers that SQL clients draw around a table."""
_NAMES: Final = {"\t": "tabs", ",": "commas"}


def read_csv(lines: LineReader, start: FirstLine, reading: Reading) -> Iterator[Chunk]:
    """Yield the rows of CSV text, in chunks."""
    source, form = lines.source, reading.form
    sep, names, header = _find_header(lines, start, form)
    if sep != "," and form.sep is None:
        reading.note(f"columns separated by {_NAMES.get(sep, repr(sep))}")
    if header.note:
        reading.note(header.note)
    places = {meaning: names.index(name) for meaning, name in header.names.items()}
    first = lines.number
    rows = _CsvRows(lines, sep, len(names), reading)
    while (columns := rows.take()) is not None:
        arms, *numbers = (columns[position] for position in places.values())
        yield Chunk(
            source=source,
            arms=arms,
            numbers=dict(zip(list(places)[1:], numbers, strict=True)),
            columns=header.names,
            lines=rows.lines,
            word="line",
            is_text=True,
            faults=rows.faults,
        )
    if lines.number == first:
        raise empty_table(source)


def _find_header(
    lines: LineReader, start: FirstLine, form: ReadOptions
) -> tuple[str, list[str], Header]:
    """Return the separator with which all columns are found, the header's cells, the columns."""
    given = form.sep or start.sep
    signs = (given,) if given else (",",) if form.strict else SEPARATORS
    tried = {sep: _read_first_row(lines, sep, form) for sep in signs}
    matches: dict[tuple[str, ...], ColumnMatch] = {}  # absent separators give the same cells
    for cells, _ in tried.values():
        if tuple(cells) not in matches:
            matches[tuple(cells)] = ColumnMatch(lines.source, form, cells)
    headers = {sep: matches[tuple(cells)].header for sep, (cells, _) in tried.items()}
    found = [(sep, header) for sep, header in headers.items() if header is not None]
    if not found:
        wrong = matches[max(matches, key=len)].error()
        raise _add_remark(wrong, form) if start.has_remarks else wrong
    if len(found) > 1:
        remedy = phrase("Choose one: {sep}.", sep=Arg("sep", ","))
        rule = f"be separated by one character, not by {' or '.join(repr(sep) for sep, _ in found)}"
        line = start.line.strip()
        raise invalid_argument("columns", "check", rule, line, remedy, ErrorPlace(lines.source))
    ((sep, header),) = found
    cells, num_lines = tried[sep]
    for _ in range(num_lines):
        next(lines)
    return sep, cells, header


def _add_remark(error: SpecError, form: ReadOptions) -> SpecError:
    more = phrase(
        "If the header is the line that begins with {remark}, {pass} {comment}.",
        remark=repr(form.remark),
        comment=Arg("comment", ""),
    )
    return error.replace_fields(remedy=join(error.remedy, more))


def _read_first_row(lines: LineReader, sep: str, form: ReadOptions) -> tuple[list[str], int]:
    """Return the cells of the header and its number of lines; give the lines back."""
    taken: list[str] = []

    def some() -> Iterator[str]:
        for line in islice(lines, _MAX_HEADER_LINES):
            taken.append(line)
            yield line

    try:
        row = next(csv.reader(some(), delimiter=sep, skipinitialspace=not form.strict), [])
    except csv.Error as error:
        raise _make_csv_error(lines.source, lines.number, error) from error
    finally:
        for line in reversed(taken):
            lines.give_back(line)
    if len(taken) == _MAX_HEADER_LINES:
        row = [taken[0].strip()]  # a quote that never ends: no header
    return [name.strip() for name in row], len(taken)


def _make_csv_error(source: str, line: int, error: csv.Error) -> SpecError:
    place = ErrorPlace(source, line=line)
    return SpecError(
        f"The text of {place} must be CSV; {error}.",
        argument="text",
        owner="check",
        rule="be CSV",
        remedy="Save the table as CSV, with quotes around cells that contain separators.",
        place=place,
    )


class _CsvRows:
    """Rows converted to columns, chunk by chunk; ``lines`` are those on which rows start.

    Blank lines and comments are left out. Rows that are too long or too short are ``faults``.
    """

    def __init__(self, lines: LineReader, sep: str, width: int, reading: Reading) -> None:
        self.lines: Sequence[int] = ()
        self._text, self._width, self._reading = lines, width, reading
        self.faults: list[Fault] = []
        form = reading.form
        self._start = lines.number
        self._reader = csv.reader(
            lines.rest(), delimiter=sep, strict=True, skipinitialspace=not form.strict
        )
        self._sep = sep
        self._remark = form.remark

    def take(self) -> list[Sequence[str]] | None:
        """Return the columns of the next chunk; None at the end."""
        before = self._text.number
        try:
            rows = list(islice(self._reader, CHUNK_ROWS))
        except csv.Error as error:
            self._text.number = self._start + self._reader.line_num
            raise _make_csv_error(self._text.source, self._text.number, error) from error
        except UnicodeError as error:
            self._text.number = self._start + self._reader.line_num
            raise self._text.make_encoding_error(error) from None
        self._text.number = self._start + self._reader.line_num
        if not rows:
            return None
        self.faults = []
        starts = self._find_starts(rows, before)
        if self._is_even(rows) and len(starts) == self._text.number - before:
            self.lines = starts
        else:
            kept_rows = [k for k, row in enumerate(rows) if self._is_row(row, starts[k])]
            rows, self.lines = [rows[k] for k in kept_rows], [starts[k] for k in kept_rows]
        return list(zip(*rows, strict=True)) or [()] * self._width

    def _is_even(self, rows: list[list[str]]) -> bool:
        """Return whether all rows have the right length, and none may be a comment or blank."""
        if set(map(len, rows)) != {self._width}:
            return False
        firsts = [row[0] for row in rows]
        if "" in firsts:
            return False
        return not self._remark or f"\n{self._remark}" not in "\n".join(["", *firsts])

    def _find_starts(self, rows: list[list[str]], before: int) -> Sequence[int]:
        """Return the line on which each row starts; cells may hold line breaks."""
        if self._text.number - before == len(rows):
            return range(before + 1, self._text.number + 1)
        breaks = [sum(_count_line_breaks(cell) for cell in row) for row in rows]
        ends = np.cumsum([count + 1 for count in breaks])
        return [before + 1, *(before + 1 + ends[:-1]).tolist()]

    def _is_row(self, row: list[str], line: int) -> bool:
        """Return whether a line is a row, not a comment; if it may be either, add a fault."""
        if not any(cell.strip() for cell in row):
            return False
        if self._remark and row[0].startswith(self._remark):
            return self._skip_remark(row, line)
        is_frame = not self._reading.form.strict and _FRAME.fullmatch("".join(row).strip())
        if is_frame and len(row) in (1, self._width):
            self._reading.note("skipped lines that only draw the table")
            return False
        if len(row) != self._width:
            self._add_fault(line, f"have {self._width} cells, as the header has", row)
            return False
        if any(map(_count_line_breaks, row)) and self._can_be_rows(row):
            rule = "have its quotes in pairs; otherwise several lines become one row"
            self._add_fault(line, rule, row, "Inside a quoted cell, write a quote twice.")
            return False
        return True

    def _can_be_rows(self, row: list[str]) -> bool:
        """Return whether each line of a multi-line row would be a valid row by itself."""
        parts = _BREAK.split(self._sep.join(row))
        return all(part.count(self._sep) + 1 == self._width for part in parts)

    def _skip_remark(self, row: list[str], line: int) -> bool:
        """Skip a comment; add a fault if it may be a row, or its quotes have swallowed rows."""
        remark = self._remark
        if any(map(_count_line_breaks, row)):
            self._add_fault(
                line, "be a comment on one line, without a quote that opens a cell", row
            )
        elif self._reading.form.comment is None and len(row) == self._width:
            remedy = phrase(
                "If it is a comment, {pass} {remark}; if it is a row, {pass} {row}.",
                remark=Arg("comment", remark),
                row=Arg("comment", ""),
            )
            rule = f"be clearly a row or a comment; it begins with {remark!r}"
            many = f"must be clearly rows or comments; they begin with {remark!r}"
            self._add_fault(line, rule, row, remedy, many)
        else:
            self._reading.remarks.append(line)
        return False

    def _add_fault(
        self, line: int, rule: str, row: list[str], remedy: Text = "", many: str = ""
    ) -> None:
        place = ErrorPlace(self._text.source, line=line)
        self.faults.append(Fault(line, place, "row", rule, row, remedy, many=many, unit="rows"))


def _count_line_breaks(cell: str) -> int:
    return len(_BREAK.findall(cell))
