"""History of intervals: what ``explain`` said of each arm at some moments, by a replay.

Moments stand further and further apart, as pulls grow: intervals narrow with their logarithm. The
numbers of an arm are computed at its own moments only, not at every entry.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from goodarm.arguments import check_count, check_list
from goodarm.live.events import Event, PullsForgotten, RewardsObserved, RewardsTold
from goodarm.live.experiment_state import ExperimentState
from goodarm.problem import Arm
from goodarm.results import ArmReport, Label

DEFAULT_HISTORY_POINTS: Final = 100
"""Default for the most moments of an arm."""
_OWNER: Final = "history"


@dataclass(frozen=True)
class Moment:
    """Numbers of one arm at one moment, as in its ArmReport.

    Args:
        entry: the number of the journal's entry that brought them.
        at: its time, in seconds since 1970.
        total: pulls of all arms by then.
        pulls: rewards that had entered the arm's test.
        mean, lower, upper, label: as in ArmReport.
    """

    entry: int
    at: float
    total: int
    pulls: int
    mean: float | None
    lower: float | None
    upper: float | None
    label: Label


@dataclass(frozen=True)
class ArmHistory:
    """Numbers of one arm at some moments, the first and the last included.

    A label falls at the last moment, for numbers freeze with it. An arm without pulls has none.
    """

    arm: Arm
    moments: tuple[Moment, ...]

    @property
    def label(self) -> Label:
        """Label at the last moment."""
        return self.moments[-1].label if self.moments else "undecided"

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {"arm": self.arm, "moments": [vars(moment) for moment in self.moments]}


PullGrid = Mapping[int, Sequence[int]]
"""Numbers of pulls at which to look, by an arm's position."""


def make_grid(
    state: ExperimentState, arms: Iterable[Arm] | None = None, points: int = DEFAULT_HISTORY_POINTS
) -> PullGrid:
    """Return the numbers of pulls at which to look at arms, up to the given state.

    Args:
        state: the end of the history.
        arms: labels; all arms if None.
        points: the most moments of each arm.
    """
    points = check_count("points", _OWNER, points)
    problem = state.ident.problem
    chosen: Iterable[int] = range(problem.num_arms)
    if arms is not None:
        named = check_list("arms", _OWNER, arms, "labels of arms")
        chosen = dict.fromkeys(problem.position(arm, _OWNER) for arm in named)
    pulls = state.core.arms.pulls
    return {arm: space_geometrically(int(pulls[arm]), points) for arm in chosen}


def space_geometrically(pulls: int, points: int) -> list[int]:
    """Return at most ``points`` numbers from 1 to ``pulls``, in about equal ratios.

    >>> space_geometrically(1000, 4), space_geometrically(3, 100)
    ([1, 10, 100, 1000], [1, 2, 3])
    >>> space_geometrically(0, 100), space_geometrically(7, 1)
    ([], [7])
    """
    if pulls <= points:
        return list(range(1, pulls + 1))
    if points == 1:
        return [pulls]
    found = np.unique(np.rint(np.geomspace(1, pulls, points)).astype(np.int64))
    return [int(number) for number in found]


class HistoryRecorder:
    """Recorder of arms' numbers during a replay, at the pulls of a grid or at the next event."""

    def __init__(self, grid: PullGrid) -> None:
        self._moments: dict[int, list[Moment]] = {arm: [] for arm in grid}
        self._ahead = {arm: list(reversed(numbers)) for arm, numbers in grid.items() if numbers}

    def record(self, state: ExperimentState, event: Event) -> None:
        """Record the arms that an event, which was just replayed, has brought to a moment."""
        ahead, pulls = self._ahead, state.core.arms.pulls
        if not ahead:
            return
        reached = [
            a for a in _find_changed_arms(state, event) if a in ahead and pulls[a] >= ahead[a][-1]
        ]
        if not reached:
            return
        for arm, report in zip(reached, state.ident.table_at(reached), strict=True):
            self._moments[arm].append(_make_moment(state, report))
            _drop_passed(ahead, arm, report.pulls)

    def histories(self, state: ExperimentState) -> list[ArmHistory]:
        """Return what was recorded, in the order of the grid."""
        arms = state.ident.problem.arms
        return [ArmHistory(arms[arm], tuple(seen)) for arm, seen in self._moments.items()]


def _find_changed_arms(state: ExperimentState, event: Event) -> list[int]:
    """Return the arms whose numbers an event may have changed."""
    if isinstance(event, RewardsObserved):
        return [event.arm]
    if not isinstance(event, (RewardsTold, PullsForgotten)):
        return []
    asked = state.core.arms.log("arm")
    return [int(arm) for arm in dict.fromkeys(asked[number - 1] for number in event.pulls)]


def _drop_passed(ahead: dict[int, list[int]], arm: int, pulls: int) -> None:
    """Remove the moments that an arm has passed; a batch may pass several at once."""
    numbers = ahead[arm]
    while numbers and numbers[-1] <= pulls:
        numbers.pop()
    if not numbers:
        del ahead[arm]


def _make_moment(state: ExperimentState, report: ArmReport) -> Moment:
    return Moment(
        entry=state.last,
        at=state.at,
        total=state.ident.pulls,
        pulls=report.pulls,
        mean=report.mean,
        lower=report.lower,
        upper=report.upper,
        label=report.label,
    )
