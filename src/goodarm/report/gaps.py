"""The picture of a plan: pulls against gap, the algorithms as lines, beside the lower bound."""

import math
from collections.abc import Sequence
from itertools import cycle
from typing import Final

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

from goodarm.planning import GapCurve, GapCurves
from goodarm.report.looks import LOOKS, SETTINGS, Look
from goodarm.report.words import Words

_SIZE: Final = (7.4, 4.0)
_GREY: Final = "#444444"
_FINE: Final = (1.0, 2.0, 3.0, 5.0, 7.0)
_COARSE: Final = (1.0, 2.0, 5.0)


def draw_gaps(drawn: GapCurves) -> Figure:
    """Both axes in logs: where pulls go with 1 / gap^2 a line falls twice as steeply as it runs."""
    words = Words(curve.algorithm for curve in drawn.curves)
    with mpl.rc_context(SETTINGS):
        figure = Figure(figsize=_SIZE, layout="constrained")
        axes = figure.add_subplot()
        looks = dict(zip((curve.algorithm for curve in drawn.curves), cycle(LOOKS), strict=False))
        # From the top down, so that the legend lists them as they lie.
        entries = [
            (_draw_curve(axes, curve, looks[curve.algorithm]), curve.algorithm)
            for curve in sorted(drawn.curves, key=lambda curve: -curve.mean[0])
        ]
        if not np.isnan(drawn.bound).all():
            (line,) = axes.plot(drawn.gaps, drawn.bound, "-", color=_GREY, linewidth=1)
            entries.append((line, "lower bound"))
        if drawn.budget is not None:
            _mark_budget(axes, drawn.budget)
        _set_scales(axes)
        axes.set_xlabel("smallest gap between a mean and the threshold")
        axes.set_ylabel("pulls until the end")
        axes.set_title(drawn.caption, **words.style)
        _add_legend(figure, words, entries, drawn.quantile)
    return figure


def _draw_curve(axes: Axes, curve: GapCurve, look: Look) -> Line2D:
    (line,) = axes.plot(
        curve.gaps,
        curve.mean,
        look.line,
        color=look.colour,
        marker=look.marker,
        markersize=4,
    )
    axes.fill_between(
        curve.gaps, curve.mean, curve.quantile, color=look.colour, alpha=0.18, linewidth=0
    )
    return line


def _mark_budget(axes: Axes, budget: int) -> None:
    axes.axhline(budget, color=_GREY, linewidth=0.8, linestyle=(0, (1, 2)))
    axes.annotate(
        f"{budget:,} pulls",
        (0.01, budget),
        xycoords=("axes fraction", "data"),
        xytext=(0, 3),
        textcoords="offset points",
        fontsize="small",
    )


def _set_scales(axes: Axes) -> None:
    """Logs on both axes, numbers written out, enough of them on a short axis too."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis in (axes.xaxis, axes.yaxis):
        low, high = axis.get_view_interval()
        decades = math.log10(high / low)
        subs = _FINE if decades < 1.3 else _COARSE if decades < 2.5 else (1.0,)
        axis.set_major_locator(LogLocator(subs=subs))
        axis.set_major_formatter(FuncFormatter(lambda value, _: _written(value)))
        axis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_minor_locator(NullLocator())


def _written(value: float) -> str:
    return f"{value:,.0f}" if 1 <= value < 1e7 else f"{value:g}"


def _add_legend(
    figure: Figure, words: Words, entries: Sequence[tuple[Line2D, str]], quantile: float
) -> None:
    """Beside the lines, which may run anywhere."""
    words.add_legend(
        figure.legend,
        entries,
        loc="outside right upper",
        title=f"line: mean\nband: up to the\n{100 * quantile:g} % quantile\n",
        title_fontsize="small",
        alignment="left",
    )
