"""Base class of rules on counts: labels, e-values, intervals and curves from two functions.

Compiled code is loaded on first use.
"""

import math
from abc import abstractmethod
from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar, Final

import numpy as np

from goodarm.algorithm.identification.boundary import find_distances
from goodarm.algorithm.identification.curves import (
    CurvesByPulls,
    CurvesBySuccesses,
    CurveSide,
    GrowingCurves,
)
from goodarm.algorithm.identification.problem_errors import FRACTIONS_REMEDY, make_problem_error
from goodarm.algorithm.identification.ranges import check_range
from goodarm.algorithm.identification.rule import (
    Bools,
    Boundaries,
    Floats,
    IdentificationRule,
    IdentificationTraits,
    Levels,
    Places,
    Tally,
)
from goodarm.kernels import codes
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem

MAX_LOOKUP_ROWS: Final = 4096
"""Number of rows up to which ask and tell look labels up in curves."""

_HALVINGS: Final = 60


class CountsRule(IdentificationRule):
    """Identification rule given by two functions of pulls and sums, without a kernel.

    Write ``log_good`` and ``log_bad``. An arm is good if ``log_good`` reaches log(K / delta) and
    bad if ``log_bad`` does; under its null hypothesis the probability that a function ever does so,
    at any n, must be at most delta / K. Say in the docstring why that holds;
    ``goodarm.testing.check_identification_rule`` tests what can be tested.

    Both are called with arrays, and with fractions between whole numbers too: curves are found by
    root finding. For fixed s, evidence for good falls in n and that for bad rises. Evidence for
    good rises in s and falls in the bar; evidence for bad does the opposite.

    >>> import numpy as np
    >>> import goodarm as ga
    >>> class Ratio(CountsRule):
    ...     name = "ratio"
    ...     def log_good(self, n, s, bar):
    ...         return s * np.log1p(0.1 / bar) + (n - s) * np.log1p(-0.1 / (1 - bar))
    ...     def log_bad(self, n, s, bar):
    ...         return s * np.log1p(-0.1 / bar) + (n - s) * np.log1p(0.1 / (1 - bar))
    >>> ga.check({"a": (500, 460), "b": (500, 300)}, threshold=0.8, rule=Ratio()).good
    ['a']
    """

    takes_fractions: ClassVar[bool] = False
    """whether it is valid for all rewards in the range, not only for its two ends"""

    @abstractmethod
    def log_good(self, n: Any, s: Any, bar: Any) -> Floats:
        """Return the log of the evidence, from n rewards with sum s, for a mean above the bar.

        Args:
            n: pulls, an array.
            s: sums of the rewards, in unit rewards.
            bar: the mean that is to be surpassed, from 0 to 1.
        """

    @abstractmethod
    def log_bad(self, n: Any, s: Any, bar: Any) -> Floats:
        """Return the log of the evidence, from n rewards with sum s, for a mean below the bar.

        Args:
            n: pulls, an array.
            s: sums of the rewards, in unit rewards.
            bar: the mean that is not to be reached, from 0 to 1.
        """

    def check_problem(self, problem: Problem) -> None:
        """Raise an error unless rewards have a range and, if the rule needs it, are 0 or 1."""
        check_range(problem, self.name)
        if problem.rewards != "bernoulli" and not self.takes_fractions:
            only = f"The {self.name} rule is for rewards of 0 or 1, not for {problem.rewards} ones."
            raise make_problem_error(
                self.name, only, f"take {problem.rewards} rewards", FRACTIONS_REMEDY
            )

    def traits(self, problem: Problem, arms_planned: int) -> IdentificationTraits:
        """Return the traits of rules whose labels are looked up in curves."""
        self.check_problem(problem)
        return IdentificationTraits(has_curves=True, level=math.log(arms_planned / problem.delta))

    def curves(self, setup: Setup) -> GrowingCurves:
        """Return the two curves, shared by all runs of a problem."""
        by_successes = setup.rewards == codes.BERNOULLI
        return _make_curves(self, setup.good_bar, setup.bad_bar, setup.level, by_successes)

    def logs(self, setup: Setup, tally: Tally) -> tuple[Floats, Floats]:
        """Evaluate both functions at the bars; lost pulls count as 0 for good and as 1 for bad.

        Args:
            setup: problem and algorithm as numbers.
            tally: the arms' pulls and sums.

        Returns:
            The logs of the evidence for good and for bad.
        """
        good = self.log_good(tally.n, tally.total, setup.good_bar)
        bad = self.log_bad(tally.n, tally.total + tally.lost, setup.bad_bar)
        return good, bad

    def evidence(self, setup: Setup, tally: Tally) -> tuple[Floats, Floats] | None:
        """Return the logs of E_good and E_bad, or None if they are not e-values."""
        return self.logs(setup, tally) if self.has_e_values else None

    def proven(self, setup: Setup, tally: Tally) -> tuple[Bools, Bools]:
        """Return which arms have evidence at the level for good, and which for bad."""
        good, bad = self.logs(setup, tally)
        return np.asarray(good >= setup.level), np.asarray(bad >= setup.level)

    def decide(self, setup: Setup, tally: Tally) -> int:
        """Return the label that one arm's rewards prove.

        It is looked up in the curves if they are known or short. With 0/1 rewards curves and
        evidence agree exactly, so curves are not extended for a few lookups.
        """
        n, total, lost = tally.n, tally.total, tally.lost
        curves = self.curves(setup)
        is_exact = setup.rewards == codes.BERNOULLI
        known = len(curves.rows) if is_exact else MAX_LOOKUP_ROWS
        if curves.needed(n, total + lost) <= known:
            good, bad = curves.is_good(n, total), curves.is_bad(n, total + lost)
        else:
            good, bad = (bool(side) for side in self.proven(setup, tally))
        return codes.label_of(setup, good, bad, total / max(n - lost, 1.0))

    def interval(self, setup: Setup, tally: Tally, levels: Levels) -> tuple[Floats, Floats] | None:
        """Return the largest bar that the mean is proven above, and the smallest it is below."""
        n = np.asarray(tally.n, float)
        low, high = np.asarray(tally.total, float), np.asarray(tally.total + tally.lost, float)
        lower = _find_last(lambda bar: self.log_good(n, low, bar) >= levels[0], n.shape)
        rest = _find_last(lambda rest: self.log_bad(n, high, 1.0 - rest) >= levels[1], n.shape)
        return lower, 1.0 - rest

    def boundaries(self, setup: Setup, tally: Tally, places: Places, levels: Levels) -> Boundaries:
        """Return boundaries, solved for between the bar and the farthest sum."""
        is_limited = setup.rewards != codes.GAUSSIAN
        places = places._replace(ahead=0)  # not used here: one set for all arms
        return _find_boundaries(self, setup.good_bar, setup.bad_bar, levels, places, is_limited)


