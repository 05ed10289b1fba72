"""Figures: pulls against good arms identified, and confidence bounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any, Final

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from goodarm.report.model import MeanRow, PaperReport, Section, TauCurve
from goodarm.report.tables import describe_arms, describe_runs, format_count
from goodarm.results import Widths
from goodarm.views.figures.styles import SETTINGS, STYLES, AlgorithmStyle, choose_styles
from goodarm.views.figures.texts import FigureTexts

_SIZE: Final = (6.4, 4.0)
_MAX_WIDE_INSTANCES: Final = 6
"""Most instances of an overview with wide spacing; more of them are set closer together."""
_MAX_INNER_ENTRIES: Final = 6
"""Most entries of a legend inside the axes; a longer legend goes beside them."""
_GREY: Final = "#555555"
_NOTHING: Final = "No algorithm identified a good arm in every run."

_Entry = tuple[Any, str]
"""Artist and its name in the legend."""


def draw_taus(section: Section, algorithms: Sequence[str] = ()) -> Figure:
    """Draw a line with a band of one sd for each algorithm, and the paper's points.

    ``algorithms`` are those of the whole report, so that each looks the same in all its figures.
    """
    looks = choose_styles([*algorithms, *(curve.algorithm for curve in section.curves)])
    words = FigureTexts([section.name, *(curve.algorithm for curve in section.curves)])
    with mpl.rc_context(SETTINGS):
        figure = Figure(figsize=_SIZE, layout="constrained")
        axes = figure.add_subplot()
        lines, points = list[_Entry](), list[_Entry]()
        for curve in section.curves:
            look = looks[curve.algorithm]
            lines.append((_draw_curve(axes, curve, look), curve.algorithm))
            if len(curve.paper_counts):
                points.append((_draw_paper(axes, curve, look), f"{curve.algorithm}, paper"))
        if any(len(curve.counts) or len(curve.paper_counts) for curve in section.curves):
            axes.set_yscale("log")
            axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        else:
            axes.set(xticks=[], yticks=[])
            axes.text(0.5, 0.5, _NOTHING, ha="center", transform=axes.transAxes)
        axes.set_xlabel("number of good arms identified")
        axes.set_ylabel("pulls")
        (name,) = words.shorten([section.name])
        title = f"{name}: {describe_arms(section)}, {describe_runs(section)}"
        axes.set_title(title, **words.style)
        entries = [*lines, *points]
        if len(entries) <= _MAX_INNER_ENTRIES:
            words.add_legend(axes.legend, entries, loc="best")
        else:
            words.add_legend(figure.legend, entries, loc="outside right upper")
        axes.margins(x=0.08)
    return figure


def draw_overview(report: PaperReport) -> Figure:
    """Draw every algorithm's pulls on every instance, to the first and to the last quantity."""
    sections = report.sections[::-1]
    words = FigureTexts([*report.algorithms, *(section.name for section in sections)])
    with mpl.rc_context(SETTINGS):
        height = 1.5 + (0.62 if len(sections) <= _MAX_WIDE_INSTANCES else 0.42) * len(sections)
        figure = Figure(figsize=(7.6, height), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=False)
        firsts = [_OverviewLine(section, section.means[0]) for section in sections]
        entries = _draw_panel(left, firsts, report.algorithms)
        words.name_rows(left, [section.name for section in sections])
        lasts = [_OverviewLine(section, section.means[-1]) for section in sections]
        _draw_panel(right, lasts, report.algorithms)
        words.name_rows(right, [line.exception for line in lasts])
        left.set_title("until the first good arm", loc="left")
        right.set_title("until all arms are labelled", loc="left")
        right.yaxis.tick_right()
        right.spines["left"].set_visible(False)
        place = {"loc": "outside lower center", "ncols": 4, "fontsize": 9}
        words.add_legend(figure.legend, entries, **place)
    return figure


