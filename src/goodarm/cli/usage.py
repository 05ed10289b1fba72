"""Help of commands: what to type in place of Python's types, and options by subject."""

import re
from collections.abc import Iterable
from functools import partial
from typing import Any, Final

import typer
from typer.core import TyperCommand

from goodarm.cli.choices import WORDS_OF_METAVAR, format_choices
from goodarm.old_names import refuse_old_option

_ARGUMENT: Final = "argument"
_MAX_NAME_WIDTH: Final = 26
"""Width from which on the name of an option has a line of its own."""

ARMS: Final = "Arms"
QUESTION: Final = "Question"
REWARDS: Final = "Rewards other than success and failure"
CASES: Final = "Fixed set of cases"
EXPERTS: Final = "For statisticians"
LOOKS: Final = "Several looks, or one"
TABLE: Final = "Table"
LOGS: Final = "Logs of other tools"
SIMULATION: Final = "Simulation"
LIMITS: Final = "Limits"
OUTPUT: Final = "Output"
_OPTIONS: Final = "Options"
_ARGUMENTS: Final = "Arguments"
_ORDER: Final = (
    *(_ARGUMENTS, _OPTIONS, QUESTION, ARMS, LOOKS, TABLE, LOGS, REWARDS, CASES),
    *(SIMULATION, EXPERTS, LIMITS, OUTPUT),
)
"""Panels in the order of the help."""


class Command(TyperCommand):
    """Command whose help lists options by panel, and arguments as PATHS... or [PATHS...]."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        for param in self.params:
            if param.param_type_name == _ARGUMENT:
                more: Any = param
                more.get_help_record = partial(_describe_argument, param, param.get_help_record)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; note whether they are about logs, for the help.

        Raises:
            typer.BadParameter: an option was renamed. The message has its new name.
        """
        ctx.meta[LOGS] = any(re.match(r"--from(=|$)", arg) for arg in args)
        for word in args:
            if word == "--":
                break
            if renamed := refuse_old_option(str(self.name), word.partition("=")[0]):
                raise typer.BadParameter(renamed, ctx)
        return super().parse_args(ctx, args)

    def get_help(self, ctx: Any) -> str:
        """Return the help, with the words that are loaded only for it."""
        for param in self.params:
            option: Any = param
            if option.metavar in WORDS_OF_METAVAR:
                option.metavar = format_choices(WORDS_OF_METAVAR[option.metavar]())
        return super().get_help(ctx)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line after the command's name."""
        pieces = [] if self.options_metavar is None else [self.options_metavar]
        given = [param for param in self.params if param.param_type_name == _ARGUMENT]
        shown = [
            _format_argument(param) if param.required else f"[{_format_argument(param)}]"
            for param in given
        ]
        return [*pieces, *shown]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, and the options by panel."""
        panels: dict[str, list[tuple[str, str]]] = {panel: [] for panel in _ORDER}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and _is_shown(param, ctx):
                panels[_format_panel(param)].append(record)
        if panels[OUTPUT]:
            panels[OUTPUT].append(panels[_OPTIONS].pop())  # --help comes last
        write_panels(formatter, {panel: found for panel, found in panels.items() if found})


def write_panels(formatter: Any, panels: dict[str, list[tuple[str, str]]]) -> None:
    """Write each panel as a section, all with the same width for names."""
    names = [name for records in panels.values() for name, _ in records]
    width = max(len(name) for name in names if len(name) <= _MAX_NAME_WIDTH)
    for panel, records in panels.items():
        with formatter.section(panel):
            formatter.write_dl(list(_pad_columns(records, width)), col_max=width)


def _pad_columns(records: Iterable[tuple[str, str]], width: int) -> Iterable[tuple[str, str]]:
    for name, text in records:
        yield name.ljust(width), text


def _is_shown(param: Any, ctx: Any) -> bool:
    """Return whether the help lists an option: those of logs only with ``--from``.

    With it, those of tables and of other rewards are left out: the attempts of logs pass or do not.
    """
    if "--from" in param.opts:
        return True
    return _format_panel(param) not in ((TABLE, REWARDS) if ctx.meta.get(LOGS) else (LOGS,))


def _format_panel(param: Any) -> str:
    if param.param_type_name == _ARGUMENT:
        return _ARGUMENTS
    return getattr(param, "rich_help_panel", None) or _OPTIONS


def _describe_argument(param: Any, usual: Any, ctx: Any) -> tuple[str, str] | None:
    """Return the name and help of an argument for the list of arguments."""
    record = usual(ctx)
    return None if record is None else (_format_argument(param), record[1])


def _format_argument(param: Any) -> str:
    name = re.sub(r"[^A-Z]", "", str(param.metavar or param.name).upper())
    return name if param.nargs == 1 else f"{name}..."
