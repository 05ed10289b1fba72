"""Workbook reader (.xlsx and similar), which uses python-calamine."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from goodarm.errors import invalid_argument, invalid_choice
from goodarm.tables.chunks import Chunk, empty_table
from goodarm.tables.headers import find_columns
from goodarm.tables.optional_formats import import_library, is_library_error, make_unreadable_error
from goodarm.tables.read_options import Reading
from goodarm.wording import Arg, ErrorPlace, phrase

ENDINGS: Final = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")


def read_workbook(path: Path, reading: Reading) -> Iterator[Chunk]:
    """Yield the rows of the only sheet that is filled, or of the one that was named."""
    calamine = import_library(path, "python_calamine", "excel")
    source = str(path)
    try:
        with calamine.load_workbook(path) as book:
            sheets = {
                name: book.get_sheet_by_name(name).to_python(skip_empty_area=False)
                for name in book.sheet_names
            }
    except BaseException as error:
        if not is_library_error(error):
            raise
        what = f"The file {source!r} must be a workbook"
        raise make_unreadable_error(what, source, error, end=".") from None
    filled = {name: rows for name, rows in sheets.items() if any(map(_is_filled, rows))}
    name = _choose(filled, sheets, source, reading)
    if len(sheets) > 1 and reading.form.sheet is None:
        reading.note(f"sheet {name!r}")
    yield from _read_rows(
        sheets[name], f"{source}, sheet {name!r}" if len(sheets) > 1 else source, reading
    )


def _choose(filled: dict[str, Any], sheets: dict[str, Any], source: str, reading: Reading) -> str:
    wanted = reading.form.sheet
    if wanted is not None:
        if wanted in sheets:
            return wanted
        alike = [name for name in sheets if _format_cell(name) == _format_cell(wanted)]
        if len(alike) == 1:
            return alike[0]
        raise invalid_choice("sheet", "check", sheets, wanted)
    if len(filled) == 1:
        return next(iter(filled))
    if not filled:
        raise empty_table(source)
    name = next(iter(filled))
    remedy = phrase("Choose one: {sheet}.", sheet=Arg("sheet", name))
    rule = "have one sheet that is not empty"
    raise invalid_argument("workbook", "check", rule, list(filled), remedy, ErrorPlace(source))


def _format_cell(name: str) -> str:
    return name.strip().casefold()


def _is_filled(row: Sequence[Any]) -> bool:
    return any(cell is not None and str(cell).strip() for cell in row)


def _read_rows(rows: Sequence[Sequence[Any]], source: str, reading: Reading) -> Iterator[Chunk]:
    numbers = [k for k, row in enumerate(rows, start=1) if _is_filled(row)]
    if not numbers:
        raise empty_table(source)
    head, *body = numbers
    names = [str(cell).strip() for cell in rows[head - 1]]
    header = find_columns(source, reading, names)
    if not body:
        raise empty_table(source)
    columns = {
        meaning: [rows[k - 1][names.index(name)] for k in body]
        for meaning, name in header.names.items()
    }
    arms = [_label(arm) for arm in columns.pop("arm")]
    yield Chunk(source, arms, columns, header.names, body, is_text=True)


def _label(arm: Any) -> Any:
    """Convert a float that is whole to an int, as a workbook has no integers."""
    return int(arm) if isinstance(arm, float) and arm.is_integer() else arm
