"""Result columns of arms, computed from their tallies, for ``check``, gates and Identifier alike.

All are arrays over arms, in unit rewards until they are returned.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm.identification.rule import (
    Bools,
    Floats,
    IdentificationRule,
    Levels,
    Tally,
)
from goodarm.algorithm.needed_pulls import find_needed_pulls
from goodarm.algorithm.titles import make_rule_title
from goodarm.kernels.codes import BAD, GOOD, UNDECIDED, Setup
from goodarm.problem import Problem

REASON_TAKEN_OUT: Final = "taken out"
"""Reason of an arm that a user has taken out."""
REASON_CASES_USED_UP: Final = "all its cases are used, and some were lost"
"""Reason of an arm without a label whose pool is used up."""
_CASE_ROUNDING: Final = 1e-6
"""Rounding error allowed, in cases, when a bound is rounded to a whole number of cases."""


class ProvenLabels(NamedTuple):
    """Arms proven good by their lower bound, arms proven bad by their upper bound, and labels."""

    good: Bools
    bad: Bools
    labels: NDArray[np.int8]


class ResultColumns(NamedTuple):
    """Result columns, arrays over arms: nan for no value, inf for pulls that are not predicted."""

    mean: Floats
    lower: Floats
    upper: Floats
    log_good: Floats
    log_bad: Floats
    needed: Floats
    needed_90: Floats


def make_labels(good: Bools, bad: Bools, is_high: Bools) -> NDArray[np.int8]:
    """Return labels; if a margin lets an arm be proven both good and bad, its mean decides."""
    return np.where(good & (is_high | ~bad), GOOD, np.where(bad, BAD, UNDECIDED)).astype(np.int8)


def compute_columns(
    problem: Problem,
    setup: Setup,
    rule: IdentificationRule,
    tally: Tally,
    proof: ProvenLabels,
    levels: Levels,
    next_levels: Levels,
    evidence: tuple[Floats, Floats] | None,
    thresholds: Floats | None = None,
) -> ResultColumns:
    """Compute the result columns of arms that have been pulled.

    Args:
        problem: the problem.
        setup: the problem and the rule, for the kernels.
        rule: the identification rule.
        tally: the arms' tallies, as arrays.
        proof: what is proven of the arms.
        levels: the logs of the evidence that proved it.
        next_levels: the logs of the evidence that an arm without a label needs.
        evidence: the logs of the e-values for good and for bad, if the rule has e-values.
        thresholds: each arm's threshold, if they differ; the bars of the setup are then arrays
            too.
    """
    bar = problem.threshold if thresholds is None else thresholds
    num_rewards = tally.n - tally.lost
    with np.errstate(invalid="ignore", divide="ignore"):
        means = problem.from_unit(tally.total / num_rewards)
    interval = rule.interval(setup, tally, levels)
    no_values = np.full(len(means), math.nan)
    lower, upper = (no_values, no_values) if interval is None else interval
    log_good, log_bad = (no_values, no_values) if evidence is None else evidence
    needed, needed_90 = np.zeros(len(means)), np.zeros(len(means))
    waiting = np.flatnonzero(proof.labels == UNDECIDED)
    needed[waiting] = needed_90[waiting] = math.inf
    for group_setup, pool, arms in _group_by_bars(setup, tally, waiting):
        found = find_needed_pulls(group_setup, rule, tally.of(arms), next_levels, pool)
        needed[arms], needed_90[arms] = found
    if problem.pool is not None and problem.rewards == "bernoulli":
        lower, upper = _round_to_cases(problem, tally, lower, upper, proof)
    else:
        lower, upper = _convert_to_reward_units(problem, bar, lower, upper, proof)
    return ResultColumns(
        mean=np.where(num_rewards > 0, means, math.nan),
        lower=lower,
        upper=upper,
        log_good=log_good,
        log_bad=log_bad,
        needed=needed,
        needed_90=needed_90,
    )


def compute_live_columns(
    problem: Problem,
    setup: Setup,
    rule: IdentificationRule,
    tally: Tally,
    labels: NDArray[np.int8],
    is_tested: Bools,
) -> ResultColumns:
    """Compute the result columns of arms that were tested after every pull, as by Identifier.

    The interval shown is the one that decides.

    Args:
        problem: the problem.
        setup: the problem and the rule, for the kernels.
        rule: the identification rule.
        tally: the arms' tallies, as arrays; each arm has been pulled.
        labels: the labels given so far, which are final.
        is_tested: whether each arm's warm-up is over.
    """
    evidence = rule.evidence(setup, tally)
    if evidence is None or setup.keeps_wealth:
        good, bad = rule.proven(setup, tally)
    else:
        good, bad = evidence[0] >= setup.level, evidence[1] >= setup.level
    # Bounds must agree with labels: a tested arm without a label is not shown as proven.
    is_settled = (labels != UNDECIDED) | ~is_tested
    good, bad = (labels == GOOD) | (good & is_settled), (labels == BAD) | (bad & is_settled)
    levels = (setup.level, setup.level)
    proof = ProvenLabels(good, bad, labels)
    return compute_columns(problem, setup, rule, tally, proof, levels, levels, evidence)


def make_problem_fields(problem: Problem, num_arms: int, rule: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an ArmTable that describe the problem and the rule.

    Args:
        problem: the problem, which may have more arms than the table.
        num_arms: the number of arms in the table.
        rule: the JSON document of the rule, with its settings.
    """
    settings = dict(rule)
    arm_pools = problem.pool[:num_arms] if isinstance(problem.pool, tuple) else None
    return {
        "threshold": problem.threshold,
        "delta": problem.delta,
        "control": "fwer",
        "margin": problem.margin,
        "rewards": problem.rewards,
        "low": problem.low,
        "high": problem.high,
        "arms_planned": problem.union_size,
        "rule_title": make_rule_title(rule),
        "rule": str(settings.pop("rule")),
        "rule_parameters": settings,
        "sigma": problem.sigma,
        "gap": problem.gap,
        "pool": problem.pool if isinstance(problem.pool, int) else None,
        "case_order": None if problem.pool is None else problem.case_order,
        "pools": None if arm_pools is None else np.array(arm_pools, np.int64),
        "is_planned": True,
    }


