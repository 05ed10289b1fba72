"""The fast simulation: the same run as the plain loop, at the cost of events instead of pulls.

Contenders (``contenders``) keep the choice of an arm from looking at all of them. With Bernoulli
rewards and HDoC's sampling rule, failing pulls are skipped (``jump``) up to the next *event*: an
arm's next success, the first pull that could prove it bad, or its first tested pull. A failure
after a tested pull cannot prove an arm good: s - n U(n) falls while n times the bar grows.
"""

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import BERNOULLI, GOOD, HDOC, NEVER, UNDECIDED, Setup
from goodarm.kernels.contenders import (
    Pyramid,
    best_of,
    clearly_above,
    fill,
    height,
    is_decided,
    refresh,
    take_out,
)
from goodarm.kernels.jit import inlined, kernel
from goodarm.kernels.jump import falls_below, index_at, jump
from goodarm.kernels.loop import ROUNDING, floor_from, may_be_decided
from goodarm.kernels.rules import bound, decide, index_clock, index_line, is_tested
from goodarm.kernels.tape import Tape, draw_success, next_reward

_MOST_TRIES: Final = 4


class FastRun(NamedTuple):
    """One run under way. Arrays over arms, but for the last two."""

    pyramid: Pyramid
    level: NDArray[np.float64]
    slope: NDArray[np.float64]
    pulls: NDArray[np.int64]
    sums: NDArray[np.float64]
    floor: NDArray[np.float64]
    floor_end: NDArray[np.int64]
    bad_from: NDArray[np.int64]
    """no pull before this one can prove the arm bad"""
    events: NDArray[np.int64]
    """the number of the arm's next pull that may succeed or decide"""
    due_level: NDArray[np.float64]
    due_slope: NDArray[np.float64]
    """with level: the index line with which that pull is due"""
    labels: NDArray[np.int8]
    tau: NDArray[np.float64]
    targets: NDArray[np.int64]
    counters: NDArray[np.int64]
    """total pulls, arms alive, good arms found, arms whose warm-up is over"""


@kernel
def first_bad(setup: Setup, n: int, s: float) -> int:
    """The first pull after n that failures alone could make bad, a hair early to be safe."""
    below, step = n, 1
    while True:
        above = below + step
        width = bound(setup, above) * (1.0 - ROUNDING)
        if s / above + width <= setup.bad_bar or above >= NEVER // 4:
            break
        below, step = above, 2 * step
    while above - below > 1:
        middle = (below + above) // 2
        width = bound(setup, middle) * (1.0 - ROUNDING)
        if s / middle + width <= setup.bad_bar:
            above = middle
        else:
            below = middle
    return above


@inlined
def next_event(setup: Setup, n: int, s: float, success: int, bad_from: int) -> tuple[int, int]:
    """The next pull that may succeed or decide, and the first that may prove the arm bad."""
    if not is_tested(setup, n):
        return max(n + 1, min(success, setup.warmup + 1)), bad_from
    if bad_from <= n + 1:
        bad_from = first_bad(setup, n, s)
    return max(n + 1, min(success, bad_from)), bad_from


@kernel
def warm_up_untested(setup: Setup, tape: Tape, run: FastRun, arm: int, most: int) -> int:
    """Bernoulli only: the warm-up of an arm without tests, from success to success."""
    n = run.pulls[arm]
    end = min(setup.warmup, n + most)
    while tape.next_success[arm] <= end:
        run.sums[arm] += 1.0
        tape.next_success[arm] = draw_success(tape, arm, tape.next_success[arm])
    run.pulls[arm] = end
    run.level[arm], run.slope[arm] = index_line(setup, end, run.sums[arm] / end)
    return end - n


@kernel
def settle(run: FastRun, arm: int, label: int) -> None:
    """Write down a label and take the arm out of play."""
    counters = run.counters
    run.labels[arm] = label
    take_out(run.pyramid, arm)
    counters[1] -= 1
    if label == GOOD:
        run.tau[counters[2]] = counters[0]
        counters[2] += 1


@kernel
def warm_up(setup: Setup, means: NDArray[np.float64], tape: Tape, run: FastRun, most: int) -> None:
    """Arm after arm, until the warm-up or the chunk is over."""
    pyramid, level, slope, pulls, sums = run[:5]
    bad_from, events, counters = run.bad_from, run.events, run.counters
    end = min(counters[0] + most, setup.max_pulls)
    skips = setup.rewards == BERNOULLI and not setup.identify_during_warmup
    while counters[3] < setup.num_arms and counters[0] < end:
        if counters[1] == 0 or counters[2] >= setup.until:
            return
        arm = counters[3]
        label = UNDECIDED
        if skips:
            counters[0] += warm_up_untested(setup, tape, run, arm, setup.max_pulls - counters[0])
        else:
            counters[0] += 1
            n = pulls[arm] + 1
            if setup.rewards != BERNOULLI or n >= tape.next_success[arm]:
                reward = next_reward(setup, means, tape, arm, n)
                sums[arm] += (reward - setup.offset) / setup.scale
            pulls[arm] = n
            level[arm], slope[arm] = index_line(setup, n, sums[arm] / n)
            if is_tested(setup, n):
                label = decide(setup, n, sums[arm], 0.0)
            if label != UNDECIDED:
                settle(run, arm, label)
        if label != UNDECIDED or pulls[arm] >= setup.warmup:
            counters[3] += 1
    if counters[3] == setup.num_arms:
        fill(pyramid, level, slope, index_clock(setup, counters[0]))
        if setup.rewards == BERNOULLI:
            for arm in range(setup.num_arms):
                event, bad_from[arm] = next_event(
                    setup, pulls[arm], sums[arm], tape.next_success[arm], bad_from[arm]
                )
                events[arm] = event
                line = index_line(setup, event - 1, sums[arm] / (event - 1))
                run.due_level[arm], run.due_slope[arm] = line


