"""Reward tapes: the k-th reward of an arm is a function of (seed, run, arm, k) alone.

Any engine, any order of pulls and any number of workers therefore see the same rewards. An arm
reads its words in order: word j is word j % 4 of the Philox block with key (seed, run) and counter
(j // 4, arm, stream, 0).

- Bernoulli rewards are drawn as gaps between successes, one word each.
- Bounded rewards are uniform on the widest interval around the mean that fits [low, high].
- Gaussian rewards come in pairs by Box-Muller, from two words each pair.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import BERNOULLI, BOUNDED, NEVER, Setup
from goodarm.kernels.jit import inlined, kernel
from goodarm.kernels.philox import philox, to_uniform

REWARD_STREAM = np.uint64(0)


Places = NDArray[np.void]
"""Where each arm of one run stands on its tape: records of PLACE."""

Place = np.void
"""One of them."""

PLACE: Final = np.dtype(
    [
        ("seed", np.uint64),
        ("run", np.uint64),
        ("words", np.uint64, (4,)),  # the block the arm reads from; it follows from what was drawn
        ("drawn", np.int64),  # words the arm has read
        ("next_success", np.int64),  # Bernoulli: the number of the pull that succeeds next
        ("mean", np.float64),
        ("log_failure", np.float64),  # Bernoulli: log(1 - mean)
    ]
)


@inlined
def next_word(place: Place, arm: int) -> np.uint64:
    """The arm's next random word."""
    words = place["words"]
    j = place["drawn"]
    if j & 3 == 0:
        words[0], words[1], words[2], words[3] = philox(
            place["seed"],
            place["run"],
            np.uint64(j >> 2),
            np.uint64(arm),
            REWARD_STREAM,
            np.uint64(0),
        )
    place["drawn"] = j + 1
    return words[j & 3]


@inlined
def draw_success(place: Place, arm: int, start: int) -> int:
    """The first pull after ``start`` that succeeds: start + 1 + floor(log u / log(1 - p))."""
    log_failure = place["log_failure"]
    if log_failure == 0.0:
        return NEVER
    failures = math.log(to_uniform(next_word(place, arm))) / log_failure
    if failures >= float(NEVER - start - 1):
        return NEVER
    return start + 1 + int(failures)


def new_places(setup: Setup, means: NDArray[np.float64], seed: int, run: int) -> Places:
    """Every arm of a run before its first reward."""
    places = np.zeros(len(means), PLACE)
    start(np.uint64(seed), np.uint64(run), means, setup.rewards, places)
    return places


@kernel
def start(
    seed: np.uint64, run: np.uint64, means: NDArray[np.float64], rewards: int, places: Places
) -> None:
    """Bring every arm before its first reward."""
    for arm in range(means.shape[0]):
        place = places[arm]
        place["seed"], place["run"], place["mean"] = seed, run, means[arm]
        if rewards == BERNOULLI:
            mean = means[arm]
            place["log_failure"] = math.log1p(-mean) if mean < 1.0 else -math.inf
            place["next_success"] = draw_success(place, arm, 0)


@kernel
def next_reward(setup: Setup, place: Place, arm: int, n: int) -> float:
    """The n-th reward of the arm (the first is 1), in the user's units; to be read in order."""
    if setup.rewards == BERNOULLI:
        if n < place["next_success"]:
            return 0.0
        place["next_success"] = draw_success(place, arm, n)
        return 1.0
    mean = place["mean"]
    if setup.rewards == BOUNDED:
        reach = min(mean - setup.low, setup.high - mean)
        reward = mean + reach * (2.0 * to_uniform(next_word(place, arm)) - 1.0)
        return min(max(reward, setup.low), setup.high)
    is_first_of_pair = n & 1 == 1
    if is_first_of_pair:
        next_word(place, arm)
        next_word(place, arm)
    words, j = place["words"], place["drawn"]
    radius = math.sqrt(-2.0 * math.log(to_uniform(words[(j - 2) & 3])))
    angle = 2.0 * math.pi * to_uniform(words[(j - 1) & 3])
    return mean + setup.sigma * radius * (math.cos(angle) if is_first_of_pair else math.sin(angle))
