"""Counts of arms from elsewhere, such as other tools' logs."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

COLUMNS: Final = ("arm", "pulls", "successes")
AVERAGED_COLUMNS: Final = ("arm", "pulls", "sum")
"""Columns where rewards were averaged by unit."""


@dataclass(frozen=True, eq=False, repr=False)
class ArmCounts(Mapping[str, Any]):
    """Arms with 0/1 counts, as a dict of the columns arm, pulls and successes.

    Args:
        arms, pulls, successes: the columns.
        format: the format that they were counted from.
        unit: what the rewards were averaged by; empty if each 0/1 reward is a pull. With a unit,
            the columns are arm, pulls (the number of units) and sum (of their averages), and
            ``successes`` stays the number of rewards that are 1.
        averages: with a unit, the averages of each arm's units, in the order begun.
        num_unfinished: with a unit, the number of unfinished units that were left out.
    """

    arms: tuple[str, ...]
    pulls: NDArray[np.int64]
    successes: NDArray[np.int64]
    format: str
    unit: str = field(default="", kw_only=True)
    averages: tuple[NDArray[np.float64], ...] = field(default=(), kw_only=True)
    num_unfinished: int = field(default=0, kw_only=True)

    @property
    @abstractmethod
    def read_as(self) -> str:
        """Sentence that says what was counted, and how."""

    @property
    def column_names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return AVERAGED_COLUMNS if self.unit else COLUMNS

    @property
    def sum(self) -> NDArray[np.float64]:
        """Sum of each arm's averages; its successes without a unit."""
        if not self.unit:
            return self.successes.astype(float)
        return np.array([averages.sum() for averages in self.averages])

    def __getitem__(self, column: str) -> Any:
        if column not in self.column_names:
            raise KeyError(column)
        return list(self.arms) if column == "arm" else getattr(self, column)

    def __iter__(self) -> Iterator[str]:
        return iter(self.column_names)

    def __len__(self) -> int:
        return len(self.column_names)
