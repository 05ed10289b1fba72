"""Table that is updated at each change: in place on a terminal, one after the other elsewhere."""

import shutil
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import typer

from goodarm.cli.guard import ends_quietly, reader_has_left
from goodarm.cli.output import width_of
from goodarm.cli.show_view import Seen

if TYPE_CHECKING:
    from goodarm.cli.stores import AnyExperiment

Draw = Callable[[Seen, int | None, int | None], list[str]]
"""Function of a snapshot, a width and the most arms of each label, which returns lines."""

_ROWS: Final = (12, 8, 5, 3, 2, 1)
"""Numbers of arms of each label to try, until all fits the height of the terminal."""


def watch(exp: "AnyExperiment", draw: Draw, seconds: float, most: int | None) -> Seen:
    """Show an experiment until it ends, or Ctrl-C. Return the last snapshot."""
    if width_of() is None:
        return _print_changes(exp, draw, seconds, most)
    return _redraw(exp, draw, seconds)


def _redraw(exp: "AnyExperiment", draw: Draw, seconds: float) -> Seen:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(markup=False, emoji=False, highlight=False)
    live = Live(console=console, auto_refresh=False, transient=True, vertical_overflow="crop")
    seen = Seen.of(exp)
    with live, ends_quietly():
        while not seen.has_ended:
            text = Text("\n".join(_fitting(seen, draw)), no_wrap=True, overflow="crop")
            live.update(text, refresh=True)
            time.sleep(seconds)
            seen = _again(exp, seen)
    return seen


def _fitting(seen: Seen, draw: Draw) -> list[str]:
    """Return as many arms as fit the screen, and a line that says how to end."""
    height = shutil.get_terminal_size().lines - 2
    lines: list[str] = []
    for most in _ROWS:
        lines = draw(seen, width_of(), most)
        if len(lines) <= height:
            break
    return [*lines[:height], "Press Ctrl-C to stop."]


def _print_changes(exp: "AnyExperiment", draw: Draw, seconds: float, most: int | None) -> Seen:
    """Print a table at each change while somebody reads them. The caller prints the last one."""
    seen = Seen.of(exp)
    with ends_quietly():
        while not seen.has_ended and not reader_has_left():
            _print(draw(seen, None, most))
            seen = _next(exp, seen, seconds)
    return seen


def _next(exp: "AnyExperiment", seen: Seen, seconds: float) -> Seen:
    found = seen
    while found is seen:
        time.sleep(seconds)
        found = _again(exp, seen)
    return found


def _again(exp: "AnyExperiment", seen: Seen) -> Seen:
    """Take a new snapshot; return the same one if nothing has happened."""
    return seen if exp.entries == seen.entries else Seen.of(exp)


def _print(lines: list[str]) -> Any:
    typer.echo("\n".join([*lines, ""]))
