"""Steering: control of the length of the next jump. It affects speed, never the run.

- ``reach`` is the number of pulls that a jump is meant to make, and ``rate`` the pulls in which the
  largest index falls by 1: the mark is set ``reach / rate`` below it.
- The *wall* is the index below which an arm is known to go on too long, or up to its label: jumps
  stop above it until that arm is due.
- ``credit`` is the cost allowed for jumps minus their cost so far, in arms looked at. While it is
  negative, no jump is tried.

docs/engine-internals.md says how much each of these saves.
"""

import math
from typing import Final

from goodarm.kernels.codes import Setup
from goodarm.kernels.compilation.jit import inlined, kernel, merged
from goodarm.kernels.index import index_at
from goodarm.kernels.simulation.state import Arms, Scratch, State, Steering

REACH_GROWTH: Final = 1.25
REACH_CUT: Final = 0.5
"""Factors for the reach after a jump that was short, and after one that failed."""

GROWTH_EVENTS: Final = 8
"""Number of events per arm up to which jumps grow."""

MAX_EVENTS: Final = 256
"""Most events in a jump, or in a walk of one arm, for each arm and 8 more."""

STEP_SHARE: Final = 0.9
"""Fraction of the pulls left in a step of the clock that a jump is meant to make."""

SHORT_JUMP: Final = 8
"""Number of pulls up to which a jump is not worth it."""

LOSS_SHARE: Final = 0.125
"""Fraction of the cost of pulls without a jump that jumps may lose under a stepped clock."""

STEP_COST: Final = 16
"""Cost of an event, a walk, a pull, or a step without its look at all arms, in arms looked at."""

WALL_SHARE: Final = 0.9999
"""Largest fraction of the distance to the wall that one jump covers."""

MIN_FALL: Final = 1e-3
"""Least fall of an index by a pull, as a fraction of its change by a failure."""


@kernel
def estimate_rate(setup: Setup, state: State, scratch: Scratch, clock: float) -> None:
    """Estimate the pulls of all arms in which the largest index falls by 1.

    If the clock moves with every pull, this is repeated when the pulls have grown by 1/64.
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
        rate += 1.0 / max(now - same_mean, MIN_FALL * abs(now - failure), 1e-300)
    steer = scratch.steering[0]
    steer["rate"], steer["rate_end"] = rate, max(t + (t >> 6), 1)


@merged
def add_credit(steering: Steering, count: int, spared: float, work: int) -> None:
    """Add to the credit the cost allowed for jumps, minus the cost of a jump, in arms looked at.

    The credit is limited to one failed jump, however many went well: so a run in which jumps keep
    failing costs at most a few times what the plain loop would.
    """
    credit = steering[0]["credit"] + spared - work
    steering[0]["credit"] = min(credit, float(MAX_EVENTS * STEP_COST * (8 + count)))


@merged
def choose_depth(steering: Steering, top: float) -> float:
    """Return how far below the largest index the next mark is set."""
    steer = steering[0]
    return min(steer["reach"] / steer["rate"], WALL_SHARE * (top - steer["wall"]))


@merged
def shorten_jump(steering: Steering, room: int, depth: float) -> None:
    """Make the next jump shorter, after one that went too far.

    Under a stepped clock the reach is what is left of the step, and the rate is raised instead.
    """
    steer = steering[0]
    if steer["clock_end"] > 0:
        steer["rate"] = max(steer["rate"], room / depth) / REACH_CUT
    else:
        steer["reach"] = max(1.0, REACH_CUT * steer["reach"])


@inlined
def is_due(steering: Steering, arms: Arms, best: int) -> bool:
    """Return whether the best arm is the one behind the wall, and has reached it."""
    steer = steering[0]
    return best == steer["wall_arm"] and arms[best]["pulls"] >= steer["wall_pulls"]


@merged
def set_wall(steering: Steering, arm: int, index: float, pulls: int) -> None:
    """Record that an arm goes on too long from this index and count, or up to its label."""
    steer = steering[0]
    steer["wall"], steer["wall_arm"], steer["wall_pulls"] = index, arm, pulls


@inlined
def clear_wall(steering: Steering) -> None:
    """Remove the wall: its arm has reached it, or an arm was labelled."""
    steering[0]["wall"], steering[0]["wall_arm"] = -math.inf, -1
