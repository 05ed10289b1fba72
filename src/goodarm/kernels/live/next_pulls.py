"""Pulls to ask next: the warm-up in order, then the largest index, each pull held at once.

An arm that holds as many pulls as ``caps`` allows is at its cap until one of them is told; a batch
ends when all arms are at their caps. Rewards that wait behind a missing one count as held pulls.
"""

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.clock import can_keep_indices, find_clock_end
from goodarm.kernels.codes import Setup
from goodarm.kernels.compilation.jit import inlined, interpreted_first, kernel, one_arm
from goodarm.kernels.dispatch import has_index, index_clock, index_parts
from goodarm.kernels.index import index_at, index_of
from goodarm.kernels.keys import NO_KEY, compute_key
from goodarm.kernels.live.caps import FAIR_SHARES, PULLS_PER_HELD, find_max_held
from goodarm.kernels.live.records import OUT, Live, has_cases, is_final, is_open, setup_of
from goodarm.kernels.selection import find_largest_index
from goodarm.kernels.tree import build_tree, update_tree


@inlined
def hold_pull(live: Live, arm: int) -> None:
    """Record a new pull of the arm at the end of its queue."""
    arm_record, progress = live.arms[arm], live.progress[0]
    number = progress["asked"] + 1
    pull = live.log[number - 1]
    pull["arm"], pull["reward"], pull["after"], pull["state"] = arm, 0.0, 0, OUT
    if arm_record["first"] == 0:
        arm_record["first"] = number
    else:
        live.log[arm_record["last"] - 1]["after"] = number
    arm_record["last"] = number
    arm_record["held"] += 1
    progress["asked"] = number
    progress["held"] += 1
    progress["out"] += 1


@inlined
def update_index(setup: Setup, live: Live, arm: int) -> None:
    """Update the arm's index after its counts, or those of all arms, have changed."""
    arm_record, progress = live.arms[arm], live.progress[0]
    if not can_keep_indices(setup):
        if arm_record["held"] > 0:
            live.level[arm], live.width[arm] = index_parts(
                setup, arm_record["held"], arm_record["means"]
            )
    elif (
        arm_record["held"] > 0
        and progress["clock_from"] <= progress["held"] < progress["clock_end"]
    ):
        is_out = not is_open(arm_record)
        live.keys[arm] = compute_key(
            setup, arm_record["held"], arm_record["means"], is_out, progress["clock"]
        )
        update_tree(live.keys, live.tree, arm)
    else:
        progress["clock_end"] = 0


@kernel
def compute_keys(setup: Setup, live: Live) -> None:
    """Recompute all keys at the current clock."""
    progress, keys = live.progress[0], live.keys
    t = progress["held"]
    clock = index_clock(setup, t)
    progress["clock"], progress["clock_from"] = clock, t
    progress["clock_end"] = find_clock_end(setup, t)
    keys[:] = NO_KEY
    for position in range(progress["alive"]):
        arm = live.alive[position]
        arm_record = live.arms[arm]
        keys[arm] = compute_key(setup, arm_record["held"], arm_record["means"], False, clock)
    build_tree(keys, live.tree)


@kernel
def choose_next_arm(setup: Setup, live: Live) -> int:
    """Return the arm with the largest index below its cap; -1 if none is."""
    progress = live.progress[0]
    share = compute_fair_share(progress)
    if share > progress["share"]:
        lift_caps(setup, live)
    progress["share"] = share
    while True:
        if can_keep_indices(setup):
            if progress["held"] >= progress["clock_end"]:
                compute_keys(setup, live)
            arm = live.tree[1]
            index = live.keys[arm]
        else:
            clock = index_clock(setup, progress["held"])
            arm = find_largest_index(
                setup, live.alive, progress["alive"], live.level, live.width, clock
            )
            index = index_of(setup, live.level[arm], live.width[arm], clock)
        if index == NO_KEY:
            return -1
        if not is_at_cap(setup, live, arm):
            return arm
        if can_keep_indices(setup):
            live.keys[arm] = NO_KEY
            update_tree(live.keys, live.tree, arm)
        else:
            live.level[arm] = NO_KEY


@kernel
def lift_caps(setup: Setup, live: Live) -> None:
    """Let every arm be asked again; those at their caps are found anew."""
    progress = live.progress[0]
    progress["clock_end"] = 0
    if not can_keep_indices(setup):
        for position in range(progress["alive"]):
            update_index(setup, live, live.alive[position])


@inlined
def compute_fair_share(progress: np.void) -> int:
    """Return the pulls out per undecided arm, counting the one that is being asked."""
    return 1 + progress["out"] // progress["alive"]


