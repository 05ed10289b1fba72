"""Table of the counts in other tools' logs, ready for ``check``."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from goodarm.results import to_frame
from goodarm.tables import ArmCounts, RepeatRange
from goodarm.views.html import escape_html, make_html_table
from goodarm.views.names import printable
from goodarm.views.numbers import format_count, format_number, plural
from goodarm.views.text import make_text_table, shorten

_MAX_ROWS_SHOWN: Final = 12


@dataclass(frozen=True, eq=False, repr=False)
class LogTable(ArmCounts):
    """Arms in the order of appearance, as a dict of the columns arm, pulls and successes.

    Args:
        arms, pulls, successes: the columns.
        format: the format that was read.
        by: the parts that name an arm.
        files: the files that were read.
        attempts: number of attempts counted, over all arms.
        errors: number of attempts that broke.
        errors_are: "fail" if they are counted as failures, "exclude" if they are left out.
        skipped: number of tests that were not run; not counted.
        duplicates: number of attempts left out because they had been read already.
        copies: number of files left out because another file is the same or contains them.
        asides: number of attempts left out for another reason, by reason.
        notes: remarks to read before you use the counts.
        repeats: with a unit, the smallest and largest number of attempts that were averaged.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import goodarm as ga
    >>> with TemporaryDirectory() as folder:
    ...     log = Path(folder, "runs.jsonl")
    ...     _ = log.write_text('{"arm": "a", "passed": true}')
    ...     table = ga.read_logs(log)
    >>> table.format, table.arms, table.attempts
    ('jsonl', ('a',), 1)
    """

    by: tuple[str, ...]
    files: tuple[str, ...]
    attempts: int
    errors: int
    errors_are: str
    skipped: int
    duplicates: int
    copies: int
    asides: Mapping[str, int]
    notes: tuple[str, ...]
    repeats: RepeatRange | None = None

    @property
    def read_as(self) -> str:
        """Note that says what was read, how, and what was left out.

        It begins in lower case, as all notes on reading do: ``check`` joins them.
        """
        parts = [
            f"read {plural(len(self.files), 'file')} as {self.format}, with an arm for each "
            f"{' and '.join(self.by)}: {plural(len(self.arms), 'arm')}, "
            f"{plural(self.attempts, 'attempt')}"
        ]
        if self.repeats is not None:
            parts.append(self.repeats.describe(self.unit, "attempt"))
        if self.errors:
            failures = "a failure" if self.errors == 1 else "failures"
            errors = plural(self.errors, "error")
            is_fail = self.errors_are == "fail"
            parts.append(f"counted {errors} as {failures}" if is_fail else f"left out {errors}")
        if self.skipped:
            parts.append(f"left out {plural(self.skipped, 'skipped test')}")
        if self.duplicates:
            attempts = plural(self.duplicates, "attempt")
            parts.append(f"left out {attempts} that another file has, too")
        if self.copies:
            parts.append(f"left out {plural(self.copies, 'copy', 'copies')} of a file")
        parts += [
            f"left out {plural(count, 'attempt')}: {reason}"
            for reason, count in self.asides.items()
        ]
        return "; ".join(parts) + "."

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a JSON document, with the arms in order."""
        rows = zip(*(_list_cells(self[name]) for name in self.column_names), strict=True)
        averaged = {}
        if self.unit:
            averaged = {"unit": self.unit, "unfinished_units": self.num_unfinished}
        return {
            "kind": "log",
            "format": 1,
            "read_from": self.format,
            "by": list(self.by),
            "files": list(self.files),
            "attempts": self.attempts,
            "errors": self.errors,
            "errors_are": self.errors_are,
            "skipped": self.skipped,
            "duplicates": self.duplicates,
            "copies": self.copies,
            "asides": [{"why": reason, "attempts": count} for reason, count in self.asides.items()],
            "notes": list(self.notes),
            **averaged,
            "arms": [dict(zip(self.column_names, row, strict=True)) for row in rows],
        }

    def to_pandas(self) -> Any:
        """Return a pandas frame with a row for each arm.

        Raises:
            MissingExtra: pandas is not installed.
        """
        return to_frame("LogTable", "pandas", dict(self))

    def to_polars(self) -> Any:
        """Return a polars frame with a row for each arm.

        Raises:
            MissingExtra: polars is not installed.
        """
        return to_frame("LogTable", "polars", dict(self))

    def rows(self) -> list[tuple[str, ...]]:
        """Return the formatted cells of the displayed table, one row for each arm."""
        counts = zip(self.arms, self.pulls.tolist(), self.sum.tolist(), strict=True)
        return [
            (
                printable(arm),
                format_count(pulls),
                format_number(total) if self.unit else format_count(total),
                format_number(total / pulls if pulls else None),
            )
            for arm, pulls, total in counts
        ]

    @property
    def _header(self) -> tuple[str, ...]:
        return (*self.column_names, "mean")

    def __repr__(self) -> str:
        table = make_text_table(self._header, shorten(self.rows(), _MAX_ROWS_SHOWN))
        return "\n".join([self._title, table, *self.notes])

    def _repr_html_(self) -> str:
        table = make_html_table(self._title, self._header, shorten(self.rows(), _MAX_ROWS_SHOWN))
        return table + "".join(f"<p>{escape_html(note)}</p>" for note in self.notes)

    @property
    def _title(self) -> str:
        return self.read_as[:1].upper() + self.read_as[1:]


def _list_cells(column: Any) -> list[Any]:
    return column if isinstance(column, list) else np.asarray(column).tolist()
