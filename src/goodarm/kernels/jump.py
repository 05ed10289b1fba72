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

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import BERNOULLI, HDOC, NEVER, UNDECIDED, Setup
from goodarm.kernels.jit import inlined, kernel
from goodarm.kernels.loop import ROUNDING, floor_from, may_be_decided
from goodarm.kernels.rules import bound, decide, index_clock, index_line
from goodarm.kernels.tape import Tape, draw_success, next_reward

CLOSE: Final = 8.0 * 2.220446049250313e-16
"""Two indices that differ by less than this part of their size are not told apart."""

LONGER: Final = 1.25
SHORTER: Final = 0.5
EFFORT: Final = 256
"""A jump passes at most so many events for each arm."""

EVENT_COST: Final = 16

ENOUGH: Final = 8
"""Jumps grow until they pass so many events for each arm."""

EFFORT_ALONE: Final = 4096
"""A run of one arm passes at most so many events."""

NOT_THE_WALL: Final = 0.99

LEAST_STEP: Final = 1e-3
"""An index is taken to fall by this part of what a failure does, at least."""

BELOW: Final = 0
LABELLED: Final = 1
TOO_LONG: Final = 2

Arms = NDArray[np.void]
"""What is known of each arm: records of ARM."""

ARM: Final = np.dtype(
    [
        ("pulls", np.int64),
        ("sum", np.float64),
        ("bad_from", np.int64),  # no pull before this one can prove the arm bad
        ("floor_end", np.int64),  # up to so many pulls ...
        ("floor", np.float64),  # ... the bound is at least this
        ("jump", np.int64),  # the last jump that moved the arm
    ]
)

STEERING: Final = np.dtype(
    [
        ("reach", np.float64),  # how many pulls the next jump is meant to make
        ("rate", np.float64),  # pulls that all arms make while the largest index falls by 1
        ("rate_end", np.int64),  # total pulls at which the rate is to be taken anew
        ("wall", np.float64),  # the index from which an arm goes on too long, or to its label
        ("wall_arm", np.int64),  # that arm, or -1
        ("wall_pulls", np.int64),  # its pulls then
        ("jump", np.int64),  # jumps tried so far
        ("work", np.int64),  # what all this has cost, in arms looked at
    ]
)


@inlined
def clearly_above(a: float, b: float) -> bool:
    """Whether a exceeds b by more than rounding can do."""
    return b == -math.inf or a - b > CLOSE * (abs(a) + abs(b))


@inlined
def index_at(setup: Setup, n: int, mean: float, clock: float) -> float:
    """The index after n pulls with this mean."""
    level, slope = index_line(setup, n, mean)
    return level + slope * clock