@dataclass(frozen=True)
class _OverviewLine:
    """Line of the overview: one quantity of one instance."""

    section: Section
    row: MeanRow

    @property
    def exception(self) -> str:
        """Number of good arms, in words, if the quantity is not the end of a run; else empty."""
        count = self.row.quantity.count
        return "" if count is None else format_count(count, "good arm")

    @property
    def lower_bound(self) -> float | None:
        theory = self.section.theory
        return None if theory is None else theory.lower_bounds[self.row.quantity]

    @property
    def measured(self) -> list[float]:
        return [mean for mean in self.row.means.values() if mean is not None]


def _make_upright_mark() -> Line2D:
    """Return the mark of lower bounds in a legend."""
    return Line2D([], [], color=_GREY, linestyle="none", marker="|", markersize=12)


def _draw_panel(
    axes: Axes, lines: Sequence[_OverviewLine], algorithms: Sequence[str]
) -> list[_Entry]:
    """Draw one line for each instance, and return the entries of the legend."""
    entries = list[_Entry]()
    for place, line in enumerate(lines):
        spanned = line.measured
        if bound := line.lower_bound:  # a log axis cannot show 0
            spanned.append(bound)
            axes.plot([bound] * 2, [place - 0.3, place + 0.3], color=_GREY)
            if not entries:
                entries.append((_make_upright_mark(), "lower bound"))
        if spanned:
            ends = min(spanned), max(spanned)
            axes.hlines(place, *ends, color="#dddddd", linewidth=4, zorder=0)
    for k, (name, look) in enumerate(choose_styles(algorithms).items()):
        found = [(line.row.means.get(name), place) for place, line in enumerate(lines)]
        points = [(mean, place) for mean, place in found if mean is not None]
        (marks,) = axes.plot(
            [mean for mean, _ in points],
            [place for _, place in points],
            look.marker,
            color=look.colour,
            markersize=8 if k == 0 else 6,
            zorder=4 if k == 0 else 3,
        )
        entries.append((marks, name))
    axes.set_xscale("log")
    axes.set_xlabel("mean pulls")
    axes.set_ylim(-0.6, len(lines) - 0.4)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    return entries


def _draw_curve(axes: Axes, curve: TauCurve, look: AlgorithmStyle) -> Line2D:
    (line,) = axes.plot(
        curve.counts,
        curve.mean,
        look.line,
        color=look.colour,
        marker=look.marker if len(curve.counts) <= 5 else None,
        markersize=3,
    )
    if not len(curve.counts):
        return line
    below = (curve.mean - curve.sd).clip(min=curve.mean * 0.05)
    axes.fill_between(
        curve.counts, below, curve.mean + curve.sd, color=look.colour, alpha=0.18, linewidth=0
    )
    return line


def _draw_paper(axes: Axes, curve: TauCurve, look: AlgorithmStyle) -> ErrorbarContainer:
    return axes.errorbar(
        curve.paper_counts,
        curve.paper_mean,
        yerr=curve.paper_sd.clip(max=curve.paper_mean * 0.95),
        fmt=look.marker,
        color=look.colour,
        markerfacecolor="white",
        markersize=6,
        elinewidth=0.8,
        capsize=2,
    )


def draw_widths(widths: Widths, instance: str) -> Figure:
    """Draw confidence bounds against the pulls of an arm, and where they cross.

    ``instance`` is the instance's name.
    """
    words = FigureTexts([instance])
    with mpl.rc_context(SETTINGS):
        figure = Figure(figsize=_SIZE, layout="constrained")
        axes = figure.add_subplot()
        root = np.sqrt(widths.pulls)
        for (name, line), look in zip(widths.lines.items(), cycle(STYLES[::2]), strict=False):
            axes.plot(widths.pulls, line * root, look.line, color=look.colour, label=name)
        axes.set_xscale("log")
        axes.set_ylim(bottom=0.0)
        axes.axvline(widths.crossing, color="#555555", linewidth=0.8)
        axes.annotate(
            f"{widths.crossing_name} = {widths.crossing:,}",
            (widths.crossing, 0.0),
            xytext=(6, 6),
            textcoords="offset points",
        )
        axes.set_xlabel("pulls n of an arm")
        axes.set_ylabel("half width U(n) of its interval, times sqrt(n)")
        (shown,) = words.shorten([instance])
        axes.set_title(f"{widths.title} on {shown}", **words.style)
        axes.legend(loc="upper left")
    return figure
