"""Cells of a CSV file that no spreadsheet takes for a formula."""

import math
from typing import Final

_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")


def harmless(cell: object) -> object:
    """The cell itself; a text that a spreadsheet would run gets an apostrophe in front.

    Such a text begins with =, +, -, @, a tab or a carriage return, and is no number.

    >>> harmless("=HYPERLINK(1)"), harmless("-5"), harmless(-5), harmless("red")
    ("'=HYPERLINK(1)", '-5', -5, 'red')
    """
    if not isinstance(cell, str) or not cell.startswith(_STARTS) or _is_number(cell):
        return cell
    return f"'{cell}"


def _is_number(text: str) -> bool:
    try:
        return "_" not in text and text == text.strip() and math.isfinite(float(text))
    except ValueError:
        return False
