"""Fast loop for a clock that moves with every pull, or for rules without a clock.

Each step looks at all arms for the best two, jumps (``jump``) where the outcome of a jump is
certain, and makes a plain pull elsewhere.
"""

import math

from goodarm.kernels.codes import UNDECIDED, CurveRows, Setup
from goodarm.kernels.compilation.jit import kernel, merged
from goodarm.kernels.dispatch import index_clock
from goodarm.kernels.index import index_of
from goodarm.kernels.simulation.arm_test import has_next_row
from goodarm.kernels.simulation.caches import index_or_less
from goodarm.kernels.simulation.jump import jump, pull_best_arm
from goodarm.kernels.simulation.pull import is_over, pull
from goodarm.kernels.simulation.state import Scratch, State
from goodarm.kernels.simulation.steering import (
    STEP_COST,
    add_credit,
    clear_wall,
    estimate_rate,
    is_due,
)
from goodarm.kernels.simulation.warm_up import warm_up_fast


@merged
def find_top_two(
    setup: Setup, state: State, scratch: Scratch, t: int, clock: float
) -> tuple[int, float, int, float]:
    """Return the arm with the largest index, ties to the lowest, and its index; then the second."""
    level, width, hints = scratch.level, scratch.width, scratch.hints
    least = -math.inf
    if not setup.is_linear:
        least = find_least_of_two(setup, state, scratch, clock)
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


@merged
def find_least_of_two(setup: Setup, state: State, scratch: Scratch, clock: float) -> float:
    """Return a number that the two largest indices reach.

    It is the lesser index of the two arms with the highest ceilings.
    """
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
def advance_continuous(
    setup: Setup, curves: CurveRows, state: State, scratch: Scratch, most: int
) -> bool:
    """Advance by work of about ``most``, in arms looked at; return whether the run is over."""
    arms, progress, steering = state.arms, state.progress[0], scratch.steering[0]
    if not warm_up_fast(setup, curves, state, scratch, most):
        return is_over(setup, progress)
    while most > 0 and not is_over(setup, progress):
        t, count = progress["pulls"], progress["alive"]
        clock, room = index_clock(setup, t), setup.max_pulls - t
        if t >= steering["rate_end"]:
            estimate_rate(setup, state, scratch, clock)
        best, top, runner_up, second = find_top_two(setup, state, scratch, t, clock)
        if top <= steering["wall"]:
            clear_wall(scratch.steering)
        steering["work"] = 2 * count
        made, jump_work = 0, 0
        may_jump = steering["credit"] >= 0.0 and not is_due(scratch.steering, arms, best)
        may_jump = may_jump and top - second < steering["reach"] / steering["rate"]
        if may_jump:
            made = jump(setup, curves, state, scratch, clock, top, room)
            jump_work = steering["work"] - 2 * count
        if made == 0:
            made = pull_best_arm(setup, curves, state, scratch, clock, best, runner_up, room)
        add_credit(scratch.steering, count, float(max(made, 1)) * (STEP_COST + count), jump_work)
        most -= STEP_COST + steering["work"]
        if made == 0:
            if not has_next_row(setup, curves, arms[best]["pulls"], arms[best]["sum"]):
                break
            label = pull(setup, curves, state, scratch, best)
            if label != UNDECIDED or best == steering["wall_arm"]:
                clear_wall(scratch.steering)
    return is_over(setup, progress)
