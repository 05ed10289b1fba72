"""Beta distributions, on [0, 1] or on any other range."""

import math
from dataclasses import dataclass
from typing import ClassVar, Final

from goodarm.arguments import check_number
from goodarm.errors import invalid_argument
from goodarm.rewards.distribution import Distribution
from goodarm.wording import phrase

_MIN_PARAMETER: Final = 1e-3
_MAX_PARAMETER: Final = 1e9
_OWNER: Final = "Beta"


@dataclass(frozen=True, init=False, repr=False)
class Beta(Distribution):
    """Beta distribution, given by its mean and standard deviation or by its parameters.

    Args:
        mean, sd: in the units of the range. At the largest sd that the range allows, which is
            excluded, all rewards would lie at its two ends.
        a, b: the parameters, in place of mean and sd; from 0.001 to 1e9.
        low, high: the range; 0 and 1 by default.

    Raises:
        SpecError: the arguments do not go together, or no beta distribution has them.

    >>> Beta(mean=0.65, sd=0.1)
    Beta(a=14.1375, b=7.6125)
    >>> Beta(a=2, b=5, low=1, high=8).mean
    3.0
    """

    kind: ClassVar[str] = "beta"
    a: float
    b: float
    low: float
    high: float

    def __init__(
        self,
        *,
        mean: float | None = None,
        sd: float | None = None,
        a: float | None = None,
        b: float | None = None,
        low: float = 0.0,
        high: float = 1.0,
    ) -> None:
        low, high = check_number("low", _OWNER, low), check_number("high", _OWNER, high)
        if high <= low or not math.isfinite(high - low):
            raise invalid_argument(
                "high",
                _OWNER,
                phrase("be above {low}, {least}, by a finite number", least=repr(low)),
                high,
            )
        given = {"mean": mean, "sd": sd, "a": a, "b": b}
        names = {name for name, value in given.items() if value is not None}
        if names not in ({"mean", "sd"}, {"a", "b"}):
            raise invalid_argument(
                "parameters", _OWNER, "be mean and sd, or a and b", sorted(names)
            )
        if names == {"mean", "sd"}:
            a, b = _find_shape(mean, sd, low, high)
        for name, value in (("a", a), ("b", b)):
            number = check_number(name, _OWNER, value)
            if not _MIN_PARAMETER <= number <= _MAX_PARAMETER:
                remedy = "" if name in names else f"That is what mean={mean!r}, sd={sd!r} make it."
                raise invalid_argument(
                    name,
                    _OWNER,
                    f"be from {_MIN_PARAMETER:g} to {_MAX_PARAMETER:g}",
                    number,
                    remedy,
                )
            object.__setattr__(self, name, number)
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    @property
    def mean(self) -> float:
        """Expected reward."""
        return self.low + (self.high - self.low) * self.a / (self.a + self.b)

    @property
    def sd(self) -> float:
        """Standard deviation of a reward."""
        total = self.a + self.b
        return (self.high - self.low) * math.sqrt(self.a * self.b / (total + 1.0)) / total

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest reward."""
        return self.low, self.high

    def __repr__(self) -> str:
        ends = (self.low, self.high)
        more = "" if ends == (0.0, 1.0) else f", low={self.low!r}, high={self.high!r}"
        return f"Beta(a={self.a:.6g}, b={self.b:.6g}{more})"


def _find_shape(mean: object, sd: object, low: float, high: float) -> tuple[float, float]:
    """Return the parameters a, b with this mean and standard deviation."""
    center = check_number("mean", _OWNER, mean)
    if not low < center < high:
        raise invalid_argument("mean", _OWNER, f"be strictly between {low:g} and {high:g}", mean)
    spread = check_number("sd", _OWNER, sd)
    share, part = (center - low) / (high - low), spread / (high - low)
    most = math.sqrt(share * (1.0 - share))
    if not 0.0 < part < most:
        rule = f"be strictly between 0 and {most * (high - low):.6g}, the most with this mean"
        raise invalid_argument("sd", _OWNER, rule, sd)
    total = (most / part) ** 2 - 1.0
    return share * total, (1.0 - share) * total
