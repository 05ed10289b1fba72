"""Tables as text that fits a terminal: columns are folded or moved below, numbers never cut."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len

from goodarm.results.names import shorten_texts

WIDE: Final = 3
"""Spaces between two columns where there is room."""
GAP: Final = 2
"""Spaces where there is little."""

Row = Sequence[str]


class Shape(NamedTuple):
    """How a table's columns are to be treated.

    Args:
        left: the number of first columns that stand to the left; the rest stand to the right.
        keys: the number of first columns that say what a row is; they are repeated where columns
            move below.
        prose: the column that may be folded at words, if there is one.
        room: it is folded to no less.
    """

    left: int = 1
    keys: int = 1
    prose: int | None = None
    room: int = 16


def fit(header: Row, rows: Sequence[Row], shape: Shape, width: int | None) -> list[str]:
    """The lines of a table; None for a width without limit."""
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
    """A header, a line and the rows, in columns as wide as they need; cells may have lines.

    Where there is room, the table stands a little to the right.
    """
    widths = _widths(header, rows)
    lines = _lines(header, widths, left, gap)
    lines.append("─" * (sum(widths) + gap * (len(widths) - 1)))
    for row in rows:
        lines += _lines(row, widths, left, gap)
    return [f" {line}" for line in lines] if gap == WIDE else lines


def table_width(header: Row, rows: Sequence[Row], gap: int = GAP) -> int:
    """The columns of a terminal that a table takes."""
    return sum(_widths(header, rows)) + gap * (len(header) - 1) + (gap == WIDE)


def cell_width(cell: str) -> int:
    """The columns that a cell takes: those of its longest line."""
    return max(map(cell_len, cell.split("\n")))


def fold_header(header: Row, rows: Sequence[Row]) -> list[str]:
    r"""A header with its words below each other, where a column would be narrower so.

    A number and its percent sign are one word.

    >>> fold_header(["pulls to", "pulls needed"], [["wrong runs", "12"]])
    ['pulls to', 'pulls\nneeded']
    >>> fold_header(["90 %"], [["1"]])
    ['90 %']
    """
    columns = zip(header, *rows, strict=True)
    return [
        name.replace(" ", "\n").replace("\n%", " %")
        if cell_width(name) > max(map(cell_width, cells), default=0)
        else name
        for name, *cells in columns
    ]


def fold(text: str, width: int) -> list[str]:
    """A text in lines of at most ``width`` columns, broken at spaces; a longer word stays whole.

    >>> fold("one two three", 7)
    ['one two', 'three']
    """
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and cell_len(longer) > width:
            lines.append(line)
            longer = word
        line = longer
    return [*lines, line]


def _widths(header: Row, rows: Sequence[Row]) -> list[int]:
    columns = zip(header, *rows, strict=True)
    return [max(map(cell_width, column)) for column in columns]


def _lines(row: Row, widths: Sequence[int], left: int, gap: int) -> list[str]:
    cells = [cell.split("\n") for cell in row]
    lines = []
    for number in range(max(map(len, cells))):
        parts = []
        for column, (texts, width) in enumerate(zip(cells, widths, strict=True)):
            text = texts[number] if number < len(texts) else ""
            space = " " * (width - cell_len(text))
            parts.append(text + space if column < left else space + text)
        lines.append((" " * gap).join(parts).rstrip())
    return lines


def _with_folded(row: Row, column: int, room: int) -> list[str]:
    cells = list(row)
    cells[column] = "\n".join(fold(cells[column], room))
    return cells


def _without(header: Row, rows: Sequence[Row], column: int) -> tuple[Row, list[Row]]:
    def rest(row: Row) -> Row:
        return [*row[:column], *row[column + 1 :]]

    return rest(header), [rest(row) for row in rows]


def _stacked(header: Row, rows: Sequence[Row], shape: Shape, width: int) -> list[str]:
    """Tables below each other, each with the columns that say what a row is."""
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
    """Columns that stay together: a share of runs belongs to the column before it."""
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
    columns = [shorten_texts([row[k] for row in rows], room // keys, cell_len) for k in range(keys)]
    return [
        [*cells, *row[keys:]] for cells, row in zip(zip(*columns, strict=True), rows, strict=True)
    ]
