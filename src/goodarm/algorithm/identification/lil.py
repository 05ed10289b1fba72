"""The bound of the law of the iterated logarithm, as lil'HDoC uses it."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from goodarm.algorithm.identification.bounds import BoundRule
from goodarm.algorithm.identification.rule import Parameters
from goodarm.algorithm.lil import LEAST_EPSILON, lil_constant, lil_parameters, paper_epsilon
from goodarm.checks import check_between
from goodarm.kernels import codes
from goodarm.problem import Problem


@dataclass(frozen=True)
class Lil(BoundRule):
    """Good when m - U(n) reaches the threshold, bad when m + U(n) does not exceed it.

    Args:
        epsilon: a number between 1e-9 and 1, or ``"paper"`` for the paper's choice from K and
            delta (which needs at least two arms and delta below 1/e).

    Guarantee: any wrong label with probability at most delta: the lemma bounds one side at all n
    at once by delta / K, and for each arm only one side can be wrong.

    Reference: Tsai, Tsai, Lin, lil'HDoC; the lemma is of Jamieson, Malloy, Nowak, Bubeck 2014.

    >>> Lil(epsilon=0.01)
    Lil(epsilon=0.01)
    """

    name: ClassVar[str] = "lil"
    formula: ClassVar[str] = (
        "U(n) = (1 + sqrt(eps)) sqrt((1 + eps) / (2 n) log(c K log((1 + eps) n) / delta))"
    )

    epsilon: float | Literal["paper"] = "paper"

    def __post_init__(self) -> None:
        if not (isinstance(self.epsilon, str) and self.epsilon == "paper"):
            value = check_between("epsilon", "Lil", self.epsilon, LEAST_EPSILON, 1)
            object.__setattr__(self, "epsilon", value)

    def parameters(self, problem: Problem) -> Parameters:
        """The paper's epsilon or the one given, and the constant c that follows."""
        if isinstance(self.epsilon, str):
            epsilon = paper_epsilon(problem.num_arms, problem.delta)
        else:
            epsilon = self.epsilon
        return Parameters(codes.LIL, epsilon, lil_constant(epsilon))

    def paper_warmup(self, problem: Problem) -> int:
        """The pulls from which on the bound is no wider than Hoeffding's."""
        epsilon = self.parameters(problem).epsilon
        return lil_parameters(problem.num_arms, problem.delta, epsilon=epsilon).warmup

    def to_dict(self) -> dict[str, Any]:
        """The rule as JSON."""
        return {"rule": self.name, "epsilon": self.epsilon}
