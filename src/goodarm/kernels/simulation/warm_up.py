"""Warm-up of the fast loops, from success to success if none of its pulls is tested."""

from goodarm.kernels.codes import BERNOULLI, CurveRows, Setup
from goodarm.kernels.compilation.jit import kernel, merged
from goodarm.kernels.dispatch import index_parts
from goodarm.kernels.simulation.pull import is_over, warm_up
from goodarm.kernels.simulation.state import Scratch, State
from goodarm.kernels.simulation.tape import draw_success


@merged
def skip_warm_up(setup: Setup, state: State, scratch: Scratch, most: int) -> None:
    """Go through a warm-up without tests from success to success, for Bernoulli rewards.

    Take arm after arm, until the warm-up is over or about ``most`` pulls are made.
    """
    arms, places, progress = state.arms, state.places, state.progress[0]
    end = progress["pulls"] + most
    while progress["warmed"] < setup.num_arms and progress["pulls"] < end:
        if is_over(setup, progress):
            break
        arm = progress["warmed"]
        arm_record, place = arms[arm], places[arm]
        left = setup.max_pulls - progress["pulls"]
        last = max(arm_record["pulls"], min(setup.warmup, arm_record["pulls"] + left))
        while place["next_success"] <= last:
            arm_record["sum"] += 1.0
            place["next_success"] = draw_success(place, arm, place["next_success"])
        progress["pulls"] += last - arm_record["pulls"]
        arm_record["pulls"] = last
        if not setup.is_stepped:
            scratch.level[arm], scratch.width[arm] = index_parts(
                setup, last, arm_record["sum"] / last
            )
        progress["warmed"] += last >= setup.warmup


@kernel
def warm_up_fast(
    setup: Setup, curves: CurveRows, state: State, scratch: Scratch, most: int
) -> bool:
    """Advance the warm-up by about ``most`` pulls; return whether it is over."""
    progress = state.progress[0]
    if progress["warmed"] < setup.num_arms:
        if setup.rewards == BERNOULLI and not (setup.identify_during_warmup or setup.keeps_wealth):
            skip_warm_up(setup, state, scratch, most)
        else:
            warm_up(setup, curves, state, scratch, most)
    return progress["warmed"] == setup.num_arms
