"""What a sampling rule is: one of the kernels' own, or a class in Python."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from goodarm.algorithm.rule import Rule
from goodarm.algorithm.sampling.view import View
from goodarm.errors import invalid_argument
from goodarm.kernels import codes


class Traits(NamedTuple):
    """What the engines may assume of a sampling rule; the fields are those of ``Setup``."""

    sampling: int = codes.NO_CODE
    is_line: bool = True
    has_clock: bool = False
    is_stepped: bool = False
    falls_on_failure: bool = False


class SamplingRule(Rule):
    """Chooses the arm to pull next, in Python.

    Make a class of your own with a ``name`` and ``choose``. What it chooses must follow from the
    view alone: the rule keeps no state, and draws from ``view.rng`` if it draws. The guarantee
    does not depend on it, for the tests are valid under any choices.

    >>> import numpy as np
    >>> class Least(SamplingRule):
    ...     name = "least"
    ...     def choose(self, view):
    ...         return int(np.where(view.active, view.pulls, np.inf).argmin())
    """

    reference: ClassVar[str] = "a rule of one's own"
    """where it comes from"""
    can_starve: ClassVar[bool] = False
    """whether an arm on the threshold can keep it from the other arms for good"""
    unknown_gap: ClassVar[float] = 0.0
    """how far above the threshold the mean stands of an arm whose pulls are all still out"""

    step_cost: ClassVar[float] = 40.0
    """what asking it costs, in steps of the compiled engines; for plans"""

    @abstractmethod
    def choose(self, view: View) -> int:
        """The position of an arm that is active."""

    @property
    def traits(self) -> Traits:
        """None: the engine that asks Python at each pull assumes nothing."""
        return Traits()


@dataclass(frozen=True)
class IndexRule:
    """Pulls the arm with the largest index, which the kernels compute.

    Args:
        name: how users and documents call it.
        code: its branches in ``kernels.dispatch``.
        formula: the arm it pulls, in the notation of the docs.
        reference: where it comes from.
        is_line: its index is level + width * clock.
        has_clock: its index rises while other arms are pulled. It must never fall then.
        is_stepped: it rises in steps, because t is rounded down to its four leading bits.
        falls_on_failure: under failures its index falls or, if it is a line, rises and then falls.
            Without that the fast engine does not take it.
        step_cost: what a step of the engine costs, in steps that invert a divergence.
        can_starve: whether an arm on the threshold can keep it from the other arms for good.
        unknown_gap: the distance from the threshold, in unit rewards, that stands for the mean of
            an arm none of whose pulls has come back yet.
    """

    name: str
    code: int
    formula: str
    reference: str
    is_line: bool = True
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
    def traits(self) -> Traits:
        """As declared."""
        return Traits(
            self.code, self.is_line, self.has_clock, self.is_stepped, self.falls_on_failure
        )

    def to_dict(self) -> dict[str, Any]:
        """The rule as JSON."""
        return {"rule": self.name}
