"""Skip over many pulls at once, in any order in which the run could have made them.

A jump chooses a *mark*, an index a little below the largest, and pulls arm after arm for as long as
the arm's index lies above the mark. It never compares two arms. While it goes on the clock moves on
and lifts indices, so it goes round the arms again, with the clock as it stands after all pulls made
so far, until a whole round finds every arm below the mark. Then the run, pull by pull, comes to the
very same counts: see docs/engine.md for the argument. It needs three things.

1. An index never falls when the clock moves on.
2. Comparisons with the mark count only if they differ by more than rounding can do.
3. No pull proves its arm good: that moment is part of the result. A pull may prove its arm bad; the
   arm then has no index any more, and its label does not depend on when that was.

Where 2 or 3 is not so, the jump is undone, and the run goes on with a plain pull or a shorter jump.
"""

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import Curves, Setup
from goodarm.kernels.jit import kernel
from goodarm.kernels.rules import index_clock
from goodarm.kernels.steering import (
    EFFORT,
    EFFORT_ALONE,
    ENOUGH,
    EVENT_COST,
    LONGER,
    SHORTER,
    Steering,
    build_wall,
    depth_of,
    is_due,
    take_down_wall,
)
from goodarm.kernels.tape import Tape
from goodarm.kernels.walk import BELOW, DEAD, DUE, TOO_LONG, Arms, clearly_above, line_of, walk


@kernel
def jump(
    setup: Setup,
    means: NDArray[np.float64],
    curves: Curves,
    arms: Arms,
    tape: Tape,
    alive: NDArray[np.int64],
    count: int,
    level: NDArray[np.float64],
    slope: NDArray[np.float64],
    moved: NDArray[np.int64],
    old_arms: Arms,
    old_tape: Tape,
    steering: Steering,
    t: int,
    clock: float,
    top: float,
) -> int:
    """Pull all arms down to a mark below the largest index; the pulls made, 0 if it was undone."""
    steer = steering[0]
    mark = top - depth_of(steering, top)
    if not clearly_above(top, mark):
        return 0
    most = setup.max_pulls - t
    effort = EFFORT * (8 + count)
    number = steer["jump"] + 1
    steer["jump"] = number
    size, made, deaths, status = 0, 0, 0, BELOW
    is_clear, goes_on, wall_arm = True, True, -1
    while goes_on:
        goes_on, is_clear = False, True
        for position in range(count):
            arm = alive[position]
            index = level[arm] + slope[arm] * clock
            if clearly_above(mark, index):
                continue
            if not clearly_above(index, mark):
                is_clear = False
                continue
            if arms[arm]["jump"] != number:
                moved[size], old_arms[size], old_tape[size] = arm, arms[arm], tape[arm]
                arms[arm]["jump"] = number
                size += 1
            before, effort_before = arms[arm]["pulls"], effort
            status, effort, lowest, lowest_at = walk(
                setup, means, curves, arms, tape, arm, clock, mark, most - made, effort
            )
            made += arms[arm]["pulls"] - before
            level[arm], slope[arm] = line_of(setup, arms, arm)
            goes_on = True
            deaths += status == DEAD
            is_most = 2 * (effort_before - effort) > EFFORT * (8 + count)
            if status == DUE or (status == TOO_LONG and is_most):
                # The jump has failed; what follows looks for a wall higher than this one.
                wall_arm, mark = arm, lowest
                build_wall(steering, arm, lowest, lowest_at)
            if status == TOO_LONG:
                break
        goes_on = goes_on and wall_arm < 0 and status != TOO_LONG
        clock = index_clock(setup, t + made)
        steer["work"] += count
    used = EFFORT * (8 + count) - effort
    steer["work"] += EVENT_COST * used
    if is_clear and wall_arm < 0 and status != TOO_LONG:
        if used < ENOUGH * (8 + count) and steer["wall_arm"] < 0:
            steer["reach"] *= LONGER
        steer["deaths"] += deaths
        return made
    if wall_arm < 0:
        steer["reach"] = max(1.0, SHORTER * steer["reach"])
    for position in range(size):
        arm = moved[position]
        arms[arm] = old_arms[position]
        tape[arm] = old_tape[position]
        level[arm], slope[arm] = line_of(setup, arms, arm)
    return 0


@kernel
def solo(
    setup: Setup,
    means: NDArray[np.float64],
    curves: Curves,
    arms: Arms,
    tape: Tape,
    level: NDArray[np.float64],
    slope: NDArray[np.float64],
    steering: Steering,
    t: int,
    clock: float,
    best: int,
    second: float,
    steepest: float,
) -> int:
    """Pull the best arm as long as it lies above all others; the pulls made.

    ``second`` is the largest index of the others, ``steepest`` their largest slope. The mark stands
    half-way above them, and counts as long as they cannot have risen to it.
    """
    most, mark = setup.max_pulls - t, second
    if steepest > 0.0:
        rise = 0.5 * (level[best] + slope[best] * clock - second)
        most = min(most, max(1, int(t * min(2.0 * clock * rise / steepest, 0.5))))
        mark = second + steepest * (index_clock(setup, t + most) - clock)
    before = arms[best]["pulls"]
    status, left, _, _ = walk(
        setup, means, curves, arms, tape, best, clock, mark, most, EFFORT_ALONE
    )
    level[best], slope[best] = line_of(setup, arms, best)
    steer = steering[0]
    steer["deaths"] += status == DEAD
    steer["work"] += EVENT_COST * (EFFORT_ALONE - left)
    if status in (BELOW, DEAD) and is_due(steering, arms, best):
        take_down_wall(steering)
    return arms[best]["pulls"] - before
