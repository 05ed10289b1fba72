"""Indices of arms, and when one is certain to lie above another.

The rules' own branches are in ``dispatch``.
"""

import math
from typing import Final

from goodarm.kernels.codes import Setup
from goodarm.kernels.dispatch import bent_index, index_parts
from goodarm.kernels.jit import inlined

CLOSE: Final = 8.0 * 2.220446049250313e-16
"""Two indices that differ by less than this part of their size are not told apart."""


@inlined
def index_of(setup: Setup, level: float, width: float, clock: float) -> float:
    """The index itself."""
    if setup.is_line:
        return level + width * clock
    return bent_index(setup, level, width, clock)


@inlined
def index_at(setup: Setup, n: int, mean: float, clock: float) -> float:
    """The index after n pulls with this mean."""
    level, width = index_parts(setup, n, mean)
    return index_of(setup, level, width, clock)


@inlined
def clearly_above(a: float, b: float) -> bool:
    """Whether a exceeds b by more than rounding can do."""
    return b == -math.inf or a - b > CLOSE * (abs(a) + abs(b))
