"""Keys of a simulated run under a stepped clock.

``steering.clock_end`` is the number of pulls until which the keys hold; 0 if there are none yet.
"""

from goodarm.kernels.clock import find_clock_end
from goodarm.kernels.codes import Setup
from goodarm.kernels.compilation.jit import inlined, kernel
from goodarm.kernels.dispatch import index_clock
from goodarm.kernels.keys import NO_KEY, compute_key
from goodarm.kernels.simulation.state import Arm, Scratch, State
from goodarm.kernels.tree import build_tree


@kernel
def compute_keys(setup: Setup, state: State, scratch: Scratch) -> None:
    """Recompute all keys at the current clock."""
    arms, keys, t = state.arms, scratch.keys, state.progress[0]["pulls"]
    steer, clock = scratch.steering[0], index_clock(setup, t)
    steer["clock"], steer["clock_end"] = clock, find_clock_end(setup, t)
    keys[:] = NO_KEY
    for position in range(state.progress[0]["alive"]):
        arm = state.alive[position]
        keys[arm] = compute_key_after(setup, arms[arm], False, clock)
    build_tree(keys, scratch.tree)


@inlined
def compute_key_after(setup: Setup, arm_record: Arm, is_labelled: bool, clock: float) -> float:
    """Return the arm's key after its pulls so far."""
    return compute_key(
        setup, arm_record["pulls"], arm_record["sum"] / arm_record["pulls"], is_labelled, clock
    )
