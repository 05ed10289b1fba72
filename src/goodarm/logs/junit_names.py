"""Test names to which plugins of pytest have added the number of the repeat."""

from collections.abc import Sequence
from typing import Final

from goodarm.logs.reader import LogOptions

_MAX_DIGITS: Final = 9


def strip_repeat(name: str) -> str:
    """Remove what pytest-repeat adds to a name: number of the repeat, and number of repeats.

    >>> strip_repeat("test_pay[2-3]"), strip_repeat("test_search[chrome-2-3]")
    ('test_pay', 'test_search[chrome]')
    """
    test, bracket, rest = name.rpartition("[")
    if not bracket or not rest.endswith("]"):
        return name
    pieces = rest[:-1].rsplit("-", 2)
    if len(pieces) < 2 or not _is_repeat(*pieces[-2:]):
        return name
    return f"{test}[{pieces[0]}]" if len(pieces) > 2 else test


def _is_repeat(number: str, many: str) -> bool:
    return _is_number(number) and _is_number(many) and 1 <= int(number) <= int(many)


def strip_flakefinder(name: str) -> str:
    """Remove the number that flakefinder adds to a name.

    >>> strip_flakefinder("test_pay[0]"), strip_flakefinder("test_search[0-chrome]")
    ('test_pay', 'test_search[chrome]')
    """
    return _split_flakefinder(name)[0]


def _split_flakefinder(name: str) -> tuple[str, int]:
    """Split a name into the name without number and the number; -1 if there is none."""
    test, bracket, rest = name.partition("[")
    if bracket and rest.endswith("]"):
        number, dash, parameter = rest[:-1].partition("-")
        if _is_number(number):
            return (f"{test}[{parameter}]" if dash else test), int(number)
    return name, -1


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS


def describe_repeats(arms: Sequence[str], options: LogOptions) -> str:
    """Return a remark if repeats of a test are counted as separate arms, else nothing."""
    if options.by != ("name",):
        return ""
    return _repeat_hint(arms) or _describe_flakefinder(arms)


def _repeat_hint(arms: Sequence[str]) -> str:
    bases = [base for arm in arms if (base := strip_repeat(arm)) != arm]
    if len(bases) <= len(set(bases)):
        return ""
    return (
        f"{len(bases):,} names end like those of pytest-repeat. To count the repeats of a test as "
        "pulls of one arm, set by='test' (--by test)."
    )


def _describe_flakefinder(arms: Sequence[str]) -> str:
    """Return a remark if most arms are numbered from 0 without gaps: parameters are numbers too."""
    numbers: dict[str, list[int]] = {}
    for base, number in map(_split_flakefinder, arms):
        if number >= 0:
            numbers.setdefault(base, []).append(number)
    rows = [found for found in numbers.values() if len(found) > 1]
    many = sum(len(found) for found in rows if sorted(found) == list(range(len(found))))
    if 2 * many <= len(arms):
        return ""
    return (
        f"{many:,} names are numbered like those of flakefinder. If it ran these tests, set "
        "by='flakefinder' (--by flakefinder) to count the repeats of a test as pulls of one arm."
    )