@inlined
def is_above(setup: Setup, n: int, s: float, clock: float, mark: float) -> bool:
    """Whether the arm lies above the mark after n pulls with sum s."""
    return clearly_above(index_at(setup, n, s / n, clock), mark)


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
def guess_crossing(setup: Setup, s: float, low: int, high: int, clock: float, mark: float) -> int:
    """About the count at which failures bring the index to the mark, strictly between two counts.

    HDoC's is the root of a quadratic in 1 / sqrt(n). For other rules it is the middle.
    """
    guess = float(low + (high - low) // 2)
    if setup.sampling == HDOC and mark > 0.0:
        a = clock * math.sqrt(0.5)
        y = 2.0 * mark / (a + math.sqrt(a * a + 4.0 * s * mark))
        guess = 1.0 / (y * y)
    return int(min(max(guess, low + 1.0), high - 1.0))


@kernel
def first_below(setup: Setup, s: float, low: int, high: int, clock: float, mark: float) -> int:
    """The first count that is not above the mark; ``low`` is above it, ``high`` is not.

    Failures let an index fall, or rise and then fall (APT-G): it crosses the mark once.
    """
    if high - low > 1:
        probe = guess_crossing(setup, s, low, high, clock, mark)
        step = 1
        while high - low > 1:
            if is_above(setup, probe, s, clock, mark):
                low = probe
                probe = min(probe + step, high - 1)
            else:
                high = probe
                probe = max(probe - step, low + 1)
            step = min(2 * step, (high - low) // 2 + 1)
    return high


@kernel
def walk(
    setup: Setup,
    means: NDArray[np.float64],
    arms: Arms,
    tape: Tape,
    arm: int,
    clock: float,
    mark: float,
    most: int,
    effort: int,
) -> tuple[int, int, float, int]:
    """Pull an arm as long as its index lies above the mark.

    Returns how that ended, the effort left, and the lowest index above the mark with its count.

    It goes from event to event: a success, the first pull that could prove the arm bad, the first
    that is tested. Where the arm would be labelled it stops before that pull.
    """
    own, place = arms[arm], tape[arm]
    n, s, bad_from = own["pulls"], own["sum"], own["bad_from"]
    success = place["next_success"]
    is_bernoulli = setup.rewards == BERNOULLI
    end = n + most
    status, lowest, lowest_at = BELOW, math.inf, n
    while True:
        index = index_at(setup, n, s / n, clock)
        if not clearly_above(index, mark):
            break
        if is_bernoulli:
            last = min(max(n, min(success, bad_from) - 1), end)
            if last > n:
                end_index = index_at(setup, last, s / last, clock)
                if not clearly_above(end_index, mark):
                    n = first_below(setup, s, n, last, clock, mark)
                    break
                if index < lowest:
                    lowest, lowest_at = index, n
                n, index = last, end_index
        if index < lowest:
            lowest, lowest_at = index, n
        effort -= 1
        if n >= end or effort < 0:
            status = TOO_LONG
            break
        total, drawn = s, place["drawn"]
        if is_bernoulli:
            total += 1.0 if n + 1 == success else 0.0
        else:
            total += (next_reward(setup, means, tape, arm, n + 1) - setup.offset) / setup.scale
        if n + 1 > own["floor_end"]:
            own["floor_end"], own["floor"] = floor_from(setup, n + 1)
        may_be = may_be_decided(setup, total / (n + 1), own["floor"])
        if may_be and decide(setup, n + 1, total, 0.0) != UNDECIDED:
            status, place["drawn"] = LABELLED, drawn
            break
        n, s = n + 1, total
        if is_bernoulli:
            if n == success:
                success = draw_success(tape, arm, n)
            if bad_from <= n:
                bad_from = first_bad(setup, n, s)
    own["pulls"], own["sum"], own["bad_from"] = n, s, bad_from
    place["next_success"] = success
    return status, effort, lowest, lowest_at


@kernel
def take_rate(
    setup: Setup,
    arms: Arms,
    alive: NDArray[np.int64],
    count: int,
    level: NDArray[np.float64],
    slope: NDArray[np.float64],
    clock: float,
) -> float:
    """About how many pulls all arms make while the largest index falls by 1, to steer by."""
    rate = 0.0
    for position in range(count):
        arm = alive[position]
        n, s = arms[arm]["pulls"], arms[arm]["sum"]
        now = level[arm] + slope[arm] * clock
        same_mean = index_at(setup, n + 1, s / n, clock)
        failure = index_at(setup, n + 1, s / (n + 1), clock)
        rate += 1.0 / max(now - same_mean, LEAST_STEP * abs(now - failure), 1e-300)
    return rate


@kernel
def steer_anew(
    setup: Setup,
    arms: Arms,
    alive: NDArray[np.int64],
    count: int,
    level: NDArray[np.float64],
    slope: NDArray[np.float64],
    steering: NDArray[np.void],
    t: int,
    clock: float,
) -> None:
    """Take the rate anew when the pulls have grown by a part."""
    steer = steering[0]
    steer["rate"] = take_rate(setup, arms, alive, count, level, slope, clock)
    steer["rate_end"] = t + (t >> 6)


@inlined
def take_down_wall(steering: NDArray[np.void]) -> None:
    """The arm behind the wall has come to it, or somebody was labelled."""
    steering[0]["wall"], steering[0]["wall_arm"] = -math.inf, -1


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
    steering: NDArray[np.void],
    t: int,
    clock: float,
    top: float,
) -> int:
    """Pull all arms down to a mark below the largest index; the pulls made, 0 if it was undone."""
    steer = steering[0]
    mark = top - min(steer["reach"] / steer["rate"], NOT_THE_WALL * (top - steer["wall"]))
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
        steer["wall"], steer["wall_arm"], steer["wall_pulls"] = lowest, arm, lowest_at
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
    steering: NDArray[np.void],
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
    if best == steer["wall_arm"] and n >= steer["wall_pulls"] and status == BELOW:
        take_down_wall(steering)
    return n - before
