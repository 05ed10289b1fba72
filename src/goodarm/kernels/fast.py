"""The fast simulation: the same run as the plain loop, at the cost of events instead of pulls.

After the warm-up it jumps (``jump``) wherever a jump is certain, and makes a plain pull where not.
"""

import math

from goodarm.kernels.caches import index_or_less
from goodarm.kernels.clock import stands
from goodarm.kernels.codes import BERNOULLI, UNDECIDED, CurveRows, Setup
from goodarm.kernels.dispatch import index_clock, index_parts
from goodarm.kernels.index import index_of
from goodarm.kernels.jit import inlined, kernel
from goodarm.kernels.jump import jump, solo
from goodarm.kernels.keys import take_keys
from goodarm.kernels.label import reaches
from goodarm.kernels.pull import THE_LARGEST, is_over, make_pulls, pull, warm_up
from goodarm.kernels.state import Scratch, State
from goodarm.kernels.steering import (
    FEW_ARMS,
    SHORT,
    STEP_COST,
    book,
    is_due,
    take_down_wall,
    take_rate,
    wait_after,
)
from goodarm.kernels.tape import draw_success
from goodarm.kernels.tree import second as second_arm


@inlined
def top_two(
    setup: Setup, state: State, scratch: Scratch, t: int, clock: float
) -> tuple[int, float, int, float]:
    """The arm with the largest index, ties to the lowest, and its index; the same of the second."""
    level, width, hints = scratch.level, scratch.width, scratch.hints
    least = -math.inf
    if not setup.is_line:
        least = least_of_two(setup, state, scratch, clock)
    best, top, runner_up, second = -1, -math.inf, -1, -math.inf
    for position in range(state.progress[0]["alive"]):
        arm = state.alive[position]
        index = index_or_less(setup, hints, level, width, arm, t, clock, max(second, least))
        if index > top:
            runner_up, second = best, top
            best, top = arm, index
        elif index > second:
            runner_up, second = arm, index
    return best, top, runner_up, second


@kernel
def least_of_two(setup: Setup, state: State, scratch: Scratch, clock: float) -> float:
    """A number that the two largest indices reach: the less of those under the highest ceilings."""
    level, width, hints = scratch.level, scratch.width, scratch.hints
    first, high, second, low = -1, -math.inf, -1, -math.inf
    for position in range(state.progress[0]["alive"]):
        arm = state.alive[position]
        ceiling = hints[arm]["ceiling"] if hints[arm]["ceiling_end"] > 0 else math.inf
        if ceiling > high:
            second, low = first, high
            first, high = arm, ceiling
        elif ceiling > low:
            second, low = arm, ceiling
    if second < 0:
        return -math.inf
    one = index_of(setup, level[first], width[first], clock)
    return min(one, index_of(setup, level[second], width[second], clock))


@kernel
def skip_warm_up(setup: Setup, state: State, scratch: Scratch, most: int) -> None:
    """Bernoulli only: the warm-up without tests, from success to success.

    Arm after arm, until it or about so many pulls are over.
    """
    arms, places, progress = state.arms, state.places, state.progress[0]
    end = progress["pulls"] + most
    while progress["warmed"] < setup.num_arms and progress["pulls"] < end:
        if is_over(setup, progress):
            break
        arm = progress["warmed"]
        own, place = arms[arm], places[arm]
        left = setup.max_pulls - progress["pulls"]
        last = min(setup.warmup, own["pulls"] + left)
        while place["next_success"] <= last:
            own["sum"] += 1.0
            place["next_success"] = draw_success(place, arm, place["next_success"])
        progress["pulls"] += last - own["pulls"]
        own["pulls"] = last
        if not stands(setup):
            scratch.level[arm], scratch.width[arm] = index_parts(setup, last, own["sum"] / last)
        progress["warmed"] += last == setup.warmup


@inlined
def pays(setup: Setup) -> bool:
    """Whether jumps may be cheaper than pulls: they skip failures, or comparisons of many arms."""
    skips = setup.rewards == BERNOULLI and not setup.keeps_wealth
    return skips or (not stands(setup) and setup.num_arms > FEW_ARMS)


@kernel
def advance_fast(
    setup: Setup, curves: CurveRows, state: State, scratch: Scratch, most: int
) -> bool:
    """Go on for about so much work, in arms looked at; true when the run is over."""
    arms, progress, steering = state.arms, state.progress[0], scratch.steering[0]
    if progress["warmed"] < setup.num_arms:
        if setup.rewards == BERNOULLI and not (setup.identify_during_warmup or setup.keeps_wealth):
            skip_warm_up(setup, state, scratch, most)
        else:
            warm_up(setup, curves, state, scratch, most)
        most = most if progress["warmed"] == setup.num_arms else 0
    keeps, keys, tree = stands(setup), scratch.keys, scratch.tree
    if not pays(setup) and most > 0:
        cost = STEP_COST if keeps else STEP_COST + setup.num_arms
        make_pulls(setup, curves, state, scratch, THE_LARGEST, max(1, most // cost))
        most = 0
    while most > 0 and not is_over(setup, progress):
        t, count = progress["pulls"], progress["alive"]
        room = setup.max_pulls - t
        if keeps:
            if t >= steering["clock_end"]:
                take_keys(setup, state, scratch)
                most -= count
            clock = steering["clock"]
            room = min(room, steering["clock_end"] - t)
            best, runner_up = tree[1], second_arm(keys, tree)
            top, second = keys[best], keys[runner_up]
            runner_up = -1 if second == -math.inf else runner_up
            steering["reach"], steering["work"] = max(1.0, steering["share"] * room), 4
            if steering["rate_end"] == 0:
                take_rate(setup, state, scratch, clock)
        else:
            clock = index_clock(setup, t)
            if t >= steering["rate_end"]:
                take_rate(setup, state, scratch, clock)
            best, top, runner_up, second = top_two(setup, state, scratch, t, clock)
            steering["work"] = 2 * count
        if top <= steering["wall"]:
            take_down_wall(scratch.steering)
        made, looked = 0, steering["work"]
        may_jump = steering["credit"] >= 0.0 and not is_due(scratch.steering, arms, best)
        may_jump = may_jump and top - second < steering["reach"] / steering["rate"]
        may_jump = may_jump and room > SHORT
        if may_jump and steering["wait"] == 0:
            made = jump(setup, curves, state, scratch, clock, top, room)
            looked = steering["work"] - looked
            wait_after(scratch.steering, made == 0)
        else:
            looked = 0
            if may_jump:
                steering["wait"] -= 1
        if made == 0:
            made = solo(setup, curves, state, scratch, clock, best, runner_up, room)
        book(scratch.steering, count, max(made, 1), looked)
        most -= STEP_COST + steering["work"]
        if made == 0:
            if not reaches(setup, curves, arms[best]["pulls"], arms[best]["sum"]):
                break
            label = pull(setup, curves, state, scratch, best)
            if label != UNDECIDED or best == steering["wall_arm"]:
                take_down_wall(scratch.steering)
    return is_over(setup, progress)
