"""``check``: a table of counts in, a table of ArmReports out."""

from collections.abc import Mapping
from typing import Final, Literal, Unpack, get_args

import numpy as np

from goodarm.algorithm import IdentificationRule
from goodarm.algorithm.named import identification_rule
from goodarm.arguments import check_count
from goodarm.checking.form import Form, Reading, Sign
from goodarm.checking.judge import Control, check_rule, judge
from goodarm.checking.sources import chunks_of
from goodarm.checking.totals import Totals, add_up
from goodarm.errors import must, must_be_one_of
from goodarm.problem import MOST_ARMS, Problem, RangeOptions, asked_problem, spelled_out
from goodarm.results import CheckTable

CONTROLS: Final[tuple[Control, ...]] = get_args(Control)
Countable = Literal["bernoulli", "bounded"]
_REWARDS: Final[tuple[Countable, ...]] = get_args(Countable)
_OWNER: Final = "check"


class CountOptions(RangeOptions, total=False):
    """The keywords of ``Problem`` that counts have a use for."""

    rewards: Countable


@spelled_out(CountOptions)
def check(
    counts: object,
    threshold: float | None = None,
    delta: float | None = None,
    *,
    problem: Problem | None = None,
    control: Control = "fwer",
    rule: str | IdentificationRule = "mixture",
    raw: bool = False,
    columns: Mapping[str, str] | None = None,
    arms_planned: int | None = None,
    sep: str | None = None,
    encoding: str | None = None,
    decimal: Sign | None = None,
    comment: str | None = None,
    sheet: str | None = None,
    sum: bool = False,  # noqa: A002  the name of the option
    keep_total: bool = False,
    strict: bool = False,
    **options: Unpack[CountOptions],
) -> CheckTable:
    """Label the arms of a table of counts, with intervals, e-values and pulls needed.

    Args:
        counts: a table with the columns arm, pulls and successes: a path to CSV, JSON lines, Excel
            or Parquet, an open text file, a frame or lazy table (pandas, polars, Arrow, DuckDB,
            Dask, Spark), a dict of columns, or a numpy array with fields. Usual names of columns,
            such as variant, visits and conversions, are understood.
            Also a dict from each arm to (pulls, successes), or an array with these two columns and
            a row for each of the arms 0, 1, ... A dict that has all column names as keys is one of
            columns; any other is one of arms.
        threshold: the bar; an arm is good when its mean reaches it.
        delta: the error rate allowed; what it limits is the choice of ``control``.
        control: ``"fwer"``: any wrong label at all has probability at most delta. ``"fdr"``: of the
            arms listed good a part of at most delta is expected to be wrong, and so of those listed
            bad (e-BH). ``"per-arm"``: each arm by itself, with no promise over many.
        rule: the identification rule: ``"mixture"``, ``"betting"`` (for 0/1 rewards),
            ``"hoeffding"``, ``"lil"``, or a rule of your own on counts. Choose it before you look.
        margin: slack around the bar: good then promises a mean of at least threshold - margin, bad
            one below threshold + margin.
        rewards: ``"bernoulli"`` (0 or 1), or ``"bounded"``: then a column sum instead of successes.
        low, high: the range of bounded rewards, 0 and 1 unless given.
        problem: a Problem in place of threshold, delta, margin, rewards, low and high. All its arms
            are judged, in its order, those without a row as arms without pulls; a row of any other
            arm is refused. Its ``until`` and ``max_pulls`` mean nothing to counts.
        raw: the table has a row for each reward: columns arm and reward; dicts hold lists.
        columns: the table's own names of columns, such as ``{"arm": "variant", "pulls": "views"}``.
        arms_planned: how many arms were to be judged, if the table, or the problem, has fewer.
        sep: what stands between columns of a text; found among , ; tab and | unless given.
        encoding: of a text; UTF-8, or UTF-16 with its mark, unless given.
        decimal: ``"."`` or ``","``; found where the table allows one reading only.
        comment: what remarks in a text begin with; ``#`` unless given, ``""`` for none.
        sheet: the name of a workbook's sheet, if several are filled.
        sum: add up several rows of an arm.
        keep_total: take a row that is the sum of all others for an arm.
        strict: refuse anything but these columns, commas, UTF-8 and plain numbers.

    How the table was read, where it is not in the documented form, is ``read_as`` of the result.

    Guarantee: what ``control`` says, however often one looks, for rewards in a known range whose
    mean, given all that came before, stays the same, and that are counted in an order that does
    not depend on their values.

    >>> print(check({"a": (500, 460), "b": (500, 300)}, threshold=0.8, delta=0.05).good)
    ['a']
    """
    if not isinstance(control, str) or control not in CONTROLS:
        raise must_be_one_of("control", _OWNER, CONTROLS, control)
    rewards = (
        problem.rewards if isinstance(problem, Problem) else options.get("rewards", "bernoulli")
    )
    if not isinstance(rewards, str) or rewards not in _REWARDS:
        raise must_be_one_of("rewards", _OWNER, _REWARDS, rewards)
    asked = asked_problem(_OWNER, 1, problem, threshold, delta, options)
    form = Form(
        is_raw=raw,
        is_bernoulli=rewards == "bernoulli",
        columns={} if columns is None else columns,
        sep=sep,
        encoding=encoding,
        decimal=decimal,
        comment=comment,
        sheet=sheet,
        sum=sum,
        keep_total=keep_total,
        strict=strict,
    )
    reading = Reading(form)
    if arms_planned is not None:
        arms_planned = check_count("arms_planned", _OWNER, arms_planned, most=MOST_ARMS)
    by = identification_rule(rule, _OWNER, argument="rule").on(asked)
    check_rule(asked, by, control)
    counted = add_up(chunks_of(counts, asked, reading), asked, reading)
    arms, pulls, sums = counted if problem is None else _in_order(problem, counted)
    planned = len(arms) if arms_planned is None else arms_planned
    if planned < len(arms):
        place = "table" if problem is None else "problem"
        rule = f"be at least the number of arms in the {place}, {len(arms)}"
        raise must("arms_planned", _OWNER, rule, planned)
    labels, judged = judge(asked, by, pulls, sums, control, planned)
    return CheckTable(
        arms=arms,
        pulls=pulls.astype(np.int64),
        labels=labels,
        **judged._asdict(),
        threshold=asked.threshold,
        delta=asked.delta,
        control=control,
        rule=by.name,
        margin=asked.margin,
        rewards=rewards,
        low=asked.low,
        high=asked.high,
        arms_planned=planned,
        read_as=reading.sentence,
    )


def _in_order(problem: Problem, counted: Totals) -> Totals:
    """The counts of the problem's arms, 0 of those that the table lacks."""
    places = [problem.position(arm, "the table") for arm in counted.arms]
    pulls, sums = np.zeros(problem.num_arms), np.zeros(problem.num_arms)
    pulls[places], sums[places] = counted.pulls, counted.sums
    return Totals(problem.arms, pulls, sums)
