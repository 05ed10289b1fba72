"""Tables for people as aligned text, for a terminal."""

import unicodedata
from collections.abc import Sequence
from typing import Final

from goodarm.results.names import ELLIPSIS, visible

_WITHOUT_WIDTH: Final = frozenset({"Mn", "Me", "Cf"})
"""Marks upon other letters, and joiners."""


def columns_of(text: str) -> int:
    """The columns that a text takes in a terminal: wide characters two, combining marks none.

    >>> columns_of("abc"), columns_of("中文"), columns_of("e\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(sign: str) -> int:
    if unicodedata.category(sign) in _WITHOUT_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns aligned: the first to the left, the rest to the right; control characters shown.

    >>> print(text_table(["arm", "pulls"], [["a", "12"], ["b", "7"]]))
    arm  pulls
    a       12
    b        7
    """
    shown = [[visible(cell) for cell in row] for row in (header, *rows)]
    widths = [max(map(columns_of, column)) for column in zip(*shown, strict=True)]
    lines = []
    for first, *rest in shown:
        cells = [first + _padding(first, widths[0])]
        cells += [
            _padding(cell, width) + cell for cell, width in zip(rest, widths[1:], strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _padding(cell: str, width: int) -> str:
    return " " * (width - columns_of(cell))


def shorten(rows: Sequence[Sequence[str]], most: int) -> list[Sequence[str]]:
    """At most ``most`` rows: the first ones and the last, with a row of dots between."""
    if len(rows) <= most:
        return list(rows)
    dots = [ELLIPSIS] * len(rows[0])
    return [*rows[: most - 2], dots, rows[-1]]


def format_count(value: float | None) -> str:
    """Pulls as people read them: 1,234 or 5.678e+07; a dash where there is none."""
    if value is None or value != value:
        return "-"
    return f"{value:,.0f}" if abs(value) < 1e7 else f"{value:.3e}"


def format_number(value: float | None) -> str:
    """A mean, bound or e-value to four significant digits; a dash where there is none."""
    return "-" if value is None or value != value else f"{value:.4g}"
