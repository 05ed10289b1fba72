"""Loading of commands when they are called, and the handling of their errors."""

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any, ClassVar, Final, NamedTuple, cast

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from goodarm.cli.process_wrapper import (
    EXIT_WRONG_USE,
    escape_controls,
    is_interrupted,
    report_crash,
    show_trace,
)
from goodarm.cli.usage import Command, write_panels
from goodarm.errors import GoodArmError
from goodarm.wording import COMMAND_LINE

_USAGE_ERROR: Final = cast(type[Exception], typer.BadParameter.__mro__[1])
"""Exception for a command line that cannot be parsed; Typer does not export it by name."""


class Entry(NamedTuple):
    """Module and name of a command, its line in ``goodarm --help``, and the panel it is in."""

    module: str
    name: str
    help: str
    panel: str


class LazyGroup(TyperGroup):
    """Group of commands listed in a table; a command's module is imported when it is called."""

    table: ClassVar[Mapping[str, Entry]] = {}

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, entry in self.table.items():
            self.add_command(TyperCommand(name, help=entry.help, short_help=entry.help))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands by panel."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for name, entry in self.table.items():
            panels.setdefault(entry.panel, []).append((name, entry.help))
        write_panels(formatter, panels)

    def make_context(self, info_name: str | None, args: list[str], *rest: Any, **more: Any) -> Any:
        """Parse the options before the command."""
        with _escape_usage_errors():
            return super().make_context(info_name, args, *rest, **more)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command and load it."""
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            command = load_command(self.table[cast(str, name)], cast(str, name))
        return name, command, rest

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an error of goodarm's own, or of a file, ends it with exit code 2."""
        debug = bool(ctx.params.get("debug"))
        try:
            with _escape_usage_errors(), _print_plain_warnings():
                return super().invoke(ctx)
        except (_USAGE_ERROR, typer.Exit):
            raise
        except Exception as error:
            if is_interrupted(error):
                raise KeyboardInterrupt from error
            raise typer.Exit(_report_error(error, debug)) from error


def load_command(entry: Entry, name: str) -> Any:
    """Import and return the command of an entry of the table."""
    found = getattr(import_module(entry.module), entry.name)
    if not isinstance(found, typer.Typer):
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(name, cls=Command)(found)
        found = alone
    return get_command(found)


def _report_error(error: Exception, debug: bool) -> int:
    from goodarm.cli.output import say

    if not isinstance(error, (GoodArmError, OSError)):
        return report_crash(error, debug)
    if debug:
        show_trace(error)
    say(f"goodarm: {_format_error(error)}", err=True)
    return EXIT_WRONG_USE


def _format_error(error: Exception) -> str:
    if isinstance(error, GoodArmError):
        return COMMAND_LINE.sentence(error)
    if isinstance(error, FileNotFoundError) and error.filename is not None:
        return f"There is no file {str(error.filename)!r}."
    return str(error)


@contextmanager
def _escape_usage_errors() -> Iterator[None]:
    """Escape control characters in the messages of usage errors."""
    try:
        yield
    except _USAGE_ERROR as error:
        message = getattr(error, "message", None)
        if message:
            error.message = escape_controls(message)  # type: ignore[attr-defined]
        raise


@contextmanager
def _print_plain_warnings() -> Iterator[None]:
    """Print warnings as plain lines, without the place in the code that they come from."""
    with warnings.catch_warnings():
        warnings.showwarning = _print_warning
        yield


def _print_warning(message: Warning | str, *_: object, **__: object) -> None:
    from goodarm.cli.output import say

    say(f"goodarm: {message}", err=True)
