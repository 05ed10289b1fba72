"""Tables as aligned text: at full width, or fitted to a terminal.

Columns are folded or moved below; numbers are never cut.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from goodarm.views.names import ELLIPSIS, shorten_texts, visible

WIDE: Final = 3
"""Spaces between two columns where there is room."""
GAP: Final = 2
"""Spaces between two columns where there is little room."""
_BREAK: Final = re.compile(r"(?<!of) (?!%|of |[^(]*\))")
"""Spaces at which a title may be folded."""

Row = Sequence[str]


class Shape(NamedTuple):
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


def fit(header: Row, rows: Sequence[Row], shape: Shape, width: int | None) -> list[str]:
    """Return the lines of a table that fits ``width``; None for no limit."""
    if width is None or table_width(header, rows, WIDE) <= width:
        return draw(header, rows, shape.left, WIDE)
    if table_width(header, rows) <= width:
        return draw(header, rows, shape.left)
    header = fold_header(header, rows)
    if table_width(header, rows) <= width:
        return draw(header, rows, shape.left)
    if shape.prose is not None:
        room = width - table_width(*_without(header, rows, shape.prose)) - GAP
        if room >= shape.room:
            folded = [_with_folded(row, shape.prose, room) for row in rows]
            return draw(_with_folded(header, shape.prose, room), folded, shape.left)
    return _stacked(header, rows, shape, width)


def draw(header: Row, rows: Sequence[Row], left: int, gap: int = GAP) -> list[str]:
    """Return header, rule and rows, in columns as wide as they need; cells may have several lines.

    Where there is room, the table is indented by a space.
    """
    lines, width = align([header, *rows], left, gap)
    head = max(len(cell.split("\n")) for cell in header)
    lines.insert(head, "─" * width)
    return [f" {line}" for line in lines] if gap == WIDE else lines


def text_table(header: Row, rows: Sequence[Row]) -> str:
    """Return columns aligned, the first to the left; control characters are escaped.

    >>> print(text_table(["arm", "pulls"], [["a", "12"], ["b", "7"]]))
    arm  pulls
    a       12
    b        7
    """
    shown = [[visible(cell) for cell in row] for row in (header, *rows)]
    return "\n".join(align(shown, left=1)[0])


def align(rows: Sequence[Row], left: int, gap: int = GAP) -> tuple[list[str], int]:
    """Return the lines of rows, the first ``left`` columns left-aligned, and their width.

    >>> align([["a", "12"], ["bc", "7"]], left=1)
    (['a   12', 'bc   7'], 6)
    """
    columns = list(zip(*rows, strict=True))
    if any("\n" in cell for column in columns for cell in column if not cell.isprintable()):
        return align(_split_lines(rows), left, gap)
    padded = [_pad(column, is_left=number < left) for number, column in enumerate(columns)]
    space = " " * gap
    lines = [space.join(cells).rstrip() for cells in zip(*padded, strict=True)]
    return lines, sum(text_width(column[0]) for column in padded) + gap * (len(columns) - 1)


def _pad(column: Sequence[str], *, is_left: bool) -> list[str]:
    """Pad cells to one width."""
    if "".join(column).isascii():
        width = max(map(len, column))
        return [cell.ljust(width) if is_left else cell.rjust(width) for cell in column]
    widths = list(map(text_width, column))
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


def table_width(header: Row, rows: Sequence[Row], gap: int = GAP) -> int:
    """Return the terminal columns that a table takes."""
    columns = zip(header, *rows, strict=True)
    return sum(max(map(cell_width, column)) for column in columns) + (
        gap * (len(header) - 1) + (gap == WIDE)
    )


def cell_width(cell: str) -> int:
    """Return the terminal columns that a cell takes: those of its longest line."""
    if cell.isascii() and "\n" not in cell:
        return len(cell)
    return max(map(text_width, cell.split("\n")))


def text_width(text: str) -> int:
    """Return the terminal columns that a text takes: two for wide characters, none for marks.

    >>> text_width("abc"), text_width("中文"), text_width("e\u0301")
    (3, 4, 1)
    """
    return len(text) if text.isascii() else _wide_width(text)


@lru_cache(maxsize=4096)
def _wide_width(text: str) -> int:
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
        if cell_width(name) > max(map(cell_width, cells), default=0)
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
        if line and text_width(longer) > width:
            lines.append(line)
            longer = word
        line = longer
    return [*lines, line]


def _with_folded(row: Row, column: int, room: int) -> list[str]:
    cells = list(row)
    cells[column] = "\n".join(fold(cells[column], room))
    return cells


def _without(header: Row, rows: Sequence[Row], column: int) -> tuple[Row, list[Row]]:
    def rest(row: Row) -> Row:
        return [*row[:column], *row[column + 1 :]]

    return rest(header), [rest(row) for row in rows]


def _stacked(header: Row, rows: Sequence[Row], shape: Shape, width: int) -> list[str]:
    """Stack tables below each other, each with the columns that identify a row."""
    rows = _with_short_keys(rows, shape.keys, width // 2)
    keys = list(range(shape.keys))
    lines: list[str] = []
    block: list[int] = []
    for group in _groups(header, shape.keys):
        if block and table_width(*_chosen(header, rows, [*keys, *block, *group])) > width:
            lines += [*draw(*_chosen(header, rows, [*keys, *block]), shape.left), ""]
            block = []
        block += group
    return lines + draw(*_chosen(header, rows, [*keys, *block]), shape.left)


def _groups(header: Row, start: int) -> list[list[int]]:
    """Group columns that stay together: a share of runs belongs to the column before it."""
    groups: list[list[int]] = []
    for column in range(start, len(header)):
        if groups and header[column].endswith("%"):
            groups[-1].append(column)
        else:
            groups.append([column])
    return groups


def _chosen(
    header: Row, rows: Sequence[Row], columns: Sequence[int]
) -> tuple[list[str], list[list[str]]]:
    return [header[k] for k in columns], [[row[k] for k in columns] for row in rows]


def _with_short_keys(rows: Sequence[Row], keys: int, room: int) -> list[Row]:
    columns = [
        shorten_texts([row[k] for row in rows], room // keys, text_width) for k in range(keys)
    ]
    return [
        [*cells, *row[keys:]] for cells, row in zip(zip(*columns, strict=True), rows, strict=True)
    ]
