"""Function ``check``: from a table of counts to an ArmTable."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, Literal, Unpack, get_args

import numpy as np

from goodarm.algorithm import (
    BINS,
    IDENTIFICATION_RULES,
    MAX_DISTINCT_VALUES,
    TABLE_RULES,
    IdentificationRule,
    ResultColumns,
    find_identification_rule,
    get_default_test,
    make_rule_title,
)
from goodarm.arguments import Percentage, check_count, check_flag, parse_number
from goodarm.checking.data_notes import SUMS_ONLY, describe_direction
from goodarm.checking.memory import Memory, read_previous
from goodarm.checking.money import check_money, find_money
from goodarm.checking.one_look import Looks, at_one_look, check_looks
from goodarm.checking.requests import make_request
from goodarm.errors import invalid_argument, invalid_choice
from goodarm.judging import (
    Control,
    RewardStatistics,
    RuleBets,
    Totals,
    check_rule,
    judge,
    make_rules_at,
)
from goodarm.problem import (
    MAX_ARMS,
    Arm,
    CaseOrder,
    Problem,
    RangeOptions,
    Rewards,
    add_problem_keywords,
)
from goodarm.results import ArmTable
from goodarm.tables import (
    ArmCounts,
    LogFactors,
    Reading,
    ReadOptions,
    Repeats,
    RewardRequest,
    Sign,
    TableCounts,
    ValueRequest,
    read_counts,
)
from goodarm.views.numbers import plural
from goodarm.wording import NOT_GIVEN, phrase

CONTROLS: Final[tuple[Control, ...]] = get_args(Control)
_OWNER: Final = "check"


class CountOptions(RangeOptions, total=False):
    """Keywords of ``Problem`` that apply to counts."""

    rewards: Rewards
    sigma: float | None
    case_order: CaseOrder
    gap: float | None


@add_problem_keywords(CountOptions)
def check(
    counts: object,
    *,
    threshold: float | Mapping[Arm, float] | None = None,
    delta: float | None = None,
    problem: Problem | None = None,
    control: Control = "fwer",
    rule: str | IdentificationRule | None = None,
    raw: bool = False,
    values: bool = False,
    columns: Mapping[str, str] | None = None,
    arms_planned: int | None = None,
    pool: int | Mapping[Arm, int] | None = None,
    sep: str | None = None,
    encoding: str | None = None,
    decimal: Sign | None = None,
    comment: str | None = None,
    sheet: str | None = None,
    sum: bool = False,  # noqa: A002  the name of the option
    keep_total: bool = False,
    strict: bool = False,
    unit: str | None = None,
    repeats: Repeats = "refuse",
    wide: bool | Literal["all"] | Sequence[str] | None = None,
    trust_sigma: bool = False,
    previous: object = None,
    looks: Looks = "any",
    cost: float | Mapping[Arm, float] | None = None,
    **options: Unpack[CountOptions],
) -> ArmTable:
    """Label the arms of a table of counts, with intervals, e-values and pulls needed.

    Args:
        counts: a table with the columns arm, pulls and successes: a path to CSV, JSON lines, Excel
            or Parquet, an open text file, a frame or lazy table (pandas, polars, Arrow, DuckDB,
            Dask, Spark), a dict of columns, a list of dicts or tuples, or a numpy array with
            fields. Common column names, such
            as variant, visits and conversions, are recognized.
            Also a dict from each arm to (pulls, successes), or an array with these two columns and
            a row for each of the arms 0, 1, ... A dict that has all column names as keys is a dict
            of columns; any other is a dict of arms. The table of a live experiment has a column
            ``lost`` of pulls without a reward, which count as the worst case in both tests; in any
            other table say so, ``columns={"lost": NAME}``.
        threshold: the mean that an arm must reach to be good. A dict gives each arm its own, and so
            does a column, ``columns={"threshold": NAME}``. Fix it before you see the data.
        delta: the error rate allowed, 0.05 unless given; ``control`` says which error it limits.
        control: ``"fwer"``: the chance that any label is wrong is at most delta. ``"fdr"``: on
            average at most a share delta of the arms listed as good is wrong, and the same for
            those listed as bad (e-BH). ``"per-arm"``: the chance that a label is wrong is at most
            delta for each arm by itself; there is no guarantee over all arms together.
        rule: the identification rule, such as ``"mixture"`` or ``"hoeffding"`` (any name of
            ``goodarm.algorithm.TABLE_RULES``), or a rule of your own on counts. By default, the
            one that suits: the mixture for 0/1 rewards and for sums of bounded ones, bets if the
            table has single bounded rewards or their counts, the half-normal mixture for Gaussian
            ones.
        margin: slack around the threshold: good then means a mean of at least threshold - margin,
            bad a mean below threshold + margin.
        rewards: ``"bernoulli"`` (0 or 1), ``"bounded"`` or ``"gaussian"``. For the last two, the
            table has a column sum instead of successes.
        low, high: the range of bounded rewards, 0 and 1 unless given.
        sigma: the standard deviation of Gaussian rewards, known and not estimated from them.
        gap: a hint of how far from the threshold you expect the means to be.
        pool: the number of cases, if each arm is judged on a fixed set of cases, each drawn at most
            once, and the question is about the share over all of them. A dict gives each arm its
            own, and so does a column, ``columns={"pool": NAME}``.
        case_order: ``"same"``: all arms went through the cases in one order; ``"own"``: each arm
            has its own order. It matters under ``"fdr"`` only.
        problem: a Problem in place of threshold, delta, margin, rewards, low, high, sigma, gap,
            pool and case_order. All its arms are judged, in its order; those without a row have no
            pulls. A row of any other arm is an error. Its ``until``, ``max_pulls`` and ``max_cost``
            do not apply to counts.
        raw: the table has a row for each reward: columns arm and reward; dicts hold lists.
        values: the table has a row for each value, with its number of occurrences: columns arm,
            value and count; dicts hold a dict from each value to its count.
        columns: the table's own column names, such as ``{"arm": "variant", "pulls": "views"}``.
        arms_planned: the number of arms planned, if the table, or the problem, has fewer; the
            problem's own by default.
        sep: the separator of a text table; detected among , ; tab and | unless given.
        encoding: the encoding of a text table; by default UTF-8, or UTF-16 with a byte order mark.
        decimal: ``"."`` or ``","``; detected if only one of them makes sense for the table.
        comment: the prefix of comment lines in a text table; ``#`` by default, ``""`` for none.
        sheet: the name of a workbook's sheet, if several are filled.
        sum: add up several rows of an arm.
        keep_total: accept a row that is the sum of all others as an arm.
        strict: refuse anything but these columns, commas, UTF-8 and plain numbers.
        unit: the column of a raw table that names what was sampled: a case, a question, a person.
            The rewards of a unit under one arm are averaged to one bounded reward, so that each
            unit weighs one, and a pull is a unit. Logs have theirs from ``read_logs(unit=...)``.
        repeats: how to treat several rows of one case under one arm of a raw table, where a column
            such as case, question or user_id shows them: ``"refuse"``, because they are not
            independent; or ``"attempts"``, if a case was drawn at random for each
            row. With ``unit``, units must have equal numbers of rows, unless ``"fixed"`` declares
            that the numbers were fixed before the first result.
        wide: the table has a column for each arm, a row for each unit, and a reward in each cell:
            ``"all"`` for all columns but those that name the unit, or a list of columns. Empty
            cells are left out: there was no test.
        trust_sigma: skip the test of ``sigma``. If the table has single Gaussian rewards, raw or as
            values, a sigma far below their spread is refused. The chance that a sigma that is large
            enough is refused is at most one in a million, however often you look.
        allow_large_delta: take a delta above 0.5 for what it is, and not for a confidence.

        previous: the previous look at this table: what ``check`` returned then, its document, or
            the file that ``save`` wrote. Labels of earlier looks stay, the number of arms that
            share delta is that of the first look, and arms that are no longer in the table keep
            their row. A changed question, and counts that fell, are refused. Under ``"fdr"`` the
            guarantee then covers the lists of all looks together.

        looks: ``"any"``: labels hold however often you look. ``"once"``: for a table whose numbers
            of pulls were fixed before the first result, and that is judged this one time: the exact
            binomial tail at delta / K, with p-values in place of e-values. It labels more arms, and
            not one more look is allowed. Not for rewards in a range.

        cost: the money that a pull costs; a dict gives each arm its own. Or name a column:
            ``columns={"cost": NAME}`` has the money of one pull in each row, and in a table of
            counts ``columns={"spent": NAME}`` that of all of an arm's pulls. It changes no label.

    If the table is not in the documented form, ``read_as`` of the result says how it was read.

    Guarantee: what ``control`` says, however often you look (unless ``looks`` is ``"once"``), for
    rewards whose mean, given all that came before, stays the same, and that are counted in an order
    that does not depend on their values. It holds for a rule, gap, margin, control, sigma and
    thresholds that you fixed beforehand: choosing them after looking breaks it.

    Returns:
        A row for each arm: label, pulls, mean, interval, e-values and pulls needed.

    Raises:
        SpecError: the table cannot be read without guessing, or an argument is invalid.

    >>> print(check({"a": (500, 460), "b": (500, 300)}, threshold=0.8).good)
    ['a']
    """
    if not isinstance(control, str) or control not in CONTROLS:
        raise invalid_choice("control", _OWNER, CONTROLS, control)
    rewards = options.get("rewards", "bernoulli")
    if isinstance(problem, Problem):
        rewards = problem.rewards
    arm_columns = "all" if wide is True else wide or None
    averages = _find_averages(counts, rewards, raw=raw, values=values, unit=unit)
    raw = check_flag("raw", _OWNER, raw) or arm_columns is not None or averages is not None
    form = ReadOptions(
        is_raw=raw,
        is_bernoulli=rewards == "bernoulli",
        is_values=values,
        columns={} if columns is None else columns,
        sep=sep,
        encoding=encoding,
        decimal=decimal,
        comment=comment,
        sheet=sheet,
        sum=sum,
        keep_total=keep_total,
        strict=strict,
        unit=unit,
        repeats=repeats,
        wide=arm_columns,
    )
    check_looks(looks, rule, previous, options)
    before = None if previous is None else read_previous(previous)
    check_money(form, problem, cost)
    request = make_request(problem, form, threshold, delta, pool, options)
    unit = unit if averages is None else averages.unit
    asked = request.problem if unit is None else _average_rewards(request.problem)
    # The rewards of a table are read as they are, and averaged then; those of logs are averages.
    request = request if averages is None else request._replace(problem=asked)
    if check_flag("trust_sigma", _OWNER, trust_sigma) and asked.rewards != "gaussian":
        rule = f"be left out for {asked.rewards} rewards"
        raise invalid_argument("trust_sigma", _OWNER, rule, trust_sigma)
    is_percent = _has_percentage(threshold, options.get("margin"))
    reading = Reading(form)
    arms_planned = _find_given_plan(arms_planned, problem)
    if rule is None:
        deciding = get_default_test(asked.rewards, has_sums_only=form.is_counts)
    else:
        deciding = find_identification_rule(rule, _OWNER, argument="rule", offered=TABLE_RULES)
    by = deciding.for_problem(asked)
    check_rule(asked, by, control, has_values=raw or (values and asked.pool is None))
    betting = None
    if not by.reads_counts_only:
        betting = deciding
    elif asked.rewards == "bounded" and asked.pool is None and not form.is_counts:
        # Not for the labels, but for advice on what bets would have needed.
        betting = get_default_test(asked.rewards)
    tests_sigma = asked.rewards == "gaussian" and not trust_sigma
    request = request._replace(
        rewards=_make_reward_request(asked, betting, tests_sigma=tests_sigma)
    )
    read = read_counts(counts, request, reading)
    counted = _find_totals(read, asked)
    _refuse_unfinished(control, unit, reading.num_unfinished)
    memory = None if before is None else Memory(before, counted.arms)
    if problem is not None:
        counted = counted.of(problem)
    planned = _find_planned_arms(arms_planned, len(counted.arms), problem)
    if memory is not None and arms_planned is None:
        planned = memory.planned(planned, control)
    listed = None if memory is None or control != "fdr" else memory.listed(counted.arms)
    verdicts = judge(asked, deciding, counted, control, planned, listed)
    if _is_own(deciding):
        _check_intervals(by, counted, verdicts.judged)
    settings = _find_rule_settings(deciding, asked, counted)
    table = ArmTable(
        **find_money(counted, asked, cost),
        arms=counted.arms,
        pulls=counted.pulls.astype(np.int64),
        labels=verdicts.labels,
        **verdicts.judged._asdict(),
        delta=asked.delta,
        control=control,
        rule=by.name,
        rule_parameters=settings,
        rule_title=make_rule_title({"rule": by.name, **settings}),
        margin=asked.margin,
        rewards=asked.rewards,
        low=asked.low,
        high=asked.high,
        sigma=asked.sigma,
        gap=asked.gap,
        case_order=None if counted.pools is None else asked.case_order,
        unit=unit,
        arms_planned=planned,
        delta_listed=verdicts.delta_listed,
        is_planned=arms_planned is not None or problem is not None,
        read_as=reading.sentence,
        advice=" ".join(filter(None, [verdicts.advice, _describe_own_rule(deciding)])),
        rewards_note=_describe_data(
            read,
            asked,
            reading,
            tests_sigma=tests_sigma,
            is_percent=is_percent,
            is_averaged=unit is not None,
        ),
        is_percent=is_percent,
        lost=None if counted.lost is None else counted.lost.astype(np.int64),
        **_find_arm_numbers(counted),
    )
    if looks == "once":
        return at_one_look(table, asked, counted, control)
    return table if memory is None else memory.remember(table)


def _average_rewards(problem: Problem) -> Problem:
    """Return the problem of the units' averages, which are bounded rewards with the same mean.

    `goodarm.tables.units` says why that is valid.
    """
    if problem.rewards == "gaussian":
        raise invalid_argument(
            "unit",
            _OWNER,
            "be left out for gaussian rewards",
            NOT_GIVEN,
            "The sigma of a unit's average is not that of a reward. Average the rewards of each "
            "unit yourself, and give the sigma of the averages.",
        )
    return replace(problem, rewards="bounded") if problem.rewards == "bernoulli" else problem


def _find_averages(
    counts: object, rewards: str, *, raw: bool, values: bool, unit: object
) -> ArmCounts | None:
    """Return the counts if they are averages of logs; refuse options that do not go with them."""
    if not isinstance(counts, ArmCounts) or not counts.unit:
        return None
    if unit is not None or raw or values or rewards != "bernoulli":
        raise invalid_argument(
            "counts",
            _OWNER,
            f"be read without further options: they are averages by {counts.unit}",
            counts.format,
            phrase("Leave out {unit}, {raw}, {values} and {rewards}."),
        )
    return counts


def _refuse_unfinished(control: Control, unit: str | None, count: int) -> None:
    """Raise an error for lists under e-BH at a look into an unfinished unit."""
    if control != "fdr" or not count:
        return
    raise invalid_argument(
        "control",
        _OWNER,
        f"be 'fwer' or 'per-arm' while a {unit} is unfinished: a list holds at complete ones only",
        control,
        f"Finish {plural(count, str(unit))}, or leave out {'its' if count == 1 else 'their'} "
        "rewards.",
    )


def _make_reward_request(
    problem: Problem, betting: IdentificationRule | None, *, tests_sigma: bool
) -> RewardRequest | None:
    """Return the request for single rewards: bets on each, their spread, or None."""
    if betting is None:
        if problem.rewards == "bernoulli":
            return None
        statistics = partial(RewardStatistics, problem, None, tests_sigma=tests_sigma)
        return RewardRequest(statistics, has_moments=tests_sigma)
    bets = RuleBets(problem, betting)
    values = ValueRequest(
        MAX_DISTINCT_VALUES, BINS, lambda threshold: LogFactors(*bets.at(threshold))
    )
    return RewardRequest(
        partial(RewardStatistics, problem, bets, tests_sigma=tests_sigma),
        values,
        has_moments=tests_sigma,
        has_order=problem.pool is not None,
    )


def _find_totals(counted: TableCounts, problem: Problem) -> Totals:
    """Return the totals to judge; raise an error if rewards show that sigma is too small."""
    arms, pulls, sums, thresholds, pools, rewards, lost, spent = counted
    found = Totals(arms, pulls, sums, thresholds, pools, lost=lost, spent=spent)
    if not isinstance(rewards, RewardStatistics):
        return found
    if problem.sigma is not None:
        rewards.check_sigma(problem.sigma, arms)
    values, wealth = rewards.counts(thresholds, pools)
    return found._replace(values=values, wealth=wealth)


def _is_own(rule: IdentificationRule) -> bool:
    return type(rule) not in IDENTIFICATION_RULES.values()


def _describe_own_rule(rule: IdentificationRule) -> str:
    """Return the remark that nobody has checked a user's rule; empty for goodarm's own."""
    if not _is_own(rule):
        return ""
    return (
        f"The rule {rule.name!r} is your own: this holds if it is valid, which goodarm has not "
        "checked. goodarm.testing.check_identification_rule tries it."
    )


def _check_intervals(rule: IdentificationRule, counted: Totals, judged: ResultColumns) -> None:
    """Raise an error if a user's rule gives an interval that does not have the mean in it."""
    slack = 1e-9 * np.maximum(1.0, np.abs(judged.mean))
    is_wrong = (judged.lower > judged.mean + slack) | (judged.upper < judged.mean - slack)
    for place in np.flatnonzero(is_wrong)[:1].tolist():
        bounds = f"{judged.lower[place]:.4g} to {judged.upper[place]:.4g}"
        what = f"include its mean, {judged.mean[place]:.4g}, in its interval"
        raise invalid_argument(
            "rule",
            _OWNER,
            f"{what}, for arm {counted.arms[place]!r}",
            rule.name,
            f"It gave {bounds}, so that it proves too much, or is not monotone.",
        )


