"""Figure of how arms' intervals narrowed: a small plot for each, all to one scale.

The vertical axis has the mean and its interval against the threshold, the horizontal axis the arm's
pulls, on a logarithmic scale. The mark at the end shows the label, as in the figure of arms.
"""

from collections.abc import Sequence
from typing import Final, Protocol

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter
from numpy.typing import NDArray

from goodarm.problem import Arm, Label, Problem
from goodarm.views.axis import find_narrowing_range
from goodarm.views.bars import COLOURS
from goodarm.views.figures.arms import LABEL_STYLES
from goodarm.views.figures.styles import SETTINGS
from goodarm.views.figures.texts import FigureTexts
from goodarm.views.numbers import format_setting, plural

_COLUMNS: Final = 3
_PANEL: Final = (2.9, 2.3)
"""Size of a small plot, in inches."""
_ALONE: Final = (6.4, 3.8)
_MAX_LINEAR_PULLS: Final = 20
"""Largest number of pulls with a linear scale: a logarithmic one would show little."""
_DARK: Final = "#000000"
_MIN_PULLS_SHARE: Final = 0.05
"""Share of the largest number of pulls below which an arm does not set the scale."""

Floats = NDArray[np.float64]


class MomentData(Protocol):
    """Numbers of one arm at one moment."""

    @property
    def pulls(self) -> int:
        """Number of rewards that had entered its test."""

    @property
    def mean(self) -> float | None:
        """Mean of these rewards."""

    @property
    def lower(self) -> float | None:
        """Lower bound of the mean."""

    @property
    def upper(self) -> float | None:
        """Upper bound of the mean."""


class HistoryData(Protocol):
    """Numbers of one arm at some moments."""

    @property
    def arm(self) -> Arm:
        """Label of the arm."""

    @property
    def moments(self) -> Sequence[MomentData]:
        """Moments, including the first and the last."""

    @property
    def label(self) -> Label:
        """Label at the last moment."""


def draw_histories(histories: Sequence[HistoryData], problem: Problem, title: str) -> Figure:
    """Draw a small plot for each arm, in the order given."""
    columns = min(len(histories), _COLUMNS)
    lines = -(-len(histories) // columns)
    with mpl.rc_context(SETTINGS):
        size = _ALONE if len(histories) == 1 else (columns * _PANEL[0], lines * _PANEL[1] + 0.9)
        figure = Figure(figsize=size, layout="constrained")
        grid = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False)
        panels: list[Axes] = list(grid.flat)
        words = FigureTexts([title, *(each.arm for each in histories)])
        names = words.shorten([each.arm for each in histories])
        for axes, history, name in zip(panels, histories, names, strict=False):
            _draw_threshold(axes, problem)
            _draw_arm(axes, history)
            axes.set_title(
                f"{name}\n{_describe_outcome(history)}", loc="left", fontsize=9, **words.style
            )
        for axes in panels[len(histories) :]:
            axes.set_axis_off()
        for axes in panels[: len(histories)][-columns:]:  # below some there may be none
            axes.tick_params(labelbottom=True)
            axes.set_xlabel("pulls of the arm", fontsize=9)
        panels[0].set_ylim(*_find_heights(histories, problem))
        _scale_pulls(panels, histories)
        figure.suptitle(words.write(title), x=0.01, ha="left", fontsize=10, **words.style)
        _describe(figure, histories, problem)
    return figure


def _draw_threshold(axes: Axes, problem: Problem) -> None:
    axes.axhline(problem.threshold, color=_DARK, linewidth=1.2, linestyle="--", zorder=3)
    if problem.margin:
        edges = problem.threshold - problem.margin, problem.threshold + problem.margin
        axes.axhspan(*edges, color=_DARK, alpha=0.08, linewidth=0)


