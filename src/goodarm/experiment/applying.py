"""What an entry does to an experiment. It obeys: no arm is chosen here, no label found."""

import heapq
from collections.abc import Iterable
from functools import singledispatch

import numpy as np

from goodarm.errors import SpecError
from goodarm.experiment.entries import (
    Added,
    Asked,
    Closed,
    Entry,
    Expired,
    Forgotten,
    LabelFell,
    Observed,
    Paused,
    Resumed,
    Told,
)
from goodarm.experiment.state import Lease, State
from goodarm.identifier.obeying import Labels, ask_as_written, labels_as_written
from goodarm.identifier.told import block_of
from goodarm.kernels.live import DROPPED, LOST


def apply(state: State, entry: Entry) -> None:
    """Change the state as the entry says; what is in the journal has happened."""
    if entry.at < state.at:
        raise SpecError(
            f"Entry {state.last + 1} of the journal is earlier than the one before it: it was "
            "tampered with."
        )
    _apply(entry, state)
    state.last += 1
    state.at = entry.at


@singledispatch
def _apply(entry: Entry, state: State) -> None:
    raise SpecError(f"There is no way to apply {entry!r}.")


@_apply.register
def _(entry: Asked, state: State) -> None:
    if entry.first != state.ident._parts().standings.asked + 1:
        raise SpecError(f"Pull {entry.first} of the journal does not follow the one before it.")
    numbers = ask_as_written(state.ident, entry.arms, entry.cases)
    state.asked_at.extend((entry.at, number) for number in numbers)
    for number in entry.again:
        state.again.pop(number, None)
    for number in (*entry.again, *numbers):
        _lease(state, number, Lease(entry.worker, entry.until))


@_apply.register
def _(entry: Told, state: State) -> None:
    numbers, rewards = np.array(entry.pulls, np.int64), np.array(entry.rewards, np.float64)
    with labels_as_written(state.ident, _labels(entry.labels)):
        state.ident._intake.tell(numbers, rewards)
    _end_leases(state, entry.pulls)


@_apply.register
def _(entry: Forgotten, state: State) -> None:
    ident, code = state.ident, DROPPED if entry.is_independent else LOST
    parts = ident._parts()
    dropped = entry.pulls if entry.is_independent else ()
    with labels_as_written(ident, _labels(entry.labels), dropped):
        for number in entry.pulls:
            ident._intake.forget(number, parts.standings.pull(number)[1], code)
    if entry.is_independent and state.has_pool:
        for number in entry.pulls:
            parts.cases.give_back(number)
    _end_leases(state, entry.pulls)


@_apply.register
def _(entry: Observed, state: State) -> None:
    ident = state.ident
    problem, cases = ident.problem, ident._parts().cases
    cases.observe(entry.arm, entry.cases)
    with labels_as_written(ident, _labels(entry.labels)):
        ident._intake.observe(entry.arm, block_of(problem, entry.rewards))


@_apply.register
def _(entry: Expired, state: State) -> None:
    _end_leases(state, entry.pulls)
    if state.has_pool:
        state.again.update(dict.fromkeys(entry.pulls))


@_apply.register
def _(entry: Added, state: State) -> None:
    state.ident.add_arm(entry.arm, pool=entry.pool)


@_apply.register
def _(entry: Paused, state: State) -> None:
    state.status.is_paused = True


@_apply.register
def _(entry: Resumed, state: State) -> None:
    state.status.is_paused = False


@_apply.register
def _(entry: Closed, state: State) -> None:
    state.status.is_closed = True


def _labels(labels: Iterable[LabelFell]) -> Labels:
    return {each.arm: (each.label, each.pulls) for each in labels}


def _lease(state: State, number: int, lease: Lease) -> None:
    if lease.worker is None and lease.until is None:
        return
    state.leases[number] = lease
    if lease.until is not None:
        heapq.heappush(state.ends, (lease.until, number))
    if lease.worker is not None:
        state.by_worker[lease.worker][number] = None


def _end_leases(state: State, numbers: Iterable[int]) -> None:
    for number in numbers:
        state.again.pop(number, None)
        lease = state.leases.pop(number, None)
        if lease is not None and lease.worker is not None:
            held = state.by_worker[lease.worker]
            held.pop(number, None)
            if not held:
                del state.by_worker[lease.worker]
