"""Figure of a table of arms: each arm's interval against the threshold, or against its own.

Labels differ by colour, from the palette of Okabe and Ito, and by the mark of the mean.
"""

from pathlib import Path
from typing import Any, Final, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray

from goodarm.errors import invalid_argument
from goodarm.views.bars import COLOURS
from goodarm.views.columns import ArmColumns
from goodarm.views.figures.given_axes import NARROW_LEGEND, AxesRoom
from goodarm.views.figures.pictures import save_picture
from goodarm.views.figures.styles import SETTINGS
from goodarm.views.figures.texts import MAX_NAME_LENGTH, FigureTexts
from goodarm.views.numbers import format_setting
from goodarm.views.problem_text import describe_bars

_WIDTH: Final = 7.2
_ROW: Final = 0.24
"""Inches for an arm, as long as there is room for all."""
_MAX_ROWS_HEIGHT: Final = 9.6
"""Inches for all arms together."""
_MIN_HEIGHT: Final = 2.4
_MANY_HEIGHT: Final = 7.0
_MAX_NAMED: Final = 60
"""Largest number of arms whose names are shown."""
_MAX_MARKS: Final = 120
"""Largest number of arms with the marks of their labels; beyond it, means are small dots."""
_MAX_LINES: Final = 2000
"""Largest number of lines drawn as vectors; beyond it they are rasterised, in SVG and PDF too."""
_DOT: Final = "#000000"
_OWN_BARS: Final = "each arm's own threshold upright across its row"
_NAME_HEIGHT: Final = 0.15
"""Smallest height of a name, in inches."""


class LabelStyle(NamedTuple):
    """Mark of a label."""

    code: int
    label: str
    marker: str
    is_filled: bool


LABEL_STYLES: Final = (
    LabelStyle(1, "good", "o", True),
    LabelStyle(0, "undecided", "D", False),
    LabelStyle(-1, "bad", "X", True),
)


def save_arms(table: ArmColumns, path: str | Path) -> None:
    """Write the figure to a file, in the format of the file's ending."""
    save_picture(draw_arms(table), path)


def draw_arms(table: ArmColumns) -> Figure:
    """Draw arms with rewards, the largest mean at the top; many arms label by label."""
    with mpl.rc_context(SETTINGS):
        figure = Figure(figsize=_choose_size(table), layout="constrained")
        _draw_whole(figure, table, is_live=False)
    return figure


def plot_arms(table: ArmColumns, ax: Axes | None, owner: str) -> Axes:
    """Draw the same figure for pyplot, or into existing axes.

    ``owner`` is the function that the user called.
    """
    if ax is not None and not isinstance(ax, Axes):
        raise invalid_argument("ax", owner, "be an Axes of matplotlib", ax)
    with mpl.rc_context(SETTINGS):
        if ax is None:
            from matplotlib import pyplot  # only here: it looks for a screen

            figure = pyplot.figure(figsize=_choose_size(table), layout="constrained")
            return _draw_whole(figure, table, is_live=True)
        room = AxesRoom(ax)
        most = min(_MAX_NAMED, int(room.height / _NAME_HEIGHT))
        is_named = _count_pulled(table) <= most
        _draw_arms(ax, table, is_named=is_named, is_live=True, name_length=room.name_length)
        room = room.measure_again()
        room.label_axis(_make_caption(table), _describe_bar(table))
        marks, names = ax.get_legend_handles_labels()
        options = room.place_above(describe_bars(table.question), names, {})  # legend: the outcome
        if names:
            ax.legend(marks, names, **options)
    return ax


def _count_pulled(table: ArmColumns) -> int:
    return int((table.pulls > 0).sum())


def _choose_size(table: ArmColumns) -> tuple[float, float]:
    """Return width and height, in inches."""
    count = _count_pulled(table)
    if count > _MAX_NAMED:
        return _WIDTH, _MANY_HEIGHT
    return _WIDTH, max(1.5 + min(_ROW * count, _MAX_ROWS_HEIGHT), _MIN_HEIGHT)


def _draw_whole(figure: Figure, table: ArmColumns, *, is_live: bool) -> Axes:
    """Draw a figure that holds nothing else: the outcome above, the legend below."""
    axes = figure.add_subplot()
    count = _count_pulled(table)
    _draw_arms(axes, table, is_named=count <= _MAX_NAMED, is_live=is_live)
    figure.suptitle(table.summary, x=0.01, ha="left", fontsize=10)
    if axes.get_legend_handles_labels()[0]:
        most = len(LABEL_STYLES) + 2
        figure.legend(loc="outside lower center", ncols=most, fontsize=9, **NARROW_LEGEND)
    return axes


