"""Skip from event to event: many failing pulls at once, in any order that the run could have made.

Between events pulls fail, and only lower the index of their arm. The *mark* is the index line of
arm h after ``cut`` pulls. Each contender j gets a *target*, the pulls it will have when h is due at
the mark, and a smaller number of *sure* pulls, those it makes above a higher mark, a parallel of
the first. All are straight lines in the clock, so what holds at both ends of a stretch holds
throughout. The jump is exact if

1. from its start to its end, after one pull less than the sure ones j lies above the higher mark,
   and after its target below it: until all sure pulls are made nobody passes its target, because an
   arm short of its sure pulls comes first;
2. from the moment at which all sure pulls can be made to its end, j lies below the mark after its
   target, and above it after one pull less: so nobody passes its target before h is due, and h is
   not due before everybody is there.

Comparisons count only if they differ by more than rounding can do, or are of equal counts, where
the lower arm goes first.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import Setup
from goodarm.kernels.contenders import clearly_above
from goodarm.kernels.jit import inlined, kernel
from goodarm.kernels.rules import index_clock, index_line

MOST_STEPS: Final = 4
"""Steps by which a solved target may be put right before the jump is given up."""


@inlined
def falls_below(s: float, clock: float, mark: float) -> float:
    """The count at which s successes give an index of the mark: a quadratic in 1 / sqrt(n)."""
    a = clock * 0.7071067811865476
    y = 2.0 * mark / (a + math.sqrt(a * a + 4.0 * s * mark))
    return 1.0 / (y * y)


@inlined
def index_at(setup: Setup, n: int, s: float, clock: float) -> float:
    """The index after n pulls with s successes; the same expression as anywhere."""
    level, slope = index_line(setup, n, s / n)
    return level + slope * clock


@inlined
def find_target(
    setup: Setup,
    n: int,
    s: float,
    event: int,
    clock: float,
    mark: float,
    goes_first: bool,
    twin: int,
) -> int:
    """The fewest pulls after which the arm is not due before the mark; -1 if not found at once.

    ``twin`` is the count with which the arm equals the marking one, 0 if there is none.
    """
    estimate = falls_below(s, clock, mark)
    target = event - 1 if estimate >= event else max(n, int(estimate))
    for _ in range(MOST_STEPS):
        index = index_at(setup, target, s, clock)
        if index > mark or (target == twin and goes_first):
            if target >= event - 1:
                return -1
            target += 1
            continue
        if target > n:
            before = index_at(setup, target - 1, s, clock)
            if before <= mark and not (target - 1 == twin and goes_first):
                target -= 1
                continue
        return target
    return -1


@inlined
def guess_pulls(
    arms: NDArray[np.int64],
    count: int,
    level: NDArray[np.float64],
    slope: NDArray[np.float64],
    pulls: NDArray[np.int64],
    sums: NDArray[np.float64],
    h: int,
    mark: float,
    start: float,
) -> float:
    """About how many pulls other contenders make above the mark."""
    guess = 0.0
    for position in range(count):
        arm = arms[position]
        if arm != h and level[arm] + slope[arm] * start >= mark:
            guess += max(0.0, falls_below(sums[arm], start, mark) - pulls[arm])
    return guess


@inlined
def nobody_else_is_near(
    arms: NDArray[np.int64],
    count: int,
    level: NDArray[np.float64],
    slope: NDArray[np.float64],
    h: int,
    mark: float,
    clock: float,
) -> bool:
    """Whether all other contenders lie below the mark as they are."""
    for position in range(count):
        arm = arms[position]
        if arm != h and not clearly_above(mark, level[arm] + slope[arm] * clock):
            return False
    return True


@inlined
def set_targets(
    setup: Setup,
    arms: NDArray[np.int64],
    count: int,
    level: NDArray[np.float64],
    slope: NDArray[np.float64],
    pulls: NDArray[np.int64],
    sums: NDArray[np.float64],
    events: NDArray[np.int64],
    targets: NDArray[np.int64],
    h: int,
    cut: int,
    mark: float,
    clock: float,
) -> int:
    """Each contender's target for the mark at this clock; returns the pulls made, -1 if unclear."""
    made = 0
    for position in range(count):
        arm = arms[position]
        target = pulls[arm]
        if arm == h:
            target = cut
        elif level[arm] + slope[arm] * clock >= mark:
            twin = cut if sums[arm] == sums[h] else 0
            target = find_target(
                setup, pulls[arm], sums[arm], events[arm], clock, mark, arm < h, twin
            )
            if target < 0:
                return -1
        targets[position] = target
        made += target - pulls[arm]
    return made


