"""Jumps over many pulls at once, made arm by arm and not in the order of the run.

A jump chooses a *mark*, an index a little below the largest, and pulls arm after arm for as long as
the arm's index lies above the mark. It never compares two arms. Meanwhile the clock moves and lifts
indices, so the jump goes round the arms again, with the clock after all pulls made so far, until a
whole round finds every arm below the mark; under a stepped clock one round is enough. Then the run,
pull by pull, reaches the same counts: see docs/engine.md for the argument. It needs three things.

1. An index never falls when the clock moves.
2. Comparisons with the mark count only if they differ by more than rounding error.
3. No pull proves its arm good: that moment is part of the result. A pull may prove its arm bad; the
   arm then has no index any more, and its label does not depend on when that was.

Where 2 or 3 fails, the jump is undone, and the run goes on with a plain pull or a shorter jump.
"""

import math

from goodarm.kernels.codes import BAD, UNDECIDED, CurveRows, Setup
from goodarm.kernels.compilation.jit import inlined, kernel, merged
from goodarm.kernels.dispatch import index_clock
from goodarm.kernels.index import index_of, is_clearly_above, mark_at
from goodarm.kernels.numerics.bets import copy_wealth
from goodarm.kernels.simulation.caches import index_or_less
from goodarm.kernels.simulation.keys import compute_key_after
from goodarm.kernels.simulation.state import Scratch, State
from goodarm.kernels.simulation.steering import (
    GROWTH_EVENTS,
    MAX_EVENTS,
    REACH_CUT,
    REACH_GROWTH,
    STEP_COST,
    choose_depth,
    clear_wall,
    is_due,
    set_wall,
    shorten_jump,
)
from goodarm.kernels.simulation.walk import (
    BELOW,
    DUE,
    PROVEN_BAD,
    TOO_LONG,
    compute_index_parts,
    walk,
)
from goodarm.kernels.tree import build_tree, update_tree


@kernel
def jump(
    setup: Setup,
    curves: CurveRows,
    state: State,
    scratch: Scratch,
    clock: float,
    top: float,
    room: int,
) -> int:
    """Pull all arms down to a mark below the largest index; return the pulls made, 0 if undone.

    It makes at most ``room`` pulls: those left of the run, or of this step of the clock.
    """
    keeps, count = setup.is_stepped, state.progress[0]["alive"]
    steer, depth = scratch.steering[0], choose_depth(scratch.steering, top)
    if not is_clearly_above(top, top - depth):
        return 0
    size, made, deaths, effort, has_wall, went_well = walk_arms(
        setup, curves, state, scratch, clock, top - depth, room
    )
    used = MAX_EVENTS * (8 + count) - effort
    steer["work"] += STEP_COST * (used + size)
    if went_well:
        if used < GROWTH_EVENTS * (8 + count) and steer["wall_arm"] < 0:
            steer["reach"] *= REACH_GROWTH
        state.progress[0]["pulls"] += made
        if keeps:
            steer["rate"] = made / depth
            update_moved(scratch, size)
        if deaths > 0:
            remove_bad_arms(state)
        return made
    if not has_wall or top - steer["wall"] > REACH_CUT * depth:
        shorten_jump(scratch.steering, room, depth)
    undo_jump(setup, state, scratch, size)
    return 0


