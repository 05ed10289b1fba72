"""Walk of one arm: pulls from event to event for as long as its index lies above a mark.

With 0/1 rewards nothing random happens between successes. An arm's next *event* is its next success
or the first pull at which failures alone could prove it bad; no other pull can label it, because a
failure never proves an arm good once a pull was tested: s - n U(n) falls while n times the bar
grows. Other rewards, and rules that bet, have an event at every pull.
"""

import math
from typing import Final

from goodarm.kernels.codes import BAD, BERNOULLI, GOOD, NEVER, CurveRows, Setup
from goodarm.kernels.compilation.jit import inlined, kernel, merged
from goodarm.kernels.dispatch import bound, guess_crossing, index_parts
from goodarm.kernels.index import Mark, index_at, is_above
from goodarm.kernels.label import is_tested
from goodarm.kernels.numerics.bets import Wealth, copy_wealth
from goodarm.kernels.simulation.arm_test import has_next_row, label_after
from goodarm.kernels.simulation.caches import ROUNDING
from goodarm.kernels.simulation.laws import Numbers
from goodarm.kernels.simulation.place import Place
from goodarm.kernels.simulation.state import Arm, Hint
from goodarm.kernels.simulation.tape import draw_reward, draw_success

BELOW: Final = 0
"""Status: the arm's index is no longer above the mark."""

PROVEN_BAD: Final = 1
"""Status: the arm's last pull proved it bad; it no longer has an index."""

DUE: Final = 2
"""Status: the arm's next pull proves it good."""

TOO_LONG: Final = 3
"""Status: the arm stays above the mark for longer than allowed."""


@inlined
def compute_index_parts(setup: Setup, arm_record: Arm, is_dead: bool) -> tuple[float, float]:
    """Return level and width of the arm's index; a dead arm is below all others."""
    if is_dead:
        return -math.inf, 0.0
    return index_parts(setup, arm_record["pulls"], arm_record["sum"] / arm_record["pulls"])


@merged
def find_first_bad(setup: Setup, n: int, s: float) -> int:
    """Return the first pull after n at which failures alone could prove the arm bad, or earlier."""
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


@merged
def find_first_below(setup: Setup, s: float, low: int, high: int, clock: float, mark: Mark) -> int:
    """Return the first count that is not above the mark; ``low`` is above it, ``high`` is not.

    Under failures an index falls, or rises and then falls (APT-G): it crosses the mark once. If
    arms are nearly tied it crosses at once, so the first pull is checked before a guess, which
    costs logs.
    """
    if high - low > 1 and not setup.is_linear:
        if is_above(setup, low + 1, s, clock, mark):
            low += 1
        else:
            high = low + 1
    if high - low > 1:
        probe = guess_crossing(setup, s, low, high, clock, mark.value)
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


@merged
def lower_index(
    setup: Setup, n: int, s: float, clock: float, lowest: float, lowest_at: int
) -> tuple[float, int]:
    """Return the lower of the arm's index and another, with its count."""
    index = index_at(setup, n, s / n, clock)
    return (index, n) if index < lowest else (lowest, lowest_at)


@kernel
def walk(
    setup: Setup,
    curves: CurveRows,
    arm_record: Arm,
    place: Place,
    numbers: Numbers,
    hint: Hint,
    wealth: Wealth,
    old_wealth: Wealth,
    arm: int,
    clock: float,
    mark: Mark,
    most: int,
    effort: int,
    seeks: bool,
) -> tuple[int, int, float, int]:
    """Pull an arm as long as its index lies above the mark.

    Return the status, the effort left, and, if it ``seeks`` it, the lowest index above the mark
    with its count.

    It goes from event to event: a success, the first pull that could prove the arm bad, the first
    that is tested. It stops before a pull that would prove the arm good.

    It takes the parts of state and scratch one by one: passed whole, the references to their many
    arrays are counted at every call, which costs a fifth of a run with 1682 arms.
    """
    n, s, bad_from = arm_record["pulls"], arm_record["sum"], hint["bad_from"]
    success = place["next_success"]
    is_bernoulli = setup.rewards == BERNOULLI
    skips = is_bernoulli and not setup.keeps_wealth
    end = n + most
    status, lowest, lowest_at = BELOW, math.inf, n
    while True:
        last = min(max(n, min(success, bad_from) - 1), end) if skips else n
        # A nonlinear index falls all along a row of failures: checking its end is enough.
        if (setup.is_linear or last == n) and not is_above(setup, n, s, clock, mark):
            break
        if last > n:
            if not is_above(setup, last, s, clock, mark):
                if setup.is_linear or is_above(setup, n, s, clock, mark):
                    n = find_first_below(setup, s, n, last, clock, mark)
                break
            if seeks:
                lowest, lowest_at = lower_index(setup, n, s, clock, lowest, lowest_at)
            n = last
        if seeks:
            lowest, lowest_at = lower_index(setup, n, s, clock, lowest, lowest_at)
        effort -= 1
        if n >= end or effort < 0 or not has_next_row(setup, curves, n, s):
            status = TOO_LONG
            break
        drawn, spare = place["drawn"], old_wealth.shape[0] - 1
        if is_bernoulli:
            reward = 1.0 if n + 1 == success else 0.0
        else:
            reward = (draw_reward(setup, place, numbers, arm, n + 1) - setup.offset) / setup.scale
        copy_wealth(wealth, arm, old_wealth, spare)
        tested = is_tested(setup, n + 1)
        label = label_after(setup, curves, hint, wealth, arm_record, arm, n + 1, s, reward, tested)
        if label == GOOD:
            status, place["drawn"] = DUE, drawn
            copy_wealth(old_wealth, spare, wealth, arm)
            break
        n, s = n + 1, s + reward
        if label == BAD:
            status = PROVEN_BAD
            break
        if is_bernoulli:
            if n == success:
                success = draw_success(place, arm, n)
            if skips and bad_from <= n:
                if setup.has_curves:
                    bad_from = curves[arm_record["first_row"] + int(s)]["bad_from"]
                else:
                    bad_from = find_first_bad(setup, n, s)
    arm_record["pulls"], arm_record["sum"] = n, s
    hint["bad_from"], hint["ceiling_end"] = bad_from, 0
    place["next_success"] = success
    return status, effort, lowest, lowest_at
