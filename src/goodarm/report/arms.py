"""The picture of a checked table: each arm's interval against the threshold.

Labels are told apart by colour, from the palette of Okabe and Ito, and by the mark of the mean.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from goodarm.report.figures import SETTINGS
from goodarm.report.pictures import save_picture
from goodarm.results import CheckTable
from goodarm.results.bars import COLOURS

_WIDTH: Final = 7.2
_ROW: Final = 0.24
"""Inches for an arm, as long as there is room for all."""
_MOST_ROWS: Final = 9.6
"""Inches for all of them."""
_LEAST_HEIGHT: Final = 2.4
_MANY_HEIGHT: Final = 7.0
_MOST_NAMED: Final = 60
"""Up to so many arms each has its name; of more, no names are shown."""
_MOST_MARKS: Final = 120
"""Of more arms only some show the mark of their mean."""
_MOST_LINES: Final = 2000
"""More lines than that are points, also in SVG and PDF."""
_LONGEST: Final = 28


class _Look(NamedTuple):
    code: int
    label: str
    marker: str
    is_filled: bool


_LOOKS: Final = (
    _Look(1, "good", "o", True),
    _Look(0, "undecided", "D", False),
    _Look(-1, "bad", "X", True),
)


def save_arms(table: CheckTable, path: str | Path) -> None:
    """Write the picture; the file's ending says in which format."""
    save_picture(draw_arms(table), path)


def draw_arms(table: CheckTable) -> Figure:
    """Arms with rewards, the largest mean at the top; many arms label by label."""
    seen = np.flatnonzero(table.pulls > 0)
    is_named = len(seen) <= _MOST_NAMED
    groups = np.zeros(len(seen)) if is_named else table.labels[seen]
    order = seen[np.lexsort((table.lower[seen], table.mean[seen], groups))]
    height = (
        max(1.5 + min(_ROW * len(order), _MOST_ROWS), _LEAST_HEIGHT) if is_named else _MANY_HEIGHT
    )
    with mpl.rc_context(SETTINGS):
        figure = Figure(figsize=(_WIDTH, height), layout="constrained")
        axes = figure.add_subplot()
        axes.axvline(table.threshold, color="#000000", linewidth=1.2, linestyle="--", zorder=3)
        if table.margin:
            edges = table.threshold - table.margin, table.threshold + table.margin
            axes.axvspan(*edges, color="#000000", alpha=0.08, linewidth=0)
        for look in _LOOKS:
            _draw_label(axes, table, order, look, is_named=is_named)
        axes.set_ylim(-0.8, max(len(order), 1) - 0.2)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(f"mean reward and its interval; threshold {table.threshold:g} dashed")
        if is_named:
            axes.set_yticks(range(len(order)), _names([table.arms[k] for k in order]))
        else:
            axes.set_yticks([])
            axes.set_ylabel(f"{len(order):,} arms, a line each")
        figure.suptitle(table.summary, x=0.01, ha="left", fontsize=10)
        if len(order):
            figure.legend(loc="outside lower center", ncols=len(_LOOKS))
    return figure


def _draw_label(
    axes: Axes, table: CheckTable, order: NDArray[np.intp], look: _Look, *, is_named: bool
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
        rasterized=len(order) > _MOST_LINES,
    )
    axes.plot(
        table.mean[chosen],
        rows,
        look.marker,
        color=colour,
        markerfacecolor=colour if look.is_filled else "white",
        markersize=6.5 if is_named else 4.5,
        markeredgewidth=0.8,
        markevery=max(len(order) // _MOST_MARKS, 1),
        label=f"{look.label} ({len(rows):,})",
        zorder=4,
    )


def _names(arms: Sequence[object]) -> list[str]:
    """Labels as text, long ones cut short; a dollar would start a formula."""
    texts = (str(arm).replace("$", r"\$") for arm in arms)
    return [text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…" for text in texts]
