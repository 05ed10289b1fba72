"""Pulls: every loop draws, counts and tests rewards here.

A compiled call updates a reference count for each array that it passes on, which costs more than
the arithmetic of a pull. So one function that can make many pulls makes those of the plain loop and
of the warm-up, and the single ones of the fast loop and of a loop in Python.
"""

from typing import Final

import numpy as np

from goodarm.kernels.codes import BERNOULLI, GOOD, UNDECIDED, CurveRows, Setup
from goodarm.kernels.compilation.jit import inlined, kernel, merged
from goodarm.kernels.dispatch import index_clock, index_parts
from goodarm.kernels.label import is_tested
from goodarm.kernels.selection import find_largest_index, remove_arm
from goodarm.kernels.simulation.arm_test import has_next_row, label_after
from goodarm.kernels.simulation.keys import compute_key_after, compute_keys
from goodarm.kernels.simulation.state import Scratch, State
from goodarm.kernels.simulation.tape import draw_reward
from goodarm.kernels.tree import update_tree

LARGEST_INDEX: Final = -1
"""Argument in place of an arm: pull whichever arm has the largest index."""


@inlined
def is_over(setup: Setup, progress: np.void) -> bool:
    """Return whether the run is over: all labelled, enough good arms, or no pulls left."""
    is_answered = progress["alive"] == 0 or progress["good"] >= setup.until
    return is_answered or progress["pulls"] >= setup.max_pulls


@kernel
def make_pulls(
    setup: Setup, curves: CurveRows, state: State, scratch: Scratch, arm: int, most: int
) -> int:
    """Pull an arm until it is labelled, or ``LARGEST_INDEX``, at most ``most`` times.

    Stop early at the end of the run or of the curves. Return the label of the last arm pulled.
    """
    arms, places, alive, wealth = state.arms, state.places, state.alive, state.wealth
    level, width, hints = scratch.level, scratch.width, scratch.hints
    keys, tree, steer, keeps = scratch.keys, scratch.tree, scratch.steering[0], setup.is_stepped
    progress, chooses, label = state.progress[0], arm == LARGEST_INDEX, UNDECIDED
    end = progress["pulls"] + most
    while progress["pulls"] < end and not is_over(setup, progress):
        if chooses and keeps:
            if progress["pulls"] >= steer["clock_end"]:
                compute_keys(setup, state, scratch)
            arm = tree[1]
        elif chooses:
            clock = index_clock(setup, progress["pulls"])
            arm = find_largest_index(setup, alive, progress["alive"], level, width, clock)
        arm_record, place, hint = arms[arm], places[arm], hints[arm]
        n, before, reward = arm_record["pulls"] + 1, arm_record["sum"], 0.0
        if not has_next_row(setup, curves, n - 1, before):
            break
        if setup.rewards != BERNOULLI or n >= place["next_success"]:
            reward = (draw_reward(setup, place, state.numbers, arm, n) - setup.offset) / setup.scale
        tested = is_tested(setup, n)
        label = label_after(setup, curves, hint, wealth, arm_record, arm, n, before, reward, tested)
        arm_record["pulls"], arm_record["sum"] = n, before + reward
        progress["pulls"] += 1
        if not keeps:
            level[arm], width[arm] = index_parts(setup, n, arm_record["sum"] / n)
            hint["ceiling_end"] = 0
        elif progress["pulls"] < steer["clock_end"]:
            keys[arm] = compute_key_after(setup, arm_record, label != UNDECIDED, steer["clock"])
            update_tree(keys, tree, arm)
        if label != UNDECIDED:
            label_arm(state, arm, label)
            if not chooses:
                break
    return label


@merged
def label_arm(state: State, arm: int, label: int) -> None:
    """Label an arm that the last pull has proven good or bad; it is no longer undecided."""
    progress = state.progress[0]
    state.labels[arm] = label
    progress["alive"] = remove_arm(state.alive, progress["alive"], arm)
    if label == GOOD:
        state.tau[progress["good"]] = progress["pulls"]
        progress["good"] += 1


@inlined
def pull(setup: Setup, curves: CurveRows, state: State, scratch: Scratch, arm: int) -> int:
    """Pull an arm once, if the run is not over and the curves reach it; return its label."""
    return make_pulls(setup, curves, state, scratch, arm, 1)


@kernel
def warm_up(setup: Setup, curves: CurveRows, state: State, scratch: Scratch, most: int) -> None:
    """Warm up arm after arm, for at most ``most`` pulls or to the end of the curves."""
    progress = state.progress[0]
    end = progress["pulls"] + most
    while progress["warmed"] < setup.num_arms:
        arm = progress["warmed"]
        if state.labels[arm] == UNDECIDED:
            missing = setup.warmup - state.arms[arm]["pulls"]
            left = min(missing, end - progress["pulls"])
            label = make_pulls(setup, curves, state, scratch, arm, left)
            if label == UNDECIDED and state.arms[arm]["pulls"] < setup.warmup:
                break
        progress["warmed"] += 1
