"""Fonts for letters that matplotlib's own font lacks: other installed fonts that have them."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from matplotlib import font_manager
from matplotlib.ft2font import FT2Font

_NO_LETTERS: Final = ("Last Resort", ".", "Adobe Blank")
"""Prefixes of fonts that have a box for every letter, or are not to be used by name."""


class Fonts(NamedTuple):
    """Font families that have what the usual font lacks, and the characters that none has."""

    families: tuple[str, ...]
    missing: frozenset[str]


def find_fonts(texts: Iterable[str]) -> Fonts:
    """Return the fewest further families with which the texts can be drawn."""
    usual = str(font_manager.findfont(font_manager.FontProperties()))
    signs = frozenset("".join(texts))
    lacking = signs - _find_characters(usual, signs)
    found = _choose(lacking, _list_known_fonts())
    if not found.missing:
        return found
    late = _choose(found.missing, _find_new_fonts())
    return Fonts(found.families + late.families, late.missing)


def _choose(lacking: frozenset[str], places: Iterable[tuple[str, str]]) -> Fonts:
    """Choose families greedily: each time the first one with most of the missing characters."""
    if not lacking:
        return Fonts((), lacking)
    offers = [(family, _find_characters(path, lacking)) for family, path in places]
    families: list[str] = []
    while offers and lacking:
        family, signs = max(offers, key=lambda offer: len(offer[1] & lacking))
        if not signs & lacking:
            break
        families.append(family)
        lacking -= signs
    return Fonts(tuple(families), lacking)


def _list_known_fonts() -> list[tuple[str, str]]:
    """Return family and file of the upright fonts that matplotlib knows, sans serif first."""
    entries = font_manager.fontManager.ttflist
    upright = {
        (entry.name, entry.fname)
        for entry in entries
        if entry.style == "normal"
        and str(entry.weight) in ("400", "normal", "regular")
        and not entry.name.startswith(_NO_LETTERS)
    }
    return sorted(upright, key=lambda place: ("Mono" in place[0], "Serif" in place[0], place))


def _find_new_fonts() -> Iterator[tuple[str, str]]:
    """Yield fonts installed since matplotlib made its list, and add them to the list."""
    manager = font_manager.fontManager
    known = {entry.fname for entry in manager.ttflist}
    for path in sorted(set(font_manager.findSystemFonts()) - known):
        try:
            manager.addfont(path)
        except (OSError, RuntimeError, ValueError):
            continue  # a kind of font that matplotlib cannot draw with
        family = manager.ttflist[-1].name
        if not family.startswith(_NO_LETTERS):
            yield family, path


@lru_cache(maxsize=1000)
def _find_characters(path: str, signs: frozenset[str]) -> frozenset[str]:
    """Return the characters that a font has; none for bitmap fonts, which have one size."""
    try:
        font = FT2Font(path)
        font.set_size(10.0, 72.0)
    except (OSError, RuntimeError, ValueError):
        return frozenset()
    return frozenset(sign for sign in signs if font.get_char_index(ord(sign)))
