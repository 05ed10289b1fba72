"""Steering: how far the next jump goes. It decides how fast a run is made, never what it is.

- ``reach`` is how many pulls a jump is meant to make, and ``rate`` the pulls in which the largest
  index falls by 1: the mark is set ``reach / rate`` below it.
- The *wall* is the index below which an arm is known to go on too long, or to its label: jumps stop
  above it until that arm is due.
- ``credit`` is what jumps may cost, less what they have cost, in arms looked at. Where it is
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

STAKE: Final = 0.125
"""The part of what pulls without a jump cost under a stepped clock that jumps may lose."""

STEP_COST: Final = 16
"""What an event costs, a walk, a pull, or a step beside looking at all arms, in arms looked at."""

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
def book(steering: Steering, count: int, spared: float, work: int) -> None:
    """Add to the credit what jumps may cost, less what a jump has cost, in arms looked at.

    It buys one jump that fails, however long all went well: so a run in which jumps keep failing
    costs a few times what the plain loop would.
    """
    credit = steering[0]["credit"] + spared - work
    steering[0]["credit"] = min(credit, float(EFFORT * STEP_COST * (8 + count)))


@merged
def depth_of(steering: Steering, top: float) -> float:
    """Return how far below the largest index the next mark is set."""
    steer = steering[0]
    return min(steer["reach"] / steer["rate"], NEAR_THE_WALL * (top - steer["wall"]))


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
