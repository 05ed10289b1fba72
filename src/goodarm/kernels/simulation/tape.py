"""Reward tapes: the k-th reward of an arm depends only on (seed, run, arm, k).

Any engine, any order of pulls and any number of workers therefore see the same rewards. If an arm
has only a mean:

- Bernoulli rewards are drawn as gaps between successes, one word each.
- Bounded rewards are uniform on the widest interval around the mean that fits [low, high].
- Gaussian rewards come in pairs by Box-Muller, from two words for each pair.

``laws`` has the other distributions.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import BERNOULLI, BOUNDED, NEVER, Setup
from goodarm.kernels.compilation.jit import inlined, kernel
from goodarm.kernels.numerics.philox import to_uniform
from goodarm.kernels.simulation.laws import (
    LISTED,
    PLAIN,
    Laws,
    Numbers,
    draw,
    draw_next_hit,
    shuffle,
)
from goodarm.kernels.simulation.place import PLACE, Place, Places, draw_uniform, draw_word

NO_NUMBERS: Final = np.zeros(0)
"""Numbers of arms that have only a mean: made once, not for every run."""


@inlined
def draw_success(place: Place, arm: int, start: int) -> int:
    """Draw the first pull after ``start`` that succeeds: start + 1 + floor(log u / log(1 - p))."""
    log_failure = place["log_failure"]
    if log_failure == 0.0:
        return draw_next_hit(place, arm, start)
    failures = math.log(to_uniform(draw_word(place, arm))) / log_failure
    if failures >= float(NEVER - start - 1):
        return NEVER
    return start + 1 + int(failures)


def make_places(
    setup: Setup,
    means: NDArray[np.float64],
    seed: int,
    run: int,
    laws: Laws | None = None,
    begun: NDArray[np.int64] | None = None,
) -> tuple[Places, Numbers]:
    """Make the places of a run's arms before their first reward, and the numbers of their laws.

    ``begun`` are the pulls that arms have had before the run; their rewards are not on the tape.
    """
    places = np.zeros(len(means), PLACE)
    begun = np.zeros(len(means), np.int64) if begun is None else begun
    if laws is None:
        start_places(np.uint64(seed), np.uint64(run), means, setup.rewards, places, begun)
        return places, NO_NUMBERS
    numbers, arms = laws.numbers, laws.arms
    places["law"], places["first"] = arms["law"], arms["first"]
    places["size"], places["left"] = arms["size"], arms["left"]
    start_places(np.uint64(seed), np.uint64(run), means, setup.rewards, places, begun)
    listed = np.flatnonzero(places["law"] == LISTED)
    if listed.size:
        numbers = numbers.copy()
        for arm in listed.tolist():
            shuffle(places[arm], numbers, arm)
    return places, numbers


@kernel
def start_places(
    seed: np.uint64,
    run: np.uint64,
    means: NDArray[np.float64],
    rewards: int,
    places: Places,
    begun: NDArray[np.int64],
) -> None:
    """Set every arm's place to before its first reward of this run."""
    for arm in range(means.shape[0]):
        place = places[arm]
        place["seed"], place["run"], place["mean"] = seed, run, means[arm]
        if rewards == BERNOULLI:
            mean = means[arm]
            if place["law"] == PLAIN:
                place["log_failure"] = math.log1p(-mean) if mean < 1.0 else -math.inf
            place["next_success"] = draw_success(place, arm, begun[arm])
        elif begun[arm] & 1 == 1:  # Gaussian rewards come in pairs, and this one's second is next
            draw_uniform(place, arm)
            draw_uniform(place, arm)


@kernel
def draw_reward(setup: Setup, place: Place, numbers: Numbers, arm: int, n: int) -> float:
    """Draw the n-th reward of the arm (from 1), in the user's units; call it in order of n."""
    if setup.rewards == BERNOULLI:
        if n < place["next_success"]:
            return 0.0
        place["next_success"] = draw_success(place, arm, n)
        return 1.0
    if place["law"] != PLAIN:
        return draw(place, numbers, arm, n)
    mean = place["mean"]
    if setup.rewards == BOUNDED:
        reach = min(mean - setup.low, setup.high - mean)
        reward = mean + reach * (2.0 * draw_uniform(place, arm) - 1.0)
        return min(max(reward, setup.low), setup.high)
    is_first_of_pair = n & 1 == 1
    if is_first_of_pair:
        draw_uniform(place, arm)
        draw_uniform(place, arm)
    words, j = place["words"], place["drawn"]
    radius = math.sqrt(-2.0 * math.log(to_uniform(words[(j - 2) & 3])))
    angle = 2.0 * math.pi * to_uniform(words[(j - 1) & 3])
    return mean + setup.sigma * radius * (math.cos(angle) if is_first_of_pair else math.sin(angle))
