"""Theory that a paper declares: functions of an instance and delta."""

from collections.abc import Callable
from dataclasses import dataclass

from goodarm.datasets import Instance
from goodarm.results import Fact, Quantity, Widths


def is_plain(instance: Instance) -> bool:
    """Return whether rewards are 0 or 1 and there is no pool."""
    return instance.is_plain


@dataclass(frozen=True)
class Theory:
    """Theory of a paper, as a report shows it.

    Args:
        lower_bound: expected pulls to a quantity that every algorithm needs; may be infinite.
        facts: parameters and numbers of theorems, if the paper has any.
        widths: confidence bounds to plot, if the paper has any.
        holds: whether the theory covers an instance; by default, 0/1 rewards without a pool.
    """

    lower_bound: Callable[[Instance, float, Quantity], float]
    facts: Callable[[Instance, float], tuple[Fact, ...]] | None = None
    widths: Callable[[Instance, float], Widths] | None = None
    holds: Callable[[Instance], bool] = is_plain
