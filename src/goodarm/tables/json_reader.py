"""JSON lines reader, in chunks: one object per line, whose keys are the columns."""

import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any, Final

from goodarm.arguments import reject_duplicate_keys
from goodarm.errors import invalid_argument
from goodarm.tables.cases import is_case
from goodarm.tables.chunks import CHUNK_ROWS, Chunk, empty_table
from goodarm.tables.headers import ColumnMatch, Header, find_columns
from goodarm.tables.read_options import Reading
from goodarm.tables.table_errors import Fault
from goodarm.tables.text_reader import LineReader
from goodarm.wording import ErrorPlace, Function, Text, phrase

OPENING: Final = "{"
_REMEDY: Final = phrase(
    "To read the log of another tool, use {read}.", read=Function("goodarm.read_logs")
)


def read_json(lines: LineReader, reading: Reading) -> Iterator[Chunk]:
    """Yield the rows of text in which each line is a JSON object."""
    rows = _Objects(lines.source, reading)
    while chunk_lines := list(islice(lines, CHUNK_ROWS)):
        first = lines.number - len(chunk_lines) + 1
        rows.start()
        for number, line in enumerate(chunk_lines, start=first):
            if line.strip():
                rows.add(number, line)
        if rows.header is not None:
            yield _chunk(lines.source, rows.header, rows.rows, rows.numbers, rows.faults)
    if rows.header is None:
        raise empty_table(lines.source)


class _Objects:
    """Rows from lines of JSON, whose keys must mean the same in every line."""

    def __init__(self, source: str, reading: Reading) -> None:
        self.header: Header | None = None
        self._source, self._reading = source, reading
        self._known: set[tuple[str, ...]] = set()
        self.start()

    def start(self) -> None:
        """Begin a new chunk."""
        self.rows: list[dict[str, Any]] = []
        self.numbers: list[int] = []
        self.faults: list[Fault] = []

    def add(self, number: int, line: str) -> None:
        """Add a line as a row, or as a fault."""
        row, wrong = _parse(line)
        if row is None:
            fault = self._make_fault(number, "text", wrong, line.strip()[:200], _REMEDY)
            if self.header is None:
                raise fault.error()
            self.faults.append(fault)
        elif self._has_same_columns(number, row):
            self.rows.append(row)
            self.numbers.append(number)

    def _make_fault(
        self, number: int, argument: str, rule: str, value: object, remedy: Text = ""
    ) -> Fault:
        place = ErrorPlace(self._source, line=number)
        return Fault(number, place, argument, rule, value, remedy, unit="lines")

    def _has_same_columns(self, number: int, row: dict[str, Any]) -> bool:
        keys = tuple(row)
        if keys in self._known:
            return True
        if self.header is None:
            self.header = find_columns(self._source, self._reading, keys)
        needed = _find_needed_columns(self.header)
        lacking = [name for name in needed.values() if name not in row]
        rule = (
            f"include {', '.join(map(repr, lacking))}"
            if lacking
            else self._describe_difference(keys)
        )
        if rule:
            self.faults.append(self._make_fault(number, "keys", rule, list(keys)))
            return False
        self._known.add(keys)
        return True

    def _describe_difference(self, keys: tuple[str, ...]) -> str:
        """Return the rule that keys break if they do not match the first line's; else nothing."""
        first = self.header
        found = ColumnMatch(self._source, self._reading.form, keys).header
        if (
            found is None
            or first is None
            or _find_needed_columns(found) != _find_needed_columns(first)
        ):
            return "be the same as in the first line"
        return ""


def _find_needed_columns(header: Header) -> dict[str, str]:
    """Return the columns that every line must have; cases are optional."""
    return {meaning: name for meaning, name in header.names.items() if not is_case(meaning)}


def _parse(line: str) -> tuple[dict[str, Any] | None, str]:
    """Parse the object on a line; if that fails, return None and the rule it breaks."""
    rule = "be a JSON object, one per line"
    try:
        row = json.loads(line, object_pairs_hook=reject_duplicate_keys)
    except (json.JSONDecodeError, RecursionError):
        return None, rule
    except ValueError as error:  # a duplicate key, a number of thousands of digits
        return None, f"{rule}; {error}"
    return (row, "") if isinstance(row, dict) else (None, rule)


def _chunk(
    source: str,
    header: Header,
    rows: list[dict[str, Any]],
    numbers: list[int],
    faults: list[Fault],
) -> Chunk:
    columns = {meaning: [row.get(name) for row in rows] for meaning, name in header.names.items()}
    arms = columns.pop("arm")
    return Chunk(
        source, arms, columns, header.names, numbers, word="line", is_text=True, faults=faults
    )


def read_list(lines: LineReader, reading: Reading) -> list[Any]:
    """Parse text that is one JSON list; if only the documented form is read, refuse it."""
    rows = None
    if not reading.form.strict:
        with suppress(ValueError, RecursionError):  # such as a duplicate key, or no end
            rows = json.loads("".join(lines), object_pairs_hook=reject_duplicate_keys)
    if isinstance(rows, list):
        return rows
    rule = "be a list of JSON objects, or JSON lines, one object per line"
    if reading.form.strict:
        rule = "be JSON lines, one object per line"
    raise invalid_argument("text", "check", rule, "[", _REMEDY, ErrorPlace(lines.source))
