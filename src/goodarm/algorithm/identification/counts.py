"""What the rules on counts share: labels, e-values, intervals and curves from two functions.

What is compiled is loaded when it is first needed.
"""

import math
from abc import abstractmethod
from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar, Final

import numpy as np

from goodarm.algorithm.identification.boundary import distances
from goodarm.algorithm.identification.curves import (
    CurvesByPulls,
    CurvesBySuccesses,
    GrowingCurves,
    Side,
)
from goodarm.algorithm.identification.ranges import check_range
from goodarm.algorithm.identification.rule import (
    Bools,
    Boundaries,
    Floats,
    IdentificationRule,
    Levels,
    Places,
    Tally,
    Traits,
)
from goodarm.algorithm.identification.unsuited import FRACTIONS, unsuited
from goodarm.kernels import codes
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem

LOOKED_UP: Final = 4096
"""The number of rows up to which curves are looked up in ask and tell."""

_HALVINGS: Final = 60


class CountsRule(IdentificationRule):
    """An identification rule that is two functions of pulls and sums, and no kernel.

    Write ``log_good`` and ``log_bad``. An arm is good where ``log_good`` reaches log(K / delta) and
    bad where ``log_bad`` does; under its null each must do so ever, at any n, with probability at
    most delta / K. The docstring says why: ``goodarm.testing.check_identification_rule`` tries
    what can be tried.

    Both are called with arrays, and with fractions between whole numbers too: curves are found by
    root finding. While s stays, evidence for good falls in n and that for bad rises. Evidence for
    good rises in s and falls in the bar; evidence for bad does the opposite.
    """

    takes_fractions: ClassVar[bool] = False
    """whether it is valid for any rewards in the range, not for its ends alone"""

    @abstractmethod
    def log_good(self, n: Any, s: Any, bar: Any) -> Floats:
        """The log of the evidence, after n rewards with sum s, that the mean is above the bar."""

    @abstractmethod
    def log_bad(self, n: Any, s: Any, bar: Any) -> Floats:
        """The log of the evidence that the mean is below the bar."""

    def check_problem(self, problem: Problem) -> None:
        """The rewards must lie in a known range, and be 0 or 1 unless it takes others."""
        check_range(problem, self.name)
        if problem.rewards != "bernoulli" and not self.takes_fractions:
            only = f"The {self.name} rule is for rewards of 0 or 1, not for {problem.rewards} ones."
            raise unsuited(self.name, only, f"take {problem.rewards} rewards", FRACTIONS)

    def traits(self, problem: Problem, arms_planned: int) -> Traits:
        """Labels are looked up in curves."""
        self.check_problem(problem)
        return Traits(has_curves=True, level=math.log(arms_planned / problem.delta))

    def curves(self, setup: Setup) -> GrowingCurves:
        """The two curves, one set for all runs of a problem."""
        by_successes = setup.rewards == codes.BERNOULLI
        return _curves(self, setup.good_bar, setup.bad_bar, setup.level, by_successes)

    def logs(self, setup: Setup, tally: Tally) -> tuple[Floats, Floats]:
        """Both functions at the bars; lost pulls count as 0 for good and as 1 for bad."""
        good = self.log_good(tally.n, tally.total, setup.good_bar)
        bad = self.log_bad(tally.n, tally.total + tally.lost, setup.bad_bar)
        return good, bad

    def evidence(self, setup: Setup, tally: Tally) -> tuple[Floats, Floats] | None:
        """The logs of E_good and E_bad, if they are e-values."""
        return self.logs(setup, tally) if self.has_e_values else None

    def proven(self, setup: Setup, tally: Tally) -> tuple[Bools, Bools]:
        """Where a function reaches the level."""
        good, bad = self.logs(setup, tally)
        return np.asarray(good >= setup.level), np.asarray(bad >= setup.level)

    def decide(self, setup: Setup, tally: Tally) -> int:
        """Return the label that is proven.

        It is looked up in the curves where they are known or short. With 0/1 rewards curves and
        evidence agree exactly, so that curves are not made for a few questions.
        """
        n, total, lost = tally.n, tally.total, tally.lost
        curves = self.curves(setup)
        is_exact = setup.rewards == codes.BERNOULLI
        known = len(curves.rows) if is_exact else LOOKED_UP
        if curves.needed(n, total + lost) <= known:
            good, bad = curves.is_good(n, total), curves.is_bad(n, total + lost)
        else:
            good, bad = (bool(side) for side in self.proven(setup, tally))
        return codes.label_of(setup, good, bad, total / max(n - lost, 1.0))

    def interval(self, setup: Setup, tally: Tally, levels: Levels) -> tuple[Floats, Floats] | None:
        """The largest bar that the counts prove the mean to be above, the smallest to be below."""
        n = np.asarray(tally.n, float)
        low, high = np.asarray(tally.total, float), np.asarray(tally.total + tally.lost, float)
        lower = _last(lambda bar: self.log_good(n, low, bar) >= levels[0], n.shape)
        rest = _last(lambda rest: self.log_bad(n, high, 1.0 - rest) >= levels[1], n.shape)
        return lower, 1.0 - rest

    def boundaries(self, setup: Setup, tally: Tally, places: Places, levels: Levels) -> Boundaries:
        """By halving between the bar and the farthest sum."""
        is_limited = setup.rewards != codes.GAUSSIAN
        places = places._replace(ahead=0)  # which it does not mind: one set for all arms
        return _boundaries(self, setup.good_bar, setup.bad_bar, levels, places, is_limited)


@lru_cache(maxsize=32)
def _boundaries(
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
    above = distances(good, n, 1.0 - good_bar if is_limited else math.inf)
    below = distances(bad, n, bad_bar if is_limited else math.inf)
    return Boundaries((n * good_bar + above)[None], (n * bad_bar - below)[None], n[None])


def _last(holds: Callable[[Floats], Bools], shape: tuple[int, ...]) -> Floats:
    """The largest number between 0 and 1 at which a condition still holds; 0 where none does."""
    low, high = np.zeros(shape), np.ones(shape)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        with np.errstate(all="ignore"):
            is_held = holds(middle)
        low, high = np.where(is_held, middle, low), np.where(is_held, high, middle)
    return low


@lru_cache(maxsize=32)
def _curves(
    rule: CountsRule, good_bar: float, bad_bar: float, level: float, by_successes: bool
) -> GrowingCurves:
    kind = CurvesBySuccesses if by_successes else CurvesByPulls
    return kind(
        Side(lambda n, s: rule.log_good(n, s, good_bar) - level, good_bar),
        Side(lambda n, s: rule.log_bad(n, s, bad_bar) - level, bad_bar),
    )
