"""Tables as aligned text: at full width, or fitted to a terminal.

Columns are folded or moved below; numbers are never cut.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from goodarm.views.names import ELLIPSIS, shorten_texts, visible

WIDE_GAP: Final = 3
"""Spaces between two columns where there is room."""
GAP: Final = 2
"""Spaces between two columns where there is little room."""
_BREAK: Final = re.compile(r"(?<!of) (?!%|of |[^(]*\))")
"""Spaces at which a title may be folded."""
_SHARE: Final = re.compile(r"\d of \d|%")
"""Part of the title of a share of runs, such as "9 of 10 runs"."""

Row = Sequence[str]


class TableLayout(NamedTuple):
    """Layout of a table's columns.

    Args:
        left: the number of first columns that are left-aligned; the rest are right-aligned.
        keys: the number of first columns that identify a row; they are repeated where columns
            move below.
        prose: the column that may be folded at words, if there is one.
        room: the smallest width that it is folded to.
    """

    left: int = 1
    keys: int = 1
    prose: int | None = None
    room: int = 16


def fit_table(header: Row, rows: Sequence[Row], shape: TableLayout, width: int | None) -> list[str]:
    """Return the lines of a table that fits ``width``; None for no limit."""
    if width is None or measure_table(header, rows, WIDE_GAP) <= width:
        return draw_table(header, rows, shape.left, WIDE_GAP)
    if measure_table(header, rows) <= width:
        return draw_table(header, rows, shape.left)
    header = fold_header(header, rows)
    if measure_table(header, rows) <= width:
        return draw_table(header, rows, shape.left)
    if shape.prose is not None:
        room = width - measure_table(*_remove_columns(header, rows, shape.prose)) - GAP
        if room >= shape.room:
            folded = [_fold_columns(row, shape.prose, room) for row in rows]
            return draw_table(_fold_columns(header, shape.prose, room), folded, shape.left)
    return _stack_tables(header, rows, shape, width)


def draw_table(header: Row, rows: Sequence[Row], left: int, gap: int = GAP) -> list[str]:
    """Return header, rule and rows, in columns as wide as they need; cells may have several lines.

    Where there is room, the table is indented by a space.
    """
    lines, width = align_columns([header, *rows], left, gap)
    head = max(len(cell.split("\n")) for cell in header)
    lines.insert(head, "─" * width)
    return [f" {line}" for line in lines] if gap == WIDE_GAP else lines


def make_text_table(header: Row, rows: Sequence[Row]) -> str:
    """Return columns aligned, the first to the left; control characters are escaped.

    >>> print(make_text_table(["arm", "pulls"], [["a", "12"], ["b", "7"]]))
    arm  pulls
    a       12
    b        7
    """
    shown = [[visible(cell) for cell in row] for row in (header, *rows)]
    return "\n".join(align_columns(shown, left=1)[0])


def align_columns(rows: Sequence[Row], left: int, gap: int = GAP) -> tuple[list[str], int]:
    """Return the lines of rows, the first ``left`` columns left-aligned, and their width.

    >>> align_columns([["a", "12"], ["bc", "7"]], left=1)
    (['a   12', 'bc   7'], 6)
    """
    columns = list(zip(*rows, strict=True))
    if any("\n" in cell for column in columns for cell in column if not cell.isprintable()):
        return align_columns(_split_lines(rows), left, gap)
    padded = [_pad(column, is_left=number < left) for number, column in enumerate(columns)]
    space = " " * gap
    lines = [space.join(cells).rstrip() for cells in zip(*padded, strict=True)]
    return lines, sum(measure_text(column[0]) for column in padded) + gap * (len(columns) - 1)


def _pad(column: Sequence[str], *, is_left: bool) -> list[str]:
    """Pad cells to one width."""
    if "".join(column).isascii():
        width = max(map(len, column))
        return [cell.ljust(width) if is_left else cell.rjust(width) for cell in column]
    widths = list(map(measure_text, column))
    spaces = [" " * (max(widths) - width) for width in widths]
    if is_left:
        return [cell + space for cell, space in zip(column, spaces, strict=True)]
    return [space + cell for cell, space in zip(column, spaces, strict=True)]


def _split_lines(rows: Sequence[Row]) -> list[Row]:
    """Return a row for each line of its cells."""
    found: list[Row] = []
    for row in rows:
        cells = [cell.split("\n") for cell in row]
        height = max(map(len, cells))
        filled = [[*lines, *[""] * (height - len(lines))] for lines in cells]
        found += zip(*filled, strict=True)
    return found


def measure_table(header: Row, rows: Sequence[Row], gap: int = GAP) -> int:
    """Return the terminal columns that a table takes."""
    columns = zip(header, *rows, strict=True)
    return sum(max(map(measure_cell, column)) for column in columns) + (
        gap * (len(header) - 1) + (gap == WIDE_GAP)
    )


def measure_cell(cell: str) -> int:
    """Return the terminal columns that a cell takes: those of its longest line."""
    if cell.isascii() and "\n" not in cell:
        return len(cell)
    return max(map(measure_text, cell.split("\n")))


def measure_text(text: str) -> int:
    """Return the terminal columns that a text takes: two for wide characters, none for marks.

    >>> measure_text("abc"), measure_text("中文"), measure_text("e\u0301")
    (3, 4, 1)
    """
    return len(text) if text.isascii() else _measure_wide_text(text)


@lru_cache(maxsize=4096)
def _measure_wide_text(text: str) -> int:
    from rich.cells import cell_len  # only for names that are not plain

    return cell_len(text)


def shorten(rows: Sequence[Row], most: int) -> list[Row]:
    """Return at most ``most`` rows: the first ones and the last, with a row of dots between."""
    if len(rows) <= most:
        return list(rows)
    dots = [ELLIPSIS] * len(rows[0])
    return [*rows[: most - 2], dots, rows[-1]]


def fold_header(header: Row, rows: Sequence[Row]) -> list[str]:
    r"""Fold a header at its words, where that makes a column narrower.

    A number and its percent sign are one word, and so are "9 of 10" and what is in brackets.

    >>> fold_header(["pulls to", "pulls needed"], [["wrong runs", "12"]])
    ['pulls to', 'pulls\nneeded']
    >>> fold_header(["90 %", "needed (9 of 10)", "9 of 10 runs"], [["1", "2", "3"]])
    ['90 %', 'needed\n(9 of 10)', '9 of 10\nruns']
    """
    columns = zip(header, *rows, strict=True)
    return [
        _BREAK.sub("\n", name)
        if measure_cell(name) > max(map(measure_cell, cells), default=0)
        else name
        for name, *cells in columns
    ]


def fold(text: str, width: int) -> list[str]:
    """Fold a text into lines of at most ``width`` columns, at spaces; a longer word stays whole.

    >>> fold("one two three", 7)
    ['one two', 'three']
    """
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and measure_text(longer) > width:
            lines.append(line)
            longer = word
        line = longer
    return [*lines, line]


def _fold_columns(row: Row, column: int, room: int) -> list[str]:
    cells = list(row)
    cells[column] = "\n".join(fold(cells[column], room))
    return cells


def _remove_columns(header: Row, rows: Sequence[Row], column: int) -> tuple[Row, list[Row]]:
    def rest(row: Row) -> Row:
        return [*row[:column], *row[column + 1 :]]

    return rest(header), [rest(row) for row in rows]


def _stack_tables(header: Row, rows: Sequence[Row], shape: TableLayout, width: int) -> list[str]:
    """Stack tables below each other, each with the columns that identify a row."""
    rows = _shorten_keys(rows, shape.keys, width // 2)
    keys = list(range(shape.keys))
    lines: list[str] = []
    block: list[int] = []
    for group in _group_columns(header, shape.keys):
        if block and measure_table(*_choose_columns(header, rows, [*keys, *block, *group])) > width:
            lines += [*draw_table(*_choose_columns(header, rows, [*keys, *block]), shape.left), ""]
            block = []
        block += group
    return lines + draw_table(*_choose_columns(header, rows, [*keys, *block]), shape.left)


def _group_columns(header: Row, start: int) -> list[list[int]]:
    """Group columns that stay together: a share of runs belongs to the column before it."""
    groups: list[list[int]] = []
    for column in range(start, len(header)):
        if groups and _SHARE.search(header[column]):
            groups[-1].append(column)
        else:
            groups.append([column])
    return groups


def _choose_columns(
    header: Row, rows: Sequence[Row], columns: Sequence[int]
) -> tuple[list[str], list[list[str]]]:
    return [header[k] for k in columns], [[row[k] for k in columns] for row in rows]


def _shorten_keys(rows: Sequence[Row], keys: int, room: int) -> list[Row]:
    columns = [
        shorten_texts([row[k] for row in rows], room // keys, measure_text) for k in range(keys)
    ]
    return [
        [*cells, *row[keys:]] for cells, row in zip(zip(*columns, strict=True), rows, strict=True)
    ]
