"""Parser of numbers as people write them: 1500, 1,500, 1.500, 1 500, 0,53; words for 0 and 1.

The decimal sign is never inferred from one cell: the whole table is read with a decimal point and
with a decimal comma, and one of the two must fail, or both must give the same numbers.
"""

import math
import re
from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from decimal import Decimal
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goodarm.arguments import as_float
from goodarm.tables.read_options import Sign

Floats = NDArray[np.float64]

WORDS: Final = {
    **dict.fromkeys(("true", "yes", "pass", "passed", "success", "succeeded", "win", "won"), 1.0),
    **dict.fromkeys(("false", "no", "fail", "failed", "failure", "loss", "lost"), 0.0),
    **dict.fromkeys(("t", "y", "correct", "\N{CHECK MARK}", "\N{HEAVY CHECK MARK}"), 1.0),
    **dict.fromkeys(("f", "n", "incorrect", "\N{BALLOT X}", "\N{HEAVY BALLOT X}"), 0.0),
}
"""Words for rewards of 0 and 1."""

_GAP: Final = "[ \u00a0\u202f\u2009'\u2019]"
_GROUPED: Final = {
    ".": re.compile(rf"[+-]?[1-9]\d{{0,2}}(?:(?:,\d{{3}})+|(?:{_GAP}\d{{3}})+)(?:\.\d*)?"),
    ",": re.compile(rf"[+-]?[1-9]\d{{0,2}}(?:(?:\.\d{{3}})+|(?:{_GAP}\d{{3}})+)(?:,\d*)?"),
}
_THOUSANDS: Final = {".": ",", ",": "."}
_GAPS: Final = re.compile(_GAP)


class Numerals:
    """Parser of a table's numbers, with one decimal sign.

    ``is_strict``: plain numbers only. ``in_memory``: some numbers come from frames, dicts or lists.
    The other attributes record what was found: a point or comma, exponents, thousands separators,
    words, decimal commas, percent signs, text.
    """

    def __init__(self, sign: Sign, *, is_strict: bool = False) -> None:
        self.sign: Sign = sign
        self.is_strict = is_strict
        self.has_signs = False
        self.has_exponents = False
        self.has_groups = False
        self.has_words = False
        self.has_comma = False
        self.has_shares = False
        self.has_text = False
        self.in_memory = False

    def with_sign(self, sign: Sign) -> "Numerals":
        """Return a copy that continues with another decimal sign."""
        other = copy(self)
        other.sign = sign
        return other

    def read(self, cells: Sequence[str], *, words: bool = False, shares: bool = False) -> Floats:
        """Parse cells as numbers; nan if a cell is not a number."""
        joined = "".join(cells)
        is_plain = not has_sign(joined)
        self.has_exponents |= "e" in joined or "E" in joined
        self.has_signs |= not is_plain
        if "_" not in joined and (self.sign == "." or is_plain):
            try:
                found = np.array(list(map(float, cells)), np.float64)
            except ValueError:
                pass
            else:
                self.has_text |= len(cells) > 0
                return found
        known = {cell: self.read_one(cell, words=words, shares=shares) for cell in set(cells)}
        return np.fromiter(map(known.__getitem__, cells), np.float64, len(cells))

    def read_one(self, cell: str, *, words: bool = False, shares: bool = False) -> float:
        """Parse one cell; ``shares``: 60% is 0.6."""
        text = cell.strip()
        if words and not self.is_strict and text.casefold() in WORDS:
            self.has_words = True
            return WORDS[text.casefold()]
        if shares and not self.is_strict and text.endswith("%"):
            self.has_shares = True
            return _as_number(f"{self.plain(text[:-1].rstrip())}e-2")
        number = _as_number(self.plain(text))
        self.has_text |= not math.isnan(number)
        return number

    def plain(self, text: str) -> str:
        """Return a numeral without thousands separators, and with a decimal point."""
        self.has_signs |= has_sign(text)
        if not self.is_strict and _GROUPED[self.sign].fullmatch(text):
            self.has_groups = True
            text = _GAPS.sub("", text).replace(_THOUSANDS[self.sign], "")
        if self.sign == ",":
            if "." in text:
                return ""
            self.has_comma |= "," in text
            return text.replace(",", ".")
        return text

    @property
    def notes(self) -> list[str]:
        """Notes on how numbers were read that are not plain."""
        found = []
        if self.has_comma:
            found.append("numbers with a decimal comma")
        if self.has_exponents and not self.has_words:
            found.append("numbers such as 1e3")
        if self.has_groups:
            found.append("ignored thousands separators")
        if self.has_words:
            found.append("read words as 0 and 1")
        if self.has_shares:
            found.append("read percentages as parts of one")
        if self.has_text and self.in_memory:
            found.append("read text as numbers")
        return found


def has_sign(text: str) -> bool:
    """Return whether text contains a point or a comma."""
    return "." in text or "," in text


def _as_number(text: str) -> float:
    try:
        return math.nan if "_" in text else float(text)
    except ValueError:
        return math.nan


def parse_values(
    cells: Any,
    numerals: Numerals,
    *,
    is_text: bool,
    booleans: bool,
    words: bool,
    shares: bool = False,
) -> Floats:
    """Parse a column as numbers, with nan for other cells; ``is_text``: text may be a number."""
    if isinstance(cells, np.ndarray) and cells.dtype.kind in ("iufb" if booleans else "iuf"):
        return cells.astype(np.float64)
    kinds = set(map(type, cells))
    if is_text and kinds <= {str}:
        return numerals.read(cells, words=words, shares=shares)
    if kinds <= {int, float}:
        with suppress(OverflowError):  # an int too large for float; handled below
            return np.array(cells, np.float64)
    found = [_parse_value(cell, numerals, is_text, booleans, words, shares) for cell in cells]
    return np.array(found, np.float64)


def _parse_value(
    cell: Any, numerals: Numerals, is_text: bool, booleans: bool, words: bool, shares: bool
) -> float:
    if isinstance(cell, str):
        is_readable = is_text or (words and cell.strip().casefold() in WORDS)
        return numerals.read_one(cell, words=words, shares=shares) if is_readable else math.nan
    if isinstance(cell, bool | np.bool_):
        return float(cell) if booleans else math.nan
    try:
        number = float(cell) if isinstance(cell, Decimal) else as_float(cell)
    except (TypeError, ValueError):  # such as a timedelta
        return math.nan
    return math.nan if number is None else number
