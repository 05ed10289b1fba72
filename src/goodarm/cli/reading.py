"""Inputs of ``goodarm check``: a table in any form, or the logs of other tools."""

import sys
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import typer

from goodarm.cli import choices
from goodarm.cli.options import NUMBER, TEXT, number
from goodarm.errors import SpecError, invalid_argument

STDIN: Final = "-"
_FORMATS: Final = ("junit", "promptfoo", "inspect", "lm-eval", "jsonl")

Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATHS",
        help="A table: CSV, JSON lines, .xlsx, .parquet; - for text on stdin. With --from: logs.",
    ),
]
Raw = Annotated[bool, typer.Option("--raw", help="One row a reward: arm, reward.")]
Values = Annotated[
    bool,
    typer.Option("--values", help="One row a value and how often it came: arm, value, count."),
]
Wide = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMNS",
        help="One column an arm, one row a unit: their names with commas, or all.",
    ),
]
Column = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN=NAME", help="The table's name of a column; repeat it."),
]
Sep = Annotated[
    str | None,
    typer.Option(metavar=TEXT, help="Sign between columns; tab for a tab. Found if not given."),
]
Encoding = Annotated[
    str | None, typer.Option(metavar=TEXT, help="Of a text, such as cp1252; UTF-8 if not given.")
]
Decimal = Annotated[
    str | None,
    typer.Option(
        metavar="[.|,]",
        help="Decimal sign; found if not given.",
        autocompletion=choices.one_of((".", ",")),
    ),
]
Comment = Annotated[
    str | None,
    typer.Option(metavar=TEXT, help="What remarks begin with; # if not given, '' for none."),
]
Sheet = Annotated[str | None, typer.Option(metavar=TEXT, help="Name of a workbook's sheet.")]
Sum = Annotated[bool, typer.Option("--sum", help="Add up several rows of an arm.")]
KeepTotal = Annotated[
    bool, typer.Option("--keep-total", help="A row that is the sum of the others is an arm.")
]
Strict = Annotated[
    bool, typer.Option("--strict", help="Refuse anything but the documented form of a table.")
]
From = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="TOOL",
        help=f"Logs of another tool: {', '.join(_FORMATS)}, or a registered reader.",
        autocompletion=choices.one_of(_FORMATS),
    ),
]
By = Annotated[
    str | None, typer.Option(metavar=TEXT, help="With --from: what an arm is; parts with commas.")
]
Errors = Annotated[
    str | None,
    typer.Option(
        metavar="[fail|exclude]",
        help="With --from: an error counts as failure (fail) or is left out (exclude).",
        autocompletion=choices.one_of(("fail", "exclude")),
    ),
]
Repeats = Annotated[
    str | None,
    typer.Option(
        metavar="[refuse|attempts|reruns]",
        help="With --from or --raw: the same test or case twice: refuse, attempts or, with "
        "--from, reruns.",
        autocompletion=choices.one_of(("refuse", "attempts", "reruns")),
    ),
]
Copies = Annotated[
    str | None,
    typer.Option(
        metavar="[once|count]",
        help="With --from: equal files count once, or count each.",
        autocompletion=choices.one_of(("once", "count")),
    ),
]
Score = Annotated[str | None, typer.Option(metavar=TEXT, help="With --from: which score decides.")]
PassAt = Annotated[
    float | None,
    typer.Option(
        metavar=NUMBER, parser=number, help="With --from: the score from which on it passed."
    ),
]
Filter = Annotated[
    str | None, typer.Option(metavar=TEXT, help="With --from lm-eval: which filter.")
]
Cached = Annotated[
    str | None,
    typer.Option(
        metavar="[refuse|exclude]",
        help="With --from promptfoo: answers from a cache: refuse or exclude.",
        autocompletion=choices.one_of(("refuse", "exclude")),
    ),
]


def find_table(paths: list[str], log: str | None, **options: Any) -> Any:
    """Return the input of ``check``: the path of a table, standard input, or the counts of logs.

    ``options`` are those of ``goodarm.logs.read``; None means not given.
    """
    given = {name: value for name, value in options.items() if value is not None}
    if log is not None:
        from goodarm.logs import read

        return read(paths, log, **given)
    for name in given:
        option = f"--{name.replace('_', '-')}"
        raise invalid_argument(option, "check", "go with --from", given[name], _remedy())
    if len(paths) > 1:
        raise invalid_argument("PATHS", "the command", "be one table", paths, _remedy())
    if paths[0].lower().endswith((".xml", ".eval")):
        raise invalid_argument("PATHS", "the command", "be a table", paths[0], _remedy())
    if paths[0] == STDIN:
        return _stdin()
    if Path(paths[0]).is_dir():
        remedy = f"For the logs of another tool: --from junit '{Path(paths[0]) / '**/*.xml'}'."
        raise invalid_argument("PATHS", "the command", "be a file", paths[0], remedy)
    return paths[0]


def _remedy() -> str:
    return f"For the logs of another tool say which: --from {', '.join(_FORMATS)}."


def parse_columns(pairs: list[str], **own: str | None) -> dict[str, str]:
    """Parse pairs MEANING=NAME of columns; those in ``own`` come from options of their own."""
    columns = {meaning: name for meaning, name in own.items() if name is not None}
    for pair in pairs:
        meaning, equals, name = pair.partition("=")
        if not equals or not name.strip():
            raise invalid_argument("--column", "check", "be written as pulls=NAME", pair)
        if meaning.strip() in own:
            option = f"--{meaning.strip()}-column"
            raise invalid_argument(
                "--column", "check", f"leave the {meaning.strip()} to {option}", pair
            )
        columns[meaning.strip()] = name.strip()
    return columns


def parse_wide(text: str | None) -> Literal["all"] | list[str] | None:
    """Parse the columns of a wide table: names with commas, or all."""
    if text is None or text.strip() == "all":
        return None if text is None else "all"
    return [name.strip() for name in text.split(",") if name.strip()]


def _stdin() -> object:
    if sys.stdin is None:
        raise SpecError(
            "There is no standard input to read counts from; give a file in place of -.",
            argument="PATHS",
            owner="check",
            rule="be a file where there is no standard input",
            value=STDIN,
        )
    if sys.stdin.isatty():
        from goodarm.cli.output import say

        say("goodarm: reading standard input; Ctrl-D ends it.", err=True)
    return sys.stdin.buffer
