"""View of a run in progress: a live table on a terminal, a line now and then elsewhere."""

import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from goodarm.cli.output import say
from goodarm.cli.show_view import ExperimentView
from goodarm.live import forecast_pulls
from goodarm.results import LONG_SECONDS
from goodarm.views.arms import HEADER, NEEDED, format_rows
from goodarm.views.axis import make_axis
from goodarm.views.bars import COLOURS, format_letter_bar
from goodarm.views.choice import choose_rows, name_left_out
from goodarm.views.names import printable, shorten_texts
from goodarm.views.numbers import format_count, format_money, format_setting, plural
from goodarm.views.text import GAP, measure_cell, measure_table
from goodarm.views.times import format_span

if TYPE_CHECKING:
    from rich.text import Text

    from goodarm.cli.stores import AnyExperiment
    from goodarm.runner.experiment_run import RunProgress

WatchProgress = Callable[["RunProgress"], None]

LINE_SECONDS: Final = 30.0
"""Seconds between two lines, if there is no terminal."""
FIRST_LINE_SECONDS: Final = 10.0
"""Seconds before the first line."""
_MAX_DRAWING_SHARE: Final = 0.1
"""Largest share of the time that drawing may take."""
_MIN_BAR_WIDTH: Final = 15
_MAX_BAR_WIDTH: Final = 41
_ROW_LIMITS: Final = (12, 8, 5, 3, 2, 1)
"""Numbers of arms of each label to try, until all fits the height of the terminal."""


@contextmanager
def show_progress(exp: "AnyExperiment", *, quiet: bool) -> Iterator[WatchProgress]:
    """Show the progress of a run; yield the function to call with it."""
    if quiet or sys.stderr is None:
        yield lambda progress: None
    elif sys.stderr.isatty():
        with _show_live(exp) as watch:
            yield watch
    else:
        yield _ProgressLines(exp).watch


class _ProgressLines:
    """Progress as a line now and then."""

    def __init__(self, exp: "AnyExperiment") -> None:
        self._exp, self._next = exp, FIRST_LINE_SECONDS

    def watch(self, progress: "RunProgress") -> None:
        if progress.seconds >= self._next:
            self._next = progress.seconds + LINE_SECONDS
            say(
                f"goodarm: {describe_progress(ExperimentView.of(self._exp), progress)}",
                err=True,
            )


@contextmanager
def _show_live(exp: "AnyExperiment") -> Iterator[WatchProgress]:
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True, markup=False, emoji=False, highlight=False)
    live = Live(console=console, auto_refresh=False, transient=True, vertical_overflow="crop")
    next_look, has_looked = 0.0, False

    def watch(progress: "RunProgress") -> None:
        nonlocal next_look, has_looked
        start = time.monotonic()
        if start < next_look:
            return
        size = shutil.get_terminal_size()
        live.update(
            format_screen(ExperimentView.of(exp), progress, size.columns, size.lines),
            refresh=True,
        )
        end = time.monotonic()
        if has_looked:  # the first look takes longer, because it loads what it needs
            next_look = end + (end - start) / _MAX_DRAWING_SHARE
        has_looked = True

    with live:
        yield watch


def format_screen(view: ExperimentView, progress: "RunProgress", width: int, height: int) -> "Text":
    """Return the text for a terminal of this size: the arms that matter, and the progress."""
    from rich.text import Text

    from goodarm.cli.output import wrap_text

    foot = wrap_text(describe_progress(view, progress), width)
    foot += wrap_text("Press Ctrl-C to stop; the same command continues.", width)
    shown: list[Text] = []
    for most in _ROW_LIMITS:
        shown = _format_rows(view, progress, width, most)
        if len(shown) + len(foot) + 2 <= height:
            break
    shown = shown[: max(height - len(foot) - 2, 1)]
    return Text("\n", no_wrap=True, overflow="crop").join([*shown, *map(Text, ("", *foot))])


