"""Mixture test: exact for rare successes, from counts alone.

scipy and compiled code are loaded on first use.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import numpy as np

from goodarm.algorithm.identification.counts import CountsRule
from goodarm.algorithm.identification.mixture.pool import MixtureInPool, find_pool_bars
from goodarm.algorithm.identification.mixture.weights import WEIGHTS
from goodarm.algorithm.identification.rule import Floats, IdentificationRule, Levels, Tally
from goodarm.arguments import check_list, check_number
from goodarm.errors import invalid_argument
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem

_MIN_WEIGHT: Final = 1e-3
_MAX_WEIGHT: Final = 1e6
"""Range of the weights of priors."""


@dataclass(frozen=True)
class Mixture(CountsRule):
    """Mixture test: an arm is good when E_good reaches K / delta, bad when E_bad does.

    Args:
        weights: the weights of the priors that are averaged, in observations of the rarer outcome.
            The prior of weight w is Beta(q bar, q (1 - bar)) with q = w / min(bar, 1 - bar), cut
            off at the bar. By default, a gap in the problem replaces them by one weight, whose
            prior has the gap as its standard deviation. Fix them before the first reward.

    Guarantee: any wrong label with probability at most delta, for 0/1 rewards and for any rewards
    in a known range whose mean, given all that came before, stays the same; the proof is in
    ``goodarm.algorithm.identification.mixture.evidence``.

    Reference: Robbins 1970 for mixtures of likelihood ratios; the cut at the bar, the priors scaled
    by it and their average are this package's own.

    Raises:
        SpecError: a weight is not a positive number, or there are none.

    >>> Mixture(weights=[4]).to_dict()
    {'rule': 'mixture', 'weights': [4.0]}
    """

    name: ClassVar[str] = "mixture"
    formula: ClassVar[str] = (
        "average over priors, each cut off at the bar, of its mean likelihood / that at the bar"
    )

    has_e_values: ClassVar[bool] = True
    takes_fractions: ClassVar[bool] = True

    weights: tuple[float, ...] = WEIGHTS

    def __post_init__(self) -> None:
        given = check_list("weights", "Mixture", self.weights, "numbers")
        values = tuple(check_number("weights", "Mixture", value) for value in given)
        if not values or not all(_MIN_WEIGHT <= value <= _MAX_WEIGHT for value in values):
            raise invalid_argument(
                "weights", "Mixture", "be numbers from 0.001 to 1e6", self.weights
            )
        object.__setattr__(self, "weights", values)

    def to_dict(self) -> dict[str, Any]:
        """Return the rule as JSON."""
        return {"rule": self.name, "weights": list(self.weights)}

    def for_problem(self, problem: Problem) -> IdentificationRule:
        """Return the rule with its gap hint; in pools, the form for them."""
        rule = self.with_gap_hint(problem)
        if problem.pools is None:
            return rule
        return MixtureInPool(rule.weights, problem.pools, find_pool_bars(problem))

    def with_gap_hint(self, problem: Problem) -> "Mixture":
        """Return the rule with the weight of the gap only, unless weights are given."""
        hint = self.parameters(problem)
        return replace(self, weights=(hint["weight"],)) if hint else self

    def parameters(self, problem: Problem) -> dict[str, float]:
        """Return the weight whose prior has the gap as its standard deviation, if it is used."""
        if problem.gap is None or problem.rewards == "gaussian" or self.weights != WEIGHTS:
            return {}
        bar, gap = problem.to_unit(problem.threshold), problem.gap / problem.scale
        observations = bar * (1.0 - bar) / gap**2 - 1.0
        return {"weight": min(max(observations * min(bar, 1.0 - bar), _MIN_WEIGHT), _MAX_WEIGHT)}

    def log_good(self, n: Any, s: Any, bar: Any) -> Floats:
        """Return the log of E_good after n rewards with sum s.

        Args:
            n: pulls.
            s: sum of the rewards, in unit rewards.
            bar: the mean that is to be surpassed.

        >>> round(float(Mixture().log_good(100, 70, 0.5)), 3)
        6.443
        """
        from goodarm.algorithm.identification.mixture.evidence import log_evidence

        return log_evidence(s, np.subtract(n, s), bar, np.subtract(1.0, bar), self.weights)

    def log_bad(self, n: Any, s: Any, bar: Any) -> Floats:
        """Return the log of E_bad after n rewards with sum s.

        Args:
            n: pulls.
            s: sum of the rewards, in unit rewards.
            bar: the mean that is not to be reached.
        """
        from goodarm.algorithm.identification.mixture.evidence import log_evidence

        return log_evidence(np.subtract(n, s), s, np.subtract(1.0, bar), bar, self.weights)

    def interval(self, setup: Setup, tally: Tally, levels: Levels) -> tuple[Floats, Floats]:
        """Return the bars that are proven, with the priors centred at each bar."""
        from goodarm.algorithm.identification.mixture.bounds import find_upper_bounds, lower_bounds

        lower = lower_bounds(tally.n, tally.total, levels[0], self.weights)
        upper = find_upper_bounds(tally.n, tally.total + tally.lost, levels[1], self.weights)
        return lower, upper
