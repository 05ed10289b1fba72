"""What an identification rule is: a bound, told to the kernels as a code and parameters."""

from typing import Any, ClassVar, NamedTuple, Protocol

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

    def to_dict(self) -> dict[str, Any]:
        """The rule as JSON: its name and its settings."""
        ...
