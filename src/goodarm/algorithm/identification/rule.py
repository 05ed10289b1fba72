"""Base class of identification rules, and their inputs.

Three subclasses implement most of it: ``bound.BoundRule`` (a bound on the mean),
``counts.CountsRule`` (a function of counts, looked up in curves) and ``wealth.WealthRule`` (bets on
each reward).
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
"""Logs of the evidence that proves good, and bad."""

NO_BETS: Final = np.zeros((2, 0))
"""Bets of a rule that does not bet."""


class IdentificationTraits(NamedTuple):
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
    """pulls that were given up: they count as 0 for good and as 1 for bad"""
    wealth: NDArray[np.float64] = NO_BETS[0]
    """logs of the gamblers' wealth: the first half on good, the second on bad"""
    values: ValueCounts = NO_VALUES
    """how often each reward came, if the rule uses it; in order if the rule needs the order"""
    cases: Any = 0
    """number of cases in the arms' pools; 0 without a pool"""

    def of(self, arms: NDArray[np.intp]) -> "Tally":
        """Return the tally of these arms; fields are arrays, or one value for all."""
        n, total, lost, cases = (
            np.broadcast_to(part, len(self.n))[arms]
            for part in (self.n, self.total, self.lost, self.cases)
        )
        wealth = self.wealth[arms] if self.wealth.ndim > 1 else self.wealth
        values = self.values.of(arms) if len(self.values.starts) > 1 else self.values
        return Tally(n, total, lost, wealth, values, cases)


class Places(NamedTuple):
    """Numbers of pulls at which boundaries are computed, evenly spaced in their logs."""

    step: float
    """distance between their logs, the first of which is 0"""
    size: int
    """number of places"""
    ahead: int
    """most places that an arm needs, from its pulls on"""

    @property
    def pulls(self) -> Floats:
        """Numbers of pulls at all places; not whole numbers."""
        return np.asarray(np.exp(self.step * np.arange(self.size)))


class Boundaries(NamedTuple):
    """Sums from which on arms are proven good, and up to which they are proven bad.

    Columns are places; one row is for all arms, or there is one for each. Infinite if no sum is
    enough.
    """

    good: Floats
    bad: Floats
    pulls: Floats
    """the places"""
    parts: Floats | float = 1.0
    """variance of an arm's rewards, as a fraction of that of 0/1 rewards with its mean"""


class IdentificationRule(Rule):
    """Rule that labels an arm from its own rewards. Its settings are frozen.

    >>> import goodarm as ga
    >>> isinstance(ga.rules.Mixture(), IdentificationRule)
    True
    """

    depends_on_order: ClassVar[bool] = False
    """whether the effect of a reward depends on the arm's rewards before it"""
    reads_counts_only: ClassVar[bool] = True
    """whether it needs only pulls and sums of an arm's rewards"""
    shows_values: ClassVar[bool] = False
    """whether its interval is computed from the values of rewards"""
    has_e_values: ClassVar[bool] = False
    """whether its evidence is an e-value, which control of false discoveries needs"""
    always_shown: ClassVar[tuple[str, ...]] = ()
    """settings that titles show even at their defaults"""
    never_shown: ClassVar[tuple[str, ...]] = ()
    """settings that titles leave out"""

    def for_problem(self, problem: Problem) -> "IdentificationRule":
        """Return the rule in the form for the problem's rewards.

        Args:
            problem: the problem to be labelled.
        """
        return self

    def with_gap_hint(self, problem: Problem) -> "IdentificationRule":
        """Return the rule with its settings adapted to the problem's bars and gap.

        Args:
            problem: the problem, with its ``gap``.
        """
        return self

    def check_problem(self, problem: Problem) -> None:
        """Raise an error with the reason if the rule cannot be used on the problem.

        Args:
            problem: the problem to be labelled.

        Raises:
            SpecError: the rule's guarantee does not hold there, for example for rewards of this
                kind.
        """

    @abstractmethod
    def traits(self, problem: Problem, arms_planned: int) -> IdentificationTraits:
        """Return the properties that the engines rely on; raise as ``check_problem`` does.

        ``arms_planned`` is the number of arms that share delta.

        Args:
            problem: the problem to be labelled.
            arms_planned: the number of arms that share delta.

        Raises:
            SpecError: as in ``check_problem``.
        """

    def parameters(self, problem: Problem) -> dict[str, float]:
        """Return the numbers that the settings resolve to on a problem, for documents.

        Args:
            problem: the problem to be labelled.
        """
        return {}

    def paper_warmup(self, problem: Problem) -> int:
        """Return the warm-up of the rule's paper, in pulls of each arm; 1 by default.

        Args:
            problem: the problem to be labelled.
        """
        return 1

    @abstractmethod
    def decide(self, setup: Setup, tally: Tally) -> int:
        """Return the label that one arm's rewards prove.

        Args:
            setup: problem and algorithm as numbers.
            tally: the arm's pulls and sums.

        Returns:
            1 good, -1 bad, 0 undecided.
        """

    @abstractmethod
    def proven(self, setup: Setup, tally: Tally) -> tuple[Bools, Bools]:
        """Return which arms are proven good, and which bad.

        Args:
            setup: problem and algorithm as numbers.
            tally: the arms' pulls and sums.
        """

    def evidence(self, setup: Setup, tally: Tally) -> tuple[Floats, Floats] | None:
        """Return the logs of the e-values against "not good" and "not bad"; None without them.

        Args:
            setup: problem and algorithm as numbers.
            tally: the arms' pulls and sums.
        """
        return None

    def interval(self, setup: Setup, tally: Tally, levels: Levels) -> tuple[Floats, Floats] | None:
        """Return bounds on the means: a lower one at the bar proves good, an upper one bad.

        Args:
            setup: problem and algorithm as numbers.
            tally: the arms' pulls and sums.
            levels: logs of the evidence that is enough for good, and for bad.
        """
        return None

    def boundaries(
        self, setup: Setup, tally: Tally, places: Places, levels: Levels
    ) -> Boundaries | None:
        """Return the sums at which arms would be labelled: the same for all, or one set for each.

        None if they are not known; the pulls that arms need are then not predicted.

        Args:
            setup: problem and algorithm as numbers.
            tally: the arms' pulls and sums.
            places: the numbers of pulls to compute them at.
            levels: logs of the evidence that is enough for good, and for bad.
        """
        return None

    def curves(self, setup: Setup) -> Curves | None:
        """Return the two curves from which the kernels look labels up; None without them.

        Args:
            setup: problem and algorithm as numbers.
        """
        return None

    def bet_rows(self, setup: Setup) -> Floats:
        """Return the bets on good, then on bad, and below them the logs of their shares.

        Args:
            setup: problem and algorithm as numbers.
        """
        return NO_BETS

    def pools(self, setup: Setup) -> Ints:
        """Return the number of cases of each arm, and the first row of its curves.

        Args:
            setup: problem and algorithm as numbers.
        """
        return np.zeros((setup.num_arms, 2), np.int64)
