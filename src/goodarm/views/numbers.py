"""Numbers and nouns for people: on a terminal, in a notebook, in a report, on pages."""

import math
from typing import Final

_MIN_WHOLE: Final = 999.95
"""Smallest number that is rounded to a whole number."""
_MIN_EXPONENT: Final = 1e9
"""Smallest number that is written with an exponent."""
_MAX_E_VALUE: Final = 1e300
_PERCENT_DIGITS: Final = 12
"""Digits after the point beyond which a percentage has only the error of its multiplication."""
WAITING: Final = "waits"
"""Text in place of the pulls that an arm needs while its test waits for a missing reward."""
UNCLEAR: Final = "unclear"


def format_number(value: float | None, *, percent: bool = False) -> str:
    """Format a mean, a bound or a threshold with four digits; a dash where there is none.

    Args:
        value: the number.
        percent: it is a share, to be shown in percent.

    >>> format_number(0.123456), format_number(994_812.3), format_number(3e12), format_number(None)
    ('0.1235', '994,812', '3e+12', '-')
    >>> format_number(0.123456, percent=True)
    '12.35 %'
    """
    if value is None or value != value:
        return "-"
    if percent:
        return f"{format_number(_to_percent(value))} %"
    return f"{value:,.0f}" if _MIN_WHOLE <= abs(value) < _MIN_EXPONENT else f"{value:.4g}"


def format_count(value: float | None) -> str:
    """Format a number of pulls, arms or entries; a dash where there is none.

    >>> format_count(1234), format_count(56_780_000), format_count(3e12), format_count(None)
    ('1,234', '56,780,000', '3.000e+12', '-')
    """
    if value is None or value != value:
        return "-"
    return f"{value:,.0f}" if abs(value) < _MIN_EXPONENT else f"{value:.3e}"


def format_bound(value: float | None, threshold: float, *, percent: bool = False) -> str:
    """Format a bound, with more digits where rounding would move it across the threshold.

    >>> format_bound(0.499988, 0.5), format_bound(0.499988, 0.8), format_bound(999_999.8, 1e6)
    ('0.49999', '0.5', '999999.8')
    >>> format_bound(0.499998, 0.5, percent=True), format_bound(0.07, 0.07, percent=True)
    ('49.9998 %', '7 %')
    """
    if percent and value is not None and value == value:
        return f"{format_bound(_to_percent(value), _to_percent(threshold))} %"
    text = format_number(value)
    if value is None or value != value:
        return text
    for digits in range(5, 18):
        if (float(text.replace(",", "")) >= threshold) == (value >= threshold):
            break
        text = f"{value:.{digits}g}"
    return text


def format_e_value(value: float | None) -> str:
    """Format an e-value; very large ones only as "> 1e+300".

    >>> format_e_value(20.0855), format_e_value(3.5e5), format_e_value(math.inf)
    ('20.09', '350,000', '> 1e+300')
    """
    return "> 1e+300" if value is not None and value > _MAX_E_VALUE else format_number(value)


def format_needed(value: float | None, pulls: int, waiting: int = 0) -> str:
    """Format the further pulls that an arm needs; a dash for one that has not been pulled.

    Where more rewards wait than it is said to need, that number says nothing.

    >>> format_needed(12, 30), format_needed(math.inf, 30), format_needed(math.inf, 0)
    ('12', 'unclear', '-')
    >>> format_needed(12, 30, waiting=13)
    'waits'
    """
    known = value if value is not None and math.isfinite(value) else None
    if waiting > (known or 0):
        return WAITING
    return UNCLEAR if known is None and pulls else format_count(known)


def format_setting(value: float, *, percent: bool = False) -> str:
    """Format a setting, such as a threshold, with all its digits.

    >>> format_setting(0.5), format_setting(0.123456789), format_setting(1e6), format_setting(1e-7)
    ('0.5', '0.123456789', '1,000,000', '1e-07')
    >>> format_setting(0.285, percent=True)
    '28.5 %'
    """
    if percent:
        return f"{format_setting(_to_percent(value))} %"
    return f"{value:,.12g}"


def format_money(value: float | None) -> str:
    """Format an amount of money: with cents, or with two digits if it is less than ten cents.

    >>> format_money(1234.5), format_money(0.3), format_money(0.0421), format_money(0.0)
    ('1,234.50', '0.30', '0.042', '0')
    """
    if value is None or value != value:
        return "-"
    if not value:
        return "0"
    if value < 0.0995:
        return f"{value:.2g}"
    return f"{value:,.2f}" if value < _MIN_EXPONENT else f"{value:.3e}"


def _to_percent(share: float) -> float:
    return round(100.0 * share, _PERCENT_DIGITS)


def format_percent(share: float) -> str:
    """Format a share, such as delta, as a percentage.

    >>> format_percent(0.05), format_percent(0.07), format_percent(0.001), format_percent(1e-9)
    ('5 %', '7 %', '0.1 %', '1e-07 %')
    """
    return f"{100.0 * share:.6g} %"


def plural(count: int, one: str, many: str | None = None) -> str:
    """Format a number with its noun.

    >>> plural(1, "arm"), plural(2000, "arm"), plural(0, "entry", "entries")
    ('1 arm', '2,000 arms', '0 entries')
    """
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def name_some(names: list[str], most: int = 12) -> str:
    """Join some names, and say how many more there are.

    >>> name_some(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most:,} more" if len(names) > most else shown
