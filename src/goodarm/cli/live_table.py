"""Table that is updated at each change: in place on a terminal, one after the other elsewhere."""

import shutil
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import typer

from goodarm.cli.output import find_terminal_width
from goodarm.cli.process_wrapper import end_on_interrupt, is_output_closed
from goodarm.cli.show_view import ExperimentView

if TYPE_CHECKING:
    from goodarm.cli.stores import AnyExperiment

Draw = Callable[[ExperimentView, int | None, int | None], list[str]]
"""Function of a snapshot, a width and the most arms of each label, which returns lines."""

_ROW_LIMITS: Final = (12, 8, 5, 3, 2, 1)
"""Numbers of arms of each label to try, until all fits the height of the terminal."""


def watch_experiment(
    exp: "AnyExperiment", draw: Draw, seconds: float, most: int | None
) -> ExperimentView:
    """Show an experiment until it ends, or Ctrl-C. Return the last snapshot."""
    if find_terminal_width() is None:
        return _print_changes(exp, draw, seconds, most)
    return _watch_in_place(exp, draw, seconds)


def _watch_in_place(exp: "AnyExperiment", draw: Draw, seconds: float) -> ExperimentView:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(markup=False, emoji=False, highlight=False)
    live = Live(console=console, auto_refresh=False, transient=True, vertical_overflow="crop")
    view = ExperimentView.of(exp)
    with live, end_on_interrupt():
        while not view.has_ended:
            text = Text("\n".join(_fit_screen(view, draw)), no_wrap=True, overflow="crop")
            live.update(text, refresh=True)
            time.sleep(seconds)
            view = _refresh(exp, view)
    return view


def _fit_screen(view: ExperimentView, draw: Draw) -> list[str]:
    """Return as many arms as fit the screen, and a line that says how to end."""
    height = shutil.get_terminal_size().lines - 2
    lines: list[str] = []
    for most in _ROW_LIMITS:
        lines = draw(view, find_terminal_width(), most)
        if len(lines) <= height:
            break
    return [*lines[:height], "Press Ctrl-C to stop."]


def _print_changes(
    exp: "AnyExperiment", draw: Draw, seconds: float, most: int | None
) -> ExperimentView:
    """Print a table at each change while somebody reads them. The caller prints the last one."""
    view = ExperimentView.of(exp)
    with end_on_interrupt():
        while not view.has_ended and not is_output_closed():
            _print_lines(draw(view, None, most))
            view = _wait_for_change(exp, view, seconds)
    return view


def _wait_for_change(exp: "AnyExperiment", view: ExperimentView, seconds: float) -> ExperimentView:
    found = view
    while found is view:
        time.sleep(seconds)
        found = _refresh(exp, view)
    return found


def _refresh(exp: "AnyExperiment", view: ExperimentView) -> ExperimentView:
    """Take a new snapshot; return the same one if nothing has happened."""
    return view if exp.entries == view.entries else ExperimentView.of(exp)


def _print_lines(lines: list[str]) -> Any:
    typer.echo("\n".join([*lines, ""]))