def _describe_rewards(counted: TableCounts) -> str:
    """Return the remark that another kind fits the single rewards; empty if there is none."""
    arms, rewards = counted.arms, counted.rewards
    return rewards.describe_kind(arms) if isinstance(rewards, RewardStatistics) else ""


def _has_percentage(threshold: object, margin: object) -> bool:
    """Return whether a threshold or the margin was written in percent."""
    bars = list(threshold.values()) if isinstance(threshold, Mapping) else [threshold]
    return any(isinstance(parse_number(value), Percentage) for value in (*bars, margin))


def _describe_data(
    read: TableCounts,
    problem: Problem,
    reading: Reading,
    *,
    tests_sigma: bool,
    is_percent: bool,
    is_averaged: bool,
) -> str:
    """Return the remarks on the rewards: which way is good, what was not tested, which kind."""
    remarks = (
        describe_direction(reading.columns, problem, read.thresholds, is_percent=is_percent),
        SUMS_ONLY if tests_sigma and reading.form.is_counts else "",
        "" if is_averaged else _describe_rewards(read),  # the kind is that of averages
    )
    return " ".join(filter(None, remarks))


def _find_given_plan(given: object, problem: Problem | None) -> int | None:
    planned_of_problem = None if problem is None else problem.arms_planned
    if given is None:
        return planned_of_problem
    planned = check_count("arms_planned", _OWNER, given, most=MAX_ARMS)
    if planned_of_problem is not None and planned != planned_of_problem:
        raise invalid_argument(
            "arms_planned",
            _OWNER,
            f"be left out if the problem has its own, {planned_of_problem}",
            given,
        )
    return planned


