"""Bars on standard error, where it is a terminal; silence elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def progress_bar(title: str, total: int) -> Iterator[Callable[[int, int, int], None]]:
    """A bar over runs, to be called with (finished, total, pulls)."""
    with _bar(title, total, "{task.completed}/{task.total} runs") as update:
        yield lambda finished, total, pulls: update(completed=finished, total=total, pulls=pulls)


@contextmanager
def stage_bar() -> Iterator[Callable[[str, float, int], None]]:
    """A bar over all stages, to be called with (stage, part done, pulls)."""
    with _bar("starting", 1.0, "{task.percentage:>3.0f}%") as update:
        yield lambda stage, part, pulls: update(description=stage, completed=part, pulls=pulls)


@contextmanager
def _bar(title: str, total: float, done: str) -> Iterator[Callable[..., None]]:
    """A bar with the time left; ``done`` says how far it is. Names in it are text, not markup."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda **fields: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from goodarm.results.names import visible

    def update(**fields: Any) -> None:
        if "description" in fields:
            fields["description"] = visible(fields["description"])
        bar.update(task, **fields)

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn(done, markup=False),
        TextColumn("{task.fields[pulls]:,} pulls", markup=False),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True, markup=False, emoji=False, highlight=False)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(visible(title), total=total, pulls=0)
        yield update
