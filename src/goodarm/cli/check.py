"""``goodarm check``: labels from a table of counts, with an exit code for use as a gate."""

from typing import TYPE_CHECKING

import typer

from goodarm.cli import check_inputs, look_options, question_options, row_options
from goodarm.cli.choices import (
    CASE_ORDERS,
    CONTROLS,
    DECIMAL_SIGNS,
    LOOKS,
    REPEATS,
    REWARDS,
    validate_choice,
)
from goodarm.cli.gate import DEFAULT_FAIL_ON, choose_exit, parse_fail_on
from goodarm.cli.options import (
    AllowLargeDelta,
    ArmsPlanned,
    AsJson,
    High,
    Low,
    Margin,
    Pool,
    RewardKind,
    Sigma,
)
from goodarm.cli.output import find_terminal_width, print_json, print_lines, say, say_picture

if TYPE_CHECKING:
    from goodarm.cli.gate import GateExit
    from goodarm.results import ArmTable


def check_counts(
    paths: check_inputs.Paths,
    threshold: question_options.Threshold = None,
    delta: question_options.Delta = 0.05,
    threshold_column: question_options.ThresholdColumn = None,
    control: question_options.Control = "fwer",
    rule: question_options.Rule = None,
    margin: Margin = 0.0,
    gap: question_options.Gap = None,
    rewards: RewardKind = "bernoulli",
    low: Low = None,
    high: High = None,
    sigma: Sigma = None,
    trust_sigma: question_options.TrustSigma = False,
    allow_large_delta: AllowLargeDelta = False,
    pool: Pool = None,
    pool_column: question_options.PoolColumn = None,
    case_order: question_options.CaseOrder = "same",
    arms_planned: ArmsPlanned = None,
    previous: look_options.Previous = None,
    save: look_options.Save = None,
    memory: look_options.Memory = None,
    looks: look_options.Looks = "any",
    raw: check_inputs.Raw = False,
    values: check_inputs.Values = False,
    wide: check_inputs.Wide = None,
    column: check_inputs.Column = None,
    sep: check_inputs.Sep = None,
    encoding: check_inputs.Encoding = None,
    decimal: check_inputs.Decimal = None,
    comment: check_inputs.Comment = None,
    sheet: check_inputs.Sheet = None,
    sum_rows: check_inputs.Sum = False,
    keep_total: check_inputs.KeepTotal = False,
    strict: check_inputs.Strict = False,
    cost: check_inputs.Cost = None,
    log: check_inputs.From = None,
    by: check_inputs.By = None,
    unit: check_inputs.Unit = None,
    errors: check_inputs.Errors = None,
    repeats: check_inputs.Repeats = None,
    copies: check_inputs.Copies = None,
    score: check_inputs.Score = None,
    pass_at: check_inputs.PassAt = None,
    filter: check_inputs.Filter = None,  # noqa: A002  the name of the option
    cached: check_inputs.Cached = None,
    fail_on: row_options.FailOn = DEFAULT_FAIL_ON,
    show_all: row_options.ShowAll = False,
    only: row_options.Only = None,
    sort: row_options.Sort = row_options.DEFAULT_SORT,
    plot: row_options.Plot = None,
    as_json: AsJson = False,
    as_csv: row_options.AsCsv = False,
) -> None:
    """Label the arms of a table, or of other tools' logs, as good or bad.

    An arm is one of your options: a page, a prompt, a model, a test. A pull is one trial of it. An
    arm is labelled good once its mean is proven to reach the threshold, bad once it is proven to be
    below, and undecided until then.

    Choose thresholds, --delta, --margin, --control, --rule, --gap and --sigma before you see the
    data: labels are not valid for a question that was chosen after looking.

    Exit code: 0 if all arms are good; 1 if one is bad; 3 if one is undecided and none is bad
    (--fail-on changes this); 2 for wrong use; 70 for an internal error.
    """
    failing = parse_fail_on(fail_on)
    labels = row_options.choose_labels("check", only, sort, as_json=as_json, as_csv=as_csv)
    limits = validate_choice("control", "check", CONTROLS, control)
    kind = validate_choice("rewards", "check", REWARDS, rewards)
    order = validate_choice("case_order", "check", CASE_ORDERS, case_order)
    sign = None if decimal is None else validate_choice("decimal", "check", DECIMAL_SIGNS, decimal)
    files = look_options.find_memory_files(previous, save, memory, looks)
    is_default = repeats is None or log is not None
    in_table = validate_choice(
        "repeats", "check", REPEATS, "refuse" if is_default else repeats or ""
    )
    if plot is not None:
        from goodarm.views.figures.pictures import check_picture

        check_picture(plot, "check")
    from goodarm.checking import check  # late: it loads compiled kernels, not needed for errors

    price, cost_column = check_inputs.parse_cost(cost)
    counts = check_inputs.find_table(
        paths,
        log,
        adds_up=sum_rows or raw,
        by=by,
        unit=None if log is None else unit,
        errors=errors,
        repeats=None if log is None else repeats,
        copies=copies,
        score=score,
        pass_at=pass_at,
        filter=filter,
        cached=cached,
    )
    table = check_inputs.name_tool_of_log(counts)(check)(
        counts,
        threshold=threshold,
        delta=delta,
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
        columns=check_inputs.parse_columns(
            column or [], threshold=threshold_column, pool=pool_column, cost=cost_column
        ),
        cost=price,
        arms_planned=arms_planned,
        sep=sep,
        encoding=encoding,
        decimal=sign,
        comment=comment,
        sheet=sheet,
        sum=sum_rows,
        keep_total=keep_total,
        strict=strict,
        unit=unit if log is None else None,
        repeats=in_table,
        wide=check_inputs.parse_wide(wide),
        trust_sigma=trust_sigma,
        previous=files.previous,
        looks=validate_choice("looks", "check", LOOKS, looks),
        allow_large_delta=allow_large_delta,
    )
    look_options.save_table(table, files)
    for note in (table.read_as, *getattr(counts, "notes", ())):
        if note:
            say(f"goodarm: {note}", err=True)
    if plot is not None:
        from goodarm.views.figures.arms import save_arms

        save_arms(table, plot)
    outcome = choose_exit(table.num_by_label, failing)
    if as_json:
        _print_json(table, outcome)
    elif as_csv:
        row_options.print_rows_as_csv(table, labels, sort)
    else:
        _print(table, labels, sort, show_all)
    if plot is not None:
        say_picture(plot, is_data=as_json or as_csv)
    raise typer.Exit(outcome.code)


def _print_json(table: "ArmTable", outcome: "GateExit") -> None:
    document = table.to_dict()
    arms = document.pop("arms")
    gate = {"exit_code": outcome.code, "exit_reason": outcome.reason}
    print_json({**document, "read_as": table.read_as, **gate, "arms": arms})


def _print(table: "ArmTable", only: list[str], sort: str, show_all: bool) -> None:
    from goodarm.cli.check_view import format_table

    width = find_terminal_width()
    most = row_options.choose_max_rows(width, show_all=show_all)
    lines, left_out = format_table(table, only, sort, width, most)
    say(table.summary)
    print_lines(lines)
    for note in (left_out, *table.remarks("--arms-planned")):
        if note:
            say(note)
