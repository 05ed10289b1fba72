"""Numbers as pages show them: those of the library's tables, with large ones written out.

A terminal has 9.948e+05 for want of room. Beside an axis that says 1,000,000 a page says 994,812.
"""

from typing import Final

from goodarm.results.table import format_count, format_number

_LARGE: Final = 999.95
"""From here on four digits are a whole number."""
_LARGEST: Final = 1e9
"""From here on nobody counts the digits."""
_E_MOST: Final = 1e300


def number(value: float | None) -> str:
    """A mean, a bound or a threshold; a dash where there is none.

    >>> number(0.123456), number(994_812.3), number(-2000), number(3e12), number(None)
    ('0.1235', '994,812', '-2,000', '3e+12', '-')
    """
    if value is not None and _LARGE <= abs(value) < _LARGEST:
        return f"{value:,.0f}"
    return format_number(value)


def count(value: float | None) -> str:
    """Pulls, arms or entries.

    >>> count(1234), count(56_780_000), count(3e12), count(None)
    ('1,234', '56,780,000', '3.000e+12', '-')
    """
    if value is not None and abs(value) < _LARGEST:
        return f"{value:,.0f}"
    return format_count(value)


def e_value(value: float | None) -> str:
    """Evidence; beyond the largest number that is kept, only that it is.

    >>> e_value(20.0855), e_value(3.5e5), e_value(float("inf")), e_value(None)
    ('20.09', '350,000', '> 1e+300', '-')
    """
    return "> 1e+300" if value is not None and value > _E_MOST else number(value)


def setting(value: float) -> str:
    """What somebody has set, such as a threshold, with all the digits that it was set with.

    >>> setting(0.5), setting(0.123456789), setting(1e6), setting(1e-7), setting(1234.5)
    ('0.5', '0.123456789', '1,000,000', '1e-07', '1,234.5')
    """
    return f"{value:,.12g}"
