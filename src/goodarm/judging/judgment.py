"""Labels, intervals, e-values and pulls needed of all arms at once, from their totals.

An identification rule proves an arm good when its evidence for good reaches a level, and bad when
its evidence for bad does:

========  ==================================================================================
control   level
========  ==================================================================================
fwer      K / delta
per-arm   1 / delta
fdr       K / (k delta), k the number of arms that reach it: the largest k for which k arms do
========  ==================================================================================

The third is the e-BH procedure, applied to good and to bad separately, and needs e-values. K counts
all arms, whatever their thresholds. The bounds shown use the same levels, so a label and a shown
bound cannot contradict each other.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import (
    Bools,
    Floats,
    IdentificationRule,
    ProvenLabels,
    ResultColumns,
    Tally,
    make_labels,
    make_setup,
)
from goodarm.algorithm import compute_columns as judge_arms
from goodarm.errors import SpecError
from goodarm.judging.advice import suggest_rule
from goodarm.judging.totals import Totals
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem
from goodarm.wording import Arg, phrase

_MAX_SUMMED_TERMS: Final = 10_000
"""Terms up to which a sum is computed; beyond, its expansion is exact to the last digit."""

Control = Literal["fwer", "fdr", "per-arm"]


class ProvenArms(NamedTuple):
    """Arms proven good and proven bad, and the logs of the evidence required."""

    good: Bools
    bad: Bools
    level_good: float
    level_bad: float


def check_rule(
    problem: Problem, rule: IdentificationRule, control: Control, *, has_values: bool
) -> None:
    """Raise an error if the rule needs more than the table (``has_values``: single rewards) has."""
    if problem.pool is not None and problem.rewards != "bernoulli":
        _check_in_pool(rule, has_values=has_values)
    rule.check_problem(problem)
    if rule.depends_on_order and problem.pool is None:
        needs = f"The {rule.name} rule depends on the order of rewards, and a table has no order."
        raise _use_mixture(rule, needs, "not depend on the order of rewards")
    if not rule.reads_counts_only and not has_values:
        needs = f"The {rule.name} rule needs single rewards, and a table of counts has sums only."
        raise _use_mixture(rule, needs, "read counts only")
    if control == "fdr" and not rule.has_e_values:
        needs = f"The control 'fdr' needs e-values, and the {rule.name} rule has none."
        raise _use_mixture(rule, needs, "have e-values")


def _check_in_pool(rule: IdentificationRule, *, has_values: bool) -> None:
    """Raise an error unless the rule bets on single scores in the order of their cases."""
    if has_values and rule.depends_on_order:
        return
    raise SpecError(
        "Scores of a fixed set of cases can be judged only one by one, in the order of the cases.",
        argument="rule",
        owner="check",
        rule="judge scores one by one, in the order of the cases",
        value=rule.name,
        remedy=phrase(
            "{Pass} {raw}, with rows in that order, and leave out {rule}.", raw=Arg("raw", True)
        ),
    )


def _use_mixture(rule: IdentificationRule, what: str, must: str) -> SpecError:
    return SpecError(
        what,
        argument="rule",
        owner="check",
        rule=must,
        value=rule.name,
        remedy=phrase("Use {rule}.", rule=Arg("rule", "mixture")),
    )


class Listed(NamedTuple):
    """E-values of arms listed at earlier looks, which e-BH takes in place of today's (fdr only).

    ``good`` and ``bad`` are logs, one for each arm of the table, nan where today's count; the other
    two are those of listed arms that are not in the table.
    """

    good: Floats
    bad: Floats
    absent_good: Floats
    absent_bad: Floats


class ArmGroup(NamedTuple):
    """Arms that are judged together: their indices, settings and totals.

    The bars of ``setup`` are arrays if the arms' thresholds differ.
    """

    arms: NDArray[np.intp]
    problem: Problem
    rule: IdentificationRule
    setup: Setup
    tally: Tally
    thresholds: Floats
    is_high: Bools
    """True if the arm's mean reaches its threshold."""


class Judgment(NamedTuple):
    """Labels, the figures shown, the delta of the lists if it is smaller than asked, and advice."""

    labels: NDArray[np.int8]
    judged: ResultColumns
    delta_listed: float | None
    advice: str


