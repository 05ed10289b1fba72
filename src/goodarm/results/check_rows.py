"""The rows of a checked table for people: as cells of text, and as HTML with bars."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from goodarm.results.bars import Axis, interval_bar
from goodarm.results.names import ELLIPSIS, printable
from goodarm.results.notebook import html_row, table_of
from goodarm.results.table import format_count, format_number
from goodarm.results.verdict import ArmReport, Label, format_needed

HEADER: Final = (
    "arm",
    "label",
    "pulls",
    "mean",
    "lower",
    "upper",
    "e good",
    "e bad",
    "pulls needed",
    "90 %",
)
_OWN: Final = HEADER.index("lower")
_IN_NOTEBOOK: Final = ("arm", "label", "pulls", "mean", "lower", "upper", "pulls needed", "90 %")
_BAR: Final = _IN_NOTEBOOK.index("lower")
"""Where the interval is drawn."""
_SHOWN: Final = 12
"""Arms of each label that a table for people shows."""
_LEFT: Final = 2
"""Columns of text; the others are numbers."""


class Row(NamedTuple):
    """One arm: its report, its threshold, and cells of what it has of its own."""

    report: ArmReport
    threshold: float
    own: tuple[str, ...]


class Group(NamedTuple):
    """The arms of one label: how many there are, and the first of them."""

    label: Label
    size: int
    rows: list[Row]

    @classmethod
    def of(cls, label: Label, positions: list[int], row: Callable[[int], Row]) -> "Group":
        """The arms at these positions; a single one more takes the room of its mention."""
        most = len(positions) if len(positions) <= _SHOWN + 1 else _SHOWN
        return cls(label, len(positions), [row(position) for position in positions[:most]])

    def more(self, blank: str) -> tuple[str, ...] | None:
        """The row that stands for the arms not shown."""
        left_out = self.size - len(self.rows)
        if not left_out:
            return None
        width = len(HEADER) + len(self.rows[0].own)
        return (f"{ELLIPSIS} {left_out:,} more", self.label, *[blank] * (width - 2))


def header_of(own: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the columns; those of the arms' own numbers stand after the mean."""
    return (*HEADER[:_OWN], *own, *HEADER[_OWN:])


def text_rows(groups: Sequence[Group]) -> list[tuple[str, ...]]:
    """The cells, label by label."""
    rows = []
    for group in groups:
        rows += [cells_of(row) for row in group.rows]
        more = group.more(ELLIPSIS)
        if more is not None:
            rows.append(more)
    return rows


def html_of(caption: str, header: Sequence[str], groups: Sequence[Group]) -> str:
    """The same cells as a table, each arm with its interval as a bar."""
    rows = [row for group in groups for row in group.rows]
    known = [row.report for row in rows if row.report.lower is not None]
    ends = [row.threshold for row in rows] or [0.0]
    ends += [end for r in known for end in (r.lower, r.upper) if end is not None]
    axis = Axis(min(ends), max(max(ends), math.nextafter(min(ends), math.inf)), ends[0])
    order = [header.index(name) for name in _in_notebook(header)]
    titles = [*header, "interval"]
    places = [*order[:_BAR], len(header), *order[_BAR:]]
    lines = _html_rows(groups, axis, places)
    return table_of(caption, [titles[k] for k in places], lines, _LEFT)


def _in_notebook(header: Sequence[str]) -> list[str]:
    """Columns as a notebook has them: the bar after the mean, the e-values last."""
    last = ("e good", "e bad")
    middle = [name for name in header if name not in (*_IN_NOTEBOOK, *last)]
    return [*_IN_NOTEBOOK[:_BAR], *middle, *_IN_NOTEBOOK[_BAR:], *last]


def _html_rows(groups: Sequence[Group], axis: Axis, places: Sequence[int]) -> Iterator[str]:
    for group in groups:
        for row in group.rows:
            cells = [*cells_of(row), ""]
            bar = _bar(axis._replace(threshold=row.threshold), row.report)
            yield html_row([cells[k] for k in places], _LEFT, {_BAR: bar})
        more = group.more("")
        if more is not None:
            yield html_row([[*more, ""][k] for k in places], _LEFT)


def cells_of(row: Row) -> tuple[str, ...]:
    """One arm's row."""
    report = row.report
    return (
        printable(report.arm),
        report.label,
        format_count(report.pulls),
        format_number(report.mean),
        *row.own,
        _bound(report.lower, row.threshold),
        _bound(report.upper, row.threshold),
        _e_value(report.e_good),
        _e_value(report.e_bad),
        format_needed(report, report.pulls_needed),
        format_needed(report, report.pulls_needed_90),
    )


def _bound(value: float | None, threshold: float) -> str:
    """A bound, with more digits where rounding would take it to the other side of the threshold.

    >>> _bound(0.499988, 0.5), _bound(0.499988, 0.8)
    ('0.49999', '0.5')
    """
    text = format_number(value)
    for digits in range(5, 18):
        if value is None or value != value or (float(text) >= threshold) == (value >= threshold):
            break
        text = f"{value:.{digits}g}"
    return text


def _e_value(value: float | None) -> str:
    """An e-value; beyond the largest number that is kept, only that it is."""
    return "> 1e+300" if value is not None and value > 1e300 else format_number(value)


def _bar(axis: Axis, report: ArmReport) -> str:
    if report.mean is None or report.lower is None or report.upper is None:
        return ""
    return interval_bar(axis, report.label, report.mean, report.lower, report.upper)
