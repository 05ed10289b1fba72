"""Skip over many pulls at once, in any order in which the run could have made them.

A jump chooses a *mark*, an index a little below the largest, and pulls arm after arm for as long as
the arm's index lies above the mark. It never compares two arms. While it goes on the clock moves on
and lifts indices, so it goes round the arms again, with the clock as it stands after all pulls made
so far, until a whole round finds every arm below the mark. Then the run, pull by pull, comes to the
very same counts: see docs/engine.md for the argument. It needs three things.

1. An index never falls when the clock moves on.
2. Comparisons with the mark count only if they differ by more than rounding can do.
3. No pull labels its arm.

Where 2 or 3 is not so, the jump is undone, and the run goes on with a plain pull or a shorter jump.
"""

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import Setup
from goodarm.kernels.jit import kernel
from goodarm.kernels.rules import index_clock, index_line
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
from goodarm.kernels.walk import BELOW, LABELLED, TOO_LONG, Arms, clearly_above, walk


@kernel
def jump(
    setup: Setup,
    means: NDArray[np.float64],
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
    size, made, status = 0, 0, BELOW
    is_clear, goes_on = True, True
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
                setup, means, arms, tape, arm, clock, mark, most - made, effort
            )
            n = arms[arm]["pulls"]
            made += n - before
            level[arm], slope[arm] = index_line(setup, n, arms[arm]["sum"] / n)
            goes_on = True
            if status != BELOW:
                break
        goes_on = goes_on and status == BELOW
        clock = index_clock(setup, t + made)
        steer["work"] += count
    used = EFFORT * (8 + count) - effort
    steer["work"] += EVENT_COST * used
    if status == BELOW and is_clear:
        if used < (8 + count) * ENOUGH:
            steer["reach"] *= LONGER
        return made
    if status == LABELLED or (status == TOO_LONG and 2 * (effort_before - effort) > used):
        build_wall(steering, arm, lowest, lowest_at)
    else:
        steer["reach"] = max(1.0, SHORTER * steer["reach"])
    for position in range(size):
        arm = moved[position]
        arms[arm] = old_arms[position]
        tape[arm] = old_tape[position]
        n = arms[arm]["pulls"]
        level[arm], slope[arm] = index_line(setup, n, arms[arm]["sum"] / n)
    return 0


@kernel
def solo(
    setup: Setup,
    means: NDArray[np.float64],
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
    status, left, _, _ = walk(setup, means, arms, tape, best, clock, mark, most, EFFORT_ALONE)
    n = arms[best]["pulls"]
    level[best], slope[best] = index_line(setup, n, arms[best]["sum"] / n)
    steer = steering[0]
    steer["work"] += EVENT_COST * (EFFORT_ALONE - left)
    if status == BELOW and is_due(steering, arms, best):
        take_down_wall(steering)
    return n - before
