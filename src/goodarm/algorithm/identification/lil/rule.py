"""Bound of the law of the iterated logarithm, as lil'HDoC uses it."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from goodarm.algorithm.identification.bound import BoundRule
from goodarm.algorithm.identification.lil.parameters import (
    MIN_EPSILON,
    compute_lil_constant,
    find_paper_epsilon,
    lil_parameters,
)
from goodarm.arguments import check_between
from goodarm.kernels import codes
from goodarm.problem import Problem


@dataclass(frozen=True)
class Lil(BoundRule):
    """LIL test: good when m - U(n) reaches the threshold, bad when m + U(n) is at most it.

    Args:
        epsilon: a number between 1e-9 and 1, or ``"paper"`` for the paper's choice from K and
            delta (which needs at least two arms and delta below 1/e).

    Guarantee: any wrong label with probability at most delta: the lemma bounds one side at all n
    at once by delta / K, and for each arm only one side can be wrong.

    Reference: Tsai, Tsai, Lin, lil'HDoC; the lemma is of Jamieson, Malloy, Nowak, Bubeck 2014.

    Raises:
        SpecError: epsilon is out of range.

    >>> Lil(epsilon=0.01)
    Lil(epsilon=0.01)
    """

    name: ClassVar[str] = "lil"
    code: ClassVar[int] = codes.LIL
    formula: ClassVar[str] = (
        "U(n) = (1 + sqrt(eps)) sqrt((1 + eps) / (2 n) log(c K log((1 + eps) n) / delta))"
    )

    epsilon: float | Literal["paper"] = "paper"

    def __post_init__(self) -> None:
        if not (isinstance(self.epsilon, str) and self.epsilon == "paper"):
            value = check_between("epsilon", "Lil", self.epsilon, MIN_EPSILON, 1)
            object.__setattr__(self, "epsilon", value)

    def constants(self, problem: Problem, arms_planned: int) -> tuple[float, float]:
        """Return epsilon, the paper's or the given one, and the constant c that follows from it.

        Args:
            problem: the problem to be labelled.
            arms_planned: the number of arms that share delta.

        Raises:
            SpecError: the paper's epsilon needs two arms and delta below 1/e.
        """
        if isinstance(self.epsilon, str):
            epsilon = find_paper_epsilon(arms_planned, problem.delta)
        else:
            epsilon = self.epsilon
        return epsilon, compute_lil_constant(epsilon)

    def parameters(self, problem: Problem) -> dict[str, float]:
        """Return the two constants by name."""
        epsilon, c = self.constants(problem, problem.union_size)
        return {"epsilon": epsilon, "c": c}

    def paper_warmup(self, problem: Problem) -> int:
        """Return the pulls from which on the bound is no wider than Hoeffding's."""
        epsilon, _ = self.constants(problem, problem.union_size)
        return lil_parameters(problem.union_size, problem.delta, epsilon=epsilon).warmup
