"""Arms as CSV, harmless where a spreadsheet opens it."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from goodarm.results.csvcells import csv_line
from goodarm.results.names import visible


def to_csv(entries: Sequence[Mapping[str, Any]], positions: Sequence[int]) -> str:
    """The reports at these positions, a column for each key; empty cells where there is no number.

    All have the keys of the first.
    """
    names = list(entries[0])
    rows = ([entries[position][name] for name in names] for position in positions)
    return "".join(map(csv_line, (names, *rows)))


def print_csv(text: str) -> None:
    """CSV and nothing else, as it is; on a terminal what would steer it is written out."""
    if sys.stdout is None:
        return
    if sys.stdout.isatty():
        text = "\n".join(map(visible, text.split("\n")))
    sys.stdout.write(text)
    sys.stdout.flush()
