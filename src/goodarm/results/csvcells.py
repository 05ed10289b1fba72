"""Lines of a CSV file, whose cells no spreadsheet takes for formulas, and no reader for lines."""

import csv
import io
import math
from collections.abc import Iterable
from typing import Final

_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")


def csv_line(cells: Iterable[object]) -> str:
    r"""One line. Its end is written as both signs first, so that cells with either are quoted.

    >>> csv_line(["red", 0.5, None, "a\rb"])
    'red,0.5,,"a\rb"\n'
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(map(harmless, cells))
    return text.getvalue().removesuffix("\r\n") + "\n"


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
