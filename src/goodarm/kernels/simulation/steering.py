"""How far the next jump goes: guesses that decide how fast a run is made, never what it is.

``reach`` is how many pulls a jump is meant to make. It grows while jumps succeed and are short, and
shrinks when one fails. The *wall* is the index below which an arm is known to go on too long, or to
its label: jumps stop above it until that arm is due.
"""

import math
from typing import Final

from goodarm.kernels.codes import Setup
from goodarm.kernels.compilation.jit import inlined, kernel, merged
from goodarm.kernels.index import index_at
from goodarm.kernels.simulation.state import Arms, Scratch, State, Steering

LONGER: Final = 1.25
SHORTER: Final = 0.5

ENOUGH: Final = 8
"""Jumps grow until they pass this number of events for each arm."""

EFFORT: Final = 256
"""The most events that a jump passes, for each arm."""

EFFORT_ALONE: Final = 4096
"""The most events that a run of one arm passes."""

MOST_SHARE: Final = 0.9
MORE: Final = 0.3
"""Under a clock that stands, a jump is meant to make a part of the pulls left: at most this one,
which it comes nearer to with each jump that goes well."""

LEAST_SHARE: Final = 0.1

SHORT: Final = 8
"""The number of pulls up to which a jump is not worth it."""

WALK_PRICE: Final = 2.0
EVENT_PRICE: Final = 0.6
LOOK_PRICE: Final = 0.01
"""What a walk, an event and a look at an arm cost under a clock that stands, in plain pulls."""

PRICE_PULLS: Final = 64.0
"""The price of a pull is the mean over about this number of pulls."""

STAKE: Final = 0.125
MOST_CREDIT: Final = 256.0
"""The part of what pulls cost that may be lost on jumps that fail, and the most at once."""

LONGEST_WAIT: Final = 63
"""The most steps until a jump is tried again."""

STEP_COST: Final = 16
"""What a step costs beside looking at all arms, in arms."""

EVENT_COST: Final = 16
"""What an event costs, in arms looked at."""

BEFORE_THE_WALL: Final = 0.99
"""The part of the way to the wall that is gone in one jump."""

NEAR_THE_WALL: Final = 0.9999
"""The same where the clock stands."""

LEAST_STEP: Final = 1e-3
"""An index is taken to fall by this part of what a failure does, at least."""


@kernel
def take_rate(setup: Setup, state: State, scratch: Scratch, clock: float) -> None:
    """About how many pulls all arms make while the largest index falls by 1, to steer by.

    It is taken anew when the pulls have grown by a part.
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
    """Book pulls that were made and work on a jump; the credit buys a few failures, no more.

    So a run in which jumps keep failing costs a few times what the plain loop would.
    """
    most = 4.0 * EFFORT * EVENT_COST * (8 + count)
    credit = steering[0]["credit"] + float(pulls) * (STEP_COST + count) - work
    steering[0]["credit"] = min(credit, most)


@merged
def wait_after(steering: Steering, has_failed: bool) -> None:
    """After jumps that fail one after the other, wait longer and longer before the next."""
    steer = steering[0]
    steer["wait"] = steer["patience"] if has_failed else 0
    steer["patience"] = min(2 * steer["patience"] + 1, LONGEST_WAIT) if has_failed else 0


@merged
def depth_of(steering: Steering, top: float) -> float:
    """How far below the largest index the next mark is set."""
    steer = steering[0]
    part = NEAR_THE_WALL if steer["clock_end"] > 0 else BEFORE_THE_WALL
    return min(steer["reach"] / steer["rate"], part * (top - steer["wall"]))


@merged
def watch(steering: Steering, t: int, top: float, count: int) -> None:
    """Under a clock that stands, see the largest index fall: that is the rate."""
    steer = steering[0]
    if steer["seen_at"] >= 0:
        if t - steer["seen_at"] < count or not top < steer["seen"]:
            return
        steer["rate"] = (t - steer["seen_at"]) / (steer["seen"] - top)
    steer["seen_at"], steer["seen"] = t, top


@merged
def learn_rate(steering: Steering, made: int, depth: float) -> None:
    """A jump under a clock that stands went well: its rate is the best guess at the next one's."""
    steer = steering[0]
    steer["rate"], steer["seen_at"] = made / depth, -1
    steer["share"] += MORE * (MOST_SHARE - steer["share"])


@merged
def learn_price(steering: Steering, made: int, count: int) -> None:
    """What pulls without a jump have cost; a part of it is credit for the next jump."""
    steer = steering[0]
    weight = made / (made + PRICE_PULLS)
    if made > 0:
        steer["price"] += weight * (steer["spent"] / made - steer["price"])
    steer["credit"] = min(steer["credit"] + STAKE * steer["spent"], MOST_CREDIT + count)


@merged
def book_jump(steering: Steering, count: int, moved: int, events: int, made: int) -> None:
    """Book what a jump under a clock that stands has cost and, if it went well, has spared."""
    steer = steering[0]
    spent = EVENT_PRICE * events + WALK_PRICE * moved + LOOK_PRICE * count
    steer["credit"] = min(steer["credit"] + made * steer["price"] - spent, MOST_CREDIT + count)


@merged
def fall_short(steering: Steering, room: int, depth: float) -> None:
    """A jump went too far: the next is to make fewer pulls."""
    steer = steering[0]
    steer["reach"] = max(1.0, SHORTER * steer["reach"])
    if steer["clock_end"] == 0:
        return
    steer["share"] = max(SHORTER * steer["share"], LEAST_SHARE)
    steer["rate"] = max(steer["rate"], room / depth)


@inlined
def is_due(steering: Steering, arms: Arms, best: int) -> bool:
    """Whether the best arm is the one behind the wall, and has come to it."""
    steer = steering[0]
    return best == steer["wall_arm"] and arms[best]["pulls"] >= steer["wall_pulls"]


@merged
def build_wall(steering: Steering, arm: int, index: float, pulls: int) -> None:
    """An arm goes on too long from this index and count, or to its label."""
    steer = steering[0]
    steer["wall"], steer["wall_arm"], steer["wall_pulls"] = index, arm, pulls


@inlined
def take_down_wall(steering: Steering) -> None:
    """The arm behind the wall has come to it, or somebody was labelled."""
    steering[0]["wall"], steering[0]["wall_arm"] = -math.inf, -1
