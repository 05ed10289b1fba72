"""A rate beside pulls as successes, where only one whole number of them would be printed so."""

import math
from decimal import Decimal, InvalidOperation
from typing import Any, Final, NamedTuple

from goodarm.checking.numerals import Numerals
from goodarm.checks import as_float
from goodarm.errors import Hint

_EXACT: Final = 1e-12
"""A rate that is a number, and no text, is known to so much."""
_MOST_DIGITS: Final = 40

REMEDY: Final = Hint(
    "Give the successes themselves, or rates with more digits.",
    "Give the successes themselves, or rates with more digits.",
)


class Successes(NamedTuple):
    """The least and the largest number of successes that a rate may stand for."""

    least: int
    most: int

    @property
    def rule(self) -> str:
        """What is wrong where they are not one number."""
        if self.least > self.most:
            return "give a whole number when multiplied by pulls, within its printed digits"
        return (
            "have digits enough for one number of successes, where "
            f"{self.least} and {self.most} would be printed alike"
        )


def successes_of(
    cell: Any, pulls: int, numerals: Numerals, *, is_text: bool, is_percent: bool
) -> Successes | None:
    """The successes that a rate stands for; None where it is no rate.

    >>> successes_of("53.3%", 1500, Numerals("."), is_text=True, is_percent=False)
    Successes(least=799, most=800)
    >>> successes_of("0.0533", 150, Numerals("."), is_text=True, is_percent=False)
    Successes(least=8, most=8)
    """
    known = _rate(cell, numerals, is_text=is_text, is_percent=is_percent)
    if known is None:
        return None
    rate, doubt = known
    if not -doubt <= rate <= 1 + doubt:
        return None
    least = math.ceil((rate - doubt) * pulls)
    most = math.floor((rate + doubt) * pulls)
    return Successes(max(least, 0), min(most, pulls))


def _rate(
    cell: Any, numerals: Numerals, *, is_text: bool, is_percent: bool
) -> tuple[Decimal, Decimal] | None:
    """The rate, and half a unit of its last digit."""
    unit = Decimal("0.01") if is_percent else Decimal(1)
    if isinstance(cell, str):
        if not is_text:
            return None
        text = cell.strip()
        if text.endswith("%") and not numerals.is_strict:
            text, unit = text[:-1].strip(), Decimal("0.01")
        try:
            rate = Decimal(numerals.plain(text))
        except InvalidOperation:
            return None
        digits = rate.as_tuple().exponent
        if not isinstance(digits, int) or abs(digits) > _MOST_DIGITS:
            return None
        return rate * unit, Decimal(5).scaleb(min(digits, 0) - 1) * unit
    number = None if isinstance(cell, bool) else as_float(cell)
    if number is None or not math.isfinite(number) or abs(number) > 1e6:
        return None
    return Decimal(number) * unit, Decimal(_EXACT)
