"""Arms as CSV, harmless where a spreadsheet opens it."""

import csv
import io
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from goodarm.results.csvcells import harmless
from goodarm.results.names import visible


def to_csv(entries: Sequence[Mapping[str, Any]], positions: Sequence[int]) -> str:
    """The reports at these positions, a column for each key; empty cells where there is no number.

    All have the keys of the first.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = list(entries[0])
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
