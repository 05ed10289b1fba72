"""Base classes of sampling rules: indices in the kernels, and rules in Python."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from goodarm.algorithm.rule import Rule
from goodarm.algorithm.sampling.view import View
from goodarm.errors import invalid_argument
from goodarm.kernels import codes


class SamplingTraits(NamedTuple):
    """Properties of a sampling rule that the engines rely on; fields of ``Setup``."""

    sampling: int = codes.NO_CODE
    is_linear: bool = True
    has_clock: bool = False
    is_stepped: bool = False
    falls_on_failure: bool = False


class SamplingRule(Rule):
    """Sampling rule in Python: chooses the arm to pull next.

    Write a subclass with a ``name`` and ``choose``. The choice must depend on the view alone: the
    rule keeps no state, and takes random numbers from ``view.rng`` only. The guarantee does not
    depend on the rule, because the tests are valid under any choices.

    >>> import numpy as np
    >>> class Least(SamplingRule):
    ...     name = "least"
    ...     def choose(self, view):
    ...         return int(np.where(view.active, view.pulls, np.inf).argmin())
    """

    reference: ClassVar[str] = "a rule of one's own"
    """the source of the rule"""
    can_starve: ClassVar[bool] = False
    """whether an arm on the threshold can keep it from the other arms forever"""
    unknown_gap: ClassVar[float] = 0.0
    """distance above the threshold of the mean assumed for an arm whose pulls are all pending"""

    step_cost: ClassVar[float] = 40.0
    """cost of one choice, in steps of the compiled engines; for plans"""

    @abstractmethod
    def choose(self, view: View) -> int:
        """Choose the arm to pull: return the position of an active arm.

        Args:
            view: the arms' pulls and means, and a generator of random numbers.

        Returns:
            The position of an active arm.
        """

    @property
    def traits(self) -> SamplingTraits:
        """Default traits: the engine that calls Python at each pull relies on none."""
        return SamplingTraits()


@dataclass(frozen=True)
class IndexRule:
    """Sampling rule that pulls the arm with the largest index, which the kernels compute.

    Args:
        name: its name for users and in documents.
        code: selects its branches in ``kernels.dispatch``.
        formula: the arm it pulls, in the notation of the docs.
        reference: the source of the rule.
        is_linear: whether its index is level + width * clock.
        has_clock: whether its index rises while other arms are pulled. It must never fall then.
        is_stepped: whether it rises in steps, because t is rounded down to its four leading bits.
        falls_on_failure: whether its index falls with failures or, if it is a line, rises and then
            falls. The fast engine takes only such rules.
        step_cost: the cost of an engine's step, in steps that invert a divergence.
        can_starve: whether an arm on the threshold can keep it from the other arms forever.
        unknown_gap: the distance from the threshold, in unit rewards, of the mean assumed for an
            arm whose pulls are all pending.
    """

    name: str
    code: int
    formula: str
    reference: str
    is_linear: bool = True
    has_clock: bool = False
    is_stepped: bool = False
    falls_on_failure: bool = True
    step_cost: float = 0.25
    can_starve: bool = False
    unknown_gap: float = 0.0

    def __post_init__(self) -> None:
        if self.code not in codes.INDICES:
            known = ", ".join(map(str, codes.INDICES))
            raise invalid_argument(
                "code",
                f"the {self.name} rule",
                f"be one of {known}, which have branches in kernels/dispatch.py",
                self.code,
                "A rule in Python needs no code: make it a SamplingRule.",
            )

    @property
    def traits(self) -> SamplingTraits:
        """Traits as declared."""
        return SamplingTraits(
            self.code, self.is_linear, self.has_clock, self.is_stepped, self.falls_on_failure
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the rule as JSON."""
        return {"rule": self.name}
