"""The picture of a plan: pulls against gap, the algorithms as lines, beside the lower bound."""

from pathlib import Path
from typing import Final

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

from goodarm.errors import must
from goodarm.planning import GapCurves
from goodarm.report.figures import LOOKS, SETTINGS, SIZE

FORMATS: Final = ("png", "svg", "pdf")
_DPI: Final = 200
_GREY: Final = "#444444"


def draw_gaps(drawn: GapCurves) -> Figure:
    """Both axes in logs: where pulls go with 1 / gap^2 a line falls twice as steeply as it runs."""
    with mpl.rc_context(SETTINGS):
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.add_subplot()
        for position, curve in enumerate(drawn.curves):
            look = LOOKS[position % len(LOOKS)]
            axes.plot(
                curve.gaps,
                curve.mean,
                look.line,
                color=look.colour,
                marker=look.marker,
                markersize=4,
                label=curve.algorithm,
            )
            axes.fill_between(
                curve.gaps, curve.mean, curve.quantile, color=look.colour, alpha=0.18, linewidth=0
            )
        if not np.isnan(drawn.bound).all():
            axes.plot(drawn.gaps, drawn.bound, "-", color=_GREY, linewidth=1, label="lower bound")
        if drawn.budget is not None:
            _mark_budget(axes, drawn)
        _set_scales(axes, drawn)
        axes.set_xlabel("smallest gap between a mean and the threshold")
        axes.set_ylabel("pulls until the end")
        axes.set_title(drawn.caption.split(", smallest gap")[0])
        share = f"line: mean; band: up to what {100 * drawn.quantile:g} % of runs stay within"
        axes.legend(loc="upper right", title=share, title_fontsize="small", alignment="right")
    return figure


def _mark_budget(axes: Axes, drawn: GapCurves) -> None:
    axes.axhline(float(drawn.budget or 0), color=_GREY, linewidth=0.8, linestyle=(0, (1, 2)))
    axes.annotate(
        f"{drawn.budget:,} pulls",
        (0.01, float(drawn.budget or 0)),
        xycoords=("axes fraction", "data"),
        xytext=(0, 3),
        textcoords="offset points",
        fontsize="small",
    )


def _set_scales(axes: Axes, drawn: GapCurves) -> None:
    """Logs on both axes, with the gaps written out."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_minor_formatter(NullFormatter())


def check_picture(path: Path, owner: str) -> None:
    """Refuse a picture that could not be written, before any work is done for it."""
    if path.suffix.lower().lstrip(".") not in FORMATS:
        raise must("--plot", owner, "end in .png, .svg or .pdf", str(path))
    if path.is_dir() or not path.parent.is_dir():
        raise must("--plot", owner, "be a file in a folder that exists", str(path))


def save_picture(figure: Figure, path: Path) -> None:
    """Write the picture; the same picture gives the same file."""
    kind = path.suffix.lower().lstrip(".")
    dates: dict[str, dict[str, None]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with mpl.rc_context(SETTINGS):
        figure.savefig(path, format=kind, dpi=_DPI, metadata=dates.get(kind))
