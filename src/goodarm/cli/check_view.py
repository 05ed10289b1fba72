"""Which rows and columns of a checked table are shown, and in which order."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from goodarm.cli.layout import GAP, WIDE, cell_width, draw, fold_header, table_width
from goodarm.results.names import ELLIPSIS, printable, shorten_texts

if TYPE_CHECKING:
    from goodarm.results import CheckTable, Label

LABELS: Final[tuple["Label", ...]] = ("bad", "undecided", "good")
MOST: Final = 12
"""Arms of each label that a terminal shows, unless all are asked for."""
_DROPPED: Final = (("e good", "e bad"), ("lower", "upper"), ("90 %",), ("pulls needed",))
"""Columns of least use first. Arm, label, pulls and mean always stay."""
_NAME_ROOM: Final = 24
"""Columns go before names are made shorter than this."""


class Shown(NamedTuple):
    """Rows to show, by their positions; and how many of each label were left out."""

    positions: list[int]
    left_out: dict["Label", int]


def choose(table: "CheckTable", only: Sequence[str], sort: str, most: int | None = MOST) -> Shown:
    """The rows with these labels in this order, of each label at most so many.

    A label's last arm alone is not left out: the row that says so would be as long.
    """
    labels = [label for label in LABELS if not only or label in only]
    order = {label: _ordered(table, label, sort) for label in labels}
    left_out: dict[Label, int] = {}
    chosen: list[int] = []
    for label in labels:
        found = order[label]
        if most is not None and len(found) > most + 1:
            left_out[label] = len(found) - most
            found = found[:most]
        chosen += found
    if sort != "label":
        chosen.sort(key=_key(table, sort))
    return Shown(chosen, left_out)


def _ordered(table: "CheckTable", label: "Label", sort: str) -> list[int]:
    found = [int(position) for position in table.ranked(label)]
    return found if sort == "label" else sorted(found, key=_key(table, sort))


def _key(table: "CheckTable", sort: str) -> Callable[[int], tuple[object, ...]]:
    """What rows are compared by; those without a number come last, ties in the table's order."""
    if sort == "table":
        return lambda position: (position,)
    if sort == "arm":
        return lambda position: (*_natural(str(table.arms[position])), position)
    sign = 1.0 if sort == "needed" else -1.0
    values = {"pulls": table.pulls, "mean": table.mean, "needed": table.needed}[sort]

    def key(position: int) -> tuple[object, ...]:
        value = float(values[position])
        return value != value, sign * value if value == value else 0.0, position

    return key


def _natural(name: str) -> tuple[object, ...]:
    """Names as people order them: arm2 before arm10."""
    parts = re.split(r"([0-9]+)", name.casefold())
    return tuple(
        (1, int(part), "") if number % 2 else (0, 0, part) for number, part in enumerate(parts)
    )


def lines_of(
    table: "CheckTable", shown: Shown, sort: str, width: int | None
) -> tuple[list[str], str]:
    """The table as text; and what it leaves out, with the remedy."""
    header = list(table.header)
    rows = [[*table.cells(k)] for k in shown.positions]
    if not rows:
        return ["No arm has this label."], ""
    marked = _with_dots(rows, shown) if sort == "label" else rows
    if width is None or table_width(header, marked, WIDE) <= width:
        return draw(header, marked, left=2, gap=WIDE), _remedy(shown, [])
    least = max(map(len, map(_more, shown.left_out.values())), default=0)
    header, kept, gone, room = _narrowed(header, rows, width, least if sort == "label" else 0)
    others = map(printable, table.arms)
    short = shorten_texts([row[0] for row in rows], room, cell_width, others)
    rows = [[name, *(row[k] for k in kept[1:])] for name, row in zip(short, rows, strict=True)]
    marked = _with_dots(rows, shown) if sort == "label" else rows
    return draw(header, marked, left=2), _remedy(shown, gone)


class _Narrow(NamedTuple):
    """What fits: the titles and positions of columns, those left out, and the room of names."""

    titles: list[str]
    kept: list[int]
    gone: list[str]
    room: int


def _narrowed(header: list[str], rows: list[list[str]], width: int, least: int) -> _Narrow:
    """Without the columns of least use, as many as it takes.

    Titles are folded only where that saves a column, or letters of a name. The first column takes
    ``least`` at least.
    """
    longest = max(least, cell_width(header[0]), *(cell_width(row[0]) for row in rows))
    folded = fold_header(header, rows)
    kept = list(range(len(header)))

    def room(titles: list[str]) -> int:
        chosen = [[row[k] for k in kept[1:]] for row in rows]
        return width - GAP - table_width([titles[k] for k in kept[1:]], chosen)

    gone: list[str] = []
    for group in _DROPPED:
        if min(longest, _NAME_ROOM) <= room(folded):
            break
        gone += group
        kept = [k for k in kept if header[k] not in group]
    titles = header if longest <= room(header) else folded
    return _Narrow([titles[k] for k in kept], kept, gone, room(titles))


def _with_dots(rows: list[list[str]], shown: Shown) -> list[list[str]]:
    """After the rows of each label, how many there are more."""
    result: list[list[str]] = []
    for number, row in enumerate(rows):
        result.append(row)
        is_last = number + 1 == len(rows) or rows[number + 1][1] != row[1]
        more = {str(label): count for label, count in shown.left_out.items()}.get(row[1])
        if is_last and more:
            rest = [ELLIPSIS] * (len(row) - 2)
            result.append([_more(more), row[1], *rest])
    return result


def _more(count: int) -> str:
    return f"{ELLIPSIS} {count:,} more"


def _remedy(shown: Shown, gone: Sequence[str]) -> str:
    parts = []
    left_out = sum(shown.left_out.values())
    if left_out:
        parts.append(f"{left_out:,} rows (--all shows them)")
    if gone:
        parts.append(f"{', '.join(gone)} (a wider terminal or --csv shows them)")
    return f"Left out: {'; '.join(parts)}." if parts else ""
