"""Tables as HTML for a notebook: readable on light and on dark backgrounds.

Frontends may drop style sheets, so all styles are in the tags. Text and lines have the colour of
the surrounding text, and a table that is too wide scrolls by itself.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final

from goodarm.views.names import visible

_BOX: Final = "overflow-x:auto;max-width:100%"
_TABLE: Final = (
    "border-collapse:collapse;color:inherit;font-variant-numeric:tabular-nums;margin:0.3em 0"
)
_CAPTION: Final = "caption-side:top;text-align:left;color:inherit;padding:0 0 0.4em"
_CELL: Final = "white-space:nowrap;padding:0.15em 0.7em"
_NAME: Final = "max-width:16em;overflow:hidden;text-overflow:ellipsis"
"""Style of the first column: a long name is cut, and shown in full on hover."""
_NONE: Final[Mapping[int, str]] = {}
_HEAD: Final = "border-bottom:1px solid currentColor;vertical-align:bottom"


def escape_html(text: object) -> str:
    """Escape a text for a page or an attribute of a tag: nothing in it is read as HTML."""
    return escape(visible(text), quote=True)


def make_html_table(
    caption: str, header: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1
) -> str:
    """Return the table; its first ``left`` columns are left-aligned, the rest right-aligned."""
    return join_rows(caption, header, (make_html_row(row, left) for row in rows), left)


def join_rows(caption: str, header: Sequence[str], rows: Iterable[str], left: int = 1) -> str:
    """Return a table of rows that are HTML already."""
    sides = [_choose_side(column, left) for column in range(len(header))]
    head = "".join(
        f'<th scope="col" style="{_CELL};{side};{_HEAD}">{escape_html(name)}</th>'
        for side, name in zip(sides, header, strict=True)
    )
    return (
        f'<div style="{_BOX}"><table style="{_TABLE}">'
        f'<caption style="{_CAPTION}">{escape_html(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def make_html_row(cells: Sequence[str], left: int = 1, pictures: Mapping[int, str] = _NONE) -> str:
    """Return one row; ``pictures`` are cells that are HTML already, by their columns."""
    return (
        f"<tr>{''.join(_make_cell(k, cell, left, pictures) for k, cell in enumerate(cells))}</tr>"
    )


def _make_cell(column: int, cell: str, left: int, pictures: Mapping[int, str]) -> str:
    if column in pictures:
        return f'<td style="{_CELL};text-align:left">{pictures[column]}</td>'
    style, text = f"{_CELL};{_choose_side(column, left)}", escape_html(cell)
    if column:
        return f'<td style="{style}">{text}</td>'
    return f'<td style="{style};{_NAME}" title="{text}">{text}</td>'


def _choose_side(column: int, left: int) -> str:
    return "text-align:left" if column < left else "text-align:right"
