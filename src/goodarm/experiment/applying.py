"""What an entry does to an experiment. It obeys: no arm is chosen here, no label found."""

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
    Noted,
    Observed,
    Paused,
    Resumed,
    TakenOut,
    Told,
)
from goodarm.experiment.possible import refuse_impossible
from goodarm.experiment.state import Lease, State
from goodarm.identifier.obeying import Labels, ask_as_written, labels_as_written
from goodarm.identifier.told import block_of
from goodarm.identifier.trying import Labelled
from goodarm.kernels.live import DROPPED, LOST


def apply(state: State, entry: Entry) -> None:
    """Change the state as the entry says; what is in the journal has happened."""
    refuse_impossible(state, entry)
    _apply(entry, state)
    state.last += 1
    state.at = entry.at


@singledispatch
def _apply(entry: Entry, state: State) -> None:
    raise SpecError(f"There is no way to apply {entry!r}.")


@_apply.register
def _(entry: Asked, state: State) -> None:
    numbers = ask_as_written(state.ident, entry.arms, entry.cases)
    state.asked_at.update(dict.fromkeys(numbers, entry.at))
    # What a worker asked again, and holds, stays as it was; what was waiting for one is leased.
    anew = [number for number in entry.again if number in state.again]
    for number in anew:
        del state.again[number]
    for number in (*anew, *numbers):
        state.lease(number, Lease(entry.worker, entry.until))


@_apply.register
def _(entry: Told, state: State) -> None:
    numbers, rewards = np.array(entry.pulls, np.int64), np.array(entry.rewards, np.float64)
    with labels_as_written(state.ident, _labels(entry.labels)):
        state.ident._intake.tell(numbers, rewards)
    state.take_in(entry.pulls)


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
    state.take_in(entry.pulls)


@_apply.register
def _(entry: Observed, state: State) -> None:
    ident = state.ident
    problem, cases = ident.problem, ident._parts().cases
    cases.observe(entry.arm, entry.cases)
    with labels_as_written(ident, _labels(entry.labels)):
        ident._intake.observe(entry.arm, block_of(problem, entry.rewards))


@_apply.register
def _(entry: Expired, state: State) -> None:
    state.end_leases(entry.pulls)
    if state.has_pool:
        state.again.update(dict.fromkeys(entry.pulls))


@_apply.register
def _(entry: Added, state: State) -> None:
    state.ident.add_arm(entry.arm, pool=entry.pool)


@_apply.register
def _(entry: TakenOut, state: State) -> None:
    state.ident._intake.take_out(entry.arm)


@_apply.register
def _(entry: Noted, state: State) -> None:
    pass


@_apply.register
def _(entry: Paused, state: State) -> None:
    state.status.is_paused = True


@_apply.register
def _(entry: Resumed, state: State) -> None:
    state.status.is_paused = False


@_apply.register
def _(entry: Closed, state: State) -> None:
    state.status.is_closed = True


def _labels(labels: Iterable[Labelled]) -> Labels:
    return {each.arm: (each.label, each.pulls) for each in labels}
