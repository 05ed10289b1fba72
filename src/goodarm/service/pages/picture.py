"""Picture of arms as intervals on an axis: templates draw it, and compute nothing.

The rows and their order are those of ``goodarm check --plot``: the largest mean at the top, and of
many arms those of each label that matter most.
"""

from typing import Final, NamedTuple

import numpy as np

from goodarm.results import ArmReport, ArmTable, Label
from goodarm.views.axis import Axis, IntervalBar, make_axis
from goodarm.views.choice import choose_rows

MAX_DRAWN_ARMS: Final = 60
"""Maximum number of arms of which all are drawn, as in ``goodarm check``."""


class DrawnArm(NamedTuple):
    """Arm in a picture."""

    position: int
    report: ArmReport
    bar: IntervalBar


class Picture(NamedTuple):
    """Arms as intervals against the threshold."""

    axis: Axis
    rows: list[DrawnArm]
    without_pulls: int
    """number of arms without pulls, which are not drawn"""
    left_out: dict[Label, int]
    """number of arms that are left out for space, by label"""


def make_picture(table: ArmTable) -> Picture:
    """Draw the arms that matter most, the largest mean at the top."""
    pulled = np.flatnonzero(table.pulls > 0)
    left_out: dict[Label, int] = {}
    chosen = pulled
    if len(pulled) > MAX_DRAWN_ARMS:
        shown = choose_rows(table)
        chosen = np.array([k for k in shown.positions if table.pulls[k] > 0], np.intp)
        left_out = shown.left_out
    mean, lower = (
        np.where(np.isnan(each), -np.inf, each)[chosen] for each in (table.mean, table.lower)
    )
    positions: list[int] = chosen[np.lexsort((chosen, lower, mean))[::-1]].tolist()
    axis = make_axis(table, positions)
    rows = []
    for position, report in zip(positions, table.reports(positions), strict=True):
        bar = place_interval(axis, report)
        if bar is not None:
            rows.append(DrawnArm(position, report, bar))
    return Picture(axis, rows, len(table) - len(pulled), left_out)


def place_interval(axis: Axis, report: ArmReport) -> IntervalBar | None:
    """Return an arm's interval on an axis; None before its first pull."""
    return axis.interval(report.label, report.mean, report.lower, report.upper)
