"""What the rules with evidence from counts share: labels, e-values and curves.

What is compiled is loaded when it is first needed.
"""

import math
from abc import ABC, abstractmethod
from functools import lru_cache
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm.curves import Curves, CurvesByPulls, CurvesBySuccesses, Side
from goodarm.algorithm.identification.rule import NO_BETS, Parameters, Tally
from goodarm.errors import SpecError, must
from goodarm.kernels import codes
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem

Floats = NDArray[np.float64]

LEAST_PART: Final = 1e-9
"""Bars keep so much of the rewards' range between them and its ends."""

_FEW: Final = 4096
"""Up to so many rows the curves are looked up in ask and tell."""


def level_of(setup: Setup) -> float:
    """The log of the evidence that proves a label: K / delta."""
    return math.log(setup.num_arms / setup.delta)


def check_range(problem: Problem, name: str) -> None:
    """Rewards must lie in a known range, and the bars not at its very ends.

    There one minus the bar has no digits left, and evidence would be noise.
    """
    if problem.rewards == "gaussian":
        needs = f"The {name} rule needs rewards in a known range, and Gaussian ones have none."
        raise SpecError(
            f"{needs} Use identification='hoeffding' or 'lil'.",
            f"{needs} Use an --algorithm that identifies by hoeffding or lil, such as hdoc.",
        )
    low, high = problem.reward_range or (0.0, 1.0)
    least = LEAST_PART * (high - low)
    below = problem.threshold - problem.margin - low
    above = high - problem.threshold - problem.margin
    if below < least or above < least:
        rule = f"stay at least {least:g} away from {low:g} and {high:g}, margin included"
        raise must("threshold", f"the {name} rule", rule, problem.threshold)


def decide_by_wealth(setup: Setup, tally: Tally) -> int:
    """The label that the wealth of a rule that bets has proven."""
    from goodarm.kernels.bets import has_won
    from goodarm.kernels.rules import settle

    good, bad = has_won(setup, tally.wealth)
    return int(settle(setup, good, bad, tally.total / max(tally.n - tally.lost, 1.0)))


class EvidenceRule(ABC):
    """An identification rule that the kernels know by its curves. Its settings are frozen."""

    name: ClassVar[str]
    minds_order: ClassVar[bool] = False

    @abstractmethod
    def log_good(self, n: Any, s: Any, bar: float) -> Floats:
        """The log of the evidence, after n rewards with sum s, that the mean is above the bar."""

    @abstractmethod
    def log_bad(self, n: Any, s: Any, bar: float) -> Floats:
        """The log of the evidence that the mean is below the bar."""

    def parameters(self, problem: Problem) -> Parameters:
        """None; the rewards must lie in a known range."""
        check_range(problem, self.name)
        return Parameters(codes.CURVES)

    def paper_warmup(self, problem: Problem) -> int:
        """One pull of each arm."""
        return 1

    def curves(self, setup: Setup) -> Curves | None:
        """The two curves, one set for all runs of a problem."""
        by_successes = setup.rewards == codes.BERNOULLI
        return _curves(self, setup.good_bar, setup.bad_bar, level_of(setup), by_successes)

    def bets(self, setup: Setup) -> Floats:
        """None."""
        return NO_BETS

    def evidence(self, setup: Setup, tally: Tally) -> tuple[float, float]:
        """The logs of E_good and E_bad; lost pulls count as 0 for good and as 1 for bad."""
        good = self.log_good(tally.n, tally.total, setup.good_bar)
        bad = self.log_bad(tally.n, tally.total + tally.lost, setup.bad_bar)
        return float(good), float(bad)

    def decide(self, setup: Setup, tally: Tally) -> int:
        """The label that is proven; where a margin makes both true the mean decides."""
        from goodarm.kernels.rules import settle

        n, total, lost, _ = tally
        curves = self.curves(setup)
        if curves is not None and curves.row(n, total + lost) < _FEW:
            good, bad = curves.is_good(n, total), curves.is_bad(n, total + lost)
        else:
            level = level_of(setup)
            good, bad = (value >= level for value in self.evidence(setup, tally))
        return int(settle(setup, good, bad, total / max(n - lost, 1.0)))


@lru_cache(maxsize=32)
def _curves(
    rule: EvidenceRule, good_bar: float, bad_bar: float, level: float, by_successes: bool
) -> Curves:
    kind = CurvesBySuccesses if by_successes else CurvesByPulls
    return kind(
        Side(lambda n, s: rule.log_good(n, s, good_bar) - level, good_bar),
        Side(lambda n, s: rule.log_bad(n, s, bad_bar) - level, bad_bar),
    )
