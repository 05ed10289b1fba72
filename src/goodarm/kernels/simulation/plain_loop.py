"""The plain simulation: one pull at a time, exactly as the algorithms are written.

It is the reference that other engines must equal to the pull.
"""

from goodarm.kernels.codes import CurveRows, Setup
from goodarm.kernels.compilation.jit import kernel
from goodarm.kernels.simulation.pull import THE_LARGEST, is_over, make_pulls, warm_up
from goodarm.kernels.simulation.state import Scratch, State


@kernel
def advance(setup: Setup, curves: CurveRows, state: State, scratch: Scratch, most: int) -> bool:
    """Go on for at most ``most`` pulls, or as far as the curves go; true when the run is over."""
    progress = state.progress[0]
    end = progress["pulls"] + most
    if progress["warmed"] < setup.num_arms:
        warm_up(setup, curves, state, scratch, most)
    if progress["warmed"] == setup.num_arms:
        make_pulls(setup, curves, state, scratch, THE_LARGEST, end - progress["pulls"])
    return is_over(setup, progress)
