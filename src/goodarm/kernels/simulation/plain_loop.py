"""Plain simulation: one pull at a time, exactly as the algorithms are written.

It is the reference: other engines must make the same runs, pull for pull.
"""

from goodarm.kernels.codes import CurveRows, Setup
from goodarm.kernels.compilation.jit import kernel
from goodarm.kernels.simulation.pull import LARGEST_INDEX, is_over, make_pulls, warm_up
from goodarm.kernels.simulation.state import Scratch, State


@kernel
def advance(setup: Setup, curves: CurveRows, state: State, scratch: Scratch, most: int) -> bool:
    """Advance by at most ``most`` pulls, or to the end of the curves; return whether it is over."""
    progress = state.progress[0]
    end = progress["pulls"] + most
    if progress["warmed"] < setup.num_arms:
        warm_up(setup, curves, state, scratch, most)
    if progress["warmed"] == setup.num_arms:
        make_pulls(setup, curves, state, scratch, LARGEST_INDEX, end - progress["pulls"])
    return is_over(setup, progress)
