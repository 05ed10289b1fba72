"""A checked table as CSV, harmless where a spreadsheet opens it."""

import csv
import io
import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from goodarm.results.names import printable

if TYPE_CHECKING:
    from goodarm.results import CheckTable

_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins with one of these is run as a formula by spreadsheets."""


def to_csv(table: "CheckTable", positions: Sequence[int]) -> str:
    """The reports of these rows; empty cells where there is no number."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    entries: list[dict[str, Any]] = table.to_dict()["arms"]
    names = [name for name in entries[0] if name != "labelled_at"]
    writer.writerow(names)
    for position in positions:
        writer.writerow([harmless(entries[position][name]) for name in names])
    return text.getvalue()


def print_csv(text: str) -> None:
    """CSV and nothing else, as it is; on a terminal what would steer it is written out."""
    if sys.stdout is None:
        return
    if sys.stdout.isatty():
        text = "\n".join(map(printable, text.split("\n")))
    sys.stdout.write(text)
    sys.stdout.flush()


def harmless(cell: object) -> object:
    """A cell that no spreadsheet takes for a formula; numbers stay as they are.

    >>> harmless("=1+1"), harmless("-5"), harmless(-0.5)
    ("'=1+1", '-5', -0.5)
    """
    if isinstance(cell, str) and cell.startswith(_STARTS) and not _is_number(cell):
        return f"'{cell}"
    return cell


def _is_number(text: str) -> bool:
    try:
        return "_" not in text and text == text.strip() and math.isfinite(float(text))
    except ValueError:
        return False
