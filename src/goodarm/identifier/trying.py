"""What an identifier would do, without doing it.

Whoever keeps a journal must know what comes of a request before it is written down. So the
identifier does it, and all that has changed is put back: see ``rollback``.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from goodarm.identifier.identifier import Identifier
from goodarm.identifier.rollback import KEYS
from goodarm.kernels.asking import touch_these
from goodarm.kernels.codes import UNDECIDED

_MOST_LOG = 1e6
"""The last cases of a pool may settle an arm beyond doubt: such evidence is infinite."""


class Labelled(NamedTuple):
    """A label that falls: the arm's position, the label, and the pulls in its test by then."""

    arm: int
    label: int
    pulls: int
    evidence: float | None
    """the log of the e-value that proves it; None for rules without"""


def chosen(ident: Identifier, count: int) -> tuple[list[int], list[int] | None]:
    """The arms that would be asked next, and their cases in a pool."""
    parts = ident._parts()
    standings = parts.standings
    start, progress = standings.asked, standings.live.progress.copy()
    last_before = standings.arms["last"].copy()
    _, arms = ident._chooser.choose(parts, count)
    live = standings.live
    for name in (*KEYS, "share"):
        progress[name] = live.progress[name]
    live.progress[:] = progress
    touched, counts = np.unique(np.array(arms, np.int64), return_counts=True)
    own, last, first = live.arms, last_before[touched], live.arms["first"][touched]
    own["held"][touched] -= counts
    own["first"][touched] = np.where(first > start, 0, first)
    own["last"][touched] = last
    live.log["after"][last[last > 0] - 1] = 0
    touch_these(live, touched)
    return arms, parts.cases.peek(arms) if parts.problem.pool is not None else None


def labels_since(ident: Identifier, arms: Sequence[int], before: Sequence[int]) -> list[Labelled]:
    """The labels that these arms have and did not have before, in the order in which they fell."""
    standings = ident._parts().standings
    found = [
        arm
        for arm, label in zip(arms, before, strict=True)
        if label == UNDECIDED and standings.labels[arm] != UNDECIDED
    ]
    found.sort(key=lambda arm: int(standings.labelled_at[arm]))
    return [_labelled(ident, arm) for arm in found]


def _labelled(ident: Identifier, arm: int) -> Labelled:
    standings = ident._parts().standings
    label, rows = int(standings.labels[arm]), np.array([arm], np.intp)
    evidence = standings.rule.evidence(standings.setup, standings.tallies(rows))
    log = None if evidence is None else min(float(evidence[0 if label > 0 else 1][0]), _MOST_LOG)
    return Labelled(arm, label, int(standings.pulls[arm]), log)
