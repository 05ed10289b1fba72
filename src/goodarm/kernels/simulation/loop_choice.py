"""Fast simulation: makes the same run as the plain loop, at a cost per event instead of per pull.

The loop depends on the clock (``stepped_loop`` or ``continuous_loop``); where nothing can be
skipped, it is the plain loop. Python chooses the loop, so that a first use compiles only one.
"""

from collections.abc import Callable
from typing import Final

from goodarm.kernels.codes import BERNOULLI, CurveRows, Setup
from goodarm.kernels.simulation.continuous_loop import advance_continuous
from goodarm.kernels.simulation.plain_loop import advance
from goodarm.kernels.simulation.state import Scratch, State
from goodarm.kernels.simulation.steering import STEP_COST
from goodarm.kernels.simulation.stepped_loop import advance_stepped

Loop = Callable[[Setup, CurveRows, State, Scratch, int], bool]

FEW_ARMS: Final = 16
"""Number of arms up to which looking at all costs no more than finding which to look at."""


def can_jumps_pay(setup: Setup) -> bool:
    """Return whether jumps may be cheaper: they skip failures, or comparisons of many arms."""
    skips = setup.rewards == BERNOULLI and not setup.keeps_wealth
    return skips or (not setup.is_stepped and setup.num_arms > FEW_ARMS)


def choose_loop(setup: Setup) -> Loop:
    """Choose the loop for a run: jump by jump where that may be cheaper."""
    if not can_jumps_pay(setup):
        return advance
    return advance_stepped if setup.is_stepped else advance_continuous


def advance_fast(
    setup: Setup, curves: CurveRows, state: State, scratch: Scratch, most: int
) -> bool:
    """Advance by work of about ``most``, in arms looked at; return whether the run is over."""
    go_on = choose_loop(setup)
    if go_on is advance:
        cost = STEP_COST if setup.is_stepped else STEP_COST + setup.num_arms
        most = max(1, most // cost)
    return go_on(setup, curves, state, scratch, most)
