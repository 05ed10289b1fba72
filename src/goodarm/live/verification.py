"""Verification of a journal: its labels and evidence are computed again from the rewards."""

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from goodarm.kernels.codes import BAD, GOOD
from goodarm.live.arm_tests import LabelRecord
from goodarm.live.event_validation import check_event
from goodarm.live.events import Event, PullsForgotten, RewardsObserved, RewardsTold
from goodarm.live.experiment_state import ExperimentState
from goodarm.live.replay import replay
from goodarm.live.validation import make_block
from goodarm.problem import Arm
from goodarm.views.names import printable

MAX_LOG_DIFFERENCE: Final = 1e-9
"""Largest difference of two logs of e-values that count as equal."""


class Difference(NamedTuple):
    """Difference between the labels of an event and those that its rewards prove."""

    number: int
    written: tuple[LabelRecord, ...]
    found: tuple[LabelRecord, ...]

    def describe(self, arms: Sequence[Arm]) -> str:
        """Say what is written and what the rewards prove, arm by arm and field by field."""
        return "; ".join(self._lines(arms)) or "the labels are written in another order"

    def _lines(self, arms: Sequence[Arm]) -> Iterator[str]:
        written = {each.arm: each for each in self.written}
        found = {each.arm: each for each in self.found}
        for arm in dict.fromkeys((*written, *found)):
            name = printable(arms[arm])
            if arm not in found:
                yield (
                    f"'labels' has arm {name!r} as {_label_word(written[arm])}, "
                    "and its rewards prove no label there"
                )
            elif arm not in written:
                yield (
                    f"'labels' has nothing for arm {name!r}, "
                    f"and its rewards prove it {_label_word(found[arm])}"
                )
            else:
                yield from (
                    f"{field!r} of arm {name!r} is {_format_value(field, said)}, "
                    f"and its rewards prove {_format_value(field, proven)}"
                    for field, said, proven in _differing_fields(written[arm], found[arm])
                )


def replay_and_prove(state: ExperimentState, event: Event) -> Difference | None:
    """Replay an event with labels that are computed again; return how the written ones differ.

    If they differ, the state is not that of the journal any more: go on with another one.
    """
    check_event(state, event)
    if not isinstance(event, RewardsTold | PullsForgotten | RewardsObserved):
        replay(state, event)
        return None
    core = state.core
    state.is_changing = True
    if isinstance(event, RewardsTold):
        proven = core.tell(event.pulls, event.rewards)
    elif isinstance(event, PullsForgotten):
        proven = core.forget(event.pulls, event.is_independent)
    else:
        block = make_block(core.problem, event.rewards)
        proven = core.observe(event.arm, block, event.cases)
    state.finish(event)
    found = tuple(proven)
    return None if _are_same(event.labels, found) else Difference(state.last, event.labels, found)


def _are_same(first: tuple[LabelRecord, ...], second: tuple[LabelRecord, ...]) -> bool:
    return [each.arm for each in first] == [each.arm for each in second] and not any(
        any(_differing_fields(a, b)) for a, b in zip(first, second, strict=True)
    )


def _differing_fields(
    written: LabelRecord, found: LabelRecord
) -> Iterator[tuple[str, object, object]]:
    """Yield the fields of two labels of one arm that differ, with both values."""
    for field in ("label", "pulls"):
        said, proven = getattr(written, field), getattr(found, field)
        if said != proven:
            yield field, said, proven
    if not _is_close(written.evidence, found.evidence):
        yield "evidence", written.evidence, found.evidence


def _label_word(label: LabelRecord) -> str:
    return f"{_format_value('label', label.label)} after {label.pulls:,} pulls"


def _format_value(field: str, value: object) -> str:
    if field == "label" and value in (GOOD, BAD):
        return "1 (good)" if value == GOOD else "-1 (bad)"
    return repr(value)


def _is_close(first: float | None, second: float | None) -> bool:
    if first is None or second is None:
        return first is second
    return math.isclose(first, second, rel_tol=MAX_LOG_DIFFERENCE, abs_tol=MAX_LOG_DIFFERENCE)
