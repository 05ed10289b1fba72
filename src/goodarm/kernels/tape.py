"""Reward tapes: the k-th reward of an arm is a function of (seed, run, arm, k) alone.

Any engine, any order of pulls and any number of workers therefore see the same rewards. An arm
reads its words in order: word j is word j % 4 of the Philox block with key (seed, run) and counter
(j // 4, arm, stream, 0).

- Bernoulli rewards are drawn as gaps between successes, one word each.
- Bounded rewards are uniform on the widest interval around the mean that fits [low, high].
- Gaussian rewards come in pairs by Box-Muller, from two words each pair.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import BERNOULLI, BOUNDED, NEVER, Setup
from goodarm.kernels.jit import inlined, kernel
from goodarm.kernels.philox import philox, to_uniform

REWARD_STREAM = np.uint64(0)


class Tape(NamedTuple):
    """Where each arm of one run stands on its tape."""

    key: NDArray[np.uint64]
    """(seed, run)"""
    words: NDArray[np.uint64]
    """(K, 4): the block each arm reads from"""
    drawn: NDArray[np.int64]
    """(K,): words each arm has read"""
    next_success: NDArray[np.int64]
    """(K,): Bernoulli only: the number of the pull that succeeds next"""
    log_failure: NDArray[np.float64]
    """(K,): Bernoulli only: log(1 - mean)"""


@inlined
def next_word(tape: Tape, arm: int) -> np.uint64:
    """The arm's next random word."""
    j = tape.drawn[arm]
    if j & 3 == 0:
        a, b, c, d = philox(
            tape.key[0],
            tape.key[1],
            np.uint64(j >> 2),
            np.uint64(arm),
            REWARD_STREAM,
            np.uint64(0),
        )
        words = tape.words
        words[arm, 0] = a
        words[arm, 1] = b
        words[arm, 2] = c
        words[arm, 3] = d
    tape.drawn[arm] = j + 1
    return tape.words[arm, j & 3]


@kernel
def draw_success(tape: Tape, arm: int, start: int) -> int:
    """The first pull after ``start`` that succeeds: start + 1 + floor(log u / log(1 - p))."""
    log_failure = tape.log_failure[arm]
    if log_failure == 0.0:
        return NEVER
    failures = math.log(to_uniform(next_word(tape, arm))) / log_failure
    if failures >= float(NEVER - start - 1):
        return NEVER
    return start + 1 + int(failures)


@kernel
def start_tape(means: NDArray[np.float64], rewards: int, tape: Tape) -> None:
    """Bring every arm of a fresh tape before its first reward."""
    if rewards == BERNOULLI:
        for arm in range(means.shape[0]):
            mean = means[arm]
            tape.log_failure[arm] = math.log1p(-mean) if mean < 1.0 else -math.inf
            tape.next_success[arm] = draw_success(tape, arm, 0)


@kernel
def next_reward(setup: Setup, means: NDArray[np.float64], tape: Tape, arm: int, n: int) -> float:
    """The n-th reward of the arm (the first is 1), in the user's units; to be read in order."""
    if setup.rewards == BERNOULLI:
        if n < tape.next_success[arm]:
            return 0.0
        tape.next_success[arm] = draw_success(tape, arm, n)
        return 1.0
    mean = means[arm]
    if setup.rewards == BOUNDED:
        reach = min(mean - setup.low, setup.high - mean)
        reward = mean + reach * (2.0 * to_uniform(next_word(tape, arm)) - 1.0)
        return min(max(reward, setup.low), setup.high)
    is_first_of_pair = n & 1 == 1
    if is_first_of_pair:
        next_word(tape, arm)
        next_word(tape, arm)
    radius = math.sqrt(-2.0 * math.log(to_uniform(tape.words[arm, (tape.drawn[arm] - 2) & 3])))
    angle = 2.0 * math.pi * to_uniform(tape.words[arm, (tape.drawn[arm] - 1) & 3])
    return mean + setup.sigma * radius * (math.cos(angle) if is_first_of_pair else math.sin(angle))
