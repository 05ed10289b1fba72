"""The rows of a checked table for people: as cells of text, and as HTML with bars."""

import math
from collections.abc import Iterator, Sequence
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
_IN_NOTEBOOK: Final = (
    *("arm", "label", "pulls", "mean", "interval", "lower", "upper"),
    *("pulls needed", "90 %", "e good", "e bad"),
)
_BAR: Final = _IN_NOTEBOOK.index("interval")
_LEFT: Final = 2
"""Columns of text; the others are numbers."""


class Group(NamedTuple):
    """The arms of one label: how many there are, and the first of them."""

    label: Label
    size: int
    reports: list[ArmReport]

    def more(self, blank: str) -> tuple[str, ...] | None:
        """The row that stands for the arms not shown."""
        left_out = self.size - len(self.reports)
        if not left_out:
            return None
        return (f"{ELLIPSIS} {left_out:,} more", self.label, *[blank] * (len(HEADER) - 2))


def text_rows(groups: Sequence[Group]) -> list[tuple[str, ...]]:
    """The cells, label by label."""
    rows = []
    for group in groups:
        rows += [cells_of(report) for report in group.reports]
        more = group.more(ELLIPSIS)
        if more is not None:
            rows.append(more)
    return rows


def html_of(caption: str, groups: Sequence[Group], threshold: float) -> str:
    """The same cells as a table, each arm with its interval as a bar."""
    known = [r for group in groups for r in group.reports if r.lower is not None]
    ends = [threshold, *(r.lower or 0.0 for r in known), *(r.upper or 0.0 for r in known)]
    axis = Axis(min(ends), max(max(ends), math.nextafter(min(ends), math.inf)), threshold)
    return table_of(caption, _in_order(HEADER, "interval"), _html_rows(groups, axis), _LEFT)


def _html_rows(groups: Sequence[Group], axis: Axis) -> Iterator[str]:
    for group in groups:
        for report in group.reports:
            yield html_row(_in_order(cells_of(report), ""), _LEFT, {_BAR: _bar(axis, report)})
        more = group.more("")
        if more is not None:
            yield html_row(_in_order(more, ""), _LEFT)


def _in_order(cells: Sequence[str], bar: str) -> list[str]:
    """Cells as a notebook has them: the bar after the mean, the e-values last."""
    named = dict(zip(HEADER, cells, strict=True)) | {"interval": bar}
    return [named[name] for name in _IN_NOTEBOOK]


def cells_of(report: ArmReport) -> tuple[str, ...]:
    """One arm's row."""
    return (
        printable(report.arm),
        report.label,
        format_count(report.pulls),
        format_number(report.mean),
        format_number(report.lower),
        format_number(report.upper),
        _e_value(report.e_good),
        _e_value(report.e_bad),
        format_needed(report, report.pulls_needed),
        format_needed(report, report.pulls_needed_90),
    )


def _e_value(value: float | None) -> str:
    """An e-value; beyond the largest number that is kept, only that it is."""
    return "> 1e+300" if value is not None and value > 1e300 else format_number(value)


def _bar(axis: Axis, report: ArmReport) -> str:
    if report.mean is None or report.lower is None or report.upper is None:
        return ""
    return interval_bar(axis, report.label, report.mean, report.lower, report.upper)
