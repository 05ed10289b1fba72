"""Indices of arms, and comparisons of them that rounding cannot change.

The branches of each rule are in ``dispatch``.
"""

import math
from typing import Final, NamedTuple

from goodarm.kernels.codes import Setup
from goodarm.kernels.compilation.jit import inlined
from goodarm.kernels.dispatch import index_parts, lead_over_mark, nonlinear_index

INDEX_ROUNDING: Final = 8.0 * 2.220446049250313e-16
"""Relative difference below which two indices count as equal."""


@inlined
def index_of(setup: Setup, level: float, width: float, clock: float) -> float:
    """Return the index with this level and width at this clock."""
    if setup.is_linear:
        return level + width * clock
    return nonlinear_index(setup, level, width, clock)


@inlined
def index_at(setup: Setup, n: int, mean: float, clock: float) -> float:
    """Return the index after n pulls with this mean."""
    level, width = index_parts(setup, n, mean)
    return index_of(setup, level, width, clock)


class Mark(NamedTuple):
    """Number to compare indices with, and its logs, which replace root finding in comparisons."""

    value: float
    log: float
    log_rest: float


@inlined
def mark_at(setup: Setup, value: float) -> Mark:
    """Make the mark at this number; only numbers between 0 and 1 have logs."""
    if setup.is_linear or not 0.0 < value < 1.0:
        return Mark(value, math.nan, math.nan)
    return Mark(value, math.log(value), math.log1p(-value))


@inlined
def is_above(setup: Setup, n: int, s: float, clock: float, mark: Mark) -> bool:
    """Return whether the arm's index is clearly above the mark after n pulls with sum s."""
    if not setup.is_linear:
        lead = lead_over_mark(setup, n, s, clock, mark.value, mark.log, mark.log_rest)
        if lead != 0.0:
            return lead > 0.0
    return is_clearly_above(index_at(setup, n, s / n, clock), mark.value)


@inlined
def is_clearly_above(a: float, b: float) -> bool:
    """Return whether a exceeds b by more than rounding error."""
    return b == -math.inf or a - b > INDEX_ROUNDING * (abs(a) + abs(b))