def judge(
    problem: Problem,
    rule: IdentificationRule,
    counted: Totals,
    control: Control,
    planned: int,
    listed: Listed | None = None,
) -> Judgment:
    """Return the labels and all figures shown of each arm; nan if an arm has no rewards yet.

    ``rule`` is the rule as given; each lot of arms uses it with the settings for its problem.
    ``listed`` are the arms that earlier looks have listed, under fdr.
    """
    count = len(counted.pulls)
    lots = _group_arms(problem, rule, counted, 1 if control == "per-arm" else planned)
    found = [lot.rule.evidence(lot.setup, lot.tally) for lot in lots]
    is_high, advice = np.zeros(count, bool), ""
    for lot in lots:
        is_high[lot.arms] = lot.is_high
    delta = _find_listed_delta(problem, counted, control, planned)
    proven = prove_all(lots, found, is_high, control, delta, planned, listed)
    next_ones = find_next_levels(proven, control, delta, planned)
    proven = proven._replace(good=proven.good[:count], bad=proven.bad[:count])
    labels = make_labels(proven.good, proven.bad, is_high)
    missing = {"needed": math.inf, "needed_90": math.inf}
    shown = {name: np.full(count, missing.get(name, math.nan)) for name in ResultColumns._fields}
    for lot, evidence in zip(lots, found, strict=True):
        judged = judge_arms(
            lot.problem,
            lot.setup,
            lot.rule,
            lot.tally,
            ProvenLabels(proven.good[lot.arms], proven.bad[lot.arms], labels[lot.arms]),
            (proven.level_good, proven.level_bad),
            next_ones,
            evidence,
            lot.thresholds,
        )
        for name, values in judged._asdict().items():
            shown[name][lot.arms] = values
    if lots:
        sizes = [len(lot.arms) for lot in lots]
        most = lots[sizes.index(max(sizes))]
        advice = suggest_rule(most.problem, most.rule, most.setup, most.tally, labels[most.arms])
    smaller = None if delta == problem.delta else delta
    return Judgment(labels, ResultColumns(**shown), smaller, advice)


def _group_arms(
    problem: Problem, rule: IdentificationRule, counted: Totals, planned: int
) -> list[ArmGroup]:
    """Group the arms that have rewards into lots that share the rule's settings.

    With pools, the settings differ at each threshold; a gap or the bar itself may do the same.
    """
    pulled = np.flatnonzero(counted.pulls > 0)
    if not len(pulled):
        return []
    bars, back = np.unique(counted.thresholds[pulled], return_inverse=True)
    if counted.pools is None and len(bars) > 1:
        forms: dict[object, int] = {}
        # A third-party rule may be unhashable; it has the same settings at all thresholds.
        keys = [None if form is rule else form for form in make_rules_at(problem, rule, bars)]
        back = np.array([forms.setdefault(key, len(forms)) for key in keys])[back]
    order = np.argsort(back, kind="stable")
    parts = np.split(pulled[order], np.cumsum(np.bincount(back))[:-1])
    return [_make_arm_group(problem, rule, counted, part, planned) for part in parts]


def make_rules_at(
    problem: Problem, rule: IdentificationRule, bars: Floats
) -> list[IdentificationRule]:
    """Return the rule with its settings at each threshold.

    It is the rule itself if no setting depends on the threshold.
    """
    one = _make_arm_problem(problem, float(bars[0]))
    if rule.with_gap_hint(one) is rule:
        return [rule] * len(bars)
    return [rule.with_gap_hint(replace(one, threshold=bar)) for bar in bars.tolist()]


def _make_arm_problem(problem: Problem, threshold: float) -> Problem:
    """Return the problem of one arm with this threshold and without a pool."""
    is_free = problem.cost is None and problem.pool is None
    if problem.arms == (0,) and is_free and problem.threshold == threshold:
        return problem
    return replace(
        problem.without_costs(), arms=(0,), threshold=threshold, pool=None, case_order="same"
    )


def _make_arm_group(
    problem: Problem,
    rule: IdentificationRule,
    counted: Totals,
    arms: NDArray[np.intp],
    planned: int,
) -> ArmGroup:
    n, bars = counted.pulls[arms], counted.thresholds[arms]
    asked = _make_arm_problem(problem, float(bars[0]))
    if counted.pools is not None:
        sizes = counted.pools[arms].astype(np.int64)
        asked = replace(asked, arms=tuple(range(len(arms))), pool=sizes.tolist())
    by = rule.for_problem(asked)
    setup = make_setup(asked, by, arms_planned=planned)
    if (bars != bars[0]).any():
        setup = setup._replace(**_make_bar_arrays(problem, bars))
    lost = np.zeros(len(n)) if counted.lost is None else counted.lost[arms]
    told = n - lost
    units = problem.to_unit(counted.sums[arms], told)
    if problem.reward_range is not None:
        units = np.clip(units, 0.0, told)
    tally = Tally(n, units, lost)
    if counted.pools is not None:
        tally = tally._replace(cases=sizes)
    if counted.values is not None and counted.wealth is not None:
        width = by.bet_rows(setup._replace(good_bar=0.5, bad_bar=0.5)).shape[1]
        wealth = counted.wealth[arms, :width]
        tally = tally._replace(wealth=wealth, values=counted.values.of(arms))
    is_high = np.asarray(units / np.maximum(told, 1.0) >= setup.threshold)
    return ArmGroup(arms, asked, by, setup, tally, bars, is_high)


def _make_bar_arrays(problem: Problem, thresholds: Floats) -> dict[str, Any]:
    """Return the bars of a setup as arrays, which rules in Python accept, and kernels do not."""
    return {
        "threshold": problem.to_unit(thresholds),
        "good_bar": problem.to_unit(thresholds - problem.margin),
        "bad_bar": problem.to_unit(thresholds + problem.margin),
    }