@merged
def walk_arms(
    setup: Setup,
    curves: CurveRows,
    state: State,
    scratch: Scratch,
    clock: float,
    below: float,
    room: int,
) -> tuple[int, int, int, int, bool, bool]:
    """Walk all arms down to a mark, round after round; once under a stepped clock.

    Return the arms moved, the pulls made, the arms proven bad, the effort left, whether a wall was
    met, and whether the run would reach the same counts.
    """
    arms, places, alive = state.arms, state.places, state.alive
    level, width, keys, hints = scratch.level, scratch.width, scratch.keys, scratch.hints
    keeps, steer, mark = setup.is_stepped, scratch.steering[0], mark_at(setup, below)
    t, count = state.progress[0]["pulls"], state.progress[0]["alive"]
    seeks = setup.is_linear or not keeps
    allowance = int(steer["reach"]) + 16 if keeps else room
    effort = MAX_EVENTS * (8 + count)
    steer["jumps"] += 1
    size, made, deaths, status, now = 0, 0, 0, BELOW, t
    is_clear, goes_on, has_wall = True, True, False
    while goes_on:
        goes_on, is_clear = False, True
        for position in range(count):
            arm = alive[position]
            if keeps:
                index = keys[arm]
            else:
                index = index_or_less(setup, hints, level, width, arm, now, clock, mark.value)
            if is_clearly_above(mark.value, index):
                continue
            if not is_clearly_above(index, mark.value):
                is_clear = False
                continue
            arm_record, place, hint = arms[arm], places[arm], hints[arm]
            if hint["moved_by"] != steer["jumps"]:
                scratch.moved[size]["arm"], scratch.moved[size]["key"] = arm, index
                scratch.old_arms[size], scratch.old_places[size] = arm_record, place
                scratch.old_hints[size] = hint
                copy_wealth(state.wealth, arm, scratch.old_wealth, size)
                hint["moved_by"] = steer["jumps"]
                size += 1
            before, effort_before, made_before = arm_record["pulls"], effort, made
            most = min(room - made, allowance)
            status, effort, lowest, lowest_at = walk(
                setup,
                curves,
                arm_record,
                place,
                state.numbers,
                hint,
                state.wealth,
                scratch.old_wealth,
                arm,
                clock,
                mark,
                most,
                effort,
                seeks,
            )
            made += arm_record["pulls"] - before
            if keeps:
                keys[arm] = compute_key_after(setup, arm_record, status == PROVEN_BAD, clock)
                is_clear = is_clear and is_clearly_above(mark.value, keys[arm])
            else:
                level[arm], width[arm] = compute_index_parts(
                    setup, arm_record, status == PROVEN_BAD
                )
                goes_on = True
            if status == PROVEN_BAD:
                state.labels[arm] = BAD
                deaths += 1
            is_most = 2 * (effort_before - effort) > MAX_EVENTS * (8 + count)
            is_most = is_most or (keeps and arm_record["pulls"] - before >= allowance)
            if status == DUE or (status == TOO_LONG and is_most):
                if not seeks:
                    restore_arm(state, scratch, size - 1)
                    most = min(room - made_before, allowance)
                    status, effort, lowest, lowest_at = walk(
                        setup,
                        curves,
                        arm_record,
                        place,
                        state.numbers,
                        hint,
                        state.wealth,
                        scratch.old_wealth,
                        arm,
                        clock,
                        mark,
                        most,
                        effort_before,
                        True,
                    )
                if status == DUE or not keeps or lowest_at < arm_record["pulls"]:
                    # The jump has failed; from here on look for a wall higher than this one.
                    has_wall, mark = True, mark_at(setup, lowest)
                    set_wall(scratch.steering, arm, lowest, lowest_at)
            if status == TOO_LONG:
                break
        goes_on = goes_on and not has_wall and status != TOO_LONG
        now = t + made
        clock = index_clock(setup, now)
        steer["work"] += count
    went_well = is_clear and not has_wall and status != TOO_LONG
    return size, made, deaths, effort, has_wall, went_well


@inlined
def restore_arm(state: State, scratch: Scratch, position: int) -> None:
    """Restore an arm that a jump has moved."""
    arm = scratch.moved[position]["arm"]
    state.arms[arm] = scratch.old_arms[position]
    state.places[arm] = scratch.old_places[position]
    scratch.hints[arm] = scratch.old_hints[position]
    copy_wealth(scratch.old_wealth, position, state.wealth, arm)


@merged
def undo_jump(setup: Setup, state: State, scratch: Scratch, size: int) -> None:
    """Undo a jump: restore all arms that it has moved."""
    for position in range(size):
        restore_arm(state, scratch, position)
        arm = scratch.moved[position]["arm"]
        state.labels[arm] = UNDECIDED
        if setup.is_stepped:
            scratch.keys[arm] = scratch.moved[position]["key"]
        else:
            scratch.level[arm], scratch.width[arm] = compute_index_parts(
                setup, state.arms[arm], False
            )


