"""Single rewards of each arm, from the raw tables that ``check(raw=True)`` reads."""

import os
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import narwhals
import numpy as np
from numpy.typing import NDArray

from goodarm.errors import SpecError, invalid_argument
from goodarm.problem import Arm, Problem
from goodarm.tables.engines import is_stream
from goodarm.tables.inputs import read_chunks
from goodarm.tables.read_options import Reading, ReadOptions
from goodarm.tables.requests import RewardRequest, RewardSink, TableRequest
from goodarm.tables.table_counts import read_rows
from goodarm.wording import ErrorPlace

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_KINDS: Final = (
    "be a dict from each arm to its rewards, or a table with the columns arm and reward: a path, "
    "an open file, a dict of columns, or a frame"
)


class Samples(NamedTuple):
    """Arms in the order of the table, with their rewards, and how the table was read."""

    arms: list[Arm]
    rewards: list[Floats]
    read_as: str


class _KeptRewards:
    """Sink that keeps every reward; engines cannot use it, as they count them."""

    def __init__(self) -> None:
        self.arms: list[Ints] = []
        self.values: list[Floats] = []

    def add(self, arms: Ints, values: Floats, times: Floats, thresholds: Floats) -> None:
        self.arms.append(arms)
        self.values.append(values)

    def add_moments(self, arms: Ints, rewards: Floats, means: Floats, squares: Floats) -> None:
        raise NotImplementedError

    def add_bins(self, arms: Ints, bins: Floats, times: Floats) -> None:
        raise NotImplementedError

    def add_logs(self, arms: Ints, logs: Floats) -> None:
        raise NotImplementedError

    def copy(self) -> "_KeptRewards":
        other = _KeptRewards()
        other.arms, other.values = list(self.arms), list(self.values)
        return other


def read_samples(table: object, problem: Problem, owner: str) -> Samples:
    """Read each arm's rewards, and validate them by the problem's kind of rewards.

    The problem's arms are ignored.
    """
    # Nothing is labelled here, so repeats of a case do no harm.
    form = ReadOptions(
        is_raw=True,
        is_bernoulli=problem.rewards == "bernoulli",
        columns={},
        repeats="attempts",
        has_wide=False,
    )
    reading = Reading(form)
    request = TableRequest(problem, problem.threshold, rewards=RewardRequest(_KeptRewards))
    found = read_rows(read_chunks(_collect_table(table, owner), request, reading), request, reading)
    kept_rewards, *others = [_make_kept_rewards(counter.rewards) for counter in found.counters]
    if not all(all(map(np.array_equal, kept_rewards.values, other.values)) for other in others):
        raise SpecError(
            f"The rewards of {found.source} can be read in two ways, with a decimal point and "
            "with a decimal comma.",
            argument="samples",
            owner=owner,
            rule="be numbers that can be read in one way only",
            remedy="Write them with a decimal point, and without thousands separators.",
            place=ErrorPlace(found.source),
        )
    counter = found.counters[0]
    for note in counter.numerals.notes:
        reading.note(note)
    arms = list(found.book.order)
    for position in np.flatnonzero(counter.counts.pulls == 0):
        arm = arms[position]
        raise invalid_argument("samples", owner, "have at least one reward of every arm", {arm: []})
    codes, values = np.concatenate(kept_rewards.arms), np.concatenate(kept_rewards.values)
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=len(arms)))[:-1]
    return Samples(arms, np.split(values[order], ends), reading.sentence)


def _make_kept_rewards(rewards: RewardSink | None) -> _KeptRewards:
    if not isinstance(rewards, _KeptRewards):
        raise AssertionError("every counter has its own")
    return rewards


def _collect_table(table: object, owner: str) -> Any:
    """Return the table, collected if it is lazy; raise an error if it is not a table."""
    if isinstance(table, str | os.PathLike | Mapping | np.ndarray) or hasattr(table, "read"):
        return table
    given: Any = table
    frame = narwhals.from_native(given, pass_through=True)
    if isinstance(frame, narwhals.LazyFrame):
        return frame.collect().to_native()
    if isinstance(frame, narwhals.DataFrame) or is_stream(table):
        return table
    raise invalid_argument("samples", owner, _KINDS, table)
