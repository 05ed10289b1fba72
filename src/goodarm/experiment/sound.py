"""Whether an entry that was read may be applied: it speaks of arms, pulls and cases that there are.

What was decided here needs no such check. A journal that was damaged or tampered with does: nothing
below looks again whether a number is one that was asked, and compiled code would write anywhere.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from goodarm.errors import SpecError
from goodarm.experiment.entries import Asked, Entry, Expired, Forgotten, Observed, Told
from goodarm.experiment.state import State
from goodarm.kernels.codes import BAD, GOOD
from goodarm.kernels.live import OUT

_OWNER: Final = "a journal's entry"


def check_entry(state: State, entry: Entry) -> None:
    """Refuse an entry that no request can have come to."""
    if isinstance(entry, (Told, Forgotten, Expired)):
        _check_out(state, entry.pulls)
    if isinstance(entry, (Told, Observed)):
        _check_rewards(state, entry.rewards)
    if isinstance(entry, Told) and len(entry.rewards) != len(entry.pulls):
        raise SpecError(f"It has {len(entry.rewards)} rewards of {len(entry.pulls)} pulls.")
    if isinstance(entry, Asked):
        _check_asked(state, entry)
    elif isinstance(entry, Observed):
        _check_arms(state, [entry.arm])
        parts = state.ident._parts()
        parts.cases.check_observed(entry.arm, entry.cases, len(entry.rewards), _OWNER)
    elif "arm" in vars(entry) and entry.kind != "added":
        _check_arms(state, [vars(entry)["arm"]])
    for fell in getattr(entry, "labels", ()):
        _check_arms(state, [fell.arm])
        if fell.label not in (GOOD, BAD) or not isinstance(fell.pulls, int):
            raise SpecError(f"It has a label that there is not: {fell}.")


def _check_asked(state: State, entry: Asked) -> None:
    _check_arms(state, entry.arms)
    _check_out(state, entry.again)
    if not state.has_pool or not entry.arms:
        if entry.cases is not None:
            raise SpecError("It has cases, and there is no pool.")
        return
    if entry.cases is None or len(entry.cases) != len(entry.arms):
        raise SpecError("It must have a case for each pull of a pool.")
    drawn = defaultdict[int, list[int]](list)
    for arm, case in zip(entry.arms, entry.cases, strict=True):
        drawn[arm].append(case)
    for arm, cases in drawn.items():
        state.ident._parts().cases.check_observed(arm, cases, len(cases), _OWNER)


def _check_arms(state: State, arms: Sequence[int]) -> None:
    count = state.ident.problem.num_arms
    if len(arms) and not _are_within(arms, 0, count - 1):
        raise SpecError(f"It names an arm that there is not: of {count} the last is {count - 1}.")


def _check_out(state: State, pulls: Sequence[int]) -> None:
    """Pulls that were asked, each named once, and neither told nor forgotten."""
    if not len(pulls):
        return
    standings = state.ident._parts().standings
    if not _are_within(pulls, 1, standings.asked):
        raise SpecError(f"It names a pull that was not asked; {standings.asked} were.")
    states = standings.log("state")
    if len(set(pulls)) < len(pulls) or any(states[number - 1] != OUT for number in pulls):
        raise SpecError("It names a pull that is not out: told, given up, or named twice.")


def _are_within(values: Sequence[int], low: int, high: int) -> bool:
    """Whether all are whole numbers in a range."""
    found = np.asarray(values)
    return found.dtype.kind == "i" and found.ndim == 1 and low <= min(values) <= max(values) <= high


def _check_rewards(state: State, rewards: Iterable[float]) -> None:
    for reward in set(rewards):
        state.ident.problem.check_reward(reward, _OWNER)