def _draw_arms(
    axes: Axes,
    table: ArmColumns,
    *,
    is_named: bool,
    is_live: bool,
    name_length: int = MAX_NAME_LENGTH,
) -> None:
    pulled = np.flatnonzero(table.pulls > 0)
    groups = np.zeros(len(pulled)) if is_named else table.labels[pulled]
    order = pulled[np.lexsort((table.lower[pulled], table.mean[pulled], groups))]
    _draw_bars(axes, table, order)
    for look in LABEL_STYLES:
        _draw_label(axes, table, order, look, is_named=is_named)
    _count_in_legend(axes, table)
    axes.set_ylim(-0.8, max(len(order), 1) - 0.2)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(_make_caption(table))
    if table.is_percent:
        axes.xaxis.set_major_formatter(PercentFormatter(1.0, symbol=" %"))
    if is_named:
        names = [table.arms[k] for k in order]
        FigureTexts(names, is_live=is_live).name_rows(axes, names, name_length)
    else:
        axes.set_yticks([])
        axes.set_ylabel(f"{len(order):,} arms, a line each")


def _draw_bars(axes: Axes, table: ArmColumns, order: NDArray[np.intp]) -> None:
    """Draw the threshold and its margin: across all arms, or for each arm where they differ."""
    margin = f"margin of {format_setting(table.margin, percent=table.is_percent)}"
    if table.thresholds is None:
        bar = float(table.threshold or 0.0)
        axes.axvline(bar, color=_DOT, linewidth=1.2, linestyle="--", zorder=3)
        if table.margin:
            edges = bar - table.margin, bar + table.margin
            axes.axvspan(*edges, color=_DOT, alpha=0.08, linewidth=0, label=margin)
        return
    rows, bars = np.arange(len(order)), table.thresholds[order]
    is_many = len(order) > _MAX_MARKS
    axes.vlines(
        bars,
        rows - 0.5,
        rows + 0.5,
        color=_DOT,
        linewidth=0.6 if is_many else 1.2,
        linestyle="-" if is_many else (0, (2, 1)),
        rasterized=len(order) > _MAX_LINES,
        zorder=3,
    )
    if table.margin:
        axes.barh(
            rows,
            2.0 * table.margin,
            1.0,
            bars - table.margin,
            color=_DOT,
            alpha=0.08,
            linewidth=0,
            rasterized=len(order) > _MAX_LINES,
            label=margin,
        )


def _count_in_legend(axes: Axes, table: ArmColumns) -> None:
    """Say how many arms have no interval to draw."""
    unseen = len(table.arms) - _count_pulled(table)
    if unseen:
        axes.plot([], [], linestyle="none", label=f"no pulls ({unseen:,})")


def _make_caption(table: ArmColumns) -> str:
    """Describe what is drawn."""
    return f"mean reward and its interval; {_describe_bar(table)}"


def _describe_bar(table: ArmColumns) -> str:
    if table.thresholds is not None:
        return _OWN_BARS
    return f"threshold {format_setting(table.threshold or 0.0, percent=table.is_percent)} dashed"


def _draw_label(
    axes: Axes, table: ArmColumns, order: NDArray[np.intp], look: LabelStyle, *, is_named: bool
) -> None:
    rows = np.flatnonzero(table.labels[order] == look.code)
    if not len(rows):
        return
    chosen, colour = order[rows], COLOURS[look.label]
    thin = max(min(60.0 / len(order), 1.0), 0.25)
    axes.hlines(
        rows,
        table.lower[chosen],
        table.upper[chosen],
        color=colour,
        linewidth=2.2 if is_named else 0.4 + thin,
        alpha=0.9 if is_named else 0.6,
        rasterized=len(order) > _MAX_LINES,
    )
    label = f"{look.label} ({len(rows):,})"
    if len(order) > _MAX_MARKS:
        _draw_dots(axes, table.mean[chosen], rows, colour, label, is_raster=len(order) > _MAX_LINES)
        return
    axes.plot(
        table.mean[chosen],
        rows,
        look.marker,
        color=colour,
        markerfacecolor=colour if look.is_filled else "white",
        markersize=6.5 if is_named else 4.5,
        markeredgewidth=0.8,
        label=label,
        zorder=4,
    )


def _draw_dots(
    axes: Axes,
    means: NDArray[np.float64],
    rows: NDArray[np.intp],
    colour: str,
    label: str,
    *,
    is_raster: bool,
) -> None:
    """Draw every mean as a black dot on its line; the legend shows both."""
    dot: dict[str, Any] = {"marker": "o", "markeredgewidth": 0.0, "markerfacecolor": _DOT}
    axes.plot(means, rows, linestyle="none", markersize=1.6, rasterized=is_raster, zorder=4, **dot)
    axes.plot([], [], color=colour, linewidth=2.2, markersize=3.2, label=label, **dot)
