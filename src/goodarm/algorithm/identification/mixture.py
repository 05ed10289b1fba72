"""The mixture test: exact for rare successes, from counts alone.

What needs scipy is loaded when it is first needed.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from goodarm.algorithm.identification.evidence import EvidenceRule, Floats, level_of
from goodarm.algorithm.identification.rule import Tally
from goodarm.checks import check_list, check_number
from goodarm.errors import must
from goodarm.kernels.codes import Setup

WEIGHTS: Final = (1.0, 4.0, 16.0, 64.0)
"""Those of the priors, in observations of the rarer outcome: from few pulls to many."""


@dataclass(frozen=True)
class Mixture(EvidenceRule):
    """Good when E_good reaches K / delta, bad when E_bad does.

    Args:
        weights: those of the priors that are averaged, in observations of the rarer outcome. The
            prior of weight w is Beta(q bar, q (1 - bar)) with q = w / min(bar, 1 - bar), cut off at
            the bar. Fix them before the first reward.

    Guarantee: any wrong label with probability at most delta, for 0/1 rewards and for any rewards
    in a known range whose mean, given all that came before, stays the same; the argument stands in
    ``goodarm.algorithm.mixture``.

    Reference: Robbins 1970 for mixtures of likelihood ratios; the cut at the bar, the priors scaled
    by it and their average are this package's own.

    >>> Mixture(weights=[4]).to_dict()
    {'rule': 'mixture', 'weights': [4.0]}
    """

    name: ClassVar[str] = "mixture"
    formula: ClassVar[str] = (
        "average over priors, each cut off at the bar, of its mean likelihood / that at the bar"
    )

    weights: tuple[float, ...] = WEIGHTS

    def __post_init__(self) -> None:
        given = check_list("weights", "Mixture", self.weights, "numbers")
        values = tuple(check_number("weights", "Mixture", value) for value in given)
        if not values or not all(1e-3 <= value <= 1e6 for value in values):
            raise must("weights", "Mixture", "be numbers from 0.001 to 1e6", self.weights)
        object.__setattr__(self, "weights", values)

    def to_dict(self) -> dict[str, Any]:
        """The rule as JSON."""
        return {"rule": self.name, "weights": list(self.weights)}

    def log_good(self, n: Any, s: Any, bar: float) -> Floats:
        """The log of E_good."""
        from goodarm.algorithm.mixture import log_evidence_good

        return log_evidence_good(n, s, bar, self.weights)

    def log_bad(self, n: Any, s: Any, bar: float) -> Floats:
        """The log of E_bad."""
        from goodarm.algorithm.mixture import log_evidence_bad

        return log_evidence_bad(n, s, bar, self.weights)

    def interval(self, setup: Setup, tally: Tally) -> tuple[float, float]:
        """The bars that are proven, with the priors centred at each: good above, bad below."""
        from goodarm.algorithm.intervals import lower_bounds, upper_bounds

        n, total, lost, _ = tally
        level = level_of(setup)
        lower = lower_bounds(n, total, level, self.weights)
        upper = upper_bounds(n, total + lost, level, self.weights)
        return float(lower), float(upper)

    def remaining(self, setup: Setup, tally: Tally) -> tuple[float, float] | None:
        """By the formula of ``goodarm.algorithm.pulls``; None where pulls were lost."""
        from goodarm.algorithm.pulls import pulls_needed

        if tally.lost:
            return None
        n, total = np.array([float(tally.n)]), np.array([tally.total])
        levels = (level_of(setup), level_of(setup))
        bars = (setup.good_bar, setup.bad_bar)
        expected, likely = pulls_needed(n, total, bars, levels, self.weights)
        return float(expected[0]), float(likely[0])
