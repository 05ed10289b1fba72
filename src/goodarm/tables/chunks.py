"""Blocks of rows of a table, as they were given, with the place of each row for messages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import SpecError
from goodarm.tables.table_errors import Fault
from goodarm.wording import ErrorPlace, Text

CHUNK_ROWS: Final = 2_000
"""Rows read at a time: few enough to be freed before the garbage collector scans them."""

Cells = Sequence[Any] | NDArray[Any]


@dataclass(frozen=True)
class Chunk:
    """Rows of a table.

    Args:
        source: the table's name in messages.
        arms: the arm of each row.
        numbers: the other columns, by meaning.
        columns: the table's own names of all columns, by meaning.
        lines: the number of each row in its file or table.
        word: the unit of that number: line, row, or an arm's reward.
        is_text: the rows come from a file, where all cells are text: blanks around arms do not
            count, and text is a number even if only the documented form is read.
        is_named: every row is known to be an arm, because the user's own code names it.
        is_counted: single rewards that have been counted already: pulls and sum; or value and
            count, bin and count, or sums of logs of arms that have been counted.
        faults: rows that could not be read at all, and are left out.
    """

    source: str
    arms: Sequence[Any]
    numbers: Mapping[str, Cells]
    columns: Mapping[str, str]
    lines: Sequence[int]
    word: str = "row"
    is_text: bool = False
    is_named: bool = False
    is_counted: bool = False
    faults: Sequence[Fault] = ()

    def place(self, row: int) -> ErrorPlace:
        """Return a row's place: "counts.csv, line 3", "the frame, row 2", "the dict, arm 'a'"."""
        if not self.is_named:
            return ErrorPlace(self.source, self.word, self.lines[row])
        arm = f"arm {self.arms[row]!r}"
        if "reward" in self.numbers:
            return ErrorPlace(self.source, entry=f"{arm}, reward {self.lines[row]}")
        if "value" in self.numbers:
            return ErrorPlace(self.source, entry=f"{arm}, value {self.lines[row]}")
        return ErrorPlace(self.source, entry=arm)

    def fault(
        self, row: int, column: str, rule: Text, value: Any, remedy: Text = "", many: str = ""
    ) -> Fault:
        """Return the fault of a cell."""
        shown = value.item() if isinstance(value, np.generic) else value
        return Fault(self.lines[row], self.place(row), column, rule, shown, remedy, many=many)


def empty_table(source: str) -> SpecError:
    """Return the error for a table without rows."""
    return SpecError(
        f"The table of {source} must have at least one row; got none.",
        argument="counts",
        owner="check",
        rule="have at least one row",
        value=0,
        place=ErrorPlace(source),
    )
