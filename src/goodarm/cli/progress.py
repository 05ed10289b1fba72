"""Progress bars on standard error, if it is a terminal; nothing elsewhere."""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

_PULLS: Final = "{task.fields[pulls]:,} pulls"


@contextmanager
def show_run_progress(title: str, total: int) -> Iterator[Callable[[int, int, int], None]]:
    """Show a bar over runs; yield a function to call with (finished, total, pulls)."""
    with _show_bar(title, total, "{task.completed}/{task.total} runs") as update:
        yield lambda finished, total, pulls: update(completed=finished, total=total, pulls=pulls)


@contextmanager
def show_stage_progress() -> Iterator[Callable[[str, float, int], None]]:
    """Show a bar over all stages; yield a function to call with (stage, part done, pulls)."""
    with _show_bar("starting", 1.0, "{task.percentage:>3.0f}%") as update:
        yield lambda stage, part, pulls: update(description=stage, completed=part, pulls=pulls)


@contextmanager
def show_entry_progress(total: int) -> Iterator[Callable[[str, int], None]]:
    """Show a bar over journals; yield a function to call with (name, entries done before it)."""
    done = "{task.completed:,}/{task.total:,} entries"
    with _show_bar("", total, done, has_pulls=False) as update:
        yield lambda name, before: update(description=name, completed=before)


@contextmanager
def show_kept_runs() -> Iterator[None]:
    """Print on standard error how many runs are taken from a folder of finished ones."""
    from goodarm.cli.output import say

    class Printer(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            say(f"goodarm: {record.getMessage()}.", err=True)

    log, printer = logging.getLogger("goodarm.simulation"), Printer(logging.INFO)
    level = log.level
    log.addHandler(printer)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(printer)
        log.setLevel(level)


@contextmanager
def _show_bar(
    title: str, total: float, done: str, *, has_pulls: bool = True
) -> Iterator[Callable[..., None]]:
    """Show a bar with the time left; ``done`` is the format of its progress. No text is markup."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda **fields: None
        return
    bar = _ProgressBar(title, total, done, has_pulls=has_pulls)
    try:
        yield bar.update
    finally:
        bar.stop()


class _ProgressBar:
    """Bar that appears with the first update, so that a call that fails at once shows none."""

    def __init__(self, title: str, total: float, done: str, *, has_pulls: bool) -> None:
        from goodarm.views.names import visible

        self._has_pulls = has_pulls
        self._visible = visible
        self._title, self._total, self._done = visible(title), total, done
        self._shown: tuple[Any, Any] | None = None

    def update(self, **fields: Any) -> None:
        """Update the progress."""
        if "description" in fields:
            fields["description"] = self._visible(fields["description"])
        if self._shown is None:
            self._shown = self._start()
        bar, task = self._shown
        bar.update(task, **fields)

    def stop(self) -> None:
        """Remove the bar."""
        if self._shown is not None:
            self._shown[0].stop()

    def _start(self) -> tuple[Any, Any]:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn(self._done, markup=False),
            *([TextColumn(_PULLS, markup=False)] if self._has_pulls else []),
            TimeRemainingColumn(),
        )
        console = Console(stderr=True, markup=False, emoji=False, highlight=False)
        bar = Progress(*columns, console=console, transient=True)
        bar.start()
        return bar, bar.add_task(self._title, total=self._total, pulls=0)
