"""What a paper may declare as its theory: functions of an instance and delta."""

from collections.abc import Callable
from dataclasses import dataclass

from goodarm.datasets import Instance
from goodarm.results.quantity import Quantity
from goodarm.results.theory import Fact, Widths


@dataclass(frozen=True)
class Theory:
    """What a report says of theory.

    Args:
        lower_bound: pulls to a quantity that no algorithm can do without; may be infinite.
        facts: parameters and numbers of theorems, if the paper has any.
        widths: confidence bounds to draw, if the paper has any.
    """

    lower_bound: Callable[[Instance, float, Quantity], float]
    facts: Callable[[Instance, float], tuple[Fact, ...]] | None = None
    widths: Callable[[Instance, float], Widths] | None = None
