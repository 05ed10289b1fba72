"""A run while it lasts: a live table on a terminal, a line now and then elsewhere."""

import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from goodarm.cli.layout import GAP, cell_width, table_width
from goodarm.cli.output import say
from goodarm.cli.show_view import Seen
from goodarm.live.forecast import pulls_expected
from goodarm.results.bars import COLOURS
from goodarm.results.choosing import choose
from goodarm.results.names import ELLIPSIS, printable, shorten_texts
from goodarm.results.table import format_count, format_number
from goodarm.results.times import span
from goodarm.results.verdict import format_needed
from goodarm.results.waiting import LONG_SECONDS

if TYPE_CHECKING:
    from rich.text import Text

    from goodarm.cli.stores import AnyExperiment
    from goodarm.problem import Problem
    from goodarm.results import ArmReport
    from goodarm.running.loop import Progress

Watch = Callable[["Progress"], None]

EVERY: Final = 30.0
"""Seconds between two lines, where there is no terminal."""
FIRST: Final = 10.0
"""Seconds before the first."""
_SHARE: Final = 0.1
"""The part of the time that may go into looking."""
_LEAST_BAR: Final = 15
_LONGEST_BAR: Final = 41
_ROWS: Final = (12, 8, 5, 3, 2, 1)
"""Arms of each label, fewer and fewer, until all fits the height of a terminal."""


@contextmanager
def watching(exp: "AnyExperiment", *, quiet: bool) -> Iterator[Watch]:
    """What is to be told how far a run is."""
    if quiet or sys.stderr is None:
        yield lambda progress: None
    elif sys.stderr.isatty():
        with _live(exp) as watch:
            yield watch
    else:
        yield _Lines(exp).watch


class _Lines:
    """A line now and then."""

    def __init__(self, exp: "AnyExperiment") -> None:
        self._exp, self._next = exp, FIRST

    def watch(self, progress: "Progress") -> None:
        if progress.seconds >= self._next:
            self._next = progress.seconds + EVERY
            say(f"goodarm: {status_of(Seen.of(self._exp), progress)}", err=True)


@contextmanager
def _live(exp: "AnyExperiment") -> Iterator[Watch]:
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True, markup=False, emoji=False, highlight=False)
    live = Live(console=console, auto_refresh=False, transient=True, vertical_overflow="crop")
    next_look, has_looked = 0.0, False

    def watch(progress: "Progress") -> None:
        nonlocal next_look, has_looked
        start = time.monotonic()
        if start < next_look:
            return
        size = shutil.get_terminal_size()
        live.update(screen(Seen.of(exp), progress, size.columns, size.lines), refresh=True)
        end = time.monotonic()
        if has_looked:  # the first look takes longer, because it loads what it needs
            next_look = end + (end - start) / _SHARE
        has_looked = True

    with live:
        yield watch


def screen(seen: Seen, progress: "Progress", width: int, height: int) -> "Text":
    """All that a terminal of this size shows: the arms that matter, and how far it is."""
    from rich.text import Text

    from goodarm.cli.output import folded

    foot = folded(status_of(seen, progress), width)
    foot += folded("Ctrl-C ends it; the same command goes on.", width)
    shown: list[Text] = []
    for most in _ROWS:
        shown = _rows(seen, progress, width, most)
        if len(shown) + len(foot) + 2 <= height:
            break
    shown = shown[: max(height - len(foot) - 2, 1)]
    return Text("\n", no_wrap=True, overflow="crop").join([*shown, *map(Text, ("", *foot))])


def status_of(seen: Seen, progress: "Progress") -> str:
    """How far a run is, in words."""
    counts = ", ".join(f"{count} {label}" for label, count in seen.table.num_by_label.items())
    text = f"{seen.pulls:,} pulls; {counts}"
    if progress.late:
        text += f"; {progress.late:,} ended by the timeout"
    if progress.lost:
        text += f"; {progress.lost:,} lost"
    if progress.waits_for:
        names = ", ".join(map(printable, progress.waits_for[:5]))
        return f"{text}; waiting for the pulls of {names}."
    text += _held_up(seen, progress)
    expected, is_whole = pulls_expected(seen.table, seen.problem, seen.pulls)
    made = progress.told + progress.lost
    if expected:
        text += f"; about {format_count(expected)} {'more' if is_whole else 'or more to come'}"
        if made >= 10:
            text += f", {span(progress.seconds / made * expected)}"
    return f"{text}."


