"""Figure of a plan: pulls against gap, the algorithms as lines, beside the lower bound."""

import math
from collections.abc import Sequence
from itertools import cycle
from typing import Final, Protocol

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator
from numpy.typing import NDArray

from goodarm.views.figures.styles import SETTINGS, STYLES, AlgorithmStyle
from goodarm.views.figures.texts import FigureTexts

_SIZE: Final = (7.4, 4.0)
_GREY: Final = "#444444"
_FINE: Final = (1.0, 2.0, 3.0, 5.0, 7.0)
_COARSE: Final = (1.0, 2.0, 5.0)

Floats = NDArray[np.float64]


class GapCurveData(Protocol):
    """Pulls of one algorithm against the gap."""

    @property
    def algorithm(self) -> str:
        """Name of the algorithm."""

    @property
    def gaps(self) -> Floats:
        """Gaps at which it was simulated."""

    @property
    def mean(self) -> Floats:
        """Mean pulls at each gap."""

    @property
    def quantile(self) -> Floats:
        """Pulls that most runs stay within, at each gap."""


class GapFigureData(Protocol):
    """Curves of several algorithms, and the lower bound."""

    @property
    def caption(self) -> str:
        """Problem in words."""

    @property
    def quantile(self) -> float:
        """Share of runs that the quantiles are for."""

    @property
    def budget(self) -> int | None:
        """Number of pulls to mark, if any."""

    @property
    def curves(self) -> Sequence[GapCurveData]:
        """Curve of each algorithm."""

    @property
    def gaps(self) -> Floats:
        """Gaps of the lower bound."""

    @property
    def bound(self) -> Floats:
        """Lower bound at these gaps; nan where it is unknown."""


def draw_gaps(drawn: GapFigureData) -> Figure:
    """Draw both axes in logs: where pulls go with 1 / gap^2, lines have a slope of -2."""
    words = FigureTexts(curve.algorithm for curve in drawn.curves)
    with mpl.rc_context(SETTINGS):
        figure = Figure(figsize=_SIZE, layout="constrained")
        axes = figure.add_subplot()
        looks = dict(zip((curve.algorithm for curve in drawn.curves), cycle(STYLES), strict=False))
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
        axes.set_xlabel("smallest distance between a mean and the threshold")
        axes.set_ylabel("pulls until the end")
        axes.set_title(drawn.caption, **words.style)
        _add_legend(figure, words, entries, drawn.quantile)
    return figure


def _draw_curve(axes: Axes, curve: GapCurveData, look: AlgorithmStyle) -> Line2D:
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
    """Set both axes to logs, with numbers written out, and enough of them on a short axis."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis in (axes.xaxis, axes.yaxis):
        low, high = axis.get_view_interval()
        decades = math.log10(high / low)
        subs = _FINE if decades < 1.3 else _COARSE if decades < 2.5 else (1.0,)
        axis.set_major_locator(LogLocator(subs=subs))
        axis.set_major_formatter(FuncFormatter(lambda value, _: _format_gap(value)))
        axis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_minor_locator(NullLocator())


def _format_gap(value: float) -> str:
    return f"{value:,.0f}" if 1 <= value < 1e7 else f"{value:g}"


def _add_legend(
    figure: Figure, words: FigureTexts, entries: Sequence[tuple[Line2D, str]], quantile: float
) -> None:
    """Add the legend beside the lines, which may run anywhere."""
    words.add_legend(
        figure.legend,
        entries,
        loc="outside right upper",
        title=f"line: mean\nband: up to the\n{100 * quantile:g} % quantile\n",
        title_fontsize="small",
        alignment="left",
    )
