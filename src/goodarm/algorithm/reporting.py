"""One arm's numbers for a person: the interval shown is the one that decides.

One road for whoever follows arms pull by pull: the identifier and the gate.
"""

import math
from typing import Final

import numpy as np

from goodarm.algorithm.identification.rule import Bools, Floats
from goodarm.algorithm.judge import Judged
from goodarm.kernels.codes import BAD, GOOD, UNDECIDED
from goodarm.problem import Arm
from goodarm.results import ArmReport, Label, Waiting

LABELS: Final[dict[int, Label]] = {GOOD: "good", BAD: "bad", UNDECIDED: "undecided"}

TAKEN_OUT: Final = "taken out"
"""Why an arm is out of play that someone wanted so."""

CODES: Final = {label: code for code, label in LABELS.items()}

USED_UP: Final = "its cases are used up, some of them lost"
"""Why an arm of a pool is out of play without a label."""

NOTHING: Final = Judged(*(np.array([math.nan]) for _ in Judged._fields))
"""Of an arm that has not been pulled."""


def proven_side(labels: np.ndarray, what: int, is_tested: Bools, is_proven: Bools) -> Bools:
    """Whether a bound stands on the proven side: as the label says, where it says anything."""
    return np.asarray((labels == what) | (is_proven & ~((labels == UNDECIDED) & is_tested)))


def make_report(
    arm: Arm,
    pulls: int,
    judged: Judged,
    row: int,
    label: int,
    labelled_at: int,
    reason: str | None,
    waits: Waiting | None = None,
) -> ArmReport:
    """The ArmReport of an arm; its numbers stand in this row of what was judged.

    The reason is why it is out of play, if it has no label; ``waits`` is what waits to enter its
    test.
    """
    return ArmReport(
        arm=arm,
        pulls=pulls,
        mean=_number(judged.mean, row),
        lower=_number(judged.lower, row),
        upper=_number(judged.upper, row),
        e_good=_e_value(judged.log_good, row),
        e_bad=_e_value(judged.log_bad, row),
        label=LABELS[label],
        labelled_at=labelled_at if label != UNDECIDED else None,
        pulls_needed=_count(judged.needed, row),
        pulls_needed_90=_count(judged.needed_90, row),
        reason=reason if label == UNDECIDED else None,
        waits=waits,
    )


def _number(values: Floats, row: int) -> float | None:
    return None if math.isnan(values[row]) else float(values[row])


def _count(values: Floats, row: int) -> int | None:
    return int(values[row]) if math.isfinite(values[row]) else None


def _e_value(logs: Floats, row: int) -> float | None:
    """An e-value, at most the largest number there is."""
    return None if math.isnan(logs[row]) else float(np.exp(min(logs[row], 709.0)))
