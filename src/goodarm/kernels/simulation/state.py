"""Simulated run in progress: ``State`` defines it, ``Scratch`` only makes it fast.

Nothing in Scratch can change a run: its fields follow from State, or are guesses that decide how
much is done at once. It can be cleared between any two steps without changing the run.
docs/engine-internals.md lists every field, with the functions that write and read it.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import Setup
from goodarm.kernels.dispatch import index_parts
from goodarm.kernels.numerics.bets import Wealth, make_wealth
from goodarm.kernels.simulation.laws import Laws, Numbers
from goodarm.kernels.simulation.place import PLACE, Places
from goodarm.kernels.simulation.tape import make_places
from goodarm.kernels.tree import Keys, Tree, make_keys, make_tree

Arms = NDArray[np.void]
"""Counts of each arm: records of ARM."""

Arm = np.void
"""One record of ARM."""

ARM: Final = np.dtype(
    [
        ("pulls", np.int64),
        ("sum", np.float64),
        ("cases", np.int64),  # in its pool; 0 without one
        ("first_row", np.int64),  # of its curves
    ]
)

Progress = NDArray[np.void]
"""Progress of the run: one record of PROGRESS."""

PROGRESS: Final = np.dtype(
    [
        ("pulls", np.int64),  # of all arms
        ("alive", np.int64),  # arms still undecided
        ("good", np.int64),  # good arms found
        ("warmed", np.int64),  # arms whose warm-up is over
    ]
)

Hints = NDArray[np.void]
"""Cached values that save work on each arm: records of HINT."""

Hint = np.void
"""One record of HINT."""

HINT: Final = np.dtype(
    [
        ("bad_from", np.int64),  # no failure before this pull can label the arm
        ("bound_end", np.int64),  # up to this number of pulls of the arm ...
        ("least_bound", np.float64),  # ... the bound is at least this
        ("ceiling_end", np.int64),  # up to this number of pulls of all arms ...
        ("ceiling", np.float64),  # ... the index is at most this
        ("moved_by", np.int64),  # the last jump that moved the arm
    ]
)

Moved = NDArray[np.void]
"""Arms that a jump has moved: records of MOVED."""

MOVED: Final = np.dtype([("arm", np.int64), ("key", np.float64)])

Steering = NDArray[np.void]
"""Control of the length of jumps: one record of STEERING."""

STEERING: Final = np.dtype(
    [
        ("clock", np.float64),  # the clock that keys are computed at, if it is stepped ...
        ("clock_end", np.int64),  # ... and the total pulls at which it moves
        ("reach", np.float64),  # how many pulls the next jump is meant to make
        ("rate", np.float64),  # pulls that all arms make while the largest index falls by 1
        ("rate_end", np.int64),  # total pulls at which the rate is to be estimated again
        ("wall", np.float64),  # the index from which an arm goes on too long, or to its label
        ("wall_arm", np.int64),  # that arm, or -1
        ("wall_pulls", np.int64),  # its pulls then
        ("jumps", np.int64),  # jumps tried so far
        ("work", np.int64),  # cost of this step, in arms looked at
        ("credit", np.float64),  # cost allowed for jumps, minus their cost so far
    ]
)


class State(NamedTuple):
    """State that determines the rest of a run. Arrays over arms, except the progress."""

    arms: Arms
    places: Places
    """position of each arm on its tape"""
    numbers: Numbers
    """numbers of the distributions of arms with more than a mean: see ``laws``"""
    alive: NDArray[np.int64]
    """the undecided arms in ascending order; only the first ``progress["alive"]`` are valid"""
    labels: NDArray[np.int8]
    tau: NDArray[np.float64]
    """total pulls when the j-th good arm was found, by j"""
    wealth: Wealth
    """wealth of rules that bet, with two more rows: see ``bets``"""
    progress: Progress


class Scratch(NamedTuple):
    """Working memory that only makes a run fast. Arrays over arms, except the steering."""

    level: NDArray[np.float64]
    width: NDArray[np.float64]
    """gives, with level and clock, each arm's index if the clock is not stepped"""
    keys: Keys
    """each arm's index if the clock is stepped: see ``tree``"""
    tree: Tree
    hints: Hints
    moved: Moved
    """the arms that a jump has moved; the arrays below hold what is needed to undo it"""
    old_arms: Arms
    old_places: Places
    old_hints: Hints
    old_wealth: Wealth
    """has one more row, for the wealth of a walking arm before its last pull"""
    steering: Steering


def make_state(
    setup: Setup,
    means: NDArray[np.float64],
    seed: int,
    run: int,
    gamblers: NDArray[np.float64],
    pools: NDArray[np.int64] | None = None,
    laws: Laws | None = None,
    begun: NDArray[np.int64] | None = None,
) -> State:
    """Make the state of a run before its first pull.

    The gamblers are those of a rule that bets; the pools, if there are some, are each arm's number
    of cases and the first row of its curves. ``begun`` is as in ``make_places``.
    """
    num_arms = len(means)
    places, numbers = make_places(setup, means, seed, run, laws, begun)
    progress = np.zeros(1, PROGRESS)
    progress["alive"] = num_arms
    tau = np.empty(num_arms)
    tau.fill(np.nan)
    arms = np.zeros(num_arms, ARM)
    if pools is not None:
        arms["cases"], arms["first_row"] = pools.T
    return State(
        arms=arms,
        places=places,
        numbers=numbers,
        alive=np.arange(num_arms),
        labels=np.zeros(num_arms, np.int8),
        tau=tau,
        wealth=make_wealth(num_arms, gamblers),
        progress=progress,
    )


def make_scratch(setup: Setup, state: State) -> Scratch:
    """Make the Scratch for a State, at the start of a run or at any later moment."""
    num_arms = len(state.arms)
    keys = make_keys(num_arms)
    scratch = Scratch(
        level=np.zeros(num_arms),
        width=np.zeros(num_arms),
        keys=keys,
        tree=make_tree(keys),
        hints=np.zeros(num_arms, HINT),
        moved=np.zeros(num_arms, MOVED),
        old_arms=np.zeros(num_arms, ARM),
        old_places=np.zeros(num_arms, PLACE),
        old_hints=np.zeros(num_arms, HINT),
        old_wealth=np.zeros((num_arms + 1, state.wealth.shape[1])),
        steering=np.zeros(1, STEERING),
    )
    steering = scratch.steering
    steering["reach"], steering["rate"] = num_arms, 1.0
    steering["wall"], steering["wall_arm"] = -np.inf, -1
    if state.progress["pulls"][0] > 0 and not setup.is_stepped:
        for arm in np.flatnonzero(state.arms["pulls"]):
            n, s = state.arms["pulls"][arm], state.arms["sum"][arm]
            scratch.level[arm], scratch.width[arm] = index_parts(setup, n, s / n)
    return scratch


def clear(setup: Setup, state: State, scratch: Scratch) -> None:
    """Reset Scratch to what follows from State alone, as if the run began here."""
    for array, fresh in zip(scratch, make_scratch(setup, state), strict=True):
        array[...] = fresh
