"""Inputs of ``goodarm check``: a table in any form, or the logs of other tools."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import typer

from goodarm.arguments import Percentage, parse_number
from goodarm.cli import choices, usage
from goodarm.cli.options import NUMBER, TEXT, number
from goodarm.errors import SpecError, invalid_argument
from goodarm.wording import Arg, join, phrase

STDIN: Final = "-"
_FORMATS: Final = (
    *("junit", "promptfoo", "inspect", "lm-eval", "pytest-json", "lerobot", "phoenix", "langfuse"),
    "jsonl",
)

_MAX_FILES_TRIED: Final = 50
"""Files of a folder whose beginning is looked at, to name the tool that wrote them."""
_LOGS_HELP: Final = "goodarm check --from TOOL --help"

Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATHS",
        help="One table (CSV, JSON lines, .xlsx or .parquet; - for standard input), several with "
        "--sum, or, with --from, logs.",
    ),
]
Raw = Annotated[
    bool,
    typer.Option(
        "--raw",
        help="Each row is one reward: columns arm and reward.",
        rich_help_panel=usage.TABLE,
    ),
]
Values = Annotated[
    bool,
    typer.Option(
        "--values",
        help="Each row says how often an arm returned a value: columns arm, value and count.",
        rich_help_panel=usage.TABLE,
    ),
]
Wide = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMNS",
        help="Each column is an arm and each row a unit: the names of the columns, separated by "
        "commas, or all.",
        rich_help_panel=usage.TABLE,
    ),
]
Column = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN=NAME",
        help="Your name of a column, such as pulls=visitors. Repeat the option for more.",
        rich_help_panel=usage.TABLE,
    ),
]
Sep = Annotated[
    str | None,
    typer.Option(
        metavar=TEXT,
        help="The character between columns, or 'tab'. Detected if not given.",
        rich_help_panel=usage.TABLE,
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        metavar=TEXT,
        help="The encoding of the text, such as cp1252. UTF-8 if not given.",
        rich_help_panel=usage.TABLE,
    ),
]
Decimal = Annotated[
    str | None,
    typer.Option(
        metavar="[.|,]",
        help="The decimal mark. Detected if not given.",
        autocompletion=choices.make_completer((".", ",")),
        rich_help_panel=usage.TABLE,
    ),
]
Comment = Annotated[
    str | None,
    typer.Option(
        metavar=TEXT,
        help="Skip lines that begin with this; # if not given, '' to skip none.",
        rich_help_panel=usage.TABLE,
    ),
]
Sheet = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="The sheet of a workbook to read.", rich_help_panel=usage.TABLE
    ),
]
Sum = Annotated[
    bool,
    typer.Option(
        "--sum", help="Add up the rows of an arm that has several.", rich_help_panel=usage.TABLE
    ),
]
KeepTotal = Annotated[
    bool,
    typer.Option(
        "--keep-total",
        help="Treat a row that is the sum of all others as an arm, not as a total.",
        rich_help_panel=usage.TABLE,
    ),
]
Strict = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Accept only the documented form of a table.",
        rich_help_panel=usage.TABLE,
    ),
]
Cost = Annotated[
    str | None,
    typer.Option(
        metavar="NUMBER|COLUMN",
        help="What a pull costs: an amount of money for all arms, or the column that has that of "
        "each row. It changes no label.",
        rich_help_panel=usage.TABLE,
    ),
]
From = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="TOOL",
        help=f"Read the logs of another tool: {', '.join(_FORMATS)}, or a reader you have "
        f"installed. For the options of logs: {_LOGS_HELP}.",
        autocompletion=choices.make_completer(_FORMATS),
        rich_help_panel=usage.LOGS,
    ),
]
By = Annotated[
    str | None,
    typer.Option(
        metavar="PARTS",
        help="What makes an arm, such as model,task: parts of the log, separated by commas.",
        rich_help_panel=usage.LOGS,
    ),
]
Errors = Annotated[
    str | None,
    typer.Option(
        metavar="[fail|exclude]",
        help="Count attempts that ended in an error as failures, or leave them out.",
        autocompletion=choices.make_completer(("fail", "exclude")),
        rich_help_panel=usage.LOGS,
    ),
]
Unit = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="What was sampled, such as question or user_id: a column, with --raw, or a part of "
        "the log. Its rewards under one arm are averaged, and each unit is one pull.",
        rich_help_panel=usage.CASES,
    ),
]
Repeats = Annotated[
    str | None,
    typer.Option(
        metavar="[refuse|attempts|reruns|fixed]",
        help="If a test or case comes twice: stop with an error, count each as an attempt, or "
        "(logs only) count all but the last as failures. With --unit, fixed: the numbers of "
        "rewards differ, and were fixed before the first result. A table needs --raw, too.",
        autocompletion=choices.make_completer(("refuse", "attempts", "reruns", "fixed")),
        rich_help_panel=usage.CASES,
    ),
]
Copies = Annotated[
    str | None,
    typer.Option(
        metavar="[once|count]",
        help="Count files with the same content once, or each of them.",
        autocompletion=choices.make_completer(("once", "count")),
        rich_help_panel=usage.LOGS,
    ),
]
Score = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The score that decides whether an attempt passed.",
        rich_help_panel=usage.LOGS,
    ),
]
PassAt = Annotated[
    float | None,
    typer.Option(
        metavar=NUMBER,
        parser=number,
        help="An attempt passes if its score is at least this.",
        rich_help_panel=usage.LOGS,
    ),
]
Filter = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="With lm-eval: the filter to read. With langfuse: the source of the scores.",
        rich_help_panel=usage.LOGS,
    ),
]
Cached = Annotated[
    str | None,
    typer.Option(
        metavar="[refuse|exclude]",
        help="With promptfoo: stop at answers that came from a cache, or leave them out.",
        autocompletion=choices.make_completer(("refuse", "exclude")),
        rich_help_panel=usage.LOGS,
    ),
]


def find_table(paths: list[str], log: str | None, *, adds_up: bool = False, **options: Any) -> Any:
    """Return the input of ``check``: paths of tables, standard input, or the counts of logs.

    ``adds_up``: the rows of several tables are added up.
    ``options`` are those of ``goodarm.logs.read_logs``; None means not given.
    """
    given = {name: value for name, value in options.items() if value is not None}
    if log is not None:
        from goodarm.logs import read_logs

        return read_logs(paths, format=log, **given)
    for name in given:
        option = f"--{name.replace('_', '-')}"
        raise _make_table_error(option, "be used with --from only", given[name], paths[0])
    if len(paths) > 1:
        if adds_up and STDIN not in paths:
            return [_check_path(path) for path in paths]
        several = phrase("To add up several files, use {sum}.", sum=Arg("sum", True))
        remedy = join(several, _find_remedy(paths[0]))
        raise invalid_argument("PATHS", "check", "be one table", paths, remedy)
    return _open_stdin() if paths[0] == STDIN else _check_path(paths[0])


def _check_path(path: str) -> str:
    """Return the path of a table; reject logs and folders."""
    if path.lower().endswith((".xml", ".eval")):
        raise _make_table_error("PATHS", "be a table", path, path)
    if Path(path).is_dir():
        raise _make_table_error("PATHS", "be a file", path, path)
    return path


@contextmanager
def name_tool_of_log(table: Any) -> Iterator[None]:
    """Replace the error for a table that is another tool's log: name the tool, and the option.

    A table may look like a log, such as JSON lines with the key ``doc_id``; so a file is looked at
    only once it could not be read as a table.
    """
    try:
        yield
    except SpecError as error:
        place = error.place
        is_of_table = place is not None and isinstance(table, str) and place.source == table
        tool = _find_tool(Path(table)) if is_of_table else None
        if tool is None:
            raise
        raise _make_table_error("PATHS", "be a table", table, table) from error


def _make_table_error(argument: str, rule: str, value: object, path: str) -> SpecError:
    """Return the error for what is not one table; it says how to read the path as a log.

    The path is looked at only here, since that loads the readers of all logs.
    """
    return invalid_argument(argument, "check", rule, value, _find_remedy(path))


def _find_tool(path: Path) -> str | None:
    """Return the tool that wrote a log; None if nothing shows it."""
    from goodarm.logs import find_format

    try:
        found = find_format(path)
    except OSError:
        return None
    return None if found == "jsonl" else found


def _find_remedy(path: str) -> str:
    """Return the sentence that says how to read a log, or the logs of a folder."""
    folder = Path(path)
    if not folder.is_dir():
        tool = _find_tool(folder)
        if tool is not None:
            return f"It looks like a log of {tool}. To read it, use --from {tool}."
        return f"To read the logs of another tool, name it: --from {', '.join(_FORMATS)}."
    for file in sorted(folder.glob("*"))[:_MAX_FILES_TRIED]:
        tool = _find_tool(file)
        if tool is not None:
            files = folder / f"*{file.suffix}"
            return f"Its files look like logs of {tool}. To read them, use --from {tool} '{files}'."
    files = folder / "**/*.xml"
    return f"To read the logs of another tool, name it and its files: --from junit '{files}'."


def parse_columns(pairs: list[str], **own: str | None) -> dict[str, str]:
    """Parse pairs MEANING=NAME of columns; those in ``own`` come from options of their own."""
    columns = {meaning: name for meaning, name in own.items() if name is not None}
    for pair in pairs:
        meaning, equals, name = pair.partition("=")
        if not equals or not name.strip():
            raise invalid_argument("--column", "check", "be written as pulls=NAME", pair)
        if meaning.strip() == "cost":
            raise invalid_argument(
                "--column", "check", "not name the cost column; use --cost NAME", pair
            )
        if meaning.strip() in own:
            option = f"--{meaning.strip()}-column"
            raise invalid_argument(
                "--column", "check", f"not name the {meaning.strip()} column; use {option}", pair
            )
        columns[meaning.strip()] = name.strip()
    return columns


def parse_cost(text: str | None) -> tuple[float | None, str | None]:
    """Return what ``--cost`` means: an amount for all arms, or the name of a column."""
    found = None if text is None else parse_number(text)
    if isinstance(found, float) and not isinstance(found, Percentage):
        return found, None
    return None, text


def parse_wide(text: str | None) -> Literal["all"] | list[str] | None:
    """Parse the columns of a wide table: names separated by commas, or all."""
    if text is None or text.strip() == "all":
        return None if text is None else "all"
    return [name.strip() for name in text.split(",") if name.strip()]


def _open_stdin() -> object:
    if sys.stdin is None:
        raise SpecError(
            "There is no standard input to read a table from. Give a file in place of -.",
            argument="PATHS",
            owner="check",
            rule="be a file where there is no standard input",
            value=STDIN,
        )
    if sys.stdin.isatty():
        from goodarm.cli.output import say

        say("goodarm: reading standard input. Press Ctrl-D to end it.", err=True)
    return sys.stdin.buffer
