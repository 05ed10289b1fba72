"""The mixture test: exact for rare successes, from counts alone.

What needs scipy is loaded when it is first needed.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Final

import numpy as np

from goodarm.algorithm.curves import GrowingCurves
from goodarm.algorithm.identification.rule import BoundParameters
from goodarm.checks import check_list, check_number
from goodarm.errors import SpecError, must
from goodarm.kernels import codes
from goodarm.kernels.codes import BAD, GOOD, UNDECIDED, Setup
from goodarm.problem import Problem

WEIGHTS: Final = (1.0, 4.0, 16.0, 64.0)
"""Those of the priors, in observations of the rarer outcome: from few pulls to many."""

_FEW: Final = 4096
"""Up to so many successes the curves are looked up in ask and tell."""


@dataclass(frozen=True)
class Mixture:
    """Good when E_good reaches K / delta, bad when E_bad does.

    Args:
        weights: those of the priors that are averaged, in observations of the rarer outcome. The
            prior of weight w is Beta(q bar, q (1 - bar)) with q = w / min(bar, 1 - bar), cut off at
            the bar. Fix them before the first reward.

    Guarantee: any wrong label with probability at most delta, for 0/1 rewards and for any rewards
    in a known range whose mean, given all that came before, stays the same; the argument stands in
    ``goodarm.algorithm.mixture``.

    >>> Mixture(weights=[4]).to_dict()
    {'rule': 'mixture', 'weights': [4.0]}
    """

    name: ClassVar[str] = "mixture"
    code: ClassVar[int] = codes.CURVES
    formula: ClassVar[str] = (
        "average over priors of B(s+a, n-s+b) / B(a, b) / likelihood at the bar"
    )

    weights: tuple[float, ...] = WEIGHTS

    def __post_init__(self) -> None:
        given = check_list("weights", "Mixture", self.weights, "numbers")
        values = tuple(check_number("weights", "Mixture", value) for value in given)
        if not values or not all(1e-3 <= value <= 1e6 for value in values):
            raise must("weights", "Mixture", "be numbers from 0.001 to 1e6", self.weights)
        object.__setattr__(self, "weights", values)

    def parameters(self, problem: Problem) -> BoundParameters:
        """None; the rewards must lie in a known range."""
        if problem.rewards == "gaussian":
            raise SpecError(
                "The mixture rule needs rewards in a known range, and Gaussian ones have none. Use "
                "identification='hoeffding' or 'lil'."
            )
        return BoundParameters(epsilon=0.0, c=0.0)

    def paper_warmup(self, problem: Problem) -> int:
        """One pull of each arm."""
        return 1

    def to_dict(self) -> dict[str, Any]:
        """The rule as JSON."""
        return {"rule": self.name, "weights": list(self.weights)}

    def curves(self, setup: Setup) -> GrowingCurves:
        """The two curves of 0/1 rewards."""
        return _curves(setup.good_bar, setup.bad_bar, _level(setup), self.weights)

    def evidence(self, setup: Setup, n: int, total: float, lost: float) -> tuple[float, float]:
        """The logs of E_good and E_bad; lost pulls count as 0 for good and as 1 for bad."""
        from goodarm.algorithm.mixture import log_evidence_bad, log_evidence_good

        good = log_evidence_good(n, total, setup.good_bar, self.weights)
        bad = log_evidence_bad(n, total + lost, setup.bad_bar, self.weights)
        return float(good), float(bad)

    def decide(self, setup: Setup, n: int, total: float, lost: float) -> int:
        """The label that n pulls prove; where a margin makes both true the mean decides."""
        if setup.rewards == codes.BERNOULLI and total + lost < _FEW:
            rows = self.curves(setup).reach(int(total + lost) + 1)
            good = n <= rows[int(total)]["good_until"]
            bad = n >= rows[int(total + lost)]["bad_from"]
        else:
            level = _level(setup)
            good, bad = (value >= level for value in self.evidence(setup, n, total, lost))
        if good and bad:
            return GOOD if total / max(n - lost, 1.0) >= setup.threshold else BAD
        if good:
            return GOOD
        return BAD if bad else UNDECIDED

    def interval(self, setup: Setup, n: int, total: float, lost: float) -> tuple[float, float]:
        """The bars that are proven, with the priors centred at each: good above, bad below."""
        from goodarm.algorithm.mixture import log_evidence_bad, log_evidence_good

        level = _level(setup)

        def is_good(bar: float) -> bool:
            return bool(log_evidence_good(n, total, bar, self.weights) >= level)

        def is_bad(bar: float) -> bool:
            return bool(log_evidence_bad(n, total + lost, bar, self.weights) >= level)

        lower = _last(is_good, 0.0, total / n)
        upper = _last(is_bad, 1.0, (total + lost) / n)
        return lower, upper


def _level(setup: Setup) -> float:
    """The log of the evidence that proves a label."""
    return math.log(setup.num_arms / setup.delta)


def _last(is_proven: Callable[[float], bool], proven: float, open_end: float) -> float:
    """The end of the bars that are proven, between one that is and one that is not."""
    for _ in range(60):
        middle = 0.5 * (proven + open_end)
        if middle in (proven, open_end):
            break
        proven, open_end = (middle, open_end) if is_proven(middle) else (proven, middle)
    return proven


@lru_cache(maxsize=32)
def _curves(
    good_bar: float, bad_bar: float, level: float, weights: tuple[float, ...]
) -> GrowingCurves:
    """One set of curves for all runs of a problem."""
    from goodarm.algorithm.mixture import log_evidence_bad, log_evidence_good

    return GrowingCurves(
        lambda n, s: np.asarray(log_evidence_good(n, s, good_bar, weights) >= level),
        lambda n, s: np.asarray(log_evidence_bad(n, s, bad_bar, weights) >= level),
    )
