"""Keys of arms: their indices while the clock stands, taken once and then kept up to date.

A simulation keeps them by the pulls made and the mean of all rewards, a live experiment by the
pulls told and out and the mean of the rewards told.
"""

import math
from typing import Final

from goodarm.kernels.codes import Setup
from goodarm.kernels.compilation.jit import inlined
from goodarm.kernels.index import index_at

NO_KEY: Final = -math.inf
"""In place of an index: the arm is labelled, or must not be asked for now."""


@inlined
def key_of(setup: Setup, n: int, mean: float, is_out: bool, clock: float) -> float:
    """Return the index after n pulls with this mean; an arm that is out is below everything."""
    if is_out:
        return NO_KEY
    return index_at(setup, n, mean, clock)