@kernel
def advance_fast(
    setup: Setup, means: NDArray[np.float64], tape: Tape, run: FastRun, most: int
) -> bool:
    """Go on for at most so many steps; true when the run is over.

    One long function on purpose: to hand arrays to another one costs more, in reference counts,
    than a step takes.
    """
    if run.counters[3] < setup.num_arms:
        warm_up(setup, means, tape, run, most)
    pyramid, level, slope, pulls, sums, floor, floor_end, bad_from, events = run[:9]
    due_level, due_slope, targets, counters = (
        run.due_level,
        run.due_slope,
        run.targets,
        run.counters,
    )
    order, sizes, next_success = pyramid.order, pyramid.sizes, tape.next_success
    is_bernoulli = setup.rewards == BERNOULLI
    jumps = is_bernoulli and setup.sampling == HDOC
    left = most if counters[3] == setup.num_arms else 0
    t, count, found = counters[0], counters[1], counters[2]
    while left > 0 and count > 0 and found < setup.until and t < setup.max_pulls:
        left -= 1
        clock = index_clock(setup, t)
        arm = best_of(order, sizes[0], level, slope, clock)
        if not is_decided(pyramid, level, slope, 0, arm, clock):
            arm = refresh(setup, pyramid, level, slope, t)
        elif jumps and events[arm] > pulls[arm] + 1:
            # The mark: the highest line with which an event is due, or one above the outsiders.
            h, mark = arm, -math.inf
            for position in range(sizes[0]):
                other = order[position]
                due = due_level[other] + due_slope[other] * clock
                if due > mark or (due == mark and other < h):
                    h, mark = other, due
            cut = events[h] - 1
            ceiling = height(pyramid, 0, clock)
            if mark <= ceiling:
                h = arm
                above = falls_below(sums[h], clock, ceiling) if ceiling > 0.0 else 0.0
                cut = min(events[h] - 1, int(above) - 1)
            end = -1
            for tries in range(_MOST_TRIES):
                if cut < pulls[h] or (cut == pulls[h] and h == arm):
                    break
                end = jump(
                    setup,
                    order,
                    sizes[0],
                    level,
                    slope,
                    pulls,
                    sums,
                    events,
                    targets,
                    h,
                    cut,
                    t,
                    setup.max_pulls - 1,
                    clock,
                )
                if end >= 0 and not stays_above(setup, pyramid, cut, sums[h], clock, ceiling, end):
                    end = -1
                if end >= 0 or cut == pulls[h]:
                    break
                cut -= max(1, (cut - pulls[h]) >> max(0, 3 - tries))
            if end >= 0:
                for position in range(sizes[0]):
                    other, target = order[position], targets[position]
                    if target != pulls[other]:
                        pulls[other] = target
                        line = index_line(setup, target, sums[other] / target)
                        level[other], slope[other] = line
                t, arm = end, h

        t += 1
        n, s = pulls[arm] + 1, sums[arm]
        if not is_bernoulli or n >= next_success[arm]:
            s += (next_reward(setup, means, tape, arm, n) - setup.offset) / setup.scale
            sums[arm] = s
        mean = s / n
        pulls[arm] = n
        level[arm], slope[arm] = index_line(setup, n, mean)
        label = UNDECIDED
        if is_tested(setup, n):
            if n > floor_end[arm]:
                floor_end[arm], floor[arm] = floor_from(setup, n)
            if may_be_decided(setup, mean, floor[arm]):
                label = decide(setup, n, s, 0.0)
        if label != UNDECIDED:
            counters[0] = t
            settle(run, arm, label)
            count, found = counters[1], counters[2]
            fill(pyramid, level, slope, index_clock(setup, t))
        elif jumps:
            event, bad_from[arm] = next_event(setup, n, s, next_success[arm], bad_from[arm])
            events[arm] = event
            due_level[arm], due_slope[arm] = index_line(setup, event - 1, s / (event - 1))
    counters[0] = t
    return count == 0 or found >= setup.until or t >= setup.max_pulls


@inlined
def stays_above(
    setup: Setup, pyramid: Pyramid, cut: int, s: float, clock: float, ceiling: float, end: int
) -> bool:
    """Whether the mark stays above the arms outside the smallest set until the jump ends."""
    if ceiling == -math.inf:
        return True
    after = index_clock(setup, end)
    return clearly_above(index_at(setup, cut, s, clock), ceiling) and clearly_above(
        index_at(setup, cut, s, after), height(pyramid, 0, after)
    )
