"""Steering: how far the next jump goes. It decides how fast a run is made, never what it is.

- ``reach`` is how many pulls a jump is meant to make, and ``rate`` the pulls in which the largest
  index falls by 1: the mark is set ``reach / rate`` below it.
- The *wall* is the index below which an arm is known to go on too long, or to its label: jumps stop
  above it until that arm is due.
- ``credit`` is what pulls would have cost without jumps, less what jumps have cost. Where it is
  negative no jump is tried.

docs/engine-internals.md says what each of these is worth.
"""

import math
from typing import Final

from goodarm.kernels.codes import Setup
from goodarm.kernels.compilation.jit import inlined, kernel, merged
from goodarm.kernels.index import index_at
from goodarm.kernels.simulation.state import Arms, Scratch, State, Steering

LONGER: Final = 1.25
SHORTER: Final = 0.5
"""What the reach is multiplied by after a jump that was short, and after one that failed."""

ENOUGH: Final = 8
"""Jumps grow until they pass this number of events for each arm."""

EFFORT: Final = 256
"""The most events that a jump passes, or a run of one arm, for each arm and 8 more."""

SHARE: Final = 0.9
"""The part of the pulls left of a step of the clock that a jump is meant to make."""

SHORT: Final = 8
"""The number of pulls up to which a jump is not worth it."""

WALK_PRICE: Final = 2.0
EVENT_PRICE: Final = 0.6
LOOK_PRICE: Final = 0.01
"""What a walk, an event and a look at an arm cost under a stepped clock, in plain pulls."""

PRICE_PULLS: Final = 64.0
"""The price of a pull is the mean over about this number of pulls."""

STAKE: Final = 0.125
MOST_CREDIT: Final = 256.0
"""The part of what pulls cost that may be lost on jumps that fail, and the most at once."""

STEP_COST: Final = 16
"""What an event costs, or a step beside looking at all arms, in arms looked at."""

NEAR_THE_WALL: Final = 0.9999
"""The part of the way to the wall that is gone in one jump."""

LEAST_STEP: Final = 1e-3
"""An index is taken to fall by this part of what a failure does, at least."""


@kernel
def take_rate(setup: Setup, state: State, scratch: Scratch, clock: float) -> None:
    """Estimate the pulls of all arms in which the largest index falls by 1.

    Where the clock moves with every pull, this is done anew when the pulls have grown by a part.
    """
    arms, progress = state.arms, state.progress[0]
    t = progress["pulls"]
    rate = 0.0
    for position in range(progress["alive"]):
        arm = state.alive[position]
        n, s = arms[arm]["pulls"], arms[arm]["sum"]
        now = index_at(setup, n, s / n, clock)
        same_mean = index_at(setup, n + 1, s / n, clock)
        failure = index_at(setup, n + 1, s / (n + 1), clock)
        rate += 1.0 / max(now - same_mean, LEAST_STEP * abs(now - failure), 1e-300)
    steer = scratch.steering[0]
    steer["rate"], steer["rate_end"] = rate, max(t + (t >> 6), 1)


@merged
def book(steering: Steering, count: int, pulls: int, work: int) -> None:
    """Book pulls that were made and work on a jump, where the clock moves with every pull.

    The credit buys a few failures, so that a run in which jumps keep failing costs a few times
    what the plain loop would.
    """
    most = 4.0 * EFFORT * STEP_COST * (8 + count)
    credit = steering[0]["credit"] + float(pulls) * (STEP_COST + count) - work
    steering[0]["credit"] = min(credit, most)


@merged
def depth_of(steering: Steering, top: float) -> float:
    """Return how far below the largest index the next mark is set."""
    steer = steering[0]
    return min(steer["reach"] / steer["rate"], NEAR_THE_WALL * (top - steer["wall"]))


@merged
def learn_price(steering: Steering, made: int, count: int) -> None:
    """Book pulls without a jump under a stepped clock: a part of their cost is credit."""
    steer = steering[0]
    weight = made / (made + PRICE_PULLS)
    if made > 0:
        steer["price"] += weight * (steer["spent"] / made - steer["price"])
    steer["credit"] = min(steer["credit"] + STAKE * steer["spent"], MOST_CREDIT + count)


@merged
def book_jump(steering: Steering, count: int, moved: int, events: int, made: int) -> None:
    """Book what a jump under a stepped clock has cost and, if it went well, has spared."""
    steer = steering[0]
    spent = EVENT_PRICE * events + WALK_PRICE * moved + LOOK_PRICE * count
    steer["credit"] = min(steer["credit"] + made * steer["price"] - spent, MOST_CREDIT + count)


@merged
def fall_short(steering: Steering, room: int, depth: float) -> None:
    """Make the next jump shorter, after one that went too far.

    Under a stepped clock the reach is what is left of the step, and the rate is raised instead.
    """
    steer = steering[0]
    if steer["clock_end"] > 0:
        steer["rate"] = max(steer["rate"], room / depth) / SHORTER
    else:
        steer["reach"] = max(1.0, SHORTER * steer["reach"])


@inlined
def is_due(steering: Steering, arms: Arms, best: int) -> bool:
    """Return whether the best arm is the one behind the wall, and has come to it."""
    steer = steering[0]
    return best == steer["wall_arm"] and arms[best]["pulls"] >= steer["wall_pulls"]


@merged
def build_wall(steering: Steering, arm: int, index: float, pulls: int) -> None:
    """Remember that an arm goes on too long from this index and count, or to its label."""
    steer = steering[0]
    steer["wall"], steer["wall_arm"], steer["wall_pulls"] = index, arm, pulls


@inlined
def take_down_wall(steering: Steering) -> None:
    """Forget the wall: its arm has come to it, or somebody was labelled."""
    steering[0]["wall"], steering[0]["wall_arm"] = -math.inf, -1
