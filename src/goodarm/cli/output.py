"""How commands speak: tables on standard output, progress and errors on standard error."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from typer.core import TyperGroup

from goodarm.errors import GoodArmError

_PIPE_WIDTH = 200
"""Columns of a table that goes to a file or pipe: wide enough that nothing is folded."""

EXIT_WRONG_USE = 2


class CommandGroup(TyperGroup):
    """Commands whose own errors are shown as their message alone, and whole with --debug."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an error of goodarm's own, or of a file, ends it with exit code 2."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise  # the reader has seen enough: no error of ours
        except (GoodArmError, OSError) as error:
            if ctx.params.get("debug"):
                raise
            typer.echo(f"goodarm: {error}", err=True)
            raise typer.Exit(EXIT_WRONG_USE) from error


def print_json(document: object) -> None:
    """JSON and nothing else; not-a-number becomes null before it comes here."""
    typer.echo(json.dumps(document, indent=2, allow_nan=False))


def print_table(
    title: str, header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1
) -> None:
    """A table with its first columns to the left and the rest to the right."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column, name in enumerate(header):
        table.add_column(name, justify="left" if column < left else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console = Console()
    if not console.is_terminal:
        console = Console(width=_PIPE_WIDTH)
    if title:
        console.print(title, markup=False, highlight=False)
    console.print(table)


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
    """A bar with the time left, on a terminal only; ``done`` says how far it is."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn(done),
        TextColumn("{task.fields[pulls]:,} pulls"),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(title, total=total, pulls=0)
        yield lambda **fields: bar.update(task, **fields)