@merged
def update_moved(scratch: Scratch, size: int) -> None:
    """Update the tree after a jump has changed the keys of the arms it moved."""
    if size * 8 > scratch.keys.shape[0]:
        build_tree(scratch.keys, scratch.tree)
    else:
        for position in range(size):
            update_tree(scratch.keys, scratch.tree, scratch.moved[position]["arm"])


@kernel
def remove_bad_arms(state: State) -> None:
    """Remove the arms that were proven bad from the undecided ones."""
    progress, left = state.progress[0], 0
    for position in range(progress["alive"]):
        arm = state.alive[position]
        if state.labels[arm] == UNDECIDED:
            state.alive[left] = arm
            left += 1
    progress["alive"] = left


@kernel
def find_highest_other(
    setup: Setup, state: State, scratch: Scratch, best: int, second: int, t: int
) -> float:
    """Return the largest index of the arms other than the best, at t pulls; likely the second's."""
    level, width, hints = scratch.level, scratch.width, scratch.hints
    clock = index_clock(setup, t)
    highest = index_of(setup, level[second], width[second], clock)
    for position in range(state.progress[0]["alive"]):
        arm = state.alive[position]
        if arm != best:
            index = index_or_less(setup, hints, level, width, arm, t, clock, highest)
            highest = max(highest, index)
    return highest


@kernel
def pull_best_arm(
    setup: Setup,
    curves: CurveRows,
    state: State,
    scratch: Scratch,
    clock: float,
    best: int,
    second: int,
    room: int,
) -> int:
    """Pull the best arm as long as its index is above all others; return the pulls made.

    ``second`` is the arm with the largest index of the others, or -1. The mark is the index that
    the others will have reached by then; the pulls are limited so that it is about half-way up to
    the best arm's.
    """
    arms, level, width, keys = state.arms, scratch.level, scratch.width, scratch.keys
    t, mark, most = state.progress[0]["pulls"], -math.inf, room
    if second >= 0 and setup.is_stepped:
        mark = keys[second]
        if not is_clearly_above(keys[best], mark):
            return 0
    elif second >= 0:
        mark = start = index_of(setup, level[second], width[second], clock)
        lead = index_of(setup, level[best], width[best], clock) - start
        if lead <= 0.0:
            return 0
        if setup.has_clock:
            ahead = 1 + (t >> 1)
            later = index_of(setup, level[second], width[second], index_clock(setup, t + ahead))
            share = min(0.5 * lead / max(later - start, 1e-300), 1.0)
            most = min(most, max(1, int(share * ahead)))
            mark = find_highest_other(setup, state, scratch, best, second, t + most)
            while mark > start + 0.75 * lead and most > 1:
                most = (most + 3) >> 2
                mark = find_highest_other(setup, state, scratch, best, second, t + most)
    arm_record = arms[best]
    before, effort = arm_record["pulls"], MAX_EVENTS * (8 + state.progress[0]["alive"])
    status, left, _, _ = walk(
        setup,
        curves,
        arm_record,
        state.places[best],
        state.numbers,
        scratch.hints[best],
        state.wealth,
        scratch.old_wealth,
        best,
        clock,
        mark_at(setup, mark),
        most,
        effort,
        False,
    )
    if setup.is_stepped:
        keys[best] = compute_key_after(setup, arm_record, status == PROVEN_BAD, clock)
        update_tree(keys, scratch.tree, best)
    else:
        level[best], width[best] = compute_index_parts(setup, arm_record, status == PROVEN_BAD)
    if status == PROVEN_BAD:
        state.labels[best] = BAD
        remove_bad_arms(state)
    scratch.steering[0]["work"] += STEP_COST * (1 + effort - left)
    if status in (BELOW, PROVEN_BAD) and is_due(scratch.steering, arms, best):
        clear_wall(scratch.steering)
    made = arm_record["pulls"] - before
    state.progress[0]["pulls"] += made
    return made
