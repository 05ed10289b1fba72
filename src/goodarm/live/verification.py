"""Verification of a journal: its labels and evidence are computed again from the rewards."""

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from goodarm.kernels.codes import BAD, GOOD
from goodarm.live.arm_tests import LabelRecord
from goodarm.live.event_validation import check_event
from goodarm.live.events import Event, PullsForgotten, RewardsObserved, RewardsTold
from goodarm.live.experiment_state import ExperimentState
from goodarm.live.replay import read_costs, replay
from goodarm.live.validation import make_block
from goodarm.problem import Arm
from goodarm.views.names import printable
from goodarm.views.numbers import plural

MAX_LOG_DIFFERENCE: Final = 1e-9
"""Largest difference of two logs of e-values that count as equal."""


class Difference(NamedTuple):
    """Difference between the labels of an event and those computed again from its rewards."""

    event_number: int
    recorded: tuple[LabelRecord, ...]
    computed: tuple[LabelRecord, ...]

    def describe(self, arms: Sequence[Arm]) -> str:
        """Describe both labels, arm by arm and field by field."""
        return "; ".join(self._describe_arms(arms)) or "the labels are recorded in another order"

    def _describe_arms(self, arms: Sequence[Arm]) -> Iterator[str]:
        recorded = {each.arm: each for each in self.recorded}
        computed = {each.arm: each for each in self.computed}
        for arm in dict.fromkeys((*recorded, *computed)):
            name = printable(arms[arm])
            if arm not in computed:
                yield (
                    f"'labels' has arm {name!r} as {_format_label(recorded[arm])}, "
                    "and its rewards prove no label there"
                )
            elif arm not in recorded:
                yield (
                    f"'labels' has nothing for arm {name!r}, "
                    f"and its rewards prove it {_format_label(computed[arm])}"
                )
            else:
                yield from (
                    f"{field!r} of arm {name!r} is {_format_value(field, recorded_value)}, "
                    f"and its rewards prove {_format_value(field, computed_value)}"
                    for field, recorded_value, computed_value in _differing_fields(
                        recorded[arm], computed[arm]
                    )
                )


def replay_and_recompute(state: ExperimentState, event: Event) -> Difference | None:
    """Replay an event with labels that are computed again; return how the recorded ones differ.

    If they differ, the state is no longer that of the journal: discard it.
    """
    check_event(state, event)
    if not isinstance(event, RewardsTold | PullsForgotten | RewardsObserved):
        replay(state, event)
        return None
    core = state.core
    state.is_changing = True
    if isinstance(event, RewardsTold):
        labels = core.tell(event.pulls, event.rewards, costs=read_costs(event))
    elif isinstance(event, PullsForgotten):
        labels = core.forget(event.pulls, event.is_independent)
    else:
        block = make_block(core.problem, event.rewards)
        labels = core.observe(event.arm, block, event.cases)
    state.finish(event)
    computed = tuple(labels)
    return (
        None if _is_same(event.labels, computed) else Difference(state.last, event.labels, computed)
    )


def _is_same(first: tuple[LabelRecord, ...], second: tuple[LabelRecord, ...]) -> bool:
    return [each.arm for each in first] == [each.arm for each in second] and not any(
        any(_differing_fields(a, b)) for a, b in zip(first, second, strict=True)
    )


def _differing_fields(
    recorded: LabelRecord, computed: LabelRecord
) -> Iterator[tuple[str, object, object]]:
    """Yield the fields of two labels of one arm that differ, with both values."""
    for field in ("label", "pulls"):
        recorded_value, computed_value = getattr(recorded, field), getattr(computed, field)
        if recorded_value != computed_value:
            yield field, recorded_value, computed_value
    if not _is_close(recorded.evidence, computed.evidence):
        yield "evidence", recorded.evidence, computed.evidence


def _format_label(label: LabelRecord) -> str:
    return f"{_format_value('label', label.label)} after {plural(label.pulls, 'pull')}"


def _format_value(field: str, value: object) -> str:
    if field == "label" and value in (GOOD, BAD):
        return "1 (good)" if value == GOOD else "-1 (bad)"
    return repr(value)


def _is_close(first: float | None, second: float | None) -> bool:
    if first is None or second is None:
        return first is second
    return math.isclose(first, second, rel_tol=MAX_LOG_DIFFERENCE, abs_tol=MAX_LOG_DIFFERENCE)
