"""Whether an entry can have been written: what is applied is obeyed, so it must be possible."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from goodarm.errors import SpecError
from goodarm.experiment.entries import Asked, Entry, Noted, Observed, TakenOut, Told
from goodarm.experiment.state import State
from goodarm.kernels.codes import BAD, GOOD
from goodarm.kernels.live import OUT
from goodarm.problem.problem import MOST_PULLS


def refuse_impossible(state: State, entry: Entry) -> None:
    """An error for arms and pulls that there are not, and for rewards that cannot be."""
    _expect(_is_time(entry.at), "its time is no number")
    _expect(entry.by is None or isinstance(entry.by, str), "'by' is no name")
    _expect(entry.at >= state.at, "it is earlier than the one before it")
    # Closing again under another key is noted; nothing else is written behind the end.
    _expect(not state.status.is_closed or isinstance(entry, Noted), "the experiment was closed")
    standings, problem = state.ident._parts().standings, state.ident.problem
    labels = getattr(entry, "labels", ())
    arms = [label.arm for label in labels]
    pulls = getattr(entry, "pulls", ())
    if isinstance(entry, Asked):
        _expect(entry.first == standings.asked + 1, "its pulls do not follow those before")
        has_cases = entry.cases is not None and len(entry.cases) == len(entry.arms)
        _expect(has_cases == state.has_pool or not entry.arms, "its cases are not those of pulls")
        arms, pulls = [*entry.arms], entry.again
        _check_asked(state, entry)
        is_name = entry.worker is None or isinstance(entry.worker, str)
        _expect(is_name, "its worker is no name")
        _expect(entry.until is None or _is_time(entry.until), "the end of its lease is no time")
    elif isinstance(entry, Observed | TakenOut):
        arms.append(entry.arm)
    _expect(_are_whole(arms, 0, problem.num_arms - 1), "there is no such arm")
    if isinstance(entry, TakenOut):
        _expect(standings.arms[entry.arm]["active"], "its arm is labelled, or out of play")
    _expect(_are_whole(pulls, 1, standings.asked), "there is no such pull")
    if pulls:
        states = standings.live.log["state"][np.array(pulls, np.int64) - 1]
        _expect(bool((states == OUT).all()), "a pull of it is not out")
        _expect(len(set(pulls)) == len(pulls), "a pull stands in it twice")
    _check_cases(state, entry)
    _expect(len({label.arm for label in labels}) == len(labels), "an arm is labelled twice in it")
    for label in labels:
        is_label = type(label.label) is int and label.label in (GOOD, BAD)
        _expect(is_label, f"{label.label!r} is no label")
        _expect(_are_whole([label.pulls], 1, MOST_PULLS), "a label has no number of pulls")
        _expect(standings.arms[label.arm]["active"], "an arm of it is out of play")
    rewards = getattr(entry, "rewards", ())
    has_all = not isinstance(entry, Told) or len(rewards) == len(pulls)
    _expect(has_all, "it has not a reward for each pull")
    for reward in set(rewards):
        problem.check_reward(reward, "the entry")


def _check_asked(state: State, entry: Asked) -> None:
    """Refuse pulls beyond ``max_pulls``, and pulls that were given out during a pause."""
    parts = state.ident._parts()
    asked = parts.standings.asked + len(entry.arms)
    most = parts.standings.setup.max_pulls
    _expect(asked <= most, f"it asks pull {asked}, and max_pulls is {most}")
    # During a pause a worker is told again what it holds; that changes nothing.
    is_new = bool(entry.arms) or any(pull in state.again for pull in entry.again)
    _expect(not (state.status.is_paused and is_new), "the experiment was paused")


def _check_cases(state: State, entry: Entry) -> None:
    """Cases that there are, and that were not drawn before: each counts once."""
    drawn: dict[int, list[int]] = {}
    if isinstance(entry, Asked):
        for arm, case in zip(entry.arms, entry.cases or (), strict=False):
            drawn.setdefault(arm, []).append(case)
    elif isinstance(entry, Observed):
        cases = None if entry.cases is None else [*entry.cases]
        _expect((cases is None) != state.has_pool, "its cases are not those of rewards")
        drawn = {} if cases is None else {entry.arm: cases}
        _expect(cases is None or len(cases) == len(entry.rewards), "it lacks cases")
    for arm, cases in drawn.items():
        state.ident._parts().cases.check_observed(arm, cases, len(cases), "the entry")


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are_whole(numbers: Sequence[Any], least: int, most: int) -> bool:
    if not numbers:
        return True
    is_whole = set(map(type, numbers)) == {int}
    return is_whole and min(numbers) >= least and max(numbers) <= most


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise SpecError(f"{otherwise}: the journal was tampered with.")
