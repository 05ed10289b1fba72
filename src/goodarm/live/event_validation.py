"""Validation of events before they are replayed: replay trusts what they say."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from goodarm.errors import SpecError
from goodarm.kernels.codes import BAD, GOOD
from goodarm.kernels.live.records import OUT
from goodarm.live.events import (
    ArmAdded,
    ArmTakenOut,
    Event,
    NoteAdded,
    PullsAsked,
    RequestRecorded,
    RewardsObserved,
    RewardsTold,
)
from goodarm.live.experiment_state import ExperimentState
from goodarm.live.validation import check_added
from goodarm.problem import MAX_PULLS, to_money_units


def check_event(state: ExperimentState, event: Event) -> None:
    """Raise an error for arms and pulls that do not exist, and for impossible rewards."""
    _expect(_is_time(event.at), "its time is no number")
    _expect(event.by is None or isinstance(event.by, str), "'by' is no name")
    _expect(event.at >= state.at, "it is earlier than the one before it")
    # Closing again under another key is recorded; nothing else is written behind the end.
    is_open = not state.is_closed or isinstance(event, RequestRecorded)
    _expect(is_open, "the experiment was closed")
    arm_state, problem = state.core.arms, state.core.problem
    labels = getattr(event, "labels", ())
    arms = [label.arm for label in labels]
    pulls = getattr(event, "pulls", ())
    if isinstance(event, PullsAsked):
        _expect(event.first == arm_state.asked + 1, "its pulls do not follow those before")
        has_cases = event.cases is not None and len(event.cases) == len(event.arms)
        _expect(has_cases == state.has_pool or not event.arms, "its cases are not those of pulls")
        arms, pulls = [*event.arms], event.again
        _check_asked(state, event)
        is_name = event.worker is None or isinstance(event.worker, str)
        _expect(is_name, "its worker is no name")
        _expect(event.until is None or _is_time(event.until), "the end of its lease is no time")
    elif isinstance(event, RewardsObserved | ArmTakenOut):
        arms.append(event.arm)
    elif isinstance(event, ArmAdded):
        check_added(state.core, event.arm)
    elif isinstance(event, NoteAdded):
        _expect(isinstance(event.text, str), "its text is no text")
        arms += [] if event.arm is None else [event.arm]
    _expect(_is_whole(arms, 0, problem.num_arms - 1), "there is no such arm")
    if isinstance(event, ArmTakenOut):
        _expect(arm_state.arms[event.arm]["active"], "its arm is labelled, or out of play")
    _expect(_is_whole(pulls, 1, arm_state.asked), "there is no such pull")
    if pulls:
        states = arm_state.live.log["state"][np.array(pulls, np.int64) - 1]
        _expect(bool((states == OUT).all()), "a pull of it is not out")
        _expect(len(set(pulls)) == len(pulls), "a pull stands in it twice")
    _check_cases(state, event)
    if isinstance(event, RewardsTold):
        _check_told_costs(state, event)
    _expect(len({label.arm for label in labels}) == len(labels), "an arm is labelled twice in it")
    for label in labels:
        is_label = type(label.label) is int and label.label in (GOOD, BAD)
        _expect(is_label, f"{label.label!r} is no label")
        _expect(_is_whole([label.pulls], 1, MAX_PULLS), "a label has no number of pulls")
        _expect(arm_state.arms[label.arm]["active"], "an arm of it is out of play")
    rewards = getattr(event, "rewards", ())
    has_all = not isinstance(event, RewardsTold) or len(rewards) == len(pulls)
    _expect(has_all, "it has not a reward for each pull")
    for reward in set(rewards):
        problem.check_reward(reward, "the entry")


def _check_asked(state: ExperimentState, event: PullsAsked) -> None:
    """Raise an error for pulls beyond ``max_pulls``, and for pulls given out during a pause."""
    asked, most = state.core.arms.asked + len(event.arms), state.core.setup.max_pulls
    _expect(asked <= most, f"it asks pull {asked}, and max_pulls is {most}")
    money = state.core.money
    if money is not None and _is_whole(event.arms, 0, len(money.costs) - 1):
        _expect(money.is_within(event.arms), "its pulls cost more than max_cost allows")
    # During a pause a worker is told again what it holds; that changes nothing.
    is_new = bool(event.arms) or any(pull in state.again for pull in event.again)
    _expect(not (state.is_paused and is_new), "the experiment was paused")


def _check_cases(state: ExperimentState, event: Event) -> None:
    """Raise an error for cases that do not exist, or were drawn before: each counts once."""
    drawn: dict[int, list[int]] = {}
    if isinstance(event, PullsAsked):
        for arm, case in zip(event.arms, event.cases or (), strict=False):
            drawn.setdefault(arm, []).append(case)
    elif isinstance(event, RewardsObserved):
        cases = None if event.cases is None else [*event.cases]
        _expect((cases is None) != state.has_pool, "its cases are not those of rewards")
        drawn = {} if cases is None else {event.arm: cases}
        _expect(cases is None or len(cases) == len(event.rewards), "it lacks cases")
    for arm, cases in drawn.items():
        state.core.cases.check_observed(arm, cases, len(cases), "the entry")


def _check_told_costs(state: ExperimentState, event: RewardsTold) -> None:
    """Raise an error for costs that are no amounts, or of a problem without costs."""
    if event.costs is None:
        return
    _expect(state.core.money is not None, "it has costs, and the problem has none")
    _expect(len(event.costs) == len(event.pulls), "it has not a cost or null for each pull")
    for cost in event.costs:
        if cost is not None:
            to_money_units("cost", "the entry", cost)


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(numbers: Sequence[Any], least: int, most: int) -> bool:
    if not numbers:
        return True
    is_whole = set(map(type, numbers)) == {int}
    return is_whole and min(numbers) >= least and max(numbers) <= most


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise SpecError(
            f"{otherwise}: the journal was tampered with.",
            argument="entry",
            owner="the journal",
            rule="be one that can have happened",
        )
