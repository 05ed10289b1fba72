"""Checks that curves and intervals, which are looked up and shown, agree with what decides."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import (
    BettingOnEach,
    CountsRule,
    IdentificationRule,
    Tally,
    ValueCounts,
    count_values,
    make_setup,
)
from goodarm.errors import SpecError
from goodarm.kernels.codes import Setup, label_of
from goodarm.problem import Problem, Rewards
from goodarm.testing.report import ROUNDING, expect, report_failure

PROBLEM_ARGUMENTS: Final = (
    (0.5, 0.05, 0.0),
    (0.3, 0.001, 0.1),
    (0.02, 0.2, 0.01),
    (0.95, 0.05, 0.0),
)
"""Threshold, delta and margin of the problems that rules are tried on, with two arms."""

SERIES_PULLS: Final = 300
"""Number of pulls so large that curves come from a series, which needs evidence at fractions."""
CURVES: Final = "the curves that engines look up give the labels of its functions"
INTERVAL: Final = "its interval holds the mean, and leaves the bar where the label is proven"


def make_setups(rule: IdentificationRule, rewards: Rewards) -> Iterator[tuple[Problem, Setup]]:
    """Yield the problems with rewards of this kind, and the rule's setup for each."""
    for threshold, delta, margin in PROBLEM_ARGUMENTS:
        problem = Problem(2, threshold, delta, margin=margin, rewards=rewards)
        yield problem, make_setup(problem, rule.for_problem(problem))


def can_use_rewards(rule: IdentificationRule, rewards: Rewards) -> bool:
    """Return whether the rule says that it can be used with such rewards."""
    sigma = 1.0 if rewards == "gaussian" else None
    problem = Problem(2, 0.5, 0.05, rewards=rewards, sigma=sigma)
    try:
        rule.for_problem(problem).traits(problem, 2)
    except SpecError:
        return False
    return True


def check_curves(rule: CountsRule, rewards: Rewards, most_pulls: int = 150) -> None:
    """Check that the curves give a label exactly where its function reaches the level.

    Curves by pulls are exact to rounding, so sums next to them are left out.
    """
    slack = 0.0 if rewards == "bernoulli" else 1e-6
    what = f"The {rule.name} rule's curves"
    for _, setup in make_setups(rule, rewards):
        curves = rule.curves(setup)
        if curves is None:
            continue
        n, s = np.nonzero(np.tri(most_pulls + 1, dtype=bool))
        n, s = n[n > 0], s[n > 0]
        sums = s.astype(float) if slack == 0.0 else s * 0.999
        for label, is_so, function, bar, sign in (
            ("good", curves.is_good, rule.log_good, setup.good_bar, 1.0),
            ("bad", curves.is_bad, rule.log_bad, setup.bad_bar, -1.0),
        ):
            with np.errstate(all="ignore"):
                surely, maybe = (
                    np.asarray(function(n, np.clip(sums - way * sign * slack, 0.0, n), bar))
                    >= setup.level
                    for way in (1.0, -1.0)
                )
            counts = zip(n.tolist(), sums.tolist(), strict=True)
            with report_failure(f"{what} cannot be computed, for which n and s may be fractions"):
                curves.reach(SERIES_PULLS, float(SERIES_PULLS))
                found = np.fromiter((is_so(*count) for count in counts), bool, len(n))
            differs = (found & ~maybe) | (surely & ~found)
            if differs.any():
                at = int(np.argmax(differs))
                expect(
                    False,
                    f"{what} must give the labels of its functions; at bar {bar:g}, n = {n[at]}, "
                    f"s = {sums[at]:g} the curve says {label}: {found[at]}, the function "
                    f"{maybe[at]} (level {setup.level:.6g}).",
                )


def check_decision(rule: CountsRule, most_pulls: int = 25) -> None:
    """Check that ``decide`` gives the labels of the curves: ask and tell uses both."""
    for problem, setup in make_setups(rule, "bernoulli"):
        used = rule.for_problem(problem)
        if not isinstance(used, CountsRule):
            continue
        curves = used.curves(setup)
        for n in range(1, most_pulls + 1):
            for s in map(float, range(n + 1)):
                expected = label_of(setup, curves.is_good(n, s), curves.is_bad(n, s), s / n)
                found = used.decide(setup, Tally(n, s))
                expect(
                    found == expected,
                    f"The {rule.name} rule must decide as its curves do; at threshold "
                    f"{problem.threshold:g}, n = {n}, s = {s:g} the curves say {expected}, the "
                    f"rule {found} (1 good, -1 bad, 0 undecided).",
                )


def check_interval(rule: IdentificationRule, rewards: Rewards, most_pulls: int = 60) -> bool:
    """Return whether the rule has an interval; check that it fits the labels and holds the mean."""
    n, s = np.nonzero(np.tri(most_pulls + 1, dtype=bool))
    n, s = n[n > 0], s[n > 0]
    many = np.array([1000, 100_000])
    n = np.concatenate([n, np.repeat(many, 21)])
    s = np.concatenate([s, *(np.linspace(0, count, 21).astype(int) for count in many)])
    tally = Tally(n, s.astype(float), np.zeros(len(n)), values=_make_ones_and_zeros(n, s))
    for problem, setup in make_setups(rule, rewards):
        form = rule.for_problem(problem)
        with report_failure(f"The {rule.name} rule's interval cannot be computed on {problem}"):
            if isinstance(form, BettingOnEach):
                tally = tally._replace(wealth=form.wealth(setup, tally.values))
            interval = form.interval(setup, tally, (setup.level, setup.level))
            if interval is None:
                return False
            good, bad = form.proven(setup, tally)
        lower, upper = (np.asarray(bound, float) for bound in interval)
        means = s / n
        for must, is_wrong in (
            ("hold the mean", ~((lower <= means + ROUNDING) & (means <= upper + ROUNDING))),
            ("lie above the bar where good is proven", good & (lower < setup.good_bar - ROUNDING)),
            ("lie above no bar that is not proven", ~good & (lower > setup.good_bar + ROUNDING)),
            ("lie below the bar where bad is proven", bad & (upper > setup.bad_bar + ROUNDING)),
            ("lie below no bar that is not proven", ~bad & (upper < setup.bad_bar - ROUNDING)),
        ):
            if is_wrong.any():
                at = int(np.argmax(is_wrong))
                expect(
                    False,
                    f"The {rule.name} rule's interval must {must}; with bars {setup.good_bar:g} "
                    f"and {setup.bad_bar:g}, n = {n[at]}, s = {s[at]} it is "
                    f"{lower[at]:.10g} to {upper[at]:.10g}, good is proven: {bool(good[at])}, bad: "
                    f"{bool(bad[at])}.",
                )
    return True


def _make_ones_and_zeros(n: NDArray[np.int64], s: NDArray[np.int64]) -> ValueCounts:
    """Return rewards of 0 and 1 with these counts."""
    arms = np.tile(np.arange(len(n)), 2)
    values = np.repeat([1.0, 0.0], len(n))
    return count_values(arms, values, np.concatenate([s, n - s]).astype(float), len(n))