def _held_up(seen: Seen, progress: "Progress") -> str:
    """Pulls that others have had for long: their arms' tests wait for them."""
    ours = {pull.number for pull in progress.under_way}
    decided = {str(arm) for arm in (*seen.table.good, *seen.table.bad)}
    since = time.time() - LONG_SECONDS
    held = [
        each
        for each in seen.out
        if each.pull.number not in ours
        and each.asked_at < since
        and str(each.pull.arm) not in decided
    ]
    if not held:
        return ""
    names = ", ".join(dict.fromkeys(printable(each.worker or "somebody") for each in held[:5]))
    what = "1 pull" if len(held) == 1 else f"{len(held):,} pulls"
    first = span(time.time() - min(each.asked_at for each in held))
    return f"; {what} with {names} for {first}, which the arms wait for"


class Axis(NamedTuple):
    """The values from the left end of a bar to its right end, and the threshold among them."""

    low: float
    high: float
    threshold: float


def axis_of(reports: "Sequence[ArmReport]", problem: "Problem") -> Axis:
    """The rewards' range; where they have none, what the intervals take."""
    if problem.reward_range is not None:
        return Axis(*problem.reward_range, problem.threshold)
    ends = [end for report in reports for end in (report.lower, report.upper) if end is not None]
    ends = [end for end in ends if abs(end) < float("inf")]
    room = problem.sigma or 1.0
    low, high = min([problem.threshold - room, *ends]), max([problem.threshold + room, *ends])
    return Axis(low, high, problem.threshold)


def interval_bar(report: "ArmReport", axis: Axis, width: int) -> str:
    """An interval against the threshold, in letters.

    >>> from goodarm.results import ArmReport
    >>> arm = ArmReport("a", 9, 0.7, 0.5, 0.9, 1.0, 1.0, "undecided", None, 9)
    >>> interval_bar(arm, Axis(0, 1, 0.6), 21)
    '          ├─┃─●───┤  '
    """

    def place(value: float) -> int:
        part = (value - axis.low) / (axis.high - axis.low)
        return round(min(max(part, 0.0), 1.0) * (width - 1))

    signs = [" "] * width
    if report.lower is not None and report.upper is not None:
        left, right = place(report.lower), place(report.upper)
        signs[left : right + 1] = "─" * (right - left + 1)
        signs[left], signs[right] = "├", "┤"
    signs[place(axis.threshold)] = "┃"
    if report.mean is not None:
        signs[place(report.mean)] = "●"
    return "".join(signs)


def _rows(seen: Seen, progress: "Progress", width: int, most: int) -> "list[Text]":
    """A header, and the arms that matter with their intervals, in the colours of their labels."""
    from rich.text import Text

    table = seen.table
    chosen = choose(table, [], "label", most)
    reports = [table[position] for position in chosen.positions]
    under_way = {str(pull.arm) for pull in progress.under_way}
    header = ["  arm", "label", "pulls", "mean", "needed"]
    cells = [
        [
            f"{'▸' if str(report.arm) in under_way else ' '} {printable(report.arm)}",
            report.label,
            format_count(report.pulls),
            format_number(report.mean),
            format_needed(report, report.pulls_needed),
        ]
        for report in reports
    ]
    rest = table_width(header[1:], [row[1:] for row in cells]) + GAP
    bar = min(_LONGEST_BAR, width - rest - GAP - 20)
    has_bar = bar >= _LEAST_BAR
    room = max(width - rest - (bar + GAP if has_bar else 0), 6)
    names = shorten_texts([row[0] for row in cells], room, cell_width)
    for row, name in zip(cells, names, strict=True):
        row[0] = name
    axis = axis_of(table, seen.problem)
    widths = [max(map(cell_width, column)) for column in zip(header, *cells, strict=True)]
    title = f"threshold {seen.problem.threshold:g}" if has_bar else ""
    lines = [Text(_line([*header, title], widths).rstrip(), style="bold")]
    for row, report in zip(cells, reports, strict=True):
        line = Text(_line(row, widths))
        if has_bar:
            line.append(" " * GAP)
            line.append(interval_bar(report, axis, bar), style=COLOURS[report.label])
        lines.append(line)
    for label, count in chosen.left_out.items():
        lines.append(Text(f"{ELLIPSIS} {count:,} more {label}"))
    return lines


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    parts = []
    for column, cell in enumerate(row):
        space = " " * (widths[column] - cell_width(cell)) if column < len(widths) else ""
        parts.append(cell + space if column < 2 or column >= len(widths) else space + cell)
    return (" " * GAP).join(parts)
