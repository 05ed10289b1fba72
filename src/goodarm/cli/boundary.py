"""``goodarm boundary``: the numbers at which a pass rate is proven, and a replay of runs."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from goodarm.cli import usage
from goodarm.cli.choices import format_choices, make_completer, validate_choice
from goodarm.cli.options import FILE, NUMBER, AllowLargeDelta, AsJson, Delta, parse_share
from goodarm.cli.output import print_csv, print_json, print_table, say, say_picture
from goodarm.errors import invalid_argument

if TYPE_CHECKING:
    from goodarm.results import Boundary, BoundaryVerdict

_CAPS: Final = ("hard", "soft", "none")
_DEFAULT_CAP: Final = "hard"
_OUTCOMES: Final = {
    **dict.fromkeys(("1", "true", "pass", "passed"), True),
    **dict.fromkeys(("0", "false", "fail", "failed"), False),
    "lost": None,
}


def print_boundary(
    *,
    threshold: Annotated[
        float,
        typer.Option(
            metavar=NUMBER,
            parser=parse_share,
            help="The pass rate that is wanted, such as 0.9.",
            rich_help_panel=usage.QUESTION,
        ),
    ],
    delta: Delta = 0.05,
    arms: Annotated[
        int,
        typer.Option(
            metavar=NUMBER,
            help="How many questions share --delta, such as the tests of a suite.",
            rich_help_panel=usage.QUESTION,
        ),
    ] = 1,
    max_runs: Annotated[
        int | None,
        typer.Option(
            metavar=NUMBER,
            help="The most runs of each, fixed before the first; 300 if not given.",
            rich_help_panel=usage.QUESTION,
        ),
    ] = None,
    margin: Annotated[
        float,
        typer.Option(
            metavar=NUMBER,
            parser=parse_share,
            help="Accept either label for rates this close to the threshold.",
            rich_help_panel=usage.QUESTION,
        ),
    ] = 0.0,
    cap: Annotated[
        str,
        typer.Option(
            metavar=format_choices(_CAPS),
            help="hard: nothing is decided after --max-runs. soft: runs may go on. none: no cap.",
            autocompletion=make_completer(_CAPS),
            rich_help_panel=usage.QUESTION,
        ),
    ] = _DEFAULT_CAP,
    in_a_row: Annotated[
        int,
        typer.Option(
            metavar=NUMBER,
            help="The threshold is for so many runs in a row to pass.",
            rich_help_panel=usage.QUESTION,
        ),
    ] = 1,
    allow_large_delta: AllowLargeDelta = False,
    rates: Annotated[
        str | None,
        typer.Option(
            metavar="RATES",
            help="True pass rates, such as 0.8,0.95: the chance of each verdict, and the mean "
            "number of runs.",
            rich_help_panel=usage.OUTPUT,
        ),
    ] = None,
    runs: Annotated[
        Path | None,
        typer.Option(
            metavar=FILE,
            help="Judge a log of runs: a line for each, in the order started: 1 or pass, 0 or "
            "fail, lost.",
            rich_help_panel=usage.OUTPUT,
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar=FILE,
            help="Draw the boundary, with the path of --runs, into a .png, .svg or .pdf file.",
            rich_help_panel=usage.OUTPUT,
        ),
    ] = None,
    as_json: AsJson = False,
    as_csv: Annotated[
        bool,
        typer.Option(
            "--csv", help="Print only CSV: a row for each run.", rich_help_panel=usage.OUTPUT
        ),
    ] = False,
    as_sql: Annotated[
        bool,
        typer.Option(
            "--sql", help="Print only SQL that makes a table.", rich_help_panel=usage.OUTPUT
        ),
    ] = False,
    as_js: Annotated[
        bool,
        typer.Option("--js", help="Print only a JavaScript module.", rich_help_panel=usage.OUTPUT),
    ] = False,
) -> None:
    """Print the numbers at which a pass rate is proven good or bad, before the first run.

    Any program can follow them: print them as JSON, CSV, SQL or JavaScript.
    """
    chosen = validate_choice("cap", "boundary", _CAPS, cap)
    formats = {"--json": as_json, "--csv": as_csv, "--sql": as_sql, "--js": as_js}
    given = [option for option, is_given in formats.items() if is_given]
    if len(given) > 1:
        raise invalid_argument(given[1], "boundary", f"be left out with {given[0]}", True)
    if given and given != ["--json"]:
        for option, value in (("--rates", rates), ("--runs", runs)):
            if value is not None:
                rule = f"be left out with {given[0]}"
                raise invalid_argument(option, "boundary", rule, str(value))
    if plot is not None:
        from goodarm.views.figures.pictures import check_picture

        check_picture(plot, "boundary")
    from goodarm.gate import boundary

    options: Any = {"cap": None if chosen == "none" else chosen, "max_runs": max_runs}
    found = boundary(
        threshold=threshold,
        delta=delta,
        arms=arms,
        margin=margin,
        in_a_row=in_a_row,
        allow_large_delta=allow_large_delta,
        **options,
    )
    supposed = [] if rates is None else _parse_rates(rates)
    last = found.max_runs or 10_000
    chances = found.chances(supposed, runs=last) if supposed else ()
    outcomes = None if runs is None else _read_runs(runs)
    verdict = None if outcomes is None else found.judge(outcomes)
    if as_json:
        document = found.to_dict()
        if chances or verdict is not None:
            document = {
                "boundary": document,
                "chances": [each._asdict() for each in chances],
                "verdict": None if verdict is None else verdict._asdict(),
            }
        print_json(document)
    elif as_csv:
        print_csv(found.to_csv())
    elif as_sql:
        print_csv(found.to_sql())
    elif as_js:
        print_csv(found.to_javascript())
    else:
        _print(found, chances, last, verdict)
    if plot is not None:
        from goodarm.views.figures.pictures import save_picture

        save_picture(found.plot(outcomes).figure, plot)
        say_picture(plot, is_data=bool(given))


def _parse_rates(text: str) -> list[float]:
    return [parse_share(part) for part in text.split(",")]


def _read_runs(path: Path) -> list[bool | None]:
    """Read a log of runs: a word in each line; empty lines are skipped."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        rule = f"be a file that can be read ({error.strerror})"
        raise invalid_argument("--runs", "boundary", rule, str(path)) from error
    except UnicodeDecodeError as error:
        raise invalid_argument("--runs", "boundary", "be a text file", str(path)) from error
    outcomes = []
    for number, line in enumerate(text.splitlines(), 1):
        word = re.sub(r"[\s,;]+$", "", line).strip().lower()
        if not word:
            continue
        if word not in _OUTCOMES:
            rule = f"have 1 or pass, 0 or fail, or lost in each line, also in line {number}"
            raise invalid_argument("--runs", "boundary", rule, line)
        outcomes.append(_OUTCOMES[word])
    return outcomes


def _print(found: "Boundary", chances: Any, last: int, verdict: "BoundaryVerdict | None") -> None:
    from goodarm.views.numbers import format_number, plural

    print_table(found.summary, found.header, found.rows())
    for line in found.notes:
        say(line)
    if chances:
        rows = [
            (
                format_number(each.rate),
                *(f"{100 * chance:.1f} %" for chance in (each.good, each.bad, each.undecided)),
                f"{each.runs:,.1f}",
            )
            for each in chances
        ]
        header = ("true rate", "good", "bad", "undecided", "mean runs")
        print_table(f"Within {plural(last, 'run')}, exactly:", header, rows)
    if verdict is not None:
        lost = f", {verdict.lost} lost" if verdict.lost else ""
        reason = f": {verdict.reason}" if verdict.reason else ""
        say(
            f"{verdict.label} after {plural(verdict.runs, 'run')}: {verdict.passes} passed, "
            f"{verdict.failures} failed{lost}{reason}."
        )
