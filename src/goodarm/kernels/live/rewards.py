"""Rewards told: each enters its arm's test in the order asked, up to the next event.

The caller handles the event and then goes on. Events are: an arm has earned a label, a block is
next in its queue, its label cannot be looked up yet, or its pool is used up.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import BERNOULLI, GOOD, NEVER, UNDECIDED, Setup
from goodarm.kernels.compilation.jit import inlined, interpreted_first, kernel, one_arm
from goodarm.kernels.dispatch import bet
from goodarm.kernels.label import is_tested, label_by_bound, label_by_curves, label_by_wealth
from goodarm.kernels.live.caps import EXTRAPOLATION, MAX_ROWS, MIN_ROWS
from goodarm.kernels.live.next_pulls import update_index
from goodarm.kernels.live.records import DROPPED, LOST, OUT, TOLD, Live, is_final, is_open, setup_of
from goodarm.kernels.selection import remove_arm

NOTHING: Final = 0
LABEL: Final = 1
"""Event: the arm has earned a label."""
BLOCK: Final = 2
"""Event: a block is next to enter the arm's test."""
UNKNOWN: Final = 3
"""Event: counts have entered the arm's test, and the rule itself must find what they prove."""
USED_UP: Final = 4
"""Event: all cases of the arm's pool are tested, and lost pulls have kept it from a label."""


@interpreted_first(lambda live, numbers, *_: len(numbers))
def tell(live: Live, numbers: NDArray[np.int64], rewards: NDArray[np.float64], first: int) -> int:
    """Tell the rewards of pulls from ``first`` on; return where to resume after an event."""
    setup, progress, arms = setup_of(live.setup[0]), live.progress[0], live.arms
    progress["event"] = NOTHING
    for k in range(first, numbers.shape[0]):
        pull = live.log[numbers[k] - 1]
        if pull["state"] != OUT:
            continue
        arm = pull["arm"]
        arm_record = arms[arm]
        pull["state"], pull["reward"] = TOLD, rewards[k]
        progress["out"] -= 1
        progress["pulls"] += 1
        arm_record["told"] += 1
        arm_record["told_sums"] += (rewards[k] - setup.offset) / setup.scale
        arm_record["means"] = arm_record["told_sums"] / arm_record["told"]
        enter_rewards(setup, live, arm)
        update_index(setup, live, arm)
        if progress["event"] != NOTHING:
            return k + 1
    return numbers.shape[0]


@interpreted_first(one_arm)
def observe(live: Live, arm: int, count: int, total: float) -> None:
    """Count rewards of an arm that were not asked for."""
    arm_record, progress = live.arms[arm], live.progress[0]
    arm_record["held"] += count
    arm_record["told"] += count
    arm_record["told_sums"] += total
    arm_record["means"] = arm_record["told_sums"] / arm_record["told"]
    progress["held"] += count
    progress["pulls"] += count
    update_index(setup_of(live.setup[0]), live, arm)


@interpreted_first(one_arm)
def forget(live: Live, number: int, state: int) -> None:
    """Give up a pull that is out; if it counts as never made, it is no longer held."""
    setup, progress, pull = setup_of(live.setup[0]), live.progress[0], live.log[number - 1]
    arm = pull["arm"]
    arm_record = live.arms[arm]
    pull["state"] = state
    progress["out"] -= 1
    if state == DROPPED:
        arm_record["held"] -= 1
        progress["held"] -= 1
        if arm_record["held"] < setup.warmup:
            progress["warming"] = min(progress["warming"], arm)
    else:
        progress["pulls"] += 1
    update_index(setup, live, arm)


@interpreted_first(one_arm)
def enter_known(live: Live, arm: int) -> None:
    """Enter known rewards into the arm's test, up to the first missing one or event."""
    setup = setup_of(live.setup[0])
    live.progress[0]["event"] = NOTHING
    enter_rewards(setup, live, arm)
    update_index(setup, live, arm)


@kernel
def enter_rewards(setup: Setup, live: Live, arm: int) -> None:
    """Enter known rewards like ``enter_known``, but leave event and index to the calling kernel."""
    arm_record, progress = live.arms[arm], live.progress[0]
    if is_final(setup, progress) or not is_open(arm_record):
        return
    while arm_record["first"] != 0 or arm_record["block"] != NEVER:
        number = arm_record["first"]
        if number == 0 or number > arm_record["block"]:
            progress["event"], progress["arm"] = BLOCK, arm
            return
        pull = live.log[number - 1]
        if pull["state"] == OUT:
            return
        arm_record["first"] = pull["after"]
        if pull["state"] == DROPPED:
            continue
        lost = 1 if pull["state"] == LOST else 0
        reward = 0.0 if lost else (pull["reward"] - setup.offset) / setup.scale
        if setup.keeps_wealth:
            bet(
                setup,
                live.wealth,
                arm,
                arm_record["cases"],
                arm_record["pulls"],
                arm_record["sums"],
                float(arm_record["lost"]),
                reward,
                reward + lost,
            )
        arm_record["pulls"] += 1
        arm_record["sums"] += reward
        arm_record["lost"] += lost
        arm_record["most"] = 0
        test_arm(setup, live, arm)
        if progress["event"] != NOTHING:
            return


@inlined
def is_short_of_rows(known: int, row: int) -> bool:
    """Return whether ``known`` rows of the curves do not reach far enough beyond ``row``."""
    return row >= known or (max(EXTRAPOLATION * row, MIN_ROWS - 1) >= known and known < MAX_ROWS)


@inlined
def test_arm(setup: Setup, live: Live, arm: int) -> None:
    """Test the arm after its counts have changed."""
    arm_record, progress = live.arms[arm], live.progress[0]
    n, total, lost = arm_record["pulls"], arm_record["sums"], float(arm_record["lost"])
    row = int(total + lost) if setup.rewards == BERNOULLI else n
    if setup.has_curves and not setup.has_pool and is_short_of_rows(live.curves.shape[0], row):
        progress["event"], progress["arm"] = UNKNOWN, arm
        return
    if not is_tested(setup, n):
        return
    label = UNDECIDED
    if setup.keeps_wealth:
        label = label_by_wealth(setup, live.wealth, arm, n, total, lost)
    elif setup.has_curves:
        label = label_by_curves(setup, live.curves, arm_record["first_row"], n, total, lost)
    else:
        label = label_by_bound(setup, n, total, lost)
    if label != UNDECIDED:
        progress["event"], progress["arm"], progress["label"] = LABEL, arm, label
    elif setup.has_pool and n == arm_record["cases"]:
        progress["event"], progress["arm"], progress["label"] = USED_UP, arm, label


@interpreted_first(one_arm)
def close_arm(live: Live, arm: int, label: int) -> None:
    """Close an arm, with its label or without, and drop its queue."""
    arm_record, progress = live.arms[arm], live.progress[0]
    arm_record["labels"], arm_record["active"], arm_record["labelled_at"] = (
        label,
        False,
        progress["pulls"],
    )
    arm_record["first"], arm_record["block"] = 0, NEVER
    progress["alive"] = remove_arm(live.alive, progress["alive"], arm)
    if label == GOOD:
        progress["good"] += 1
    update_index(setup_of(live.setup[0]), live, arm)
