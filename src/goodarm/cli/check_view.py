"""View of a checked table: its rows, their order, and the columns that fit."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from goodarm.views.arms import (
    EXPECTED,
    EXPECTED_90,
    NEEDED,
    NEEDED_90,
    SPENT,
    format_rows,
    make_header,
)
from goodarm.views.choice import ShownRows, add_left_out_rows, choose_rows, name_left_out
from goodarm.views.names import printable, shorten_texts
from goodarm.views.text import GAP, WIDE_GAP, draw_table, fold_header, measure_cell, measure_table

if TYPE_CHECKING:
    from goodarm.results import ArmTable

_DROP_ORDER: Final = (
    ("e good", "e bad"),
    ("p good", "p bad"),
    ("lower", "upper"),
    (EXPECTED_90,),
    (NEEDED_90,),
    (EXPECTED,),
    (NEEDED,),
    (SPENT,),
)
"""Columns to drop, least useful first. Arm, label, pulls and mean always stay."""
_MIN_NAME_WIDTH: Final = 24
"""Width of names below which columns are dropped first."""


def format_table(
    table: "ArmTable", only: Sequence[str], sort: str, width: int | None, most: int | None
) -> tuple[list[str], str]:
    """Return the table as lines that fit a width, and a note on what they leave out.

    Args:
        table: the arms.
        only: the labels to show, none for all.
        sort: the order of rows.
        width: columns of the terminal; None for no limit.
        most: the most arms of each label to show; None for all.
    """
    shown, header = choose_rows(table, only, sort, most), list(make_header(table))
    rows = [list(row) for row in format_rows(table, shown.positions)]
    if not rows:
        return ["No arm has such a label."], ""
    left_out = shown.left_out if sort == "label" else {}
    marked = [row for _, row in add_left_out_rows(rows, left_out)]
    if width is None or measure_table(header, marked, WIDE_GAP) <= width:
        return draw_table(header, marked, left=2, gap=WIDE_GAP), _find_remedy(shown, [])
    least = max((len(name_left_out(count)) for count in left_out.values()), default=0)
    header, kept_columns, gone, room = _fit_columns(header, rows, width, least)
    others = map(printable, table.arms)
    short = shorten_texts([row[0] for row in rows], room, measure_cell, others)
    rows = [
        [name, *(row[k] for k in kept_columns[1:])] for name, row in zip(short, rows, strict=True)
    ]
    marked = [row for _, row in add_left_out_rows(rows, left_out)]
    return draw_table(header, marked, left=2), _find_remedy(shown, gone)


class _FittingColumns(NamedTuple):
    """Columns that fit: their titles and positions, those dropped, and the width for names."""

    titles: list[str]
    kept: list[int]
    gone: list[str]
    room: int


def _fit_columns(
    header: list[str], rows: list[list[str]], width: int, least: int
) -> _FittingColumns:
    """Drop the least useful columns until the rest fits.

    Titles are folded only if that saves a column, or letters of a name. The first column is at
    least ``least`` wide.
    """
    longest = max(least, measure_cell(header[0]), *(measure_cell(row[0]) for row in rows))
    folded = fold_header(header, rows)
    kept_columns = list(range(len(header)))

    def room(titles: list[str]) -> int:
        chosen = [[row[k] for k in kept_columns[1:]] for row in rows]
        return width - GAP - measure_table([titles[k] for k in kept_columns[1:]], chosen)

    gone: list[str] = []
    for group in _DROP_ORDER:
        if min(longest, _MIN_NAME_WIDTH) <= room(folded):
            break
        gone += [name for name in group if name in header]
        kept_columns = [k for k in kept_columns if header[k] not in group]
    titles = header if longest <= room(header) else folded
    return _FittingColumns([titles[k] for k in kept_columns], kept_columns, gone, room(titles))


def _find_remedy(shown: ShownRows, gone: Sequence[str]) -> str:
    parts = []
    left_out = sum(shown.left_out.values())
    if left_out:
        parts.append(f"{left_out:,} rows (to see them: --all)")
    if gone:
        parts.append(f"{', '.join(gone)} (to see them: a wider terminal, or --csv)")
    return f"Not shown: {'; '.join(parts)}." if parts else ""
