"""Tables for people: aligned text for a terminal, HTML for a notebook."""

from collections.abc import Sequence
from html import escape

ELLIPSIS = "…"


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns aligned: the first to the left, the rest to the right.

    >>> print(text_table(["arm", "pulls"], [["a", "12"], ["b", "7"]]))
    arm  pulls
    a       12
    b        7
    """
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]
    lines = []
    for row in (header, *rows):
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def html_table(caption: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The same table as HTML."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return (
        f"<table><caption>{escape(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def shorten(rows: Sequence[Sequence[str]], most: int) -> list[Sequence[str]]:
    """At most so many rows: the first ones and the last, with a row of dots between."""
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
