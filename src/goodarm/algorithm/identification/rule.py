"""What an identification rule is, and what it is told of an arm."""

from typing import Any, ClassVar, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm.curves import Curves
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem

NO_BETS: Final = np.zeros((2, 0))
"""The grid of a rule that does not bet."""


class Parameters(NamedTuple):
    """What the kernels are told of a rule: its code for this problem, and LIL's two numbers."""

    code: int
    epsilon: float = 0.0
    c: float = 0.0


class Tally(NamedTuple):
    """What an arm's own rewards, in unit rewards, come to."""

    n: int
    """pulls, lost ones too"""
    total: float
    """the sum of the rewards that came"""
    lost: float = 0.0
    """pulls that were given up: 0 against good, 1 against bad"""
    wealth: NDArray[np.float64] = NO_BETS[0]
    """the logs of wealth of a rule that bets: half of them on good, half on bad"""


class IdentificationRule(Protocol):
    """Tells from an arm's own rewards whether the arm is decided."""

    name: ClassVar[str]
    formula: ClassVar[str]
    minds_order: ClassVar[bool]
    """whether what a reward is worth depends on the arm's rewards before it"""

    def parameters(self, problem: Problem) -> Parameters:
        """What the kernels are told, or the error that says why the rule does not fit."""
        ...

    def paper_warmup(self, problem: Problem) -> int:
        """The warm-up its paper prescribes, in pulls of each arm."""
        ...

    def decide(self, setup: Setup, tally: Tally) -> int:
        """The label that is proven."""
        ...

    def evidence(self, setup: Setup, tally: Tally) -> tuple[float, float] | None:
        """The logs of the e-values against "not good" and "not bad"; None without them."""
        ...

    def interval(self, setup: Setup, tally: Tally) -> tuple[float, float] | None:
        """The lower bound that makes the arm good at the bar, the upper that makes it bad."""
        ...

    def remaining(self, setup: Setup, tally: Tally) -> tuple[float, float] | None:
        """Pulls to go if the mean is what it looks like: expected, and enough in 90 % of cases.

        Infinite where no number would do; None where the rule has no formula.
        """
        ...

    def curves(self, setup: Setup) -> Curves | None:
        """The two curves of a rule that the kernels know by them alone."""
        ...

    def bets(self, setup: Setup) -> NDArray[np.float64]:
        """The grid of bets on good and on bad, one row each, of a rule that bets."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """The rule as JSON: its name and its settings."""
        ...
