"""State of a live experiment in plain arrays, for ``next_pulls``, ``rewards`` and ``caps``.

In a compiled call each array argument costs little and each field of a tuple costs much, so the
data of the arms, of the pulls and of the problem are kept in records.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.clock import can_keep_indices
from goodarm.kernels.codes import CURVE, NEVER, CurveRows, Setup
from goodarm.kernels.compilation.jit import inlined
from goodarm.kernels.numerics.bets import Wealth, make_wealth
from goodarm.kernels.tree import Keys, Tree, make_keys, make_tree

OUT: Final = 0
TOLD: Final = 1
LOST: Final = 2
"""State of a pull that was given up, and counts as the worst case in both tests."""
DROPPED: Final = 3
"""State of a pull given up for a reason unrelated to its reward; counts as never made."""

Records = NDArray[np.void]

LIVE_ARM: Final = np.dtype(
    [
        ("pulls", np.int64),  # pulls that have entered the arm's test, in the order asked, ...
        ("sums", np.float64),  # ... their sum in unit rewards, ...
        ("lost", np.int64),  # ... and how many of them were lost
        ("held", np.int64),  # pulls told and out
        ("told", np.int64),  # rewards that came in, waiting ones too, ...
        ("told_sums", np.float64),  # ... and their sum
        ("means", np.float64),  # their mean, or a substitute before any came in
        ("labels", np.int64),
        ("labelled_at", np.int64),
        ("active", np.bool_),  # it has no label yet, and cases left to test
        ("cases", np.int64),  # in its pool; 0 without one
        ("first_row", np.int64),  # of its curves
        ("first", np.int64),  # the first pull that waits to enter; 0 if none does
        ("last", np.int64),  # the last pull asked; 0 if none was
        ("block", np.int64),  # the pull after which a block waits; NEVER if none does
        ("most", np.int64),  # pulls it may hold before one of them is told; 0 if not computed
    ],
    align=True,
)

PULL: Final = np.dtype(
    [
        ("reward", np.float64),
        ("arm", np.int64),
        ("after", np.int64),  # the arm's next pull; 0 if there is none yet
        ("case", np.int64),  # of its pool; filled in outside the kernels
        ("state", np.int8),
    ],
    align=True,
)

LIVE: Final = np.dtype(
    [
        ("held", np.int64),  # pulls of all arms, told and out
        ("asked", np.int64),
        ("out", np.int64),
        ("pulls", np.int64),  # rewards that came in, or count as the worst case
        ("alive", np.int64),
        ("good", np.int64),
        ("warming", np.int64),  # no arm before this one lacks pulls of its warm-up
        ("clock", np.float64),  # the clock that keys are of ...
        ("clock_from", np.int64),  # ... from this number of pulls held on ...
        ("clock_end", np.int64),  # ... until this number; 0 if keys must be recomputed
        ("is_capped", np.bool_),  # whether caps apply; off only to measure their effect
        ("share", np.int64),  # pulls out for each undecided arm, when caps were last lifted
        ("event", np.int64),  # event at which telling stopped: see ``rewards``
        ("arm", np.int64),  # the arm of the event
        ("label", np.int64),  # the label that the arm has earned
    ]
)

_KINDS: Final = {int: np.int64, float: np.float64, bool: np.bool_}

SETUP: Final = np.dtype(
    [
        *((name, _KINDS[kind]) for name, kind in Setup.__annotations__.items() if kind in _KINDS),
        ("first_constant", np.float64),
        ("second_constant", np.float64),
    ]
)


class Live(NamedTuple):
    """State of a live experiment. Arrays over arms, except the log and the single records."""

    setup: Records
    progress: Records
    arms: Records
    log: Records
    """the pulls asked, by number minus 1; the array has room for more"""
    alive: NDArray[np.int64]
    """the undecided arms in ascending order"""
    level: NDArray[np.float64]
    width: NDArray[np.float64]
    """gives, with level and clock, each arm's index if the clock moves with every pull"""
    keys: Keys
    """each arm's index if the clock is stepped or absent; minus infinity for arms at their caps"""
    tree: Tree
    wealth: Wealth
    curves: CurveRows
    """the rows computed so far"""


def make_live(
    setup: Setup,
    gamblers: NDArray[np.float64],
    pools: NDArray[np.int64],
    unknown_mean: float,
) -> Live:
    """Make the state before the first pull; gamblers and pools are as in ``state.make_state``."""
    arms = np.zeros(setup.num_arms, LIVE_ARM)
    arms["means"], arms["active"], arms["block"] = unknown_mean, True, NEVER
    arms["cases"], arms["first_row"] = pools.T
    progress = np.zeros(1, LIVE)
    progress["alive"], progress["is_capped"] = setup.num_arms, True
    record = np.zeros(1, SETUP)
    for name, value in setup._asdict().items():
        if name in (record.dtype.names or ()):
            record[name] = value
    record["first_constant"], record["second_constant"] = setup.constants
    keys = make_keys(setup.num_arms if can_keep_indices(setup) else 0)
    return Live(
        setup=record,
        progress=progress,
        arms=arms,
        log=np.zeros(64, PULL),
        alive=np.arange(setup.num_arms),
        level=np.zeros(setup.num_arms),
        width=np.zeros(setup.num_arms),
        keys=keys,
        tree=make_tree(keys),
        wealth=make_wealth(setup.num_arms, gamblers),
        curves=np.zeros(0, CURVE),
    )


@inlined
def setup_of(row: np.void) -> Setup:
    """Read the Setup from its record."""
    return Setup(
        row["sampling"],
        row["is_linear"],
        row["has_clock"],
        row["is_stepped"],
        row["falls_on_failure"],
        row["identification"],
        row["has_curves"],
        row["keeps_wealth"],
        row["has_pool"],
        row["level"],
        (row["first_constant"], row["second_constant"]),
        row["rewards"],
        row["num_arms"],
        row["arms_planned"],
        row["delta"],
        row["threshold"],
        row["good_bar"],
        row["bad_bar"],
        row["offset"],
        row["scale"],
        row["low"],
        row["high"],
        row["sigma"],
        row["warmup"],
        row["identify_during_warmup"],
        row["until"],
        row["max_pulls"],
    )


@inlined
def is_final(setup: Setup, progress: np.void) -> bool:
    """Return whether no label can change any more."""
    return progress["alive"] == 0 or progress["good"] >= setup.until


@inlined
def is_open(arm_record: np.void) -> bool:
    """Return whether the arm has no label yet, and cases left to test."""
    return arm_record["active"]


@inlined
def has_cases(setup: Setup, arm_record: np.void) -> bool:
    """Return whether the arm's pool, if there is one, has a case left to ask."""
    return not setup.has_pool or arm_record["held"] < arm_record["cases"]
