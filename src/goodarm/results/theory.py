"""Results of theory for one instance, as plain numbers."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Fact(NamedTuple):
    """Parameter, or number that a theorem gives.

    Args:
        key: its name in JSON.
        name: its name for readers.
        value: None where it is infinite.
        shown: the value as readers see it.
    """

    key: str
    name: str
    value: float | None
    shown: str


@dataclass(frozen=True)
class Widths:
    """Half widths of an arm's confidence intervals against its pulls, for a figure.

    Args:
        title: of the figure, without the instance.
        caption: what there is to see.
        pulls: where the widths were computed.
        lines: the widths by the name of their bound.
        crossing: the pulls from which on the last bound is the narrowest.
        crossing_name: the letter that the paper has for them.
    """

    title: str
    caption: str
    pulls: NDArray[np.float64]
    lines: dict[str, NDArray[np.float64]]
    crossing: int
    crossing_name: str
