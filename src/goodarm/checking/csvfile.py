"""CSV in chunks: the separator is found, and every line is accounted for."""

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

import numpy as np

from goodarm.checking.chunk import ROWS, Chunk, empty_table
from goodarm.checking.faults import Fault
from goodarm.checking.form import SEPARATORS, Form, Reading
from goodarm.checking.headers import Header, find_columns
from goodarm.checking.textfile import Lines, Start
from goodarm.errors import Hint, SpecError, must

_MOST_HEADER_LINES: Final = 50
_BREAK: Final = re.compile("\r\n|\r|\n")
_NAMES: Final = {"\t": "tabs", ",": "commas"}


def read_csv(lines: Lines, start: Start, reading: Reading) -> Iterator[Chunk]:
    """The rows of a CSV text, some at a time."""
    source, form = lines.source, reading.form
    sep, names, header = _find_header(lines, start, form)
    if sep != "," and form.sep is None:
        reading.note(f"columns separated by {_NAMES.get(sep, repr(sep))}")
    if header.note:
        reading.note(header.note)
    places = {meaning: names.index(name) for meaning, name in header.names.items()}
    first = lines.number
    rows = _Rows(lines, sep, len(names), reading)
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


def _find_header(lines: Lines, start: Start, form: Form) -> tuple[str, list[str], Header]:
    """The separator under which all columns are there, the cells of the header, and the columns."""
    text = _whole_row(lines)
    given = form.sep or start.sep
    signs = (given,) if given else (",",) if form.strict else SEPARATORS
    tried = {sep: _cells(text, sep, lines.source) for sep in signs}
    found: list[tuple[str, list[str], Header]] = []
    errors: dict[str, SpecError] = {}
    for sep, cells in tried.items():
        try:
            found.append((sep, cells, find_columns(lines.source, form, cells)))
        except SpecError as error:
            errors[sep] = error
    if len(found) == 1:
        return found[0]
    if not found:
        raise errors[max(errors, key=lambda sep: len(tried[sep]))]
    hint = Hint("Say which: sep=','.", "Say which: --sep ','.")
    rule = f"be separated by one sign, not by {' or '.join(repr(sep) for sep, _, _ in found)}"
    raise must("columns", lines.source, rule, text.strip(), hint)


def _whole_row(lines: Lines) -> str:
    """The header; a quoted name may run over several lines."""
    text = ""
    for line in islice(lines, _MOST_HEADER_LINES):
        text += line
        if text.count('"') % 2 == 0:
            break
    return text


def _cells(text: str, sep: str, source: str) -> list[str]:
    try:
        row = next(csv.reader(text.splitlines(keepends=True), delimiter=sep), [])
    except csv.Error as error:
        raise _not_csv(source, 1, error) from error
    return [name.strip() for name in row]


def _not_csv(source: str, line: int, error: csv.Error) -> SpecError:
    remedy = "Save the table as CSV, with quotes around cells that hold separators."
    return SpecError(f"The text of {source}, line {line} must be CSV; {error}. {remedy}")


class _Rows:
    """Rows turned into columns, some at a time; ``lines`` are those on which they start.

    Blank lines and remarks are left out. Rows that are too long or too short are ``faults``.
    """

    def __init__(self, lines: Lines, sep: str, width: int, reading: Reading) -> None:
        self.lines: Sequence[int] = ()
        self._text, self._width, self._reading = lines, width, reading
        self.faults: list[Fault] = []
        self._reader = csv.reader(lines, delimiter=sep, strict=True)
        self._remark = reading.form.remark

    def take(self) -> list[Sequence[str]] | None:
        """The next columns; None at the end."""
        before = self._text.number
        try:
            rows = list(islice(self._reader, ROWS))
        except csv.Error as error:
            raise _not_csv(self._text.source, self._text.number, error) from error
        if not rows:
            return None
        self.faults = []
        starts = self._starts(rows, before)
        if self._is_even(rows):
            self.lines = starts
        else:
            kept = [k for k, row in enumerate(rows) if self._is_row(row, starts[k])]
            rows, self.lines = [rows[k] for k in kept], [starts[k] for k in kept]
        return list(zip(*rows, strict=True)) or [()] * self._width

    def _is_even(self, rows: list[list[str]]) -> bool:
        """Nothing but rows of the right length, none of which might be a remark."""
        if set(map(len, rows)) != {self._width}:
            return False
        return not self._remark or not any(row[0].startswith(self._remark) for row in rows)

    def _starts(self, rows: list[list[str]], before: int) -> Sequence[int]:
        """The line on which each row starts; cells may hold line breaks."""
        if self._text.number - before == len(rows):
            return range(before + 1, self._text.number + 1)
        breaks = [sum(_breaks(cell) for cell in row) for row in rows]
        ends = np.cumsum([count + 1 for count in breaks])
        return [before + 1, *(before + 1 + ends[:-1]).tolist()]

    def _is_row(self, row: list[str], line: int) -> bool:
        """Whether it counts; a remark does not, and what might be either is a fault."""
        if not row or (len(row) == 1 and not row[0].strip()):
            return False
        remark = self._remark
        if remark and row[0].startswith(remark):
            if self._reading.form.comment is not None or len(row) != self._width:
                self._reading.note("remarks left out")
                return False
            hint = Hint(
                f"Say which: comment={remark!r} for a remark, comment='' for a row.",
                f"Say which: --comment '{remark}' for a remark, --comment '' for a row.",
            )
            rule = f"be a row or a remark; it begins with {remark!r}"
            self._fault(line, rule, row, hint)
            return False
        if len(row) != self._width:
            self._fault(line, f"hold {self._width} cells, as the header does", row)
            return False
        return True

    def _fault(self, line: int, rule: str, row: list[str], hint: str | Hint = "") -> None:
        place = f"{self._text.source}, line {line}"
        self.faults.append(Fault(line, place, "row", rule, row, hint))


def _breaks(cell: str) -> int:
    return len(_BREAK.findall(cell))