def describe_progress(view: ExperimentView, progress: "RunProgress") -> str:
    """Describe the progress of a run."""
    counts = ", ".join(f"{count} {label}" for label, count in view.table.num_by_label.items())
    text = f"{view.pulls:,} pulls; {counts}"
    if view.table.total_spent is not None:
        text += f"; spent {format_money(view.table.total_spent)}"
    if progress.late:
        text += f"; {progress.late:,} timed out"
    if progress.lost:
        text += f"; {progress.lost:,} lost"
    if progress.waits_for:
        names = ", ".join(map(printable, progress.waits_for[:5]))
        return f"{text}; waiting for the pulls of {names}."
    text += _describe_held_pulls(view, progress)
    expected, is_whole = forecast_pulls(view.table, view.problem, view.pulls)
    made = progress.told + progress.lost
    if expected:
        text += f"; about {format_count(expected)} {'more' if is_whole else 'or more'}"
        if made >= 10:
            text += f", {format_span(progress.seconds / made * expected)}"
    return f"{text}."


def _describe_held_pulls(view: ExperimentView, progress: "RunProgress") -> str:
    """Describe pulls that others have held for long and that the tests of their arms wait for."""
    ours = {pull.number for pull in progress.under_way}
    decided = {str(arm) for arm in (*view.table.good, *view.table.bad)}
    since = time.time() - LONG_SECONDS
    held = [
        each
        for each in view.out
        if each.pull.number not in ours
        and each.asked_at < since
        and str(each.pull.arm) not in decided
    ]
    if not held:
        return ""
    names = ", ".join(dict.fromkeys(printable(each.worker or "somebody") for each in held[:5]))
    what = plural(len(held), "pull")
    first = format_span(time.time() - min(each.asked_at for each in held))
    return f"; arms are waiting for {what} that {names} started {first} ago"


def _format_rows(
    view: ExperimentView, progress: "RunProgress", width: int, most: int
) -> "list[Text]":
    """Return a header and the arms that matter, with intervals in the colours of their labels."""
    from rich.text import Text

    table = view.table
    chosen = choose_rows(table, most=most)
    under_way = {str(pull.arm) for pull in progress.under_way}
    header = ["  arm", "label", "pulls", "mean", "needed"]
    places = [HEADER.index(name) for name in ("label", "pulls", "mean", NEEDED)]
    marks = ["▸" if str(table.arms[k]) in under_way else " " for k in chosen.positions]
    cells = [
        [f"{mark} {row[0]}", *(row[place] for place in places)]
        for mark, row in zip(marks, format_rows(table, chosen.positions), strict=True)
    ]
    rest = measure_table(header[1:], [row[1:] for row in cells]) + GAP
    bar = min(_MAX_BAR_WIDTH, width - rest - GAP - 20)
    has_bar = bar >= _MIN_BAR_WIDTH
    room = max(width - rest - (bar + GAP if has_bar else 0), 6)
    names = shorten_texts([row[0] for row in cells], room, measure_cell)
    for row, name in zip(cells, names, strict=True):
        row[0] = name
    axis = make_axis(table, chosen.positions)
    widths = [max(map(measure_cell, column)) for column in zip(header, *cells, strict=True)]
    title = f"threshold {format_setting(view.problem.threshold)}" if has_bar else ""
    lines = [Text(_format_line([*header, title], widths).rstrip(), style="bold")]
    for row, position in zip(cells, chosen.positions, strict=True):
        line = Text(_format_line(row, widths))
        if has_bar:
            numbers = (float(each[position]) for each in (table.mean, table.lower, table.upper))
            line.append(" " * GAP)
            line.append(format_letter_bar(axis, bar, *numbers), style=COLOURS[row[1]])
        lines.append(line)
    for label, count in chosen.left_out.items():
        lines.append(Text(f"{name_left_out(count)} {label}"))
    return lines


def _format_line(row: Sequence[str], widths: Sequence[int]) -> str:
    parts = []
    for column, cell in enumerate(row):
        space = " " * (widths[column] - measure_cell(cell)) if column < len(widths) else ""
        parts.append(cell + space if column < 2 or column >= len(widths) else space + cell)
    return (" " * GAP).join(parts)
