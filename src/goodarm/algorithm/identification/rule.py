"""What an identification rule is: a bound, told to the kernels as a code and parameters."""

from typing import Any, ClassVar, NamedTuple, Protocol

from goodarm.algorithm.curves import GrowingCurves
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem


class BoundParameters(NamedTuple):
    """The numbers of a bound beside K and delta; 0 where a rule has none."""

    epsilon: float
    c: float


class IdentificationRule(Protocol):
    """Tells from an arm's own counts whether the arm is decided."""

    name: ClassVar[str]
    code: ClassVar[int]
    formula: ClassVar[str]

    def parameters(self, problem: Problem) -> BoundParameters:
        """The bound's numbers for this problem."""
        ...

    def paper_warmup(self, problem: Problem) -> int:
        """The warm-up its paper prescribes, in pulls of each arm."""
        ...

    def decide(self, setup: Setup, n: int, total: float, lost: float) -> int:
        """The label that n pulls prove; ``total`` is the sum without the lost ones."""
        ...

    def evidence(
        self, setup: Setup, n: int, total: float, lost: float
    ) -> tuple[float, float] | None:
        """The logs of the e-values against "not good" and "not bad"; None without them."""
        ...

    def interval(self, setup: Setup, n: int, total: float, lost: float) -> tuple[float, float]:
        """The lower bound that makes the arm good at the bar, the upper that makes it bad."""
        ...

    def curves(self, setup: Setup) -> GrowingCurves | None:
        """The two curves of 0/1 rewards, for a rule that the kernels know by them alone."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """The rule as JSON: its name and its settings."""
        ...
