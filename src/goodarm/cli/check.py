"""``goodarm check``: a table of counts in, labels out; the exit code is a gate."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from goodarm.cli import asking, reading
from goodarm.cli.choices import (
    CASE_ORDERS,
    CONTROLS,
    REWARDS,
    SIGNS,
    chosen,
    listed,
    one_of,
    some_of,
)
from goodarm.cli.gate import DEFAULT, EXIT_CODES, NONE, outcome_of, parse_fail_on, parse_words
from goodarm.cli.options import FILE, AsJson, High, Low
from goodarm.cli.output import print_json, print_lines, say, say_picture, width_of
from goodarm.errors import SpecError

if TYPE_CHECKING:
    from goodarm.cli.gate import Outcome
    from goodarm.results import CheckTable

_LABELS: Final = ("good", "bad", "undecided")
_SORTS: Final = ("label", "arm", "pulls", "mean", "needed", "table")


def check_counts(
    paths: reading.Paths,
    delta: asking.Delta,
    threshold: asking.Threshold = None,
    threshold_column: asking.ThresholdColumn = None,
    control: asking.Control = "fwer",
    rule: asking.Rule = None,
    margin: asking.Margin = 0.0,
    gap: asking.Gap = None,
    rewards: asking.Rewards = "bernoulli",
    low: Low = None,
    high: High = None,
    sigma: asking.Sigma = None,
    pool: asking.Pool = None,
    pool_column: asking.PoolColumn = None,
    case_order: asking.CaseOrder = "same",
    arms_planned: asking.ArmsPlanned = None,
    raw: reading.Raw = False,
    values: reading.Values = False,
    column: reading.Column = None,
    sep: reading.Sep = None,
    encoding: reading.Encoding = None,
    decimal: reading.Decimal = None,
    comment: reading.Comment = None,
    sheet: reading.Sheet = None,
    sum_rows: reading.Sum = False,
    keep_total: reading.KeepTotal = False,
    strict: reading.Strict = False,
    log: reading.From = None,
    by: reading.By = None,
    errors: reading.Errors = None,
    repeats: reading.Repeats = None,
    copies: reading.Copies = None,
    score: reading.Score = None,
    pass_at: reading.PassAt = None,
    filter: reading.Filter = None,  # noqa: A002  the name of the option
    cached: reading.Cached = None,
    fail_on: Annotated[
        str,
        typer.Option(
            metavar="LABELS",
            help="Labels that make the exit code non-zero, with commas: bad, undecided; or none.",
            autocompletion=some_of(EXIT_CODES, [NONE]),
        ),
    ] = DEFAULT,
    show_all: Annotated[
        bool, typer.Option("--all", help="Every row, not 12 of each label.")
    ] = False,
    only: Annotated[
        str | None,
        typer.Option(
            metavar="LABELS",
            help="Show rows with these labels only, with commas: good, bad, undecided.",
            autocompletion=some_of(_LABELS),
        ),
    ] = None,
    sort: Annotated[
        str,
        typer.Option(
            metavar=listed(_SORTS),
            help="Order of rows: label, arm, pulls or mean (largest first), needed (fewest first), "
            "table (as given).",
            autocompletion=one_of(_SORTS),
        ),
    ] = "label",
    plot: Annotated[
        Path | None, typer.Option(metavar=FILE, help="Picture to write: .png, .svg or .pdf.")
    ] = None,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV and nothing else.")] = False,
) -> None:
    """Label the arms of a table of counts, or of other tools' logs.

    Exits with 0 where all arms are good, 1 where some are bad, 3 where some are undecided and none
    is bad, unless --fail-on says otherwise; with 2 for wrong use, 70 for an error of goodarm.

    Labels stay those of the rule, gap, margin, control, sigma and thresholds fixed beforehand: to
    choose them after looking breaks the guarantee.

    A terminal shows 12 arms of each label and the columns that fit; a file or pipe gets all.
    --json is always the whole table, in its order.
    """
    failing = parse_fail_on(fail_on)
    labels = [] if only is None else parse_words("--only", only, _LABELS)
    chosen("--sort", "check", _SORTS, sort)
    limits = chosen("control", "check", CONTROLS, control)
    kind = chosen("rewards", "check", REWARDS, rewards)
    order = chosen("case_order", "check", CASE_ORDERS, case_order)
    sign = None if decimal is None else chosen("decimal", "check", SIGNS, decimal)
    if as_json and as_csv:
        raise SpecError("The '--csv' prints CSV alone; leave --json out.")
    if as_json and (labels or sort != _SORTS[0]):
        option = "--only" if labels else "--sort"
        raise SpecError(
            f"The '--json' prints the whole table in its order; leave {option} out, or take --csv."
        )
    if plot is not None:
        from goodarm.report.pictures import check_picture

        check_picture(plot, "check")
    from goodarm.checking import check  # it loads compiled kernels: not for a mistake in options

    counts = reading.find_table(
        paths,
        log,
        by=by,
        errors=errors,
        repeats=repeats,
        copies=copies,
        score=score,
        pass_at=pass_at,
        filter=filter,
        cached=cached,
    )
    table = check(
        counts,
        threshold,
        delta,
        control=limits,
        rule=rule,
        margin=margin,
        gap=gap,
        rewards=kind,
        low=low,
        high=high,
        sigma=sigma,
        pool=pool,
        case_order=order,
        raw=raw,
        values=values,
        columns=reading.parse_columns(column or [], threshold=threshold_column, pool=pool_column),
        arms_planned=arms_planned,
        sep=sep,
        encoding=encoding,
        decimal=sign,
        comment=comment,
        sheet=sheet,
        sum=sum_rows,
        keep_total=keep_total,
        strict=strict,
    )
    for note in (table.read_as, *getattr(counts, "notes", ())):
        if note:
            say(f"goodarm: {note}", err=True)
    if plot is not None:
        from goodarm.report.arms import save_arms

        save_arms(table, plot)
    outcome = outcome_of({label: len(getattr(table, label)) for label in _LABELS}, failing)
    if as_json:
        _print_json(table, outcome)
    elif as_csv:
        _print_csv(table, labels, "table" if sort == "label" else sort)
    else:
        _print(table, labels, sort, show_all)
    if plot is not None:
        say_picture(plot, is_data=as_json or as_csv)
    raise typer.Exit(outcome.code)


def _print_json(table: "CheckTable", outcome: "Outcome") -> None:
    document = table.to_dict()
    arms = document.pop("arms")
    gate = {"exit_code": outcome.code, "exit_reason": outcome.reason}
    print_json({**document, "read_as": table.read_as, **gate, "arms": arms})


def _print_csv(table: "CheckTable", only: list[str], sort: str) -> None:
    from goodarm.cli.check_csv import print_csv, to_csv
    from goodarm.cli.check_view import choose

    print_csv(to_csv(table, choose(table, only, sort, most=None).positions))


def _print(table: "CheckTable", only: list[str], sort: str, show_all: bool) -> None:
    from goodarm.cli.check_view import MOST, choose, lines_of

    width = width_of()
    is_whole = show_all or width is None
    shown = choose(table, only, sort, most=None if is_whole else MOST)
    say(table.summary)
    lines, left_out = lines_of(table, shown, sort, width)
    print_lines(lines)
    for note in (left_out, *table.remarks("--arms-planned")):
        if note:
            say(note)
