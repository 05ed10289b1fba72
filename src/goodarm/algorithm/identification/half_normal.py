"""Half-normal mixture test, for Gaussian or sub-Gaussian rewards with known sigma.

scipy is loaded on first use.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, Final

import numpy as np

from goodarm.algorithm.identification.counts import CountsRule
from goodarm.algorithm.identification.curves import CurveSide, CurvesOfSums
from goodarm.algorithm.identification.log_sums import log_of_sum
from goodarm.algorithm.identification.problem_errors import FRACTIONS_REMEDY, make_problem_error
from goodarm.algorithm.identification.rule import Floats, IdentificationRule, Levels, Tally
from goodarm.arguments import check_list, check_number
from goodarm.errors import invalid_argument
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem

SCALES: Final = tuple(2.0**-j for j in range(10))
_UNIT: Final = 2.0
"""Size of a unit reward, in sigma."""
_STEPS: Final = 100


@dataclass(frozen=True)
class HalfNormal(CountsRule):
    """Half-normal mixture test: an arm is good when E_good reaches K / delta, bad when E_bad does.

    With S the sum of (x - bar) / sigma over n rewards, E_good is a mixture of exp(a S - n a^2 / 2)
    over drifts a >= 0 that have a half-normal distribution of scale t, and over some scales t:
    the sum of w 2 / sqrt(v) exp(S^2 t^2 / (2 v)) Phi(S t / sqrt(v)), v = 1 + n t^2. E_bad has -S.

    Args:
        scales: the scales of the drifts, in sigma, the likeliest first: scale j, counted from 1,
            has a weight proportional to 1 / (j (j + 1)). By default, a gap in the problem replaces
            them by one scale, the gap. Fix them before the first reward.

    Guarantee: any wrong label with probability at most delta, for Gaussian rewards with this
    sigma, and for any whose distance from their mean is sub-Gaussian with it, given all that came
    before. On a mean of at most the bar each exp(a S - n a^2 / 2) with a >= 0 is a supermartingale
    under any sampling and at any time, and so is their mixture: drifts below 0 would not be.
    Ville's inequality and the sum over K arms complete the proof.

    Reference: Robbins 1970; Howard, Ramdas, McAuliffe, Sekhon 2021 for one-sided normal mixtures.

    Raises:
        SpecError: a scale is not a positive number, or there are none.

    >>> HalfNormal(scales=[0.5]).to_dict()
    {'rule': 'half-normal', 'scales': [0.5]}
    """

    name: ClassVar[str] = "half-normal"
    formula: ClassVar[str] = "mixture of exp(a S - n a^2 / 2) over half-normal drifts a >= 0"
    has_e_values: ClassVar[bool] = True
    takes_fractions: ClassVar[bool] = True

    scales: tuple[float, ...] = SCALES

    def __post_init__(self) -> None:
        given = check_list("scales", "HalfNormal", self.scales, "numbers")
        values = tuple(check_number("scales", "HalfNormal", value) for value in given)
        if not values or not all(1e-6 <= value <= 1e6 for value in values):
            raise invalid_argument(
                "scales", "HalfNormal", "be numbers from 1e-6 to 1e6", self.scales
            )
        object.__setattr__(self, "scales", values)

    def to_dict(self) -> dict[str, Any]:
        """Return the rule as JSON."""
        return {"rule": self.name, "scales": list(self.scales)}

    def for_problem(self, problem: Problem) -> IdentificationRule:
        """Return the rule with its gap hint."""
        return self.with_gap_hint(problem)

    def with_gap_hint(self, problem: Problem) -> "HalfNormal":
        """Return the rule with the scale of the gap only, unless scales are given."""
        hint = self.parameters(problem)
        return replace(self, scales=(hint["scale"],)) if hint else self

    def parameters(self, problem: Problem) -> dict[str, float]:
        """Return the scale of the problem's gap, if it is used."""
        if problem.gap is None or problem.sigma is None or self.scales != SCALES:
            return {}
        return {"scale": min(max(problem.gap / problem.sigma, 1e-6), 1e6)}

    def check_problem(self, problem: Problem) -> None:
        """Raise an error unless rewards are Gaussian."""
        if problem.rewards != "gaussian":
            needs = f"The {self.name} rule is for Gaussian rewards, not for {problem.rewards} ones."
            raise make_problem_error(
                self.name, needs, f"take {problem.rewards} rewards", FRACTIONS_REMEDY
            )

    def log_good(self, n: Any, s: Any, bar: Any) -> Floats:
        """Return the log of E_good after n unit rewards with sum s.

        Args:
            n: pulls.
            s: sum of the rewards, in sigmas.
            bar: the mean that is to be surpassed, in sigmas.
        """
        pulls = np.asarray(n, float)
        return self._log(pulls, _UNIT * (np.asarray(s, float) - pulls * bar))

    def log_bad(self, n: Any, s: Any, bar: Any) -> Floats:
        """Return the log of E_bad after n unit rewards with sum s.

        Args:
            n: pulls.
            s: sum of the rewards, in sigmas.
            bar: the mean that is not to be reached, in sigmas.
        """
        pulls = np.asarray(n, float)
        return self._log(pulls, _UNIT * (pulls * bar - np.asarray(s, float)))

    def _log(self, n: Floats, total: Floats) -> Floats:
        from scipy import special

        scales = np.array(self.scales)
        spread = 1.0 + np.asarray(n)[..., None] * scales**2
        z = np.asarray(total)[..., None] * scales / np.sqrt(spread)
        # exp(z^2 / 2) Phi(z), in a form that neither overflows above nor cancels below.
        logs, is_below = np.empty(z.shape), z < 0.0
        logs[is_below] = np.log(0.5 * special.erfcx(-z[is_below] / math.sqrt(2.0)))
        above = z[~is_below]
        logs[~is_below] = 0.5 * np.square(above) + special.log_ndtr(above)
        return log_of_sum(logs + math.log(2.0) - 0.5 * np.log(spread) + self._log_weights)

    @property
    def _log_weights(self) -> Floats:
        places = np.arange(1.0, len(self.scales) + 1.0)
        weights = 1.0 / (places * (places + 1.0))
        return np.asarray(np.log(weights / weights.sum()))

    def reach(self, n: Floats, level: float) -> Floats:
        """Solve for the distance from n times the bar, in unit rewards, that is enough.

        Args:
            n: pulls.
            level: the log of the evidence that is enough.

        Returns:
            The distance for each number of pulls.
        """
        pulls = np.asarray(n, float)
        low, high = np.zeros(pulls.shape), np.sqrt(pulls) + 1.0
        while (short := self._log(pulls, high) < level).any():
            low, high = np.where(short, high, low), np.where(short, 2.0 * high, high)
        for _ in range(_STEPS):
            middle = 0.5 * (low + high)
            if not ((low < middle) & (middle < high)).any():
                break
            is_enough = self._log(pulls, middle) >= level
            low, high = np.where(is_enough, low, middle), np.where(is_enough, middle, high)
        return np.asarray(high / _UNIT)

    def interval(self, setup: Setup, tally: Tally, levels: Levels) -> tuple[Floats, Floats]:
        """Return the bars from which the sum is just far enough; equal n are solved once."""
        n, back = np.unique(np.asarray(tally.n, float), return_inverse=True)
        good, bad = (self.reach(n, level)[back] for level in levels)
        return (tally.total - good) / tally.n, (tally.total + bad) / tally.n

    def curves(self, setup: Setup) -> CurvesOfSums:
        """Return the two curves, shared by all runs of a problem."""
        return _make_curves(self, setup.good_bar, setup.bad_bar, setup.level)


@lru_cache(maxsize=32)
def _make_curves(rule: HalfNormal, good_bar: float, bad_bar: float, level: float) -> CurvesOfSums:
    return CurvesOfSums(
        CurveSide(lambda n, s: rule.log_good(n, s, good_bar) - level, good_bar),
        CurveSide(lambda n, s: rule.log_bad(n, s, bad_bar) - level, bad_bar),
        lambda n: rule.reach(n, level),
    )