def _group_by_bars(
    setup: Setup, tally: Tally, arms: NDArray[np.intp]
) -> Iterator[tuple[Setup, float, NDArray[np.intp]]]:
    """Group arms by their bars and their number of cases.

    Yield the setup with the bars, the number of cases (infinite without a pool) and the arms of
    each group. Arms whose cases are used up are left out.
    """
    cases = np.broadcast_to(tally.cases, len(tally.n))
    arms = arms[(cases[arms] == 0) | (np.asarray(tally.n)[arms] < cases[arms])]
    if not len(arms):
        return
    parts = [(setup, arms)]
    if np.ndim(setup.threshold):
        names = ("threshold", "good_bar", "bad_bar")
        bars = np.stack([np.asarray(getattr(setup, name))[arms] for name in names], axis=1)
        rows, back = np.unique(bars, axis=0, return_inverse=True)
        order = np.argsort(back.ravel(), kind="stable")
        groups = np.split(arms[order], np.cumsum(np.bincount(back.ravel()))[:-1])
        setups = [setup._replace(**dict(zip(names, row, strict=True))) for row in rows.tolist()]
        parts = list(zip(setups, groups, strict=True))
    for group_setup, group in parts:
        sizes = cases[group]
        for size in np.unique(sizes).tolist():
            yield group_setup, float(size) or math.inf, group[sizes == size]


def _convert_to_reward_units(
    problem: Problem, bar: float | Floats, lower: Floats, upper: Floats, proof: ProvenLabels
) -> tuple[Floats, Floats]:
    """Convert bounds to the user's unit, and keep rounding from moving one across its bar.

    In a pool a mean on the bar is good, so the upper bound of a bad arm lies below the bar.
    """
    low, high = problem.reward_range or (-math.inf, math.inf)
    lower, upper = (np.clip(problem.from_unit(units), low, high) for units in (lower, upper))
    good_bar, bad_bar = bar - problem.margin, bar + problem.margin
    below = np.nextafter(good_bar, -math.inf)
    lower = np.where(proof.good, np.maximum(lower, good_bar), np.minimum(lower, below))
    most, least = bad_bar, np.nextafter(bad_bar, math.inf)
    if problem.pool is not None:
        most, least = np.nextafter(bad_bar, -math.inf), bad_bar
    return lower, np.where(proof.bad, np.minimum(upper, most), np.maximum(upper, least))


def _round_to_cases(
    problem: Problem, tally: Tally, lower: Floats, upper: Floats, proof: ProvenLabels
) -> tuple[Floats, Floats]:
    """Round bounds on shares of 0/1 cases to whole numbers of cases of each pool.

    Each bound stays on its side of its bar. A share on the bar is good, so the upper bound of an
    arm that is not proven bad may lie on it.
    """
    sizes, back = np.unique(np.broadcast_to(tally.cases, len(tally.n)), return_inverse=True)
    bars = np.array([problem.pool_bars(int(size)) for size in sizes])[back.ravel()]
    good, bad, cases = bars[:, 0], bars[:, 1], sizes[back.ravel()]
    least, most = np.ceil(lower * cases - _CASE_ROUNDING), np.floor(upper * cases + _CASE_ROUNDING)
    least = np.where(proof.good, np.maximum(least, good), np.minimum(least, good - 1))
    most = np.where(proof.bad, np.minimum(most, bad - 1), np.maximum(most, bad))
    return least / cases + 0.0, most / cases + 0.0  # never minus 0
