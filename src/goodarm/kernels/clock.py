"""The stepped clock: the total number of pulls t, rounded down to its four leading bits.

Between two of its steps an index changes by pulls of its own arm alone, so that the next arm is
found without looking at all of them. A step is a sixteenth to an eighth of t long; below 16 every
pull is one. The guarantee does not depend on who is pulled, and the pulls needed stay as they were.
"""

from typing import Final

from goodarm.kernels.codes import NEVER, Setup
from goodarm.kernels.compilation.jit import inlined, kernel

LEADING: Final = 16
"""Numbers below this are no longer than the leading bits."""


@kernel
def step_shift(t: int) -> int:
    """How many bits of t are rounded away."""
    shift = 0
    while t >> shift >= LEADING:
        shift += 1
    return shift


@inlined
def step_start(t: int) -> int:
    """The step of the clock that t lies in: the largest number of four bits and zeros up to t."""
    shift = step_shift(t)
    return (t >> shift) << shift


@inlined
def clock_end(setup: Setup, t: int) -> int:
    """The first number of pulls after t at which the clock may have moved on."""
    if not setup.has_clock:
        return NEVER
    if not setup.is_stepped:
        return t + 1
    shift = step_shift(t)
    return ((t >> shift) + 1) << shift


@inlined
def stands(setup: Setup) -> bool:
    """Whether the clock stands still for a while, so that ask keeps indices: stepped, or none."""
    return setup.is_stepped or not setup.has_clock
