"""Counts of arms from elsewhere, such as other tools' logs."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

COLUMNS: Final = ("arm", "pulls", "successes")


@dataclass(frozen=True, eq=False, repr=False)
class ArmCounts(Mapping[str, Any]):
    """Arms with 0/1 counts, as a dict of the columns arm, pulls and successes.

    Args:
        arms, pulls, successes: the columns.
        format: the format that they were counted from.
    """

    arms: tuple[str, ...]
    pulls: NDArray[np.int64]
    successes: NDArray[np.int64]
    format: str

    @property
    @abstractmethod
    def read_as(self) -> str:
        """Sentence that says what was counted, and how."""

    def __getitem__(self, column: str) -> Any:
        if column not in COLUMNS:
            raise KeyError(column)
        return list(self.arms) if column == "arm" else getattr(self, column)

    def __iter__(self) -> Iterator[str]:
        return iter(COLUMNS)

    def __len__(self) -> int:
        return len(COLUMNS)
