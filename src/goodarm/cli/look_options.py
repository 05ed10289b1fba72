"""Options of ``goodarm check`` for several looks at a table, with memory, or for a single one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from goodarm.cli import usage
from goodarm.cli.choices import LOOKS, format_choices, make_completer
from goodarm.errors import invalid_argument
from goodarm.wording import Arg, phrase

if TYPE_CHECKING:
    from goodarm.results import ArmTable

Previous = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="The result of the previous look, from --save or --json: its labels stay. A changed "
        "question, and counts that fell, are refused.",
        rich_help_panel=usage.LOOKS,
    ),
]
Save = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Write the result for the next look; it may be the file of --previous.",
        rich_help_panel=usage.LOOKS,
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="For every look the same command: --save FILE, and --previous FILE once it is there.",
        rich_help_panel=usage.LOOKS,
    ),
]
Looks = Annotated[
    str,
    typer.Option(
        metavar=format_choices(LOOKS),
        help="any: look as often as you like. once: the numbers of pulls were fixed before the "
        "first result, and this is the only look; it labels more arms.",
        autocompletion=make_completer(LOOKS),
        rich_help_panel=usage.LOOKS,
    ),
]


class MemoryFiles(NamedTuple):
    """Files of the previous look and for the next one; None if there is none."""

    previous: str | None
    save: str | None
    option: str = "save"
    """the option that named the file to write"""


def save_table(table: "ArmTable", files: MemoryFiles) -> None:
    """Write the table for the next look: after a crash the old file or the new one is there."""
    from goodarm.results import write_document

    if files.save is not None:
        write_document(table.to_dict(), files.save, files.option, "check")


def find_memory_files(
    previous: str | None, save: str | None, memory: str | None, looks: str
) -> MemoryFiles:
    """Return the files that the options mean, or raise an error if they exclude each other."""
    given = {"previous": previous, "save": save, "memory": memory}
    for name, file in given.items():
        if file is None:
            continue
        if looks == "once":
            rule = phrase(
                "be left out with {once}: that look is the only one", once=Arg("looks", "once")
            )
            raise invalid_argument(name, "check", rule, file)
        if name != "memory" and memory is not None:
            rule = phrase("be left out with {memory}, which does both")
            raise invalid_argument(name, "check", rule, file)
    if memory is None:
        return MemoryFiles(previous, save)
    return MemoryFiles(memory if Path(memory).exists() else None, memory, "memory")
