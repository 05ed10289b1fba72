"""Arms' names as people see them: plain text, short enough, and still told apart."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import Final

ELLIPSIS: Final = "…"

_LEAST: Final = 4
"""No name is shortened to less: below that nothing of it would be left."""
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Kinds of characters that move the cursor, turn the writing or cannot be encoded."""
_FORBIDDEN: Final = frozenset("\ufffe\uffff")
"""No characters at all, and not allowed in XML."""
_JOINERS: Final = frozenset("\u200c\u200d")
"""Invisible, but part of how some scripts and emoji are written."""


def printable(name: object) -> str:
    r"""A name with its invisible characters written out: a name must not steer a terminal.

    >>> printable("red\n\x1b[31m")
    'red\\n\\x1b[31m'
    """
    text = str(name)
    if text.isprintable():
        return text
    return "".join(_escaped(sign) if _is_hidden(sign) else sign for sign in text)


def _is_hidden(sign: str) -> bool:
    if sign in _JOINERS:
        return False
    return sign in _FORBIDDEN or unicodedata.category(sign) in _INVISIBLE


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape", "backslashreplace").decode("ascii")


def shorten_names(
    names: Sequence[object], width: int, measure: Callable[[str], int] = len
) -> list[str]:
    """Names of at most so many columns; what is left out is their middle.

    Names that differ stay different: where two would look alike, another part of them is shown, or
    in the end a number is added. A name that fits is shown as it is.

    Args:
        names: the arms' names.
        width: columns that each may take, at least 4.
        measure: the columns that a text takes; its length unless given.

    >>> shorten_names(["test_login[chrome]", "test_login[firefox]"], 12)
    ['test_l…rome]', 'test_l…efox]']
    """
    width = max(width, _LEAST)
    given = [str(name) for name in names]
    texts = [printable(name) for name in given]
    short = [_middle_out(text, width, 0.5, measure) for text in texts]
    for share in (0.3, 0.7, 0.1, 0.9):
        twins = _alike(given, short)
        if not twins:
            return short
        for place in twins:
            short[place] = _middle_out(texts[place], width, share, measure)
    _show_differences(given, texts, short, width, measure)
    _add_numbers(given, texts, short, width, measure)
    return short


def _alike(names: Sequence[str], short: Sequence[str]) -> list[int]:
    """Where different names look the same; a name that is shown as it is keeps its looks."""
    owners: dict[str, set[str]] = {}
    for name, shown in zip(names, short, strict=True):
        owners.setdefault(shown, set()).add(name)
    return [
        place
        for place, shown in enumerate(short)
        if len(owners[shown]) > 1 and names[place] != shown
    ]


def _middle_out(text: str, width: int, share: float, measure: Callable[[str], int]) -> str:
    """The text with its middle left out; ``share`` of what stays is its beginning."""
    if measure(text) <= width:
        return text
    head = _cut(text, max(round((width - 1) * share), 1), measure)
    tail = _cut(text[::-1], width - 1 - measure(head), measure)[::-1]
    return f"{head}{ELLIPSIS}{tail}"


def _cut(text: str, width: int, measure: Callable[[str], int]) -> str:
    """The beginning that fits."""
    shown = text[: max(width, 0)]
    while measure(shown) > width:
        shown = shown[:-1]
    return shown


def _show_differences(
    names: Sequence[str],
    texts: Sequence[str],
    short: list[str],
    width: int,
    measure: Callable[[str], int],
) -> None:
    """Of names that still look alike, show a part from where each leaves the others."""
    for group in _groups(_alike(names, short), short):
        common = _common_start([texts[place] for place in group])
        for place in group:
            start = max(common - 1, 1)
            part = _cut(texts[place][start:], width - 2, measure)
            is_end = start + len(part) == len(texts[place])
            short[place] = f"{ELLIPSIS}{part}{'' if is_end else ELLIPSIS}"


def _groups(places: Iterable[int], short: Sequence[str]) -> Iterator[list[int]]:
    groups: dict[str, list[int]] = {}
    for place in places:
        groups.setdefault(short[place], []).append(place)
    return iter(groups.values())


def _add_numbers(
    names: Sequence[str],
    texts: Sequence[str],
    short: list[str],
    width: int,
    measure: Callable[[str], int],
) -> None:
    """Tell the rest apart by a number at the end, one that no other name is shown with."""
    twins = _alike(names, short)
    used = set(short)
    numbers = count(1)
    given: dict[str, str] = {}
    for place in twins:
        while names[place] not in given:
            tail = f"{ELLIPSIS}{next(numbers)}"
            shown = _cut(texts[place], width - measure(tail), measure) + tail
            if shown not in used:
                given[names[place]] = shown
        short[place] = given[names[place]]
        used.add(short[place])


def _common_start(texts: Sequence[str]) -> int:
    """How many first characters all of them share."""
    least, most = min(texts), max(texts)
    pairs = zip(least, most, strict=False)
    return next((k for k, (a, b) in enumerate(pairs) if a != b), min(len(least), len(most)))
