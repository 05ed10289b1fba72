"""Rows of arms for people: cells of text, and HTML with bars."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.problem import LABELS
from goodarm.views.axis import make_axis
from goodarm.views.bars import draw_interval_bar
from goodarm.views.choice import ShownRows, add_left_out_rows
from goodarm.views.columns import ArmColumns, get_differing_columns, get_thresholds
from goodarm.views.html import join_rows, make_html_row
from goodarm.views.names import printable
from goodarm.views.numbers import (
    format_bound,
    format_count,
    format_e_value,
    format_money,
    format_needed,
    format_number,
)

NEEDED: Final = "pulls needed"
NEEDED_90: Final = "needed (9 of 10)"
"""Titles of the further pulls until a label: in half of all cases, and in 9 of 10."""
HEADER: Final = (
    "arm",
    "label",
    "pulls",
    "mean",
    "lower",
    "upper",
    "e good",
    "e bad",
    NEEDED,
    NEEDED_90,
)
ONE_LOOK: Final = (*HEADER[: HEADER.index("e good")], "p good", "p bad")
"""Titles of a table for one look, which has p-values, and no pulls needed."""
SPENT: Final = "spent"
EXPECTED: Final = "expected"
EXPECTED_90: Final = "expected (9 of 10)"
"""Titles of the money spent on an arm, and of that which its pulls needed are expected to cost."""
_OWN: Final = HEADER.index("lower")
_IN_NOTEBOOK: Final = (
    *("arm", "label", "pulls", "mean", "lower", "upper", NEEDED, NEEDED_90),
    *(SPENT, EXPECTED, EXPECTED_90),
)
_BAR: Final = _IN_NOTEBOOK.index("lower")
"""Column before which the interval is drawn."""
_LEFT: Final = 2
"""Number of text columns; the others are numbers."""


def make_header(table: ArmColumns) -> tuple[str, ...]:
    """Return the names of the columns; those of the arms' own numbers come after the mean.

    Money comes last, where pulls have a cost.
    """
    titles = HEADER if table.p_good is None else ONE_LOOK
    if table.spent is not None:
        titles = (*titles, SPENT, *((EXPECTED, EXPECTED_90) if table.p_good is None else ()))
    return (*titles[:_OWN], *get_differing_columns(table), *titles[_OWN:])


def format_rows(table: ArmColumns, positions: Sequence[int]) -> list[tuple[str, ...]]:
    """Return the cells of the arms at these positions, under ``make_header``."""
    chosen = np.array(positions, np.intp)
    pulls, bars = table.pulls[chosen].tolist(), get_thresholds(table)[chosen].tolist()
    waiting = [0] * len(pulls)
    if table.waits:
        waits = {position: each.rewards for position, each in table.waits.items()}
        waiting = [waits.get(position, 0) for position in positions]
    share = partial(format_number, percent=table.is_percent)
    bound = partial(format_bound, percent=table.is_percent)
    arm_columns = [
        map(share if name == "threshold" else format_number, values[chosen].tolist())
        for name, values in get_differing_columns(table).items()
    ]
    columns = (
        [printable(table.arms[position]) for position in positions],
        [LABELS[code] for code in table.labels[chosen].tolist()],
        map(format_count, pulls),
        map(share, table.mean[chosen].tolist()),
        *arm_columns,
        map(bound, table.lower[chosen].tolist(), bars),
        map(bound, table.upper[chosen].tolist(), bars),
        *_evidence(table, chosen, pulls, waiting),
        *_money(table, chosen),
    )
    return list(zip(*columns, strict=True))


def _evidence(
    table: ArmColumns, chosen: NDArray[np.intp], pulls: list[int], waiting: list[int]
) -> tuple[Iterator[str], ...]:
    """Return the cells of e-values and pulls needed, or of the p-values of one look."""
    if table.p_good is not None and table.p_bad is not None:
        p_values = (table.p_good, table.p_bad)
        return tuple(map(format_number, each[chosen].tolist()) for each in p_values)
    return (
        map(format_e_value, table.e_good[chosen].tolist()),
        map(format_e_value, table.e_bad[chosen].tolist()),
        map(format_needed, table.needed[chosen].tolist(), pulls, waiting),
        map(format_needed, table.needed_90[chosen].tolist(), pulls, waiting),
    )


def _money(table: ArmColumns, chosen: NDArray[np.intp]) -> tuple[Iterator[str], ...]:
    """Return the cells of money spent and expected; none without costs."""
    if table.spent is None:
        return ()
    columns = (table.spent, *((table.expected, table.expected_90) if table.p_good is None else ()))
    return tuple(map(format_money, each[chosen].tolist()) for each in columns)


def make_html_arms(table: ArmColumns, shown: ShownRows) -> str:
    """Return these arms as a table below its summary, each with its interval as a bar."""
    header = make_header(table)
    order = [header.index(name) for name in _order_for_notebook(header)]
    titles = [*header, "interval"]
    places = [*order[:_BAR], len(header), *order[_BAR:]]
    lines = _make_html_rows(table, shown, places)
    return join_rows(table.summary, [titles[k] for k in places], lines, _LEFT)


def _order_for_notebook(header: Sequence[str]) -> list[str]:
    """Return the columns in a notebook's order: the bar after the mean, the e-values last."""
    last = [name for name in ("e good", "e bad", "p good", "p bad") if name in header]
    shown = [name for name in _IN_NOTEBOOK if name in header]
    middle = [name for name in header if name not in (*shown, *last)]
    return [*shown[:_BAR], *middle, *shown[_BAR:], *last]


def _make_html_rows(table: ArmColumns, shown: ShownRows, places: Sequence[int]) -> Iterator[str]:
    axis, bars = make_axis(table, shown.positions), get_thresholds(table)
    rows = format_rows(table, shown.positions)
    for number, row in add_left_out_rows(rows, shown.left_out, ""):
        cells, pictures = [*row, ""], dict[int, str]()
        if number is not None:
            place = shown.positions[number]
            arm_axis = axis._replace(threshold=float(bars[place]))
            interval = (float(each[place]) for each in (table.mean, table.lower, table.upper))
            pictures[_BAR] = draw_interval_bar(
                arm_axis, LABELS[int(table.labels[place])], *interval
            )
        yield make_html_row([cells[k] for k in places], _LEFT, pictures)


def make_text_rows(table: ArmColumns, shown: ShownRows) -> list[Sequence[str]]:
    """Return the cells of these arms, and of the rows that say how many are left out."""
    rows = format_rows(table, shown.positions)
    return [row for _, row in add_left_out_rows(rows, shown.left_out)]
