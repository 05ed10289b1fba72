"""Hint of the gap that would save most pulls, on the means that are supposed.

The pulls that label an arm are taken along the straight path of its mean, where the evidence just
reaches its level: that is a little less than the mean over runs, for every hint alike.
"""

from dataclasses import replace
from typing import Final

import numpy as np

from goodarm.algorithm import Algorithm, CountsRule, Floats
from goodarm.problem import Problem
from goodarm.results import GapHint

MIN_SAVING: Final = 0.03
"""Smallest part of the pulls that is worth a hint."""

_MAX_GAPS_TRIED: Final = 16
_FARTHEST: Final = 2.0**60


def recommend_gap(
    problem: Problem, algorithm: Algorithm, means: Floats, *, is_even: bool = False
) -> GapHint | None:
    """Return the gap among those of the arms that saves most pulls; None if none saves enough.

    If traffic is split evenly, all arms go on for as long as the slowest.
    """
    if problem.gap is not None or not _can_use_hint(problem, algorithm):
        return None
    gaps = np.unique([_round_gap(gap) for gap in np.abs(means - problem.threshold) if gap > 0.0])
    if not len(gaps):
        return None
    before = _predict_pulls(problem, algorithm, means, is_even=is_even)
    best: GapHint | None = None
    places = np.unique(
        np.linspace(0, len(gaps) - 1, min(_MAX_GAPS_TRIED, len(gaps))).round().astype(int)
    )
    for gap in gaps[places].tolist():
        try:
            hinted = replace(problem, gap=gap)
        except ValueError:  # wider than the rewards can spread around the threshold
            continue
        saving = 1.0 - _predict_pulls(hinted, algorithm, means, is_even=is_even) / before
        if saving >= MIN_SAVING and (best is None or saving > best.saving):
            best = GapHint(gap, saving)
    return best


def _can_use_hint(problem: Problem, algorithm: Algorithm) -> bool:
    """Return whether a gap would change the test, and the test uses counts without a pool."""
    if problem.pool is not None or not isinstance(algorithm.rule(problem), CountsRule):
        return False
    room = problem.scale if problem.sigma is not None else problem.scale * 1e-3
    return bool(algorithm.identification.parameters(replace(problem, gap=room)))


def _round_gap(gap: float) -> float:
    """Round to two digits: a hint has no more."""
    return float(f"{gap:.2g}")


def _predict_pulls(
    problem: Problem, algorithm: Algorithm, means: Floats, *, is_even: bool
) -> float:
    """Return the pulls of all arms off the threshold, along the straight paths of their means."""
    rule, setup = algorithm.rule(problem), algorithm.setup(problem)
    if not isinstance(rule, CountsRule):
        raise TypeError("a straight path needs a rule on counts")
    off = means[means != problem.threshold]
    units, is_good = problem.to_unit(off), off >= problem.threshold

    def is_labelled(n: Floats) -> np.ndarray:
        good = rule.log_good(n, n * units, setup.good_bar) >= setup.level
        bad = rule.log_bad(n, n * units, setup.bad_bar) >= setup.level
        return np.where(is_good, good, bad)

    low, high = np.zeros(len(off)), np.ones(len(off))
    while (short := ~is_labelled(high)).any() and high.max() < _FARTHEST:
        low, high = np.where(short, high, low), np.where(short, 2.0 * high, high)
    for _ in range(40):
        middle = 0.5 * (low + high)
        found = is_labelled(middle)
        low, high = np.where(found, low, middle), np.where(found, middle, high)
    return float(high.max() * len(high) if is_even else high.sum())
