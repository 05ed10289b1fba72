"""Hint for the next experiment, if another rule would have needed far fewer pulls.

It is computed on the labelled arms, as if their rewards had come evenly, and does not change any
label: the other rule's labels are never looked at, because taking the better of two rules after
looking would break the guarantee.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import (
    BettingOnEach,
    Bools,
    Floats,
    IdentificationRule,
    Tally,
    get_default_test,
    make_rule_title,
    make_setup,
)
from goodarm.kernels.codes import GOOD, UNDECIDED, Setup
from goodarm.problem import Problem

MAX_PULLS_RATIO: Final = 0.8
"""Share of the pulls below which another rule is recommended."""
BARS: Final = ("threshold", "good_bar", "bad_bar")
_MAX_ARMS: Final = 200
_MAX_PULLS: Final = 2.0**50


def suggest_rule(
    problem: Problem,
    rule: IdentificationRule,
    setup: Setup,
    tally: Tally,
    labels: NDArray[np.int8],
) -> str:
    """Return the hint; empty if no other rule would have been clearly better.

    Args:
        problem: the problem that the arms were judged on.
        rule: the rule that judged them, with the same settings for all.
        setup: the setup that they were judged with.
        tally: their totals.
        labels: their labels.
    """
    arms = np.flatnonzero(labels != UNDECIDED)
    has_values = len(tally.values.starts) == len(tally.n) + 1
    suited = get_default_test(problem.rewards, has_sums_only=not has_values)
    if problem.pool is not None or not len(arms) or suited.name == rule.name:
        return ""
    if len(arms) > _MAX_ARMS:
        arms = arms[np.linspace(0, len(arms) - 1, _MAX_ARMS).astype(np.intp)]
    bars: dict[str, Any] = {
        name: bar if np.ndim(bar) == 0 else np.asarray(bar)[arms]
        for name in BARS
        for bar in [getattr(setup, name)]
    }
    other = suited.for_problem(problem)
    others = make_setup(problem, other, arms_planned=setup.arms_planned)._replace(**bars)
    some, is_good = tally.of(arms), labels[arms] == GOOD
    share = _sum_needed_pulls(other, others, some, is_good) / _sum_needed_pulls(
        rule, setup._replace(**bars), some, is_good
    )
    if not share < MAX_PULLS_RATIO:
        return ""
    title = make_rule_title(suited.with_gap_hint(problem).to_dict())
    return (
        f"For your next experiment: {title} would have needed about {100 * (1 - share):.0f} % "
        f"fewer pulls for the arms that are labelled. The labels here are those of {rule.name}, "
        "which was chosen before the data."
    )


def _sum_needed_pulls(
    rule: IdentificationRule, setup: Setup, tally: Tally, is_good: Bools
) -> float:
    """Return the pulls needed until all arms have their labels, if rewards come evenly."""
    n = np.asarray(tally.n, float)
    wealth = rule.wealth(setup, tally.values) if isinstance(rule, BettingOnEach) else tally.wealth

    def is_labelled(pulls: Floats) -> Bools:
        grown = wealth * (pulls / n)[:, None] if wealth.ndim > 1 else wealth
        good, bad = rule.proven(
            setup, Tally(pulls, tally.total / n * pulls, tally.lost / n * pulls, grown)
        )
        return np.where(is_good, good, bad)

    low, high = np.zeros(len(n)), np.ones(len(n))
    while (short := ~is_labelled(high)).any() and high.max() < _MAX_PULLS:
        low, high = np.where(short, high, low), np.where(short, 2.0 * high, high)
    while (high - low > 1.0).any():
        middle = np.ceil(0.5 * (low + high))
        found = is_labelled(middle)
        low, high = np.where(found, low, middle), np.where(found, middle, high)
    return float(high.sum())
