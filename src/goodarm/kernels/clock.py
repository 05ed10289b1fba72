"""Stepped clock: the total number of pulls t, rounded down to its four leading bits.

Between two of its steps only pulls of an arm itself change its index, so the next arm is found
without looking at all of them. A step is a sixteenth to an eighth of t long; below 16 every pull is
a step. The guarantee does not depend on which arm is pulled, and the number of pulls needed stays
as it was.
"""

from typing import Final

from goodarm.kernels.codes import NEVER, Setup
from goodarm.kernels.compilation.jit import inlined, kernel

LEADING_LIMIT: Final = 16
"""Numbers below this have no bits besides the leading ones."""


@kernel
def step_shift(t: int) -> int:
    """Return how many bits of t are rounded away."""
    shift = 0
    while t >> shift >= LEADING_LIMIT:
        shift += 1
    return shift


@inlined
def step_start(t: int) -> int:
    """Return the start of the step that t lies in: t with all but its four leading bits zero."""
    shift = step_shift(t)
    return (t >> shift) << shift


@inlined
def find_clock_end(setup: Setup, t: int) -> int:
    """Return the first number of pulls after t at which the clock may have moved."""
    if not setup.has_clock:
        return NEVER
    if not setup.is_stepped:
        return t + 1
    shift = step_shift(t)
    return ((t >> shift) + 1) << shift


@inlined
def can_keep_indices(setup: Setup) -> bool:
    """Return whether the clock is stepped or absent, so that ask can keep indices."""
    return setup.is_stepped or not setup.has_clock
