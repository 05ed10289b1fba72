"""What a paper may declare as its theory: functions of an instance and delta."""

from collections.abc import Callable
from dataclasses import dataclass

from goodarm.datasets import Instance
from goodarm.results import Fact, Quantity, Widths


def is_plain(instance: Instance) -> bool:
    """Whether rewards are 0 or 1, drawn without end."""
    return instance.is_plain


@dataclass(frozen=True)
class Theory:
    """What a report says of theory.

    Args:
        lower_bound: pulls to a quantity that no algorithm can do without; may be infinite.
        facts: parameters and numbers of theorems, if the paper has any.
        widths: confidence bounds to draw, if the paper has any.
        holds: which instances it is about: 0/1 rewards without a pool, unless given.
    """

    lower_bound: Callable[[Instance, float, Quantity], float]
    facts: Callable[[Instance, float], tuple[Fact, ...]] | None = None
    widths: Callable[[Instance, float], Widths] | None = None
    holds: Callable[[Instance], bool] = is_plain
