"""The plain simulation: one pull at a time, exactly as the algorithms are written.

It is the reference that other engines must equal to the pull.
"""

from goodarm.kernels.choose import largest_index, remove
from goodarm.kernels.codes import BERNOULLI, GOOD, UNDECIDED, CurveRows, Setup
from goodarm.kernels.dispatch import index_clock, index_parts
from goodarm.kernels.jit import kernel
from goodarm.kernels.label import is_tested, label_after, reaches
from goodarm.kernels.run import Run
from goodarm.kernels.tape import Tape, next_reward


@kernel
def advance(setup: Setup, curves: CurveRows, tape: Tape, run: Run, most: int) -> bool:
    """Go on for at most so many pulls, or as far as the curves go; true when the run is over."""
    alive, level, width, arms, counters = run.alive, run.level, run.width, run.arms, run.counters
    wealth = run.wealth
    is_bernoulli = setup.rewards == BERNOULLI
    t, count, found, warmed = counters[0], counters[1], counters[2], counters[3]
    end = min(t + most, setup.max_pulls)
    while count > 0 and found < setup.until and t < end:
        if warmed < setup.num_arms:
            arm = warmed
        else:
            arm = largest_index(setup, alive, count, level, width, index_clock(setup, t))
        own = arms[arm]
        n, before, reward = own["pulls"] + 1, own["sum"], 0.0
        if not reaches(setup, curves, n - 1, before):
            break
        t += 1
        if not is_bernoulli or n >= tape[arm]["next_success"]:
            reward = (next_reward(setup, tape, arm, n) - setup.offset) / setup.scale
        tested = is_tested(setup, n)
        label = label_after(setup, curves, arms, wealth, arm, n, before, reward, tested)
        own["pulls"], own["sum"] = n, before + reward
        level[arm], width[arm] = index_parts(setup, n, own["sum"] / n)
        if label != UNDECIDED:
            run.labels[arm] = label
            count = remove(alive, count, arm)
            if label == GOOD:
                run.tau[found] = t
                found += 1
        if arm == warmed and (label != UNDECIDED or n >= setup.warmup):
            warmed += 1
    counters[0], counters[1], counters[2], counters[3] = t, count, found, warmed
    return count == 0 or found >= setup.until or t >= setup.max_pulls
