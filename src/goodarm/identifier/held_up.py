"""Arms whose tests are held up: rewards that came in wait behind one that is missing.

Rewards enter an arm's test in the order in which they were asked, so one that never comes keeps all
that follow from being tested. Such an arm is asked for more only while it could need more: not once
the rewards that came in prove a label whatever the missing ones are.

Why that is valid. It says who is asked, by rewards that were told before, and nothing else: a
missing reward keeps its place in the test, no other pull takes it, and no label is given before it
is told or given up. The tests are valid under every choice of arms that looks at the past alone,
and at every time one may stop.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.identifier.parts import Parts
from goodarm.identifier.rollback import tried
from goodarm.identifier.standings import Standings
from goodarm.kernels.codes import BAD, GOOD
from goodarm.kernels.live import LOST, OUT, TOLD

_FARTHEST: Final = 2.0
"""Gaussian rewards have no worst case: how far from the arm's mean a missing one is thought to be,
in unit rewards, whose standard deviation is 1/2."""


def num_waiting(standings: Standings, arm: int) -> int:
    """How many rewards of an arm came in and wait to enter its test, behind one that is missing."""
    own = standings.arms[arm]
    if not own["active"] or standings.is_final:
        return 0
    return int(own["told"] - own["pulls"] + own["lost"])


def any_waiting(standings: Standings) -> bool:
    """Return whether rewards of any arm wait."""
    arms = standings.arms
    is_waiting = arms["active"] & (arms["told"] - arms["pulls"] + arms["lost"] > 0)
    return not standings.is_final and bool(is_waiting.any())


def is_settled(parts: Parts, arm: int) -> bool:
    """Whether rewards of the arm wait, and it has its label whatever the missing ones are."""
    if num_waiting(parts.standings, arm) == 0:
        return False
    standings = parts.standings
    setup, own = standings.setup, standings.arms[arm]
    log = standings.live.log[: standings.asked]
    missing = np.flatnonzero((log["arm"] == arm) & (log["state"] == OUT)) + 1
    if parts.problem.rewards != "gaussian":
        return _label_if(parts, arm, missing, LOST, 0.0) is not None
    low, high = (setup.offset + setup.scale * (own["means"] + side * _FARTHEST) for side in (-1, 1))
    return (
        _label_if(parts, arm, missing, TOLD, low) == GOOD
        or _label_if(parts, arm, missing, TOLD, high) == BAD
    )


def _label_if(
    parts: Parts, arm: int, missing: NDArray[np.int64], state: int, reward: float
) -> int | None:
    """The arm's label if its missing pulls were in this state; None if it stayed in play."""
    with tried(parts, [arm], missing.tolist()):
        log, own = parts.standings.live.log, parts.standings.arms
        log["state"][missing - 1], log["reward"][missing - 1] = state, reward
        parts.intake._go_on(arm)
        return None if own["active"][arm] else int(own["labels"][arm])