def _draw_arm(axes: Axes, history: HistoryData) -> None:
    if not history.moments:
        return
    colour = COLOURS[history.label]
    pulls, mean = _make_column(history, "pulls"), _make_column(history, "mean")
    lower, upper = _make_column(history, "lower"), _make_column(history, "upper")
    axes.fill_between(pulls, lower, upper, color=colour, alpha=0.22, linewidth=0)
    for bound in (lower, upper):
        axes.plot(pulls, bound, color=colour, linewidth=0.8)
    if len(pulls) == 1:  # a band of one point has no width
        axes.vlines(pulls, lower, upper, color=colour, linewidth=2.2, alpha=0.5)
    axes.plot(pulls, mean, color=colour, linewidth=1.6)
    look = next(look for look in LABEL_STYLES if look.label == history.label)
    axes.plot(
        pulls[-1:],
        mean[-1:],
        look.marker,
        color=colour,
        markerfacecolor=colour if look.is_filled else "white",
        markersize=6.5,
        markeredgewidth=0.8,
        clip_on=False,
        zorder=4,
    )


def _describe_outcome(history: HistoryData) -> str:
    if not history.moments:
        return "no pulls"
    pulls = history.moments[-1].pulls
    after = "after" if history.label == "undecided" else "at"
    return f"{history.label} {after} {plural(pulls, 'pull')}"


def _make_column(history: HistoryData, name: str) -> Floats:
    values = [getattr(moment, name) for moment in history.moments]
    return np.array([np.nan if value is None else value for value in values], np.float64)


def _find_heights(histories: Sequence[HistoryData], problem: Problem) -> tuple[float, float]:
    """Return the range of rewards that the figure shows."""
    most = max((each.moments[-1].pulls for each in histories if each.moments), default=0)
    reached: list[float] = []
    ends: list[float] = []
    for each in histories:
        if not each.moments:
            continue
        last = each.moments[-1]
        shown = [last.mean]
        if last.pulls >= _MIN_PULLS_SHARE * most:
            shown += [last.lower, last.upper]
        ends += [value for value in shown if value is not None]
        bounds = (bound for moment in each.moments for bound in (moment.lower, moment.upper))
        reached += [bound for bound in bounds if bound is not None]
    return find_narrowing_range(reached, ends, problem.threshold, problem.margin)


def _scale_pulls(panels: Sequence[Axes], histories: Sequence[HistoryData]) -> None:
    """Set the scale of pulls: from the first moment of any arm to the last."""
    pulled = [each.moments for each in histories if each.moments]
    least = min((moments[0].pulls for moments in pulled), default=1)
    most = max((moments[-1].pulls for moments in pulled), default=1)
    is_log = most > _MAX_LINEAR_PULLS
    if is_log:
        panels[0].set_xscale("log")
    panels[0].set_xlim(*((0.8 * least, 1.25 * most) if is_log else (0.5, most + 0.5)))
    for axes in panels:
        if is_log:
            steps = (1.0,) if most > 100 * least else (1.0, 2.0, 5.0)
            axes.xaxis.set_major_locator(LogLocator(subs=steps, numticks=5))
            axes.xaxis.set_minor_formatter(NullFormatter())
        else:
            axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, place: f"{value:,.0f}"))
        axes.yaxis.set_major_locator(MaxNLocator(5))


def _describe(figure: Figure, histories: Sequence[HistoryData], problem: Problem) -> None:
    figure.supylabel("mean reward and its interval", fontsize=9)
    entries: list[tuple[Line2D | Patch, str]] = []
    for look in LABEL_STYLES:
        count = sum(each.label == look.label for each in histories)
        if count:
            colour = COLOURS[look.label]
            face = colour if look.is_filled else "white"
            line = Line2D([], [], color=colour, marker=look.marker, markerfacecolor=face)
            entries.append((line, f"{look.label} ({count:,})"))
    threshold = Line2D([], [], color=_DARK, linewidth=1.2, linestyle="--")
    entries.append((threshold, f"threshold {format_setting(problem.threshold)}"))
    drawn, names = zip(*entries, strict=True)
    figure.legend(drawn, names, loc="outside lower center", ncols=len(entries), fontsize=9)
