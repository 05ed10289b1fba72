"""Position of an arm on its tape, and the random words it reads there in order.

Word j of an arm is word j % 4 of the Philox block with key (seed, run) and counter
(j // 4, arm, stream, 0).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.compilation.jit import inlined, kernel
from goodarm.kernels.numerics.philox import philox, to_uniform

REWARD_STREAM = np.uint64(0)


Places = NDArray[np.void]
"""Positions of a run's arms on their tapes: records of PLACE."""

Place = np.void
"""One record of PLACE."""

# Jumps copy places, so they are kept small.
PLACE: Final = np.dtype(
    [
        ("seed", np.uint64),
        ("run", np.uint64),
        ("words", np.uint64, (4,)),  # the block the arm reads from, determined by ``drawn``
        ("drawn", np.int64),  # words the arm has read
        ("next_success", np.int64),  # Bernoulli: the number of the pull that succeeds next
        ("mean", np.float64),
        ("log_failure", np.float64),  # Bernoulli: log(1 - mean)
        ("law", np.int32),  # the distribution of rewards: see laws
        ("first", np.int32),  # where its numbers begin
        ("size", np.int32),  # its values, or the cases of its pool
        ("left", np.int32),  # Bernoulli, in a pool: successes after the next one
    ]
)


@inlined
def draw_word(place: Place, arm: int) -> np.uint64:
    """Draw the arm's next random word."""
    words = place["words"]
    j = place["drawn"]
    if j & 3 == 0:
        words[0], words[1], words[2], words[3] = philox(
            place["seed"],
            place["run"],
            np.uint64(j >> 2),
            np.uint64(arm),
            REWARD_STREAM,
            np.uint64(0),
        )
    place["drawn"] = j + 1
    return words[j & 3]


@kernel
def draw_uniform(place: Place, arm: int) -> float:
    """Draw a number in (0, 1]; not inlined, because compiling it into callers takes longer."""
    return to_uniform(draw_word(place, arm))
