"""Lists of rows: dicts, tuples or lists, with or without a row of column names."""

from collections.abc import Iterator, Mapping, Sequence
from numbers import Real
from typing import Any, Final

from goodarm.errors import invalid_argument
from goodarm.tables.chunks import Chunk, empty_table
from goodarm.tables.engines import make_row_chunk
from goodarm.tables.headers import ColumnMatch, find_columns
from goodarm.tables.read_options import Reading
from goodarm.wording import Arg, EdgeText, ErrorPlace, Phrase, phrase

_LIST: Final = "the list"
"""Source of rows that were given in Python, not read from a JSON file."""
_ONE_ARM: Final = EdgeText(
    "python",
    phrase("Rewards of one arm are a dict, {{'NAME': [...]}}, with {raw}.", raw=Arg("raw", True)),
)


def from_rows(table: Sequence[Any], reading: Reading, source: str = _LIST) -> Iterator[Chunk]:
    """Yield the rows of a list of dicts, named tuples, tuples or lists."""
    if not table:
        raise empty_table(source)
    dicts = [row for row in map(_as_dict, table) if row is not None]
    if len(dicts) == len(table):
        names = list(dict.fromkeys(name for row in dicts for name in row))
        rows = [[row.get(name) for name in names] for row in dicts]
        yield _read_named_rows(source, names, rows, reading)
        return
    if not all(_is_row(row) for row in table):
        shape = ", ".join(reading.form.meanings)
        if source != _LIST:
            rule, place = f"be objects, or lists such as [{shape}]", ErrorPlace(source)
            raise invalid_argument("rows", "check", rule, list(table), place=place)
        rule = f"have rows: dicts, or tuples such as ({shape})"
        remedy = Phrase((_ONE_ARM,)) if all(isinstance(cell, Real) for cell in table) else ""
        raise invalid_argument("counts", "check", rule, list(table), remedy)
    widths = {len(row) for row in table}
    if len(widths) > 1:
        rule = "have rows of the same length"
        raise invalid_argument("counts", "check", rule, sorted(widths), place=ErrorPlace(source))
    yield _read_unnamed_rows(source, table, widths.pop(), reading)


def _as_dict(row: Any) -> dict[str, Any] | None:
    """Return a row that has names: a dict, a named tuple, or a row of a database."""
    if hasattr(row, "_asdict"):
        row = row._asdict()
    if not isinstance(row, Mapping) and not hasattr(row, "keys"):
        return None
    return {str(name): row[name] for name in row.keys()}  # noqa: SIM118  not all are dicts


def _is_row(row: object) -> bool:
    return isinstance(row, Sequence) and not isinstance(row, str | bytes)


def _read_named_rows(
    source: str,
    names: Sequence[str],
    rows: Sequence[Sequence[Any]],
    reading: Reading,
    first: int = 0,
) -> Chunk:
    """Return rows whose columns have names."""
    header = find_columns(source, reading, names)
    if not rows:
        raise empty_table(source)
    columns = {
        meaning: [row[names.index(name)] for row in rows] for meaning, name in header.names.items()
    }
    arms = columns.pop("arm")
    return make_row_chunk(source, arms, columns, header.names, first)


def _read_unnamed_rows(
    source: str, rows: Sequence[Sequence[Any]], width: int, reading: Reading
) -> Chunk:
    """Return rows of cells: the first may hold the names, else the documented order is meant."""
    form = reading.form
    head = [str(name).strip() for name in rows[0]]
    has_head = all(isinstance(name, str) for name in rows[0])
    if has_head and ColumnMatch(source, form, head).header is not None:
        return _read_named_rows(source, head, rows[1:], reading, first=1)
    if form.columns or form.wide is not None or form.unit is not None:
        return _read_named_rows(source, [str(place) for place in range(width)], rows, reading)
    numbers = form.meanings[1:]
    columns_named = {meaning: meaning for meaning in form.meanings}
    if width == len(form.meanings):
        arms, *columns = (list(column) for column in zip(*rows, strict=True))
        reading.note(f"read each row as ({', '.join(form.meanings)})")
    elif form.is_counts and width == len(numbers) and not isinstance(rows[0][0], str):
        arms, columns = list(range(len(rows))), [list(c) for c in zip(*rows, strict=True)]
        reading.note(f"read each row as ({', '.join(numbers)}), arms numbered from 0")
    else:
        rule = f"have rows of {', '.join(form.meanings)}"
        remedy = phrase(
            "Put the names of the columns into the first row, or say which they are: {columns}.",
            columns=Arg("columns", {"arm": "0", ...: ...}),
        )
        raise invalid_argument("counts", "check", rule, tuple(rows[0]), remedy, ErrorPlace(source))
    return make_row_chunk(source, arms, dict(zip(numbers, columns, strict=True)), columns_named)
