"""A checked table as CSV, harmless where a spreadsheet opens it."""

import csv
import io
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from goodarm.results.csvcells import harmless
from goodarm.results.names import visible

if TYPE_CHECKING:
    from goodarm.results import CheckTable


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
        text = "\n".join(map(visible, text.split("\n")))
    sys.stdout.write(text)
    sys.stdout.flush()
