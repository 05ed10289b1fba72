"""``goodarm check``: labels from a table of counts, with an exit code for use as a gate."""

from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.cli import asking, reading, rows
from goodarm.cli.choices import CASE_ORDERS, CONTROLS, REPEATS, REWARDS, SIGNS, chosen, some_of
from goodarm.cli.gate import DEFAULT, EXIT_CODES, NONE, outcome_of, parse_fail_on
from goodarm.cli.options import AllowLargeDelta, AsJson, High, Low, check_delta
from goodarm.cli.output import print_json, print_lines, say, say_picture, width_of

if TYPE_CHECKING:
    from goodarm.cli.gate import Outcome
    from goodarm.results import ArmTable


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
    trust_sigma: asking.TrustSigma = False,
    allow_large_delta: AllowLargeDelta = False,
    pool: asking.Pool = None,
    pool_column: asking.PoolColumn = None,
    case_order: asking.CaseOrder = "same",
    arms_planned: asking.ArmsPlanned = None,
    raw: reading.Raw = False,
    values: reading.Values = False,
    wide: reading.Wide = None,
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
    show_all: rows.ShowAll = False,
    only: rows.Only = None,
    sort: rows.Sort = rows.SORT,
    plot: rows.Plot = None,
    as_json: AsJson = False,
    as_csv: rows.AsCsv = False,
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
    check_delta(delta, is_allowed=allow_large_delta)
    labels = rows.chosen_labels("check", only, sort, as_json=as_json, as_csv=as_csv)
    limits = chosen("control", "check", CONTROLS, control)
    kind = chosen("rewards", "check", REWARDS, rewards)
    order = chosen("case_order", "check", CASE_ORDERS, case_order)
    sign = None if decimal is None else chosen("decimal", "check", SIGNS, decimal)
    is_default = repeats is None or log is not None
    in_table = chosen("repeats", "check", REPEATS, "refuse" if is_default else repeats or "")
    if plot is not None:
        from goodarm.views.figures.pictures import check_picture

        check_picture(plot, "check")
    from goodarm.checking import check  # late: it loads compiled kernels, not needed for errors

    counts = reading.find_table(
        paths,
        log,
        by=by,
        errors=errors,
        repeats=None if log is None else repeats,
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
        repeats=in_table,
        wide=reading.parse_wide(wide),
        trust_sigma=trust_sigma,
    )
    for note in (table.read_as, *getattr(counts, "notes", ())):
        if note:
            say(f"goodarm: {note}", err=True)
    if plot is not None:
        from goodarm.views.figures.arms import save_arms

        save_arms(table, plot)
    outcome = outcome_of(table.num_by_label, failing)
    if as_json:
        _print_json(table, outcome)
    elif as_csv:
        rows.print_rows_as_csv(table, labels, sort)
    else:
        _print(table, labels, sort, show_all)
    if plot is not None:
        say_picture(plot, is_data=as_json or as_csv)
    raise typer.Exit(outcome.code)


def _print_json(table: "ArmTable", outcome: "Outcome") -> None:
    document = table.to_dict()
    arms = document.pop("arms")
    gate = {"exit_code": outcome.code, "exit_reason": outcome.reason}
    print_json({**document, "read_as": table.read_as, **gate, "arms": arms})


def _print(table: "ArmTable", only: list[str], sort: str, show_all: bool) -> None:
    from goodarm.cli.check_view import lines_of

    width = width_of()
    most = rows.most_rows(width, show_all=show_all)
    lines, left_out = lines_of(table, only, sort, width, most)
    say(table.summary)
    print_lines(lines)
    for note in (left_out, *table.remarks("--arms-planned")):
        if note:
            say(note)