def _find_listed_delta(problem: Problem, counted: Totals, control: Control, planned: int) -> float:
    """Return the delta of e-BH: smaller if arms have reached different cases of one order.

    Then an arm that is ahead tells what the others will meet, so that their e-values are not valid
    given the results of all arms. Whatever the dependence, e-BH at delta / (1 + 1/2 + ... + 1/K)
    keeps the error rate at delta.
    """
    if control != "fdr" or counted.pools is None or problem.case_order == "own":
        return problem.delta
    is_pulled = counted.pulls > 0
    is_level = all(len(np.unique(part[is_pulled])) <= 1 for part in (counted.pulls, counted.pools))
    return problem.delta if is_level else problem.delta / sum_harmonic(planned)


def sum_harmonic(count: int) -> float:
    """Return 1 + 1/2 + ... + 1/count.

    >>> sum_harmonic(4) == 25 / 12
    True
    """
    if count <= _MAX_SUMMED_TERMS:
        return math.fsum(1.0 / k for k in range(1, count + 1))
    return math.log(count) + float(np.euler_gamma) + 0.5 / count - 1.0 / (12.0 * count * count)


def prove_all(
    lots: Sequence[ArmGroup],
    evidence: Sequence[tuple[Floats, Floats] | None],
    is_high: Bools,
    control: Control,
    delta: float,
    planned: int,
    listed: Listed | None = None,
) -> ProvenArms:
    """Return the arms proven good and bad, at the levels of the control.

    A lot without evidence (None) uses the rule's own proof. ``is_high`` tells whether each arm's
    mean reaches its threshold. Arms that earlier looks listed, and that are not in the table, come
    last.
    """
    count = len(is_high)
    good, bad = np.zeros(count, bool), np.zeros(count, bool)
    log_good, log_bad = np.full(count, -math.inf), np.full(count, -math.inf)
    level = math.log(planned / delta)
    for lot, found in zip(lots, evidence, strict=True):
        level = lot.setup.level
        if found is None:
            good[lot.arms], bad[lot.arms] = lot.rule.proven(lot.setup, lot.tally)
        else:
            log_good[lot.arms], log_bad[lot.arms] = found
            good[lot.arms], bad[lot.arms] = (logs >= level for logs in found)
    if control == "fdr" and listed is not None:
        log_good = np.where(np.isnan(listed.good), log_good, listed.good)
        log_bad = np.where(np.isnan(listed.bad), log_bad, listed.bad)
        log_good = np.concatenate([log_good, listed.absent_good])
        log_bad = np.concatenate([log_bad, listed.absent_bad])
        is_high = np.concatenate([is_high, np.zeros(len(listed.absent_good), bool)])
    if control == "fdr":
        return run_e_bh(log_good, log_bad, is_high, delta, planned)
    return ProvenArms(good, bad, level, level)


def run_e_bh(
    log_good: Floats, log_bad: Floats, is_high: Bools, delta: float, planned: int
) -> ProvenArms:
    """Run the e-BH procedure for good and for bad; no arm is in both lists."""
    may_good, may_bad = np.ones(len(is_high), bool), np.ones(len(is_high), bool)
    while True:
        level_good = find_e_bh_level(log_good[may_good], delta, planned)
        level_bad = find_e_bh_level(log_bad[may_bad], delta, planned)
        good = may_good & (log_good >= level_good)
        bad = may_bad & (log_bad >= level_bad)
        both = good & bad
        if not both.any():
            return ProvenArms(good, bad, level_good, level_bad)
        # An arm that leaves a list counts there as an e-value of 0, which keeps e-BH valid.
        may_bad &= ~(both & is_high)
        may_good &= ~(both & ~is_high)


def find_e_bh_level(logs: Floats, delta: float, planned: int) -> float:
    """Return the log of the evidence that e-BH requires.

    That is K / (k delta), or K / delta if no arm reaches it.

    >>> round(math.exp(find_e_bh_level(np.log([50.0, 11.0, 6.0, 1.0]), 0.2, 4)), 9)
    10.0
    """
    ordered = np.sort(logs)[::-1]
    levels = np.log(planned / (np.arange(1, len(ordered) + 1) * delta))
    reached = np.flatnonzero(ordered >= levels)
    return float(levels[reached[-1]]) if len(reached) else math.log(planned / delta)


def find_next_levels(
    proven: ProvenArms, control: Control, delta: float, planned: int
) -> tuple[float, float]:
    """Return the levels that the next arm of each list needs; under fdr the list is longer by 1."""
    if control != "fdr":
        return proven.level_good, proven.level_bad
    sizes = (min(int(listed.sum()) + 1, planned) for listed in (proven.good, proven.bad))
    good, bad = (math.log(planned / (size * delta)) for size in sizes)
    return good, bad
