"""Figure of a boundary: where runs are labelled good or bad, and a path through it."""

from collections.abc import Sequence
from typing import Any, Final

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes

from goodarm.errors import invalid_argument
from goodarm.views.figures.given_axes import AxesRoom
from goodarm.views.figures.styles import SETTINGS
from goodarm.views.figures.texts import FigureTexts

_COLOURS: Final = {"good": "#009E73", "bad": "#D55E00"}
_GREY: Final = "#444444"
_SIZE: Final = (7.2, 4.0)


def plot_boundary(
    edges: tuple[Any, Any],
    labels: tuple[str, str],
    counted: str,
    path: Sequence[int] | None,
    title: str,
    ax: Axes | None,
    owner: str,
) -> Axes:
    """Draw the two regions over the runs, and a path.

    Args:
        edges: by runs, the most outcomes of the first label, and the least of the second.
        labels: the first and the second label.
        counted: the outcome that is counted.
        path: how many there were, by runs; None for no path.
        title: what is asked.
        ax: existing axes; those of a new figure of pyplot unless given.
        owner: the function that the user called.
    """
    if ax is not None and not isinstance(ax, Axes):
        raise invalid_argument("ax", owner, "be an Axes of matplotlib", ax)
    with mpl.rc_context(SETTINGS):
        axes = ax
        if axes is None:
            from matplotlib import pyplot  # only here: it looks for a screen

            axes = pyplot.figure(figsize=_SIZE, layout="constrained").add_subplot()
        words = FigureTexts([title], is_live=True)
        room = AxesRoom(axes)
        most, least = (np.asarray(edge, float) for edge in edges)
        runs = np.arange(len(most))
        top = max(most.max(), least[least <= runs].max(initial=0.0), *(path or [0])) + 2.0
        reached = np.where(most >= 0.0, most, np.nan)
        risen = np.where(least <= runs, least, np.nan)
        entries = []
        for label, edge, end in ((labels[0], reached, 0.0), (labels[1], risen, top)):
            colour = _COLOURS[label]
            axes.fill_between(runs, edge, end, step="post", color=colour, alpha=0.2, linewidth=0)
            (line,) = axes.step(runs, edge, where="post", color=colour, linewidth=1.8)
            entries.append((line, label))
        if path is not None:
            (line,) = axes.step(range(len(path)), path, where="post", color=_GREY, linewidth=1.2)
            axes.plot(len(path) - 1, path[-1], "o", color=_GREY, markersize=5)
            entries.append((line, "your runs"))
        axes.set_ylim(0.0, top)
        axes.set_xlim(0.0, len(runs) - 1.0)
        axes.set_ylabel(counted)
        room.label_axis("runs")
        names = words.shorten([name for _, name in entries])
        options = room.place_above(words.write(title), names, words.style)
        words.add_legend(axes.legend, entries, **options)
    return axes
