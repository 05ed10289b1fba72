"""JSON lines in chunks: one object a line, its keys the columns."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from goodarm.checking.chunk import ROWS, Chunk, empty_table
from goodarm.checking.faults import Fault
from goodarm.checking.form import Reading
from goodarm.checking.headers import Header, find_columns
from goodarm.checking.textfile import Lines
from goodarm.errors import must

OPENING: Final = "{"


def read_json(lines: Lines, reading: Reading) -> Iterator[Chunk]:
    """The rows of a text in which each line is a JSON object."""
    header: Header | None = None
    while some := list(islice(lines, ROWS)):
        first = lines.number - len(some) + 1
        rows: list[dict[str, Any]] = []
        numbers: list[int] = []
        faults: list[Fault] = []
        for number, line in enumerate(some, start=first):
            if not line.strip():
                continue
            row = _parse(line)
            if header is None:
                if row is None:
                    raise _not_json(lines.source, number, line).error()
                header = find_columns(lines.source, reading.form, list(row))
                if header.note:
                    reading.note(header.note)
            lacking = [] if row is None else [k for k in header.names.values() if k not in row]
            if row is None:
                faults.append(_not_json(lines.source, number, line))
            elif lacking:
                place = f"{lines.source}, line {number}"
                rule = f"hold {', '.join(map(repr, lacking))}"
                faults.append(Fault(number, place, "keys", rule, list(row)))
            else:
                rows.append(row)
                numbers.append(number)
        if header is not None:
            yield _chunk(lines.source, header, rows, numbers, faults)
    if header is None:
        raise empty_table(lines.source)


def _parse(line: str) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def _not_json(source: str, number: int, line: str) -> Fault:
    return Fault(number, f"{source}, line {number}", "text", "be a JSON object", line.strip()[:200])


def _chunk(
    source: str,
    header: Header,
    rows: list[dict[str, Any]],
    numbers: list[int],
    faults: list[Fault],
) -> Chunk:
    columns = {meaning: [row[name] for row in rows] for meaning, name in header.names.items()}
    arms = columns.pop("arm")
    return Chunk(
        source, arms, columns, header.names, numbers, word="line", is_text=True, faults=faults
    )


def is_list(line: str) -> bool:
    """Whether a text starts as one long JSON list, which is not read."""
    return line.lstrip().startswith("[")


def refuse_list(source: str) -> Exception:
    """The error for such a text."""
    return must(
        "text", source, "be JSON lines, one object a line", "[", "Write each row on a line."
    )
