"""The fast simulation: the same run as the plain loop, at the cost of events instead of pulls.

After the warm-up it jumps (``jump``) wherever a jump is certain, and makes a plain pull where not.
"""

import math

from goodarm.kernels.caches import index_or_less
from goodarm.kernels.choose import remove
from goodarm.kernels.codes import BAD, BERNOULLI, GOOD, UNDECIDED, CurveRows, Setup
from goodarm.kernels.dispatch import index_clock, index_parts
from goodarm.kernels.index import index_of
from goodarm.kernels.jit import inlined, kernel
from goodarm.kernels.jump import jump, solo
from goodarm.kernels.label import is_tested, label_after, reaches
from goodarm.kernels.run import Run
from goodarm.kernels.steering import STEP_COST, book, is_due, take_down_wall, take_rate, wait_after
from goodarm.kernels.tape import Tape, draw_success, next_reward


@inlined
def top_two(setup: Setup, run: Run, t: int, clock: float) -> tuple[int, float, int, float]:
    """The arm with the largest index, ties to the lowest, and its index; the same of the second."""
    alive, level, width, arms = run.alive, run.level, run.width, run.arms
    least = -math.inf
    if not setup.is_line:
        least = least_of_two(setup, run, clock)
    best, top, runner_up, second = -1, -math.inf, -1, -math.inf
    for position in range(run.counters[1]):
        arm = alive[position]
        index = index_or_less(setup, arms, level, width, arm, t, clock, max(second, least))
        if index > top:
            runner_up, second = best, top
            best, top = arm, index
        elif index > second:
            runner_up, second = arm, index
    return best, top, runner_up, second


@kernel
def least_of_two(setup: Setup, run: Run, clock: float) -> float:
    """A number that the two largest indices reach: the less of those under the highest ceilings."""
    alive, arms = run.alive, run.arms
    first, high, second, low = -1, -math.inf, -1, -math.inf
    for position in range(run.counters[1]):
        arm = alive[position]
        ceiling = arms[arm]["ceiling"] if arms[arm]["ceiling_end"] > 0 else math.inf
        if ceiling > high:
            second, low = first, high
            first, high = arm, ceiling
        elif ceiling > low:
            second, low = arm, ceiling
    if second < 0:
        return -math.inf
    one = index_of(setup, run.level[first], run.width[first], clock)
    return min(one, index_of(setup, run.level[second], run.width[second], clock))


@kernel
def pull(setup: Setup, curves: CurveRows, tape: Tape, run: Run, arm: int) -> int:
    """One plain pull; the label it leads to."""
    counters, arms = run.counters, run.arms
    counters[0] += 1
    own = arms[arm]
    n, before = own["pulls"] + 1, own["sum"]
    reward = (next_reward(setup, tape, arm, n) - setup.offset) / setup.scale
    tested = is_tested(setup, n)
    label = label_after(setup, curves, arms, run.wealth, arm, n, before, reward, tested)
    own["pulls"], own["sum"], own["ceiling_end"] = n, before + reward, 0
    run.level[arm], run.width[arm] = index_parts(setup, n, own["sum"] / n)
    if label != UNDECIDED:
        run.labels[arm] = label
        counters[1] = remove(run.alive, counters[1], arm)
        if label == GOOD:
            run.tau[counters[2]] = counters[0]
            counters[2] += 1
    return label


@kernel
def bury(run: Run, count: int) -> int:
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
def warm_up_untested(setup: Setup, tape: Tape, run: Run, arm: int, most: int) -> None:
    """Bernoulli only: the warm-up of an arm without tests, from success to success."""
    own, place = run.arms[arm], tape[arm]
    n, s = own["pulls"], own["sum"]
    end = min(setup.warmup, n + most)
    while place["next_success"] <= end:
        s += 1.0
        place["next_success"] = draw_success(tape, arm, place["next_success"])
    own["pulls"], own["sum"], own["ceiling_end"] = end, s, 0
    run.level[arm], run.width[arm] = index_parts(setup, end, s / end)
    run.counters[0] += end - n


@kernel
def warm_up(setup: Setup, curves: CurveRows, tape: Tape, run: Run, most: int) -> None:
    """Arm after arm, until the warm-up or the chunk is over."""
    counters = run.counters
    end = min(counters[0] + most, setup.max_pulls)
    skips = setup.rewards == BERNOULLI and not setup.identify_during_warmup
    skips = skips and not setup.keeps_wealth
    while counters[3] < setup.num_arms and counters[0] < end:
        if counters[1] == 0 or counters[2] >= setup.until:
            return
        arm = counters[3]
        if not reaches(setup, curves, run.arms[arm]["pulls"], run.arms[arm]["sum"]):
            return
        label = UNDECIDED
        if skips:
            warm_up_untested(setup, tape, run, arm, setup.max_pulls - counters[0])
        else:
            label = pull(setup, curves, tape, run, arm)
        if label != UNDECIDED or run.arms[arm]["pulls"] >= setup.warmup:
            counters[3] += 1


@kernel
def advance_fast(setup: Setup, curves: CurveRows, tape: Tape, run: Run, most: int) -> bool:
    """Go on for about so much work, in arms looked at; true when the run is over."""
    counters, arms, steering = run.counters, run.arms, run.steering[0]
    if counters[3] < setup.num_arms:
        warm_up(setup, curves, tape, run, most)
        most = most if counters[3] == setup.num_arms else 0
    while most > 0 and counters[1] > 0 and counters[2] < setup.until:
        t, count = counters[0], counters[1]
        if t >= setup.max_pulls:
            break
        clock = index_clock(setup, t)
        if t >= steering["rate_end"]:
            take_rate(setup, run, clock)
        best, top, runner_up, second = top_two(setup, run, t, clock)
        if top <= steering["wall"]:
            take_down_wall(run.steering)
        steering["work"] = 2 * count
        made, jump_work = 0, 0
        may_jump = steering["credit"] >= 0.0 and not is_due(run.steering, arms, best)
        may_jump = may_jump and top - second < steering["reach"] / steering["rate"]
        if may_jump and steering["wait"] == 0:
            made = jump(setup, curves, tape, run, clock, top)
            jump_work = steering["work"] - 2 * count
            wait_after(run.steering, made == 0)
        elif may_jump:
            steering["wait"] -= 1
        if made == 0:
            made = solo(setup, curves, tape, run, clock, best, runner_up)
        counters[0] += made
        book(run.steering, count, max(made, 1), jump_work)
        if steering["deaths"] > 0:
            counters[1] = bury(run, count)
        most -= STEP_COST + steering["work"]
        if made == 0:
            if not reaches(setup, curves, arms[best]["pulls"], arms[best]["sum"]):
                break
            label = pull(setup, curves, tape, run, best)
            if label != UNDECIDED or best == steering["wall_arm"]:
                take_down_wall(run.steering)
    return counters[1] == 0 or counters[2] >= setup.until or counters[0] >= setup.max_pulls
