"""Keys of arms: their indices while the clock does not move, computed once and then updated.

In a simulation they depend on the pulls made and the mean of all rewards, in a live experiment on
the pulls told and not yet told, and the mean of the rewards told.
"""

import math
from typing import Final

from goodarm.kernels.codes import Setup
from goodarm.kernels.compilation.jit import inlined
from goodarm.kernels.index import index_at

NO_KEY: Final = -math.inf
"""Key of an arm that is labelled, or that must not be asked at the moment."""


@inlined
def compute_key(setup: Setup, n: int, mean: float, is_out: bool, clock: float) -> float:
    """Return the index after n pulls with this mean, or NO_KEY for an arm that is out."""
    if is_out:
        return NO_KEY
    return index_at(setup, n, mean, clock)