@inlined
def is_at_cap(setup: Setup, live: Live, arm: int) -> bool:
    """Return whether the arm holds all pulls that it may until one of them is told."""
    arm_record = live.arms[arm]
    n, waiting = arm_record["pulls"], arm_record["held"] - arm_record["pulls"]
    progress = live.progress[0]
    if not has_cases(setup, arm_record):
        return True
    is_unknown = n == 0 and arm_record["told"] == 0
    if waiting == 0 or is_unknown or not progress["is_capped"]:
        return False
    if waiting >= max(1 + n // PULLS_PER_HELD, FAIR_SHARES * compute_fair_share(progress)):
        return True
    if n == 0:
        return False
    if arm_record["most"] == 0:
        arm_record["most"] = find_max_held(setup, live, arm)
    return arm_record["held"] >= arm_record["most"]


@interpreted_first(lambda live, *_: len(live.arms))
def find_largest_of_all(live: Live, is_left_out: NDArray[np.bool_]) -> int:
    """Return the undecided arm with the largest index, at its cap or not; -1 if none can be asked.

    Arms that are left out, and arms that hold all their cases, cannot be asked.
    """
    setup, progress = setup_of(live.setup[0]), live.progress[0]
    clock = index_clock(setup, progress["held"])
    best, best_index = -1, NO_KEY
    for position in range(progress["alive"]):
        arm = live.alive[position]
        arm_record = live.arms[arm]
        index = index_at(setup, arm_record["held"], arm_record["means"], clock)
        if is_left_out[arm] or not has_cases(setup, arm_record):
            continue
        if best < 0 or index > best_index:
            best, best_index = arm, index
    return best


@interpreted_first(lambda live, count: len(live.arms) + count)
def ask_pulls(live: Live, count: int) -> int:
    """Ask up to ``count`` pulls of arms below their caps; return how many were asked.

    For a rule in Python only the warm-up is asked here.
    """
    setup, progress = setup_of(live.setup[0]), live.progress[0]
    if is_final(setup, progress):
        return 0
    before = progress["asked"]
    end = before + count
    while progress["asked"] < end and progress["warming"] < setup.num_arms:
        arm_record = live.arms[progress["warming"]]
        if (
            arm_record["held"] < setup.warmup
            and is_open(arm_record)
            and has_cases(setup, arm_record)
        ):
            hold_pull(live, progress["warming"])
            update_index(setup, live, progress["warming"])
        else:
            progress["warming"] += 1
    while progress["asked"] < end and has_index(setup):
        arm = choose_next_arm(setup, live)
        if arm < 0:
            break
        hold_pull(live, arm)
        update_index(setup, live, arm)
    return progress["asked"] - before


@interpreted_first(lambda live, *_: len(live.arms))
def mark_askable(live: Live, is_askable: NDArray[np.bool_]) -> bool:
    """Mark the arms below their caps, for a rule in Python; return whether there is one."""
    setup, progress = setup_of(live.setup[0]), live.progress[0]
    is_askable[:] = False
    found = False
    for position in range(progress["alive"]):
        arm = live.alive[position]
        is_askable[arm] = not is_at_cap(setup, live, arm)
        found = found or is_askable[arm]
    return found


@interpreted_first(one_arm)
def ask_arm(live: Live, arm: int) -> None:
    """Ask a pull of an arm chosen by a rule in Python."""
    hold_pull(live, arm)


@interpreted_first(lambda live, arms: len(arms))
def ask_arms(live: Live, arms: NDArray[np.int64]) -> None:
    """Ask pulls of arms that are already chosen."""
    setup = setup_of(live.setup[0])
    for k in range(arms.shape[0]):
        hold_pull(live, arms[k])
        update_index(setup, live, arms[k])


@interpreted_first(lambda live, start: len(live.arms))
def withdraw_pulls(live: Live, start: int) -> None:
    """Take back all pulls after number ``start``, which nobody has seen yet."""
    progress = live.progress[0]
    while progress["asked"] > start:
        number = progress["asked"]
        arm = live.log[number - 1]["arm"]
        arm_record = live.arms[arm]
        arm_record["held"] -= 1
        arm_record["last"] = 0
        for earlier in range(number - 1, 0, -1):
            if live.log[earlier - 1]["arm"] == arm:
                live.log[earlier - 1]["after"] = 0
                arm_record["last"] = earlier
                break
        if arm_record["first"] == number:
            arm_record["first"] = 0
        progress["warming"] = min(progress["warming"], arm)
        progress["asked"] -= 1
        progress["held"] -= 1
        progress["out"] -= 1


@interpreted_first(lambda live: len(live.arms))
def compute_indices(live: Live) -> None:
    """Recompute each arm's index, after all counts were filled in."""
    setup = setup_of(live.setup[0])
    for arm in range(setup.num_arms):
        update_index(setup, live, arm)
