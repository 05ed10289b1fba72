"""Names of arms for people: printable, shortened, and still distinct."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import Final

ELLIPSIS: Final = "…"

_LEAST: Final = 4
"""Smallest width of a shortened name: below it nothing of the name would be left."""
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories that move the cursor, turn the writing or cannot be encoded."""
_FORBIDDEN: Final = frozenset("\ufffe\uffff")
"""Noncharacters, which XML does not allow."""
_LIKE_ESCAPED: Final = re.compile(r"\\(?:[\\nrt]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})", re.ASCII)
"""Pattern of texts that look like an escaped character."""
_SHARES: Final = (0.5, 0.3, 0.1, 0.7, 0.9)
"""Shares of a short name for its beginning; the first one that keeps all names distinct is used."""
_JOINERS: Final = frozenset("\u200c\u200d")
"""Invisible characters that are part of how some scripts and emoji are written."""


def printable(name: object) -> str:
    r"""Return a name with its invisible characters escaped: a name must not control a terminal.

    Distinct names stay distinct: where anything is escaped, or a backslash could be taken for an
    escape, backslashes are doubled.

    >>> printable("red\n\x1b[31m"), printable(r"red\n"), printable(r"red\green")
    ('red\\n\\x1b[31m', 'red\\\\n', 'red\\green')
    """
    text = str(name)
    if "\\" not in text:
        return visible(text)
    if not _LIKE_ESCAPED.search(text) and not any(map(_is_hidden, text)):
        return text
    return visible(text.replace("\\", "\\\\"))


def visible(text: object) -> str:
    r"""Return a text, which may hold printable names, with its invisible characters escaped.

    >>> visible(printable("red\n")), visible("red\n")
    ('red\\n', 'red\\n')
    """
    shown = str(text)
    if shown.isprintable():
        return shown
    return "".join(_escape_character(sign) if _is_hidden(sign) else sign for sign in shown)


def _is_hidden(sign: str) -> bool:
    if sign in _JOINERS:
        return False
    return sign in _FORBIDDEN or unicodedata.category(sign) in _INVISIBLE


def _escape_character(sign: str) -> str:
    return sign.encode("unicode_escape", "backslashreplace").decode("ascii")


Measure = Callable[[str], int]
"""Function that returns the columns a text takes: one for each ASCII character."""


def shorten_names(
    names: Sequence[object],
    width: int,
    measure: Measure = len,
    among: Iterable[object] = (),
) -> list[str]:
    """Shorten names to at most ``width`` columns by leaving out their middle.

    Distinct names stay distinct. All are cut at one place where they stay distinct; if there is
    none, each at its own, or in the end a number is added. A name that fits is shown unchanged.

    Args:
        names: the arms' names.
        width: columns that each may take, at least 4.
        measure: the columns that a text takes; its length unless given.
        among: names that are not shown, and that a short name must not be mistaken for either.

    >>> shorten_names(["test_login[chrome]", "test_login[firefox]"], 12)
    ['test_l…rome]', 'test_l…efox]']
    """
    return shorten_texts([*map(printable, names)], width, measure, map(printable, among))


def shorten_texts(
    texts: Sequence[str], width: int, measure: Measure = len, among: Iterable[str] = ()
) -> list[str]:
    """Shorten names, like ``shorten_names``, that are printable already."""
    width = max(width, _LEAST)
    shown = list(dict.fromkeys(texts))
    everything = list(dict.fromkeys([*shown, *among]))
    found: dict[str, str] = {}
    for cut in _cut_in_all_ways(shown, everything, width, measure):
        owners = Counter(cut)
        apart = {
            text: short
            for text, short in zip(shown, cut, strict=False)
            if owners[short] == 1 or short == text
        }
        if len(apart) == len(shown):
            return [apart[text] for text in texts]
        used = set(found.values())
        found = {text: short for text, short in apart.items() if short not in used} | found
    fitting = {text for text in everything if measure(text) <= width}
    _show_differences(shown, everything, found, fitting, width, measure)
    _add_numbers(shown, found, fitting, width, measure)
    return [found[text] for text in texts]


def _cut_in_all_ways(
    shown: Sequence[str], everything: Sequence[str], width: int, measure: Measure
) -> Iterator[list[str]]:
    """Yield all texts cut in one way, then in another; the last shows what follows the prefix."""
    for share in _SHARES:
        yield [_cut_middle(text, width, share, measure) for text in everything]
    start = max(_measure_common_start([text for text in shown if measure(text) > width]) - 1, 1)
    yield [
        text if measure(text) <= width else _cut_before(text, start, width, measure)
        for text in everything
    ]


def _cut_middle(text: str, width: int, share: float, measure: Measure) -> str:
    """Leave out the middle of the text; ``share`` of what stays is its beginning."""
    if (len(text) if text.isascii() else measure(text)) <= width:
        return text
    head = _cut(text, max(round((width - 1) * share), 1), measure)
    rest = width - 1 - (len(head) if head.isascii() else measure(head))
    tail = text[-rest:] if rest else ""
    if not tail.isascii():
        tail = _cut(text[::-1], rest, measure)[::-1]
    return f"{head}{ELLIPSIS}{tail}"


def _cut(text: str, width: int, measure: Measure) -> str:
    """Return the longest beginning that fits."""
    shown = text[: max(width, 0)]
    while not shown.isascii() and measure(shown) > width:
        shown = shown[:-1]
    return shown


def _show_differences(
    shown: Sequence[str],
    everything: Sequence[str],
    found: dict[str, str],
    fitting: set[str],
    width: int,
    measure: Measure,
) -> None:
    """For texts that still look alike, show a part from where each differs from the others."""
    rest = set(shown) - found.keys()
    used = fitting.union(found.values())
    for group in _look_alikes(everything, width, measure):
        if rest.isdisjoint(group):
            continue
        start = max(_measure_common_start(group) - 1, 1)
        parts = {text: _cut_before(text, start, width, measure) for text in group}
        owners = Counter(parts.values())
        for text in group:
            part = parts[text]
            if text in rest and owners[part] == 1 and part not in used:
                found[text] = part
                used.add(part)


def _cut_before(text: str, start: int, width: int, measure: Measure) -> str:
    part = _cut(text[start:], width - 2, measure)
    return f"{ELLIPSIS}{part}{'' if start + len(part) == len(text) else ELLIPSIS}"


def _look_alikes(texts: Sequence[str], width: int, measure: Measure) -> list[list[str]]:
    """Group the texts that look alike with the middle left out."""
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(_cut_middle(text, width, _SHARES[0], measure), []).append(text)
    return list(groups.values())


def _add_numbers(
    shown: Sequence[str],
    found: dict[str, str],
    fitting: set[str],
    width: int,
    measure: Measure,
) -> None:
    """Distinguish the rest by a number at the end that no other text is shown with."""
    used = fitting.union(found.values())
    numbers = count(1)
    for text in shown:
        while text not in found:
            tail = f"{ELLIPSIS}{next(numbers)}"
            short = _cut(text, width - measure(tail), measure) + tail
            if short not in used:
                found[text] = short
                used.add(short)


def _measure_common_start(texts: Sequence[str]) -> int:
    """Return the length of the common prefix."""
    least, most = min(texts), max(texts)
    pairs = zip(least, most, strict=False)
    return next((k for k, (a, b) in enumerate(pairs) if a != b), min(len(least), len(most)))