@kernel
def jump(
    setup: Setup,
    arms: NDArray[np.int64],
    count: int,
    level: NDArray[np.float64],
    slope: NDArray[np.float64],
    pulls: NDArray[np.int64],
    sums: NDArray[np.float64],
    events: NDArray[np.int64],
    targets: NDArray[np.int64],
    h: int,
    cut: int,
    t: int,
    last: int,
    start: float,
) -> int:
    """Targets for the mark of arm h after ``cut`` pulls, and the total pulls when they are reached.

    -1 where the jump is not certain, or would pass ``last`` pulls. ``start`` is the clock at t.
    """
    mark_level, mark_slope = index_line(setup, cut, sums[h] / cut)
    mark = mark_level + mark_slope * start
    if mark <= 0.0:
        return -1
    own = cut - pulls[h]
    others = guess_pulls(arms, count, level, slope, pulls, sums, h, mark, start)
    if own + others > last - t:
        return -1
    end = index_clock(setup, t + own + int(others))
    end_mark = mark_level + mark_slope * end
    if (
        others == 0.0
        and nobody_else_is_near(arms, count, level, slope, h, mark, start)
        and nobody_else_is_near(arms, count, level, slope, h, end_mark, end)
    ):
        for position in range(count):
            targets[position] = cut if arms[position] == h else pulls[arms[position]]
        return t + own
    made = set_targets(
        setup, arms, count, level, slope, pulls, sums, events, targets, h, cut, end_mark, end
    )
    if made < 0 or t + made > last:
        return -1
    end = index_clock(setup, t + made)
    sure = sure_pulls(setup, arms, count, level, slope, pulls, sums, targets, h, cut, start, end)
    if sure < 0:
        return -1
    middle = index_clock(setup, t + sure)
    for clock in (middle, end):
        if not all_are_at_the_mark(
            setup, arms, count, level, slope, pulls, sums, targets, h, cut, clock
        ):
            return -1
    return t + made


@kernel
def sure_pulls(
    setup: Setup,
    arms: NDArray[np.int64],
    count: int,
    level: NDArray[np.float64],
    slope: NDArray[np.float64],
    pulls: NDArray[np.int64],
    sums: NDArray[np.float64],
    targets: NDArray[np.int64],
    h: int,
    cut: int,
    start: float,
    end: float,
) -> int:
    """The sure pulls of all contenders; -1 if condition 1 does not hold for one of them.

    The higher mark stands as far above the first as lines drift against each other in the jump.
    """
    mark_level, mark_slope = index_line(setup, cut, sums[h] / cut)
    steepest = 0.0
    for position in range(count):
        steepest = max(steepest, abs(slope[arms[position]] - mark_slope))
    step = (mark_level + mark_slope * end) - index_at(setup, cut + 1, sums[h], end)
    offset = 2.0 * step + 2.0 * steepest * (end - start)
    high_start = mark_level + offset + mark_slope * start
    high_end = mark_level + offset + mark_slope * end
    made = 0
    for position in range(count):
        arm, target = arms[position], targets[position]
        n, s = pulls[arm], sums[arm]
        low_level, low_slope = level[arm], slope[arm]
        if target > n:
            low_level, low_slope = index_line(setup, target, s / target)
            fewest = min(falls_below(s, start, high_start), falls_below(s, end, high_end))
            sure = min(target, int(min(fewest, 1e15)) - 1)
            if sure > n:
                up_level, up_slope = index_line(setup, sure - 1, s / (sure - 1))
                if not (
                    clearly_above(up_level + up_slope * start, high_start)
                    and clearly_above(up_level + up_slope * end, high_end)
                ):
                    return -1
                made += sure - n
        if not (
            clearly_above(high_start, low_level + low_slope * start)
            and clearly_above(high_end, low_level + low_slope * end)
        ):
            return -1
    return made


@inlined
def all_are_at_the_mark(
    setup: Setup,
    arms: NDArray[np.int64],
    count: int,
    level: NDArray[np.float64],
    slope: NDArray[np.float64],
    pulls: NDArray[np.int64],
    sums: NDArray[np.float64],
    targets: NDArray[np.int64],
    h: int,
    cut: int,
    clock: float,
) -> bool:
    """Whether condition 2 holds for all contenders at this clock."""
    mark = index_at(setup, cut, sums[h], clock)
    for position in range(count):
        arm, target = arms[position], targets[position]
        n, s = pulls[arm], sums[arm]
        if arm == h:
            continue
        twin = cut if s == sums[h] else 0
        if target == twin:
            if arm < h:
                return False
        else:
            low = level[arm] + slope[arm] * clock
            if target > n:
                low = index_at(setup, target, s, clock)
            if not clearly_above(mark, low):
                return False
        if target > n:
            if target - 1 == twin:
                if arm > h:
                    return False
            elif not clearly_above(index_at(setup, target - 1, s, clock), mark):
                return False
    return True
