"""Usage lines that show what to type, instead of Python's types."""

import re
from functools import partial
from typing import Any, Final

import typer
from typer.core import TyperCommand

from goodarm.cli.choices import HELP_ONLY, listed
from goodarm.old_names import refuse_old_option

_ARGUMENT: Final = "argument"


class Command(TyperCommand):
    """Command whose arguments are shown as PATHS..., in brackets if they are optional."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        for param in self.params:
            if param.param_type_name == _ARGUMENT:
                more: Any = param
                more.get_help_record = partial(_argument_record, param, param.get_help_record)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the options; for one that was renamed, say its new name."""
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
            if option.metavar in HELP_ONLY:
                option.metavar = listed(HELP_ONLY[option.metavar]())
        return super().get_help(ctx)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line after the command's name."""
        pieces = [] if self.options_metavar is None else [self.options_metavar]
        given = [param for param in self.params if param.param_type_name == _ARGUMENT]
        shown = [
            _argument_name(param) if param.required else f"[{_argument_name(param)}]"
            for param in given
        ]
        return [*pieces, *shown]


def _argument_record(param: Any, usual: Any, ctx: Any) -> tuple[str, str] | None:
    """Return the name and help of an argument for the list of arguments."""
    record = usual(ctx)
    return None if record is None else (_argument_name(param), record[1])


def _argument_name(param: Any) -> str:
    name = re.sub(r"[^A-Z]", "", str(param.metavar or param.name).upper())
    return name if param.nargs == 1 else f"{name}..."
