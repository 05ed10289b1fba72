"""Caches that save work and never change a run: ceilings over indices, and least bounds.

An index that is not linear costs a few logarithms. Its value at a somewhat later clock is a
*ceiling* over it until then, and shows that an arm is far below the best. A bound falls in n, so
the bound at a somewhat later count is the least it can be until then, and an arm whose mean does
not even clear that one need not be tested.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import Setup
from goodarm.kernels.compilation.jit import inlined, merged
from goodarm.kernels.dispatch import bound, index_clock, nonlinear_index
from goodarm.kernels.index import is_clearly_above
from goodarm.kernels.simulation.state import Hint, Hints

ROUNDING: Final = 1e-9
"""Part by which a least bound is lowered, far above the rounding error of a bound."""


@inlined
def index_or_less(
    setup: Setup,
    hints: Hints,
    level: NDArray[np.float64],
    width: NDArray[np.float64],
    arm: int,
    t: int,
    clock: float,
    mark: float,
) -> float:
    """Return the arm's index; if it is clearly below the mark, any number clearly below will do."""
    if setup.is_linear:
        return level[arm] + width[arm] * clock
    hint = hints[arm]
    if hint["ceiling_end"] >= t and is_clearly_above(mark, hint["ceiling"]):
        return hint["ceiling"]
    index = nonlinear_index(setup, level[arm], width[arm], clock)
    if is_clearly_above(mark, index):
        raise_ceiling(setup, hint, level[arm], width[arm], t, mark)
    return index


@merged
def raise_ceiling(
    setup: Setup, hint: Hint, level: float, width: float, t: int, mark: float
) -> None:
    """Set a ceiling over the index for a while, or a shorter one if only that is below the mark."""
    for shift in (6, 12):
        end = t + (t >> shift) + 1
        ceiling = nonlinear_index(setup, level, width, index_clock(setup, end))
        hint["ceiling_end"], hint["ceiling"] = end, ceiling
        if is_clearly_above(mark, ceiling):
            break


@merged
def find_least_bound(setup: Setup, hint: Hint, n: int) -> float:
    """Return a number that the bound after n pulls certainly reaches."""
    if n > hint["bound_end"]:
        hint["bound_end"] = end = n + (n >> 5) + 1
        hint["least_bound"] = bound(setup, end) * (1.0 - ROUNDING)
    return hint["least_bound"]
