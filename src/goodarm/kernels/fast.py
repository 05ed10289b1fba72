"""The fast simulation: the same run as the plain loop, at the cost of events instead of pulls.

After the warm-up it jumps (``jump``) wherever a jump is certain, and makes a plain pull where not.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.choose import remove
from goodarm.kernels.codes import BAD, BERNOULLI, CURVES, GOOD, UNDECIDED, Curves, Setup
from goodarm.kernels.jit import inlined, kernel
from goodarm.kernels.jump import jump, solo
from goodarm.kernels.rules import (
    decide,
    decide_counts,
    index_clock,
    index_line,
    is_tested,
    reaches,
)
from goodarm.kernels.steering import (
    STEP_COST,
    Steering,
    book,
    is_due,
    set_rate,
    take_down_wall,
)
from goodarm.kernels.tape import Tape, draw_success, next_reward
from goodarm.kernels.walk import Arms


class FastRun(NamedTuple):
    """One run under way. Arrays over arms, but for the last two."""

    alive: NDArray[np.int64]
    level: NDArray[np.float64]
    slope: NDArray[np.float64]
    arms: Arms
    labels: NDArray[np.int8]
    tau: NDArray[np.float64]
    moved: NDArray[np.int64]
    """the arms that a jump has moved, with what is needed to undo it"""
    old_arms: Arms
    old_tape: Tape
    steering: Steering
    counters: NDArray[np.int64]
    """total pulls, arms alive, good arms found, arms whose warm-up is over"""


@inlined
def top_two(
    alive: NDArray[np.int64],
    count: int,
    level: NDArray[np.float64],
    slope: NDArray[np.float64],
    clock: float,
) -> tuple[int, float, float, float]:
    """The arm with the largest index, ties to the lowest; its index, the second, and the steepest.

    Second is the largest index of the others, steepest the largest slope of all.
    """
    best, top, second, steepest = -1, -math.inf, -math.inf, 0.0
    for position in range(count):
        arm = alive[position]
        index = level[arm] + slope[arm] * clock
        steepest = max(steepest, slope[arm])
        if index > top:
            best, top, second = arm, index, top
        elif index > second:
            second = index
    return best, top, second, steepest


@kernel
def pull(
    setup: Setup, means: NDArray[np.float64], curves: Curves, tape: Tape, run: FastRun, arm: int
) -> int:
    """One plain pull; the label it leads to."""
    counters, own = run.counters, run.arms[arm]
    counters[0] += 1
    n = own["pulls"] + 1
    s = own["sum"] + (next_reward(setup, means, tape, arm, n) - setup.offset) / setup.scale
    own["pulls"], own["sum"] = n, s
    run.level[arm], run.slope[arm] = index_line(setup, n, s / n)
    label = UNDECIDED
    if is_tested(setup, n):
        if setup.identification == CURVES:
            label = decide_counts(setup, curves, n, s)
        else:
            label = decide(setup, n, s, 0.0)
    if label != UNDECIDED:
        run.labels[arm] = label
        counters[1] = remove(run.alive, counters[1], arm)
        if label == GOOD:
            run.tau[counters[2]] = counters[0]
            counters[2] += 1
    return label


@kernel
def bury(run: FastRun, count: int) -> int:
    """Label the arms that were proven bad and take them out of play; how many remain."""
    left = 0
    for position in range(count):
        arm = run.alive[position]
        if run.arms[arm]["is_dead"]:
            run.labels[arm] = BAD
        else:
            run.alive[left] = arm
            left += 1
    run.steering[0]["deaths"] = 0
    return left


@kernel
def warm_up_untested(setup: Setup, tape: Tape, run: FastRun, arm: int, most: int) -> None:
    """Bernoulli only: the warm-up of an arm without tests, from success to success."""
    own, place = run.arms[arm], tape[arm]
    n, s = own["pulls"], own["sum"]
    end = min(setup.warmup, n + most)
    while place["next_success"] <= end:
        s += 1.0
        place["next_success"] = draw_success(tape, arm, place["next_success"])
    own["pulls"], own["sum"] = end, s
    run.level[arm], run.slope[arm] = index_line(setup, end, s / end)
    run.counters[0] += end - n


@kernel
def warm_up(
    setup: Setup, means: NDArray[np.float64], curves: Curves, tape: Tape, run: FastRun, most: int
) -> None:
    """Arm after arm, until the warm-up or the chunk is over."""
    counters = run.counters
    end = min(counters[0] + most, setup.max_pulls)
    skips = setup.rewards == BERNOULLI and not setup.identify_during_warmup
    while counters[3] < setup.num_arms and counters[0] < end:
        if counters[1] == 0 or counters[2] >= setup.until:
            return
        arm = counters[3]
        if not reaches(setup, curves, run.arms[arm]["sum"]):
            return
        label = UNDECIDED
        if skips:
            warm_up_untested(setup, tape, run, arm, setup.max_pulls - counters[0])
        else:
            label = pull(setup, means, curves, tape, run, arm)
        if label != UNDECIDED or run.arms[arm]["pulls"] >= setup.warmup:
            counters[3] += 1


@kernel
def advance_fast(
    setup: Setup, means: NDArray[np.float64], curves: Curves, tape: Tape, run: FastRun, most: int
) -> bool:
    """Go on for about so much work, in arms looked at; true when the run is over."""
    alive, level, slope, counters = run.alive, run.level, run.slope, run.counters
    arms, steering = run.arms, run.steering[0]
    if counters[3] < setup.num_arms:
        warm_up(setup, means, curves, tape, run, most)
        most = most if counters[3] == setup.num_arms else 0
    while most > 0 and counters[1] > 0 and counters[2] < setup.until:
        t, count = counters[0], counters[1]
        if t >= setup.max_pulls:
            break
        clock = index_clock(setup, t)
        if t >= steering["rate_end"]:
            set_rate(setup, arms, alive, count, level, slope, run.steering, t, clock)
        best, top, second, steepest = top_two(alive, count, level, slope, clock)
        steering["work"] = 2 * count
        made, jump_work = 0, 0
        may_jump = steering["credit"] >= 0.0 and not is_due(run.steering, arms, best)
        if may_jump and top - second < steering["reach"] / steering["rate"]:
            made = jump(
                setup,
                means,
                curves,
                arms,
                tape,
                alive,
                count,
                level,
                slope,
                run.moved,
                run.old_arms,
                run.old_tape,
                run.steering,
                t,
                clock,
                top,
            )
            jump_work = steering["work"] - 2 * count
        if made == 0:
            made = solo(
                setup,
                means,
                curves,
                arms,
                tape,
                level,
                slope,
                run.steering,
                t,
                clock,
                best,
                second,
                steepest,
            )
        counters[0] += made
        book(run.steering, count, max(made, 1), jump_work)
        if steering["deaths"] > 0:
            counters[1] = bury(run, count)
        most -= STEP_COST + steering["work"]
        if made == 0:
            if not reaches(setup, curves, arms[best]["sum"]):
                break
            take_down_wall(run.steering)
            pull(setup, means, curves, tape, run, best)
    return counters[1] == 0 or counters[2] >= setup.until or counters[0] >= setup.max_pulls
