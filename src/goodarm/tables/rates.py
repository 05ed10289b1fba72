"""Conversion of rates and pulls to successes, if only one whole number rounds to the rate."""

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.tables.chunks import Chunk
from goodarm.tables.headers import is_percent_name
from goodarm.tables.numerals import Numerals
from goodarm.tables.table_errors import Failures, Fault

_EXACT_TOLERANCE: Final = 1e-12
"""Tolerance of a rate that is given with all its digits."""
_ALL_DIGITS: Final = 15
_MAX_DIGITS: Final = 40

REMEDY: Final = "Give the number of successes, or rates with more digits."


class SuccessRange(NamedTuple):
    """Smallest and largest number of successes that a rate may stand for."""

    least: int
    most: int

    @property
    def rule(self) -> str:
        """Rule that the rate breaks, if the two differ."""
        if self.least > self.most:
            return "give a whole number when multiplied by pulls, within its printed digits"
        return (
            "have enough digits for one number of successes; "
            f"{self.least} and {self.most} successes both round to it"
        )

    @property
    def many(self) -> str:
        """What is wrong where several rates break the rule."""
        if self.least > self.most:
            return "must give a whole number when multiplied by pulls"
        return "must have enough digits for one number of successes each"


def find_successes(rate: "RoundedRate", pulls: int) -> SuccessRange:
    """Return the range of successes that a rate may stand for.

    >>> find_successes(RoundedRate(Decimal("0.533"), Decimal("0.0005")), 1500)
    SuccessRange(least=799, most=800)
    >>> find_successes(RoundedRate(Decimal("0.0533"), Decimal("0.00005")), 150)
    SuccessRange(least=8, most=8)
    """
    least = math.ceil((rate.value - rate.doubt) * pulls)
    most = math.floor((rate.value + rate.doubt) * pulls)
    return SuccessRange(max(least, 0), min(most, pulls))


class RoundedRate(NamedTuple):
    """Rate from 0 to 1, and its rounding error: half a unit of its last digit."""

    value: Decimal
    doubt: Decimal


def from_rates(
    chunk: Chunk, pulls: NDArray[np.float64], numerals: Numerals
) -> tuple[NDArray[np.float64], Failures]:
    """Return the successes of a chunk's rates, and the rates that cannot be read."""
    cells, column = chunk.numbers["rate"], chunk.columns["rate"]
    is_percent = is_percent_name(column)
    rates = read_rates(
        cells, numerals, is_text=chunk.is_text or not numerals.is_strict, is_percent=is_percent
    )
    found, failures = np.zeros(len(pulls)), Failures()
    finest = min((rate.doubt for rate in rates if rate is not None), default=Decimal(0))
    for row, (rate, count) in enumerate(zip(rates, pulls, strict=True)):
        if np.isnan(count) or count == 0:
            continue
        if rate is None:
            failures.add(1, partial(_make_rate_faults, chunk, row))
            continue
        known = find_successes(rate, int(count))
        if known.least != known.most:
            is_short = known.least < known.most and rate.doubt > finest
            example = (
                f"{rate.value.quantize((2 * finest).normalize())}"
                if is_short and not is_percent
                else ""
            )
            failures.add(1, partial(_make_number_faults, chunk, row, known, example))
        else:
            found[row] = known.least
    if is_percent:
        part = _find_row_of_fractions(chunk, rates)
        if part is not None:
            failures.add(1, partial(_make_percentage_faults, chunk, part))
    return found, failures


def _make_rate_faults(chunk: Chunk, row: int) -> list[Fault]:
    rule = "be a rate from 0 to 1, or in percent with a % sign"
    return [chunk.fault(row, chunk.columns["rate"], rule, chunk.numbers["rate"][row])]


def _make_number_faults(chunk: Chunk, row: int, known: SuccessRange, example: str) -> list[Fault]:
    """Return the fault of a rate; ``example`` has as many digits as others, if it has fewer."""
    cell = chunk.numbers["rate"][row]
    remedy = (
        f"{REMEDY} If zeros at its end were lost, write them: {example}." if example else REMEDY
    )
    return [chunk.fault(row, chunk.columns["rate"], known.rule, cell, remedy, known.many)]


def _make_percentage_faults(chunk: Chunk, row: int) -> list[Fault]:
    column = chunk.columns["rate"]
    rule = "be clearly in percent, as its name says, or a fraction; all its numbers are at most 1"
    remedy = "Write 75 or 75% for three quarters, or rename the column to 'rate'."
    return [chunk.fault(row, column, rule, chunk.numbers["rate"][row], remedy)]


def _find_row_of_fractions(chunk: Chunk, rates: Sequence["RoundedRate | None"]) -> int | None:
    """Return a row if all percentages are at most 1: they may be fractions, as in workbooks."""
    cells = chunk.numbers["rate"]
    signed = [isinstance(cell, str) and "%" in cell for cell in cells]
    known = [r.value for r, has in zip(rates, signed, strict=True) if r is not None and not has]
    if not known or not 0 < max(known) <= Decimal("0.01"):
        return None
    return next(k for k, rate in enumerate(rates) if rate is not None and rate.value > 0)


def read_rates(
    cells: Iterable[Any], numerals: Numerals, *, is_text: bool, is_percent: bool
) -> list[RoundedRate | None]:
    """Parse rates with their rounding errors; None if a cell is not a rate.

    If one of them has all digits of a float, none of them is taken as rounded.
    """
    found = [_parse_rate(cell, numerals, is_text=is_text, is_percent=is_percent) for cell in cells]
    if any(rate is not None and _count_digits(rate.value) >= _ALL_DIGITS for rate in found):
        return [
            None if rate is None else RoundedRate(rate.value, Decimal(_EXACT_TOLERANCE))
            for rate in found
        ]
    return found


def _count_digits(value: Decimal) -> int:
    return len(value.as_tuple().digits)


def _parse_rate(
    cell: Any, numerals: Numerals, *, is_text: bool, is_percent: bool
) -> RoundedRate | None:
    unit = Decimal("0.01") if is_percent else Decimal(1)
    text = ""
    if isinstance(cell, str) and is_text:
        text = cell.strip()
        if text.endswith("%") and not numerals.is_strict:
            text, unit = text[:-1].strip(), Decimal("0.01")
        text = numerals.plain(text)
    elif isinstance(cell, float | int | Decimal | np.number) and not isinstance(cell, bool):
        text = str(cell)
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    exponent = value.as_tuple().exponent
    if not isinstance(exponent, int) or abs(exponent) > _MAX_DIGITS:
        return None
    doubt = Decimal(5).scaleb(min(exponent, 0) - 1) * unit
    value *= unit
    return RoundedRate(value, doubt) if -doubt <= value <= 1 + doubt else None
