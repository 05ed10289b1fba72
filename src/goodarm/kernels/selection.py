"""Selection of the next arm: the undecided arm with the largest index, ties to the lowest arm.

``alive`` lists the undecided arms in ascending order; only its first ``count`` entries are
valid. ``level`` and ``width`` hold the two numbers of each arm's index.
"""

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import Setup
from goodarm.kernels.compilation.jit import inlined, kernel
from goodarm.kernels.index import index_of


@inlined
def find_largest_index(
    setup: Setup,
    alive: NDArray[np.int64],
    count: int,
    level: NDArray[np.float64],
    width: NDArray[np.float64],
    clock: float,
) -> int:
    """Return the undecided arm with the largest index."""
    best = alive[0]
    best_index = index_of(setup, level[best], width[best], clock)
    for position in range(1, count):
        arm = alive[position]
        index = index_of(setup, level[arm], width[arm], clock)
        if index > best_index:
            best_index = index
            best = arm
    return best


@kernel
def remove_arm(alive: NDArray[np.int64], count: int, arm: int) -> int:
    """Remove an arm from the undecided ones, keeping their order; return how many remain."""
    position = 0
    while alive[position] < arm:
        position += 1
    for later in range(position, count - 1):
        alive[later] = alive[later + 1]
    return count - 1
