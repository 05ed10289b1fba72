"""Figure of the pulls to expect: a line for each quantity, the algorithms side by side."""

import textwrap
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from goodarm.errors import invalid_argument
from goodarm.views.figures.given_axes import AxesRoom
from goodarm.views.figures.styles import SETTINGS, choose_styles
from goodarm.views.figures.texts import FigureTexts

_GREY: Final = "#444444"
_WIDTH: Final = 7.2
_ROW: Final = 0.5
"""Inches for a quantity."""
_SPREAD: Final = 0.5
"""Part of a row that its algorithms share."""


class ExpectedRow(NamedTuple):
    """Pulls to one quantity: mean and quantile by algorithm, and the lower bound."""

    name: str
    expected: Sequence[tuple[float, float] | None]
    lower_bound: float | None


def plot_plan(
    rows: Sequence[ExpectedRow],
    algorithms: Sequence[str],
    share: str,
    title: str,
    ax: Axes | None,
    owner: str,
) -> Axes:
    """Draw means as marks, each with a line to what most runs stay within.

    Args:
        rows: the first at the top.
        algorithms: names, in the order of the rows' numbers.
        share: of runs that the lines are for, in words.
        title: what is planned.
        ax: existing axes; those of a new figure of pyplot unless given.
        owner: the function that the user called.
    """
    if ax is not None and not isinstance(ax, Axes):
        raise invalid_argument("ax", owner, "be an Axes of matplotlib", ax)
    with mpl.rc_context(SETTINGS):
        axes = ax
        if axes is None:
            from matplotlib import pyplot  # only here: it looks for a screen

            size = _WIDTH, 1.8 + _ROW * len(rows)
            axes = pyplot.figure(figsize=size, layout="constrained").add_subplot()
        words = FigureTexts([title, *algorithms], is_live=True)
        room = AxesRoom(axes)
        entries = _draw_rows(axes, rows, algorithms)
        names = [textwrap.fill(row.name, room.name_length) for row in reversed(rows)]
        axes.set_yticks(range(len(names)), names, **words.style)
        axes.set_xscale("log")
        room = room.measure_again()
        axes.set_ylim(-0.6, len(rows) - 0.4)
        axes.grid(visible=False, axis="y")
        room.label_axis(f"pulls: the mean, and what {share} stay within", "pulls")
        shown = words.shorten([name for _, name in entries])
        options = room.place_above(words.write(title), shown, words.style)
        words.add_legend(axes.legend, entries, **options)
    return axes


def _draw_rows(
    axes: Axes, rows: Sequence[ExpectedRow], algorithms: Sequence[str]
) -> list[tuple[Any, str]]:
    """Draw all rows, the last at the bottom; return the entries of the legend."""
    looks = choose_styles(algorithms)
    step = _SPREAD / max(len(algorithms), 1)
    entries: list[tuple[Any, str]] = []
    for number, name in enumerate(algorithms):
        look = looks[name]
        for place, row in enumerate(reversed(rows)):
            found = row.expected[number]
            if found is None:
                continue
            height = place + step * ((len(algorithms) - 1) / 2 - number)
            axes.hlines(height, *found, color=look.colour, linewidth=2.2, alpha=0.6)
            axes.plot(found[0], height, look.marker, color=look.colour, markersize=6.5)
        mark = Line2D([], [], color=look.colour, marker=look.marker, linewidth=2.2)
        entries.append((mark, name))
    bounds = [(row.lower_bound, place) for place, row in enumerate(reversed(rows))]
    drawn = [(bound, place) for bound, place in bounds if bound]  # a log axis has no 0
    for bound, place in drawn:
        axes.plot([bound] * 2, [place - 0.35, place + 0.35], color=_GREY, linewidth=1)
    if drawn:
        mark = Line2D([], [], color=_GREY, linestyle="none", marker="|", markersize=12)
        entries.append((mark, "lower bound"))
    return entries
