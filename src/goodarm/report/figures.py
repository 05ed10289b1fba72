"""Figures: pulls against good arms identified, and the two confidence bounds.

Colours are those of Okabe and Ito, told apart by readers with any colour vision; markers and line
styles tell the algorithms apart in black and white too.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from goodarm.report.model import Curve, Report, Section, Theory, TheoryRow
from goodarm.report.tables import runs_of

SETTINGS: Final[dict[Any, Any]] = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "svg.hashsalt": "goodarm",
    "svg.fonttype": "none",
}


class Look(NamedTuple):
    """Colour, marker and line style of one algorithm."""

    colour: str
    marker: str
    line: str


LOOKS: Final = (
    Look("#0072B2", "o", "-"),
    Look("#E69F00", "s", "--"),
    Look("#D55E00", "D", "-."),
    Look("#009E73", "^", ":"),
    Look("#CC79A7", "v", "-"),
    Look("#56B4E9", "P", "--"),
    Look("#000000", "X", "-."),
)

_SIZE: Final = (6.4, 4.0)


def draw_taus(section: Section) -> Figure:
    """A line and a band of one sd for each algorithm, and the paper's points beside them."""
    with mpl.rc_context(SETTINGS):
        figure = Figure(figsize=_SIZE, layout="constrained")
        axes = figure.add_subplot()
        for position, curve in enumerate(section.curves):
            _draw_curve(axes, curve, LOOKS[position % len(LOOKS)])
        axes.set_yscale("log")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        axes.set_xlabel("number of good arms identified")
        axes.set_ylabel("pulls")
        axes.set_title(f"{section.name}: {section.instance['num_arms']} arms, {runs_of(section)}")
        axes.legend(loc="best")
        axes.margins(x=0.08)
    return figure


def draw_overview(report: Report) -> Figure:
    """Every algorithm on every instance: pulls to the first and to the last quantity."""
    sections = report.sections[::-1]
    with mpl.rc_context(SETTINGS):
        figure = Figure(figsize=(7.6, 1.5 + 0.62 * len(sections)), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=False)
        for axes, which in ((left, 0), (right, -1)):
            _draw_panel(axes, sections, which)
        left.set_title("first good arm", loc="left")
        right.set_title("all asked for", loc="left")
        right.yaxis.tick_right()
        right.spines["left"].set_visible(False)
        handles, names = left.get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=4, fontsize=9)
    return figure


def _draw_panel(axes: Axes, sections: Sequence[Section], which: int) -> None:
    rows = [section.theory.rows[which] for section in sections]
    for place, row in enumerate(rows):
        if row.lower_bound is not None:
            label = "lower bound" if place == 0 else None
            axes.plot(
                [row.lower_bound] * 2, [place - 0.3, place + 0.3], color="#555555", label=label
            )
            axes.hlines(place, row.lower_bound, _most(row), color="#dddddd", linewidth=4, zorder=0)
    for k, name in enumerate(rows[0].measured):
        look = LOOKS[k % len(LOOKS)]
        found = [(row.measured.get(name), place) for place, row in enumerate(rows)]
        points = [(mean, place) for mean, place in found if mean is not None]
        axes.plot(
            [mean for mean, _ in points],
            [place for _, place in points],
            look.marker,
            color=look.colour,
            label=name,
            markersize=8 if k == 0 else 6,
            zorder=4 if k == 0 else 3,
        )
    axes.set_xscale("log")
    axes.set_xlabel("mean pulls")
    axes.set_ylim(-0.6, len(rows) - 0.4)
    names = [section.name for section in sections] if which == 0 else [r.quantity for r in rows]
    axes.set_yticks(range(len(rows)), names)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")


def _most(row: TheoryRow) -> float:
    return max((mean for mean in row.measured.values() if mean is not None), default=0.0)


def _draw_curve(axes: Axes, curve: Curve, look: Look) -> None:
    axes.plot(
        curve.counts,
        curve.mean,
        look.line,
        color=look.colour,
        label=curve.algorithm,
        marker=look.marker if len(curve.counts) <= 5 else None,
        markersize=3,
    )
    below = (curve.mean - curve.sd).clip(min=curve.mean * 0.05)
    axes.fill_between(
        curve.counts, below, curve.mean + curve.sd, color=look.colour, alpha=0.18, linewidth=0
    )
    if len(curve.paper_counts):
        axes.errorbar(
            curve.paper_counts,
            curve.paper_mean,
            yerr=curve.paper_sd.clip(max=curve.paper_mean * 0.95),
            fmt=look.marker,
            color=look.colour,
            markerfacecolor="white",
            markersize=6,
            elinewidth=0.8,
            capsize=2,
            label=f"{curve.algorithm}, paper",
        )


def draw_bounds(theory: Theory, title: str) -> Figure:
    """The two confidence bounds against the pulls of an arm, and where they cross."""
    with mpl.rc_context(SETTINGS):
        figure = Figure(figsize=_SIZE, layout="constrained")
        axes = figure.add_subplot()
        root = np.sqrt(theory.pulls)
        for name, widths, look in (
            ("Hoeffding", theory.hoeffding, LOOKS[0]),
            ("LIL", theory.lil, LOOKS[2]),
        ):
            axes.plot(theory.pulls, widths * root, look.line, color=look.colour, label=name)
        axes.set_xscale("log")
        axes.set_ylim(bottom=0.0)
        axes.axvline(theory.warmup, color="#555555", linewidth=0.8)
        axes.annotate(
            f"T = {theory.warmup:,}",
            (theory.warmup, 0.0),
            xytext=(6, 6),
            textcoords="offset points",
        )
        axes.set_xlabel("pulls n of an arm")
        axes.set_ylabel("half width U(n) of its interval, times sqrt(n)")
        axes.set_title(title)
        axes.legend(loc="upper left")
    return figure
