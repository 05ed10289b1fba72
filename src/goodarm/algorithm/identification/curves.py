"""Curves: a rule on counts as two lookup tables for the kernels.

With 0/1 rewards, by successes s: good up to some number of pulls, bad from some number on. For
fixed s evidence for good falls in n and evidence for bad rises, so the curves are equivalent to the
rule. With other rewards, by pulls n: good from some sum on, bad up to some sum.

The curves are computed once for a problem, by the rule's own vectorised functions, and grow as a
run needs them. Far out they are smooth: a Chebyshev series through a few dozen exact points gives
all others, and only those that come close to a whole number are computed one by one. The first
rows of whole numbers are found by bisection, without a root finder, which takes long to load.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.polynomial import Chebyshev
from numpy.polynomial.chebyshev import chebpts1
from numpy.polynomial.polyutils import mapdomain
from numpy.typing import NDArray

from goodarm.kernels.codes import CURVE, CurveRows

_FIRST_ROWS: Final = 256
"""Number of rows computed one by one; beyond them a curve is smooth enough for a series."""
_MAX_PULLS: Final = float(1 << 50)

_DEGREE: Final = 24
_SERIES_ACCURACY: Final = 1e-4
"""Required accuracy of a series; values nearer than this to a whole number are not rounded."""

Floats = NDArray[np.float64]


class CurveSide(NamedTuple):
    """Side of one label: its evidence as a function of pulls and sums, and its bar.

    The evidence is a log minus the level, so the label is proven from 0 on.
    """

    evidence: Callable[[Any, Any], Floats]
    bar: float


class Curves(ABC):
    """Curves of one rule on one problem, as far as they are known."""

    rows: CurveRows

    @abstractmethod
    def reach(self, pulls: int, total: float) -> CurveRows:
        """Return the curves, extended at least as far as the pull after these counts needs."""

    @abstractmethod
    def needed(self, pulls: int, total: float) -> int:
        """Return the number of rows that the pull after these counts needs."""


class GrowingCurves(Curves):
    """Infinite curves, computed as far as they are needed."""

    def __init__(self, good: CurveSide, bad: CurveSide) -> None:
        self._good = good
        self._bad = bad
        self.rows = np.zeros(0, CURVE)

    def reach(self, pulls: int, total: float) -> CurveRows:
        """Return the curves as far as needed; if they are too short, at least double them."""
        known = self.rows
        need = self.needed(pulls, total)
        if need > len(known):
            parts = [known]
            first = len(known)
            while first < need:
                end = max(2 * first, _FIRST_ROWS)
                parts.append(np.zeros(end - first, CURVE))
                self._fill(np.arange(first, end, dtype=float), parts[-1])
                first = end
            # Threads may do this at the same time: each extends the rows that it has read.
            known = self.rows = np.concatenate(parts)
        return known

    def needed(self, pulls: int, total: float) -> int:
        """Return the number of rows up to that of the next pull, if it succeeds."""
        return self.row(pulls, total) + 2

    @abstractmethod
    def row(self, pulls: int, total: float) -> int:
        """Return the row in which an arm with these counts is looked up."""

    @abstractmethod
    def is_good(self, pulls: int, total: float) -> bool:
        """Return whether the counts prove the arm good."""

    @abstractmethod
    def is_bad(self, pulls: int, total: float) -> bool:
        """Return whether the counts prove the arm bad."""

    @abstractmethod
    def _fill(self, numbers: Floats, rows: CurveRows) -> None:
        """Compute the rows with these numbers."""


class CurvesBySuccesses(GrowingCurves):
    """Curves for 0/1 rewards: whole numbers of pulls, exactly as by direct evaluation."""

    def row(self, pulls: int, total: float) -> int:
        """Return the row: the number of successes."""
        return int(total)

    def is_good(self, pulls: int, total: float) -> bool:
        """Return whether the pulls are at most ``good_until``."""
        return bool(pulls <= self.reach(pulls, total)[int(total)]["good_until"])

    def is_bad(self, pulls: int, total: float) -> bool:
        """Return whether the pulls are at least ``bad_from``."""
        return bool(pulls >= self.reach(pulls, total)[int(total)]["bad_from"])

    def _fill(self, numbers: Floats, rows: CurveRows) -> None:
        if numbers[0] < _FIRST_ROWS:
            no_longer_good = _find_first_by_halving(self._is_no_longer_good, numbers)
            first_bad = _find_first_by_halving(self._is_bad, numbers)
        else:
            no_longer_good = _find_first_by_series(
                self._is_no_longer_good, self._find_last_good, numbers
            )
            first_bad = _find_first_by_series(self._is_bad, self._find_first_bad, numbers)
        rows["good_until"], rows["bad_from"] = no_longer_good - 1, first_bad

    def _is_no_longer_good(self, n: Floats, s: Floats) -> NDArray[np.bool_]:
        return ~(self._good.evidence(n, s) >= 0)

    def _is_bad(self, n: Floats, s: Floats) -> NDArray[np.bool_]:
        return self._bad.evidence(n, s) >= 0

    def _find_last_good(self, s: Floats) -> Floats:
        least = np.maximum(s, 1.0)
        most = np.maximum(s / self._good.bar, least) + 1.0
        return _find_root(lambda n, s: -self._good.evidence(n, s), least, most, s)

    def _find_first_bad(self, s: Floats) -> Floats:
        least = np.maximum(s, 1.0)
        most = _find_passing(self._is_bad, np.maximum(s / self._bad.bar, least), s)
        return _find_root(self._bad.evidence, least, most, s)


class CurvesByPulls(GrowingCurves):
    """Curves for other rewards: sums, exact up to rounding."""

    def row(self, pulls: int, total: float) -> int:
        """Return the row: the number of pulls."""
        return pulls

    def is_good(self, pulls: int, total: float) -> bool:
        """Return whether the sum is at least ``good_sum``."""
        return bool(total >= self.reach(pulls, total)[pulls]["good_sum"])

    def is_bad(self, pulls: int, total: float) -> bool:
        """Return whether the sum is at most ``bad_sum``."""
        return bool(total <= self.reach(pulls, total)[pulls]["bad_sum"])

    def _fill(self, numbers: Floats, rows: CurveRows) -> None:
        pulls = np.maximum(numbers, 1.0)
        rows["good_sum"] = _evaluate_smoothly(self._find_least_good, pulls)
        rows["bad_sum"] = _evaluate_smoothly(self._find_most_bad, pulls)

    def _find_least_good(self, n: Floats) -> Floats:
        return _find_root(lambda s, n: self._good.evidence(n, s), n * self._good.bar, n, n)

    def _find_most_bad(self, n: Floats) -> Floats:
        evidence, rest = self._bad.evidence, 1.0 - self._bad.bar
        return n - _find_root(lambda misses, n: evidence(n, n - misses), n * rest, n, n)


class CurvesOfSums(CurvesByPulls):
    """Curves for unbounded rewards: n times the bar, plus or minus a function of n."""

    def __init__(
        self, good: CurveSide, bad: CurveSide, distance: Callable[[Floats], Floats]
    ) -> None:
        super().__init__(good, bad)
        self._distance = distance

    def _fill(self, numbers: Floats, rows: CurveRows) -> None:
        pulls = np.maximum(numbers, 1.0)
        distance = _evaluate_smoothly(self._distance, pulls)
        rows["good_sum"] = pulls * self._good.bar + distance
        rows["bad_sum"] = pulls * self._bad.bar - distance


def _evaluate_smoothly(function: Callable[[Floats], Floats], numbers: Floats) -> Floats:
    """Evaluate a function at consecutive numbers, by a series if that is accurate.

    The points of the series, and those at which it is tested, are computed in one call: most of the
    cost of a root finder does not depend on the number of roots.
    """
    if numbers[0] < _FIRST_ROWS:
        return function(numbers)
    ends = (float(numbers[0]), float(numbers[-1]))
    points = mapdomain(chebpts1(_DEGREE + 1), (-1.0, 1.0), ends)
    trials = np.linspace(*ends, 7)[1:-1] + 0.3
    values, expected = np.split(function(np.concatenate([points, trials])), [len(points)])
    with np.errstate(invalid="ignore"):
        series = Chebyshev.interpolate(lambda _: values, _DEGREE, ends)
    if not np.allclose(series(trials), expected, rtol=0.0, atol=0.1 * _SERIES_ACCURACY):
        return function(numbers)
    return np.asarray(series(numbers))


def _find_root(
    function: Callable[[Floats, Floats], Floats], low: Floats, high: Floats, given: Floats
) -> Floats:
    """Find where a rising function of x reaches 0, for each given number; infinite if nowhere."""
    from scipy.optimize.elementwise import find_root

    root = np.where(function(low, given) >= 0, low, np.inf)
    between = (root > low) & (function(high, given) >= 0)
    if between.any():
        exact = {"xatol": 0.0, "xrtol": 4e-16, "fatol": 0.0, "frtol": 0.0}
        ends = (low[between], high[between])
        root[between] = find_root(function, ends, args=(given[between],), tolerances=exact).x
    return root


Condition = Callable[[Floats, Floats], NDArray[np.bool_]]
"""Condition on pulls and successes that holds from some number of pulls on."""


def _find_passing(is_passed: Condition, pulls: Floats, successes: Floats) -> Floats:
    """Double numbers of pulls until the condition holds, or they are too large to matter."""
    while (is_open := ~is_passed(pulls, successes) & (pulls < _MAX_PULLS)).any():
        pulls[is_open] *= 2.0
    return pulls


def _find_first_by_halving(is_passed: Condition, successes: Floats) -> NDArray[np.int64]:
    """Find the first number of pulls that meets the condition, for each number of successes.

    It is at least 1 and at least the successes; close to ``_MAX_PULLS`` if none meets it.
    """
    low = np.maximum(successes, 1.0) - 1.0  # fewer pulls than successes are impossible
    high = np.minimum(_find_passing(is_passed, low + 1.0, successes), _MAX_PULLS)
    while (is_wide := high - low > 1.0).any():
        middle = np.where(is_wide, np.floor(0.5 * (low + high)), high)
        passes = is_passed(middle, successes)
        low, high = np.where(is_wide & ~passes, middle, low), np.where(passes, middle, high)
    return high.astype(np.int64)


def _find_first_by_series(
    is_passed: Condition, root_of: Callable[[Floats], Floats], successes: Floats
) -> NDArray[np.int64]:
    """Find the same numbers from a smooth curve; test the condition only near whole numbers."""
    least = np.maximum(successes, 1.0)
    near = np.minimum(_evaluate_smoothly(root_of, successes), _MAX_PULLS)
    number = np.maximum(np.ceil(near), least)
    close = np.flatnonzero(np.abs(near - np.round(near)) < _SERIES_ACCURACY)
    if close.size:
        n, s, start = number[close], successes[close], least[close]
        while (waits := ~is_passed(n, s) & (n < _MAX_PULLS)).any():
            n[waits] += 1.0
        while (early := (n > start) & is_passed(np.maximum(n - 1.0, start), s)).any():
            n[early] -= 1.0
        number[close] = n
    return number.astype(np.int64)
