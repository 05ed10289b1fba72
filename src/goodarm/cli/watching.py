"""A table that is kept current: in its place on a terminal, one after the other elsewhere."""

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
"""The lines for a width, given the most arms of each label to show."""

_ROWS: Final = (12, 8, 5, 3, 2, 1)
"""Arms of each label, fewer and fewer, until all fits the height of a terminal."""


def watch(exp: "AnyExperiment", draw: Draw, seconds: float, most: int | None) -> Seen:
    """Show an experiment until it has ended, or Ctrl-C; returns what was seen last."""
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
    """As many arms as a screen has room for, with a line that says how to end it."""
    height = shutil.get_terminal_size().lines - 2
    lines: list[str] = []
    for most in _ROWS:
        lines = draw(seen, width_of(), most)
        if len(lines) <= height:
            break
    return [*lines[:height], "Ctrl-C ends this."]


def _print_changes(exp: "AnyExperiment", draw: Draw, seconds: float, most: int | None) -> Seen:
    """A table at each change, as long as somebody reads them; the last one is left to the end."""
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
    """The experiment as it is now; the same object if nothing has happened."""
    return seen if exp.entries == seen.entries else Seen.of(exp)


def _print(lines: list[str]) -> Any:
    typer.echo("\n".join([*lines, ""]))