@lru_cache(maxsize=32)
def _find_boundaries(
    rule: CountsRule,
    good_bar: float,
    bad_bar: float,
    levels: Levels,
    places: Places,
    is_limited: bool,
) -> Boundaries:
    def good(n: Floats, x: Floats) -> Floats:
        return rule.log_good(n, n * good_bar + x, good_bar) - levels[0]

    def bad(n: Floats, x: Floats) -> Floats:
        return rule.log_bad(n, n * bad_bar - x, bad_bar) - levels[1]

    n = places.pulls
    above = find_distances(good, n, 1.0 - good_bar if is_limited else math.inf)
    below = find_distances(bad, n, bad_bar if is_limited else math.inf)
    return Boundaries((n * good_bar + above)[None], (n * bad_bar - below)[None], n[None])


def _find_last(holds: Callable[[Floats], Bools], shape: tuple[int, ...]) -> Floats:
    """Return the largest number in [0, 1] at which a condition still holds; 0 if at none."""
    low, high = np.zeros(shape), np.ones(shape)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        with np.errstate(all="ignore"):
            is_held = holds(middle)
        low, high = np.where(is_held, middle, low), np.where(is_held, high, middle)
    return low


@lru_cache(maxsize=32)
def _make_curves(
    rule: CountsRule, good_bar: float, bad_bar: float, level: float, by_successes: bool
) -> GrowingCurves:
    kind = CurvesBySuccesses if by_successes else CurvesByPulls
    return kind(
        CurveSide(lambda n, s: rule.log_good(n, s, good_bar) - level, good_bar),
        CurveSide(lambda n, s: rule.log_bad(n, s, bad_bar) - level, bad_bar),
    )