def _find_planned_arms(given: int | None, count: int, problem: Problem | None) -> int:
    if given is not None and given < count:
        place = "table" if problem is None else "problem"
        raise invalid_argument(
            "arms_planned", _OWNER, f"be at least the number of arms in the {place}, {count}", given
        )
    return count if given is None else given


def _find_rule_settings(
    rule: IdentificationRule, problem: Problem, counted: Totals
) -> dict[str, Any]:
    """Return the rule's settings on this problem, without those that depend on the threshold."""
    forms = make_rules_at(problem, rule, np.unique(counted.thresholds))
    first, *others = [form.to_dict() for form in {id(form): form for form in forms}.values()]
    return {
        name: value
        for name, value in first.items()
        if name != "rule" and all(other.get(name) == value for other in others)
    }


def _find_arm_numbers(counted: Totals) -> dict[str, Any]:
    """Return the common threshold and pool of all arms, or each arm's if they differ."""
    bars, pools = counted.thresholds, counted.pools
    is_one = (bars == bars[0]).all()
    found: dict[str, Any] = {
        "threshold": float(bars[0]) if is_one else None,
        "thresholds": None if is_one else bars,
    }
    if pools is not None:
        is_one = (pools == pools[0]).all()
        found["pool"] = int(pools[0]) if is_one else None
        found["pools"] = None if is_one else pools.astype(np.int64)
    return found
