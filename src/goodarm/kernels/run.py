"""One run under way: what the next pull needs, and what a watcher wants."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.bets import Wealth
from goodarm.kernels.tape import Tape

Arms = NDArray[np.void]
"""What is known of each arm: records of ARM."""

ARM: Final = np.dtype(
    [
        ("pulls", np.int64),
        ("sum", np.float64),
        ("bad_from", np.int64),  # no pull before this one can prove the arm bad
        ("bound_end", np.int64),  # up to so many pulls ...
        ("least_bound", np.float64),  # ... the bound is at least this
        ("ceiling_end", np.int64),  # up to so many pulls of all arms ...
        ("ceiling", np.float64),  # ... the index is at most this
        ("jump", np.int64),  # the last jump that moved the arm
        ("is_dead", np.bool_),  # proven bad by a pull of its last walk
    ]
)

Steering = NDArray[np.void]
"""One record of STEERING."""

STEERING: Final = np.dtype(
    [
        ("reach", np.float64),  # how many pulls the next jump is meant to make
        ("rate", np.float64),  # pulls that all arms make while the largest index falls by 1
        ("rate_end", np.int64),  # total pulls at which the rate is to be taken anew
        ("wall", np.float64),  # the index from which an arm goes on too long, or to its label
        ("wall_arm", np.int64),  # that arm, or -1
        ("wall_pulls", np.int64),  # its pulls then
        ("jump", np.int64),  # jumps tried so far
        ("deaths", np.int64),  # arms that were proven bad and are still listed as alive
        ("work", np.int64),  # what all this has cost, in arms looked at
        ("wait", np.int64),  # steps until the next jump may be tried
        ("patience", np.int64),  # steps to wait after the next jump that fails
        ("credit", np.float64),  # what pulls would have cost the plain loop, less jumps that failed
    ]
)


class Run(NamedTuple):
    """Arrays over arms, but for the steering and the counters."""

    alive: NDArray[np.int64]
    """the undecided arms in ascending order; only the first of them, as counted, mean anything"""
    level: NDArray[np.float64]
    width: NDArray[np.float64]
    """with level and clock: each arm's index"""
    arms: Arms
    labels: NDArray[np.int8]
    tau: NDArray[np.float64]
    """pulls when the j-th good arm was output, by j"""
    wealth: Wealth
    """of rules that bet, with two more rows: see ``bets``"""
    moved: NDArray[np.int64]
    """the arms that a jump has moved, with what is needed to undo it"""
    old_arms: Arms
    old_tape: Tape
    old_wealth: Wealth
    steering: Steering
    counters: NDArray[np.int64]
    """total pulls, arms alive, good arms found, arms whose warm-up is over"""
