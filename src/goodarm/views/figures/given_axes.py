"""Room in axes that somebody else made: titles, legends and names that fit, however small."""

import textwrap
from itertools import pairwise
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, MaxNLocator

_POINTS: Final = 72.0
"""Points in an inch."""
_CHARACTER: Final = 0.55
"""Mean width of a character, as a share of the size of its font."""
_SMALL_WIDTH: Final = 4.5
"""Width in inches below which text is smaller."""
_SMALL_FONT: Final = 8.0
_FONT: Final = 10.0
_LINE: Final = 1.35
"""Height of a line, as a share of the size of its font."""
_MARK_CHARACTERS: Final = 5
"""Room for the mark of an entry of a legend, in characters."""
_MIN_NAME_LENGTH: Final = 6
_TICK_INCHES: Final = 0.7
"""Room for a number on the axis."""

NARROW_LEGEND: Final[dict[str, Any]] = {
    "handletextpad": 0.4,
    "handlelength": 1.2,
    "columnspacing": 1.0,
}
"""Options of a legend with many entries in a line."""


class AxesRoom:
    """Room in and around given axes, in the layout at this moment.

    Args:
        axes: the axes to draw into.
    """

    def __init__(self, axes: Axes) -> None:
        self._axes = axes
        pixels = axes.get_window_extent().transformed(axes.figure.dpi_scale_trans.inverted())
        self.width, self.height = float(pixels.width), float(pixels.height)
        self._left = float(pixels.x0)
        self.font = _SMALL_FONT if self.width < _SMALL_WIDTH else _FONT

    def measure_again(self) -> "AxesRoom":
        """Return the room once a layout has made place for the names at the left."""
        figure = self._axes.get_figure(root=True)
        if figure is None or figure.get_layout_engine() is None:
            return self
        figure.draw_without_rendering()
        return AxesRoom(self._axes)

    def count_characters(self, inches: float) -> int:
        """Return how many characters fit into a width."""
        return int(inches * _POINTS / (_CHARACTER * self.font))

    @property
    def name_length(self) -> int:
        """Most characters of a name at the left, where nobody lays the figure out anew."""
        if self._axes.figure.get_layout_engine() is not None:
            return self.count_characters(0.35 * self.width)
        return max(self.count_characters(self._left - 0.15), _MIN_NAME_LENGTH)

    def wrap(self, text: str) -> str:
        """Break a text into lines that are no wider than the axes."""
        width = max(self.count_characters(self.width), _MIN_NAME_LENGTH)
        return "\n".join(
            "\n".join(textwrap.wrap(line, width)) if line else "" for line in text.split("\n")
        )

    def label_axis(self, *texts: str) -> None:
        """Write what the axis shows, with as many numbers as there is room for.

        The first text that fits in a line is taken; if none does, the last, in several lines.
        """
        most = self.count_characters(self.width)
        text = next((each for each in texts if len(each) <= most), texts[-1])
        self._axes.set_xlabel(self.wrap(text), fontsize=self.font)
        self._axes.tick_params(labelsize=self.font)
        count = max(int(self.width / _TICK_INCHES), 2)
        is_log = self._axes.get_xscale() == "log"
        locator = LogLocator(numticks=count) if is_log else MaxNLocator(count)
        self._axes.xaxis.set_major_locator(locator)

    def _count_columns(self, names: list[str]) -> int:
        """Return the most columns of a legend with these names that fit into the width."""
        room = self.count_characters(self.width)
        for columns in range(len(names), 1, -1):
            part, more = divmod(len(names), columns)  # as matplotlib fills them
            ends = [part * k + min(k, more) for k in range(columns + 1)]
            widths = [
                max(map(len, names[start:end])) + _MARK_CHARACTERS for start, end in pairwise(ends)
            ]
            if sum(widths) <= room:
                return columns
        return 1

    def place_above(self, title: str, names: list[str], style: dict[str, Any]) -> dict[str, Any]:
        """Write the title above a legend with these names; return the options of the legend.

        The legend stands between title and axes, where it covers no data.
        """
        columns = self._count_columns(names)
        lines = -(-len(names) // columns)
        pad = 4.0 + (lines * _LINE * self.font + 4.0 if names else 0.0)
        self._axes.set_title(self.wrap(title), loc="left", fontsize=self.font, pad=pad, **style)
        return {
            "loc": "lower left",
            "bbox_to_anchor": (0.0, 1.0),
            "ncols": columns,
            "fontsize": self.font,
            "borderaxespad": 0.2,
            "borderpad": 0.1,
            "labelspacing": 0.2,
            **NARROW_LEGEND,
        }
