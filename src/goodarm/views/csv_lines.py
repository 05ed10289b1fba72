"""CSV lines whose cells are read neither as formulas by a spreadsheet nor as several lines."""

import csv
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")


class _Echo:
    """File object whose write returns the text."""

    def write(self, text: str) -> str:
        return text


_write: Final = csv.writer(_Echo(), lineterminator="\r\n").writerow


def format_csv_line(cells: Iterable[object]) -> str:
    r"""Return one line. The writer ends lines with CR LF, so cells with either are quoted.

    >>> format_csv_line(["red", 0.5, None, "a\rb"])
    'red,0.5,,"a\rb"\n'
    """
    line: Any = _write(map(escape_formula, cells))
    return f"{line[:-2]}\n"


def format_csv_lines(columns: Mapping[str, Sequence[object]]) -> Iterator[str]:
    r"""Yield the lines of columns of the same length, their names first.

    >>> "".join(format_csv_lines({"arm": ["red", "=1"], "pulls": [3, None]}))
    "arm,pulls\nred,3\n'=1,\n"
    """
    yield format_csv_line(columns)
    yield from map(format_csv_line, zip(*columns.values(), strict=True))


def escape_formula(cell: object) -> object:
    """Return the cell; a text that a spreadsheet would run gets an apostrophe in front.

    Such a text begins with =, +, -, @, a tab or a carriage return, and is no number.

    >>> [escape_formula(cell) for cell in ("=HYPERLINK(1)", "-5", -5, "red")]
    ["'=HYPERLINK(1)", '-5', -5, 'red']
    """
    if not isinstance(cell, str) or not cell.startswith(_STARTS) or _is_number(cell):
        return cell
    return f"'{cell}"


def _is_number(text: str) -> bool:
    try:
        return "_" not in text and text == text.strip() and math.isfinite(float(text))
    except ValueError:
        return False
