"""Base of identification rules, and what they are told of arms.

Three bases have the defaults: ``bound.BoundRule`` (a bound on the mean), ``counts.CountsRule`` (a
function of counts, looked up in curves) and ``wealth.WealthRule`` (bets on each reward).
"""

from abc import abstractmethod
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm.identification.curves import Curves
from goodarm.algorithm.identification.values import NO_VALUES, ValueCounts
from goodarm.algorithm.rule import Rule
from goodarm.kernels.codes import NO_CODE, Setup
from goodarm.problem import Problem

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Levels = tuple[float, float]
"""The logs of the evidence that proves good, and bad."""

NO_BETS: Final = np.zeros((2, 0))
"""Of a rule that does not bet."""


class Traits(NamedTuple):
    """Properties of a rule on one problem, for the engines; the fields are those of ``Setup``."""

    identification: int = NO_CODE
    has_curves: bool = False
    keeps_wealth: bool = False
    has_pool: bool = False
    level: float = 0.0
    constants: tuple[float, float] = (0.0, 0.0)


class Tally(NamedTuple):
    """Sums of rewards, in unit rewards: numbers for one arm, or arrays over arms."""

    n: Any
    """pulls, lost ones too"""
    total: Any
    """the sum of the rewards that came"""
    lost: Any = 0.0
    """pulls that were given up: 0 against good, 1 against bad"""
    wealth: NDArray[np.float64] = NO_BETS[0]
    """the logs of wealth of a rule that bets: half of them on good, half on bad"""
    values: ValueCounts = NO_VALUES
    """how often each reward came, where the rule asks for that; in order if it minds the order"""
    cases: Any = 0
    """in the arms' pools; 0 without one"""

    def of(self, arms: NDArray[np.intp]) -> "Tally":
        """Return the tally of these arms, where fields are arrays or the same for all."""
        n, total, lost, cases = (
            np.broadcast_to(part, len(self.n))[arms]
            for part in (self.n, self.total, self.lost, self.cases)
        )
        wealth = self.wealth[arms] if self.wealth.ndim > 1 else self.wealth
        values = self.values.of(arms) if len(self.values.starts) > 1 else self.values
        return Tally(n, total, lost, wealth, values, cases)


class Places(NamedTuple):
    """Numbers of pulls at which boundaries are wanted, evenly spaced in their logs."""

    step: float
    """between their logs, the first of which is 0"""
    size: int
    """how many there are in all"""
    ahead: int
    """how many an arm needs at most, from its pulls on"""

    @property
    def pulls(self) -> Floats:
        """All of them; fractions of pulls, too."""
        return np.asarray(np.exp(self.step * np.arange(self.size)))


class Boundaries(NamedTuple):
    """The sums from which on arms are proven good, and up to which they are proven bad.

    By places: one row for all arms, or one for each. Infinite where no sum is enough.
    """

    good: Floats
    bad: Floats
    pulls: Floats
    """where these are"""
    parts: Floats | float = 1.0
    """the variance of an arm's rewards, as a part of that of 0/1 rewards with its mean"""


class IdentificationRule(Rule):
    """Tells from an arm's own rewards whether the arm is decided. Its settings are frozen."""

    minds_order: ClassVar[bool] = False
    """whether what a reward is worth depends on the arm's rewards before it"""
    reads_counts_only: ClassVar[bool] = True
    """whether pulls and sums are all it needs of an arm's rewards"""
    shows_values: ClassVar[bool] = False
    """whether its interval is made of the values of rewards"""
    has_e_values: ClassVar[bool] = False
    """whether its evidence is that of an e-value, which control of false discoveries needs"""
    always_shown: ClassVar[tuple[str, ...]] = ()
    """settings that titles show at their defaults, too"""
    never_shown: ClassVar[tuple[str, ...]] = ()
    """settings that titles leave out"""

    def for_problem(self, problem: Problem) -> "IdentificationRule":
        """Return the rule in the form that the problem's rewards want."""
        return self

    def with_gap_hint(self, problem: Problem) -> "IdentificationRule":
        """Return the rule with the settings that the problem's bars and gap give it."""
        return self

    def check_problem(self, problem: Problem) -> None:
        """Refuse a problem that the rule does not fit, with the reason."""

    @abstractmethod
    def traits(self, problem: Problem, arms_planned: int) -> Traits:
        """Return what the engines may assume; raise as ``check_problem`` does.

        ``arms_planned`` is how many arms share delta.
        """

    def parameters(self, problem: Problem) -> dict[str, float]:
        """The numbers that its settings take on a problem, for documents."""
        return {}

    def paper_warmup(self, problem: Problem) -> int:
        """The warm-up its paper prescribes, in pulls of each arm: one, unless it says more."""
        return 1

    @abstractmethod
    def decide(self, setup: Setup, tally: Tally) -> int:
        """The label that one arm's rewards prove."""

    @abstractmethod
    def proven(self, setup: Setup, tally: Tally) -> tuple[Bools, Bools]:
        """Return which arms are proven good, and which bad."""

    def evidence(self, setup: Setup, tally: Tally) -> tuple[Floats, Floats] | None:
        """The logs of the e-values against "not good" and "not bad"; None without them."""
        return None

    def interval(self, setup: Setup, tally: Tally, levels: Levels) -> tuple[Floats, Floats] | None:
        """Lower bounds that make an arm good at the bar, upper ones that make it bad."""
        return None

    def boundaries(
        self, setup: Setup, tally: Tally, places: Places, levels: Levels
    ) -> Boundaries | None:
        """Return where arms would be labelled: the same for all, or for each by its rewards.

        None where that is not known: the pulls that arms need are then unclear.
        """
        return None

    def curves(self, setup: Setup) -> Curves | None:
        """The two curves of a rule that the kernels know by them alone."""
        return None

    def bet_rows(self, setup: Setup) -> Floats:
        """Return the bets on good, then on bad, and below them the logs of their shares."""
        return NO_BETS

    def pools(self, setup: Setup) -> Ints:
        """Each arm's cases, and the first row of its curves."""
        return np.zeros((setup.num_arms, 2), np.int64)
