"""Arms' names as people see them: plain text, short enough, and still told apart."""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from goodarm.results.table import ELLIPSIS

_LEAST: Final = 4
"""No name is shortened to less: below that nothing of it would be left."""
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Kinds of characters that move the cursor, turn the writing or cannot be encoded."""
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
    return "".join(
        _escaped(sign)
        if unicodedata.category(sign) in _INVISIBLE and sign not in _JOINERS
        else sign
        for sign in text
    )


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape", "backslashreplace").decode("ascii")


def shorten_names(
    names: Sequence[object], width: int, measure: Callable[[str], int] = len
) -> list[str]:
    """Names of at most so many columns; what is left out is their middle.

    Names that differ stay different: where two would look alike, another part of them is shown, or
    in the end a number is added.

    Args:
        names: the arms' names.
        width: columns that each may take, at least 4.
        measure: the columns that a text takes; its length unless given.

    >>> shorten_names(["test_login[chrome]", "test_login[firefox]"], 12)
    ['test_l…rome]', 'test_l…efox]']
    """
    width = max(width, _LEAST)
    texts = [printable(name) for name in names]
    short = [_middle_out(text, width, 0.5, measure) for text in texts]
    for share in (0.3, 0.7, 0.1, 0.9):
        twins = _alike(texts, short)
        if not twins:
            return short
        for place in twins:
            short[place] = _middle_out(texts[place], width, share, measure)
    _show_differences(texts, short, width, measure)
    for number, place in enumerate(_alike(texts, short), start=1):
        tail = f"{ELLIPSIS}{number}"
        head = _cut(texts[place], width - measure(tail), measure)
        short[place] = head + tail
    return short


def _alike(texts: Sequence[str], short: Sequence[str]) -> list[int]:
    """Where different names look the same; a name that was not shortened keeps its looks."""
    owners: dict[str, set[str]] = {}
    for text, shown in zip(texts, short, strict=True):
        owners.setdefault(shown, set()).add(text)
    return [
        place
        for place, shown in enumerate(short)
        if len(owners[shown]) > 1 and texts[place] != shown
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
    texts: Sequence[str], short: list[str], width: int, measure: Callable[[str], int]
) -> None:
    """Of names that still look alike, show a part from where each leaves the others."""
    for group in _groups(_alike(texts, short), short):
        common = _common_start([texts[place] for place in group])
        for place in group:
            start = max(common - 1, 1)
            part = _cut(texts[place][start:], width - 2, measure)
            is_end = start + len(part) == len(texts[place])
            short[place] = f"{ELLIPSIS}{part}{'' if is_end else ELLIPSIS}"


def _groups(places: Sequence[int], short: Sequence[str]) -> Iterator[list[int]]:
    for shown in Counter(short[place] for place in places):
        yield [place for place in places if short[place] == shown]


def _common_start(texts: Sequence[str]) -> int:
    """How many first characters all of them share."""
    least, most = min(texts), max(texts)
    pairs = zip(least, most, strict=False)
    return next((k for k, (a, b) in enumerate(pairs) if a != b), min(len(least), len(most)))
