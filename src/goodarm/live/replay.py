"""Replay of events: does what was written, chooses nothing, computes no label."""

from collections.abc import Callable
from typing import Any, Final

from goodarm.live.event_validation import check_event
from goodarm.live.events import (
    ArmAdded,
    ArmTakenOut,
    Event,
    PullsAsked,
    PullsForgotten,
    RewardsObserved,
    RewardsTold,
)
from goodarm.live.experiment_state import ExperimentState
from goodarm.live.validation import make_block
from goodarm.problem import to_money_units


def replay(state: ExperimentState, event: Event) -> None:
    """Change the state as the event says. Raise an error for an event that cannot have happened."""
    check_event(state, event)
    state.is_changing = True
    act = _ACTS.get(type(event))
    if act is not None:
        act(state, event)
    state.finish(event)


def _ask(state: ExperimentState, event: PullsAsked) -> None:
    state.core.ask_written(event.arms, event.cases)


def _tell(state: ExperimentState, event: RewardsTold) -> None:
    state.core.tell(event.pulls, event.rewards, event.labels, read_costs(event))


def read_costs(event: RewardsTold) -> dict[int, int]:
    """Return the costs that were told, in billionths, by the number of the pull."""
    told = zip(event.pulls, event.costs or (), strict=False)
    return {
        number: to_money_units("cost", "the entry", cost)
        for number, cost in told
        if cost is not None
    }


def _forget(state: ExperimentState, event: PullsForgotten) -> None:
    state.core.forget(event.pulls, event.is_independent, event.labels)


def _observe(state: ExperimentState, event: RewardsObserved) -> None:
    block = make_block(state.core.problem, event.rewards)
    state.core.observe(event.arm, block, event.cases, event.labels)


def _add_arm(state: ExperimentState, event: ArmAdded) -> None:
    state.core.add_arm(event.arm, event.pool, "Identifier.add_arm", cost=event.cost)


def _take_out(state: ExperimentState, event: ArmTakenOut) -> None:
    state.core.take_out(event.arm)


_ACTS: Final[dict[type[Event], Callable[[ExperimentState, Any], None]]] = {
    PullsAsked: _ask,
    RewardsTold: _tell,
    PullsForgotten: _forget,
    RewardsObserved: _observe,
    ArmAdded: _add_arm,
    ArmTakenOut: _take_out,
}
