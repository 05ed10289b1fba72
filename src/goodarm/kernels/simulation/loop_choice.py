"""Fast simulation: the same run as the plain loop, at the cost of events instead of pulls.

It goes on as the clock allows (``stepped_loop`` or ``continuous_loop``), or pull by pull where
nothing can be skipped. Python chooses between the loops, so that a first use compiles one of them.
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
"""The number of arms up to which looking at all costs no more than knowing which to look at."""


def pays(setup: Setup) -> bool:
    """Whether jumps may be cheaper than pulls: they skip failures, or comparisons of many arms."""
    skips = setup.rewards == BERNOULLI and not setup.keeps_wealth
    return skips or (not setup.is_stepped and setup.num_arms > FEW_ARMS)


def loop_of(setup: Setup) -> Loop:
    """The loop that goes on with a run: jump by jump where that may be cheaper."""
    if not pays(setup):
        return advance
    return advance_stepped if setup.is_stepped else advance_continuous


def advance_fast(
    setup: Setup, curves: CurveRows, state: State, scratch: Scratch, most: int
) -> bool:
    """Go on for work of about ``most``, in arms looked at; true when the run is over."""
    go_on = loop_of(setup)
    if go_on is advance:
        cost = STEP_COST if setup.is_stepped else STEP_COST + setup.num_arms
        most = max(1, most // cost)
    return go_on(setup, curves, state, scratch, most)
