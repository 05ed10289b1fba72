"""Users' texts in figures: always plain text, in a font that has their letters."""

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.legend import Legend

from goodarm.views.figures.fonts import Fonts, find_fonts
from goodarm.views.names import shorten_names, visible
from goodarm.views.text import measure_text

MAX_NAME_LENGTH: Final = 28
"""Largest width of a name in a figure, in columns."""
_BOX: Final = "\N{WHITE SQUARE}"
_PACKAGE: Final = __name__.partition(".")[0]
_NAMED: Final = 10
"""Largest number of characters that a warning lists."""


class FigureTexts:
    """Texts of one figure, and the fonts for them; warns once of letters that no font has.

    Args:
        texts: all texts of users in the figure.
        is_live: whether somebody else will draw it. Letters without a font are then already boxes
            in the text, since matplotlib would warn of each of them.
    """

    def __init__(self, texts: Iterable[object], *, is_live: bool = False) -> None:
        fonts = find_fonts(map(visible, texts))
        self._is_live = is_live
        self._missing = fonts.missing
        self.style: dict[str, Any] = {"parse_math": False, "usetex": False}
        """Properties of a matplotlib Text that make it plain."""
        if fonts.families:
            self.style["fontfamily"] = [*mpl.rcParams["font.family"], *fonts.families]
        if fonts.missing:
            _warn_of(fonts)

    def write(self, text: object) -> str:
        """Return the text as the figure shows it."""
        shown = visible(text)
        if not self._is_live:
            return shown
        return "".join(_BOX if sign in self._missing else sign for sign in shown)

    def shorten(self, names: Sequence[object], length: int = MAX_NAME_LENGTH) -> list[str]:
        """Shorten names so that they stay distinct and leave room for the figure."""
        most = min(length, MAX_NAME_LENGTH)
        return [self.write(name) for name in shorten_names(names, most, measure_text)]

    def name_rows(self, axes: Axes, names: Sequence[object], length: int = MAX_NAME_LENGTH) -> None:
        """Set the names at the left of rows 0, 1, 2, ..., each of at most this length."""
        axes.set_yticks(range(len(names)), self.shorten(names, length), **self.style)

    def add_legend(
        self, make: Callable[..., Legend], entries: Sequence[tuple[Any, object]], **options: Any
    ) -> Legend:
        """Add a legend of (what is drawn, its name), by ``axes.legend`` or ``figure.legend``.

        The names come in at the end, since matplotlib drops labels that begin with an underscore.
        """
        places = [str(place) for place in range(len(entries))]
        legend = make([drawn for drawn, _ in entries], places, **options)
        names = self.shorten([name for _, name in entries])
        for text, name in zip(legend.get_texts(), names, strict=True):
            text.set(text=name, **self.style)
        return legend


def _warn_of(fonts: Fonts) -> None:
    signs = sorted(fonts.missing)
    more = f" and {len(signs) - _NAMED} more" if len(signs) > _NAMED else ""
    warnings.warn(
        f"No installed font has the characters {' '.join(signs[:_NAMED])}{more}: pictures show "
        "boxes in their place. Install a font that has them, such as Noto Sans CJK or Noto Emoji.",
        UserWarning,
        stacklevel=_find_user_stack_level(),
    )


def _find_user_stack_level() -> int:
    """Return the stack level above ``_warn_of`` of the caller of goodarm, or else the outermost."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and _is_ours(frame):
        frame, level = frame.f_back, level + 1
    return level


def _is_ours(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == _PACKAGE


@contextmanager
def suppress_glyph_warnings() -> Iterator[None]:
    """Suppress matplotlib's warning of each missing letter: goodarm has warned already."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        yield
