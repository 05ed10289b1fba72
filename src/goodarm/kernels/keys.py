"""Each arm's index where the clock stands for a while: taken once, then kept up to date.

``steering.clock_end`` says until when the keys hold; 0 means that none were taken yet.
"""

import math

from goodarm.kernels.clock import clock_end
from goodarm.kernels.codes import Setup
from goodarm.kernels.dispatch import index_clock
from goodarm.kernels.index import index_at
from goodarm.kernels.jit import inlined, kernel
from goodarm.kernels.state import Arm, Scratch, State
from goodarm.kernels.tree import build


@kernel
def take_keys(setup: Setup, state: State, scratch: Scratch) -> None:
    """All keys anew, at the clock as it is now."""
    arms, keys, t = state.arms, scratch.keys, state.progress[0]["pulls"]
    steer, clock = scratch.steering[0], index_clock(setup, t)
    steer["clock"], steer["clock_end"] = clock, clock_end(setup, t)
    keys[:] = -math.inf
    for position in range(state.progress[0]["alive"]):
        arm = state.alive[position]
        keys[arm] = key_of(setup, arms[arm], False, clock)
    build(keys, scratch.tree)


@inlined
def key_of(setup: Setup, own: Arm, is_labelled: bool, clock: float) -> float:
    """The arm's index; a labelled arm is below everything."""
    if is_labelled:
        return -math.inf
    return index_at(setup, own["pulls"], own["sum"] / own["pulls"], clock)
