"""Fast loop under a stepped clock: within a step only an arm's own pulls change its index.

The best two arms come from the tree. Within a step of the clock a jump is one round: it brings all
arms down to a mark, and is meant to make a fraction of the pulls left in the step. Where jumps do
not pay (arms are tied, or one after the other gets far ahead) the run goes on arm by arm or, if
these turns are short, pull by pull as the plain loop does.
"""

import math

from goodarm.kernels.codes import CurveRows, Setup
from goodarm.kernels.compilation.jit import kernel
from goodarm.kernels.simulation.jump import jump, pull_best_arm
from goodarm.kernels.simulation.keys import compute_keys
from goodarm.kernels.simulation.pull import LARGEST_INDEX, is_over, make_pulls
from goodarm.kernels.simulation.state import Scratch, State
from goodarm.kernels.simulation.steering import (
    LOSS_SHARE,
    SHORT_JUMP,
    STEP_COST,
    STEP_SHARE,
    add_credit,
    clear_wall,
    is_due,
)
from goodarm.kernels.simulation.warm_up import warm_up_fast
from goodarm.kernels.tree import find_second_arm


@kernel
def advance_stepped(
    setup: Setup, curves: CurveRows, state: State, scratch: Scratch, most: int
) -> bool:
    """Advance by work of about ``most``, in arms looked at; return whether the run is over."""
    progress, steering = state.progress[0], scratch.steering[0]
    keys, tree = scratch.keys, scratch.tree
    if not warm_up_fast(setup, curves, state, scratch, most):
        return is_over(setup, progress)
    while most > 0 and not is_over(setup, progress):
        t, count = progress["pulls"], progress["alive"]
        if t >= steering["clock_end"]:
            compute_keys(setup, state, scratch)
            clear_wall(scratch.steering)
            most -= count
        best, runner_up = tree[1], find_second_arm(keys, tree)
        top, wall = keys[best], steering["wall"]
        runner_up = -1 if keys[runner_up] == -math.inf else runner_up
        lead = top - keys[runner_up] if runner_up >= 0 else math.inf
        room = min(setup.max_pulls, steering["clock_end"]) - t
        clock = steering["clock"]
        steering["reach"], steering["work"] = max(1.0, STEP_SHARE * room), 0
        if top <= wall:
            clear_wall(scratch.steering)
        made = 0
        may_jump = room > SHORT_JUMP and lead < steering["reach"] / steering["rate"]
        may_jump = may_jump and not is_due(scratch.steering, state.arms, best)
        if may_jump and steering["credit"] >= 0.0:
            made = jump(setup, curves, state, scratch, clock, top, room)
            add_credit(scratch.steering, count, float(STEP_COST * made), steering["work"])
        most -= STEP_COST + steering["work"]
        if made > 0 or (most > 0 and wall < steering["wall"] < top):
            continue
        steering["work"] = 0
        made = pull_best_arm(setup, curves, state, scratch, clock, best, runner_up, room)
        if made <= 1:
            singly = min(SHORT_JUMP, room - made)
            make_pulls(setup, curves, state, scratch, LARGEST_INDEX, singly)
            steering["work"] += STEP_COST * (progress["pulls"] - t - made)
            made = progress["pulls"] - t
        add_credit(scratch.steering, count, LOSS_SHARE * steering["work"], 0)
        most -= steering["work"]
        if made == 0:
            break
    return is_over(setup, progress)
