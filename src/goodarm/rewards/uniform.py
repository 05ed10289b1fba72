"""Uniform distribution on an interval."""

import math
from dataclasses import dataclass
from typing import ClassVar

from goodarm.arguments import check_number
from goodarm.errors import invalid_argument
from goodarm.rewards.distribution import Distribution


@dataclass(frozen=True, init=False, repr=False)
class Uniform(Distribution):
    """Uniform distribution from low to high.

    Args:
        low: the smallest reward.
        high: the largest reward, above ``low``.

    Raises:
        SpecError: a number is not finite, or ``high`` is not above ``low``.

    >>> Uniform(2, 5).mean
    3.5
    """

    kind: ClassVar[str] = "uniform"
    low: float
    high: float

    def __init__(self, low: float, high: float) -> None:
        low = check_number("low", "Uniform", low)
        high = check_number("high", "Uniform", high)
        if high < low or not math.isfinite(high - low):
            rule = f"be at least low = {low!r}, and above it by a finite number"
            raise invalid_argument("high", "Uniform", rule, high)
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    @property
    def mean(self) -> float:
        """Expected reward."""
        return self.low + (self.high - self.low) / 2.0

    @property
    def sd(self) -> float:
        """Standard deviation of a reward."""
        return (self.high - self.low) / math.sqrt(12.0)

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest reward."""
        return self.low, self.high

    def __repr__(self) -> str:
        return f"Uniform({self.low!r}, {self.high!r})"
