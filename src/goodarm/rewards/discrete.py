"""Discrete distributions: ratings, prices, or a sample."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from goodarm.arguments import check_list, check_number
from goodarm.errors import invalid_argument
from goodarm.rewards.distribution import Distribution

_OWNER: Final = "Discrete"
_VALUES_SHOWN: Final = 6
_MAX_VALUE: Final = 1e100
"""Largest value or weight: products of larger ones would overflow."""


@dataclass(frozen=True, init=False, repr=False)
class Discrete(Distribution):
    """Discrete distribution: a list of values and their weights.

    Args:
        values: the values, in any order; or a mapping from value to weight. The weights of equal
            values are added.
        weights: relative frequencies: counts, shares or percentages. Equal by default.

    Raises:
        SpecError: there are no values, a number is not finite, or a weight is negative.

    >>> ratings = Discrete([1, 2, 3, 4, 5], weights=[5, 10, 20, 40, 25])
    >>> ratings
    Discrete([1.0, 2.0, 3.0, 4.0, 5.0], weights=[5.0, 10.0, 20.0, 40.0, 25.0])
    >>> ratings.mean
    3.7
    """

    kind: ClassVar[str] = "discrete"
    values: tuple[float, ...]
    weights: tuple[float, ...]

    def __init__(
        self,
        values: Iterable[float] | Mapping[float, float],
        weights: Iterable[float] | None = None,
    ) -> None:
        if isinstance(values, Mapping):
            if weights is not None:
                raise invalid_argument(
                    "weights", _OWNER, "be left out if values have theirs", weights
                )
            found, weights = check_numbers("values", list(values)), list(values.values())
        else:
            found = check_numbers("values", values)
        if weights is None:
            parts = np.ones(len(found))
        else:
            parts = check_numbers("weights", weights)
            if len(parts) != len(found):
                rule = f"have one number for each of {len(found)} values"
                raise invalid_argument("weights", _OWNER, rule, parts.tolist())
            if (parts < 0).any():
                raise invalid_argument("weights", _OWNER, "be at least 0", float(parts.min()))
        distinct, where = np.unique(found[parts > 0], return_inverse=True)
        if not len(distinct):
            raise invalid_argument(
                "values", _OWNER, "hold one with a weight above 0", found.tolist()
            )
        totals = np.bincount(where.ravel(), parts[parts > 0])
        object.__setattr__(self, "values", tuple(distinct.tolist()))
        object.__setattr__(self, "weights", tuple(totals.tolist()))

    @property
    def shares(self) -> "NDArray[np.float64]":
        """Probability of each value."""
        return np.array(self.weights) / math.fsum(self.weights)

    @property
    def mean(self) -> float:
        """Expected reward."""
        products = (v * w for v, w in zip(self.values, self.weights, strict=True))
        mean = math.fsum(products) / math.fsum(self.weights)
        return min(max(mean, self.values[0]), self.values[-1])

    @property
    def sd(self) -> float:
        """Standard deviation of a reward."""
        distances = np.array(self.values) - self.mean
        return math.sqrt(float(self.shares @ distances**2))

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest reward."""
        return self.values[0], self.values[-1]

    def __repr__(self) -> str:
        if len(self.values) > _VALUES_SHOWN:
            low, high = self.support
            return f"Discrete(<{len(self.values)} values from {low!r} to {high!r}>)"
        if len(set(self.weights)) == 1 and self.weights[0] == 1.0:
            return f"Discrete({list(self.values)!r})"
        return f"Discrete({list(self.values)!r}, weights={list(self.weights)!r})"


def check_numbers(argument: str, values: object) -> "NDArray[np.float64]":
    """Return a list of finite numbers as an array, or raise an error."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf" and values.ndim == 1:
        found = values.astype(np.float64)
    else:
        listed = check_list(argument, _OWNER, values, "numbers")
        found = np.array([check_number(argument, _OWNER, value) for value in listed], np.float64)
    wrong = np.flatnonzero(~(np.abs(found) <= _MAX_VALUE))
    if wrong.size:
        rule = f"be finite numbers of at most {_MAX_VALUE:g}"
        raise invalid_argument(argument, _OWNER, rule, float(found[wrong[0]]))
    return found
